"""Command line options that all benchmarks share."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"


def add_common_arguments(parser: argparse.ArgumentParser, groups: Sequence[str]) -> None:
    """Add the shared options.

    parser (argparse.ArgumentParser): where to add them.
    groups (Sequence[str]): the groups of systems that `--only` chooses from.
    """
    parser.add_argument("--data", type=Path, help="directory of the treebanks")
    parser.add_argument("--output", type=Path, help="directory of the results")
    parser.add_argument("--work", type=Path, help="directory of corpora and models (default: temp)")
    parser.add_argument("--reuse", action="store_true", help="skip what is trained in --work")
    parser.add_argument("--train-only", action="store_true", help="train, but measure nothing")
    parser.add_argument("--quick", action="store_true", help="small run of two or three minutes")
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        default=list(groups),
        metavar=",".join(groups),
        help="systems to compare (default: all)",
    )


def output_directory(given: Path | None, *, quick: bool) -> Path:
    """The directory of the results; by default small runs do not overwrite those of full ones."""
    return given or (RESULTS / "quick" if quick else RESULTS)


def check_groups(given: Sequence[str], groups: Sequence[str]) -> None:
    """Raise ValueError when `--only` names a group that does not exist."""
    wrong = [name for name in given if name not in groups]
    if wrong:
        raise ValueError(f"--only got {', '.join(wrong)}: choose from {', '.join(groups)}")


@contextmanager
def work_directory(given: Path | None, *, quick: bool) -> Iterator[Path]:
    """The work directory; small and full runs do not share one, a temporary one is removed."""
    name = "quick" if quick else "full"
    if given is not None:
        yield given / name
        return
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as directory:
        yield Path(directory) / name
