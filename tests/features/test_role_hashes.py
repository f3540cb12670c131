"""Hashes of what one token contributes to features: equal exactly where its surroundings are."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.features.attributes import attribute_value
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.role_hashes import RoleHashes

# Columns 0 and 1 are of the word, 2 of the token.
CONJUNCTS = [
    (11, [(0, 0)]),
    (12, [(0, 1)]),
    (13, [(0, 2)]),
    (14, [(-1, 2), (0, 0)]),
    (15, [(-3, 0), (3, 2)]),
    (16, [(-2, 1), (2, 1), (1, 2), (-1, 0)]),
]
ROLES = [CONJUNCTS, [], [(17, [(1, 2)]), (11, [(0, 0)])]]


def word_values(word: int) -> list[int]:
    return [word, word % 4 + 500]


def run(hashes: RoleHashes, words: list[int], tags: list[int]) -> list[np.ndarray]:
    rows = hashes.lexemes.lookup(np.array(words, np.uint64), word_values)
    return hashes.run(rows, np.array(tags, np.uint64).reshape(-1, 1))


def make(roles: list = ROLES) -> RoleHashes:
    return RoleHashes(LexemeTable(2), 1, roles)


def look(words: list[int], tags: list[int], position: int, atoms: list) -> tuple:
    """What the atoms of a conjunct see at a position."""
    n = len(words)
    if position > n:
        return ("first", "last")[position - n - 1], len(atoms)
    seen: list[int | str] = []
    for offset, column in atoms:
        at = position + offset
        if 0 < at <= n:
            seen.append([*word_values(words[at - 1]), tags[at - 1]][column])
        else:
            seen.append("root" if at == 0 else "before" if at < 0 else "after")
    return tuple(seen)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(20, 25), st.integers(40, 42)), max_size=12))
def test_hashes_are_equal_where_the_context_is(tokens):
    words, tags = [word for word, _ in tokens], [tag for _, tag in tokens]
    found = run(make(), words, tags)
    assert [array.shape for array in found] == [(len(words) + 3, len(role)) for role in ROLES]
    for role, array in zip(ROLES, found, strict=True):
        for k, (_, atoms) in enumerate(role):
            by_look: dict[tuple, set[int]] = {}
            for position in range(len(words) + 3):
                by_look.setdefault(look(words, tags, position, atoms), set()).add(
                    int(array[position, k])
                )
            assert all(len(hashes) == 1 for hashes in by_look.values())
            assert len(set().union(*by_look.values())) == len(by_look)


def test_seeds_and_atoms_decide():
    """Equal conjuncts have equal hashes in all roles, other seeds, orders and atoms have others."""
    words, tags = [20, 21, 22], [40, 40, 41]
    found = run(make(), words, tags)
    assert np.array_equal(found[0][:, 0], found[2][:, 1])
    # Seeds are hashes themselves.
    one, two = 0x5B1F3A7C9D2E4F60, 0xC3D2E1F0A5968778
    same_atoms = run(make([[(one, [(0, 0)]), (two, [(0, 0)])]]), words, tags)[0]
    assert not np.intersect1d(same_atoms[:, 0], same_atoms[:, 1]).size
    orders = run(make([[(one, [(0, 0), (0, 2)]), (one, [(0, 2), (0, 0)])]]), words, tags)[0]
    assert not np.intersect1d(orders[1:4, 0], orders[1:4, 1]).size


def test_values_far_apart_in_one_bit():
    """All 64 bits of a value count."""
    values = [0, *(1 << bit for bit in range(64))]
    hashes = make([[(5, [(0, 2)])]])
    found = run(hashes, [20] * 65, values)[0][1:66, 0]
    assert len(set(found.tolist())) == 65
    # The top bits are what tables go by.
    assert len(set((found >> np.uint64(40)).tolist())) == 65


def test_pairs_of_hashes_fill_a_table_evenly():
    """Features are exclusive ors of hashes of small numbers: a table with a slot per feature is
    left with the share of empty slots that chance gives, exp(-1) = 0.368."""
    n = 1 << 7
    hashes = make([[(101, [(0, 0)])], [(202, [(0, 2)])]])
    one, other = run(hashes, list(range(100, 100 + n)), list(range(300, 300 + n)))
    ids = one[1 : n + 1, 0][:, None] ^ other[1 : n + 1, 0][None, :]
    used = len(np.unique(ids.ravel() >> np.uint64(64 - 14)))
    assert 1 - used / n**2 == pytest.approx(0.368, abs=0.02)


def test_no_word_looks_like_the_root():
    """Attributes that are numbers have small values, such as the length of a word."""
    lengths = [attribute_value("length", "x" * n) for n in range(1, 13)]
    hashes = make([[(5, [(0, 2)])]])
    found = run(hashes, [20] * 12, lengths)[0][:, 0].tolist()
    assert len(set(found)) == 12 + 3


def test_sentences_of_any_length_one_after_the_other():
    rng = np.random.default_rng(0)
    used = make()
    for n in (7, 0, 1, 30, 3, 0, 300, 2):
        words, tags = rng.integers(20, 25, n).tolist(), rng.integers(40, 43, n).tolist()
        for mine, fresh in zip(run(used, words, tags), run(make(), words, tags), strict=True):
            assert np.array_equal(mine, fresh)


def test_pickle():
    hashes = make()
    expected = run(hashes, [20, 21], [40, 41])
    loaded = pickle.loads(pickle.dumps(hashes))
    assert (loaded.n_roles, loaded.n_token_columns) == (3, 1)
    for mine, other in zip(run(loaded, [20, 21], [40, 41]), expected, strict=True):
        assert np.array_equal(mine, other)


@pytest.mark.parametrize("atom", [(4, 0), (-4, 0), (0, 3), (0, -1)])
def test_refuses_atoms_out_of_reach(atom: tuple[int, int]):
    with pytest.raises(IndexError):
        make([[(1, [atom])]])


def test_run_refuses_other_numbers_of_values():
    hashes = make()
    rows = hashes.lexemes.lookup(np.array([20, 21], np.uint64), word_values)
    for shape in ((1, 1), (3, 1), (2, 2), (2, 0)):
        with pytest.raises(IndexError):
            hashes.run(rows, np.zeros(shape, np.uint64))
