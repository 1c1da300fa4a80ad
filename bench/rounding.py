#!/usr/bin/env python3
"""What 8-bit integers cost a net: its policy alone, rounded as the program plays it, against the same net in floating point.

    python bench/rounding.py GAME [GAME...] [--games N] [--opening PLIES] [--device cuda]

Both sides have the weights of the file; the one in floating point does not round its activations. Games come in pairs from one random opening, with colours
swapped. Needs the Python package and PyTorch."""

import argparse
import pathlib
import random

import numpy as np
import quintet
import torch
from quintet.zero.export import read
from quintet.zero.net import Planes

ROOT = pathlib.Path(__file__).resolve().parent.parent


def openings(game, pairs, plies, seed):
    chances = random.Random(seed)
    for _ in range(pairs):
        state = game.start()
        while state.plies < plies and not state.is_over():
            state.play(chances.choice(state.legal_actions()))
        yield from (state, state.copy())


def choose(net, planes, states, device):
    """The best legal action of each state by the policy, and the value that the net expects."""
    words = torch.from_numpy(np.stack([state.packed() for state in states]).view(np.int32)).to(device)
    with torch.no_grad():
        logits, outcome, _ = net(planes(words))
    chances = outcome.softmax(1)
    logits = logits.cpu().numpy()
    masks = np.stack([state.legal_mask() for state in states])
    return np.where(masks, logits, -np.inf).argmax(1), (chances[:, 0] - chances[:, 2]).cpu().numpy()


def compare(spec, args):
    game = quintet.load(spec)
    net = read(args.net or ROOT / "data/weights" / game.name / "net.safetensors", game).to(args.device).eval()
    net.set_game(game)
    planes = Planes(game, args.device)
    states = list(openings(game, args.games // 2, args.opening, 1))
    # The rounded one moves first in even games.
    same, asked, apart = 0, 0, 0.0
    while running := [number for number, state in enumerate(states) if not state.is_over() and state.plies < 400]:
        mine = [states[number] for number in running]
        answers = []
        for rounded in (True, False):
            net.round_weights(rounded)
            answers.append(choose(net, planes, mine, args.device))
        (integers, values), (floats, true) = answers
        same, asked = same + int((integers == floats).sum()), asked + len(mine)
        apart += float(np.abs(values - true).sum()) / 2
        for number, state, integer, real in zip(running, mine, integers, floats):
            state.play(int(integer if state.to_move == number % 2 else real))
    points = [0, 0, 0]
    for number, state in enumerate(states):
        result = state.returns()[number % 2] if state.is_over() else 0
        points[1 - int(result)] += 1
    result = quintet.statistics(wdl=tuple(points))
    low, high = result.interval
    print(f"{spec}: rounded against floating point {points[0]}-{points[1]}-{points[2]}, {100 * result.score:.1f} % ({100 * low:.1f}-{100 * high:.1f}); "
          f"the same move in {100 * same / asked:.1f} % of {asked} positions, chances {100 * apart / asked:.2f} points apart", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--opening", type=int, default=4)
    parser.add_argument("--net", help="a file instead of the net that comes with the program")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    for spec in args.specs:
        compare(spec, args)


main()
