"""`python -m spacy perceptron <command>`: one module per command.

spaCy imports this module through the `spacy_cli` entry point whenever its own command line starts,
so the commands import their heavy parts when they run.
"""

import typer
from spacy.cli import app

perceptron_cli = typer.Typer(
    name="perceptron",
    help="Train, inspect and compare structured linear models.",
    no_args_is_help=True,
)
app.add_typer(perceptron_cli)

from . import (  # noqa: E402
    annotate,  # noqa: F401
    calibrate,  # noqa: F401
    clusters,  # noqa: F401
    compare,  # noqa: F401
    convert,  # noqa: F401
    correct,  # noqa: F401
    describe,  # noqa: F401
    evaluate_conllu,  # noqa: F401
    explain,  # noqa: F401
    init_config,  # noqa: F401
    jackknife,  # noqa: F401
    join,  # noqa: F401
    nbest,  # noqa: F401
    serve,  # noqa: F401
    train,  # noqa: F401
)
