"""Self-play on many machines, by way of a NATS server: players fetch the net and bring samples, and one learner learns from them.

Nets and samples are objects of the server's store: nets have versions, and players fetch the newest; a bundle of samples is deleted when it was learned from. A player owns
nothing and may be killed at any time. The learner keeps what it has learned in its folder. Objects are arrays, never code, and are checked before they are used.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import hashlib
import io
import json
import os
import socket
import sys
import threading
import time
import zlib

import nats
import nats.errors
import nats.js.errors
import numpy as np
import torch
from nats.js.api import ConsumerConfig, DiscardPolicy, ObjectStoreConfig, RetentionPolicy, StreamConfig

import quintet

from .._quintet import build
from .net import Net
from .server import Server
from .train import Config, Variant

#: The most bytes of an object, and what it may unpack to.
MOST_BYTES = 256 << 20
#: The most samples of a bundle.
MOST_SAMPLES = 1 << 16
#: Seconds between two announcements, and after which a learner that is not heard of is gone.
SIGN, SILENCE = 2.0, 10.0
#: Seconds after which it is said that the server does not do what is asked.
PATIENCE = 5.0
#: Seconds between two looks at what is waited for.
LOOK = 0.2
#: Seconds between two nets.
FRESH = 5.0
#: What an abandoned run leaves goes after a day.
KEPT = 24 * 3600
#: The numbers that a player takes from an announced training, with the smallest and largest value of each: whole ones, but for ``scale``.
BOUNDS = {"channels": (1, 1024), "blocks": (0, 64), "games": (1, 1 << 14), "opening": (0, 100), "scale": (0, 1000.0), "solve_from": (0, 1000), "batch": (1, MOST_SAMPLES)}
#: The most characters of a name in a message, and of what is said about one.
LONGEST = 200
#: What the server answers, or does not, while it is away: the same is tried again.
AWAY = (nats.errors.Error, nats.js.errors.Error, asyncio.TimeoutError, TimeoutError, OSError)
#: A bundle or a net that nobody needs any more.
GONE = (nats.js.errors.ObjectNotFoundError, nats.js.errors.ObjectDeletedError)


def short(why: Exception) -> str:
    """What went wrong, for a person."""
    return (str(why) if isinstance(why, ValueError) else f"{type(why).__name__}: {why}")[:LONGEST]


def name_of(told: object) -> str:
    """A name of a message."""
    if not isinstance(told, str) or not 0 < len(told) <= LONGEST:
        raise ValueError(f"a name must be a text of at most {LONGEST} characters")
    return told


def number_of(name: str, told: object, least: float, most: float) -> float:
    """A number of a message, within its bounds; a whole one where the bounds are whole."""
    kinds = (int, float) if isinstance(most, float) else int
    if isinstance(told, bool) or not isinstance(told, kinds) or not least <= told <= most:
        raise ValueError(f"{name} must be a{'' if isinstance(most, float) else ' whole'} number from {least} to {most}")
    return told


def pack(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as bytes."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return zlib.compress(file.getvalue(), 1)


def unpack(data: bytes) -> dict[str, np.ndarray]:
    """Arrays of somebody else: bounded, and without code.

    >>> unpack(pack({"one": np.ones(2)}))["one"]
    array([1., 1.])
    """
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(data, MOST_BYTES)
        if not unpacker.eof:
            raise ValueError("it is too long, or cut off")
        with np.load(io.BytesIO(plain), allow_pickle=False) as arrays:
            if sum(entry.file_size for entry in arrays.zip.infolist()) > MOST_BYTES:
                raise ValueError("it is too long")
            return {name: arrays[name] for name in arrays.files}
    except Exception as why:  # Readers of strangers' bytes fail in many ways: RecursionError, MemoryError, BadZipFile, SyntaxError and more.
        raise ValueError(f"the arrays cannot be read: {short(why)}") from None


class Bundle:
    """Samples that somebody else has played, with the attributes of `quintet.Samples`."""

    FIELDS = {"packed": np.uint32, "policies": np.float16, "legal": np.uint8, "results": np.float32, "values": np.float32, "moves_left": np.float32}

    def __init__(self, arrays: dict[str, np.ndarray], game: quintet.Game):
        _, rows, columns = game.tensor_shape
        count = len(arrays["results"]) if "results" in arrays else 0
        shapes = {"packed": (count, rows, columns), "policies": (count, game.num_actions), "legal": (count, (game.num_actions + 7) // 8)}
        if not 0 < count <= MOST_SAMPLES or set(arrays) != set(self.FIELDS):
            raise ValueError("it does not have the arrays of a bundle of samples")
        for name, kind in self.FIELDS.items():
            if arrays[name].dtype != kind or arrays[name].shape != shapes.get(name, (count,)):
                raise ValueError(f"{name} has another type or shape")
            if kind not in (np.uint32, np.uint8) and not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name} has values that are not finite")
        self.packed, self.results, self.values, self.moves_left = (arrays[name] for name in ("packed", "results", "values", "moves_left"))
        self.policies = arrays["policies"].astype(np.float32)
        self.legal_mask = np.unpackbits(arrays["legal"], axis=1, count=game.num_actions).astype(bool)
        if abs(self.values).max() > 1.001 or abs(self.results).max() > 1 or self.policies.min() < 0 or self.policies.max() > 1.001:
            raise ValueError("values, results or policies are out of their range")

    def __len__(self) -> int:
        return len(self.results)

    @staticmethod
    def arrays(samples: quintet.Samples) -> dict[str, np.ndarray]:
        return {
            "packed": samples.packed, "policies": samples.policies.astype(np.float16), "legal": np.packbits(samples.legal_mask, axis=1),
            "results": samples.results, "values": samples.values, "moves_left": samples.moves_left,
        }


class Unreachable(Exception):
    """The server is not there, or does not let us in."""


class Stopped(Exception):
    """Nobody waits any more."""


class Bus:
    """A connection to the server, in a thread of its own. Whatever fails is tried again."""

    def __init__(self, server: Server | str):
        self.server, self.loop = Server(server) if isinstance(server, str) else server, asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.do(self._connect())
        self.always("the connection", self._watch)

    def do(self, work, timeout: float = 60.0, stop=lambda: False):
        """Does something on the server and waits for it. It is cancelled when that takes too long, when ``stop`` says so, and by Ctrl-C."""
        doing = asyncio.run_coroutine_threadsafe(work, self.loop)
        end = time.monotonic() + timeout
        try:
            while not concurrent.futures.wait([doing], LOOK).done:
                if stop():
                    raise Stopped
                if time.monotonic() > end:
                    raise TimeoutError(f"no answer in {timeout:g} seconds")
            return doing.result()
        finally:
            doing.cancel()

    def always(self, what: str, work) -> None:
        """Does something beside all else, and again whenever it fails."""

        async def forever():
            while True:
                try:
                    await work()
                except Exception as why:  # Whatever it is, the next time it may be well.
                    self.say(f"{what}: {short(why)}; trying again")
                await asyncio.sleep(SIGN)

        asyncio.run_coroutine_threadsafe(forever(), self.loop)

    def say(self, text: str) -> None:
        """Says something that whoever waits should know."""
        print(text, file=sys.stderr, flush=True)

    async def _watch(self) -> None:
        """Says once that the server is away, when that has lasted a while, and when it is there again. The client connects by itself."""
        since = said = None
        while True:
            now = time.monotonic()
            since = None if self.client.is_connected else since or now
            if since and now - since > PATIENCE and not said:
                said = True
                self.say(f"the server {self.server.public()} is away; trying again until it is there")
            elif said and not since:
                said = None
                self.say(f"the server {self.server.public()} is there again")
            await asyncio.sleep(LOOK)

    async def _connect(self) -> None:
        last = None

        async def quiet(why):
            nonlocal last
            last = why  # The client connects again by itself.

        try:
            options = self.server.options() | {"error_cb": quiet, "connect_timeout": 5}
            # First without trying for ever, which says what is wrong.
            await (await nats.connect(**options, allow_reconnect=False, max_reconnect_attempts=1, reconnect_time_wait=0.1)).close()
            self.client = await nats.connect(**options, max_reconnect_attempts=-1, reconnect_time_wait=0.5)
        except (*AWAY, ValueError) as why:
            raise Unreachable(f"cannot connect to {self.server.public()}: {short(last or why)}. Is `nats-server -js` running there?") from None
        self.stream = self.client.jetstream()

    async def prepare(self) -> None:
        """Makes the stores and the stream of a training, if they are not there."""
        stores = {}
        for bucket in ("quintet-nets", "quintet-samples"):
            try:
                stores[bucket] = await self.stream.object_store(bucket)
            except nats.js.errors.Error:
                stores[bucket] = await self._bounded(bucket)
        # All or nothing: others may be using them, and this may fail while the server is away.
        self.stores = stores
        config = StreamConfig(
            name="quintet-bundles", subjects=["quintet.bundle.*"], retention=RetentionPolicy.WORK_QUEUE, discard=DiscardPolicy.NEW, max_msgs=10_000, max_bytes=1 << 24, max_age=KEPT
        )
        with contextlib.suppress(nats.js.errors.BadRequestError):
            await self.stream.add_stream(config)

    async def _bounded(self, bucket: str):
        room = 1 << 29
        while True:
            try:
                return await self.stream.create_object_store(bucket, config=ObjectStoreConfig(max_bytes=room, ttl=KEPT))
            except nats.js.errors.Error:
                # The server has less room.
                room //= 2
                if room < 1 << 22:
                    raise

    async def put(self, bucket: str, name: str, data: bytes) -> None:
        await self.stores[bucket].put(name, data)

    async def get(self, bucket: str, name: str) -> bytes:
        found = await self.stores[bucket].get_info(name)
        if (found.size or 0) > MOST_BYTES:
            raise ValueError(f"{name} has {found.size} bytes")
        return (await self.stores[bucket].get(name)).data

    async def remove(self, bucket: str, name: str) -> None:
        with contextlib.suppress(nats.js.errors.Error):
            await self.stores[bucket].delete(name)

    def persist(self, work, stop=lambda: False) -> bool:
        """Does something until it succeeds, or ``stop`` says so: then false. ``work`` makes it anew for each attempt."""
        begun, said = time.monotonic(), False
        while True:
            try:
                self.do(work(), stop=stop)
                return True
            except Stopped:
                return False
            except AWAY as why:
                # Whether there is a connection is said by whoever watches it.
                if not said and time.monotonic() - begun > PATIENCE and self.client.is_connected:
                    said = True
                    self.say(f"the server {self.server.public()} does not do what is asked: {short(why)}; trying again until it does")
                if stop():
                    return False
                time.sleep(0.5)
                with contextlib.suppress(Exception):
                    self.do(self.prepare(), stop=stop)


class Learner:
    """What the learning side of a training knows of the others: it publishes nets and hears samples."""

    #: The games are played elsewhere, and are not counted here.
    stats = {"games": 0}

    def __init__(self, server: Server | str, config: Config, report=print):
        self.bus, self.config, self.report = Bus(server), config, report
        about = {name: getattr(config, name) for name in BOUNDS} | {"variants": config.variants, "shares": config.shares}
        self.about = about | {"build": build()}
        self.run = hashlib.sha256(json.dumps([about, config.seed]).encode()).hexdigest()[:32]
        self.games = {spec: quintet.load(spec) for spec in config.variants}
        self.heard = {spec: collections.deque() for spec in config.variants}
        self.taken = collections.deque(maxlen=10_000)
        self.nets, self.published, self.simulations = collections.deque(), 0.0, 0
        #: Says whether the training is to end: then nobody waits for the server.
        self.stop = lambda: False
        self.bus.persist(self.bus.prepare)
        self.bus.always("the announcement of the training", self._announce)
        self.bus.always("the queue of samples", self._hear)

    def variant(self, spec: str, config: Config, device: str) -> "RemoteVariant":
        return RemoteVariant(spec, config, device, self)

    def publish(self, net: Net, simulations: int | None = None) -> None:
        """A net for the players, and how much they search with it."""
        self.simulations = simulations or self.simulations
        data = pack({name: value.float().cpu().numpy() for name, value in net.state_dict().items()})
        # Two learners of one training, or one that was started again, have other names.
        name = f"{self.run}/{time.time_ns()}"
        if not self.bus.persist(lambda: self.bus.put("quintet-nets", name, data), self.stop):
            return
        self.nets.append(name)
        self.published = time.monotonic()
        # A player may be fetching an older one.
        while len(self.nets) > 3:
            old = self.nets.popleft()
            self.bus.persist(lambda: self.bus.remove("quintet-nets", old), self.stop)

    def load(self, net: Net) -> None:
        """The net has learned."""
        if time.monotonic() - self.published > FRESH:
            self.publish(net)

    async def _announce(self) -> None:
        while True:
            if self.nets:
                about = self.about | {"run": self.run, "net": self.nets[-1], "simulations": self.simulations}
                # Where the server is away, nobody can be told: the next time.
                with contextlib.suppress(*AWAY):
                    await self.bus.client.publish(f"quintet.zero.{self.run}", json.dumps(about).encode())
            await asyncio.sleep(SIGN)

    async def _hear(self) -> None:
        """Takes bundles from the queue, for ever, but not more than can be learned from."""
        while True:
            # An empty queue is silent, as is a server that is away.
            with contextlib.suppress(*AWAY):
                await self.bus.prepare()
                bundles = await self.bus.stream.pull_subscribe(
                    f"quintet.bundle.{self.run}", durable=self.run, stream="quintet-bundles", config=ConsumerConfig(ack_wait=30, inactive_threshold=KEPT)
                )
                while True:
                    for message in await bundles.fetch(8, timeout=SIGN):
                        await self._take(message)
                    while sum(map(len, self.heard.values())) > 16:
                        await asyncio.sleep(0.1)
            await asyncio.sleep(LOOK)

    async def _take(self, message) -> None:
        """Takes a bundle or throws it away. Whatever it holds, it is acknowledged, unless the server is away."""
        name = None
        try:
            told = json.loads(message.data)
            spec = self.config.variants[number_of("variant", told["variant"], 0, len(self.config.variants) - 1)]
            # Other runs' objects must not be read or deleted.
            if not name_of(told["object"]).startswith(f"{self.run}/"):
                raise ValueError("it belongs to another run")
            name = told["object"]
            # The queue brings a bundle again if the server went away before it knew that the first one had come.
            if name not in self.taken:
                self.heard[spec].append(Bundle(unpack(await self.bus.get("quintet-samples", name)), self.games[spec]))
                self.taken.append(name)
        except GONE:
            # Only a learner removes a bundle, after it has taken it: this run has, before it was started again.
            name = None
        except AWAY:
            raise
        except Exception as why:
            self.report(f"a bundle of samples is thrown away: {short(why)}")
        await message.ack()
        if name:
            await self.bus.remove("quintet-samples", name)

    def take(self, spec: str) -> Bundle | None:
        """Samples of a variant, if some come in a moment."""
        end = time.monotonic() + 0.2
        while not self.heard[spec]:
            if time.monotonic() > end:
                return None
            time.sleep(0.01)
        return self.heard[spec].popleft()


class RemoteVariant(Variant):
    """A board whose games are played elsewhere."""

    def __init__(self, spec: str, config: Config, device: str, learner: Learner):
        super().__init__(spec, config, device)
        self.learner = self.play = self.evaluator = learner

    def begin(self, net: Net, simulations: int, seed: int) -> None:
        self.learner.publish(net, simulations)

    def samples(self) -> Bundle | None:
        return self.learner.take(self.spec)


class Player:
    """Plays for the learners that it hears of, one after the other, until it is stopped."""

    def __init__(self, server: Server | str, threads: int = 0, device: str | None = None, report=print):
        self.bus, self.threads, self.report = Bus(server), threads, report
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.name = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(2).hex()}"[-100:]
        self.asked, self.at, self.bundles = None, 0.0, 0
        #: What was refused lately: each thing is said once.
        self.refused = collections.deque(maxlen=100)
        self.bus.persist(self.bus.prepare)
        self.bus.do(self._listen())
        self.bus.always("what this player tells of itself", self._tell)

    async def _tell(self) -> None:
        """Says who this is, for `quintet cluster status`, for ever."""
        while True:
            asked = self.asked if time.monotonic() - self.at < SILENCE else None
            about = {"player": self.name, "build": build(), "run": asked and asked["run"], "bundles": self.bundles}
            with contextlib.suppress(*AWAY):
                await self.bus.client.publish(f"quintet.player.{self.name.replace('.', '-')}", json.dumps(about).encode())
            await asyncio.sleep(SIGN)

    async def _listen(self) -> None:
        async def heard(message):
            try:
                asked = self.check(json.loads(message.data))
            except Exception as why:  # Nothing that is announced may end a player.
                self.refuse("an announcement", short(why))
                return
            if asked and (self.asked is None or asked["run"] == self.asked["run"] or time.monotonic() - self.at > SILENCE):
                self.asked, self.at = asked, time.monotonic()

        await self.bus.client.subscribe("quintet.zero.*", cb=heard)

    def refuse(self, what: str, why: str) -> None:
        """Says why something is not played for, once."""
        if (what, why) not in self.refused:
            self.refused.append((what, why))
            self.report(f"does not play for {what}: {why}")

    def check(self, told: dict) -> dict | None:
        """What was announced, if it can be played here."""
        run, ours = name_of(told["run"]), build()
        if told["build"] != ours:
            self.refuse(run[:8], f"it is of quintet {name_of(told['build'])}, and this is {ours}; install the same version on both machines")
            return None
        asked = {name: told[name] if name == "solve_from" and told[name] is None else number_of(name, told[name], *bounds) for name, bounds in BOUNDS.items()}
        variants, shares = (told[name] if isinstance(told[name], list) else [] for name in ("variants", "shares"))
        if not 1 <= len(variants) <= 16 or len(shares) not in (0, len(variants)) or not name_of(told["net"]).startswith(f"{run}/"):
            raise ValueError("it needs 1 to 16 variants, as many shares or none, and a net of its own")
        if len({quintet.load(name_of(spec)).name for spec in variants}) > 1:
            raise ValueError("its variants must be of one game")
        asked |= {"variants": tuple(variants), "shares": tuple(number_of("shares", share, 1e-6, 1e6) for share in shares)}
        made = {"run": run, "simulations": number_of("simulations", told["simulations"], 1, 4096), "config": asked}
        # What could not be made once is not made again.
        return None if ("made", repr(made)) in self.refused else made | {"net": told["net"]}

    def run(self, stop=lambda: False) -> None:
        """Plays until ``stop`` says so."""
        made = play = None
        while not stop():
            asked = self.asked
            if asked is None or time.monotonic() - self.at > SILENCE:
                time.sleep(0.1)
                continue
            wanted = {name: value for name, value in asked.items() if name != "net"}
            try:
                if made != wanted:
                    made, play = wanted, Play(self, asked)
                play.turn(asked["net"], stop)
            except Exception as why:  # A training that cannot be played leaves the player to the others.
                self.refuse(asked["run"][:8], short(why))
                self.refused.append(("made", repr(wanted)))
                self.asked = made = play = None

    def fetch(self, net: Net, name: str) -> bool:
        """Loads a net of the server; false if it is not there any more."""
        try:
            arrays = unpack(self.bus.do(self.bus.get("quintet-nets", name)))
            net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            return True
        except AWAY:
            pass
        except Exception as why:
            self.refuse("a net", short(why))
        time.sleep(0.5)
        return False

    def bring(self, run: str, variant: int, samples: quintet.Samples, stop) -> None:
        self.bundles += 1
        name, data = f"{run}/{self.name}-{self.bundles}", pack(Bundle.arrays(samples))
        told = json.dumps({"variant": variant, "object": name, "player": self.name}).encode()

        async def send():
            await self.bus.put("quintet-samples", name, data)
            await self.bus.stream.publish(f"quintet.bundle.{run}", told)

        self.bus.persist(send, stop)


class Play:
    """The games that a player plays for a training."""

    def __init__(self, player: Player, asked: dict):
        self.player, self.run, self.simulations, self.version = player, asked["run"], asked["simulations"], None
        # The samples go elsewhere: no window is needed.
        config = Config(**asked["config"], threads=player.threads, window=1)
        self.variants = [Variant(spec, config, player.device) for spec in config.variants]
        self.net = Net.for_game(self.variants[0].game, config.channels, config.blocks).to(player.device)
        self.shares = config.shares or (1.0,) * len(self.variants)
        self.turns = [0.0] * len(self.variants)

    def turn(self, version: str, stop) -> None:
        """Plays on, with the newest net, on the board whose turn it is."""
        if self.version != version:
            if not self.player.fetch(self.net, version):
                return
            for variant in self.variants:
                if variant.play is None:
                    variant.begin(self.net, self.simulations, int.from_bytes(os.urandom(6)))
                variant.evaluator.load(self.net)
            self.version = version
        self.turns = [turn + share for turn, share in zip(self.turns, self.shares)]
        number = self.turns.index(max(self.turns))
        self.turns[number] -= sum(self.shares)
        samples = self.variants[number].samples()
        if samples is not None:
            self.player.bring(self.run, number, samples, stop)
