#!/usr/bin/env python3
"""Compare the speed of the Python package quintet with OpenSpiel and pgx, side by side on one core.

  python3 bench/compare_python.py                        install the peers, build and install the wheel, measure, print tables
  python3 bench/compare_python.py --wheel FILE           with a wheel that is built already
  python3 bench/compare_python.py --only random mcts     some of the tables: random, mcts, steps, self-play
  python3 bench/compare_python.py --rounds 5 --seconds 4

Everything is counted per second of CPU time, on one core; only self-play is counted by the clock too, with two threads. The engines take turns, each
measurement in a process of its own. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

PEERS = ["open_spiel==2.0.2", "pgx==2.6.0"]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = HERE / ".venv"

# Each row: our game, and the peer's.
RANDOM = [
    ("pentago(rules=turn-first)", "pentago(ansi_color_output=false)"),
    ("twixt(size=8,swap=turn)", "twixt(board_size=8,ansi_color_output=false)"),
    ("twixt(size=12,swap=turn)", "twixt(board_size=12,ansi_color_output=false)"),
    ("twixt(size=24,swap=turn)", "twixt(board_size=24,ansi_color_output=false)"),
]
STEPS = ["pathwayz", "pylos", "twixt(size=8)", "twixt(size=12)", "twixt(size=24)", "pentago-twist", "pentago"]
PGX_STEPS = ["tic_tac_toe", "connect_four", "othello", "hex", "go_9x9"]
GAMES_AT_ONCE = 1024
TABLES = ["random", "mcts", "steps", "self-play"]


# What is measured, each in a process of its own: (game, seconds) -> things done, CPU seconds, seconds by the clock.

Measured = tuple[int, float, float]


def timed(seconds: float, once: Callable[[], int]) -> Measured:
    """Does it again and again for about this many seconds of CPU time."""
    once()
    count, start, clock = 0, time.process_time(), time.perf_counter()
    while (used := time.process_time() - start) < seconds:
        count += once()
    return count, used, time.perf_counter() - clock


def random_quintet(game: str, seconds: float) -> Measured:
    import quintet

    rules, choose = quintet.load(game), random.Random(1).choice

    def once() -> int:
        state = rules.start()
        while actions := state.legal_actions():
            state.play(choose(actions))
        return 1

    return timed(seconds, once)


def random_openspiel(game: str, seconds: float) -> Measured:
    import pyspiel

    rules, choose = pyspiel.load_game(game), random.Random(1).choice

    def once() -> int:
        state = rules.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
        return 1

    return timed(seconds, once)


def search(game, seconds: float) -> Measured:
    """Simulations of OpenSpiel's tree search in Python, with an evaluator in Python that knows nothing and costs nothing."""
    import numpy as np
    from open_spiel.python.algorithms import mcts

    class Nothing(mcts.Evaluator):
        def evaluate(self, state):
            return np.zeros(2)

        def prior(self, state):
            actions = state.legal_actions()
            return [(action, 1 / len(actions)) for action in actions]

    simulations = 200
    bot = mcts.MCTSBot(game, 1.4, simulations, Nothing(), random_state=np.random.RandomState(1), child_selection_fn=mcts.SearchNode.puct_value)

    def once() -> int:
        bot.mcts_search(game.new_initial_state())
        return simulations

    return timed(seconds, once)


def mcts_quintet(game: str, seconds: float) -> Measured:
    import quintet.openspiel

    return search(quintet.openspiel.load_game(game), seconds)


def mcts_openspiel(game: str, seconds: float) -> Measured:
    import pyspiel

    return search(pyspiel.load_game(game), seconds)


def steps_quintet(game: str, seconds: float) -> Measured:
    import quintet

    env = quintet.VectorEnv(game, GAMES_AT_ONCE, seed=1)
    env.reset()

    def once() -> int:
        env.step(env.sample())
        return GAMES_AT_ONCE

    return timed(seconds, once)


def packed_quintet(game: str, seconds: float) -> Measured:
    import quintet

    env = quintet.VectorEnv(game, GAMES_AT_ONCE, seed=1, packed=True)
    env.reset()

    def once() -> int:
        env.step(env.sample())
        return GAMES_AT_ONCE

    return timed(seconds, once)


def selfplay_quintet(game: str, seconds: float, threads: int = 1) -> Measured:
    """Positions that the trees ask for. The answers are the same each time and look like those of a net, so that the evaluator costs nothing.
    Positions are copied into a NumPy array, logits and values out of NumPy arrays, and finished samples are taken."""
    import numpy as np
    import quintet

    play = quintet.SelfPlay(game, games=GAMES_AT_ONCE, simulations=24, threads=threads, seed=1)
    rng = np.random.default_rng(1)
    shape = (play.batch, play.game.num_actions)
    logits = (6 * rng.random(shape) * rng.random(shape)).astype(np.float32)
    values = (0.6 * rng.random(play.batch) - 0.3).astype(np.float32)
    words = np.zeros((play.batch, *play.game.tensor_shape[1:]), np.uint32)

    def once() -> int:
        for _ in range(50):
            play.step(out=words)
            play.answer(logits, values)
        play.take()
        return 50 * play.batch

    return timed(seconds, once)


def selfplay2_quintet(game: str, seconds: float) -> Measured:
    return selfplay_quintet(game, seconds, threads=2)


def steps_pgx(game: str, seconds: float) -> Measured:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(game)
    step = auto_reset(env.step, env.init)

    @jax.jit
    def act(state, key):
        key, draw, again = jax.random.split(key, 3)
        action = jax.random.categorical(draw, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return jax.vmap(step)(state, action, jax.random.split(again, GAMES_AT_ONCE)), key

    held = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES_AT_ONCE)), jax.random.PRNGKey(2)]

    def once() -> int:
        held[:] = act(*held)
        held[0].observation.block_until_ready()
        return GAMES_AT_ONCE

    return timed(seconds, once)


MEASURES = {measure.__name__: measure for measure in [random_quintet, random_openspiel, mcts_quintet, mcts_openspiel, steps_quintet, packed_quintet, selfplay_quintet, selfplay2_quintet, steps_pgx]}
#: Those that are not bound to one core.
MANY_CORES = ["selfplay2_quintet"]


# The tables.


def measured(python: Path, measure: str, game: str, seconds: float) -> tuple[float, float]:
    """Things done per second of CPU time and by the clock, measured in a process of its own."""
    command = [str(python), __file__, "--measure", measure, game, "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
    if done.returncode:
        raise SystemExit(f"{measure} of {game} could not be measured:\n{done.stderr[-2000:]}")
    count, used, clock = json.loads(done.stdout.splitlines()[-1])
    return count / used, count / clock


def table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    print(f"\n{title}:\n\n| {' | '.join(heads)} |\n| --- |{' ---: |' * (len(heads) - 1)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def number(speed: float) -> str:
    return f"{float(f'{speed:.3g}'):,.0f}"


def versus(python: Path, kind: str, pairs: list[tuple[str, str]], options: argparse.Namespace) -> list[list[str]]:
    rows = []
    for ours, theirs in pairs:
        rounds = []
        for _ in range(options.rounds):
            peer = measured(python, f"{kind}_openspiel", theirs, options.seconds)[0]
            rounds.append((measured(python, f"{kind}_quintet", ours, options.seconds)[0], peer))
        own, peer = (statistics.median(column) for column in zip(*rounds))
        ratios = [a / b for a, b in rounds]
        rows.append([f"`{ours}`", number(own), number(peer), f"{own / peer:.1f} ({min(ratios):.1f}-{max(ratios):.1f})"])
        print(f"{kind}: {ours} done", file=sys.stderr)
    return rows


def alone(python: Path, measures: list[str], games: list[str], options: argparse.Namespace, by_clock: Sequence[str] = ()) -> list[list[str]]:
    """A row for each game: medians per second of CPU time, then those by the clock."""
    rows = []
    for game in games:
        rounds = [{measure: measured(python, measure, game, options.seconds) for measure in measures} for _ in range(options.rounds)]
        median = lambda measure, which: number(statistics.median(speeds[measure][which] for speeds in rounds))
        rows.append([f"`{game}`", *(median(measure, 0) for measure in measures), *(median(measure, 1) for measure in by_clock)])
        print(f"{', '.join(measures)}: {game} done", file=sys.stderr)
    return rows


def machine() -> str:
    """Processor, cores and load: what the figures depend on besides the programs."""
    try:
        names = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{load}"


def commit() -> str:
    try:
        done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, help="a wheel of quintet; without it, one is built")
    parser.add_argument("--only", nargs="+", choices=TABLES, default=TABLES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of a measurement")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)  # how the script calls itself in the virtual environment
    options = parser.parse_args()
    if options.measure:
        measure, game = options.measure
        if hasattr(os, "sched_setaffinity") and measure not in MANY_CORES:
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        print(json.dumps(MEASURES[measure](game, options.seconds)))
        return
    python = installed(options.wheel)
    print(f"{machine()}; Python {platform.python_version()}, quintet {commit()}, {', '.join(PEERS)}; per second of CPU time, median of {options.rounds} rounds, the smallest and the largest ratio in brackets")
    if "random" in options.only:
        table("Random games in a Python loop", ["game", "quintet", "OpenSpiel", "ratio"], versus(python, "random", RANDOM, options))
    if "mcts" in options.only:
        table("Simulations of OpenSpiel's tree search in Python", ["game", "on quintet", "on OpenSpiel", "ratio"], versus(python, "mcts", RANDOM[:3], options))
    if "steps" in options.only:
        table(f"Steps of {GAMES_AT_ONCE} games at once", ["quintet", "planes", "packed"], alone(python, ["steps_quintet", "packed_quintet"], STEPS, options))
        table("The same by pgx", ["pgx", "steps"], alone(python, ["steps_pgx"], PGX_STEPS, options))
    if "self-play" in options.only:
        measures = ["selfplay_quintet", "selfplay2_quintet"]
        table("Positions that batched self-play asks a net for", ["quintet", "one thread", "two threads", "two threads, by the clock"], alone(python, measures, STEPS, options, measures[1:]))
    print(f"\nat the end: {machine()}")


def installed(wheel: Path | None) -> Path:
    """The Python of bench/.venv, with the peers and the wheel in it."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(VENV, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *PEERS], check=True)
    what = str(wheel) if wheel else str(ROOT / "crates" / "python")
    subprocess.run([*pip, "--force-reinstall", "--no-deps", what], check=True)
    return python


if __name__ == "__main__":
    main()
