import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_perceptron.features.lexemes import LexemeTable

BEFORE, AFTER, FIRST_ROW = 0, 1, 2


def compute(orth: int) -> list[int]:
    return [orth ^ 0xABC, orth // 3 + 7]


def lookup(table: LexemeTable, orths: list[int]) -> np.ndarray:
    return table.lookup(np.array(orths, np.uint64), compute)


def check(table: LexemeTable, orths: list[int], rows: np.ndarray) -> None:
    """Equal words have equal rows, with the right values, behind the rows outside the sentence."""
    assert rows.dtype == np.int32
    assert len(rows) == len(orths)
    assert len(set(rows.tolist())) == len(set(orths))
    for orth, row in zip(orths, rows.tolist(), strict=True):
        assert FIRST_ROW <= row < table.n_rows
        assert table.row_values(row) == compute(orth)


def test_boundary_rows():
    table = LexemeTable(3)
    assert table.n_rows == FIRST_ROW
    assert table.generation == 0
    assert table.row_values(BEFORE) == [1, 1, 1]
    assert table.row_values(AFTER) == [2, 2, 2]


def test_words_are_computed_once():
    table, calls = LexemeTable(1), []

    def watch(orth: int) -> list[int]:
        calls.append(orth)
        return [orth]

    first = table.lookup(np.array([9, 8, 9], np.uint64), watch)
    assert first.tolist() == [2, 3, 2]
    assert table.lookup(np.array([8, 9, 0], np.uint64), watch).tolist() == [3, 2, 4]
    assert calls == [9, 8, 0]
    assert table.row_values(4) == [0]


@settings(deadline=None)
@given(
    st.integers(0, 12),
    st.lists(st.lists(st.integers(0, 20).map(lambda n: n << 32), max_size=15), max_size=12),
)
def test_bounded_size_and_generations(max_rows: int, calls: list[list[int]]):
    table = LexemeTable(2, max_rows=max_rows)
    known: dict[int, int] = {}
    n_largest = 0
    for orths in calls:
        generation = table.generation
        rows = lookup(table, orths)
        check(table, orths, rows)
        if table.generation == generation:
            # Rows handed out earlier in this generation still hold.
            assert all(known.get(orth, row) == row for orth, row in zip(orths, rows, strict=True))
        else:
            assert table.generation == generation + 1
            known, n_largest = {}, 0
        known.update(zip(orths, rows.tolist(), strict=True))
        # The bound holds unless one call alone has more distinct words.
        n_largest = max(n_largest, len(set(orths)))
        assert table.n_rows <= max(table.max_rows, FIRST_ROW + n_largest)
        assert table.n_rows == FIRST_ROW + len(known)
    assert table.row_values(BEFORE) == [1, 1]
    assert table.row_values(AFTER) == [2, 2]


def test_more_distinct_words_than_rows_in_one_call():
    table = LexemeTable(2, max_rows=10)
    lookup(table, [1, 2, 3])
    orths = [k * 7919 for k in range(1, 5000)]
    rows = lookup(table, orths)
    check(table, orths, rows)
    assert table.generation == 1
    assert np.array_equal(lookup(table, orths[::-1]), rows[::-1])
    assert table.generation == 1, "known words need no new generation"
    lookup(table, [4])
    assert (table.generation, table.n_rows) == (2, FIRST_ROW + 1)


def test_clear():
    table = LexemeTable(2)
    lookup(table, [5, 6])
    table.clear()
    assert (table.generation, table.n_rows) == (1, FIRST_ROW)
    assert lookup(table, [6]).tolist() == [FIRST_ROW]


def test_no_words():
    assert lookup(LexemeTable(2), []).tolist() == []


def test_no_attributes():
    table = LexemeTable(0)
    rows = table.lookup(np.array([4, 5, 4], np.uint64), lambda orth: [])
    assert rows.tolist() == [2, 3, 2]


def test_values_that_are_no_64_bit_numbers():
    table = LexemeTable(2)
    with pytest.raises(OverflowError):
        table.lookup(np.array([5], np.uint64), lambda orth: [1, -1])
    check(table, [5, 6], lookup(table, [5, 6]))


def test_failing_computation_leaves_the_table_usable():
    table = LexemeTable(2)

    def fail(orth: int) -> list[int]:
        raise KeyError(orth)

    with pytest.raises(KeyError):
        table.lookup(np.array([5], np.uint64), fail)
    check(table, [5, 6], lookup(table, [5, 6]))


@pytest.mark.parametrize("values", [[1], [1, 2, 3]])
def test_wrong_number_of_values(values: list[int]):
    table = LexemeTable(2)
    with pytest.raises(ValueError, match="2 attributes"):
        table.lookup(np.array([5], np.uint64), lambda orth: values)
    check(table, [5, 6], lookup(table, [5, 6]))


def test_pickle_keeps_the_shape():
    table = LexemeTable(2, max_rows=77)
    lookup(table, [5, 6])
    copy = pickle.loads(pickle.dumps(table))
    assert (copy.n_attributes, copy.max_rows, copy.n_rows) == (2, 77, FIRST_ROW)
    check(copy, [6, 5], lookup(copy, [6, 5]))


def test_memory_is_given_back():
    """A call with more words than the table should hold makes it larger, but not for good."""
    table = LexemeTable(3, max_rows=1000)
    few = np.arange(1, 500, dtype=np.uint64)
    table.lookup(few, lambda orth: [orth] * 3)
    usual = table.n_bytes
    table.lookup(np.arange(1, 50_000, dtype=np.uint64), lambda orth: [orth] * 3)
    assert table.n_bytes > 20 * usual
    table.lookup(np.arange(60_000, 60_100, dtype=np.uint64), lambda orth: [orth] * 3)
    assert table.n_bytes <= 2 * usual
    assert table.n_rows <= 1000
