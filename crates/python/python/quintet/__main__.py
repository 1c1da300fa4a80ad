"""The command ``quintet``: the same program as the binary, page included."""

import signal
import sys

from ._quintet import main as run


def main() -> int:
    """Runs the command line and gives its exit code."""
    # The program handles Ctrl-C itself. Python's own handler would wait for the next line of Python, which never comes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run([sys.argv[0] if sys.argv else "quintet", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
