"""What parsers say when asked why, and what they do when told that something is wrong."""

from typing import Any

import numpy as np
import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..parsers import EISNER1, EISNER2, LABELS, MST, NAME, PARSERS, Parser, train
from ..sentences import (
    arcs,
    crossing_examples,
    read,
    sentence,
    set_arcs,
    several_sentences,
    wrong_and_right,
)

# --- Explanations -----------------------------------------------------------------------------


def test_explanations_of_whole_docs(parser: Parser, nlp: Language, pipe: Any):
    """With pruning, several sentences and whitespace, and nothing of the doc changes."""
    doc = nlp(several_sentences(nlp, 6))
    before = arcs(doc)
    known = {*parser.arcs, *LABELS}
    for sent in list(doc.sents)[:2]:
        for token in sent:
            if token.is_space:
                continue
            explanation = pipe.explain(doc, token, rows=None)
            assert explanation.word == token.text
            assert {feature.template for feature in explanation.features} <= known
            margin = explanation.chosen_score - explanation.runner_up_score
            total = sum(feature.difference for feature in explanation.features)
            assert total == pytest.approx(margin, abs=1e-4)
            text = str(explanation)
            for feature in explanation.features:
                assert feature.template in text
    assert arcs(doc) == before


def test_explain_what_is_not_there(nlp: Language, pipe: Any):
    doc = nlp(several_sentences(nlp))
    with pytest.raises(ValueError, match="Token 0 is whitespace"):
        pipe.explain(doc, 0)
    alone = next(token for token in list(doc.sents)[2] if not token.is_space)
    with pytest.raises(ValueError, match=f"Token {alone.i} is alone in its sentence"):
        pipe.explain(doc, alone.i)
    n = len(doc)
    for i in (n, -n - 1):
        with pytest.raises(IndexError, match=f"no token {i} in a doc of {n}"):
            pipe.explain(doc, i)
    assert pipe.explain(doc, 1 - n).word == doc[1].text
    with pytest.raises(IndexError, match="no token 0 in a doc of 0"):
        pipe.explain(nlp.make_doc(""), 0)


# --- Corrections ------------------------------------------------------------------------------


def test_correct_takes_effect_at_once(nlp: Language, pipe: Any):
    dev = read(nlp)
    before = [arcs(doc) for doc in nlp.pipe(example.predicted.copy() for example in dev)]
    wrong, _ = wrong_and_right(nlp)
    assert len(wrong) > 8
    saved = pipe.to_bytes()
    for example in wrong[:8]:
        assert 0 < pipe.correct(example) < 100
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        assert pipe.correct(example) == 0
        # Little else changes, and what changed is saved.
        after = [arcs(doc) for doc in nlp.pipe(e.predicted.copy() for e in dev)]
        same = [
            a == b for x, y in zip(before, after, strict=True) for a, b in zip(x, y, strict=True)
        ]
        assert np.mean(same) > 0.8
        pipe.from_bytes(pipe.to_bytes())
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        pipe.from_bytes(saved)


def test_correct_leaves_right_answers_alone(nlp: Language, pipe: Any):
    _, right = wrong_and_right(nlp)
    docs = [nlp(example.predicted.copy()) for example in read(nlp, limit=10)]
    right += [Example(e.predicted, d) for e, d in zip(read(nlp, limit=10), docs, strict=True)]
    before = pipe.to_bytes()
    assert [pipe.correct(example) for example in right] == [0] * len(right)
    # No gold heads, no correction.
    bare = Example(docs[0], Doc(nlp.vocab, words=[token.text for token in docs[0]]))
    assert pipe.correct(bare) == 0
    assert pipe.to_bytes() == before


# There is a tree with any one arc, however few of them pruning leaves.
FEW_HEADS = [(parser, {"max_heads": 5}) for parser in (EISNER1, EISNER2, MST)]


@pytest.mark.parametrize(
    ("parser", "settings"),
    [*((parser, {}) for parser in PARSERS), *FEW_HEADS],
    ids=[*(parser.id for parser in PARSERS), *(f"{parser.id}-pruned" for parser, _ in FEW_HEADS)],
)
def test_correct_one_word(parser: Parser, settings: dict[str, Any]):
    """The others stay free; whatever they get, the one is as it should be."""
    nlp = parser.load(**settings)
    pipe = nlp.get_pipe(NAME)
    saved = pipe.to_bytes()
    for example in read(nlp, limit=6):
        doc = nlp(example.predicted.copy())
        n = len(doc)
        i = next(token.i for token in doc if token.head != token)
        heads: list[int | None] = [None] * n
        labels: list[str | None] = [None] * n
        taken = {t.i for t in doc[i].subtree} | {doc[i].head.i}
        heads[i] = next(j for j in reversed(range(n)) if j not in taken)
        labels[i] = next(label for label in pipe.labels if label not in ("ROOT", doc[i].dep_))
        gold = set_arcs(example.predicted.copy(), heads, labels)
        assert 0 < pipe.correct(Example(example.predicted, gold)) < 100
        found = nlp(example.predicted.copy())
        assert (found[i].head.i, found[i].dep_) == (heads[i], labels[i])
        pipe.from_bytes(saved)


def test_correct_a_label_alone(nlp: Language, pipe: Any):
    saved = pipe.to_bytes()
    for example in read(nlp, limit=6):
        doc = nlp(example.predicted.copy())
        wanted = arcs(doc)
        wanted[1] = (wanted[1][0], next(x for x in pipe.labels if x != wanted[1][1]))
        gold = set_arcs(example.predicted.copy(), *map(list, zip(*wanted, strict=True)))
        assert 0 < pipe.correct(Example(example.predicted, gold)) < 100
        assert arcs(nlp(example.predicted.copy())) == wanted
        pipe.from_bytes(saved)


def test_correct_several_sentences(nlp: Language, pipe: Any):
    wrong, _ = wrong_and_right(nlp)
    reference = Doc.from_docs([example.reference for example in wrong[:3]])
    predicted = Doc.from_docs([example.predicted for example in wrong[:3]])
    assert pipe.correct(Example(predicted.copy(), reference)) > 0
    assert arcs(nlp(predicted.copy())) == arcs(reference)


def test_correct_to_what_cannot_be(parser: Parser, nlp: Language, pipe: Any):
    before = pipe.to_bytes(exclude=["vocab"])
    doc = sentence(nlp, "a b c d", "DT NN VB NN")
    unknown = set_arcs(doc.copy(), [1, 1, 1, 1], ["ROOT", "NEW", "ROOT", "ROOT"])
    with pytest.raises(ValueError, match=r"has no label 'NEW'.*add_label"):
        pipe.correct(Example(doc, unknown))
    label = pipe.labels[0]
    crossing = set_arcs(doc.copy(), [2, 3, None, None], [label, label, None, None])
    if parser.projective:
        with pytest.raises(ValueError, match="no projective tree has all of them"):
            pipe.correct(Example(doc, crossing))
        assert pipe.to_bytes(exclude=["vocab"]) == before
    else:
        assert pipe.correct(Example(doc, crossing)) > 0
        found = nlp(doc.copy())
        assert (found[0].head.i, found[1].head.i) == (2, 3)


def test_correct_to_crossing_arcs(parser: Parser):
    """A tree with crossing arcs can be what a sentence is corrected to."""
    nlp = parser.make()
    examples = crossing_examples(nlp)
    train(nlp, [*examples[:5], examples[-1]], epochs=2)
    nlp.get_pipe(NAME).correct(examples[0])
    assert arcs(nlp(examples[0].predicted.copy())) == arcs(examples[0].reference)


def test_correct_in_the_middle_of_training(parser: Parser):
    nlp = parser.make()
    examples = read(nlp, "train", 20)
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    pipe = nlp.get_pipe(NAME)
    wrong, _ = wrong_and_right(nlp)
    known = [e for e in wrong if {t.dep_ for t in e.reference} <= set(pipe.labels)]
    assert pipe.correct(known[0]) > 0
    assert arcs(nlp(known[0].predicted.copy())) == arcs(known[0].reference)
    # And training goes on from there.
    for _ in range(12):
        nlp.update([*examples, known[0]])
    assert nlp.evaluate([*read(nlp, "train", 20)])["dep_las_all"] == 1.0
    assert arcs(nlp(known[0].predicted.copy())) == arcs(known[0].reference)
