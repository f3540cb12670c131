"""`nbest`: the best answers for a text, not only the first."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from . import perceptron_cli


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
    html_path: Annotated[Path | None, typer.Option("--html", help="HTML page to write")] = None,
    jsonl_path: Annotated[
        Path | None,
        typer.Option("--jsonl", help="JSONL file to write; - prints it instead of tables"),
    ] = None,
) -> None:
    """Print the n best answers of a component with their probabilities.

    The table has a row per word and a column per answer. Cells show what differs from the
    pipeline's own prediction: labels, and heads for parsers. Probabilities add up to 1 over the
    answers printed.
    """
    import srsly
    from wasabi import msg

    from ..display.answer_table import print_answers
    from ..display.answers import ask
    from ..display.page import render_page
    from ..errors import Errors
    from .pipes import load_pipeline

    try:
        nlp, name = load_pipeline(model, component, "nbest")
        pipe = nlp.get_pipe(name)
        answers = [ask(pipe, nlp(text), k) for text in read_texts(texts or [])]
        if not answers:
            raise ValueError(Errors.CLI_NO_TEXT)
    except (OSError, ValueError) as error:
        msg.fail(str(error), exits=1)
    if str(jsonl_path) == "-":
        srsly.write_jsonl("-", [item.to_dict() for item in answers])
    else:
        for item in answers:
            print_answers(item)
    if jsonl_path is not None and str(jsonl_path) != "-":
        jsonl_path.parent.mkdir(parents=True, exist_ok=True)
        srsly.write_jsonl(jsonl_path, [item.to_dict() for item in answers])
        msg.good(f"Wrote {jsonl_path}")
    if html_path is not None:
        html_path.parent.mkdir(parents=True, exist_ok=True)
        page = render_page(answers, title=f"{name}: the {k} best answers")
        html_path.write_text(page, encoding="utf-8")
        if str(jsonl_path) != "-":
            msg.good(f"Wrote {html_path}")


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
