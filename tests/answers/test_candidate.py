import itertools
import json
import math
import pickle
import tracemalloc

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.answers.candidate import Candidate, join_sentences, softmax
from spacy_perceptron.answers.stored import get_nbest, register_extensions, store_nbest

from ..cli.by_hand.parser import NAPS, SAW, TREES

SCORES = st.lists(st.integers(-6, 6).map(lambda n: n / 2), min_size=1, max_size=5)


@given(
    st.lists(SCORES.map(lambda scores: sorted(scores, reverse=True)), max_size=4),
    st.integers(0, 12),
)
def test_join_sentences_equals_brute_force(scores: list[list[float]], k: int):
    """Ties included: of equal sums the one with earlier choices comes first."""
    every = [
        (sum(sentence[i] for sentence, i in zip(scores, choice, strict=True)), choice)
        for choice in itertools.product(*(range(len(sentence)) for sentence in scores))
    ]
    every.sort(key=lambda item: (-item[0], item[1]))
    assert join_sentences(scores, k) == every[:k]


def test_rounding_leaves_joined_sentences_in_order():
    """0.2 + 0.2 + 0.7 is 1.1, but 0.2 + 0.7 + 0.2 a little less, and it is reached first."""
    best = join_sentences([[0.2], [0.7, 0.2], [0.7, 0.2]], 3)
    assert [choice for _, choice in best] == [(0, 0, 0), (0, 1, 0), (0, 0, 1)]
    scores = [score for score, _ in best]
    assert scores == sorted(scores, reverse=True)


def test_join_many_sentences():
    """200 sentences with two answers each: 2^200 combinations. The best gives up nothing, the next
    200 one answer each, cheapest first."""
    scores = [[0.0, -1.0 - s / 256] for s in range(200)]
    best = join_sentences(scores, 150)
    assert best[0] == (0.0, (0,) * 200)
    for s, (score, choice) in enumerate(best[1:]):
        assert score == -1.0 - s / 256
        assert choice == tuple(int(i == s) for i in range(200))


def test_joining_takes_little_memory():
    """4,000 sentences of 16 answers: the result has 16 choices of each, 0.5 MB."""
    scores = [[-((7 * s + 3 * i) % 11) - 20.0 * i for i in range(16)] for s in range(4000)]
    tracemalloc.start()
    best = join_sentences(scores, 16)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(best) == 16
    assert [score for score, _ in best] == sorted((score for score, _ in best), reverse=True)
    assert peak < 3e6


def test_softmax_by_hand():
    assert softmax([0.0, math.log(3.0)]) == pytest.approx([0.25, 0.75])
    # log 9 at temperature 2 is log 3.
    assert softmax([math.log(9.0), 0.0], temperature=2.0) == pytest.approx([0.75, 0.25])
    assert softmax([5.0]) == [1.0]


@given(
    st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=8),
    st.floats(0.05, 50),
    st.floats(-1e4, 1e4),
)
def test_softmax_is_a_distribution(scores: list[float], temperature: float, shift: float):
    shares = softmax(scores, temperature=temperature)
    assert sum(shares) == pytest.approx(1.0)
    assert all(isinstance(share, float) and 0 <= share <= 1 for share in shares)
    order = np.argsort(scores)
    assert all(a <= b for a, b in itertools.pairwise(np.array(shares)[order]))
    shifted = softmax([score + shift for score in scores], temperature=temperature)
    assert shifted == pytest.approx(shares, abs=1e-6)


def make_doc(words: list[str]) -> Doc:
    return Doc(Vocab(), words=words)


def test_apply_writes_the_annotation():
    doc = make_doc(["Go", "home"])
    candidate = Candidate(1.5, 0.5, {"tag": ["VB", "NN"], "pos": ["VERB", "NOUN"]})
    assert candidate.apply(doc) is doc
    assert [(t.tag_, t.pos_) for t in doc] == [("VB", "VERB"), ("NN", "NOUN")]
    Candidate(0.0, 0.5, {"tag": ["UH", ""]}).apply(doc)
    assert [(t.tag_, t.pos_) for t in doc] == [("UH", "VERB"), ("", "NOUN")]


def test_apply_keeps_sentences_and_entities():
    doc = Doc(
        Vocab(),
        words=["Go", "home", "Ann"],
        sent_starts=[True, False, True],
        ents=["O", "O", "B-PERSON"],
    )
    Candidate(0.0, 1.0, {"tag": ["VB", "RB", "NNP"]}).apply(doc)
    assert [sent.text for sent in doc.sents] == ["Go home", "Ann"]
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ann", "PERSON")]


def test_apply_to_an_empty_doc():
    doc = make_doc([])
    assert len(Candidate(0.0, 1.0, {"tag": []}).apply(doc)) == 0
    assert len(Candidate(0.0, 1.0, {"head": [], "dep": []}).apply(doc)) == 0
    assert len(Candidate(0.0, 1.0).apply(doc)) == 0


# Two sentences; the space token between them can belong to either.
WORDS = ["He", "naps", ".", " ", "Go", "home", "now"]
LABELS = ["nsubj", "ROOT", "punct", "dep", "ROOT", "obj", "advmod"]


@pytest.mark.parametrize("space_starts_sentence", [False, True])
@pytest.mark.parametrize("space_head", [2, 4])
def test_apply_keeps_given_boundaries(space_starts_sentence: bool, space_head: int):
    """Boundaries stay also where the arc of a space crosses one."""
    starts = [True, False, False, space_starts_sentence, not space_starts_sentence, False, False]
    doc = Doc(Vocab(), words=WORDS, sent_starts=starts)
    heads = [1, 1, 1, space_head, 4, 4, 4]
    for labels in (LABELS, LABELS[::-1]):
        assert Candidate(0.0, 1.0, {"head": heads, "dep": labels}).apply(doc) is doc
        assert [token.head.i for token in doc] == heads
        assert [token.dep_ for token in doc] == labels
        assert [sent.start for sent in doc.sents] == [0, 3 if space_starts_sentence else 4]
        assert [token.is_sent_start for token in doc] == starts


def test_apply_replaces_a_tree():
    """Children, edges and boundaries follow the new heads; other annotation stays."""
    doc = Doc(Vocab(), words=WORDS, ents=["O"] * 4 + ["O", "B-LOC", "O"], tags=["X"] * 7)
    Candidate(0.0, 1.0, {"head": [1, 1, 1, 2, 4, 4, 4], "dep": LABELS}).apply(doc)
    assert [sent.start for sent in doc.sents] == [0, 4]
    assert [child.i for child in doc[4].children] == [5, 6]
    # Now `home` is the root of the second sentence, with a child on either side.
    Candidate(0.0, 1.0, {"head": [1, 1, 0, 2, 5, 5, 5], "dep": LABELS}).apply(doc)
    assert [sent.root.i for sent in doc.sents] == [1, 5]
    assert [child.i for child in doc[4].children] == []
    assert [child.i for child in doc[5].children] == [4, 6]
    assert [child.i for child in doc[0].children] == [2]
    assert (doc[0].left_edge.i, doc[0].right_edge.i) == (0, 3)
    assert [token.tag_ for token in doc] == ["X"] * 7
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("home", "LOC")]


def test_apply_crossing_arcs():
    """0 hangs on 2 and 1 on 3: a non-projective tree, one sentence."""
    doc = make_doc(["a", "b", "c", "d"])
    heads = [2, 3, 2, 2]
    Candidate(0.0, 1.0, {"head": heads, "dep": ["x", "y", "ROOT", "z"]}).apply(doc)
    assert [token.head.i for token in doc] == heads
    assert len(list(doc.sents)) == 1


def test_apply_takes_heads_and_tags_together():
    doc = make_doc(["Go", "home"])
    annotation = {"tag": ["VB", "NN"], "head": [0, 0], "dep": ["ROOT", "obj"]}
    Candidate(0.0, 1.0, annotation).apply(doc)
    assert [(t.tag_, t.head.i, t.dep_) for t in doc] == [("VB", 0, "ROOT"), ("NN", 0, "obj")]


def test_heads_become_plain_data():
    heads = np.array([1, 1], dtype=np.int32)
    data = Candidate(1.0, 1.0, {"head": heads, "dep": ["nsubj", "ROOT"]}).to_dict()
    assert data["head"] == [1, 1]
    assert {type(head) for head in data["head"]} == {int}
    assert json.loads(json.dumps(data)) == data


def test_stored_trees_survive():
    """With DocBin, bytes, pickle and worker processes, and can be applied afterwards."""
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hand_parser", name="parser", config={"nbest": 3})
    docs = list(nlp.pipe([SAW, NAPS], n_process=2))
    for doc, text in zip(docs, (SAW, NAPS), strict=True):
        expected = {"parser": [candidate.to_dict() for candidate in TREES[text][:3]]}
        copies = [
            doc,
            next(iter(DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab))),
            Doc(nlp.vocab).from_bytes(doc.to_bytes()),
            pickle.loads(pickle.dumps(doc)),
        ]
        for copy in copies:
            assert copy._.nbest == expected
            last = copy._.nbest["parser"][-1]
            score, probability = last.pop("score"), last.pop("probability")
            Candidate(score, probability, last).apply(copy)
            assert [token.head.i for token in copy] == last["head"]
            assert [token.dep_ for token in copy] == last["dep"]


def test_apply_and_store_constituents():
    """Lists within lists come back as lists."""
    doc = make_doc(["Go", "home"])
    answer = {"constituents": [[0, 2, "VP"], [1, 2, "NP"]]}
    Candidate(1.0, 1.0, answer).apply(doc)
    assert [(s.text, s.label_) for s in doc.spans["constituents"]] == [
        ("Go home", "VP"),
        ("home", "NP"),
    ]
    store_nbest(doc, "parser", [Candidate(1.0, 1.0, answer)])
    copy = Doc(doc.vocab).from_bytes(doc.to_bytes())
    expected = {"parser": [{"score": 1.0, "probability": 1.0, **answer}]}
    assert get_nbest(copy) == get_nbest(doc) == expected


def test_stored_candidates_are_plain_data():
    register_extensions()
    register_extensions()
    doc = make_doc(["Go"])
    assert get_nbest(doc) == {}
    first, second = Candidate(2.0, 0.75, {"tag": ["VB"]}), Candidate(1.0, 0.25, {"tag": ["NN"]})
    store_nbest(doc, "tagger", [first, second])
    store_nbest(doc, "other", [second])
    expected = {
        "tagger": [
            {"score": 2.0, "probability": 0.75, "tag": ["VB"]},
            {"score": 1.0, "probability": 0.25, "tag": ["NN"]},
        ],
        "other": [{"score": 1.0, "probability": 0.25, "tag": ["NN"]}],
    }
    assert doc._.nbest == expected
    copy = next(iter(DocBin(docs=[doc], store_user_data=True).get_docs(doc.vocab)))
    assert copy._.nbest == expected
