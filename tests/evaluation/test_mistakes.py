"""What is wrong with answers: values worked out by hand, and agreement with the counts."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.answers.kinds import AnswerKind, KindOptions, Mistake, find_kind
from spacy_perceptron.answers.kinds.entities import EntityAnswers
from spacy_perceptron.evaluation.mistakes import (
    MistakeCount,
    count_mistakes,
    find_mistakes,
    wrong_tokens,
)

WORDS = ["Ann", "Lee", "saw", "New", "York", "."]
HEADS, DEPS = [1, 2, 2, 4, 2, 2], ["flat", "nsubj", "ROOT", "flat", "obj", "punct"]
N = len(WORDS)
VOCAB = Vocab()


def make_example(**gold: Any) -> Example:
    return Example(Doc(VOCAB, words=WORDS), Doc(VOCAB, words=WORDS, **gold))


def with_gold(annotation: dict[str, list]) -> Example:
    """An example whose gold side has an annotation."""
    example = make_example()
    find_kind(annotation).write(example.reference, annotation)
    return example


def mistakes(example: Example, annotation: dict[str, list], bounds=((0, N),)) -> list:
    """Type, gold, predicted, tokens and name of the mistakes of each sentence."""
    found = find_mistakes(find_kind(annotation), example, bounds, annotation=annotation)
    assert found is not None
    return [
        [(m.type, m.gold, m.predicted, m.tokens, m.name) for m in of_sentence]
        for of_sentence in found
    ]


def test_labels_of_tokens():
    gold = make_example(tags=["NNP", "NNP", "VBD", "", "NNP", "."])
    answer = {"tag": ["NNP", "NN", "VBD", "XX", "NNP", ":"]}
    # Nothing is known of the fourth token.
    assert mistakes(gold, answer) == [
        [("label", "NNP", "NN", (1,), ""), ("label", ".", ":", (5,), "")]
    ]


def test_without_gold_there_is_nothing_to_say():
    answer = {"tag": ["NNP"] * N}
    assert find_mistakes(find_kind(answer), make_example(), [(0, N)], annotation=answer) is None
    nothing: dict[str, list] = {}
    assert find_mistakes(find_kind(nothing), make_example(), [(0, N)], annotation=nothing) is None


def test_parts_beside_the_main_one_are_named():
    gold = make_example(
        tags=["NNP", "NNP", "VBD", "NNP", "NNP", "."], pos=["PROPN"] * 2 + ["VERB"] + [""] * 3
    )
    answer = {"tag": ["NNP", "NNP", "VBN", "NNP", "NNP", "."], "pos": ["NOUN"] * N}
    assert mistakes(gold, answer) == [
        [
            ("label", "VBD", "VBN", (2,), ""),
            ("label", "PROPN", "NOUN", (0,), "pos"),
            ("label", "PROPN", "NOUN", (1,), "pos"),
            ("label", "VERB", "NOUN", (2,), "pos"),
        ]
    ]
    # Where gold has coarse tags alone, only they are compared.
    gold = make_example(pos=["NOUN"] * 5 + ["PUNCT"])
    assert mistakes(gold, answer) == [[("label", "PUNCT", "NOUN", (5,), "pos")]]


def test_arcs():
    gold = make_example(heads=HEADS, deps=DEPS)
    answer = {
        # Another head; both; right; right; another label; right.
        "head": [2, 0, 2, 4, 2, 2],
        "dep": ["flat", "obj", "ROOT", "flat", "iobj", "punct"],
    }
    assert mistakes(gold, answer) == [
        [
            ("attachment", "flat", "flat", (0,), ""),
            ("both", "nsubj", "obj", (1,), ""),
            ("label", "obj", "iobj", (4,), ""),
        ]
    ]


def test_arcs_without_gold_labels():
    """Only the first word hangs on another; roots without a label are unknown."""
    gold = make_example(heads=[1, 1, 2, 3, 4, 5], deps=[""] * N)
    assert mistakes(gold, {"head": [2] * N, "dep": ["any"] * N}) == [
        [("attachment", "", "any", (0,), "")]
    ]


def test_arcs_of_a_later_sentence():
    gold = make_example(heads=[1, 1, 2, 2, 3, 2], deps=["x", "ROOT", "ROOT", "x", "y", "z"])
    answer = {"head": [0, 0, 2, 2, 2, 2], "dep": ["ROOT", "x", "ROOT", "x", "y", "z"]}
    assert mistakes(gold, answer, [(0, 2), (2, N)]) == [
        [("both", "x", "ROOT", (0,), ""), ("both", "ROOT", "x", (1,), "")],
        # Token 4 of the doc is token 2 of the sentence.
        [("attachment", "y", "y", (2,), "")],
    ]


@pytest.mark.parametrize(
    ("gold", "answer", "expected"),
    [
        (["B-PER", "I-PER", "O", "O", "O", "O"], ["O"] * 6, [("missing", "PER", "", (0, 1), "")]),
        (["O"] * 6, ["O", "O", "O", "B-LOC", "I-LOC", "O"], [("extra", "", "LOC", (3, 4), "")]),
        (
            ["O", "O", "O", "B-LOC", "I-LOC", "O"],
            ["O", "O", "O", "B-ORG", "I-ORG", "O"],
            [("label", "LOC", "ORG", (3, 4), "")],
        ),
        (
            ["O", "O", "O", "B-LOC", "I-LOC", "O"],
            ["O", "O", "O", "O", "B-LOC", "I-LOC"],
            [("boundary", "LOC", "LOC", (3, 4, 5), "")],
        ),
        # Neither the same label nor the same tokens.
        (
            ["B-PER", "I-PER", "O", "O", "O", "O"],
            ["O", "B-LOC", "O", "O", "O", "O"],
            [("missing", "PER", "", (0, 1), ""), ("extra", "", "LOC", (1,), "")],
        ),
        # The longer of two overlapping entities is the pair; the other one is extra.
        (
            ["B-PER", "I-PER", "I-PER", "O", "O", "O"],
            ["B-PER", "B-PER", "I-PER", "O", "O", "O"],
            [("boundary", "PER", "PER", (0, 1, 2), ""), ("extra", "", "PER", (0,), "")],
        ),
        # Neighbours do not overlap.
        (
            ["B-PER", "O", "O", "O", "O", "O"],
            ["O", "B-PER", "O", "O", "O", "O"],
            [("missing", "PER", "", (0,), ""), ("extra", "", "PER", (1,), "")],
        ),
        # Nothing is known of the fourth and fifth token.
        (["B-PER", "O", "O", "", "", "O"], ["B-PER", "O", "O", "B-LOC", "I-LOC", "O"], []),
    ],
)
def test_entities(gold: list[str], answer: list[str], expected: list[tuple]):
    assert mistakes(make_example(ents=gold), {"ent": answer}) == [expected]


def test_entities_without_labels():
    """If only boundaries count, another label is no mistake."""
    kind = EntityAnswers(["ent"], KindOptions(typed=False))
    example = make_example(ents=["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O"])
    answer = {"ent": ["B-ORG", "I-ORG", "O", "B-LOC", "O", "O"]}
    (found,) = find_mistakes(kind, example, [(0, N)], annotation=answer) or []
    assert found == [Mistake("boundary", "", "", (3, 4))]


def test_constituents():
    gold = with_gold({"constituents": [[0, 6, "S"], [0, 2, "NP"], [2, 5, "VP"], [3, 5, "NP"]]})
    answer = {"constituents": [[0, 6, "S"], [0, 2, "NP"], [2, 6, "VP"], [3, 5, "PP"], [0, 1, "X"]]}
    assert mistakes(gold, answer) == [
        [
            ("extra", "", "X", (0,), ""),
            ("boundary", "VP", "VP", (2, 3, 4, 5), ""),
            ("label", "NP", "PP", (3, 4), ""),
        ]
    ]


def test_constituents_by_words_without_punctuation():
    """As in the scorer: a full stop more is no mistake, nor are a function tag and ROOT."""
    example = make_example(tags=["NNP", "NNP", "VBD", "NNP", "NNP", "."])
    kind = find_kind({"constituents": []})
    rows = [[0, 6, "ROOT"], [0, 6, "S"], [0, 2, "NP-SBJ"], [2, 5, "VP"], [3, 5, "NP"]]
    kind.write(example.reference, {"constituents": rows})
    answer = {"constituents": [[0, 5, "S"], [0, 2, "NP"], [2, 6, "VP"]]}
    assert mistakes(example, answer) == [[("missing", "NP", "", (3, 4), "")]]


def test_a_chain_of_constituents():
    """(NP (NP Ann Lee)): one NP is right, the other is an X in the answer."""
    gold = with_gold({"constituents": [[0, 2, "NP"], [0, 2, "NP"]]})
    assert mistakes(gold, {"constituents": [[0, 2, "X"], [0, 2, "NP"]]}) == [
        [("label", "NP", "X", (0, 1), "")]
    ]
    assert mistakes(gold, {"constituents": [[0, 2, "NP"]]}) == [[("missing", "NP", "", (0, 1), "")]]


def test_sentence_starts():
    gold = make_example(sent_starts=[True, False, True, None, False, False])
    # A start at the third token is missing, nothing is known of the fourth, the last is extra.
    assert mistakes(gold, {"sent_start": ["S", "I", "I", "S", "I", "S"]}) == [
        [("missing", "S", "", (2,), ""), ("extra", "", "S", (5,), "")]
    ]
    # The first token of a later sentence can be wrong; that of the doc cannot.
    assert mistakes(gold, {"sent_start": ["I"] * N}, [(0, 2), (2, N)]) == [
        [],
        [("missing", "S", "", (0,), "")],
    ]


def test_frequent_mistakes_come_first():
    found = [
        Mistake("label", "nsubj", "obj", (1,)),
        Mistake("label", "nsubj", "obj", (4,)),
        Mistake("attachment", "obl", "obl", (1,)),
        Mistake("label", "X", "Y", (0,), "pos"),
    ]
    counts = count_mistakes(found)
    assert [(count.mistake.key, count.n) for count in counts] == [
        ("label:obj>nsubj", 2),
        ("attachment:obl>obl", 1),
        ("pos/label:Y>X", 1),
    ]
    assert counts[0] == MistakeCount(Mistake("label", "nsubj", "obj", ()), 2)
    assert counts[0].to_dict() == {
        "key": "label:obj>nsubj",
        "type": "label",
        "gold": "nsubj",
        "predicted": "obj",
        "name": "",
        "n": 2,
    }
    assert wrong_tokens(found, 6) == [True, True, False, False, True, False]


# --- Agreement with the counts ------------------------------------------------------------------


def bio_tags() -> st.SearchStrategy[list[str]]:
    """BIO tags in which `I-` follows the same label."""

    def mend(tags: list[str]) -> list[str]:
        mended: list[str] = []
        for tag in tags:
            follows = bool(mended) and mended[-1][1:] == tag[1:] and mended[-1] != "O"
            mended.append(tag if tag[0] != "I" or follows else f"B{tag[1:]}")
        return mended

    tags = st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B"])
    return st.lists(tags, min_size=N, max_size=N).map(mend)


def brackets() -> st.SearchStrategy[list[list]]:
    spans = st.tuples(st.integers(0, N - 1), st.integers(1, N), st.sampled_from(["A", "B", "ROOT"]))
    ordered = spans.filter(lambda span: span[0] < span[1])
    return st.lists(ordered, max_size=6).map(lambda rows: [list(row) for row in rows])


def tokens(values: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), min_size=N, max_size=N)


def trees() -> st.SearchStrategy[dict[str, list]]:
    """Every token hangs on one before it, or on itself if it is the first."""
    heads = st.tuples(*(st.integers(0, max(i - 1, 0)) for i in range(N))).map(list)
    return st.builds(lambda h, d: {"head": h, "dep": d}, heads, tokens(["x", "y"]))


ANNOTATIONS = [
    tokens(["A", "B"]).map(lambda values: {"tag": values}),
    tokens(["A", "B"]).map(lambda values: {"lemma": values}),
    tokens(["X=1", "Y=1"]).map(lambda values: {"morph": values}),
    trees(),
    bio_tags().map(lambda values: {"ent": values}),
    brackets().map(lambda rows: {"constituents": rows}),
    tokens(["S", "I"]).map(lambda values: {"sent_start": ["S", *values[1:]]}),
]


@pytest.mark.parametrize("strategy", ANNOTATIONS, ids=lambda s: "")
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_mistakes_agree_with_counts(strategy: st.SearchStrategy, data: st.DataObject):
    """Without mistakes all is right, and the other way round. Every gold item is right or in one
    mistake, and so is every predicted one; for sentence starts, which count as sentences, only the
    first holds."""
    gold, answer = data.draw(strategy), data.draw(strategy)
    example = with_gold(gold)
    kind: AnswerKind = find_kind(answer)
    known = kind.read_gold(example)
    if known is None:
        return
    found = kind.find_mistakes(known, answer, 0, N)
    counts = kind.count(known, answer, 0, N)
    assert bool(found) == bool(counts.loss)
    assert bool(kind.find_mistakes(known, gold, 0, N)) is False
    assert all(0 <= i < N for mistake in found for i in mistake.tokens)
    if "sent_start" not in answer:
        n_extra = sum(mistake.type == "extra" for mistake in found)
        n_missing = sum(mistake.type == "missing" for mistake in found)
        n_both = len(found) - n_extra - n_missing
        assert counts.n_gold - counts.n_right == n_both + n_missing
        assert counts.n_predicted - counts.n_right == n_both + n_extra
