"""`explain`: which features decided a component's choice."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli
from .shared.failures import reported

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..answers.explanation import Explanation


@perceptron_cli.command("explain")
def explain_cli(
    model: Annotated[str, typer.Argument(help="Trained pipeline: folder or package")],
    text: Annotated[str, typer.Argument(help="The text")],
    token: Annotated[
        int | None, typer.Option("--token", help="Number of the token, from 0")
    ] = None,
    word: Annotated[
        str | None, typer.Option("--word", help="A word; all its occurrences are explained")
    ] = None,
    component: Annotated[
        str | None,
        typer.Option(
            "--component", help="Name of the component; default: the last one that can explain"
        ),
    ] = None,
    top: Annotated[
        int, typer.Option("--top", min=1, help="Number of features to show; the rest share one row")
    ] = 15,
) -> None:
    """Explain decisions on a text: the answer against its runner-up, feature by feature.

    Without --token and --word, the least confident word is explained.
    """
    from ..display.answer_table import print_answers
    from ..display.answers import ask
    from ..errors import Errors
    from .shared.pipes import load_pipeline

    with reported(also=(IndexError,)):
        if not text.strip():
            raise ValueError(Errors.CLI_NO_TEXT)
        nlp, name = load_pipeline(model, component, "explain")
        doc = nlp(text)
        pipe: Any = nlp.get_pipe(name)
        answers = replace(ask(pipe, doc, 1), candidates=[])
        tokens = choose_tokens(doc, answers.confidences, token=token, word=word)
        explanations = [replace(pipe.explain(doc, i), rows=top) for i in tokens]
    print_answers(answers)
    for explanation in explanations:
        print(describe(explanation))


def choose_tokens(
    doc: "Doc", confidences: list[float | None], *, token: int | None, word: str | None
) -> list[int]:
    """Choose the tokens to explain.

    doc (Doc): The doc.
    confidences (list[Optional[float]]): One per token.
    token (Optional[int]): Index of the token.
    word (Optional[str]): Text of the tokens. Without either, the least confident word is chosen.
    RETURNS (list[int]): Indices of the tokens.
    """
    from ..errors import Errors

    if token is not None and word is not None:
        raise ValueError(Errors.EXPLAIN_TOKEN_AND_WORD)
    if token is not None:
        return [token]
    words = [t.i for t in doc if not t.is_space]
    if word is not None:
        found = [i for i in words if doc[i].text == word]
        if not found:
            names = " ".join(doc[i].text for i in words)
            raise ValueError(Errors.EXPLAIN_WORD.format(word=word, words=names))
        return found

    def confidence(i: int) -> float:
        value = confidences[i]
        return 1.0 if value is None else value

    return [min(words, key=confidence)]


def describe(explanation: "Explanation") -> str:
    """RETURNS (str): An explanation as text, apart from what comes before it."""
    if explanation.step == 0:
        return f"\n{explanation.word!r}: {explanation.chosen}, given by the dictionary\n"
    return f"\n{explanation}"
