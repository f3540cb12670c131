"""Command line options that all benchmarks share."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .paths import RESULTS


def add_common_arguments(parser: argparse.ArgumentParser, groups: Sequence[str]) -> None:
    """Add the shared options.

    parser (argparse.ArgumentParser): where to add them.
    groups (Sequence[str]): the groups of systems that `--only` chooses from.
    """
    parser.add_argument("--data", type=Path, help="directory of the treebanks")
    parser.add_argument("--output", type=Path, help="directory of the results")
    parser.add_argument("--work", type=Path, help="directory of corpora and models (default: temp)")
    parser.add_argument(
        "--reuse", action="store_true", help="keep what is already trained in --work"
    )
    parser.add_argument("--train-only", action="store_true", help="train, but measure nothing")
    parser.add_argument("--quick", action="store_true", help="small run of two or three minutes")
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=list(groups),
        metavar=",".join(groups),
        help="systems to compare (default: all)",
    )


def add_training_arguments(parser: argparse.ArgumentParser, target: float, score: str) -> None:
    """Add the options that say how long to train.

    parser (argparse.ArgumentParser): where to add them.
    target (float): the default of `--target`.
    score (str): the score that has to reach it.
    """
    add_spacy_limits(parser)
    parser.add_argument("--target", type=float, default=target, help=f"{score} on dev to reach")
    parser.set_defaults(default_target=target)


def add_spacy_limits(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how long to train spaCy's pipelines."""
    parser.add_argument(
        "--max-minutes-spacy", type=float, default=0.0, help="CPU minutes; 0: no limit"
    )
    parser.add_argument("--max-steps-spacy", type=int, default=0, help="0: no limit")


def option_name(name: str) -> str:
    """The command line option of an experiment."""
    return f"--{name.replace('_', '-')}"


def command_words(name: str, args: argparse.Namespace, groups: Sequence[str]) -> list[str]:
    """The command that repeats a run, without options that only name directories.

    name (str): the benchmark.
    args (argparse.Namespace): its options.
    groups (Sequence[str]): the groups that are compared unless `--only` says otherwise.
    RETURNS (list[str]): the words of the command.
    """
    words = ["python", "-m", "benchmarks", name]
    words += ["--quick"] if args.quick else []
    words += ["--reuse"] if args.reuse else []
    words += ["--only", ",".join(args.only)] if set(args.only) != set(groups) else []
    return words + training_words(args) if hasattr(args, "max_minutes_spacy") else words


def training_words(args: argparse.Namespace) -> list[str]:
    """The words of a command that say how long to train."""
    limit = args.max_minutes_spacy
    words = ["--max-minutes-spacy", f"{limit:g}"] if limit else []
    words += ["--max-steps-spacy", str(args.max_steps_spacy)] if args.max_steps_spacy else []
    if hasattr(args, "default_target") and args.target != args.default_target:
        words += ["--target", f"{args.target:g}"]
    return words


def output_directory(given: Path | None, *, quick: bool) -> Path:
    """The directory of the results; by default, small runs do not overwrite those of full runs."""
    return given or (RESULTS / "quick" if quick else RESULTS)


def check_groups(given: Sequence[str], groups: Sequence[str]) -> None:
    """Raise ValueError when `--only` names a group that does not exist."""
    wrong = [name for name in given if name not in groups]
    if wrong:
        raise ValueError(f"--only got {', '.join(wrong)}: choose from {', '.join(groups)}")


@contextmanager
def work_directory(given: Path | None, *, quick: bool) -> Iterator[Path]:
    """The work directory: not the same for small and full runs; temporary unless given."""
    name = "quick" if quick else "full"
    if given is not None:
        yield given / name
        return
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory:
        yield Path(directory) / name
