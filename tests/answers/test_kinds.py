import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.answers.kinds import (
    Counts,
    EntityAnswers,
    TagAnswers,
    TreeAnswers,
    find_kind,
    read_values,
)
from spacy_perceptron.answers.sentences import SentenceAnswers
from spacy_perceptron.trees.dependency_encoding import DependencyEncoding

WORDS = ["Ann", "Lee", "saw", "New", "York", "."]


def example(**gold) -> Example:
    vocab = Vocab()
    return Example(Doc(vocab, words=WORDS), Doc(vocab, words=WORDS, **gold))


def one_answer(**annotation) -> SentenceAnswers:
    return SentenceAnswers(0, len(WORDS), [0.0], [annotation])


def test_arcs_count_by_head_and_label():
    kind = TreeAnswers(DependencyEncoding())
    heads, deps = [1, 2, 2, 4, 2, 2], ["flat", "nsubj", "ROOT", "flat", "obj", "punct"]
    gold = kind.read_gold(example(heads=heads, deps=deps))
    assert kind.count(gold, one_answer(head=heads, dep=deps), 0) == (6, 6, 6)
    # One wrong head, another wrong label.
    wrong = one_answer(head=[2, *heads[1:]], dep=[*deps[:4], "iobj", "punct"])
    assert kind.count(gold, wrong, 0) == (4, 6, 6)
    assert kind.count(gold, wrong, 0).loss == 4


def test_heads_of_a_later_sentence():
    kind = TreeAnswers(DependencyEncoding())
    heads, deps = [1, 1, 2, 2, 3, 2], ["x", "ROOT", "ROOT", "x", "y", "z"]
    gold = kind.read_gold(example(heads=heads, deps=deps))
    second = SentenceAnswers(2, 6, [0.0], [{"head": [0, 0, 1, 0], "dep": deps[2:]}])
    assert kind.count(gold, second, 0) == (4, 4, 4)


def test_missing_arcs_do_not_count():
    kind = TreeAnswers(DependencyEncoding())
    assert kind.read_gold(example()) is None
    # Only the first word hangs on another; roots without a label are unknown.
    gold = kind.read_gold(example(heads=[1, 1, 2, 3, 4, 5], deps=[""] * 6))
    assert kind.count(gold, one_answer(head=[1] * 6, dep=["any"] * 6), 0) == (1, 1, 1)


def test_tags_count_by_word():
    kind = TagAnswers("tag")
    gold = kind.read_gold(example(tags=["NNP", "NNP", "VBD", "", "NNP", "."]))
    answer = one_answer(tag=["NNP", "NN", "VBD", "NNP", "NNP", "."])
    assert kind.count(gold, answer, 0) == (4, 5, 5)
    assert kind.read_gold(example()) is None


@pytest.mark.parametrize(("typed", "expected"), [(True, (1, 3, 2)), (False, (2, 3, 2))])
def test_entities_count_by_span(typed: bool, expected: tuple[int, int, int]):
    kind = EntityAnswers(typed=typed)
    gold = kind.read_gold(example(ents=["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O"]))
    answer = one_answer(ent=["B-PER", "I-PER", "B-ORG", "B-ORG", "I-ORG", "O"])
    counts = kind.count(gold, answer, 0)
    assert counts == expected
    assert counts.loss == expected[1] + expected[2] - 2 * expected[0]


def test_entities_at_missing_tokens_are_not_judged():
    kind = EntityAnswers(typed=True)
    assert kind.read_gold(example()) is None
    gold = kind.read_gold(example(ents=["B-PER", "I-PER", "O", "", "", "O"]))
    answer = one_answer(ent=["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O"])
    assert kind.count(gold, answer, 0) == Counts(1, 1, 1)


def test_tagged_sequences_share_words_and_shapes():
    doc = Doc(spacy.blank("en").vocab, words=WORDS)
    rows = [{"tag": list("AABAAC")}, {"tag": list("ABBAAC")}]
    sequences = TagAnswers("tag").encode(doc, SentenceAnswers(0, 6, [1.0, 0.0], rows))
    assert len(sequences) == 2
    strings = doc.vocab.strings
    assert [strings[int(tag)] for tag in sequences.tags] == list("AABAACABBAAC")
    assert [strings[int(word)] for word in sequences.words[:6]] == [w.lower() for w in WORDS]
    assert sequences.words[:6].tolist() == sequences.words[6:].tolist()
    assert strings[int(sequences.shapes[0])] == "Xxx"


def test_coarse_tags_of_trees():
    vocab = spacy.blank("en").vocab
    doc = Doc(vocab, words=["Go", "home", "!"], tags=["VBP", "", "."], pos=["", "ADV", ""])
    answers = SentenceAnswers(0, 3, [0.0], [{"head": [0, 0, 0], "dep": ["ROOT", "x", "y"]}])
    encoding = DependencyEncoding(words=False)
    for coarse, first in ((True, "VB"), (False, "VBP")):
        trees = TreeAnswers(encoding, coarse=coarse).encode(doc, answers)
        labels = [vocab.strings[int(label)] for label in trees.labels]
        assert labels[:2] == ["ROOT", first]
        assert {"ADV", "."} <= set(labels)


def test_read_values():
    ents = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC", "O"]
    heads, deps = [1, 2, 2, 4, 2, 2], ["flat", "nsubj", "ROOT", "flat", "obj", "punct"]
    doc = Doc(Vocab(), words=WORDS, ents=ents, heads=heads, deps=deps)
    assert read_values(doc, "ent") == ents
    assert read_values(doc, "head") == heads
    assert read_values(doc, "dep") == deps


def test_find_kind():
    settings = {"encoding": DependencyEncoding(), "typed": False}
    assert isinstance(find_kind({"head": [0], "dep": ["x"]}, **settings), TreeAnswers)
    assert find_kind({"pos": ["X"]}, **settings).metric == "pos_acc"
    assert find_kind({"ent": ["O"]}, **settings).metric == "ents_boundary_f"
    with pytest.raises(ValueError, match="no kernel for answers with lemma"):
        find_kind({"lemma": ["x"]}, **settings)
