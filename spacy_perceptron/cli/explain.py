"""`explain`: which features made a component choose as it did."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import perceptron_cli

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..explanation import Explanation


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
        str | None, typer.Option("--component", help="Name of the component")
    ] = None,
    top: Annotated[
        int, typer.Option("--top", min=1, help="Number of features, the rest in one row")
    ] = 15,
) -> None:
    """Explain the labels of a text: chosen against runner-up, feature by feature.

    Without --token and --word, the least confident word is explained.
    """
    from wasabi import msg

    from .nbest import find_confidences, load_pipeline

    try:
        nlp, name = load_pipeline(model, component, "explain")
        doc = nlp(text)
        pipe: Any = nlp.get_pipe(name)
        confidences = find_confidences(doc, [pipe.attribute])
        tokens = choose_tokens(doc, confidences, token=token, word=word)
        explanations = [pipe.explain(doc, i) for i in tokens]
    except (OSError, ValueError, IndexError) as error:
        msg.fail(str(error), exits=1)
    _print_labels(doc, pipe.attribute, confidences)
    for explanation in explanations:
        print(describe(explanation, top))


def choose_tokens(
    doc: "Doc", confidences: list[float | None], *, token: int | None, word: str | None
) -> list[int]:
    """Which tokens to explain.

    doc (Doc): The doc.
    confidences (list[Optional[float]]): One per token.
    token (Optional[int]): Index of the token.
    word (Optional[str]): Text of the tokens. Without both, the least confident word is chosen.
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
    if not words:
        raise ValueError(Errors.CLI_NO_TEXT)

    def confidence(i: int) -> float:
        value = confidences[i]
        return 1.0 if value is None else value

    return [min(words, key=confidence)]


def describe(explanation: "Explanation", top: int) -> str:
    """An explanation as text, with the weightiest features one by one and the rest summed up.

    explanation (Explanation): The explanation.
    top (int): Number of features to keep.
    RETURNS (str): The text.
    """
    from dataclasses import replace

    from ..explanation import FeatureWeight

    if explanation.step == 0:
        return f"\n{explanation.word!r}: {explanation.chosen}, given by the dictionary\n"
    features = explanation.features
    weightiest = sorted(features, key=lambda feature: -abs(feature.difference))
    kept = sorted(weightiest[:top], key=lambda feature: -feature.difference)
    rest = weightiest[top:]
    if rest:
        chosen, runner_up = sum(f.chosen for f in rest), sum(f.runner_up for f in rest)
        kept.append(FeatureWeight(f"{len(rest)} others", "", chosen, runner_up))
    return f"\n{replace(explanation, features=kept)}"


def _print_labels(doc: "Doc", attribute: str, confidences: list[float | None]) -> None:
    """Print every word with its label and confidence.

    doc (Doc): The doc.
    attribute (str): The token attribute with the label.
    confidences (list[Optional[float]]): One per token.
    """
    from wasabi import msg

    rows = [
        (t.i, t.text, getattr(t, f"{attribute}_"), "" if value is None else f"{value:.3f}")
        for t, value in zip(doc, confidences, strict=True)
        if not t.is_space
    ]
    header = ("Token", "Word", attribute.capitalize(), "Confidence")
    msg.table(rows, header=header, divider=True, aligns=("r", "l", "l", "r"))
