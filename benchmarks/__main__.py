"""`python -m benchmarks NAME`: run a benchmark, or write the page of all results."""

from __future__ import annotations

import argparse
import sys

from .command.registry import BENCHMARKS, COMMANDS, load_benchmark
from .comparisons.comparison import is_installed
from .processes.children import use_one_thread

# What the extra brings, and what to say without it.
EXTRA = {"matplotlib", "nltk", "pycrfsuite", "ufal"}
NO_EXTRA = "{name} is not installed: pip install 'spacy-perceptron[benchmarks]'"


def main(arguments: list[str]) -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name in arguments[:1]:
            load_benchmark(name).add_arguments(command)
    args = parser.parse_args(arguments)
    if (args.name in BENCHMARKS or getattr(args, "plots", False)) and not is_installed(
        "matplotlib"
    ):
        sys.exit(NO_EXTRA.format(name="matplotlib"))
    use_one_thread()
    try:
        load_benchmark(args.name).run(args)
    except ImportError as error:
        # Without a name, it says itself what is missing.
        if error.name and error.name.split(".")[0] not in EXTRA:
            raise
        sys.exit(NO_EXTRA.format(name=error.name) if error.name else str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
