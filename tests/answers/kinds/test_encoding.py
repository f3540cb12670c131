"""What kernels see of answers."""

import pytest
import spacy
from spacy.tokens import Doc

from spacy_perceptron.answers.kinds import (
    DependencyAnswers,
    EntityAnswers,
    KindOptions,
    SpanAnswers,
    TagAnswers,
    find_kind,
)
from spacy_perceptron.learn.kernels.structures import Trees

from .gold import WORDS


@pytest.fixture
def doc() -> Doc:
    tags = ["NNP", "NNP", "VBD", "NNP", "NNP", "."]
    return Doc(spacy.blank("en").vocab, words=WORDS, tags=tags)


@pytest.mark.parametrize(("kind", "name"), [(TagAnswers, "tag"), (EntityAnswers, "ent")])
def test_tagged_sequences_share_words_and_shapes(doc: Doc, kind: type, name: str):
    sequences = kind([name]).encode(doc[:], [{name: list("AABAAC")}, {name: list("ABBAAC")}])
    assert len(sequences) == 2
    strings = doc.vocab.strings
    assert [strings[int(tag)] for tag in sequences.tags] == list("AABAACABBAAC")
    assert [strings[int(word)] for word in sequences.words[:6]] == [w.lower() for w in WORDS]
    assert sequences.words[:6].tolist() == sequences.words[6:].tolist()
    assert strings[int(sequences.shapes[0])] == "Xxx"


def node_labels(trees: Trees, doc: Doc) -> list[str]:
    return [doc.vocab.strings[int(label)] for label in trees.labels]


def test_coarse_tags_of_trees():
    vocab = spacy.blank("en").vocab
    doc = Doc(vocab, words=["Go", "home", "!"], tags=["VBP", "", "."], pos=["", "ADV", ""])
    answer = {"head": [0, 0, 0], "dep": ["ROOT", "x", "y"]}
    for coarse, first in ((True, "VB"), (False, "VBP")):
        kind = DependencyAnswers(("head", "dep"), KindOptions(coarse_tags=coarse))
        labels = node_labels(kind.encode(doc[:], [answer]), doc)
        assert labels[:2] == ["ROOT", first]
        assert {"ADV", "."} <= set(labels)


def test_labels_and_words_of_trees(doc: Doc):
    answer = {"head": [2, 0, 2, 4, 2, 2], "dep": ["nsubj", "flat", "ROOT", "x", "obj", "punct"]}
    for labels in (True, False):
        for words in (True, False):
            options = KindOptions(labels=labels, words=words)
            kind = DependencyAnswers(("head", "dep"), options)
            nodes = set(node_labels(kind.encode(doc[:], [answer]), doc))
            assert ("nsubj" in nodes) == labels
            assert ("saw" in nodes) == words


def test_brackets_become_trees(doc: Doc):
    """The second sentence of `Ann Lee / saw New York .`, with fine tags and words."""
    kind = SpanAnswers(["constituents"], KindOptions(words=True, coarse_tags=False))
    flat, deep = [[0, 3, "VP"]], [[0, 4, "S"], [0, 3, "VP"], [1, 3, "NP"]]
    trees = kind.encode(doc[2:6], [{"constituents": deep}, {"constituents": flat}])
    assert len(trees) == 2
    first, second = (trees.select([i]) for i in range(2))
    assert node_labels(first, doc) == [
        *("ROOT", "S", "VP", "VBD", "saw", "NP", "NNP", "new", "NNP", "york", ".", ".")
    ]
    assert first.n_children.tolist() == [1, 2, 2, 1, 0, 2, 1, 0, 1, 0, 1, 0]
    assert node_labels(second, doc) == [
        *("ROOT", "VP", "VBD", "saw", "NNP", "new", "NNP", "york", ".", ".")
    ]
    assert second.n_children.tolist() == [2, 3, 1, 0, 1, 0, 1, 0, 1, 0]


def test_brackets_without_words(doc: Doc):
    trees = SpanAnswers(["constituents"]).encode(doc[2:6], [{"constituents": [[0, 3, "VP"]]}])
    assert node_labels(trees, doc) == ["ROOT", "VP", "VB", "NN", "NN", "."]
    assert trees.n_children.tolist() == [2, 3, 0, 0, 0, 0]


def test_kernels_of_kinds():
    assert find_kind({"head": [0], "dep": ["x"]}).kernels == ("subset_tree",)
    assert find_kind({"constituents": []}).kernels == ("subset_tree",)
    for name in ("tag", "pos", "ent"):
        assert find_kind({name: ["X"]}).kernels == ("tagging", "smoothed_tagging")
    assert find_kind({"lemma": ["x"]}).kernels == ()
    assert find_kind({}).kernels == ()
    with pytest.raises(ValueError, match="no kernel for answers with nothing"):
        find_kind({}).encode(spacy.blank("en")("x")[:], [{}])
