"""Self-play on several machines, here on loopback with a real server: skipped without PyTorch or nats-py, and a failure without nats-server."""

import shutil
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import quintet

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("nats", reason="nats-py is not installed")

from quintet.zero import cluster  # noqa: E402
from quintet.zero.train import Config, Training  # noqa: E402


@pytest.fixture
def server(tmp_path):
    program = shutil.which("nats-server", path="/usr/sbin:/usr/local/bin:/usr/bin")
    assert program, "nats-server is missing (Debian: apt-get install nats-server): nothing was tested"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def start():
        process = subprocess.Popen([program, "-js", "-sd", str(tmp_path / "jetstream"), "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return process
            time.sleep(0.05)

    running = [start()]

    def again():
        running[0].kill()
        running[0].wait()
        running[0] = start()

    yield f"nats://127.0.0.1:{port}", again
    running[0].kill()


def player(url):
    return subprocess.Popen([sys.executable, "-m", "quintet.zero.player", "--cluster", url, "--threads", "1", "--device", "cpu"])


def test_a_training_learns_from_players_that_are_killed(server, tmp_path):
    url, again = server
    config = Config(
        ("pathwayz(rows=3,cols=4)", "pathwayz(rows=4,cols=4)"), shares=(2, 1), channels=16, blocks=1, samples=4_000, games=32, simulations=(4, 8), window=2_000, batch=64, opening=0
    )
    players = [player(url), player(url)]
    said = []
    learner = cluster.Learner(url, config, said.append)
    training = Training(config, tmp_path / "run", "cpu", learner.variant)
    faults = [lambda: players[0].send_signal(signal.SIGKILL), again, lambda: players.append(player(url))]

    def report(_line):
        if faults:
            faults.pop(0)()

    try:
        # A line at the beginning and every ten seconds; the first faults come before any.
        report("")
        training.run(report=report)
    finally:
        for each in players:
            each.kill()
    assert training.samples >= config.samples and training.steps > 50
    assert all(variant.window.count > 0 for variant in training.variants)
    assert (tmp_path / "run" / "net.safetensors").exists()
    assert not said, said


def test_what_is_no_bundle_is_refused():
    game = quintet.load("pathwayz(rows=3,cols=4)")
    play = quintet.SelfPlay("pathwayz(rows=3,cols=4)", games=8, simulations=4, considered=4, seed=1, threads=1)
    words = np.zeros((8, *game.tensor_shape[1:]), np.uint32)
    while play.ready < 8:
        play.step(out=words)
        play.answer(np.zeros((8, game.num_actions), np.float32), np.zeros(8, np.float32))
    arrays = cluster.Bundle.arrays(play.take())
    good = cluster.Bundle(cluster.unpack(cluster.pack(arrays)), game)
    assert len(good) == len(arrays["results"])
    wrong = [
        {**arrays, "values": arrays["values"] + 9},
        {**arrays, "policies": arrays["policies"] * np.float16("nan")},
        {**arrays, "packed": arrays["packed"].astype(np.int64)},
        {**arrays, "legal": arrays["legal"][:, :0]},
        {**arrays, "more": arrays["values"]},
        {name: array[:0] for name, array in arrays.items()},
    ]
    for each in wrong:
        with pytest.raises(ValueError):
            cluster.Bundle(cluster.unpack(cluster.pack(each)), game)
    for data in [b"", b"rubbish", cluster.zlib.compress(b"rubbish"), cluster.zlib.compress(bytes(cluster.MOST_BYTES + 1))]:
        with pytest.raises(ValueError):
            cluster.unpack(data)


def test_a_player_takes_no_training_of_another_version(monkeypatch):
    said = []
    one = object.__new__(cluster.Player)
    one.refused, one.report = set(), said.append
    told = {"run": "r", "build": "0.0.0", "variants": ["pylos"], "shares": [], "net": "r/1", "simulations": 8} | {name: 1 for name in cluster.BOUNDS}
    assert one.check(told) is None and one.check(told) is None
    assert len(said) == 1 and "same version" in said[0]
    told["build"] = cluster.build()
    assert one.check(told)["config"]["variants"] == ("pylos",)
    for bad in [{"channels": 1 << 20}, {"simulations": 0}, {"net": "other/1"}, {"variants": []}]:
        with pytest.raises((ValueError, TypeError)):
            one.check(told | bad)
