"""``python -m quintet.zero.tiny GAME --teacher NET --out FILE``: a tiny net for alpha-beta (``pvs(eval=tiny)``), taught by a net of the usual kind.

The teacher plays against itself with few simulations. Every position that it evaluates in its search is learned from, with the value that it gave; so the tiny net sees what a
search looks at, bad moves included. Positions of the games themselves have the mean of the result and of what the search found.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import quintet

from .export import read, safetensors
from .net import Planes, rounded
from .train import Config, Variant

#: The steps of an activation, and those of a weight of the two small layers. Rows have both.
ACTIVATION, WEIGHT = 127, 64


class Tiny(nn.Module):
    """Reads the chosen planes (batch, planes, rows, columns) of a game; gives the logarithm of the odds to win.

    It computes with the integers that the program uses, which are exact in 32-bit floats: rows are counted in steps of 1/8128, activations in 1/127, weights in 1/64. Until
    :attr:`rounded` is set, they need not be whole.
    """

    def __init__(self, chosen: list[int], cells: int, width: int = 64, hidden: int = 32):
        super().__init__()
        self.rounded = False
        self.chosen = chosen
        self.rows = nn.Linear(len(chosen) * cells, width)
        self.inner = nn.Linear(width, hidden)
        self.value = nn.Linear(hidden, 1)
        nn.init.normal_(self.rows.weight, std=0.1)
        nn.init.constant_(self.rows.bias, 0.3)
        nn.init.constant_(self.inner.bias, 0.3)

    def steps(self, layer: nn.Linear, scale: int, most: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The weights of a layer in steps of ``1 / scale``, and its bias in steps of its sums."""
        weight, bias = (layer.weight * scale).clamp(-most, most), layer.bias * (ACTIVATION * WEIGHT)
        return (rounded(weight), rounded(bias)) if self.rounded else (weight, bias)

    def activation(self, sums: torch.Tensor) -> torch.Tensor:
        numbers = sums / WEIGHT
        if self.rounded:
            numbers = numbers + (torch.floor(numbers + 0.5) - numbers).detach()
        return numbers.clamp(0, ACTIVATION)

    def layers(self):
        return self.steps(self.rows, ACTIVATION * WEIGHT, 32767), self.steps(self.inner, WEIGHT, 127), self.steps(self.value, WEIGHT, 32767)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        rows, inner, value = self.layers()
        numbers = self.activation(F.linear(planes.flatten(1), *rows))
        numbers = self.activation(F.linear(numbers, *inner))
        return F.linear(numbers, *value)[:, 0] / (ACTIVATION * WEIGHT)


def chosen_planes(game: quintet.Game, words: torch.Tensor) -> list[int]:
    """The planes that a tiny net reads: those of bits that differ between these positions, but for empty cells, which are what the others leave."""
    bits = [number for number, (_, _, value) in enumerate(game.planes) if value is not None]
    planes = Planes(game, str(words.device))(words)
    return [number for number in bits if game.planes[number][0] != "empty" and bool((planes[:, number] != planes[:1, number]).any())]


def export_tiny(net: Tiny, game: quintet.Game, path: str | Path, made: str) -> None:
    """Writes a tiny net as the program reads it: see the documentation of the crate ``quintet-eval``, type ``TinyNet``."""
    before, net.rounded = net.rounded, True
    tensors = {}
    with torch.no_grad():
        for name, (weight, bias), kind in zip(["rows", "inner", "value"], net.layers(), [np.int16, np.int8, np.int16]):
            weight = {"rows": weight.T, "inner": weight, "value": weight[0]}[name]
            tensors[f"{name}.weights"] = weight.contiguous().cpu().numpy().astype(kind)
            tensors[f"{name}.bias"] = bias.cpu().numpy().astype(np.int32)
    net.rounded = before
    _, rows, columns = game.tensor_shape
    planes = "\n".join(game.planes[number][0] for number in net.chosen)
    header = {"format": "quintet-tiny 1", "game": game.name, "planes": planes, "grid": f"{rows} {columns}", "made": made}
    Path(path).write_bytes(safetensors(tensors, header))


class Positions:
    """The newest positions with their values, from -1 to 1, on the device of the net."""

    def __init__(self, game: quintet.Game, size: int, device: str):
        _, rows, columns = game.tensor_shape
        self.words = torch.zeros(size, rows, columns, dtype=torch.int32, device=device)
        self.values = torch.zeros(size, device=device)
        self.size, self.total, self.device = size, 0, device

    @property
    def count(self) -> int:
        return min(self.total, self.size)

    def put(self, words: torch.Tensor, values: torch.Tensor) -> None:
        at = (torch.arange(len(words), device=self.device) + self.total).remainder(self.size)
        self.words[at] = words.to(self.device)
        self.values[at] = values.to(self.device)
        self.total += len(words)

    def draw(self, count: int) -> tuple[torch.Tensor, torch.Tensor]:
        at = torch.randint(self.count, (count,), device=self.device)
        return self.words[at], self.values[at]


class Taught(Variant):
    """The teacher's games, with all positions that it evaluates."""

    def __init__(self, spec: str, config: Config, device: str):
        # The positions of the games go into a window of their own.
        super().__init__(spec, dataclasses.replace(config, window=1), device)
        self.played = Positions(self.game, max(1, config.window // 4), device)
        self.seen = Positions(self.game, config.window, device)

    def answer(self, half: int) -> None:
        logits, values = self.evaluator.end(half)
        self.play.answer(logits, values)
        self.seen.put(self.evaluator.words[half], torch.from_numpy(values))

    def advance(self) -> int:
        samples = self.samples()
        if samples is not None:
            values = (samples.results + samples.values) / 2
            self.played.put(torch.from_numpy(samples.packed.view(np.int32)), torch.from_numpy(values))
        return self.config.games


def size_of(text: str) -> tuple[int, int]:
    """The numbers of both layers.

    >>> size_of("64x32")
    (64, 32)
    """
    match = re.fullmatch(r"(32|64|128|256)x([1-9]\d?)", text)
    if not match or int(match[2]) > 64:
        raise ValueError(f'a size is WIDTHxHIDDEN, as in 64x32: 32, 64, 128 or 256, and up to 64; "{text}" is not')
    return int(match[1]), int(match[2])


def file_of(out: str | Path, size: str, sizes: tuple[str, ...]) -> Path:
    """Where the net of this size is written: where it is the only one, to ``out`` itself."""
    out = Path(out)
    return out if len(sizes) == 1 else out.with_name(f"{out.stem}-{size}{out.suffix}")


def teach(spec: str, teacher: str, out: str | Path, minutes: float, sizes: tuple[str, ...], config: Config, device: str, report=print) -> list[Tiny]:
    """Trains tiny nets for this long and writes them. The learning rate falls to nothing, and over the last fifth the weights are rounded."""
    shapes = [size_of(size) for size in sizes]
    torch.manual_seed(config.seed)
    variant = Taught(spec, config, device)
    net = read(teacher, variant.game).to(device).eval()
    variant.begin(net, config.simulations[0], config.seed)
    while variant.seen.count < 4 * config.batch or variant.played.count < config.batch:
        variant.advance()
    _, rows, columns = variant.game.tensor_shape
    chosen = chosen_planes(variant.game, variant.seen.draw(4096)[0])
    nets = nn.ModuleList(Tiny(chosen, rows * columns, *shape) for shape in shapes).to(device)
    # Nets of several sizes learn from the same positions; each parameter has its own step.
    optimiser = torch.optim.Adam(nets.parameters(), lr=config.rate)
    started, next_report, steps, owed, losses = time.monotonic(), 0.0, 0, 0.0, []
    while (now := time.monotonic() - started) < 60 * minutes:
        owed += config.reuse * variant.advance()
        progress = now / (60 * minutes)
        for tiny in nets:
            tiny.rounded = progress >= 0.8
        for group in optimiser.param_groups:
            group["lr"] = config.rate * min(1, (steps + 1) / 200) * (1 + math.cos(math.pi * progress)) / 2
        while owed >= config.batch:
            owed -= config.batch
            steps += 1
            drawn = [variant.seen.draw(config.batch - config.batch // 4), variant.played.draw(config.batch // 4)]
            words, values = (torch.cat(parts) for parts in zip(*drawn))
            planes, chances = variant.planes(words)[:, chosen], (1 + values).clamp(0, 2) / 2
            each = torch.stack([F.binary_cross_entropy_with_logits(tiny(planes), chances) for tiny in nets])
            optimiser.zero_grad(set_to_none=True)
            each.sum().backward()
            optimiser.step()
            losses.append(each.detach())
        if now >= next_report and losses:
            next_report = now + 10
            told = ", ".join(f"{loss:.4f} ({size})" for size, loss in zip(sizes, torch.stack(losses).mean(0).tolist()))
            report(f"{now / 60:.1f} minutes, {variant.positions} positions, {steps} steps, loss {told}")
            losses = []
    made = f"python -m quintet.zero.tiny {spec!r}: {variant.positions} positions evaluated by {Path(teacher).name}, {steps} steps, {minutes:g} minutes, seed {config.seed}"
    for size, tiny in zip(sizes, nets):
        tiny.rounded = True
        export_tiny(tiny, variant.game, file_of(out, size, sizes), made)
    return list(nets)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m quintet.zero.tiny", description="Train a tiny net for alpha-beta, pvs(eval=tiny), by the games of a net of the usual kind.")
    parser.add_argument("game", help="a game, as in pentago")
    parser.add_argument("--teacher", required=True, metavar="NET", help="the net that teaches, as in data/weights/pentago/net.safetensors")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the tiny net is written")
    parser.add_argument("--minutes", type=float, default=5.0, help="(default: 5)")
    parser.add_argument("--sizes", nargs="+", default=["64x32"], metavar="WIDTHxHIDDEN", help="numbers of the two layers; of several, each net has a file of its own, FILE-SIZE (default: 64x32)")
    parser.add_argument("--games", type=int, default=1024, help="games at once in each half (default: 1024)")
    parser.add_argument("--simulations", type=int, default=8, help="of the teacher, per action (default: 8)")
    parser.add_argument("--opening", type=int, default=16, help="a game begins with up to this many random moves (default: 16)")
    parser.add_argument("--window", type=int, default=2_000_000, help="positions to learn from (default: 2,000,000)")
    parser.add_argument("--reuse", type=float, default=2.0, help="how often each position is seen (default: 2)")
    parser.add_argument("--batch", type=int, default=8192, help="positions per step (default: 8192)")
    parser.add_argument("--rate", type=float, default=2e-3, help="(default: 0.002)")
    parser.add_argument("--solve-from", type=int, help="once this many pieces are on the board, exact solvers end the game if they know its result")
    parser.add_argument("--compile", action="store_true", help="compile the teacher, on a GPU")
    parser.add_argument("--threads", type=int, default=0, help="threads that walk the trees (default: all cores)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    args = vars(parser.parse_args())
    spec, teacher, out, minutes, sizes, simulations, device = (args.pop(name) for name in ("game", "teacher", "out", "minutes", "sizes", "simulations", "device"))
    config = Config((spec,), simulations=(simulations, simulations), **args)
    try:
        teach(spec, teacher, out, minutes, tuple(sizes), config, device or ("cuda" if torch.cuda.is_available() else "cpu"))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
