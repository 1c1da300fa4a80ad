from pathlib import Path

import numpy as np
import pytest
from conftest import SPECS

import quintet

TASKS = Path("/proc/self/task")


def play(game, samples, **options):
    """Samples of games whose net answers with noise that depends on the position alone."""
    engine = quintet.SelfPlay(game, **{"games": 12, "simulations": 6, "threads": 2, "seed": 5, **options})
    answers = np.random.default_rng(1).normal(size=(97, engine.game.num_actions + 1)).astype(np.float32)
    while engine.ready < samples:
        given = answers[engine.step().reshape(engine.batch, -1).sum(axis=1) % len(answers)]
        engine.answer(given[:, :-1], np.tanh(given[:, -1]))
    return engine


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "twixt(size=24)"])
@pytest.mark.parametrize("search", ["gumbel", "puct"])
def test_samples(spec, search):
    engine = play(spec, 40, search=search)
    samples = engine.take(40)
    game = engine.game
    assert len(samples) == 40 and samples.packed.shape == (40, *game.tensor_shape[1:]) and samples.packed.dtype == np.uint32
    assert samples.policies.shape == samples.legal_mask.shape == (40, game.num_actions)
    assert np.allclose(samples.policies.sum(axis=1), 1, atol=1e-4) and not samples.policies[~samples.legal_mask].any()
    assert set(samples.results.tolist()) <= {-1, 0, 1} and np.abs(samples.values).max() <= 1 and samples.moves_left.min() >= 1
    stats = engine.stats
    assert stats["games"] == sum(stats["wins"]) + stats["draws"] and stats["samples"] >= 40
    assert engine.ready == stats["samples"] - 40 and "SelfPlay" in repr(engine) and "40" in repr(samples)


def test_the_number_of_threads_changes_nothing():
    one, four = (play("pylos", 100, threads=threads).take(100) for threads in (1, 4))
    for name in ["packed", "policies", "legal_mask", "results", "values", "moves_left"]:
        assert np.array_equal(getattr(one, name), getattr(four, name))
    other = play("pylos", 100, seed=6).take(100)
    assert not np.array_equal(one.packed, other.packed)


@pytest.mark.parametrize(("spec", "pieces"), [("pentago", 20), ("pathwayz(rows=3,cols=4)", 4), ("twixt(size=6)", 8)])
def test_solvers_end_games_early(spec, pieces):
    played = [play(spec, 200, solve_from=solve_from).stats for solve_from in (None, pieces)]
    long, short = (stats["moves"] / stats["games"] for stats in played)
    assert short < long


def test_games_begin_with_random_moves():
    def first_words(opening):
        return quintet.SelfPlay("twixt(size=8)", games=64, opening=opening, threads=1).step()

    assert len({position.tobytes() for position in first_words(0)}) == 1
    assert len({position.tobytes() for position in first_words(6)}) > 40


@pytest.mark.skipif(not TASKS.exists(), reason="this system does not list the threads of a process")
def test_there_are_no_more_threads_than_games():
    before = len(list(TASKS.iterdir()))
    engine = quintet.SelfPlay("pentago", games=2, threads=200)
    assert len(list(TASKS.iterdir())) <= before + 4 and engine.batch == 2


def test_options():
    engine = play("twixt(size=5)", 60, fast=(0.75, 2), opening=0, most_moves=8, resign=-0.9, symmetries=False, width=4)
    assert engine.stats["moves"] <= 8 * engine.stats["games"]
    assert engine.stats["samples"] < engine.stats["moves"]
    buffer = np.zeros((12, 5, 5), np.uint32)
    assert engine.step(out=buffer) is buffer and buffer.any()


def test_what_is_wrong_is_said():
    for options, sentence in [
        ({"search": "guess"}, "gumbel"),
        ({"games": 0}, "games is 0"),
        ({"simulations": 0}, "simulations is 0"),
        ({"search": "puct", "noise": 2.0}, "noise is 2"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            quintet.SelfPlay("pylos", **options)
    ranges = {
        "games": (1, 2**20),
        "simulations": (1, 2**20),
        "width": (1, 2**16),
        "opening": (0, 2**32 - 1),
        "most_moves": (1, 2**32 - 1),
        "solve_from": (0, 2**32 - 1),
        "solve_nodes": (0, 2**64 - 1),
        "threads": (0, 1024),
        "seed": (0, 2**64 - 1),
        "considered": (1, 2**16),
        "drawn_moves": (0, 2**32 - 1),
    }
    for option, (least, most) in ranges.items():
        for bad in [-1, most + 1, 10**30]:
            with pytest.raises(ValueError, match=f"^{option} is {bad}: it must be from {least} to {most}.$"):
                quintet.SelfPlay("pylos", **{option: bad})
    with pytest.raises(ValueError, match="^fast simulations is -1: "):
        quintet.SelfPlay("pylos", fast=(0.5, -1))
    engine = quintet.SelfPlay("pentago", games=2, threads=1)
    with pytest.raises(ValueError, match="^most is -1: "):
        engine.take(-1)
    logits, values = np.zeros((2, 324), np.float32), np.zeros(2, np.float32)
    with pytest.raises(ValueError, match="step first"):
        engine.answer(logits, values)
    engine.step()
    engine.step()
    with pytest.raises(ValueError, match="two batches wait"):
        engine.step()
    engine.answer(logits, values)
    for bad in [(logits[:1], values), (logits, values[:1]), (logits, values + 2), (logits, values * np.nan)]:
        with pytest.raises(ValueError):
            engine.answer(*bad)
    engine.answer(logits, values)
    for out in [np.zeros((2, 6, 7), np.uint32), np.zeros((2, 6, 12), np.uint32)[:, :, ::2]]:
        with pytest.raises(ValueError):
            engine.step(out=out)
