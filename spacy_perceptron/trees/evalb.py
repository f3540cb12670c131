"""What counts when brackets are compared, in the manner of EVALB with Collins' parameters.

Sekine & Collins (1997) score a tree by its labelled brackets. Preterminals and the top node do not
count. Punctuation is taken out before: brackets are compared by the words that remain, and those
over nothing but punctuation do not count. `PRT` is the same as `ADVP`. Function tags do not matter.
A bracket that is there twice, as in `(NP (NP a))`, counts twice.

Differences from EVALB: the gold tags alone say what punctuation is, where EVALB goes by the tags of
each tree and gives up on a sentence if the remaining words differ.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from .constituents import Constituent
from .tree import ROOT, base_label

# Quotes, colons and dashes, commas, sentence ends. Brackets, `$` and `#` are words to EVALB.
PUNCTUATION = frozenset({"``", "''", ":", ",", "."})
_TOPS = frozenset({ROOT, "TOP", "S1"})
_SAME = {"PRT": "ADVP"}


def counted_brackets(
    constituents: Iterable[Constituent], positions: Sequence[int]
) -> list[Constituent]:
    """Pick the brackets that count.

    constituents (Iterable[tuple[str, int, int]]): Label, start and end of each phrase.
    positions (Sequence[int]): For each start and end, how much text that counts is before it.
    RETURNS (list[tuple[str, int, int]]): Label, start and end, by position, of those that count.
    """
    counted = []
    for label, start, end in constituents:
        base = base_label(label)
        if positions[start] < positions[end] and base not in _TOPS:
            counted.append((_SAME.get(base, base), positions[start], positions[end]))
    return counted


def right_brackets(gold: Iterable[Constituent], predicted: Iterable[Constituent]) -> Counter:
    """Match brackets one to one.

    gold (Iterable[tuple[str, int, int]]): Gold brackets.
    predicted (Iterable[tuple[str, int, int]]): Predicted ones.
    RETURNS (Counter): How often each bracket is in both.
    """
    return Counter(gold) & Counter(predicted)


def count_crossing(gold: Sequence[Constituent], predicted: Sequence[Constituent]) -> int:
    """Count brackets that cross a gold one: they overlap, but neither contains the other.

    gold (Sequence[tuple[str, int, int]]): Gold brackets.
    predicted (Sequence[tuple[str, int, int]]): Predicted ones.
    RETURNS (int): How many predicted brackets cross at least one gold bracket.
    """
    if not gold or not predicted:
        return 0
    first = min(start for _, start, _ in [*gold, *predicted])
    size = max(end for _, _, end in [*gold, *predicted]) - first + 1
    # The furthest end of a gold bracket that starts here, and the furthest start of one that ends.
    ends = np.full(size, -1)
    starts = np.full(size, size)
    for _, start, end in gold:
        ends[start - first] = max(ends[start - first], end - first)
        starts[end - first] = min(starts[end - first], start - first)
    n_crossing = 0
    for _, start, end in predicted:
        a, b = start - first, end - first
        crosses_end = ends[a + 1 : b].max(initial=-1) > b
        crosses_start = starts[a + 1 : b].min(initial=size) < a
        n_crossing += bool(crosses_end or crosses_start)
    return n_crossing
