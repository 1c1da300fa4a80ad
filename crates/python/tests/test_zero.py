"""Training of nets. PyTorch is not installed for the tests of the package, so they are skipped unless it is there."""

import dataclasses
import json

import numpy as np
import pytest

import quintet

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from quintet.zero.net import Net, Planes  # noqa: E402
from quintet.zero.export import export  # noqa: E402
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


@pytest.mark.parametrize("spec", GAMES)
def test_an_exported_net_plays(spec, tmp_path):
    game = quintet.load(spec)
    torch.manual_seed(1)
    net = Net.for_game(game, channels=16, blocks=2).eval()
    export(net, game, tmp_path / "net.safetensors", "a test")
    agent = quintet.agent(f'puct(eval=net(weights="{tmp_path}/net.safetensors"))', game=game)
    state = game.start()
    assert agent.think(state, nodes=50).move in state.legal_moves()


def test_a_run_learns_and_goes_on(tmp_path):
    config = Config(
        ("pathwayz(rows=3,cols=4)", "pathwayz(rows=4,cols=4)"), shares=(2, 1), channels=16, blocks=1, samples=3_000, games=32, threads=2, simulations=(4, 4), window=2_000, batch=64, opening=0
    )
    lines = []
    first = Training(config, tmp_path, "cpu")
    first.run(report=lines.append)
    longer = dataclasses.replace(config, samples=6_000)
    again = Training(longer, tmp_path, "cpu")
    assert (again.samples, again.steps) == (first.samples, first.steps)
    assert [each.window.count for each in again.variants] == [each.window.count for each in first.variants]
    for mine, saved in zip(first.net.parameters(), again.net.parameters()):
        assert torch.equal(mine, saved)
    again.run(report=lines.append)
    assert again.samples >= longer.samples and again.steps > first.steps
    assert all(np.isfinite(json.loads(line)["values"]["loss/value"]) for line in lines)
    assert json.loads((tmp_path / "config.json").read_text())["recipe"] == "pathwayz:zero"
    assert sorted(path.name for path in (tmp_path / "nets").iterdir())[-1] == "100.safetensors"
    for spec in [*config.variants, "pathwayz"]:
        assert quintet.agent(f'puct(eval=net(weights="{tmp_path}/net.safetensors"))', game=spec)


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
    config = Config((game,), channels=32, blocks=2, samples=40_000, games=128, simulations=(8, 16), window=20_000, batch=256, opening=3, seed=7)
    Training(config, tmp_path, "cpu").run(report=lambda line: None)
    net = f'puct(eval=net(weights="{tmp_path}/net.safetensors"),visits=50)'
    played = quintet.match(game, net, "mcts(visits=50)", games=200, openings=2, seed=3)
    assert played.statistics().score > 0.65, played
