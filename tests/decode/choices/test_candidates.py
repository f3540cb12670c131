"""Conditions on characters, against Python's own comparison of strings."""

import pickle
import random
from itertools import pairwise

import pytest

from spacy_perceptron.decode.choices.candidates import Candidates


def test_lengths_and_places():
    conditions = [
        (0, 0, None, []),
        (0, 3, None, [(-1, "s"), (-2, "e")]),
        (0, 2, 2, [(0, "a"), (1, "b")]),
        (1, 1, None, [(0, "D")]),
        (0, 0, -1, []),
    ]
    starts, classes = Candidates(2, conditions).find(
        [("dies", "Dies"), ("es", None), ("ab", "AB"), ("abc", None), ("", "D"), ("𝔰es", None)]
    )
    found = [classes[a:b].tolist() for a, b in pairwise(starts)]
    assert found == [[0, 1, 3], [0], [0, 2], [0], [0, 3], [0, 1]]


@pytest.mark.parametrize("seed", range(20))
def test_random_ends(seed: int):
    rng = random.Random(seed)
    ends = [
        (
            "".join(rng.choices("ab", k=rng.randint(0, 2))),
            "".join(rng.choices("ab", k=rng.randint(0, 2))),
        )
        for _ in range(20)
    ]
    conditions = []
    for head, tail in ends:
        places = [*enumerate(head), *((i - len(tail), c) for i, c in enumerate(tail))]
        conditions.append((0, len(head) + len(tail), None, places))
    words = ["".join(rng.choices("ab", k=rng.randint(0, 5))) for _ in range(30)]
    starts, classes = Candidates(1, conditions).find([(word,) for word in words])
    for word, start, end in zip(words, starts[:-1], starts[1:], strict=True):
        expected = [
            i
            for i, (head, tail) in enumerate(ends)
            if word.startswith(head) and word[len(head) :].endswith(tail)
        ]
        assert classes[start:end].tolist() == expected


def test_conditions_that_make_no_sense():
    with pytest.raises(ValueError, match="2 characters or more need not have one at 2"):
        Candidates(1, [(0, 2, None, [(2, "a")])])
    with pytest.raises(ValueError, match="need not have one at -3"):
        Candidates(1, [(0, 2, None, [(-3, "a")])])
    with pytest.raises(ValueError, match="every word has 1 forms"):
        Candidates(1, [(1, 0, None, [])])
    with pytest.raises(ValueError, match="every word has 2 forms"):
        Candidates(2, []).find([("one",)])


def test_a_copy_finds_the_same():
    candidates = Candidates(1, [(0, 1, None, [(-1, "s")]), (0, 0, None, [])])
    starts, classes = pickle.loads(pickle.dumps(candidates)).find([("s",), ("t",)])
    assert (starts.tolist(), classes.tolist()) == ([0, 2, 3], [0, 1, 1])
