"""``python -m quintet.zero GAME --out FOLDER``: trains a net by self-play, or goes on with a run."""

import argparse
import dataclasses
import math

from .train import Config, Training


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m quintet.zero", description="Train a net by self-play. A stopped run goes on with the same command.")
    parser.add_argument("game", help="a game, as in 'twixt(size=12)'")
    parser.add_argument("--out", required=True, help="the folder of the run")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so many minutes and keep everything that is needed to go on")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    defaults = Config("")
    for field in dataclasses.fields(Config)[1:]:
        default = getattr(defaults, field.name)
        option = "--" + field.name.replace("_", "-")
        if field.name == "simulations":
            parser.add_argument(option, type=int, nargs=2, default=default, metavar=("FIRST", "LAST"), help=f"simulations per action at the beginning and at the end (default: {default[0]} {default[1]})")
        else:
            kind = float if isinstance(default, float) else int
            parser.add_argument(option, type=kind, default=default, help=f"(default: {default})")
    args = vars(parser.parse_args())
    out, minutes, device = (args.pop(name) for name in ("out", "minutes", "device"))
    args["simulations"] = tuple(args["simulations"])
    try:
        training = Training(Config(**args), out, device)
    except ValueError as error:
        parser.error(str(error))
    try:
        training.run(minutes)
    except KeyboardInterrupt:
        training.save()
        print(f"stopped; what was learned is kept in {out}. The same command goes on.")


if __name__ == "__main__":
    main()
