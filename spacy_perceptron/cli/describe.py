"""`describe`: name, version, licence, sources and figures of a pipeline, for its model card."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option
from wasabi import Printer

from . import perceptron_cli
from .shared.failures import reported


@perceptron_cli.command("describe")
def describe_cli(
    model_path: Annotated[Path, Argument(help="Trained pipeline", exists=True, file_okay=False)],
    about: Annotated[
        list[Path],
        Option(
            "--about",
            help="JSON file with name, description, author, license and sources; can be repeated: "
            "later ones add sources and replace the rest",
            exists=True,
            dir_okay=False,
        ),
    ],
    metrics: Annotated[
        list[Path],
        Option(
            "--metrics",
            help="Figures on a test corpus from spacy evaluate --output; can be repeated",
            exists=True,
            dir_okay=False,
        ),
    ],
    gold_metrics: Annotated[
        list[Path] | None,
        Option(
            "--gold-metrics",
            help="The same, measured with --gold-preproc; can be repeated",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    version: Annotated[
        str | None,
        Option("--version", "-v", help="Version of the pipeline; default: that of this package"),
    ] = None,
    output: Annotated[
        Path | None,
        Option("--output", "-o", help="Folder for the described pipeline; default: in place"),
    ] = None,
) -> None:
    """Write what is to be known about a pipeline into its meta.json, its model card (README.md) and
    LICENSES_SOURCES, ready for `spacy package`.
    """
    with reported("The pipeline was not described"):
        describe_pipeline(
            model_path,
            about=about,
            metrics=metrics,
            gold_metrics=gold_metrics or (),
            version=version,
            output=output,
            msg=Printer(),
        )


def describe_pipeline(
    model_path: Path,
    *,
    about: Sequence[Path],
    metrics: Sequence[Path],
    gold_metrics: Sequence[Path] = (),
    version: str | None = None,
    output: Path | None = None,
    msg: Printer | None = None,
) -> dict[str, Any]:
    """Describe a pipeline.

    model_path (Path): The pipeline.
    about (Sequence[Path]): Files with name, description, author, licence and sources.
    metrics (Sequence[Path]): Files with figures from raw text.
    gold_metrics (Sequence[Path]): Files with figures on the tokens and sentences of the corpus.
    version (Optional[str]): The version, None for that of this package.
    output (Optional[Path]): Where to write a copy of the pipeline, None to change its folder.
    msg (Optional[Printer]): Where to say what was written, None for nowhere.
    RETURNS (dict[str, Any]): The new `meta.json`.
    """
    from shutil import copytree

    import srsly
    from spacy.cli.package import generate_readme

    from .. import __version__
    from ..display import model_card
    from ..files import replacing_folder

    msg = msg or Printer(no_print=True)
    meta = _read(model_path / model_card.META)
    scores = model_card.merge_scores([_read_scores(path) for path in metrics])
    meta = model_card.describe(
        meta,
        model_card.merge_facts([_read(path) for path in about], meta["lang"]),
        version=version or __version__,
        scores=scores,
        gold_scores=model_card.merge_scores([_read_scores(path) for path in gold_metrics]),
    )
    files = {
        model_card.META: srsly.json_dumps(meta, indent=2),
        model_card.CARD: generate_readme(meta),
        model_card.LICENSES: model_card.licenses(meta["sources"]),
    }
    target = output or model_path
    with replacing_folder(target) as new:
        if target.resolve() != model_path.resolve():
            copytree(model_path, new, dirs_exist_ok=True)
        for name, text in files.items():
            (new / name).write_text(text, encoding="utf8")
    n_figures = sum(isinstance(value, int | float) for value in meta["performance"].values())
    name = f"{meta['lang']}_{meta['name']}"
    msg.good(f"{target}: {name} {meta['version']}, {meta['license']}, {n_figures} figures")
    return meta


def _read(path: Path) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The JSON object in a file."""
    import srsly

    from ..errors import Errors

    try:
        entries = srsly.json_loads(path.read_text(encoding="utf8"))
    except ValueError as error:
        raise ValueError(Errors.CARD_JSON.format(path=path, error=error)) from error
    if not isinstance(entries, dict):
        raise ValueError(Errors.CARD_JSON.format(path=path, error="it is no object"))
    return entries


def _read_scores(path: Path) -> dict[str, Any]:
    from ..errors import Errors

    scores = _read(path)
    if not any(isinstance(value, int | float) for value in scores.values()):
        raise ValueError(Errors.CARD_NO_FIGURES.format(path=path))
    return scores
