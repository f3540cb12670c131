"""Write the tables and the page of all results from the JSON files of earlier runs."""

from __future__ import annotations

import argparse
import json

from wasabi import msg

from .command.paths import PAGE, RESULTS
from .command.registry import BENCHMARKS, load_benchmark
from .report.files import write_tables
from .report.page import write_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--plots", action="store_true", help="draw the plots again too")


def run(args: argparse.Namespace) -> None:
    """Write `<benchmark>.md` for every `<benchmark>.json`, and the page."""
    for name in BENCHMARKS:
        path = RESULTS / f"{name}.json"
        if not path.exists():
            continue
        data = json.loads(path.read_text(encoding="utf8"))
        write_tables(data, RESULTS)
        if args.plots:
            load_benchmark(name).draw(data, RESULTS)
    write_page()
    msg.good(f"{PAGE.name} and the tables in {RESULTS} are up to date")
