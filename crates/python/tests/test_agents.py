import os
import pickle
import signal
import sys
import threading
import time

import pytest

import quintet


@pytest.fixture
def start():
    return quintet.load("pylos").start()


def test_the_same_seed_gives_the_same_choice(start):
    choices = [quintet.agent("mcts", seed=7).think(start, visits=300) for _ in range(2)]
    assert choices[0].move == choices[1].move and choices[0].value == choices[1].value
    choice = choices[0]
    assert choice.nodes == 300 and choice.line[0] == choice.move and choice.move in repr(choice)
    assert choice.proven is None and choice.distance is None and 0 <= sum(choice.chances) <= 1.0001 and choice.elapsed >= 0
    agent = quintet.agent("mcts", game=start.game, seed=7)
    first = agent.think(start, visits=300)
    agent.reset()
    assert agent.think(start, visits=300).value == first.value == choice.value
    twin = pickle.loads(pickle.dumps(choice))
    assert all(getattr(twin, name) == getattr(choice, name) for name in dir(choice) if not name.startswith("_"))
    again = pickle.loads(pickle.dumps(agent))
    assert (again.spec, again.seed) == ("mcts", 7) and again.think(start, visits=300).value == first.value


def test_one_agent_plays_several_games():
    agent = quintet.agent("level:2")
    for name in quintet.games():
        state = quintet.load(name).start()
        assert agent.think(state).move in state.legal_moves()


def test_proofs():
    state = quintet.load("pentago").from_text("xxxx../oooo../....../....../....../...... x")
    choice = quintet.agent("pentago:exact").think(state, time=5.0)
    assert choice.proven == "win" and "proven win" in repr(choice)
    state = quintet.load("pylos").start()
    state.play("1b2")
    choice = quintet.agent("pylos:perfect").think(state)
    assert (choice.proven, choice.distance) == ("win", 39) and "proven win in 39" in repr(choice)


def test_what_is_wrong_is_said(start):
    with pytest.raises(ValueError, match="nobody"):
        quintet.agent("nobody", game="pylos")
    with pytest.raises(ValueError, match="plays pentago, not pylos"):
        quintet.agent("pentago:exact").think(start)
    with pytest.raises(ValueError, match="seconds"):
        quintet.agent("random").think(start, time=-1.0)
    for limit in ["nodes", "depth", "visits"]:
        for bad in [-1, 10**30]:
            for think in [quintet.agent("random").think, lambda state, **limits: quintet.match("pylos", "random", "random", **limits)]:
                with pytest.raises(ValueError, match=f"^{limit} is {bad}: it must be from 0 to "):
                    think(start, **{limit: bad})
    for bad in [-1, 10**30]:
        with pytest.raises(ValueError, match=f"^seed is {bad}: it must be from 0 to 18446744073709551615.$"):
            quintet.agent("mcts", seed=bad)
        with pytest.raises(ValueError, match=f"^nodes is {bad}: "):
            quintet.solve(start, nodes=bad)
    assert quintet.agent("mcts", seed=2**64 - 1).seed == 2**64 - 1
    over = quintet.load("pathwayz(rows=2,cols=2)").start()
    while not over.is_over():
        over.play(over.legal_actions()[0])
    with pytest.raises(ValueError, match="the game is over"):
        quintet.agent("random").think(over)


def test_named_agents():
    names = [entry["name"] for entry in quintet.agents()]
    assert "pathwayz:beam" in names and len(names) == len(set(names))
    assert {entry["game"] for entry in quintet.agents("twixt")} == {"twixt"}


def test_reports_reach_the_callback(start):
    reports = []
    choice = quintet.agent("pvs(eval=difference)").think(start, depth=3, on_report=reports.append)
    assert [report.depth for report in reports] == [1, 2, 3]
    assert reports[-1].line[0] == choice.move and reports[-1].moves[0][0] == choice.move
    assert reports[-1].nodes <= choice.nodes and "depth 3" in repr(reports[-1]) and reports[-1].priors == []
    quintet.agent("puct(eval=difference)").think(start, visits=100, on_report=reports.append)
    assert len(reports[-1].priors) == len(reports[-1].moves) and sum(reports[-1].priors) == pytest.approx(1.0)


def test_live_reports_come_between_depths(start):
    reports = []

    def hear(report):
        reports.append(report)
        if len(reports) == 5:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        quintet.agent("mcts").think(start, time=60.0, on_report=hear, every=0.01)
    visits = [sum(visits or 0 for _, _, visits in report.moves) for report in reports]
    assert visits == sorted(visits) and visits[-1] > 0


def test_other_threads_run_and_the_agent_is_busy(start):
    agent = quintet.agent("mcts")
    counted, seen = 0, []

    def hear(report):
        if not seen:
            with pytest.raises(RuntimeError, match="thinking already"):
                agent.think(start)
            seen.append(report)
        if counted > 100:
            raise InterruptedError

    def think():
        with pytest.raises(InterruptedError):
            agent.think(start, time=60.0, on_report=hear, every=0.01)

    thinker = threading.Thread(target=think)
    thinker.start()
    while thinker.is_alive():
        counted += 1
        time.sleep(0.0001)
    assert counted > 100 and seen


@pytest.mark.parametrize(
    "work",
    [
        lambda start: quintet.agent("mcts").think(start, time=600.0),
        lambda start: quintet.agent("pvs(eval=difference)").think(start, time=600.0),
        lambda start: quintet.perft(start, 40),
        lambda start: quintet.match("pylos", "mcts(visits=2000)", "mcts(visits=2000)", games=1_000_000),
        lambda start: quintet.solve(quintet.load("twixt(size=8)").start(), time=600.0),
    ],
    ids=["tree search", "alpha-beta", "perft", "match", "solve"],
)
def test_an_interrupt_ends_it(start, work):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(start)
        timer.join()
        time.sleep(1)  # it was quicker than the interrupt
    timer.join()


def test_an_engine_that_dies_is_an_error_and_nothing_else(start, tmp_path):
    dies = tmp_path / "dies.py"
    dies.write_text("input()\nprint('ugiok', flush=True)\ninput()\nprint('readyok', flush=True)\n")
    for command in [f"{sys.executable} {dies}", "/bin/true", "/no/such/program"]:
        agent = quintet.agent(f'ugi(cmd="{command}")')
        with pytest.raises(RuntimeError, match="engine fault"):
            agent.think(start, time=1.0)


def test_our_own_program_as_an_engine(start):
    agent = quintet.agent(f'ugi(cmd="{sys.executable} -m quintet engine --game pylos --agent mcts")')
    assert agent.think(start, time=0.2).move in start.legal_moves()
