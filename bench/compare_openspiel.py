#!/usr/bin/env python3
"""Compare the speed of quintet with OpenSpiel, side by side on one core.

Each row plays uniformly random games from the starting position, alone or in a Monte Carlo tree search, single
thread, and counts games per second of CPU time. The two engines take turns, round by round, so that both see the same machine. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

OPEN_SPIEL = "2.0.2"  # the version the rows below are known to work with
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
VENV = HERE / ".venv"

EXAMPLES = """examples:
  python3 bench/compare_openspiel.py                      everything: install the peer, build ours, measure
  python3 bench/compare_openspiel.py --only pentago --rounds 3 --seconds 1
  python3 bench/compare_openspiel.py --check --markdown   a table for a page, and whether both play the same game
  python3 bench/compare_openspiel.py --require 1          exit code 1 when a ratio is below its aim

exit codes: 0 done; 1 a ratio below --require, or the engines' statistics disagree; 2 bad usage; 3 could not measure
"""


class Failure(Exception):
    """Something that keeps us from measuring; the text says what and what to do."""


# What is measured. A new line of the table is a new `Row`; a new kind of work is a new `Measure`.


@dataclass(frozen=True)
class Measure:
    unit: str  # what is counted: the field of our JSON, and the table's heading
    ours: tuple[str, ...]  # words after the binary's name, before the game
    peer: Callable[[str, float, int], dict]  # (game, seconds, seed) -> {unit, "seconds", ...}; runs inside the venv


@dataclass(frozen=True)
class Row:
    key: str
    measure: str  # a key of MEASURES
    ours: str  # the game as quintet names it, with the peer's rules
    peer: str  # the game as OpenSpiel names it
    aim: float | None  # how many times the peer's speed we want


ROWS = [
    Row("pentago", "playouts", "pentago(rules=turn-first)", "pentago(ansi_color_output=false)", 30),
    Row("twixt-8", "playouts", "twixt(size=8,swap=turn)", "twixt(board_size=8,ansi_color_output=false)", 10),
    Row("twixt-12", "playouts", "twixt(size=12,swap=turn)", "twixt(board_size=12,ansi_color_output=false)", 16),
    Row("twixt-24", "playouts", "twixt(size=24,swap=turn)", "twixt(board_size=24,ansi_color_output=false)", 45),
    Row("mcts", "simulations", "pentago(rules=turn-first)", "pentago(ansi_color_output=false)", 12),
    Row("mcts-8", "simulations", "twixt(size=8,swap=turn)", "twixt(board_size=8,ansi_color_output=false)", None),
]


# The peer's half. It runs in the virtual environment's Python, one process per measurement: OpenSpiel keeps one table
# of crossing links per process, and a second board size would spoil it.


def peer_playouts(game_name: str, seconds: float, seed: int) -> dict:
    """Time the C++ random rollouts of OpenSpiel's MCTS bot.

    A search of two simulations is k rollouts from the start and k from one random move on, all of it in C++.
    The speed is calibrated first (which also warms up), so that one search lasts about `seconds`.
    """
    import pyspiel

    game = pyspiel.load_game(game_name)
    start = game.new_initial_state()

    def search(k: int):
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(k, seed), 1.4, 2, 100, False, seed, False)
        begin = time.thread_time()
        root = bot.mcts_search(start)
        return time.thread_time() - begin, root

    k = 8
    took, root = search(k)
    while took < seconds / 10:
        k *= 2
        took, root = search(k)
    k = max(1, round(k * seconds / took))
    took, root = search(k)
    # Rewards are the first player's. Without the child's share, the root's is the mean result of the k games from the start.
    balance = root.total_reward - sum(child.total_reward for child in root.children if child.explore_count)
    return {"game": game_name, "playouts": 2 * k, "seconds": took, "balance": balance, "balance_games": k}


def peer_statistics(game_name: str, games: int, seed: int) -> dict:
    """Play random games in a Python loop, to learn how long they are and how they end."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    rng = random.Random(seed)
    lengths, outcomes = [], {"first": 0, "second": 0, "draw": 0}
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        lengths.append(state.move_number())
        result = state.returns()[0]
        outcomes["first" if result > 0 else "second" if result < 0 else "draw"] += 1
    return {"games": games, "plies": statistics.mean(lengths), "sd": statistics.stdev(lengths), "outcomes": outcomes}


def peer_simulations(game_name: str, seconds: float, seed: int) -> dict:
    """Time the MCTS bot from the start: one random rollout a simulation, proven results backed up, c = sqrt 2, as ours."""
    import pyspiel

    game = pyspiel.load_game(game_name)
    start = game.new_initial_state()

    def search(simulations: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, math.sqrt(2), simulations, 4000, True, seed, False)
        begin = time.thread_time()
        bot.mcts_search(start)
        return time.thread_time() - begin

    simulations = 1000
    took = search(simulations)
    while took < seconds / 10:
        simulations *= 2
        took = search(simulations)
    simulations = max(1, round(simulations * seconds / took))
    return {"game": game_name, "simulations": simulations, "seconds": search(simulations)}


MEASURES = {
    "playouts": Measure("playouts", ("bench", "playouts"), peer_playouts),
    "simulations": Measure("simulations", ("bench", "simulations"), peer_simulations),
}


# Getting the two sides ready.


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def peer_python() -> Path:
    """The Python of bench/.venv, with OpenSpiel in it; made on first use."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = f"from importlib.metadata import version as v; import pyspiel; assert v('open_spiel') == '{OPEN_SPIEL}'"

    def ready() -> bool:
        return python.exists() and subprocess.run([python, "-c", wanted], capture_output=True).returncode == 0

    if ready():
        return python
    say(f"installing open_spiel {OPEN_SPIEL} into {VENV.relative_to(ROOT)} (once)")
    steps = [
        ("make a virtual environment", [sys.executable, "-m", "venv", str(VENV)]),
        ("install OpenSpiel", [str(python), "-m", "pip", "install", "--quiet", f"open_spiel=={OPEN_SPIEL}"]),
    ]
    for what, command in steps:
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            raise Failure(
                f"could not {what} (the reason stands above).\n"
                "It needs Python's venv and pip, a way to PyPI, and a platform for which open_spiel has a wheel.\n"
                f"To start afresh, delete {VENV.relative_to(ROOT)} and run this again."
            )
    if not ready():
        raise Failure(f"open_spiel {OPEN_SPIEL} was installed but cannot be imported; delete {VENV.relative_to(ROOT)} and run this again.")
    return python


def build() -> Path:
    say("building quintet (cargo build --release)")
    try:
        code = subprocess.run(["cargo", "build", "--release"], cwd=ROOT, stdout=sys.stderr).returncode
    except FileNotFoundError:
        raise Failure("cargo was not found; install Rust, or name a built binary with --binary PATH.") from None
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    binary = target / "release" / ("quintet.exe" if os.name == "nt" else "quintet")
    if code != 0 or not binary.exists():
        raise Failure("cargo build --release gave no binary; name one with --binary PATH.")
    return binary


def pin(core: int | None) -> int | None:
    """Keep this process, and so all it starts, on one core. None where the system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    return core


# Measuring.


def run_json(command: list[str], fields: tuple[str, ...]) -> dict:
    """Run a command whose last line of output is a JSON object with at least these fields."""
    shown = " ".join(Path(word).name if i == 0 else word for i, word in enumerate(command))
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"cannot run {shown}: {error.strerror}") from None
    if done.returncode != 0:
        raise Failure(f"{shown}\nended with code {done.returncode}:\n{done.stderr.strip()}")
    try:
        answer = json.loads(done.stdout.strip().splitlines()[-1])
        missing = [field for field in fields if field not in answer]
    except (IndexError, ValueError, TypeError):
        raise Failure(f"{shown}\ndid not end with a line of JSON, but with: {done.stdout[-200:]!r}") from None
    if missing:
        raise Failure(f"{shown}\nleft out {', '.join(missing)}: {answer}")
    return answer


def children_cpu() -> float:
    times = os.times()
    return times.children_user + times.children_system


def ask_peer(python: Path, kind: str, game: str, seconds: float, seed: int, games: int = 0) -> dict:
    words = ["--peer", kind, game, "--seconds", str(seconds), "--seed", str(seed)]
    return run_json([str(python), str(Path(__file__).resolve()), *words, *(["--check", str(games)] if games else [])], ())


def ask_ours(binary: Path, row: Row, seconds: float, seed: int) -> dict:
    measure = MEASURES[row.measure]
    words = [*measure.ours, row.ours, "--seconds", f"{seconds:g}", "--seed", str(seed), "--json"]
    before = children_cpu()
    answer = run_json([str(binary), *words], (measure.unit, "seconds"))
    used = children_cpu() - before
    if answer["seconds"] <= 0 or answer[measure.unit] <= 0:
        raise Failure(f"quintet measured nothing for {row.ours}: {answer}")
    if used > 1.1 * answer["seconds"] + 0.5:  # start-up, or threads that were not counted
        say(f"warning: {row.ours} reports {answer['seconds']:.2f} s of CPU time, but the process used {used:.2f} s")
    return answer


def speed(row: Row, answer: dict) -> float:
    return answer[MEASURES[row.measure].unit] / answer["seconds"]


def measure_all(rows: list[Row], python: Path, binary: Path, args: argparse.Namespace) -> dict[str, dict]:
    """Rounds outside, rows inside, the two engines next to each other."""
    answers = {row.key: {"peer": [], "ours": []} for row in rows}
    for turn in range(args.rounds):
        for row in rows:
            unit, seed = MEASURES[row.measure].unit, args.seed + turn
            peer = ask_peer(python, row.measure, row.peer, args.seconds, seed)
            say(f"round {turn + 1}/{args.rounds}  {row.key:<9} OpenSpiel {speed(row, peer):>12,.0f} {unit}/s")
            ours = ask_ours(binary, row, args.seconds, seed)
            say(f"round {turn + 1}/{args.rounds}  {row.key:<9} quintet   {speed(row, ours):>12,.0f} {unit}/s")
            answers[row.key]["peer"].append(peer)
            answers[row.key]["ours"].append(ours)
    return answers


def spread(values: list[float]) -> dict:
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "samples": values}


def summary(row: Row, answers: dict) -> dict:
    peer = [speed(row, answer) for answer in answers["peer"]]
    ours = [speed(row, answer) for answer in answers["ours"]]
    per_round = [o / p for o, p in zip(ours, peer)]
    return {
        "key": row.key,
        "game": row.ours,
        "unit": f"{MEASURES[row.measure].unit}/s",
        "peer": spread(peer),
        "ours": spread(ours),
        "ratio": {"of_medians": statistics.median(ours) / statistics.median(peer), "min": min(per_round), "max": max(per_round)},
        "aim": row.aim,
    }


# Do both play the same game?


def compare(row: Row, what: str, peer: float, ours: float, error: float) -> dict:
    """Agreement within four standard errors of the difference."""
    agree = abs(ours - peer) <= 4 * error + 1e-12
    return {"key": row.key, "what": what, "peer": peer, "ours": ours, "standard_error": error, "agree": agree}


def pooled(answers: list[dict]) -> dict | None:
    """All rounds of ours together, or None where the measure has no such statistics."""
    if not all("outcomes" in a and "plies" in a and "playouts" in a for a in answers):
        return None
    games = sum(a["playouts"] for a in answers)
    counts = {side: sum(a["outcomes"][side] for a in answers) for side in ("first", "second", "draw")}
    if sum(counts.values()) != games:
        raise Failure(f"quintet's outcomes do not add up to its {games:,} games of {answers[0].get('game')}: {counts}")
    shares = {side: count / games for side, count in counts.items()}
    return {"games": games, "plies": sum(a["plies"] for a in answers) / games, "shares": shares}


def agreement(row: Row, answers: dict, check: dict | None) -> list[dict]:
    ours = pooled(answers["ours"])
    if ours is None:
        return []
    found = []
    timed = [answer for answer in answers["peer"] if "balance" in answer]
    if timed:  # from the very games that were timed
        games = sum(answer["balance_games"] for answer in timed)
        peer = sum(answer["balance"] * answer["balance_games"] for answer in timed) / games
        balance = ours["shares"]["first"] - ours["shares"]["second"]
        variance = ours["shares"]["first"] + ours["shares"]["second"] - balance**2
        error = math.sqrt(max(variance, 0) * (1 / games + 1 / ours["games"]))
        found.append(compare(row, "first minus second", peer, balance, error))
    if check:
        parts = 1 / check["games"] + 1 / ours["games"]
        found.append(compare(row, "mean plies", check["plies"], ours["plies"], check["sd"] * math.sqrt(parts)))
        for side, count in check["outcomes"].items():
            both = (count + ours["shares"][side] * ours["games"]) / (check["games"] + ours["games"])
            error = math.sqrt(max(both * (1 - both), 0) * parts)
            found.append(compare(row, f"share {side}", count / check["games"], ours["shares"][side], error))
    return found


# Printing.


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    if sys.platform == "darwin":
        done = subprocess.run(["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True)
        if done.stdout.strip():
            return done.stdout.strip()
    return platform.processor() or platform.machine() or "unknown"


def our_version(binary: Path) -> str:
    try:
        done = subprocess.run([str(binary), "--version"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return "quintet, version unknown"
    words = done.stdout.split("\n")[0].strip()
    return words if done.returncode == 0 and words.startswith("quintet") else "quintet, version unknown"


def whole(values: dict) -> str:
    return f"{values['median']:,.0f} ({values['min']:,.0f}-{values['max']:,.0f})"


def speed_table(rows: list[dict]) -> list[list[str]]:
    table = [["game", "unit", "OpenSpiel median (min-max)", "quintet median (min-max)", "ratio (rounds)", "aim"]]
    for row in rows:
        ratio = row["ratio"]
        shown = f"{ratio['of_medians']:.1f} ({ratio['min']:.1f}-{ratio['max']:.1f})"
        aim = "-" if row["aim"] is None else f"{row['aim']:g}"
        table.append([row["game"], row["unit"], whole(row["peer"]), whole(row["ours"]), shown, aim])
    return table


def agreement_table(lines: list[dict]) -> list[list[str]]:
    table = [["same game?", "statistic", "OpenSpiel", "quintet", "4 standard errors", "agree"]]
    for line in lines:
        numbers = [f"{value:.4f}" for value in (line["peer"], line["ours"], 4 * line["standard_error"])]
        table.append([line["key"], line["what"], *numbers, "yes" if line["agree"] else "NO"])
    return table


def draw(table: list[list[str]], markdown: bool) -> str:
    """The first two columns are words, the rest numbers."""
    if markdown:
        rule = ["---" if i < 2 else "---:" for i in range(len(table[0]))]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in [table[0], rule, *table[1:]])
    widths = [max(len(cells[i]) for cells in table) for i in range(len(table[0]))]
    pads = [str.ljust if i < 2 else str.rjust for i in range(len(widths))]
    return "\n".join("  ".join(pad(cell, width) for pad, cell, width in zip(pads, cells, widths)).rstrip() for cells in table)


def show(report: dict, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(report))
        return
    core = "not pinned" if report["core"] is None else f"pinned to core {report['core']}"
    load = "" if report["load"] is None else f", load {report['load']:.2f} before"
    print(f"{report['cpu']}, {core}{load}; {report['versions']['quintet']}; OpenSpiel {report['versions']['open_spiel']}; Python {report['versions']['python']}")
    print(f"Per second of CPU time, from the start, one thread; {args.rounds} rounds of {args.seconds:g} s for each engine in turn.\n")
    print(draw(speed_table(report["rows"]), args.markdown))
    if report["agreement"]:
        print("\n" + draw(agreement_table(report["agreement"]), args.markdown))


# The command line.


def number(kind: type, least: float, strict: bool = False) -> Callable[[str], float]:
    def parse(text: str):
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and (value > least if strict else value >= least)):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number {'above' if strict else 'of at least'} {least:g}")
        return value

    return parse


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    keys = [row.key for row in ROWS]
    parser.add_argument("--only", metavar="ROW", action="append", choices=keys, help=f"measure this row only; may be repeated ({', '.join(keys)})")
    parser.add_argument("--rounds", metavar="N", type=number(int, 1), default=5, help="measurements of each engine (default %(default)s)")
    parser.add_argument("--seconds", metavar="S", type=number(float, 0, True), default=2.0, help="CPU seconds per measurement (default %(default)s)")
    parser.add_argument("--seed", metavar="N", type=number(int, 0), default=1, help="seed of the first round; each round adds one (default %(default)s)")
    parser.add_argument("--binary", metavar="PATH", type=Path, help="measure this quintet binary and build nothing")
    parser.add_argument("--core", metavar="N", type=number(int, 0), help="core to pin both engines to (default: the last one allowed)")
    parser.add_argument("--check", metavar="GAMES", nargs="?", type=number(int, 2), const=400, help="also play GAMES random games of each row in a Python loop on OpenSpiel (default %(const)s) and compare length and outcomes")
    parser.add_argument("--require", metavar="FACTOR", type=number(float, 0, True), help="exit with code 1 when a ratio is below FACTOR times its aim")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    form.add_argument("--json", action="store_true", help="print one JSON object with every sample")
    parser.add_argument("--peer", nargs=2, metavar=("KIND", "GAME"), help=argparse.SUPPRESS)  # how the script calls itself in the venv
    args = parser.parse_args()
    if args.binary is not None and not args.binary.is_file():
        parser.error(f"--binary: no such file: {args.binary}")
    if args.core is not None and hasattr(os, "sched_getaffinity") and args.core not in os.sched_getaffinity(0):
        parser.error(f"--core: {args.core} is not one of the cores allowed here: {sorted(os.sched_getaffinity(0))}")
    if args.peer and args.peer[0] not in (*MEASURES, "statistics"):
        parser.error(f"--peer: unknown kind {args.peer[0]!r}")
    return args


def main() -> int:
    args = arguments()
    if args.peer:
        kind, game = args.peer
        answer = peer_statistics(game, args.check or 400, args.seed) if kind == "statistics" else MEASURES[kind].peer(game, args.seconds, args.seed)
        print(json.dumps(answer))
        return 0

    rows = [row for row in ROWS if not args.only or row.key in args.only]
    python = peer_python()
    binary = args.binary.resolve() if args.binary else build()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    core = pin(args.core)
    answers = measure_all(rows, python, binary, args)
    lines = []
    for row in rows:
        check = None
        if args.check and row.measure == "playouts":
            say(f"check  {row.key:<9} {args.check} games in a Python loop on OpenSpiel")
            check = ask_peer(python, "statistics", row.peer, args.seconds, args.seed, args.check)
        lines += agreement(row, answers[row.key], check)
    report = {
        "cpu": cpu_model(),
        "core": core,
        "load": load,
        "versions": {"quintet": our_version(binary), "open_spiel": OPEN_SPIEL, "python": platform.python_version()},
        "rounds": args.rounds,
        "seconds": args.seconds,
        "rows": [summary(row, answers[row.key]) for row in rows],
        "agreement": lines,
    }
    show(report, args)

    slow = [row for row in report["rows"] if args.require and row["aim"] is not None and row["ratio"]["of_medians"] < args.require * row["aim"]]
    for row in slow:
        say(f"below the bar: {row['key']} {row['ratio']['of_medians']:.1f}, required {args.require * row['aim']:.1f}")
    strange = [line for line in lines if not line["agree"]]
    if strange:
        say("the engines do not play the same game by these statistics, so the ratios say nothing: " + ", ".join(f"{line['key']} {line['what']}" for line in strange))
    return 1 if slow or strange else 0


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("this script needs Python 3.11 or newer")
    try:
        sys.exit(main())
    except Failure as failure:
        say(f"error: {failure}")
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
