"""Self-play on several machines, here on loopback with a real server: skipped without PyTorch or nats-py, and a failure without nats-server."""

import asyncio
import collections
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import types
import zipfile
import zlib

import numpy as np
import pytest

import quintet

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("nats", reason="nats-py is not installed")

from quintet.zero import cluster  # noqa: E402
from quintet.zero.train import Config, Training  # noqa: E402


#: What the users may do, as in docs/cluster.md.
USERS = """authorization { users: [
  { user: learner, password: secret, permissions: { publish: ["$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$O.>", "quintet.zero.*"], subscribe: ["_INBOX.>"] } }
  { user: player, password: secret, permissions: {
      publish: ["$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$O.quintet-samples.>", "quintet.bundle.*", "quintet.player.*"], subscribe: ["_INBOX.>", "quintet.zero.*"] } }
] }"""


@pytest.fixture
def server(tmp_path):
    program = shutil.which("nats-server", path="/usr/sbin:/usr/local/bin:/usr/bin")
    assert program, "nats-server is missing (Debian: apt-get install nats-server): nothing was tested"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    (tmp_path / "nats.conf").write_text(f'jetstream {{ store_dir: "{tmp_path / "jetstream"}" }}\n{USERS}\n')

    def start():
        process = subprocess.Popen([program, "-a", "127.0.0.1", "-p", str(port), "-c", str(tmp_path / "nats.conf")], stderr=subprocess.DEVNULL)
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

    yield lambda user: f"nats://{user}:secret@127.0.0.1:{port}", again
    running[0].kill()


def player(url):
    return subprocess.Popen([sys.executable, "-m", "quintet.zero.player", "--threads", "1", "--device", "cpu"], env=os.environ | {"QUINTET_CLUSTER": url("player")})


def test_a_training_learns_from_players_that_are_killed(server, tmp_path):
    url, again = server
    config = Config(
        ("pathwayz(rows=3,cols=4)", "pathwayz(rows=4,cols=4)"), shares=(2, 1), channels=16, blocks=1, samples=4_000, games=32, simulations=(4, 8), window=2_000, batch=64, opening=0
    )
    players = [player(url), player(url)]
    said = []
    learner = cluster.Learner(url("learner"), config, said.append)
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
    assert training.samples >= config.samples and training.main.steps > 50
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
    for data in unreadable():
        with pytest.raises(ValueError):
            cluster.Bundle(cluster.unpack(data), game)


def unreadable():
    """Bytes that are not arrays, each in another way."""
    file = io.BytesIO()
    np.savez(file, results=np.zeros(1000))
    cut = file.getvalue()[:500] + file.getvalue()[900:]
    giant, header = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (1 << 45,)})
    with zipfile.ZipFile(giant, "w") as entries:
        entries.writestr("results.npy", header.getvalue())
    plain = [b"rubbish", cut, giant.getvalue(), b"PK\x05\x06" + bytes(18) + b"rubbish", bytes(cluster.MOST_BYTES + 1)]
    return [b"", b"rubbish", *map(zlib.compress, plain)]


class Message:
    """A message of the queue that was not acknowledged yet."""

    def __init__(self, data):
        self.data, self.acknowledged = data, False

    async def ack(self):
        self.acknowledged = True


def test_no_message_deafens_a_learner():
    objects, removed, said = {}, [], []

    async def get(_bucket, name):
        return objects[name]

    async def remove(_bucket, name):
        removed.append(name)

    learner = object.__new__(cluster.Learner)
    learner.run, learner.report, learner.config = "r" * 32, said.append, Config(("pylos",))
    learner.bus, learner.games = types.SimpleNamespace(get=get, remove=remove), {"pylos": quintet.load("pylos")}
    learner.heard, learner.taken = {"pylos": collections.deque()}, collections.deque()
    mine = f"{learner.run}/1"
    told = [b"", b"[" * 100_000, b"[1]", b"null", b"\xff", json.dumps({"variant": float("inf"), "object": mine}).encode()]
    told += [json.dumps({"variant": variant, "object": mine}).encode() for variant in (-1, 1, 0.5, True, "0", None, [0])]
    told += [json.dumps({"variant": 0, "object": name}).encode() for name in ("", "other/1", 5, None, mine * 1000)]
    for data in unreadable():
        objects[f"{mine}{len(objects)}"] = data
    told += [json.dumps({"variant": 0, "object": name}).encode() for name in objects]
    for data in told:
        message = Message(data)
        asyncio.run(learner._take(message))
        assert message.acknowledged, data[:80]
    assert len(said) == len(told) and not learner.heard["pylos"]
    # What is of no use to anybody is removed, and nothing of another training is.
    assert set(objects) <= set(removed) and all(name.startswith(learner.run) for name in removed)
    # Where the server is away, the bundle stays in the queue.
    async def away(_bucket, _name):
        raise cluster.nats.errors.TimeoutError

    learner.bus.get, message = away, Message(json.dumps({"variant": 0, "object": mine}).encode())
    with pytest.raises(cluster.AWAY):
        asyncio.run(learner._take(message))
    assert not message.acknowledged


def a_player(said):
    one = object.__new__(cluster.Player)
    one.refused, one.report, one.threads, one.device = collections.deque(maxlen=100), said.append, 1, "cpu"
    one.asked, one.at = None, 0.0
    return one


ANNOUNCED = {"run": "r", "build": cluster.build(), "variants": ["pylos"], "shares": [], "net": "r/1", "simulations": 8} | {name: 1 for name in cluster.BOUNDS}


def test_a_player_takes_no_training_of_another_version():
    said = []
    one = a_player(said)
    for other in ["0.0.0", "0.1.0", f"{cluster.build()} more"]:
        said.clear()
        told = ANNOUNCED | {"build": other}
        assert one.check(told) is None and one.check(told) is None
        assert len(said) == 1 and "same version" in said[0]
    assert one.check(ANNOUNCED)["config"]["variants"] == ("pylos",)
    assert one.check(ANNOUNCED | {"solve_from": None, "scale": 0.5})["config"]["scale"] == 0.5


@pytest.mark.parametrize(
    "bad",
    [
        {"channels": 1 << 20}, {"channels": 1.5}, {"channels": "64"}, {"channels": True}, {"channels": None}, {"batch": 0}, {"scale": float("nan")}, {"simulations": 0},
        {"simulations": 8.0}, {"net": "other/1"}, {"net": "r/" + "1" * 1000}, {"run": ["r"]}, {"variants": []}, {"variants": "pylos"}, {"variants": ["nonsense"]},
        {"variants": [5]}, {"variants": ["pylos", "twixt"]}, {"shares": [1, 1]}, {"shares": [-1]}, {"shares": ["1"]}, {"build": None},
    ],
    ids=str,
)
def test_a_player_refuses_what_it_cannot_play(bad):
    with pytest.raises(ValueError):
        a_player([]).check(ANNOUNCED | bad)


def test_no_announcement_ends_a_player():
    said, heard = [], []

    async def subscribe(_subjects, cb):
        heard.append(cb)

    one = a_player(said)
    one.bus = types.SimpleNamespace(client=types.SimpleNamespace(subscribe=subscribe))
    asyncio.run(one._listen())
    for data in [b"", b"[" * 100_000, b"null", b"{}", json.dumps(ANNOUNCED | {"channels": float("inf")}).encode()]:
        said.clear()
        for _ in range(2):
            asyncio.run(heard[0](Message(data)))
        assert one.asked is None and len(said) == 1, data[:80]
    # One that passes but cannot be played leaves the player to others, and is not tried again.
    def fetch(_net, _name):
        raise RuntimeError("out of memory")

    one.fetch, told = fetch, Message(json.dumps(ANNOUNCED).encode())
    asyncio.run(heard[0](told))
    assert one.asked is not None
    said.clear()
    one.run(lambda: bool(said))
    assert len(said) == 1 and "out of memory" in said[0] and one.asked is None
    asyncio.run(heard[0](told))
    assert one.asked is None


def a_bus(connected):
    bus = object.__new__(cluster.Bus)
    bus.server, bus.loop = cluster.Server("nats://lab:secret@localhost:4222"), asyncio.new_event_loop()
    bus.client, bus.said = types.SimpleNamespace(is_connected=connected), []
    bus.say = bus.said.append
    threading.Thread(target=bus.loop.run_forever, daemon=True).start()
    return bus


def test_what_fails_for_long_is_said_once_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    bus, tried, end = a_bus(True), [], time.monotonic() + 2

    async def away():
        tried.append(time.monotonic())
        raise cluster.nats.errors.TimeoutError

    bus.prepare = away
    assert not bus.persist(away, lambda: time.monotonic() > end)
    assert len(tried) > 4 and len(bus.said) == 1, bus.said
    assert "nats://localhost:4222 does not do what is asked" in bus.said[0]
    # What never answers is not waited for.
    async def silent():
        try:
            await asyncio.sleep(1000)
        finally:
            tried.clear()

    began = time.monotonic()
    assert not bus.persist(silent, lambda: time.monotonic() > began + 0.5)
    with pytest.raises(TimeoutError):
        bus.do(silent(), timeout=0.3)
    assert time.monotonic() < began + 5
    time.sleep(0.2)
    assert not tried, "it was cancelled"


def test_a_server_that_is_away_is_said_once_and_so_is_its_return(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    bus = a_bus(True)
    bus.always("the connection", bus._watch)
    time.sleep(0.5)
    assert not bus.said
    bus.client.is_connected = False
    time.sleep(1.5)
    assert [said.split(" ", 2)[2] for said in bus.said] == ["nats://localhost:4222 is away; trying again until it is there"]
    bus.client.is_connected = True
    time.sleep(0.5)
    assert len(bus.said) == 2 and "is there again" in bus.said[1]


def test_what_is_always_done_survives_its_failures(monkeypatch):
    monkeypatch.setattr(cluster, "SIGN", 0.01)
    bus, done = a_bus(True), []

    async def fails():
        done.append(1)
        raise RuntimeError("unforeseen")

    bus.always("this", fails)
    time.sleep(0.5)
    assert len(done) > 2 and bus.said[0] == "this: RuntimeError: unforeseen; trying again"


def test_a_learner_hears_that_it_is_to_stop_while_the_server_is_away():
    learner, stopping = object.__new__(cluster.Learner), []
    learner.bus, learner.run, learner.nets, learner.published = a_bus(False), "r" * 32, collections.deque(), 0.0
    learner.simulations, learner.stop = 0, lambda: bool(stopping)

    async def away(*_):
        raise cluster.nats.errors.ConnectionClosedError

    learner.bus.put = learner.bus.prepare = away
    threading.Timer(1.0, lambda: stopping.append(1)).start()
    began = time.monotonic()
    learner.publish(torch.nn.Linear(1, 1))
    assert 0.9 < time.monotonic() - began < 5 and not learner.nets


def test_an_address_hides_its_password():
    server = cluster.Server("nats://lab:se%40cret@localhost:4222")
    assert server.public() == "nats://localhost:4222"
    assert server.options() == {"servers": "nats://localhost:4222", "user": "lab", "password": "se@cret"}
    assert "user" not in cluster.Server("nats://localhost:4222").options()


@pytest.mark.parametrize("command", [["player"], ["__main__", "pylos", "--out", "run"]], ids=["player", "learner"])
def test_a_server_that_is_not_there_is_a_sentence(command, tmp_path, monkeypatch):
    monkeypatch.setenv("QUINTET_CLUSTER", "nats://lab:secret@127.0.0.1:9")
    module, *rest = command
    ended = subprocess.run([sys.executable, "-m", f"quintet.zero.{module}", *rest], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1 and len(ended.stderr.splitlines()) == 1, ended.stderr
    assert "cannot connect to nats://127.0.0.1:9" in ended.stderr and "secret" not in ended.stderr
