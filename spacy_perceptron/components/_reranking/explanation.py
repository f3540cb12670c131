"""The fragments that weighed most in a reranker's choice, written as text."""

from collections.abc import Sequence

from spacy.strings import StringStore

from ...answers.explanation import FeatureWeight
from ...learn.kernels.fragments import Fragment, TreeFragment
from ...learn.kernels.perceptron import KernelPerceptron
from ...learn.kernels.structures import Structures

N_FRAGMENTS = 20
# Written where a fragment of a tree ends and the tree goes on, and for any word in a run of tags.
OPEN = "…"


def best_fragments(
    perceptrons: Sequence[KernelPerceptron],
    structures: Structures,
    best: int,
    other: int,
    strings: StringStore,
) -> list[FeatureWeight]:
    """The fragments that tell two candidates apart.

    perceptrons (Sequence[KernelPerceptron]): What was learned.
    structures (Structures): The candidates.
    best, other (int): The two.
    strings (StringStore): The text of ids.
    RETURNS (list[FeatureWeight]): The weightiest fragments, with the difference they make.
    """
    fragments = [
        fragment
        for perceptron in perceptrons
        for fragment in perceptron.fragments(structures, best, other, N_FRAGMENTS)
    ]
    fragments.sort(key=lambda fragment: -abs(fragment.weight))
    return [
        FeatureWeight("fragment", _as_text(fragment, strings), fragment.weight, 0.0)
        for fragment in fragments[:N_FRAGMENTS]
    ]


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
