"""Training of nets. PyTorch is not installed for the tests of the package, so they are skipped unless it is there."""

import dataclasses
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import quintet

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from quintet.zero.net import Net, Planes, settle  # noqa: E402
from quintet.zero.export import export, read, tensors_of  # noqa: E402
from quintet.zero.tiny import Tiny, chosen_planes, export_tiny, teach  # noqa: E402
from quintet.zero.train import Config, Training, Window  # noqa: E402

GAMES = ["pathwayz(rows=3,cols=4)", "pylos", "twixt(size=6)", "pentago", "pentago-twist"]


@pytest.mark.parametrize("spec", GAMES)
def test_planes_are_those_of_the_library(spec):
    game = quintet.load(spec)
    state, words = game.start(), []
    rng = np.random.default_rng(1)
    while not state.is_over() and len(words) < 40:
        words.append(state.packed())
        state.play(str(rng.choice(state.legal_moves())))
    words = np.stack(words)
    planes = Planes(game, "cpu")(torch.from_numpy(words.view(np.int32)))
    assert np.array_equal(planes.numpy(), game.unpack(words))


@pytest.mark.parametrize("spec", ["twixt(size=8)", "pylos"])
def test_the_example_of_the_documentation(spec):
    text = (Path(__file__).parent.parent / "README.md").read_text()
    example = next(block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "SelfPlay" in block)
    for large, small in [("twixt(size=12)", spec), ("games=1024", "games=16"), ("simulations=24", "simulations=4"), ("100_000", "50")]:
        assert large in example
        example = example.replace(large, small)
    names = {}
    exec(example, names)
    assert len(names["samples"]) >= 50


@pytest.mark.parametrize("spec", GAMES)
def test_an_exported_net_plays(spec, tmp_path):
    game = quintet.load(spec)
    torch.manual_seed(1)
    net = Net.for_game(game, channels=16, blocks=2).eval()
    export(net, game, tmp_path / "net.safetensors", "a test")
    agent = quintet.agent(f'puct(eval=net(weights="{tmp_path}/net.safetensors"))', game=game)
    state = game.start()
    assert agent.think(state, nodes=50).move in state.legal_moves()


@pytest.mark.parametrize("spec", GAMES)
def test_an_exported_net_is_read_again(spec, tmp_path):
    game = quintet.load(spec)
    torch.manual_seed(1)
    net = Net.for_game(game, channels=16, blocks=2)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.randn_like(parameter) / 4)
    planes = (torch.rand(32, net.planes, *game.tensor_shape[1:]) < 0.3).float()
    net.train()(planes)
    net.eval().round_weights()
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    export(net, game, first, "a test")
    again = read(first, game).eval()
    again.round_weights()
    close = lambda one, other: all(torch.allclose(x, y, atol=1e-3, rtol=1e-3) for x, y in zip(one[:2], other[:2]))
    with torch.no_grad():
        assert close(again(planes), net(planes))
        again.round_weights(False)
        before = again(planes)
        settle(again, planes)
        assert close(again(planes), before)
        # Learning reads these positions as playing does.
        assert close(again.train()(planes), before)
        again.eval()
    export(again, game, second, "a test")
    for name, tensor in tensors_of(first.read_bytes())[0].items():
        other = tensors_of(second.read_bytes())[0][name]
        # The statistics of the normalisations have moved since, and a negative scale of one may stand in the weights before it.
        assert tensor.dtype != torch.int8 or torch.equal(tensor.abs(), other.abs()), name
    other = next(other for other in GAMES if quintet.load(other).name != game.name)
    with pytest.raises(ValueError, match="is not a net of this version for"):
        read(first, quintet.load(other))


def test_a_training_begins_with_a_net(tmp_path):
    board = "pathwayz(rows=3,cols=4)"
    game, start = quintet.load(board), tmp_path / "start.safetensors"
    torch.manual_seed(1)
    export(Net.for_game(game, channels=16, blocks=1), game, start, "a test")
    config = Config((board,), start=str(start), samples=1_500, games=32, threads=1, simulations=(4, 4), window=2_000, batch=64, opening=0, duels=4)
    training = Training(config, tmp_path / "run", "cpu")
    assert training.main.net.channels == 16 and not training.main.settled
    training.run(report=lambda line: None)
    assert training.main.settled and Training(config, tmp_path / "run", "cpu").main.settled
    assert (tmp_path / "run" / "nets" / "000.safetensors").read_bytes() == start.read_bytes()
    made = tensors_of((tmp_path / "run" / "net.safetensors").read_bytes())[1]["made"]
    assert made.endswith("; begun with the net of a test"), made


def test_a_run_learns_and_goes_on(tmp_path):
    config = Config(
        ("pathwayz(rows=3,cols=4)", "pathwayz(rows=4,cols=4)"), shares=(2, 1), channels=16, blocks=1, samples=3_000, games=32, threads=2, simulations=(4, 4), window=2_000, batch=64, opening=0, duels=4
    )
    lines = []
    first = Training(config, tmp_path, "cpu")
    first.run(report=lines.append)
    longer = dataclasses.replace(config, samples=6_000)
    again = Training(longer, tmp_path, "cpu")
    assert (again.samples, again.main.steps) == (first.samples, first.main.steps)
    assert [each.window.count for each in again.variants] == [each.window.count for each in first.variants]
    for mine, saved in zip(first.main.net.parameters(), again.main.net.parameters()):
        assert torch.equal(mine, saved)
    again.run(report=lines.append)
    assert again.samples >= longer.samples and again.main.steps > first.main.steps
    values = [json.loads(line)["values"] for line in lines]
    assert all(np.isfinite(number) for one in values for number in one.values()) and any("loss/value" in one for one in values)
    assert json.loads((tmp_path / "config.json").read_text())["recipe"] == "pathwayz:zero"
    assert sorted(path.name for path in (tmp_path / "nets").iterdir())[-1] == "100.safetensors"
    for spec in [*config.variants, "pathwayz"]:
        assert quintet.agent(f'puct(eval=net(weights="{tmp_path}/net.safetensors"))', game=spec)


def test_students_learn_beside_the_net_that_plays(tmp_path):
    board = "pathwayz(rows=3,cols=4)"
    game, start = quintet.load(board), tmp_path / "start.safetensors"
    torch.manual_seed(1)
    export(Net.for_game(game, channels=16, blocks=1), game, start, "a test")
    config = Config((board,), start=str(start), samples=3_000, games=32, threads=1, simulations=(4, 4), window=2_000, batch=64, opening=0, duels=0)
    lines, folder = [], tmp_path / "taught"
    # The second student comes when half is learned.
    taught = Training(dataclasses.replace(config, samples=1_500, students=("2x16",)), folder, "cpu")
    taught.run(report=lines.append)
    more = dataclasses.replace(config, students=("2x16", "1x32"))
    again = Training(more, folder, "cpu")
    before, new = again.students["2x16"], again.students["1x32"]
    assert before.steps == again.main.steps == taught.main.steps > 0 and new.steps == 0
    for mine, saved in zip(taught.students["2x16"].average.parameters(), before.average.parameters()):
        assert torch.equal(mine, saved)
    assert [state.from_scratch for state in (again.main, before, new)] == [False, True, True]
    again.run(report=lines.append)
    assert before.steps == again.main.steps > new.steps > 0 and before.net.rounded and new.net.rounded
    losses = [json.loads(line)["values"]["loss/value 2x16"] for line in lines]
    assert losses[-1] < losses[0] and "loss/policy 1x32" in json.loads(lines[-1])["values"]
    for student, (blocks, channels) in {"2x16": (2, 16), "1x32": (1, 32)}.items():
        path = folder / f"net-{student}.safetensors"
        net = read(path, game)
        assert (len(net.blocks), net.channels) == (blocks, channels)
        assert quintet.agent(f'puct(eval=net(weights="{path}"))', game=board)
    # The net that plays is what it would be without students.
    without = Training(dataclasses.replace(config, samples=1_500), tmp_path / "without", "cpu")
    without.run(report=lambda line: None)
    for mine, other in zip(taught.main.average.parameters(), without.main.average.parameters()):
        assert torch.equal(mine, other)
    with pytest.raises(ValueError, match="a student is BLOCKSxCHANNELS"):
        Training(dataclasses.replace(config, students=("32",)), tmp_path / "wrong", "cpu")


def test_a_checkpoint_without_students_is_read(tmp_path):
    config = Config(("pathwayz(rows=3,cols=4)",), channels=16, blocks=1, samples=1_000, games=32, threads=1, simulations=(4, 4), window=2_000, batch=64, duels=0)
    first = Training(config, tmp_path, "cpu")
    first.run(report=lambda line: None)
    state = torch.load(first.checkpoint, **({} if torch.__version__.startswith("1.") else {"weights_only": False}))
    # As written before there were students, and nets to begin with.
    del state["students"], state["settled"]
    torch.save(state, first.checkpoint)
    again = Training(dataclasses.replace(config, students=("1x32",)), tmp_path, "cpu")
    assert again.main.steps == first.main.steps > 0 and again.main.settled and again.students["1x32"].steps == 0


@pytest.mark.parametrize("spec", ["pathwayz(rows=3,cols=4)", "pylos", "twixt(size=6)", "pentago", "pentago-twist"])
def test_a_tiny_net_plays_as_it_was_trained(spec, tmp_path):
    game, path = quintet.load(spec), tmp_path / "tiny.safetensors"
    rng = np.random.default_rng(1)
    play = quintet.SelfPlay(spec, games=64, simulations=2)
    for _ in range(20):
        words = torch.from_numpy(play.step().view(np.int32))
        play.answer(np.zeros((64, game.num_actions), np.float32), np.zeros(64, np.float32))
    planes = Planes(game, "cpu")
    torch.manual_seed(1)
    _, rows, columns = game.tensor_shape
    net = Tiny(chosen_planes(game, words), rows * columns, width=32, hidden=8)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(std=0.3)
    export_tiny(net, game, path, "a test")
    net.rounded = True
    agent = quintet.agent(f'pvs(eval=tiny(weights="{path}"))', game=game)
    state, values = game.start(), set()
    for _ in range(6):
        children = []
        for move in state.legal_moves():
            children.append(state.copy())
            children[-1].play(move)
        if any(child.is_over() for child in children):
            break
        with torch.no_grad():
            packed = np.stack([child.packed() for child in children])
            answers = net(planes(torch.from_numpy(packed.view(np.int32)))[:, net.chosen])
        mine = [child.to_move == state.to_move for child in children]
        best = max(float(answer) if same else -float(answer) for answer, same in zip(answers.double(), mine))
        # Values are multiples of 1/8128, which floats of 32 bits tell apart but do not have.
        assert round(8128 * agent.think(state, depth=1).value) == round(8128 * best)
        values.add(best)
        state.play(str(rng.choice(state.legal_moves())))
    assert len(values) > 3


def test_a_tiny_net_is_taught(tmp_path):
    spec, teacher, path = "pathwayz(rows=3,cols=4)", tmp_path / "net.safetensors", tmp_path / "tiny.safetensors"
    game = quintet.load(spec)
    torch.manual_seed(1)
    export(Net.for_game(game, channels=16, blocks=1), game, teacher, "a test")
    lines = []
    config = Config((spec,), games=32, threads=1, simulations=(4, 4), opening=4, window=2_000, batch=128, reuse=4.0)
    nets = teach(spec, str(teacher), path, 0.05, ("32x8", "64x1"), config, "cpu", lines.append)
    assert [net.rounded for net in nets] == [True, True] and "(64x1)" in lines[-1]
    names = {game.planes[number][0] for number in nets[0].chosen}
    assert {"own", "opponent", "own permanent"} <= names and not {"empty", "left column", "right column"} & names
    for size in ["32x8", "64x1"]:
        path = tmp_path / f"tiny-{size}.safetensors"
        played = quintet.match(spec, f'pvs(eval=tiny(weights="{path}"),depth=1)', "random", games=40, seed=1)
        assert played.statistics().score > 0.6, played
    with pytest.raises(ValueError, match="a size is WIDTHxHIDDEN"):
        teach(spec, str(teacher), path, 0.05, ("20x8",), config, "cpu")


def test_a_killed_run_goes_on_from_its_last_checkpoint(tmp_path):
    board = "pathwayz(rows=3,cols=4)"
    options = "--samples 4000 --channels 16 --blocks 1 --games 32 --threads 1 --simulations 4 4 --window 2000 --batch 64 --opening 0 --duels 10 --checkpoints 0.005"
    command = [sys.executable, "-m", "quintet.zero", board, "--out", str(tmp_path), "--device", "cpu", *options.split()]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not (tmp_path / "checkpoint.pt").exists():
        assert killed.poll() is None
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    # As if the run had written more than it has kept, and had been cut off while it wrote.
    with open(tmp_path / "metrics.jsonl", "a") as file:
        file.write('{"at": 1000000, "values": {}}\n{"at": 10')
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    lines = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    at = [line["at"] for line in lines]
    assert at == sorted(at) and 4000 <= at[-1] < 1_000_000
    # Every tenth after the first has its duel with the one before.
    duels = [name for line in lines for name in line["values"] if name.startswith("Elo of the policy")]
    assert len(duels) >= 8


def test_a_run_that_is_asked_to_stop_is_kept(tmp_path):
    board = "pathwayz(rows=3,cols=4)"
    command = [sys.executable, "-m", "quintet.zero", board, "--out", str(tmp_path), "--device", "cpu", "--games", "32", "--batch", "64", "--duels", "0"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline().startswith("{")
    run.send_signal(signal.SIGTERM)
    assert "stopped; what was learned is kept" in run.communicate(timeout=60)[0]
    assert run.returncode == 0 and (tmp_path / "checkpoint.pt").exists()


def test_a_checkpoint_is_small_enough_to_carry(tmp_path):
    # The most that is kept of 24x24, the largest of the boards, in numbers without any pattern but for one: most actions have no share.
    game = quintet.load("twixt(size=24)")
    rng = np.random.default_rng(1)
    window = Window(game, 1000, "cpu")
    policies = np.zeros((1000, game.num_actions), np.float16)
    policies[np.arange(1000).repeat(16), rng.integers(0, game.num_actions, 16_000)] = 1 / 16
    words = rng.integers(0, 2**20, (1000, 24, 24), dtype=np.int32) * (rng.random((1000, 24, 24)) < 0.1)
    window.put(words, policies, np.ones((1000, 3), np.float16), np.ones(1000, np.float16))
    packed = sum(len(data) for _, _, data in window.state(1000).values())
    assert 100 * packed < 45 << 20


def test_a_window_survives(tmp_path):
    game = quintet.load("pathwayz(rows=2,cols=3)")
    play = quintet.SelfPlay("pathwayz(rows=2,cols=3)", games=16, simulations=4)
    while play.ready < 200:
        play.step()
        play.answer(np.zeros((16, 12), np.float32), np.zeros(16, np.float32))
    window = Window(game, 150, "cpu")
    window.add(play.take(200), 0.25)
    other = Window(game, 150, "cpu")
    other.restore(window.state(1000))
    assert other.count == 150
    assert torch.equal(torch.sort(window.left).values, torch.sort(other.left).values)
    drawn = other.draw(64, torch.Generator().manual_seed(1))
    sums = drawn[1].float().clamp(min=0).sum(1)
    assert torch.allclose(sums, torch.ones(64), atol=0.01)


def test_two_minutes_of_training_beat_plain_search(tmp_path):
    game = "pathwayz(rows=3,cols=4)"
    config = Config((game,), channels=32, blocks=2, samples=40_000, games=128, simulations=(8, 16), window=20_000, batch=256, opening=3, duels=0, seed=7)
    Training(config, tmp_path, "cpu").run(report=lambda line: None)
    net = f'puct(eval=net(weights="{tmp_path}/net.safetensors"),visits=50)'
    played = quintet.match(game, net, "mcts(visits=50)", games=200, openings=2, seed=3)
    assert played.statistics().score > 0.65, played
