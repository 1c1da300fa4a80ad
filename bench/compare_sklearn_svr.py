#!/usr/bin/env python3
"""Compare our support vector regression with scikit-learn's (libsvm) on the same data.

`quintet train pylos:svm` keeps the boards that it learned from in checkpoint.json of its run's folder, and writes a file of
weights. This script trains scikit-learn's SVR on these boards, and predicts with both machines: on the boards of the
training, and on those that were held apart. Our predictions are made here from the numbers in the file, by the formula.

  python3 bench/compare_sklearn_svr.py RUN [WEIGHTS]

WEIGHTS is the newest file of RUN/snapshots unless it is named. scikit-learn goes into bench/.venv on the first run.

exit codes: 0 the machines agree; 1 they differ by more than --most anywhere; 2 bad usage; 3 could not install or read
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
import venv
from pathlib import Path

SKLEARN = "1.9.1"
HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
KERNELS = {0: "linear", 1: "poly", 2: "rbf", 3: "sigmoid"}


def fail(text: str) -> None:
    print(f"compare_sklearn_svr: {text}", file=sys.stderr)
    sys.exit(3)


def in_venv() -> None:
    """Runs this script again inside the virtual environment, which is made if it is not there."""
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    try:
        if not python.exists():
            venv.create(VENV, with_pip=True)
        known = subprocess.run([python, "-c", "import sklearn; print(sklearn.__version__)"], capture_output=True, text=True)
        if known.stdout.strip() != SKLEARN:
            subprocess.run([python, "-m", "pip", "install", "-q", f"scikit-learn=={SKLEARN}"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"scikit-learn {SKLEARN} could not be installed into {VENV}: {error}")
    sys.exit(subprocess.run([python, *sys.argv]).returncode)


def boards(numbers, np):
    """Sixty columns of 0 and 1: bit n of a board is column n."""
    return np.array([[number >> bit & 1 for bit in range(60)] for number in numbers], dtype=float)


def ours(values: dict, x, np):
    """The machine of a file of weights, by the formula."""
    lists = {name: np.atleast_1d(values[name]) for name in ("mine", "yours", "coefficients")}
    vectors = boards([int(mine) | int(yours) << 30 for mine, yours in zip(lists["mine"], lists["yours"])], np)
    gamma, kernel = values["gamma"], KERNELS[int(values["kernel"])]
    product = x @ vectors.T
    if kernel == "rbf":
        alike = np.exp(-gamma * ((x**2).sum(1)[:, None] + (vectors**2).sum(1)[None, :] - 2 * product))
    else:
        alike = {"linear": product, "poly": (gamma * product) ** 3, "sigmoid": np.tanh(gamma * product)}[kernel]
    return alike @ lists["coefficients"] + values["bias"], kernel, len(vectors)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder of a run of pylos:svm")
    parser.add_argument("weights", type=Path, nargs="?", help="the weights that it made")
    parser.add_argument("--most", type=float, default=0.02, help="the largest difference that is allowed (%(default)s)")
    args = parser.parse_args()
    in_venv()

    import numpy as np
    from sklearn.svm import SVR

    try:
        config = json.loads((args.run / "config.json").read_text())["with"]
        state = json.loads((args.run / "checkpoint.json").read_text())["state"]
        weights = args.weights or max((args.run / "snapshots").glob("*.toml"))
        values = tomllib.loads(weights.read_text())["values"]
    except (OSError, ValueError, KeyError) as error:
        fail(f"{args.run} is not a run that has learned: {error}")
    sets = {}
    for name in ("training", "validation"):
        kept = state[name]["kept"]
        sets[name] = boards([sample["board"] for sample in kept], np), np.array([sample["target"] for sample in kept])

    x, y = sets["training"]
    _, kernel, count = ours(values, x[:1], np)
    parameters = {"C": config.get("c", 1.0), "epsilon": config.get("epsilon", 0.2), "tol": config.get("tolerance", 1e-3)}
    start = time.process_time()
    machine = SVR(kernel=kernel, gamma=values["gamma"], degree=3, coef0=0.0, **parameters).fit(x, y)
    seconds = time.process_time() - start
    distinct = len({tuple(vector) for vector in machine.support_vectors_})
    print(f"scikit-learn {SKLEARN}: {len(machine.support_)} support vectors, {distinct} distinct, in {seconds:.1f} CPU s; ours: {count} distinct")
    print(f"{'boards':<12} {'n':>5} {'largest difference':>19} {'mean difference':>16} {'R2 theirs':>10} {'R2 ours':>9}")
    worst = 0.0
    for name, (x, y) in sets.items():
        theirs, mine = machine.predict(x), ours(values, x, np)[0]
        apart = np.abs(theirs - mine)
        worst = max(worst, apart.max())
        r2 = [1 - ((predicted - y) ** 2).sum() / ((y - y.mean()) ** 2).sum() for predicted in (theirs, mine)]
        print(f"{name:<12} {len(y):>5} {apart.max():>19.2e} {apart.mean():>16.2e} {r2[0]:>10.4f} {r2[1]:>9.4f}")
    return int(worst > args.most)


if __name__ == "__main__":
    sys.exit(main())
