"""What the tests share."""

import os
import random
import signal
import tempfile

import pytest

# Nobody's own agents and games.
os.environ["QUINTET_DATA"] = tempfile.mkdtemp(prefix="quintet-tests-")

# Small arrays are faster in one thread, above all beside other programs.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# A program that is started in the background may have been told to ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

import quintet

#: Every game, every option at least once, and the sizes of TwixT that are different types in Rust.
SPECS = [
    "pathwayz",
    "pathwayz(rows=3,cols=5)",
    "pylos",
    "pylos(rules=children,end=spent)",
    "pylos(rules=expert,takeback=free)",
    "pylos(rules=expert-diag)",
    "twixt(size=5)",
    "twixt(size=8,rules=paper)",
    "twixt(size=8,rules=pp,swap=turn)",
    "twixt(size=12,swap=off)",
    "twixt(size=24)",
    "pentago",
    "pentago(rules=turn-first)",
    "pentago-twist",
]


@pytest.fixture(params=SPECS)
def spec(request):
    return request.param


def random_states(spec, seed, games=1):
    """States of random games, one after another, half-made moves included: always the same object, which the caller may not change."""
    rng = random.Random(seed)
    for _ in range(games):
        state = quintet.load(spec).start()
        while not state.is_over():
            yield state
            state.play(rng.choice(state.legal_actions()))
        yield state
