"""Training of nets by self-play: ``python -m quintet.zero GAME --out FOLDER``. It needs PyTorch 1.13 or later."""
