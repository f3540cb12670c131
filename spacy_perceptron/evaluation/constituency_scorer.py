"""The scorer of constituency parsers, registered as `spacy_perceptron.constituency_scorer.v1`."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spacy.scorer import PRFScore
from spacy.training import Example

from ..trees.constituents import SPANS_KEY
from ..trees.evalb import PUNCTUATION, right_brackets
from .constituents import read_brackets_of_sentences

_NAMES = (
    *("const_p", "const_r", "const_f", "const_exact"),
    *("const_crossing", "const_no_crossing", "const_per_type"),
)


def make_constituency_scorer(punctuation: Sequence[str] | None = None) -> "ConstituencyScorer":
    """Make a scorer for constituency parsers.

    punctuation (Sequence[str] | None): Gold tags of words that do not count; None for those of the
        Penn Treebank.
    RETURNS (ConstituencyScorer): The scorer.
    """
    return ConstituencyScorer(PUNCTUATION if punctuation is None else frozenset(punctuation))


@dataclass(frozen=True)
class ConstituencyScorer:
    """Scores constituents.

    punctuation (frozenset[str]): Gold tags of words that do not count.
    """

    punctuation: frozenset[str] = PUNCTUATION

    def __call__(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        """Score trees.

        examples (Iterable[Example]): Predictions and gold.
        **settings: Settings of the pipe; they do not matter here.
        RETURNS (dict): The scores.
        """
        return score_constituents(examples, punctuation=self.punctuation)


def score_constituents(
    examples: Iterable[Example], *, punctuation: Collection[str] = PUNCTUATION
) -> dict[str, Any]:
    """Score trees as EVALB does. Docs without gold constituents do not count.

    `const_p`, `const_r` and `const_f` are precision, recall and F-score of labelled brackets,
    `const_per_type` the same by label. `const_exact` is the share of sentences with all brackets
    right, `const_crossing` the mean number of predicted brackets in a sentence that cross a gold
    one, `const_no_crossing` the share of sentences without any. `spacy evaluate --spans-key
    constituents` prints what is also called `spans_constituents_p` and so on.

    examples (Iterable[Example]): Predictions and gold.
    punctuation (Collection[str]): Gold tags of words that do not count.
    RETURNS (dict): The scores, None without any gold sentence.
    """
    sentences = [s for eg in examples for s in read_brackets_of_sentences(eg, punctuation)]
    if not sentences:
        return _with_names_of_spacy(dict.fromkeys(_NAMES))
    right: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    for sentence in sentences:
        matched = right_brackets(sentence.gold, sentence.predicted)
        right.update(label for label, _, _ in matched.elements())
        predicted.update(label for label, _, _ in sentence.predicted)
        gold.update(label for label, _, _ in sentence.gold)
    by_label = {
        label: PRFScore(
            tp=right[label], fp=predicted[label] - right[label], fn=gold[label] - right[label]
        )
        for label in sorted(gold | predicted)
    }
    total = sum(by_label.values(), PRFScore())
    crossing = [sentence.n_crossing for sentence in sentences]
    scores = {
        "const_p": total.precision,
        "const_r": total.recall,
        "const_f": total.fscore,
        "const_exact": sum(sentence.is_exact for sentence in sentences) / len(sentences),
        "const_crossing": sum(crossing) / len(sentences),
        "const_no_crossing": crossing.count(0) / len(sentences),
        "const_per_type": {label: score.to_dict() for label, score in by_label.items()},
    }
    return _with_names_of_spacy(scores)


def _with_names_of_spacy(scores: dict[str, Any]) -> dict[str, Any]:
    """RETURNS (dict): The scores, some of them also under names that `spacy evaluate` prints."""
    for name in ("p", "r", "f", "per_type"):
        scores[f"spans_{SPANS_KEY}_{name}"] = scores[f"const_{name}"]
    return scores
