"""`jackknife`: annotate a training corpus with components that have not seen it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from ..corpus.jackknife.folds import JackknifeResult


@perceptron_cli.command(
    "jackknife", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def jackknife_cli(
    ctx: typer.Context,
    config_path: Annotated[
        Path, typer.Argument(help="Training config", exists=True, dir_okay=False)
    ],
    train_path: Annotated[Path, typer.Argument(help="Corpus to annotate (.spacy)", exists=True)],
    output_path: Annotated[
        Path, typer.Argument(help="Annotated corpus to write (.spacy)", dir_okay=False)
    ],
    components: Annotated[
        str, typer.Option("--components", help="Names of components, separated by commas")
    ],
    n_folds: Annotated[int, typer.Option("--n-folds", help="Number of folds")] = 5,
    n_process: Annotated[
        int, typer.Option("--n-process", help="How many folds to train at once")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the folds")] = 0,
    max_epochs: Annotated[
        int | None,
        typer.Option("--max-epochs", help="Train for this many epochs, without the dev corpus"),
    ] = None,
    gold_tokens: Annotated[
        bool, typer.Option("--gold-tokens", "--gold-preproc", help="Use gold sentences and tokens")
    ] = False,
    inputs: Annotated[
        Path | None,
        typer.Option("--inputs", help="Earlier predictions to start from (.spacy)", exists=True),
    ] = None,
    code_path: Annotated[
        Path | None, typer.Option("--code", "-c", help="Python file to import")
    ] = None,
) -> None:
    """Annotate a corpus with predictions, each fold by components trained on the others.

    Override settings of the config as in `spacy train`, e.g. --training.max_epochs 10. To train
    with the file, pass it to `spacy_perceptron.jackknifed_corpus.v1` as `predictions`.
    """
    from spacy.cli._util import import_code, parse_config_overrides, show_validation_error
    from spacy.util import load_config, load_model_from_config
    from wasabi import msg

    from ..corpus.jackknife.folds import Jackknife, jackknife
    from ..corpus.jackknife.workers import WorkerDiedError

    overrides = parse_config_overrides(ctx.args)
    import_code(code_path)
    names = [name.strip() for name in components.split(",") if name.strip()]
    with reported():
        settings = Jackknife(
            train_path,
            names,
            n_folds,
            n_process,
            seed,
            max_epochs,
            gold_tokens=gold_tokens,
            inputs=inputs,
        )
    with reported(), show_validation_error(config_path):
        config = load_config(config_path, overrides=overrides, interpolate=False)
        nlp = load_model_from_config(config, auto_fill=True)
    with reported(also=(WorkerDiedError,)):
        result = jackknife(nlp, settings)
        output_path.parent.mkdir(parents=True, exist_ok=True)
        result.doc_bin.to_disk(output_path)
    _print_scores(result)
    msg.good(f"Wrote {len(result.doc_bin)} documents to {output_path}")


def _print_scores(result: "JackknifeResult") -> None:
    """Print how good the annotation of each fold is.

    result (JackknifeResult): The jackknifed corpus.
    """
    from wasabi import msg

    folds = zip(result.fold_sizes, result.fold_scores, strict=True)
    rows: list[tuple[Any, ...]] = []
    means = result.mean_scores
    for i, (size, scores) in enumerate(folds, start=1):
        rows.append((i, size, *(f"{scores[name] * 100:.2f}" for name in means)))
    total = sum(result.fold_sizes)
    rows.append(("mean", total, *(f"{mean * 100:.2f}" for mean in means.values())))
    header = ("Fold", "Docs", *means)
    msg.table(rows, header=header, divider=True, aligns=["r"] * len(header))
