"""Gumbel AlphaZero: many games at once play against themselves, and the net learns from them.

A run is a folder: ``checkpoint.pt`` (everything that is needed to go on, the newest samples included), ``metrics.jsonl`` and ``net.safetensors``, the
averaged weights as the program reads them. It goes on where it was stopped.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import quintet

from .export import export
from .net import Net, Planes


@dataclasses.dataclass
class Config:
    """What a training is made of."""

    game: str
    channels: int = 32
    blocks: int = 6
    #: Samples of the whole training; the learning rate falls over the last 40 % of it, and the weights are rounded over the last 20 %.
    samples: int = 2_000_000
    #: Games at once in each half.
    games: int = 1024
    #: Simulations per action at the beginning and at the end.
    simulations: tuple[int, int] = (8, 32)
    opening: int = 4
    scale: float = 1.0
    solve_from: int | None = None
    #: Samples to learn from, how often each is seen, and how many at once.
    window: int = 400_000
    reuse: float = 1.5
    batch: int = 1024
    rate: float = 2e-3
    decay: float = 1e-4
    #: How much of the value's target is what the search found, the rest being the game's result.
    search_share: float = 0.25
    seed: int = 1


class Window:
    """The newest samples, on the device of the net."""

    def __init__(self, game: quintet.Game, size: int, device: str):
        _, rows, columns = game.tensor_shape
        empty = lambda *shape, dtype: torch.zeros(size, *shape, dtype=dtype, device=device)
        self.words = empty(rows, columns, dtype=torch.int32)
        # Actions that are not legal have -1.
        self.policies = empty(game.num_actions, dtype=torch.float16)
        self.outcomes = empty(3, dtype=torch.float16)
        self.left = empty(dtype=torch.float16)
        self.size, self.count, self.total, self.device = size, 0, 0, device

    def add(self, samples: quintet.Samples, search_share: float) -> None:
        count = len(samples)
        at = (torch.arange(count) + self.total).remainder(self.size).to(self.device)
        policies = np.where(samples.legal_mask, samples.policies, np.float32(-1))
        results = np.stack([samples.results == 1, samples.results == 0, samples.results == -1], 1).astype(np.float32)
        search = np.stack([(1 + samples.values) / 2, np.zeros(count, np.float32), (1 - samples.values) / 2], 1)
        outcomes = (1 - search_share) * results + search_share * search
        self.put(at, samples.packed.view(np.int32), policies, outcomes, samples.moves_left / 100)
        self.total += count
        self.count = min(self.total, self.size)

    def put(self, at, words, policies, outcomes, left) -> None:
        for mine, given in zip([self.words, self.policies, self.outcomes, self.left], [words, policies, outcomes, left]):
            mine[at] = torch.from_numpy(np.ascontiguousarray(given)).to(self.device).to(mine.dtype)

    def draw(self, count: int, generator: torch.Generator):
        at = torch.randint(self.count, (count,), generator=generator).to(self.device)
        return self.words[at], self.policies[at].float(), self.outcomes[at].float(), self.left[at].float()

    def state(self, most: int) -> dict:
        """The newest samples in little room: the legal actions with a share are few."""
        newest = min(most, self.count)
        at = (torch.arange(newest) + self.total - newest).remainder(self.size).to(self.device)
        policies = self.policies[at].cpu().numpy()
        return {
            "total": self.total,
            "words": self.words[at].cpu().numpy(),
            "legal": np.packbits(policies >= 0, axis=1),
            "shares": _sparse(policies),
            "outcomes": self.outcomes[at].cpu().numpy(),
            "left": self.left[at].cpu().numpy(),
        }

    def restore(self, state: dict) -> None:
        count, actions = len(state["left"]), self.policies.shape[1]
        legal = np.unpackbits(state["legal"], axis=1, count=actions).astype(bool)
        policies = np.where(legal, np.float32(0), np.float32(-1))
        rows, columns, shares = state["shares"]
        policies[rows, columns] = shares
        at = (torch.arange(count) + state["total"] - count).remainder(self.size).to(self.device)
        self.put(at, state["words"], policies, state["outcomes"], state["left"])
        # Older samples are gone: draw from those that are here.
        if count < self.size:
            rolled = (torch.arange(count) + state["total"] - count).remainder(self.size)
            for mine in [self.words, self.policies, self.outcomes, self.left]:
                mine[:count] = mine[rolled.to(self.device)].clone()
            self.total = count
        else:
            self.total = state["total"]
        self.count = count


def _sparse(policies: np.ndarray):
    rows, columns = np.nonzero(policies > 0)
    return rows.astype(np.uint32), columns.astype(np.uint16), policies[rows, columns].astype(np.float16)


class Evaluator:
    """Answers self-play with a copy of the net's weights: on a GPU as a graph of one batch size in half precision."""

    def __init__(self, net: Net, game: quintet.Game, batch: int, device: str):
        self.cuda = device.startswith("cuda")
        dtype = torch.bfloat16 if self.cuda else torch.float32
        self.net = copy.deepcopy(net).to(dtype).eval()
        _, rows, columns = game.tensor_shape
        self.words = torch.zeros(batch, rows, columns, dtype=torch.int32)
        planes = Planes(game, device, dtype)

        def answer(words):
            logits, outcome, _ = self.net(planes(words))
            chances = outcome.float().softmax(1)
            return logits.float(), chances[:, 0] - chances[:, 2]

        self.answer = answer
        if self.cuda:
            self.words = self.words.pin_memory()
            self.net = self.net.to(memory_format=torch.channels_last)
            self.inputs = self.words.to(device)
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream), torch.no_grad():
                for _ in range(3):
                    self.answer(self.inputs)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph), torch.no_grad():
                self.outputs = self.answer(self.inputs)
            self.host = [torch.zeros(output.shape).pin_memory() for output in self.outputs]

    def load(self, net: Net) -> None:
        with torch.no_grad():
            mine = self.net.state_dict()
            for name, value in net.state_dict().items():
                mine[name].copy_(value)

    def __call__(self) -> tuple[np.ndarray, np.ndarray]:
        """Logits and values of the positions in ``words``."""
        if not self.cuda:
            with torch.no_grad():
                return tuple(output.numpy() for output in self.answer(self.words))
        self.inputs.copy_(self.words, non_blocking=True)
        self.graph.replay()
        for host, output in zip(self.host, self.outputs):
            host.copy_(output, non_blocking=True)
        torch.cuda.current_stream().synchronize()
        return tuple(host.numpy() for host in self.host)


class Training:
    """A training run in a folder."""

    def __init__(self, config: Config, folder: str | Path, device: str | None = None):
        self.config, self.folder = config, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.game = quintet.load(config.game)
        torch.manual_seed(config.seed)
        self.net = Net.for_game(self.game, config.channels, config.blocks).to(self.device)
        self.average = copy.deepcopy(self.net)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=config.rate, weight_decay=config.decay)
        self.window = Window(self.game, config.window, self.device)
        self.planes = Planes(self.game, self.device)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.steps = self.samples = self.runs = 0
        self.owed = 0.0
        self.losses: list[float] = []
        if self.checkpoint.exists():
            self.restore()

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    @property
    def progress(self) -> float:
        return min(1.0, self.samples / self.config.samples)

    def run(self, minutes: float = math.inf, report=print) -> None:
        """Trains until the samples are learned from, or for so many minutes, and saves the run."""
        config, end = self.config, time.monotonic() + 60 * minutes
        self.runs += 1
        play, evaluator = None, Evaluator(self.average, self.game, config.games, self.device)
        started, next_report, positions = time.monotonic(), 0.0, 0
        simulations = None
        while self.progress < 1 and time.monotonic() < end:
            few, many = config.simulations
            wanted = round(few * (many / few) ** self.progress)
            if play is None or wanted >= 1.4 * simulations:
                simulations = wanted
                play = quintet.SelfPlay(
                    config.game, games=config.games, simulations=simulations, considered=min(16, simulations), opening=config.opening,
                    scale=config.scale, solve_from=config.solve_from, seed=1000 * config.seed + 10 * self.runs + simulations,
                )
            play.step(out=evaluator.words.numpy().view(np.uint32))
            play.answer(*evaluator())
            positions += config.games
            if play.ready >= config.batch:
                samples = play.take()
                self.window.add(samples, config.search_share)
                self.samples += len(samples)
                self.owed += config.reuse * len(samples)
                while self.owed >= config.batch and self.window.count >= 4 * config.batch:
                    self.owed -= config.batch
                    self.losses.append(self.learn())
                evaluator.load(self.average)
            now = time.monotonic() - started
            if now >= next_report and self.losses:
                next_report = now + 10
                self.log(play.stats, simulations, positions / max(now, 1e-9), report)
        self.save()

    def learn(self) -> torch.Tensor:
        """One step of the net."""
        self.steps += 1
        progress = self.progress
        rate = self.config.rate * min(1, self.steps / 200) * min(1, (1 - progress) / 0.4 + 0.02)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        rounded = progress >= 0.8
        if rounded != self.net.rounded:
            self.net.round_weights(rounded)
            self.average.round_weights(rounded)
        words, policies, outcomes, left = self.window.draw(self.config.batch, self.generator)
        self.net.train()
        with torch.autocast(self.device.split(":")[0], torch.bfloat16, enabled=self.device.startswith("cuda")):
            logits, outcome, moves = self.net(self.planes(words))
        logits = logits.float().masked_fill(policies < 0, -1e9)
        policy_loss = -(policies.clamp(min=0) * F.log_softmax(logits, 1)).sum(1).mean()
        value_loss = -(outcomes * F.log_softmax(outcome.float(), 1)).sum(1).mean()
        loss = policy_loss + value_loss + 0.1 * F.smooth_l1_loss(moves.float(), left)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        with torch.no_grad():
            share = 1 - min(0.998, self.steps / (self.steps + 10))
            new = self.net.state_dict()
            for name, value in self.average.state_dict().items():
                if value.dtype.is_floating_point:
                    value.lerp_(new[name], share)
                else:
                    value.copy_(new[name])
        return torch.stack([policy_loss.detach(), value_loss.detach()])

    def log(self, stats: dict, simulations: int, speed: float, report) -> None:
        policy, value = torch.stack(self.losses).mean(0).tolist()
        self.losses = []
        line = {
            "samples": self.samples, "steps": self.steps, "progress": round(self.progress, 4), "simulations": simulations, "policy_loss": round(policy, 4),
            "value_loss": round(value, 4), "positions_per_second": round(speed), **stats,
        }
        with open(self.folder / "metrics.jsonl", "a") as file:
            file.write(json.dumps(line) + "\n")
        report(json.dumps(line))

    def save(self, most_samples: int = 200_000) -> None:
        """Writes the checkpoint and the net."""
        state = {
            "config": dataclasses.asdict(self.config), "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(), "window": self.window.state(most_samples), "generator": self.generator.get_state(),
            "steps": self.steps, "samples": self.samples, "runs": self.runs, "owed": self.owed, "rounded": self.net.rounded,
        }
        partial = self.checkpoint.with_suffix(".part")
        torch.save(state, partial)
        partial.replace(self.checkpoint)
        made = f"python -m quintet.zero {self.config.game!r}: {self.samples} samples of self-play, seed {self.config.seed}"
        export(self.average, self.game, self.folder / "net.safetensors", made)

    def restore(self) -> None:
        # The file is our own: it holds NumPy arrays beside the tensors.
        keywords = {"weights_only": False} if int(torch.__version__.split(".")[0]) >= 2 else {}
        state = torch.load(self.checkpoint, map_location=self.device, **keywords)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.window.restore(state["window"])
        self.generator.set_state(state["generator"].cpu())
        self.steps, self.samples, self.runs, self.owed = (state[key] for key in ("steps", "samples", "runs", "owed"))
        self.net.round_weights(state["rounded"])
        self.average.round_weights(state["rounded"])
