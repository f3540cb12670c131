"""What all kinds do: read, write, cut, join and describe."""

import json
from typing import Any

import numpy as np
import pytest
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_perceptron.answers.kinds import (
    KINDS,
    DependencyAnswers,
    EntityAnswers,
    MixedAnswers,
    NoAnswers,
    SpanAnswers,
    TagAnswers,
    find_kind,
)
from spacy_perceptron.answers.kinds.boundaries import BoundaryAnswers

# Two sentences, of three and of two tokens.
WORDS = ["We", "saw", "Ann", "She", "saw"]
BOUNDS = [(0, 3), (3, 5)]
TAGS = {"tag": ["PRP", "VBD", "NNP", "PRP", "VBD"]}
TREE = {"head": [1, 1, 1, 4, 4], "dep": ["nsubj", "ROOT", "obj", "nsubj", "ROOT"]}
ENTITIES = {"ent": ["O", "O", "B-PER", "B-PER", "O"]}
SPANS: dict[str, list] = {
    "constituents": [[0, 3, "S"], [0, 1, "NP"], [1, 3, "VP"], [2, 3, "NP"], [3, 5, "S"]]
}
EVERY = [
    TAGS,
    {"pos": ["PRON", "VERB", "PROPN", "PRON", "VERB"]},
    TREE,
    ENTITIES,
    SPANS,
    {**TAGS, **TREE},
    {"dep": TREE["dep"], **ENTITIES, "head": TREE["head"]},
    {**SPANS, **TAGS, **ENTITIES},
    {},
]
# The part of each name in the second sentence.
SECOND = {
    "tag": ["PRP", "VBD"],
    "pos": ["PRON", "VERB"],
    "head": [1, 1],
    "dep": ["nsubj", "ROOT"],
    "ent": ["B-PER", "O"],
    "constituents": [[0, 2, "S"]],
}

every_kind = pytest.mark.parametrize("annotation", EVERY, ids=lambda data: "+".join(data) or "none")


def make_doc() -> Doc:
    starts = [i in (0, 3) for i in range(len(WORDS))]
    return Doc(Vocab(), words=WORDS, sent_starts=starts)


def test_kinds_are_found():
    kinds = {
        "tag": TagAnswers,
        "lemma": TagAnswers,
        "dep": TagAnswers,
        "head": DependencyAnswers,
        "ent": EntityAnswers,
        "constituents": SpanAnswers,
        "sent_start": BoundaryAnswers,
    }
    for name, kind in kinds.items():
        found = find_kind({name: []})
        assert type(found) is kind
        assert found.names == (name,)
    assert type(find_kind(TREE)) is DependencyAnswers
    assert type(find_kind({})) is NoAnswers
    assert set(KINDS) < {*kinds.values()}


def test_mixed_kinds_have_a_main_one():
    for name in ("tag", "ent", "constituents"):
        mixed = find_kind({name: [], **TREE})
        assert isinstance(mixed, MixedAnswers)
        assert type(mixed.main) is DependencyAnswers
        assert (mixed.drawing, mixed.metric) == ("arcs", "dep_las_all")
        assert mixed.confidences[-2:] == ("head", "dep")
    assert type(find_kind({"tag": [], "ent": []}).main) is EntityAnswers
    assert find_kind({"tag": [], "pos": []}).metric == "tag_acc"


@every_kind
def test_what_is_written_can_be_read(annotation: dict[str, Any]):
    doc = make_doc()
    kind = find_kind(annotation)
    kind.write(doc, annotation)
    assert kind.read(doc) == annotation
    assert list(kind.read(doc)) == list(annotation)
    assert [sent.start for sent in doc.sents] == [0, 3]


@every_kind
def test_sentences_are_cut_out(annotation: dict[str, Any]):
    cut = find_kind(annotation).cut(annotation, 3, 5)
    assert cut == {name: SECOND[name] for name in annotation}


@every_kind
def test_join_is_the_inverse_of_cut(annotation: dict[str, Any]):
    kind = find_kind(annotation)
    parts = [(start, kind.cut(annotation, start, end)) for start, end in BOUNDS]
    assert kind.join(iter(parts)) == annotation
    assert list(kind.join(parts)) == list(annotation)
    assert kind.join([]) == {name: [] for name in annotation}


@every_kind
def test_plain_data(annotation: dict[str, Any]):
    """Numbers of numpy and tuples, which some formats make of lists."""
    odd = {
        name: tuple(
            np.int32(v) if isinstance(v, int) else tuple(v) if isinstance(v, list) else np.str_(v)
            for v in values
        )
        for name, values in annotation.items()
    }
    kind = find_kind(annotation)
    data = kind.as_plain_data(odd)
    assert json.loads(json.dumps(data)) == annotation
    assert list(data) == list(annotation)
    assert kind.key(odd) == kind.key(annotation)
    # The data is a copy.
    for values in data.values():
        values.append("more")
    assert kind.key(data) != kind.key(annotation) or not annotation


@every_kind
def test_keys_tell_answers_apart(annotation: dict[str, Any]):
    kind = find_kind(annotation)
    for name, values in annotation.items():
        last = values[-1]
        other = 3 if isinstance(last, int) else [4, 5, "S"] if isinstance(last, list) else "B-X"
        changed = {**annotation, name: [*values[:-1], other]}
        assert hash(kind.key(changed)) is not None
        assert kind.key(changed) != kind.key(annotation)
        expected = {
            attribute: [False] * 4 + [attribute == name]
            for attribute in annotation
            if attribute != "constituents"
        }
        assert kind.changes(annotation, changed) == expected
    assert set(kind.confidences) == {name for name in annotation if name != "constituents"}


@every_kind
def test_descriptions_have_a_row_per_token(annotation: dict[str, Any]):
    described = find_kind(annotation).describe(annotation, WORDS)
    assert list(described.columns) == list(annotation)
    assert all(len(column) == len(WORDS) for column in described.columns.values())
    assert len(described.words) == len(described.parts) == len(WORDS)
    assert find_kind(annotation).describe({name: [] for name in annotation}, []).parts == []


def test_trees_in_words():
    described = find_kind(TREE).describe(TREE, WORDS)
    # Words that occur again are numbered.
    assert described.words == ["We", "saw-1", "Ann", "She", "saw-4"]
    assert described.columns["head"] == ["saw-1", "<root>", "saw-1", "saw-4", "<root>"]
    assert described.columns["dep"] == TREE["dep"]
    assert described.parts[:2] == [("nsubj", "← saw-1"), ("ROOT", "← <root>")]
    assert described.items == [*zip(TREE["head"], TREE["dep"], strict=True)]
    unlabelled = find_kind({"head": []}).describe({"head": TREE["head"]}, WORDS)
    assert unlabelled.parts[0] == ("", "← saw-1")


def test_brackets_in_words():
    described = find_kind(SPANS).describe(SPANS, WORDS)
    assert described.parts == [("(S(NP*)",), ("(VP*",), ("(NP*)))",), ("(S*",), ("*)",)]
    assert described.items[2] == (1, 3, "VP")
    assert find_kind(SPANS).drawing == "brackets"


def test_several_kinds_in_words():
    annotation = {**TAGS, **TREE, **ENTITIES}
    described = find_kind(annotation).describe(annotation, WORDS)
    assert described.parts[2] == ("NNP/obj/B-PER", "← saw-1")
    assert described.words[1] == "saw-1"
    assert described.items[2] == (1, "obj")


def test_unary_chains_keep_their_order():
    chain = {"constituents": [[0, 1, "S"], [0, 1, "VP"], [0, 1, "S"]]}
    doc = Doc(Vocab(), words=["Go"])
    find_kind(chain).write(doc, chain)
    assert [span.label_ for span in doc.spans["constituents"]] == ["S", "VP", "S"]
    assert find_kind(chain).read(doc) == chain
    assert find_kind(chain).describe(chain, ["Go"]).parts == [("(S(VP(S*)))",)]


def test_phrases_across_a_boundary_belong_to_no_sentence():
    across = {"constituents": [[2, 4, "X"], [3, 5, "S"]]}
    assert find_kind(across).cut(across, 3, 5) == {"constituents": [[0, 2, "S"]]}
    assert find_kind(across).cut(across, 0, 3) == {"constituents": []}


def test_a_new_kind_needs_nothing_else(monkeypatch: pytest.MonkeyPatch):
    """All there is to add is a class with a place in `KINDS`."""
    from spacy_perceptron.answers import kinds
    from spacy_perceptron.answers.candidate import Candidate

    class Chunks(SpanAnswers):
        own_names = ("chunks",)

        def write(self, doc: Doc, annotation: Any) -> None:
            super().write(doc, {"constituents": annotation["chunks"]})

    monkeypatch.setattr(kinds, "KINDS", (*KINDS, Chunks))
    kinds._find_kind.cache_clear()
    doc = make_doc()
    Candidate(1.0, 1.0, {"chunks": [[2, 3, "NP"]]}).apply(doc)
    assert [(s.text, s.label_) for s in doc.spans["constituents"]] == [("Ann", "NP")]
    kinds._find_kind.cache_clear()
