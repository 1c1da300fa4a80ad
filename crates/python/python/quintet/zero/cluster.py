"""Self-play on many machines, by way of a NATS server: players fetch the net and bring samples, and one learner learns from them.

Nets and samples are objects of the server's store: nets have versions, and players fetch the newest; a bundle of samples is deleted when it was learned from. A player owns
nothing and may be killed at any time. The learner keeps what it has learned in its folder. Objects are arrays, never code, and are checked before they are used.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import hashlib
import importlib.metadata
import io
import json
import os
import socket
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

from .net import Net
from .train import Config, Variant

#: The most bytes of an object, and what it may unpack to.
MOST_BYTES = 256 << 20
#: The most samples of a bundle.
MOST_SAMPLES = 1 << 16
#: Seconds between two announcements, and after which a learner that is not heard of is gone.
SIGN, SILENCE = 2.0, 10.0
#: Seconds between two nets.
FRESH = 5.0
#: What an abandoned run leaves goes after a day.
KEPT = 24 * 3600
#: What a player takes of an announced training, with the largest value of each.
BOUNDS = {"channels": 1024, "blocks": 64, "games": 1 << 14, "opening": 100, "scale": 1000.0, "solve_from": 1000, "batch": MOST_SAMPLES}


def build() -> str:
    """Which package this is: learner and players must have the same."""
    return importlib.metadata.version("quintet")


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
    except (zlib.error, OSError, EOFError, KeyError, ValueError) as why:
        raise ValueError(f"these are no arrays: {why}") from None


class Bundle:
    """Samples that somebody else has played, with the attributes of `quintet.Samples`."""

    FIELDS = {"packed": np.uint32, "policies": np.float16, "legal": np.uint8, "results": np.float32, "values": np.float32, "moves_left": np.float32}

    def __init__(self, arrays: dict[str, np.ndarray], game: quintet.Game):
        _, rows, columns = game.tensor_shape
        count = len(arrays["results"]) if "results" in arrays else 0
        shapes = {"packed": (count, rows, columns), "policies": (count, game.num_actions), "legal": (count, (game.num_actions + 7) // 8)}
        if not 0 < count <= MOST_SAMPLES or set(arrays) != set(self.FIELDS):
            raise ValueError("this is no bundle of samples")
        for name, kind in self.FIELDS.items():
            if arrays[name].dtype != kind or arrays[name].shape != shapes.get(name, (count,)):
                raise ValueError(f"{name}: an array of another form")
            if kind not in (np.uint32, np.uint8) and not np.isfinite(arrays[name]).all():
                raise ValueError(f"{name}: not all are numbers")
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


class Bus:
    """A connection to the server, in a thread of its own. Whatever fails is tried again."""

    def __init__(self, url: str):
        self.url, self.loop = url, asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.do(self._connect())

    def do(self, work, timeout: float = 60.0):
        """Does something on the server and waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout)

    async def _connect(self) -> None:
        async def quiet(_why):
            pass  # The client connects again by itself.

        self.client = await nats.connect(self.url, max_reconnect_attempts=-1, reconnect_time_wait=0.5, error_cb=quiet, connect_timeout=5)
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

    def persist(self, work, stop=lambda: False):
        """Does something until it succeeds; ``work`` makes it anew for each attempt."""
        while True:
            try:
                return self.do(work())
            except (nats.errors.Error, nats.js.errors.Error, asyncio.TimeoutError, TimeoutError, OSError):
                if stop():
                    return None
                time.sleep(0.5)
                with contextlib.suppress(Exception):
                    self.do(self.prepare())


class Learner:
    """What the learning side of a training knows of the others: it publishes nets and hears samples."""

    #: The games are played elsewhere, and are not counted here.
    stats = {"games": 0}

    def __init__(self, url: str, config: Config, report=print):
        self.bus, self.config, self.report = Bus(url), config, report
        about = {name: getattr(config, name) for name in BOUNDS} | {"variants": config.variants, "shares": config.shares}
        self.about = about | {"build": build()}
        self.run = hashlib.sha256(json.dumps([about, config.seed]).encode()).hexdigest()[:32]
        self.games = {spec: quintet.load(spec) for spec in config.variants}
        self.heard = {spec: collections.deque() for spec in config.variants}
        self.taken = collections.deque(maxlen=10_000)
        self.nets, self.published, self.simulations = collections.deque(), 0.0, 0
        self.bus.persist(self.bus.prepare)
        asyncio.run_coroutine_threadsafe(self._announce(), self.bus.loop)
        asyncio.run_coroutine_threadsafe(self._hear(), self.bus.loop)

    def variant(self, spec: str, config: Config, device: str) -> "RemoteVariant":
        return RemoteVariant(spec, config, device, self)

    def publish(self, net: Net, simulations: int | None = None) -> None:
        """A net for the players, and how much they search with it."""
        self.simulations = simulations or self.simulations
        data = pack({name: value.float().cpu().numpy() for name, value in net.state_dict().items()})
        # Two learners of one training, or one that was started again, have other names.
        name = f"{self.run}/{time.time_ns()}"
        self.bus.persist(lambda: self.bus.put("quintet-nets", name, data))
        self.nets.append(name)
        self.published = time.monotonic()
        # A player may be fetching an older one.
        while len(self.nets) > 3:
            old = self.nets.popleft()
            self.bus.persist(lambda: self.bus.remove("quintet-nets", old))

    def load(self, net: Net) -> None:
        """The net has learned."""
        if time.monotonic() - self.published > FRESH:
            self.publish(net)

    async def _announce(self) -> None:
        while True:
            if self.nets:
                about = self.about | {"run": self.run, "net": self.nets[-1], "simulations": self.simulations}
                with contextlib.suppress(nats.errors.Error):
                    await self.bus.client.publish(f"quintet.zero.{self.run}", json.dumps(about).encode())
            await asyncio.sleep(SIGN)

    async def _hear(self) -> None:
        """Takes bundles from the queue, for ever, but not more than can be learned from."""
        while True:
            try:
                await self.bus.prepare()
                bundles = await self.bus.stream.pull_subscribe(
                    f"quintet.bundle.{self.run}", durable=self.run, stream="quintet-bundles", config=ConsumerConfig(ack_wait=30, inactive_threshold=KEPT)
                )
                while True:
                    for message in await bundles.fetch(8, timeout=SIGN):
                        await self._take(message)
                    while sum(map(len, self.heard.values())) > 16:
                        await asyncio.sleep(0.1)
            except (nats.errors.Error, nats.js.errors.Error, asyncio.TimeoutError, OSError):
                await asyncio.sleep(0.2)

    async def _take(self, message) -> None:
        name = None
        try:
            told = json.loads(message.data)
            spec, name = self.config.variants[int(told["variant"])], str(told["object"])
            if not name.startswith(f"{self.run}/"):
                name = None
                raise ValueError("it is of another run")
            # The queue brings a bundle again if the server went away before it knew that the first one had come.
            if name not in self.taken:
                self.heard[spec].append(Bundle(unpack(await self.bus.get("quintet-samples", name)), self.games[spec]))
                self.taken.append(name)
        except (nats.js.errors.ObjectNotFoundError, nats.js.errors.ObjectDeletedError):
            # Only a learner removes a bundle, after it has taken it: this run has, before it was started again.
            name = None
        except (ValueError, KeyError, IndexError, TypeError) as why:
            self.report(f"a bundle of samples is thrown away: {str(why)[:200]}")
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

    def __init__(self, url: str, threads: int = 0, device: str | None = None, report=print):
        self.bus, self.threads, self.report = Bus(url), threads, report
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.name = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(2).hex()}"
        self.asked, self.at, self.refused, self.bundles = None, 0.0, set(), 0
        self.bus.persist(self.bus.prepare)
        self.bus.do(self._listen())

    async def _listen(self) -> None:
        async def heard(message):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                told = json.loads(message.data)
                asked = self.check(told)
                if asked and (self.asked is None or asked["run"] == self.asked["run"] or time.monotonic() - self.at > SILENCE):
                    self.asked, self.at = asked, time.monotonic()

        await self.bus.client.subscribe("quintet.zero.*", cb=heard)

    def check(self, told: dict) -> dict | None:
        """What was announced, if it can be played here."""
        run, ours = str(told["run"])[:32], build()
        if told["build"] != ours:
            if run not in self.refused:
                self.refused.add(run)
                self.report(f"does not play for {run[:8]}: it is of quintet {str(told['build'])[:40]}, and this is {ours}; install the same version on both machines")
            return None
        asked = {name: told[name] for name in BOUNDS}
        for name, most in BOUNDS.items():
            if asked[name] is not None and not 0 <= asked[name] <= most:
                raise ValueError(f"{name}: at most {most}")
        if not 1 <= int(told["simulations"]) <= 4096 or not 1 <= len(told["variants"]) <= 16 or not str(told["net"]).startswith(f"{run}/"):
            raise ValueError("simulations, variants or net")
        asked |= {"variants": tuple(map(str, told["variants"])), "shares": tuple(map(float, told["shares"]))}
        return {"run": run, "net": str(told["net"]), "simulations": int(told["simulations"]), "config": asked}

    def run(self, stop=lambda: False) -> None:
        """Plays until ``stop`` says so."""
        key = variants = version = net = None
        while not stop():
            asked = self.asked
            if asked is None or time.monotonic() - self.at > SILENCE:
                time.sleep(0.1)
                continue
            if key != (asked["run"], asked["simulations"]):
                # The samples go elsewhere: no window is needed.
                config = Config(**asked["config"], threads=self.threads, window=1)
                variants = [Variant(spec, config, self.device) for spec in config.variants]
                net = Net.for_game(variants[0].game, config.channels, config.blocks).to(self.device)
                shares = config.shares or (1.0,) * len(variants)
                turns, version, key = [0.0] * len(variants), None, (asked["run"], asked["simulations"])
            if version != asked["net"]:
                if not self.fetch(net, asked["net"]):
                    continue
                for variant in variants:
                    if variant.play is None:
                        variant.begin(net, asked["simulations"], int.from_bytes(os.urandom(6)))
                    variant.evaluator.load(net)
                version = asked["net"]
            turns = [turn + share for turn, share in zip(turns, shares)]
            number = turns.index(max(turns))
            turns[number] -= sum(shares)
            samples = variants[number].samples()
            if samples is not None:
                self.bring(asked["run"], number, samples, stop)

    def fetch(self, net: Net, name: str) -> bool:
        """Loads a net of the server; false if it is not there any more."""
        try:
            arrays = unpack(self.bus.do(self.bus.get("quintet-nets", name)))
            net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            return True
        except (ValueError, RuntimeError, nats.errors.Error, nats.js.errors.Error, asyncio.TimeoutError, TimeoutError, OSError):
            time.sleep(0.2)
            return False

    def bring(self, run: str, variant: int, samples: quintet.Samples, stop) -> None:
        self.bundles += 1
        name, data = f"{run}/{self.name}-{self.bundles}", pack(Bundle.arrays(samples))
        told = json.dumps({"variant": variant, "object": name, "player": self.name}).encode()

        async def send():
            await self.bus.put("quintet-samples", name, data)
            await self.bus.stream.publish(f"quintet.bundle.{run}", told)

        self.bus.persist(send, stop)
