"""The command ``quintet`` that the package installs."""

import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

QUINTET = [sys.executable, "-m", "quintet"]


def run(*arguments, **options):
    return subprocess.run([*QUINTET, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_it_is_the_program():
    script = Path(sys.executable).parent / "quintet"
    assert subprocess.run([script, "perft", "pylos", "1"], capture_output=True, text=True, timeout=60).stdout.split()[-1] == "16"
    assert run("perft", "pylos", "2").stdout.split()[-1] == "240"
    assert run("--version").stdout.startswith("quintet ")
    bad = run("perft", "chess", "2")
    assert bad.returncode == 2 and "is not a game" in bad.stderr


def test_a_closed_pipe_is_no_failure():
    with subprocess.Popen([*QUINTET, "man"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.wait(60) == 0 and program.stderr.read() == b""


@pytest.mark.parametrize("arguments", [["perft", "pentago", "9"], ["match", "pylos", "mcts", "mcts", "--time", "100ms", "--games", "100000"]])
def test_interrupts(arguments, tmp_path):
    with subprocess.Popen([*QUINTET, "--data", str(tmp_path), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        time.sleep(1)
        while program.poll() is None:
            program.send_signal(signal.SIGINT)
            time.sleep(0.2)
        assert program.returncode in (130, -signal.SIGINT)
        assert b"Traceback" not in program.stderr.read()


def test_the_page(tmp_path):
    arguments = [*QUINTET, "--data", str(tmp_path), "serve", "--bind", "127.0.0.1:0", "--no-browser"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as program:
        address = re.search(r"http://\S+/", program.stdout.readline()).group()
        with urllib.request.urlopen(address, timeout=30) as page:
            assert b"<title>" in page.read()
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0
