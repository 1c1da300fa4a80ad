import numpy as np
import pytest

import quintet


def test_steps_are_those_of_states(spec):
    env = quintet.VectorEnv(spec, 5, seed=3)
    game = env.game
    states = [game.start() for _ in range(5)]
    step = env.reset()
    for _ in range(150):
        for number, state in enumerate(states):
            assert np.array_equal(step.observation[number], state.tensor())
            assert np.array_equal(step.legal_mask[number], state.legal_mask())
            assert step.to_move[number] == state.to_move
        actions = env.sample()
        step = env.step(actions)
        for number, (state, action) in enumerate(zip(states, actions)):
            state.play(action)
            assert step.done[number] == state.is_over()
            assert tuple(step.rewards[number]) == state.returns()
            if state.is_over():
                states[number] = game.start()


def test_threads_and_packing_change_nothing():
    single, many = (quintet.VectorEnv("pylos", 37, seed=9, threads=threads, packed=threads > 1) for threads in (1, 3))
    for _ in range(100):
        actions = single.sample()
        assert np.array_equal(actions, many.sample())
        a, b = single.step(actions), many.step(actions)
        assert np.array_equal(a.observation, single.game.unpack(b.observation))
        for name in ["legal_mask", "to_move", "rewards", "done"]:
            assert np.array_equal(getattr(a, name), getattr(b, name))


def test_arrays_stay_as_they_were():
    env = quintet.VectorEnv("pentago", 2)
    first = env.reset()
    seen = first.observation.copy()
    env.step(env.sample())
    assert np.array_equal(first.observation, seen)
    assert first.observation.dtype == np.float32 and first.rewards.shape == (2, 2) and first.to_move.dtype == np.int8


def test_long_games_are_draws():
    env = quintet.VectorEnv("pentago", 4, max_plies=3)
    done = np.array([env.step(env.sample()).done for _ in range(6)])
    assert done.tolist() == [[False] * 4, [False] * 4, [True] * 4] * 2


def test_seeds_begin_again():
    env = quintet.VectorEnv("twixt(size=8)", 16, seed=4)
    first = [env.step(env.sample()).observation for _ in range(5)]
    env.reset(seed=4)
    assert all(np.array_equal(env.step(env.sample()).observation, seen) for seen in first)


def test_a_bad_action_changes_nothing():
    env = quintet.VectorEnv("pentago", 3)
    before = env.reset()
    for bad, sentence in [([36, 36, 0], "game 2: action 0"), ([36, -1, 36], "game 1"), ([999, 36, 36], "game 0")]:
        with pytest.raises(quintet.IllegalMove, match=sentence):
            env.step(bad)
    with pytest.raises(ValueError, match="3 games, but 2 actions"):
        env.step([36, 36])
    after = env.step(np.array([36, 37, 38], np.int16))
    marbles = after.observation[:, :2].sum(axis=(1, 2, 3))
    assert marbles.tolist() == [1, 1, 1] and not before.observation[:, :2].any()
    assert len(env) == 3 and "3 games" in repr(env)
    with pytest.raises(quintet.IllegalMove, match="beyond all actions"):
        env.step([36, 10**30, 36])


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="is not a game"):
        quintet.VectorEnv("chess", 3)
    for bad in [0, -1, 10**18, 10**30]:
        with pytest.raises(ValueError, match=f"^n is {bad}: it must be from 1 to 1048576.$"):
            quintet.VectorEnv("twixt", bad)
        with pytest.raises(ValueError, match=f"^threads is {bad}: it must be from 1 to 1024.$"):
            quintet.VectorEnv("pentago", 2, threads=bad)
    for option, least, most in [("max_plies", 1, 2**32 - 1), ("seed", 0, 2**64 - 1)]:
        for bad in [-1, 10**30]:
            with pytest.raises(ValueError, match=f"^{option} is {bad}: it must be from {least} to {most}.$"):
                quintet.VectorEnv("pentago", 2, **{option: bad})
    env = quintet.VectorEnv("pentago", 3, threads=1024)
    with pytest.raises(ValueError, match="^seed is -1: "):
        env.reset(seed=-1)
    assert env.step(env.sample()).done.shape == (3,)
