"""`nbest`: the best answers to a text, not only the first."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from ..page import Answers


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
        str | None, typer.Option("--component", help="Name of the component")
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Number of answers")] = 5,
    html_path: Annotated[Path | None, typer.Option("--html", help="HTML page to write")] = None,
    jsonl_path: Annotated[
        Path | None,
        typer.Option("--jsonl", help="JSONL file to write; - prints it in place of tables"),
    ] = None,
) -> None:
    """Print the n best answers of a component with their probabilities.

    A row per word and a column per answer; where an answer agrees with the pipeline's own
    prediction, its cell is empty. Probabilities are shares among the answers of the list.
    """
    import srsly
    from wasabi import msg

    from ..errors import Errors
    from ..page import render_page

    try:
        nlp, name = load_pipeline(model, component, "nbest")
        answers = [find_answers(nlp, name, text, k) for text in read_texts(texts or [])]
        if not answers:
            raise ValueError(Errors.CLI_NO_TEXT)
    except (OSError, ValueError) as error:
        msg.fail(str(error), exits=1)
    if str(jsonl_path) == "-":
        srsly.write_jsonl("-", [item.to_dict() for item in answers])
    else:
        for item in answers:
            _print_answers(item)
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


def load_pipeline(model: str, component: str | None, ability: str) -> tuple["Language", str]:
    """Load a pipeline and choose the component to ask.

    model (str): Folder or package.
    component (Optional[str]): Its name, or None for the only one there is.
    ability (str): The method it must have: `nbest` or `explain`.
    RETURNS (tuple[Language, str]): The pipeline and the component's name.
    """
    from spacy.util import load_model

    from ..errors import Errors

    nlp = load_model(model)
    able = [name for name, pipe in nlp.pipeline if callable(getattr(pipe, ability, None))]
    if not able:
        names = ", ".join(nlp.pipe_names)
        raise ValueError(Errors.CLI_NO_COMPONENT.format(ability=ability, names=names))
    names = ", ".join(able)
    if component is None:
        if len(able) > 1:
            raise ValueError(Errors.CLI_WHICH_COMPONENT.format(ability=ability, names=names))
        component = able[0]
    if component not in able:
        message = Errors.CLI_WRONG_COMPONENT.format(name=component, ability=ability, names=names)
        raise ValueError(message)
    return nlp, component


def read_texts(arguments: list[str]) -> Iterable[str]:
    """Read what was given on the command line.

    arguments (list[str]): Texts and names of files; none or `-` for standard input.
    YIELDS (str): Texts without blank ones.
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


def find_answers(nlp: "Language", name: str, text: str, k: int) -> "Answers":
    """Ask a component for its best answers.

    nlp (Language): The pipeline.
    name (str): The component.
    text (str): A text.
    k (int): Number of answers.
    RETURNS (Answers): The answers.
    """
    from ..page import Answers

    doc = nlp(text)
    pipe: Any = nlp.get_pipe(name)
    candidates = pipe.nbest(doc, k)
    attributes = list(candidates[0].annotation)
    return Answers(
        [token.text for token in doc],
        ["/".join(getattr(token, f"{name}_") for name in attributes) for token in doc],
        find_confidences(doc, attributes),
        candidates,
    )


def find_confidences(doc: "Doc", attributes: Iterable[str]) -> list[float | None]:
    """Confidences that components left with a doc.

    doc (Doc): The doc.
    attributes (Iterable[str]): Attributes to look for, such as `tag`; the first one found counts.
    RETURNS (list[Optional[float]]): One per token.
    """
    from spacy.tokens import Token

    for attribute in attributes:
        if Token.has_extension(f"{attribute}_confidence"):
            return [token._.get(f"{attribute}_confidence") for token in doc]
    return [None] * len(doc)


def _print_answers(answers: "Answers") -> None:
    """Print a table of answers.

    answers (Answers): The answers for one text.
    """
    from wasabi import msg

    answered = [answers.labels(rank) for rank in range(len(answers.candidates))]
    rows = []
    for i, word in enumerate(answers.words):
        if not word.isspace():
            label, confidence = answers.predicted[i], answers.confidences[i]
            marked = [labels[i] if labels[i] != label else "" for labels in answered]
            rows.append((word, label, "" if confidence is None else f"{confidence:.3f}", *marked))
    shares = [f"{candidate.probability:.1%}" for candidate in answers.candidates]
    header = ["Word", "Label", "Confidence"]
    header += [f"{i}: {share}" for i, share in enumerate(shares, start=1)]
    msg.table(rows, header=header, divider=True, aligns=["l", "l", "r"] + ["l"] * len(shares))
