"""What the base of dependency parsers does for a parser that only brings a decoder and a learner,
and has no pruner. The parsers' own tests go through the rest of it."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from .chain_parser import blank, chain
from .sentences import arcs, gold_example, set_arcs

pytestmark = pytest.mark.filterwarnings("ignore:The docs to parse have no tags")
# Number of words -> where the root is.
ROOTS = {2: "first", 3: "last", 4: "first", 5: "last"}


def example(nlp: Language, n: int) -> Example:
    heads = [0, *range(n - 1)] if ROOTS[n] == "first" else [*range(1, n), n - 1]
    labels = ["root" if head == i else f"of{n}" for i, head in enumerate(heads)]
    text = " ".join("abcde"[:n])
    return gold_example(nlp, heads, labels, text)


def examples(nlp: Language) -> list[Example]:
    return [example(nlp, n) for n in ROOTS]


@pytest.fixture
def nlp() -> Language:
    """A trained pipeline."""
    nlp = blank(nbest=2)
    data = examples(nlp)
    nlp.initialize(lambda: data)
    losses = [nlp.update(data)["parser"] for _ in range(5)]
    assert losses[0] > losses[-1] == 0
    return nlp


def right(nlp: Language) -> list[bool]:
    return [arcs(nlp(e.predicted.copy())) == arcs(e.reference) for e in examples(nlp)]


def test_chains():
    assert [chain(3, direction).tolist() for direction in (0, 1)] == [[2, 3, 0], [0, 1, 2]]


def test_learns_and_writes(nlp: Language):
    assert right(nlp) == [True] * 4
    assert nlp.get_pipe("parser").labels == ("of2", "of3", "of4", "of5", "root")
    docs = [e.reference for e in examples(nlp)]
    joined = Doc.from_docs([e.predicted for e in examples(nlp)])
    assert arcs(nlp(joined)) == arcs(Doc.from_docs(docs))
    assert [len(sent) for sent in joined.sents] == list(ROOTS)


def test_lists_and_confidences(nlp: Language):
    pipe = nlp.get_pipe("parser")
    doc = Doc.from_docs([e.predicted for e in examples(nlp)[:2]])
    trees = pipe.nbest(doc, 9)
    # Two trees of either sentence.
    assert len(trees) == 4
    scores = np.array([tree.score for tree in trees])
    assert [tree.probability for tree in trees] == pytest.approx(
        np.exp(scores) / np.exp(scores).sum()
    )
    nlp(doc)
    assert [tree["score"] for tree in doc._.nbest["parser"]] == scores[:2].tolist()
    assert list(zip(*trees[0].annotation.values(), strict=True)) == arcs(doc)
    # Both arcs of the first sentence are those of its best tree, which has half the candidates.
    share = sum(t.probability for t in trees if t.annotation["head"][:2] == [0, 0])
    assert doc[0]._.head_confidence == pytest.approx(share)
    confidences, is_right = pipe.raw_confidences(examples(nlp), 1.0)
    assert len(confidences) == sum(ROOTS)
    assert is_right.all()


def test_saved_and_loaded(nlp: Language, tmp_path: Path):
    pipe = nlp.get_pipe("parser")
    assert len(pipe.model.layers) == 2
    data = pipe.to_bytes()
    nlp.to_disk(tmp_path / "model")
    pipe.to_disk(tmp_path / "pipe")
    again = blank()
    for loaded in (
        again.get_pipe("parser").from_bytes(data),
        blank().get_pipe("parser").from_disk(tmp_path / "pipe"),
        pickle.loads(pickle.dumps(pipe)),
        spacy.load(tmp_path / "model").get_pipe("parser"),
    ):
        assert loaded.to_bytes(exclude=["vocab"]) == pipe.to_bytes(exclude=["vocab"])
    assert right(again) == [True] * 4


def test_goes_on_learning(nlp: Language):
    pipe = nlp.get_pipe("parser")
    assert pipe.add_label("new") == 1
    assert right(nlp) == [True] * 4
    changed = example(nlp, 3)
    set_arcs(changed.reference, [0, 0, 1], ["root", "new", "new"])
    for _ in range(6):
        nlp.update([changed])
    assert arcs(nlp(changed.predicted.copy())) == arcs(changed.reference)


def test_correction(nlp: Language):
    pipe = nlp.get_pipe("parser")
    changed = example(nlp, 4)
    set_arcs(changed.reference, [1, 2, 3, 3], ["of2", "of2", "of2", "root"])
    assert pipe.correct(changed) > 0
    assert arcs(nlp(changed.predicted.copy())) == arcs(changed.reference)
    assert pipe.correct(changed) == 0
    assert right(nlp) == [True, True, False, True]


def test_explanation(nlp: Language):
    pipe = nlp.get_pipe("parser")
    doc = example(nlp, 3).predicted
    best, other = pipe.nbest(doc, 2)
    explanation = pipe.explain(doc, 0)
    assert (explanation.chosen, explanation.runner_up) == ("b", "<root>")
    assert explanation.chosen_score == pytest.approx(best.score)
    assert explanation.runner_up_score == pytest.approx(other.score)
    assert [feature.value for feature in explanation.features] == ["3"]
