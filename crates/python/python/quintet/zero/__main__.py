"""``python -m quintet.zero GAME --out FOLDER``: trains a net by self-play, or goes on with a run."""

import argparse
import dataclasses
import math
import signal

from .server import Server
from .train import Config, Training, Variant


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m quintet.zero", description="Train a net by self-play. A stopped run goes on with the same command, or with other boards.",
        epilog="Example: python -m quintet.zero 'twixt(size=8)' 'twixt(size=12)' --out run --minutes 60 --piece 10",
    )
    parser.add_argument("variants", nargs="+", metavar="game", help="a game, as in 'twixt(size=12)', or several variants of one")
    parser.add_argument("--out", required=True, help="the folder of the run")
    parser.add_argument("--piece", type=float, default=math.inf, metavar="MINUTES", help="stop after this many minutes and keep everything that is needed to go on")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    Server.arguments(parser, "let players on other machines play (python -m quintet.zero.player), by way of this NATS server")
    defaults = Config(())
    kinds = {"solve_from": int}
    for field in dataclasses.fields(Config)[1:]:
        default = getattr(defaults, field.name)
        option = "--" + field.name.replace("_", "-")
        if field.name == "simulations":
            parser.add_argument(option, type=int, nargs=2, default=default, metavar=("FIRST", "LAST"), help=f"simulations per action at the beginning and at the end (default: {default[0]} {default[1]})")
        elif field.name == "shares":
            parser.add_argument(option, type=float, nargs="+", default=default, help="each variant's share of the games (default: equal ones)")
        elif field.name == "students":
            parser.add_argument(option, nargs="+", default=default, metavar="BLOCKSxCHANNELS", help="nets of other sizes that learn beside the one that plays, such as 4x32 6x32; they are exported too")
        elif isinstance(default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=kinds.get(field.name, type(default)), default=default, help=f"(default: {default})")
    args = vars(parser.parse_args())
    server = Server.taken_from(args)
    out, piece, device = (args.pop(name) for name in ("out", "piece", "device"))
    args.update({name: tuple(args[name]) for name in ("variants", "students", "simulations", "shares")})
    config = Config(**args)
    variant, learner = Variant, None
    if server:
        try:
            from .cluster import Learner, Unreachable
        except ModuleNotFoundError as why:
            parser.error(f"--cluster needs nats-py (pip install nats-py): {why}")
        try:
            learner = Learner(server, config)
            variant = learner.variant
        except Unreachable as why:
            parser.exit(1, f"{why}\n")
    try:
        training = Training(config, out, device, variant)
    except ValueError as error:
        parser.error(str(error))

    if learner:
        learner.stop = lambda: training.stopping

    def stop(number, _frame) -> None:
        training.stopping = True
        # A second one ends the program as usual.
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    training.run(piece)
    if training.stopping:
        print(f"stopped; what was learned is kept in {out}. The same command goes on.")


if __name__ == "__main__":
    main()
