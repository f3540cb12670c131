"""`python -m benchmarks NAME`: run a benchmark, or write the page of all results."""

from __future__ import annotations

import argparse
import sys

from .processes.children import use_one_thread
from .registry import COMMANDS, load_benchmark


def main(arguments: list[str]) -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name in arguments[:1]:
            load_benchmark(name).add_arguments(command)
    args = parser.parse_args(arguments)
    use_one_thread()
    load_benchmark(args.name).run(args)


if __name__ == "__main__":
    main(sys.argv[1:])
