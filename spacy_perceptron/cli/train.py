"""`train`: `spacy train` that goes on where it was interrupted."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import Errors
from . import perceptron_cli
from .shared.failures import reported


@perceptron_cli.command(
    "train", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def train_cli(
    ctx: typer.Context,
    config_path: Annotated[
        Path, typer.Argument(help="Training config", exists=True, dir_okay=False)
    ],
    output_path: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for pipelines and checkpoints"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint in the output folder")
    ] = False,
    checkpoint_every: Annotated[
        int | None,
        typer.Option(
            "--checkpoint-every", min=1, help="Steps between checkpoints; default: each evaluation"
        ),
    ] = None,
    code_path: Annotated[
        Path | None, typer.Option("--code", "-c", help="Python file to import", exists=True)
    ] = None,
    n_workers: Annotated[
        int,
        typer.Option("--workers", min=1, help="Processes that share the corpus, on Ray if several"),
    ] = 1,
    address: Annotated[
        str | None,
        typer.Option("--address", help="Ray cluster of the workers; default: this machine"),
    ] = None,
) -> None:
    """Train a pipeline as `spacy train` does, and keep checkpoints from which --resume goes on.

    The result is the same, byte for byte, whether or not training was interrupted. Override
    settings of the config as in `spacy train`, e.g. --training.max_epochs 10. With several
    --workers, each learns from a part of a very large corpus, and their weights are mixed.
    """
    from spacy.cli._util import import_code, parse_config_overrides, show_validation_error
    from spacy.util import load_config
    from wasabi import msg

    from ..scale.training.checkpoint import FOLDER
    from ..scale.training.loop import prepare, train
    from ..scale.training.rounds import FOLDER as ROUNDS

    overrides = parse_config_overrides(ctx.args)
    import_code(code_path)
    with show_validation_error(config_path):
        config = load_config(config_path, overrides=overrides, interpolate=False)
    with show_validation_error(config_path, hint_fill=False), reported():
        if output_path is not None:
            output_path.mkdir(parents=True, exist_ok=True)
            folder = FOLDER if n_workers == 1 else ROUNDS
            if resume and not (output_path / folder).exists():
                msg.info(f"No checkpoint in {output_path}: training starts from the beginning")
        if n_workers > 1:
            from ..scale.training.workers import train_on_workers

            if output_path is None:
                raise ValueError(Errors.WORKERS_OUTPUT)
            if checkpoint_every is not None:
                raise ValueError(Errors.WORKERS_ROUNDS)
            train_on_workers(
                config,
                output_path,
                n_workers=n_workers,
                address=address,
                code=code_path,
                resume=resume,
            )
            msg.good(f"Saved pipeline to {output_path / 'model-last'}")
            return
        run = prepare(config, output_path, resume=resume, code_path=code_path)
    if run.progress.is_finished:
        msg.good(f"The training in {output_path} is finished: there is nothing to do")
        return
    with reported():
        train(run, every=checkpoint_every)
