import numpy as np
import pytest

from spacy_perceptron.decode.constituents.chart.grammar import Grammar
from spacy_perceptron.decode.constituents.chart.orphans import Orphans
from spacy_perceptron.decode.constituents.chart.spans import Spans

S, NP, VP, A, B = range(5)
BINARY = [(S, NP, VP), (NP, A, B), (VP, B, NP)]
N_WORDS = 5
WHOLE = (0, N_WORDS)


def make_grammar(unary: list[tuple[int, int]]) -> Grammar:
    return Grammar(5, S, BINARY, np.zeros(len(BINARY)), unary, np.zeros(len(unary)))


def left_over(grammar: Grammar, classes: list[int]) -> dict[int, set[tuple[int, int]]]:
    """The spans of several words in which each phrase is still allowed."""
    spans = Spans(N_WORDS, 5)
    Orphans(grammar, classes).apply(spans)
    rows = spans.to_array().tolist()
    # Words are left alone.
    assert sum(end - start == 1 for start, end, _ in rows) == N_WORDS * 5
    return {
        symbol: {(i, j) for i, j, s in rows if s == symbol and j - i > 1} for symbol in (S, NP, VP)
    }


def test_phrases_need_a_parent_at_one_edge():
    """A clause has no parent. A VP ends where its clause does, an NP starts there or ends with a
    VP."""
    found = left_over(make_grammar([]), [S, NP, VP, A, B])
    assert found[S] == {WHOLE}
    assert found[VP] == {WHOLE, (1, 5), (2, 5), (3, 5)}
    assert found[NP] == {WHOLE, (0, 2), (0, 3), (0, 4), (1, 5), (2, 5), (3, 5)}


def test_parents_of_what_a_unary_rule_makes():
    """A clause that can be an NP is wherever an NP can be, and so brings more of both with it."""
    found = left_over(make_grammar([(NP, S)]), [S, NP, VP, A, B])
    assert found[S] == found[NP]
    # A clause over the first words has a VP at its end, and this one an NP.
    assert {(0, 4), (1, 4), (2, 4)} <= found[NP]
    assert (1, 4) in found[VP]


def test_classes_that_share_a_bit_stay():
    """All phrases look like any parent. A clause has none all the same."""
    found = left_over(make_grammar([]), [0, 64, 128, 1, 1])
    assert found[S] == {WHOLE}
    assert found[NP] >= {(0, 2), (3, 5), (1, 5)}
    assert found[VP] >= {(1, 5), (2, 5), (3, 5)}


def test_numbers_are_checked():
    with pytest.raises(ValueError, match="5 symbols need as many classes"):
        Orphans(make_grammar([]), [0, 1])
    with pytest.raises(ValueError, match="5 symbols need as many classes"):
        Orphans(make_grammar([]), [0, 1, 2, 3, -1])
    with pytest.raises(ValueError, match="5 symbols need as many classes"):
        Orphans(make_grammar([]), [0] * 5).apply(Spans(3, 4))
