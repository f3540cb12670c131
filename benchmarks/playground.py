"""The playground's server: how long its answers take, and 16 clients that ask at once."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wasabi import msg

from .command.options import work_directory
from .measures.serving.latency import measure_latency
from .measures.serving.load import QUICK, PlaygroundScale, measure_load
from .measures.serving.server import running
from .processes.environment import describe
from .report.files import Report, publish
from .report.tables import Column, Section

NAME = "playground"
# What an answer about 30 words may take, in milliseconds on the server.
TARGET = 50.0
TIMES = (
    Column("median ms", lambda result: result["median"], "{:.1f}"),
    Column("95 % ms", lambda result: result["p95"], "{:.1f}"),
    Column("worst ms", lambda result: result["worst"], "{:.1f}"),
)
LATENCY_COLUMNS = (
    Column("requests", lambda result: result["n"], "{:,.0f}"),
    *TIMES,
    Column("on the server", lambda result: result["server"], "{:.1f}"),
)


def memory_of(name: str) -> Any:
    """The value of a column of memory."""
    return lambda result: result["memory"][name]


LOAD_COLUMNS = (
    Column("seconds", lambda result: result["seconds"], "{:.0f}"),
    Column("requests", lambda result: result["n"], "{:,.0f}"),
    Column("per second", lambda result: result["per_second"], "{:,.0f}"),
    Column("errors", lambda result: result["n_errors"], "{:,.0f}"),
    Column("different answers", lambda result: result["n_different"], "{:,.0f}"),
    *TIMES,
    Column("MiB at start", memory_of("start"), "{:.1f}"),
    Column("warm", memory_of("warm"), "{:.1f}"),
    Column("at end", memory_of("end"), "{:.1f}"),
    Column("peak", memory_of("peak"), "{:.1f}"),
)


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    notes = [
        "Requests about a sentence of 30 words, one after the other, over the loopback interface. "
        f"On the server: the median that it says itself; the goal for `annotate` is {TARGET:.0f} "
        "ms.",
        "A correction is learned, written to the disk, and compared with what is said of other "
        "sentences.",
    ]
    load = Section(
        "Clients that ask at once",
        [data["load"]],
        LOAD_COLUMNS,
        [
            "All kinds of questions about eight texts, at random. Different answers: from those to "
            "the same requests one by one. Memory: what of the server's process is resident; warm: "
            "after a quarter of the time."
        ],
    )
    return Report(data["systems"], LATENCY_COLUMNS, notes, [load])


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """There is nothing to draw."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("model", type=Path, help="directory of a trained pipeline")
    parser.add_argument("--output", type=Path, help="directory of the results")
    parser.add_argument("--clients", type=int, help="how many clients ask at once (default: 16)")
    parser.add_argument("--quick", action="store_true", help="5 seconds of load instead of 60")


def run(args: argparse.Namespace) -> None:
    """Measure and report; an error if an answer was wrong or missing."""
    base = QUICK if args.quick else PlaygroundScale()
    n_clients = args.clients or base.n_clients
    scale = PlaygroundScale(base.n_requests, n_clients, base.seconds)
    with (
        work_directory(None, quick=args.quick) as work,
        running(args.model, work) as (process, port),
    ):
        load = measure_load(process, port, scale)
        systems = measure_latency(port, scale.n_requests)
    command = ["python", "-m", "benchmarks", NAME, args.model.name]
    command += ["--clients", str(n_clients)] if args.clients else []
    command += ["--quick"] if args.quick else []
    environment = describe(command, ("fastapi", "uvicorn"), cores_used="two")
    publish({"benchmark": NAME, "environment": environment, "systems": systems, "load": load}, args)
    wrong = load["n_errors"] + load["n_different"]
    if wrong:
        msg.fail(f"{wrong} of {load['n']} answers were missing or others", exits=1)
    own = systems[0]["server"]
    (msg.good if own <= TARGET else msg.warn)(f"annotate: {own:.1f} ms on the server")
