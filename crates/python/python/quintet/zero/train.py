"""Gumbel AlphaZero: many games at once play against themselves, and the net learns from them.

A run is a folder: ``config.json``, ``checkpoint.pt`` (everything that is needed to go on, the newest samples included), ``metrics.jsonl``, which
``quintet report`` draws, ``net.safetensors``, the averaged weights as the program reads them, and ``nets``, such files from the course of the training. It
goes on where it was stopped, with other boards too: begin with small ones.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import re
import shutil
import time
import zlib
from pathlib import Path

import numpy as np
import torch

import quintet

from .export import export, read, tensors_of
from .net import Net, Planes
from .state import TrainState


@dataclasses.dataclass
class Config:
    """What a training is made of."""

    #: A game, or several variants of it that are learned at the same time, such as boards of different sizes.
    variants: tuple[str, ...]
    #: An exported net to begin with, of `channels` and `blocks` of its own; without one, training begins from scratch.
    start: str = ""
    channels: int = 64
    blocks: int = 6
    #: Nets of other sizes, as "4x32" for 4 blocks and 32 channels, which learn from the same batches beside the net that plays.
    students: tuple[str, ...] = ()
    #: The whole training ends after this many samples or minutes of work, whichever comes first. The learning rate falls over the last 40 % of it, and the
    #: weights are rounded over the last 20 %.
    samples: int = 1_000_000_000
    minutes: float = math.inf
    #: Each variant's share of the games.
    shares: tuple[float, ...] = ()
    #: Games at once in each half.
    games: int = 1024
    #: Threads that walk the trees; 0 takes all cores.
    threads: int = 0
    #: Simulations per action at the beginning and at the end.
    simulations: tuple[int, int] = (8, 32)
    #: A game begins with up to this many random moves.
    opening: int = 4
    #: How much the values that the search found weigh against the priors.
    scale: float = 1.0
    #: Once this many pieces are on the board, exact solvers end the game if they know its result.
    solve_from: int | None = None
    #: Samples of each variant to learn from, how often each is seen, and how many at once.
    window: int = 400_000
    reuse: float = 1.5
    batch: int = 1024
    rate: float = 2e-3
    #: The learning rate of students, which always begin from scratch.
    student_rate: float = 2e-3
    decay: float = 1e-2
    #: How much of the value's target is what the search found, the rest being the game's result.
    search_share: float = 0.25
    #: Games of each duel. After every tenth of the training the new net, by its policy alone, meets the one of a tenth before; the Elo of these duels
    #: are added up. It also meets plain tree search.
    duels: int = 100
    #: Minutes from one checkpoint to the next: what a power cut can cost.
    checkpoints: float = 2.0
    #: Compile the net, on a GPU: worth its half minute in trainings of several minutes.
    compile: bool = False
    #: Compile the students too: it takes some seconds for each of them and each board.
    compile_students: bool = False
    seed: int = 1


def size_of(student: str) -> tuple[int, int]:
    """The blocks and channels of a student.

    >>> size_of("4x32")
    (4, 32)
    """
    match = re.fullmatch(r"([1-9]\d?)x([1-9]\d{1,2})", student)
    if not match or int(match[2]) % 16 or int(match[2]) > 512:
        raise ValueError(f'a student is BLOCKSxCHANNELS, as in 4x32, with a multiple of 16 channels, at most 512; "{student}" is not')
    return int(match[1]), int(match[2])


#: What nets are measured by besides each other.
DUEL_OPPONENT = "mcts(visits=100)"


def compiles(config: Config, device: str) -> bool:
    """Is the net compiled? On a GPU and by PyTorch 2 alone."""
    return config.compile and device.startswith("cuda") and hasattr(torch, "compile")


class Window:
    """The newest samples of a variant, on the device of the net."""

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
        results = np.stack([samples.results == 1, samples.results == 0, samples.results == -1], 1).astype(np.float32)
        search = np.stack([(1 + samples.values) / 2, np.zeros(len(samples), np.float32), (1 - samples.values) / 2], 1)
        policies = np.where(samples.legal_mask, samples.policies, np.float32(-1)).astype(np.float16)
        outcomes = (1 - search_share) * results + search_share * search
        self.put(samples.packed.view(np.int32), policies, outcomes, samples.moves_left / 100)

    def put(self, *arrays: np.ndarray) -> None:
        """Adds samples: words, policies, outcomes, moves left."""
        count = len(arrays[0])
        at = (torch.arange(count) + self.total).remainder(self.size).to(self.device)
        for mine, given in zip([self.words, self.policies, self.outcomes, self.left], arrays):
            mine[at] = torch.from_numpy(np.ascontiguousarray(given)).to(self.device).to(mine.dtype)
        self.total += count
        self.count = min(self.total, self.size)

    def draw(self, count: int, generator: torch.Generator):
        at = torch.randint(self.count, (count,), generator=generator, device=self.device)
        return [numbers[at] for numbers in (self.words, self.policies, self.outcomes, self.left)]

    def state(self, most: int) -> dict:
        """The newest samples in little room. Shares of policies below 1/2000 are dropped."""
        newest = min(most, self.count)
        at = (torch.arange(newest) + self.total - newest).remainder(self.size).to(self.device)
        policies = self.policies[at].cpu().numpy()
        rows, columns = np.nonzero(policies > 5e-4)
        arrays = {
            "words": self.words[at].cpu().numpy(),
            "legal": np.packbits(policies >= 0, axis=1),
            "rows": rows.astype(np.uint32),
            "columns": columns.astype(np.uint16),
            "shares": policies[rows, columns],
            "outcomes": self.outcomes[at].cpu().numpy(),
            "left": self.left[at].cpu().numpy(),
        }
        return {name: (array.dtype.str, array.shape, zlib.compress(array.tobytes(), 1)) for name, array in arrays.items()}

    def restore(self, state: dict) -> None:
        read = lambda kind, shape, data: np.frombuffer(bytearray(zlib.decompress(data)), kind).reshape(shape)
        arrays = {name: read(*packed) for name, packed in state.items()}
        legal = np.unpackbits(arrays["legal"], axis=1, count=self.policies.shape[1]).astype(bool)
        policies = np.where(legal, np.float16(0), np.float16(-1))
        policies[arrays["rows"], arrays["columns"]] = arrays["shares"]
        self.put(arrays["words"], policies, arrays["outcomes"], arrays["left"])


class Evaluator:
    """Answers self-play with a copy of the net's weights: on a GPU as a graph of one batch size in half precision.

    It works on two batches in turn, so that a GPU has the next one when it is done with the last.
    """

    def __init__(self, net: Net, game: quintet.Game, batch: int, device: str, compiled: bool):
        self.cuda = device.startswith("cuda")
        dtype = torch.bfloat16 if self.cuda else torch.float32
        self.net = copy.deepcopy(net).to(dtype).eval()
        self.net.round_weights(False)
        self.net.set_game(game)
        _, rows, columns = game.tensor_shape
        planes = Planes(game, device, dtype)

        def answer(words):
            logits, outcome, _ = self.net(planes(words))
            chances = outcome.float().softmax(1)
            return logits.float(), chances[:, 0] - chances[:, 2]

        self.words = [torch.zeros(batch, rows, columns, dtype=torch.int32) for _ in range(2)]
        self.outputs = [None, None]
        self.answer = torch.compile(answer, dynamic=False) if compiled else answer
        if self.cuda:
            self.net = self.net.to(memory_format=torch.channels_last)
            self.words = [words.pin_memory() for words in self.words]
            self.inputs = self.words[0].to(device)
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream), torch.no_grad():
                for _ in range(3):
                    self.answer(self.inputs)
            torch.cuda.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph), torch.no_grad():
                self.results = self.answer(self.inputs)
            self.outputs = [[torch.zeros(result.shape).pin_memory() for result in self.results] for _ in range(2)]
            self.done = [torch.cuda.Event(), torch.cuda.Event()]

    def load(self, net: Net) -> None:
        with torch.no_grad():
            mine = self.net.state_dict()
            for name, value in net.state_dict().items():
                mine[name].copy_(value)

    def begin(self, half: int) -> None:
        """Begins to evaluate the positions in ``words[half]``."""
        if not self.cuda:
            with torch.no_grad():
                self.outputs[half] = self.answer(self.words[half])
            return
        self.inputs.copy_(self.words[half], non_blocking=True)
        self.graph.replay()
        for host, result in zip(self.outputs[half], self.results):
            host.copy_(result, non_blocking=True)
        self.done[half].record()

    def end(self, half: int) -> tuple[np.ndarray, np.ndarray]:
        """Logits and values of the positions in ``words[half]``."""
        if self.cuda:
            self.done[half].synchronize()
        return tuple(output.numpy() for output in self.outputs[half])


class Variant:
    """One of the boards of a run: its games, its samples and how they are evaluated."""

    def __init__(self, spec: str, config: Config, device: str):
        self.spec, self.config, self.device = spec, config, device
        self.game = quintet.load(spec)
        self.window = Window(self.game, config.window, device)
        self.planes = Planes(self.game, device)
        self.play = self.evaluator = None
        self.owed = 0.0
        #: Positions evaluated so far.
        self.positions = 0
        self.batch = None

    def begin(self, net: Net, simulations: int, seed: int) -> None:
        """Begins new games; those under way are dropped."""
        config = self.config
        if self.evaluator is None:
            self.evaluator = Evaluator(net, self.game, config.games, self.device, compiles(config, self.device))
        self.play = quintet.SelfPlay(
            self.spec, games=config.games, simulations=simulations, considered=min(16, simulations), opening=config.opening, scale=config.scale,
            solve_from=config.solve_from, threads=config.threads, seed=seed,
        )
        self.half, self.waiting = 0, False

    def samples(self) -> quintet.Samples | None:
        """One batch of positions for one half of the games. Gives what came of finished games, if it is enough."""
        evaluator, half = self.evaluator, self.half
        self.play.step(out=evaluator.words[half].numpy().view(np.uint32))
        evaluator.begin(half)
        if self.waiting:
            self.answer(1 - half)
        self.waiting, self.half = True, 1 - half
        self.positions += self.config.games
        return self.play.take() if self.play.ready >= self.config.batch else None

    def answer(self, half: int) -> None:
        """Tells the games what the net says of their positions."""
        self.play.answer(*self.evaluator.end(half))

    def advance(self) -> int:
        """Plays on. Gives the number of samples that there are to learn from besides."""
        samples = self.samples()
        if samples is None:
            return 0
        self.window.add(samples, self.config.search_share)
        self.owed += self.config.reuse * len(samples)
        return len(samples)

    def draw(self, generator: torch.Generator) -> list[torch.Tensor]:
        """Samples to learn from; on a GPU always in the same memory, where graphs read them."""
        batch = self.window.draw(self.config.batch, generator)
        if self.batch is None or not self.device.startswith("cuda"):
            self.batch = batch
        else:
            for mine, given in zip(self.batch, batch):
                mine.copy_(given)
        return self.batch


class Training:
    """A training run in a folder. Its games are played here, or by other variants than those of this process."""

    def __init__(self, config: Config, folder: str | Path, device: str | None = None, variant=Variant):
        self.config, self.folder = config, Path(folder)
        (self.folder / "nets").mkdir(parents=True, exist_ok=True)
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.cuda = self.device.startswith("cuda")
        shares = config.shares or (1.0,) * len(config.variants)
        if len(shares) != len(config.variants) or min(shares) <= 0:
            raise ValueError(f"shares must be one number above 0 for each of the {len(config.variants)} variants")
        self.shares = [share / sum(shares) for share in shares]
        sizes = {student: size_of(student) for student in config.students}
        torch.manual_seed(config.seed)
        torch.backends.cudnn.benchmark = True
        self.variants = [variant(spec, config, self.device) for spec in config.variants]
        if len({variant.game.name for variant in self.variants}) > 1:
            raise ValueError("the variants must be of one game")
        game = self.variants[0].game
        compiled = compiles(config, self.device)
        if compiled:
            torch._dynamo.config.recompile_limit = 64
        pool = torch.cuda.graph_pool_handle() if self.cuda else None
        net = read(config.start, game) if config.start else Net.for_game(game, config.channels, config.blocks)
        #: The net that plays.
        self.main = TrainState(net, config.rate, config.decay, self.device, not config.start, compiled, pool)
        self.students = {
            student: TrainState(Net.for_game(game, channels, blocks), config.student_rate, config.decay, self.device, True, compiled and config.compile_students, pool)
            for student, (blocks, channels) in sizes.items()
        }
        self.generator = torch.Generator(self.device).manual_seed(config.seed)
        self.samples = self.runs = self.kept = 0
        self.spent = self.elo = 0.0
        #: Set by a signal: the run ends after the step under way, and is saved.
        self.stopping = False
        #: Of each step, the losses of the main net and of each student.
        self.losses: list[torch.Tensor] = []
        if self.checkpoint.exists():
            self.restore()
        elif config.start:
            shutil.copyfile(config.start, self.net_file(0))
        self.describe()

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint.pt"

    @property
    def metrics(self) -> Path:
        return self.folder / "metrics.jsonl"

    def net_file(self, tenths: int) -> Path:
        """The net after this many tenths of the training."""
        return self.folder / "nets" / f"{10 * tenths:03}.safetensors"

    def student_file(self, student: str) -> Path:
        return self.folder / f"net-{student}.safetensors"

    @property
    def progress(self) -> float:
        return min(1.0, max(self.samples / self.config.samples, self.spent / self.config.minutes))

    def run(self, minutes: float = math.inf, report=print) -> None:
        """Trains to the end, for this many minutes or until ``stopping`` is set, and saves the run, now and then in between as well."""
        config, before = self.config, self.spent
        self.runs += 1
        simulations, turns, loaded = None, [0.0] * len(self.variants), self.main.steps
        started, next_report, next_save = time.monotonic(), 0.0, config.checkpoints
        evaluated = lambda: sum(each.positions for each in self.variants)
        earlier = evaluated()
        while self.progress < 1 and self.spent - before < minutes and not self.stopping:
            few, many = config.simulations
            wanted = round(few * (many / few) ** self.progress)
            if simulations is None or wanted >= 1.4 * simulations:
                simulations = wanted
                for number, variant in enumerate(self.variants):
                    variant.begin(self.main.average, simulations, 100_000 * config.seed + 1000 * self.runs + 10 * simulations + number)
            turns = [turn + share for turn, share in zip(turns, self.shares)]
            number = turns.index(max(turns))
            turns[number] -= 1
            variant = self.variants[number]
            fresh = variant.advance()
            self.samples += fresh
            if fresh:
                while variant.owed >= config.batch and variant.window.count >= 4 * config.batch:
                    variant.owed -= config.batch
                    self.learn(variant)
                if self.main.steps >= loaded + 16:
                    loaded = self.main.steps
                    for each in self.variants:
                        each.evaluator.load(self.main.average)
            self.spent = before + (time.monotonic() - started) / 60
            now = 60 * (self.spent - before)
            if now >= next_report and self.losses:
                next_report = now + 10
                self.log(simulations, (evaluated() - earlier) / now, report)
            if self.progress >= (self.kept + 1) / 10:
                previous, self.kept = self.net_file(self.kept), int(10 * self.progress)
                self.export(self.main, self.net_file(self.kept))
                self.duel(previous, report)
            if self.spent - before >= next_save:
                next_save = self.spent - before + config.checkpoints
                self.save()
        self.save()

    def learn(self, variant: Variant) -> None:
        """One step of the main net and of each student, from the same samples."""
        batch, progress = variant.draw(self.generator), self.progress
        losses = [state.learn(variant.game, variant.planes, batch, progress) for state in (self.main, *self.students.values())]
        self.losses.append(torch.stack(losses))

    def log(self, simulations: int, speed: float, report) -> None:
        """Writes a line of ``metrics.jsonl``, which ``quintet report`` draws over the samples."""
        losses, self.losses = torch.stack(self.losses).mean(0).tolist(), []
        values = {"minutes": self.spent, "steps": self.main.steps, "simulations": simulations}
        for name, (policy, value) in zip(["", *self.students], losses):
            values |= {f"loss/policy {name}".rstrip(): policy, f"loss/value {name}".rstrip(): value}
        values["positions per second"] = speed
        for variant in self.variants:
            stats = variant.play.stats
            if stats["games"] > 0:
                share = 1 / stats["games"]
                values[f"plies per game/{variant.spec}"] = stats["moves"] * share
                values[f"share of games won by the first player/{variant.spec}"] = stats["wins"][0] * share
                values[f"share of games drawn/{variant.spec}"] = stats["draws"] * share
        self.write_metrics(values, report)

    def write_metrics(self, values: dict[str, float], report) -> None:
        line = json.dumps({"at": self.samples, "values": {name: round(number, 4) for name, number in values.items()}})
        with open(self.metrics, "a") as file:
            file.write(line + "\n")
        report(line)

    def duel(self, previous: Path, report) -> None:
        """Plays the newest net against the one before and against plain tree search, on the first of the boards."""
        spec, games = self.variants[0].spec, self.config.duels
        if games == 0:
            return
        player = lambda path: f'puct(eval=net(weights="{path}"),visits=1)'
        new = player(self.net_file(self.kept))
        # Games in pairs from the same opening, which differs from tenth to tenth.
        meet = lambda other: quintet.match(spec, new, other, games=2 * ((games + 1) // 2), openings=max(2, self.config.opening), seed=self.config.seed + self.kept, threads=self.config.threads or None).statistics()
        values = {f"score of the policy against {DUEL_OPPONENT}/{spec}": meet(DUEL_OPPONENT).score}
        if previous.exists():
            result = meet(player(previous))
            # Where all games were won or lost, the Elo has a bound alone.
            self.elo += result.elo[0] if result.elo else next(bound for bound in result.elo_interval if bound is not None)
            values[f"Elo of the policy, added up from tenth to tenth/{spec}"] = self.elo
        self.write_metrics(values, report)

    def describe(self) -> None:
        """Writes ``config.json``, what was asked for."""
        config = dataclasses.asdict(self.config)
        asked = {name: value for name, value in config.items() if value not in (None, math.inf, (), "")}
        command = " ".join(["python -m quintet.zero", *(repr(spec) for spec in self.config.variants), "--out", str(self.folder)])
        about = {"recipe": f"{self.variants[0].game.name}:zero", "kind": "zero", "with": asked, "seed": self.config.seed, "command": command, "commit": ""}
        (self.folder / "config.json").write_text(json.dumps(about, indent=1) + "\n")

    def export(self, state: TrainState, path: Path) -> None:
        """Writes the averaged weights as the program reads them."""
        boards = " ".join(repr(spec) for spec in self.config.variants)
        made = f"python -m quintet.zero {boards}: {self.samples} samples of self-play, {state.steps} steps, {self.spent:.1f} minutes, seed {self.config.seed}"
        if not state.from_scratch:
            made += "; begun with the net of " + tensors_of(self.net_file(0).read_bytes())[1]["made"]
        export(state.average, self.variants[0].game, path, made)

    def save(self, most_samples: int = 100_000) -> None:
        """Writes the checkpoint, with at most this many samples, and the nets."""
        most = most_samples // len(self.variants)
        state = {
            **self.main.state(), "config": dataclasses.asdict(self.config), "students": {name: student.state() for name, student in self.students.items()},
            "windows": {variant.spec: variant.window.state(most) for variant in self.variants}, "generator": self.generator.get_state(),
            "owed": {variant.spec: variant.owed for variant in self.variants}, **{name: getattr(self, name) for name in self.COUNTS},
        }
        partial = self.checkpoint.with_suffix(".part")
        torch.save(state, partial)
        partial.replace(self.checkpoint)
        self.export(self.main, self.folder / "net.safetensors")
        for name, student in self.students.items():
            self.export(student, self.student_file(name))

    #: How far the run is.
    COUNTS = ("samples", "runs", "kept", "spent", "elo")

    def restore(self) -> None:
        # The file is our own: it holds more than tensors.
        keywords = {"weights_only": False} if int(torch.__version__.split(".")[0]) >= 2 else {}
        state = torch.load(self.checkpoint, map_location=self.device, **keywords)
        self.main.restore(state)
        # A student that is new begins now.
        for name, student in state.get("students", {}).items():
            if name in self.students:
                self.students[name].restore(student)
        self.generator.set_state(state["generator"].cpu())
        for name in self.COUNTS:
            setattr(self, name, state.get(name, getattr(self, name)))
        # What was written after the checkpoint is learned and written again.
        if self.metrics.exists():
            lines = self.metrics.read_text().splitlines(keepends=True)
            self.metrics.write_text("".join(line for line in lines if line.endswith("\n") and json.loads(line)["at"] <= self.samples))
        for variant in self.variants:
            if variant.spec in state["windows"]:
                variant.window.restore(state["windows"][variant.spec])
                variant.owed = state["owed"][variant.spec]
