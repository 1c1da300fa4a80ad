"""``python -m quintet.zero GAME --out FOLDER``: trains a net by self-play, or goes on with a run."""

import argparse
import dataclasses
import math

from .train import Config, Training, Variant


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m quintet.zero", description="Train a net by self-play. A stopped run goes on with the same command, or with other boards.",
        epilog="Example: python -m quintet.zero 'twixt(size=8)' 'twixt(size=12)' --out run --minutes 60 --piece 10",
    )
    parser.add_argument("variants", nargs="+", metavar="game", help="a game, as in 'twixt(size=12)', or several variants of one")
    parser.add_argument("--out", required=True, help="the folder of the run")
    parser.add_argument("--piece", type=float, default=math.inf, metavar="MINUTES", help="stop after so many minutes and keep everything that is needed to go on")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    parser.add_argument("--cluster", metavar="URL", help="let players on other machines play (python -m quintet.zero.player), by way of the NATS server there")
    defaults = Config(())
    kinds = {"solve_from": int}
    for field in dataclasses.fields(Config)[1:]:
        default = getattr(defaults, field.name)
        option = "--" + field.name.replace("_", "-")
        if field.name == "simulations":
            parser.add_argument(option, type=int, nargs=2, default=default, metavar=("FIRST", "LAST"), help=f"simulations per action at the beginning and at the end (default: {default[0]} {default[1]})")
        elif field.name == "shares":
            parser.add_argument(option, type=float, nargs="+", default=default, help="each variant's share of the games (default: equal ones)")
        elif isinstance(default, bool):
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=kinds.get(field.name, type(default)), default=default, help=f"(default: {default})")
    args = vars(parser.parse_args())
    out, piece, device, cluster = (args.pop(name) for name in ("out", "piece", "device", "cluster"))
    args.update({name: tuple(args[name]) for name in ("variants", "simulations", "shares")})
    config = Config(**args)
    variant = Variant
    if cluster:
        from .cluster import Learner

        variant = Learner(cluster, config).variant
    try:
        training = Training(config, out, device, variant)
    except ValueError as error:
        parser.error(str(error))
    try:
        training.run(piece)
    except KeyboardInterrupt:
        training.save()
        print(f"stopped; what was learned is kept in {out}. The same command goes on.")


if __name__ == "__main__":
    main()
