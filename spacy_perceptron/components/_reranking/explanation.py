"""Why a reranker chose an answer: the fragments that weighed most, written as text."""

from typing import TYPE_CHECKING

import numpy as np
from spacy.strings import StringStore
from spacy.tokens import Doc

from ...answers.explanation import Explanation, FeatureWeight
from ...errors import Errors
from ...learn.kernels.fragments import Fragment, TreeFragment

if TYPE_CHECKING:
    from ..kernel_reranker import KernelReranker

N_FRAGMENTS = 20
# Written where a fragment of a tree ends and the tree goes on, and for any word in a run of tags.
OPEN = "…"
# The name of the base's part in a decision.
BASE = "base score"


def explain_choice(reranker: "KernelReranker", doc: Doc, i: int) -> Explanation:
    """Compare the best answer of a token's sentence with the next best one.

    reranker (KernelReranker): The reranker.
    doc (Doc): A doc with answers of the base.
    i (int): Index of a token.
    RETURNS (Explanation): The decision. Features are fragments; their weights are differences, so
        nothing stands in the column of the runner-up.
    """
    perceptrons = reranker._get_perceptrons()
    found = [s for s in reranker._find_answers(doc) if s.start <= i < s.end]
    if not 0 <= i < len(doc) or not found:
        raise ValueError(Errors.RERANK_TOKEN.format(base=reranker.base, i=i))
    (answers,) = found
    ranked = reranker._rerank(doc, answers, perceptrons)
    order = np.argsort(-np.array(ranked.scores), kind="stable").tolist()
    text = doc[answers.start : answers.end].text
    if len(order) == 1:
        return Explanation(text, "answer 1", "no other", 0.0, 0.0, None, [], subject=reranker.base)
    best, other = order[:2]
    structures = reranker._find_kind(answers).encode(doc, answers)
    fragments = [
        fragment
        for perceptron in perceptrons
        for fragment in perceptron.fragments(structures, best, other, N_FRAGMENTS)
    ]
    fragments.sort(key=lambda fragment: -abs(fragment.weight))
    strings = doc.vocab.strings
    features = [
        FeatureWeight("fragment", _as_text(fragment, strings), fragment.weight, 0.0)
        for fragment in fragments[:N_FRAGMENTS]
    ]
    base_scores = reranker._scale_scores(answers)
    factor = reranker.cfg["mixture"] + sum(p.base_factor for p in perceptrons)
    features.append(
        FeatureWeight(
            BASE,
            f"{answers.scores[best]:.2f}",
            factor * base_scores[best],
            factor * base_scores[other],
            f"{answers.scores[other]:.2f}",
        )
    )
    features.sort(key=lambda feature: -feature.difference)
    return Explanation(
        text,
        f"answer {best + 1}",
        f"answer {other + 1}",
        ranked.scores[best],
        ranked.scores[other],
        None,
        features,
        subject=reranker.base,
    )


def _as_text(fragment: Fragment, strings: StringStore) -> str:
    """A fragment as text: a tree in brackets, or tags with the words they belong to."""
    if not isinstance(fragment, TreeFragment):
        columns = zip(fragment.tags, fragment.words, fragment.shapes, strict=True)
        return " ".join(_tag_text(strings, *column) for column in columns)
    parts: list[str] = []
    # How many children of each open bracket are still to come.
    missing: list[int] = []
    for label, n, cut in zip(fragment.labels, fragment.n_children, fragment.cut, strict=True):
        name = strings[label]
        parts.append(f"({name}" if n else f"({name} {OPEN})" if cut else name)
        if n:
            missing.append(n)
            continue
        while missing:
            missing[-1] -= 1
            if missing[-1]:
                break
            missing.pop()
            parts[-1] += ")"
    return " ".join(parts)


def _tag_text(strings: StringStore, tag: int, word: int | None, shape: int | None) -> str:
    known = word if word is not None else shape
    return f"{OPEN if known is None else strings[known]}/{strings[tag]}"
