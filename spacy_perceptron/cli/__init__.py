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

from . import calibrate, compare, convert, explain, init_config, jackknife, nbest  # noqa: E402, F401
