import random
from itertools import combinations, pairwise

import pytest

from spacy_perceptron.evaluation.conll.alignment import (
    align,
    common_subsequence,
    multiword_stretches,
)
from spacy_perceptron.evaluation.conll.analysis import Analysis, check_same_text

from .sentences import make


def pairs(gold, system):
    """The forms of aligned words."""
    ours, theirs = Analysis([make(gold)]), Analysis([make(system)])
    check_same_text(ours, theirs)
    return [(ours.words[i].form, theirs.words[j].form) for i, j in align(ours, theirs)]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("a b c", "a b c", "a b c"),
        # Places decide, not spaces or forms.
        ("ab c", "a bc", ""),
        ("ab c d", "a b c d", "c d"),
        # Words inside a multi-word token, whose forms are not the text.
        ("[du=de le] chat", "[du=de le] chat", "de le chat"),
        ("[du=de le] chat", "du chat", "chat"),
        ("du chat", "[du=de le] chat", "chat"),
        ("[du=de le] chat", "[du=de les] chat", "de chat"),
        ("[Du=De le] chat", "[Du=de Le] chat", "de le chat"),
        # A multi-word token on one side only: forms are compared inside its stretch.
        ("[don't=do n't] go", "do n't go", "do n't go"),
        ("[don't=do n't] go", "don 't go", "go"),
        # Stretches of either side that overlap are joined: all of `abcd` here.
        ("[ab=a b] [cd=c d]", "a [bc=b c] d", "a b c d"),
        # A word that reaches beyond the stretch is not inside of it.
        ("[ab=a b] c", "a bc", "a"),
        # The longest common subsequence, not the first match.
        ("[wxyz=p q r] e", "[wxyz=q r p] e", "q r e"),
    ],
)
def test_hand_worked(gold, system, expected):
    found = pairs(gold, system)
    assert [a.lower() for a, _ in found] == [b.lower() for _, b in found] == expected.split()


def test_stretches():
    assert multiword_stretches([(4, 6), (0, 2), (1, 3), (3, 4)]) == [(0, 3), (3, 4), (4, 6)]
    assert multiword_stretches([(0, 5), (1, 2)]) == [(0, 5)]
    assert multiword_stretches([]) == []


def test_common_subsequence():
    """Against all subsequences, on random words of two letters."""
    chance = random.Random(0)
    for _ in range(200):
        a, b = ([chance.choice("xy") for _ in range(chance.randrange(6))] for _ in range(2))
        best = max(
            n
            for n in range(min(len(a), len(b)) + 1)
            if {tuple(a[i] for i in c) for c in combinations(range(len(a)), n)}
            & {tuple(b[i] for i in c) for c in combinations(range(len(b)), n)}
        )
        found = common_subsequence(a, b)
        assert len(found) == best
        assert all(a[i] == b[j] for i, j in found)
        assert all(p[0] < q[0] and p[1] < q[1] for p, q in pairwise(found))


def test_texts_that_differ():
    with pytest.raises(ValueError, match="after 2 characters other than white space, 'c' differs"):
        check_same_text(Analysis([make("ab c")], "gold"), Analysis([make("a b d")], "system"))
    with pytest.raises(ValueError, match="'c' differs from ''"):
        check_same_text(Analysis([make("ab c")]), Analysis([make("ab")]))
