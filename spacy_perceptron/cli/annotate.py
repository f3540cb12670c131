"""`annotate`: annotate large amounts of text, with many processes, on one machine or a cluster."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from ..scale.annotate import Summary, Work
    from ..scale.plan import Unit


@perceptron_cli.command("annotate")
def annotate_cli(
    model: Annotated[str, typer.Argument(help="Trained pipeline: folder or package")],
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="File or folder: .txt, .jsonl (also .gz), .spacy")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write to", file_okay=False)],
    workers: Annotated[
        int, typer.Option("--workers", "-w", help="Number of processes; each uses one core")
    ] = 1,
    address: Annotated[
        str | None,
        typer.Option(
            "--address", help="Ray cluster: auto, or ray://host:10001; default: this machine"
        ),
    ] = None,
    file_format: Annotated[
        str, typer.Option("--format", "-f", help="spacy, jsonl, conllu or parquet")
    ] = "spacy",
    unit_words: Annotated[
        int, typer.Option("--unit-words", help="Words of a unit of work, about")
    ] = 1_000_000,
    nbest: Annotated[
        int | None,
        typer.Option("--nbest", "-k", help="Keep n-best lists; default: as in the pipeline"),
    ] = None,
    batch_size: Annotated[
        int, typer.Option("--batch-size", help="Documents annotated at once")
    ] = 128,
    code_path: Annotated[
        Path | None, typer.Option("--code", "-c", help="Python file to import", exists=True)
    ] = None,
) -> None:
    """Annotate a file, or all files of a folder.

    Large files are cut into units of work. Each unit becomes one file in OUT that is there as a
    whole or not at all. Run the same command again after any interruption: only what is missing is
    done. Documents that can't be annotated go to error files beside the outputs.
    """
    from spacy.cli._util import import_code

    from ..scale.annotate import Work
    from ..scale.plan import make_plan
    from ..values import COUNT

    # Workers may have another current folder.
    name = str(Path(model).resolve()) if Path(model).exists() else model
    if code_path is not None:
        code_path = code_path.resolve()
        import_code(code_path)
    work = Work(name, nbest, batch_size, None if code_path is None else str(code_path))
    with reported():
        COUNT.check("workers", workers)
        work.check()
        units = make_plan(
            source.absolute(),
            out.absolute(),
            pipeline=name,
            file_format=file_format,
            unit_words=unit_words,
            nbest=nbest,
            n_workers=workers,
        )
    summary = _run(units, work, workers, address, out)
    _print_summary(summary, out)


def _run(
    units: "list[Unit]", work: "Work", n_workers: int, address: str | None, out: Path
) -> "Summary":
    """Run units in this process, or on Ray."""
    from functools import partial

    from wasabi import msg

    from ..errors import Errors, Warnings
    from ..scale.annotate import run_here, run_units
    from ..scale.cluster import connected, has_ray
    from ..scale.progress import WordBar
    from ..scale.ray_engine import STORE_BYTES, run_on_ray

    n_left = sum(not Path(unit.target).exists() for unit in units)
    wants_ray = n_left > 0 and (n_workers > 1 or address is not None)
    if wants_ray and not has_ray():
        msg.warn(Warnings.SCALE_NO_RAY.format(n=n_workers))
        wants_ray = False
    with reported():
        try:
            if not wants_ray:
                with WordBar(units) as bar:
                    here = partial(run_here, work=work, report=bar.add_words)
                    return run_units(units, here, show=bar.show)
            with (
                connected(address, n_workers, store_bytes=STORE_BYTES) as ray,
                WordBar(units) as bar,
            ):
                on_ray = partial(run_on_ray, work=work, ray=ray, n_workers=n_workers)
                return run_units(units, on_ray, show=bar.show)
        except OSError as error:
            # Other errors of this kind are Ray's, which finds no cluster.
            if error.strerror is None:
                raise
            message = Errors.SCALE_STOPPED.format(path=out, reason=error.strerror)
            raise ValueError(message) from error


def _print_summary(summary: "Summary", out: Path) -> None:
    """Print what has been done, and what has not."""
    from wasabi import msg

    from ..errors import Warnings

    speed = summary.n_words / summary.seconds if summary.seconds else 0.0
    rows = [
        ("words", f"{summary.n_words:,}"),
        ("documents", f"{summary.n_docs:,}"),
        ("errors", f"{summary.n_errors:,}"),
        ("seconds", f"{summary.seconds:,.1f}"),
        ("words/s", f"{speed:,.0f}"),
    ]
    msg.table(rows, aligns=("l", "r"))
    if summary.n_skipped:
        msg.info(f"{summary.n_skipped} outputs were there already")
    for report in summary.failures:
        msg.warn(Warnings.SCALE_FAILED.format(path=report.target, reason=report.failure))
    if summary.n_errors > len(summary.failures):
        n = summary.n_errors - len(summary.failures)
        msg.warn(Warnings.SCALE_ERRORS.format(n=n, path=out))
    msg.good(f"Wrote {summary.n_units} outputs to {out}")
