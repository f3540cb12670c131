"""How right answers are."""

import numpy as np
import pytest
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.answers.kinds import (
    Annotation,
    AnswerKind,
    Counts,
    DependencyAnswers,
    EntityAnswers,
    KindOptions,
    SpanAnswers,
    TagAnswers,
    find_kind,
)
from spacy_perceptron.evaluation.counts import count_metrics
from spacy_perceptron.trees.constituents import set_constituents

from .gold import WORDS, make_example

HEADS, DEPS = [1, 2, 2, 4, 2, 2], ["flat", "nsubj", "ROOT", "flat", "obj", "punct"]
TREES = DependencyAnswers(("head", "dep"))
# (S (NP Ann Lee) (VP saw (NP New York)) .)
SPANS = [[0, 6, "S"], [0, 2, "NP"], [2, 5, "VP"], [3, 5, "NP"]]


def count(kind: AnswerKind, example: Example, annotation: Annotation) -> Counts:
    """For a doc of one sentence."""
    return kind.count(kind.read_gold(example), annotation, 0, len(WORDS))


def test_arcs_count_by_head_and_label():
    gold = make_example(heads=HEADS, deps=DEPS)
    assert count(TREES, gold, {"head": HEADS, "dep": DEPS}) == (6, 6, 6)
    # One wrong head, another wrong label.
    wrong = {"head": [2, *HEADS[1:]], "dep": [*DEPS[:4], "iobj", "punct"]}
    assert count(TREES, gold, wrong) == (4, 6, 6)
    assert count(TREES, gold, wrong).loss == 4


def test_heads_of_a_later_sentence():
    heads, deps = [1, 1, 2, 2, 3, 2], ["x", "ROOT", "ROOT", "x", "y", "z"]
    gold = TREES.read_gold(make_example(heads=heads, deps=deps))
    second = {"head": [0, 0, 1, 0], "dep": deps[2:]}
    assert TREES.count(gold, second, 2, 6) == (4, 4, 4)


def test_missing_arcs_do_not_count():
    assert TREES.read_gold(make_example()) is None
    # Only the first word hangs on another; roots without a label are unknown.
    gold = make_example(heads=[1, 1, 2, 3, 4, 5], deps=[""] * 6)
    assert count(TREES, gold, {"head": [1] * 6, "dep": ["any"] * 6}) == (1, 1, 1)


def test_tags_count_by_word():
    kind = TagAnswers(["tag"])
    gold = make_example(tags=["NNP", "NNP", "VBD", "", "NNP", "."])
    assert count(kind, gold, {"tag": ["NNP", "NN", "VBD", "NNP", "NNP", "."]}) == (4, 5, 5)
    assert kind.read_gold(make_example()) is None


@pytest.mark.parametrize(("typed", "expected"), [(True, (1, 3, 2)), (False, (2, 3, 2))])
def test_entities_count_by_span(typed: bool, expected: tuple[int, int, int]):
    kind = EntityAnswers(["ent"], KindOptions(typed=typed))
    gold = make_example(ents=["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O"])
    counts = count(kind, gold, {"ent": ["B-PER", "I-PER", "B-ORG", "B-ORG", "I-ORG", "O"]})
    assert counts == expected
    assert counts.loss == expected[1] + expected[2] - 2 * expected[0]


def test_entities_at_missing_tokens_are_not_judged():
    kind = EntityAnswers(["ent"])
    assert kind.read_gold(make_example()) is None
    gold = make_example(ents=["B-PER", "I-PER", "O", "", "", "O"])
    answer = {"ent": ["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O"]}
    assert count(kind, gold, answer) == (1, 1, 1)


def make_bracketed(spans: list[list]) -> Example:
    example = make_example()
    SpanAnswers(["constituents"]).write(example.reference, {"constituents": spans})
    return example


def test_brackets_count_by_span_and_label():
    kind = SpanAnswers(["constituents"])
    assert kind.read_gold(make_example()) is None
    gold = make_bracketed(SPANS)
    assert count(kind, gold, {"constituents": SPANS}) == (4, 4, 4)
    # A label and a span are wrong, and one is missing.
    wrong = [[0, 6, "S"], [0, 2, "NP"], [2, 6, "VP"], [3, 5, "PP"]]
    assert count(kind, gold, {"constituents": wrong}) == (2, 4, 4)
    assert count(kind, gold, {"constituents": wrong[:3]}).loss == 3


def test_brackets_of_a_later_sentence():
    kind = SpanAnswers(["constituents"])
    gold = kind.read_gold(make_bracketed([[0, 2, "NP"], [2, 6, "S"], [3, 5, "NP"]]))
    answer = {"constituents": [[0, 4, "S"], [0, 1, "VP"], [1, 3, "NP"]]}
    assert kind.count(gold, answer, 2, 6) == (2, 3, 2)


def test_a_label_can_be_there_twice():
    """(NP (NP Ann Lee)): one NP of the chain is found, two are there."""
    kind = SpanAnswers(["constituents"])
    gold = make_bracketed([[0, 2, "NP"], [0, 2, "NP"]])
    assert count(kind, gold, {"constituents": [[0, 2, "NP"]]}) == (1, 1, 2)


def test_brackets_of_other_tokens():
    """A phrase counts where its text is made of predicted tokens."""
    kind = SpanAnswers(["constituents"])
    gold = Doc(
        make_example().reference.vocab, words=["do", "n't", "go"], spaces=[False, True, False]
    )
    kind.write(gold, {"constituents": [[0, 3, "VP"], [0, 2, "X"], [1, 2, "RB"], [2, 3, "VP"]]})
    predicted = Doc(gold.vocab, words=["don't", "go"])
    found = kind.read_gold(Example(predicted, gold))
    assert found == {"constituents": [[0, 2, "VP"], [0, 1, "X"], [1, 2, "VP"]]}


def test_brackets_count_as_in_the_scorer():
    """Punctuation by gold tags, function tags, PRT and white space, on the second sentence."""
    kind = SpanAnswers(["constituents"])
    words = ["Go", "He", ",", "too", ",", "gave", "up", "\n", "."]
    tags = ["VB", "PRP", ",", "RB", ",", "VBD", "RP", "_SP", "."]
    gold = Doc(Vocab(), words=words, tags=tags, sent_starts=[True, True] + [False] * 7)
    spans = [
        [0, 1, "S"],
        [1, 9, "S"],
        [1, 2, "NP-SBJ"],
        [3, 4, "ADVP"],
        [5, 8, "VP"],
        [6, 7, "PRT"],
    ]
    kind.write(gold, {"constituents": spans})
    predicted = Doc(gold.vocab, words=words)
    # S without the full stop, NP with a comma, X over commas alone, ADVP for PRT; no VP.
    answer = [[0, 7, "S"], [0, 2, "NP"], [1, 2, "X"], [2, 3, "ADJP"], [5, 7, "ADVP"]]
    kind.write(
        predicted, {"constituents": [[0, 1, "S"], *([a + 1, b + 1, x] for a, b, x in answer)]}
    )
    example = Example(predicted, gold)
    counts = kind.count(kind.read_gold(example), {"constituents": answer}, 1, 9)
    # Of S, NP, ADJP and ADVP all but ADJP are right; gold also has ADVP over "too" and VP.
    assert counts == (3, 4, 5)
    first = kind.count(kind.read_gold(example), {"constituents": [[0, 1, "S"]]}, 0, 1)
    total = np.sum([counts, first], axis=0).tolist()
    assert count_metrics([example], [kind.metric])[kind.metric].stats.tolist() == [total]


def test_no_phrases_are_gold_too():
    kind = SpanAnswers(["constituents"])
    example = make_example()
    set_constituents(example.reference, [])
    assert count(kind, example, {"constituents": [[0, 2, "NP"]]}) == (0, 1, 0)


def test_metrics():
    untyped = KindOptions(typed=False)
    assert find_kind({"head": [0], "dep": ["x"]}).metric == "dep_las_all"
    assert find_kind({"pos": ["X"]}).metric == "pos_acc"
    assert find_kind({"ent": ["O"]}).metric == "ents_f"
    assert find_kind({"ent": ["O"]}, untyped).metric == "ents_boundary_f"
    assert find_kind({"constituents": [[0, 1, "NP"]]}).metric == "const_f"
