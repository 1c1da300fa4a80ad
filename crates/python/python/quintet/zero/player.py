"""``python -m quintet.zero.player --cluster URL``: plays for trainings on other machines (``python -m quintet.zero GAME --out FOLDER --cluster URL``)."""

import argparse


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m quintet.zero.player", description="Play games for trainings on other machines. It may be stopped at any time.")
    parser.add_argument("--cluster", required=True, metavar="URL", help="the NATS server, as in nats://HOST:4222")
    parser.add_argument("--threads", type=int, default=0, help="threads that walk the trees (default: all cores)")
    parser.add_argument("--device", help="cpu or cuda (default: cuda where there is one)")
    args = parser.parse_args()
    from .cluster import Player

    try:
        Player(args.cluster, args.threads, args.device).run()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
