"""`nbest`: the best answers for a text, not only the first."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from . import perceptron_cli
from .shared.failures import reported, writing


@perceptron_cli.command("nbest")
def nbest_cli(
    model: Annotated[str, typer.Argument(help="Trained pipeline: folder or package")],
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT",
            help="Texts, or files with a text per line; default: lines of standard input",
        ),
    ] = None,
    component: Annotated[
        str | None,
        typer.Option(
            "--component", help="Name of the component; default: the last one with n-best lists"
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Number of answers")] = 5,
    html_path: Annotated[
        Path | None, typer.Option("--html", help="HTML page to write", dir_okay=False)
    ] = None,
    jsonl_path: Annotated[
        Path | None,
        typer.Option(
            "--jsonl",
            help="JSONL file to write; - prints it instead of tables",
            dir_okay=False,
            allow_dash=True,
        ),
    ] = None,
) -> None:
    """Print the n best answers of a component with their probabilities.

    The table has a row per word and a column per answer. Cells show what differs from the
    pipeline's own prediction: labels, and heads for parsers. Constituents are printed as a tree,
    with the phrases that each answer has more or less. Probabilities add up to 1 over the answers
    printed.
    """
    import srsly

    from ..display.answer_table import print_answers
    from ..display.answers import ask
    from ..display.page import render_page
    from ..errors import Errors
    from ..values import WIDTH
    from .shared.pipes import load_pipeline

    with reported():
        WIDTH.check("k", k)
        nlp, name = load_pipeline(model, component, "nbest")
        pipe = nlp.get_pipe(name)
        answers = [ask(pipe, nlp(text), k) for text in read_texts(texts or [])]
        if not answers:
            raise ValueError(Errors.CLI_NO_TEXT)
    if str(jsonl_path) == "-":
        srsly.write_jsonl("-", [item.to_dict() for item in answers])
    else:
        for item in answers:
            print_answers(item)
    if jsonl_path is not None and str(jsonl_path) != "-":
        with writing(jsonl_path):
            srsly.write_jsonl(jsonl_path, [item.to_dict() for item in answers])
    if html_path is not None:
        page = render_page(answers, title=f"{name}: the {k} best answers")
        # Standard output may be read by a program.
        with writing(html_path, quiet=str(jsonl_path) == "-"):
            html_path.write_text(page, encoding="utf-8")


def read_texts(arguments: list[str]) -> Iterable[str]:
    """Read what was given on the command line.

    arguments (list[str]): Texts and names of files; none or `-` for standard input.
    YIELDS (str): The texts, without blank ones.
    """
    import os
    import sys

    for argument in arguments or ["-"]:
        if argument == "-":
            lines = list(sys.stdin)
        elif os.path.isfile(argument):
            lines = Path(argument).read_text(encoding="utf-8").splitlines()
        else:
            lines = [argument]
        yield from (line.strip() for line in lines if line.strip())
