import pickle
import random
import subprocess
import sys

import pytest
from pettingzoo.test import api_test, seed_test

import quintet.pettingzoo


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_api(spec):
    api_test(quintet.pettingzoo.env(spec), num_cycles=60)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_seeds(spec):
    seed_test(lambda: quintet.pettingzoo.env(spec), num_cycles=60)


def test_each_agent_sees_its_own_side():
    env = quintet.pettingzoo.raw_env("pentago")
    env.reset()
    env.step(36)
    first, second = (env.observe(agent) for agent in env.possible_agents)
    names = [name for name, _, _ in env.game.planes]
    own, opponent = names.index("own"), names.index("opponent")
    assert first["observation"][own].sum() == 1 == second["observation"][opponent].sum()
    assert (first["observation"][own] == second["observation"][opponent]).all()
    assert first["action_mask"].sum() == 0 < second["action_mask"].sum()


def test_a_game_ends_with_rewards():
    env = quintet.pettingzoo.env("pentago", render_mode="ansi")
    env.reset(options={"position": "xxxx../oooo../....../....../....../...... x"})
    env.step(4)
    assert env.rewards == {"player_0": 1, "player_1": -1} and all(env.terminations.values())
    assert "won" in env.render() or "five" in env.render()


def test_a_move_of_several_actions():
    env = quintet.pettingzoo.env("pylos")
    env.reset(options={"position": "LL..L......DDD../........./..../. l"})
    env.step(5)
    assert env.agent_selection == "player_0"
    env.step(0)
    env.step(303)
    assert env.agent_selection == "player_1"


def test_illegal_actions_lose():
    env = quintet.pettingzoo.env("pentago")
    env.reset()
    env.step(0)
    assert env.rewards["player_0"] == -1


def test_pickles_and_pictures():
    env = pickle.loads(pickle.dumps(quintet.pettingzoo.raw_env("twixt(size=8)", render_mode="svg")))
    env.reset()
    assert env.render().startswith("<svg") and env.metadata["name"] == "twixt_v0"
    with pytest.raises(ValueError, match="render_mode"):
        quintet.pettingzoo.raw_env("pylos", render_mode="film")


def test_a_game_on_the_largest_board_comes_to_its_end():
    env = quintet.pettingzoo.env("twixt(size=24)")
    env.reset()
    rng = random.Random(1)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        env.step(rng.choice(observation["action_mask"].nonzero()[0]))
    board = env.unwrapped.board
    assert board.is_over() and board.plies > 100 and env.agents == []
    assert sorted(board.returns()) in ([-1, 1], [0, 0])


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_what_is_missing_is_said(missing):
    program = f"import sys; sys.modules[{missing!r}] = None; import quintet.pettingzoo"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == (
        f"ModuleNotFoundError: quintet.pettingzoo needs PettingZoo and Gymnasium, but {missing} is missing: pip install pettingzoo gymnasium"
    )
