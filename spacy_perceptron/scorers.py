"""Scorers, registered under `spacy_perceptron.<name>.v1`."""

from collections.abc import Callable, Iterable
from typing import Any

from spacy.scorer import Scorer
from spacy.training import Example


def make_tagger_scorer() -> Callable[..., dict[str, Any]]:
    """RETURNS (Callable): A scorer for taggers."""
    return score_tags


def score_tags(
    examples: Iterable[Example], *, attribute: str = "tag", **settings: Any
) -> dict[str, Any]:
    """Accuracy of the tagger's attribute over tokens with a gold value.

    examples (Iterable[Example]): Predictions and gold.
    attribute (str): `tag` or `pos`; the pipe passes its own.
    **settings: Other settings of the pipe; they do not matter here.
    RETURNS (dict): `tag_acc` or `pos_acc`.
    """
    return Scorer.score_token_attr(examples, attribute)
