"""``python -m quintet.zero.player --cluster URL``: plays for trainings on other machines (``python -m quintet.zero GAME --out FOLDER --cluster URL``)."""

import argparse

from .server import Server


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m quintet.zero.player", description="Play games for trainings on other machines. It may be stopped at any time.")
    Server.arguments(parser, "the NATS server", required=True)
    parser.add_argument("--threads", type=int, default=0, help="threads that walk the trees (default: all cores)")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    args = vars(parser.parse_args())
    try:
        from .cluster import Player, Unreachable
    except ModuleNotFoundError as why:
        parser.error(f"players need PyTorch and nats-py (pip install nats-py): {why}")
    try:
        Player(Server.taken_from(args), args["threads"], args["device"]).run()
    except Unreachable as why:
        parser.exit(1, f"{why}\n")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
