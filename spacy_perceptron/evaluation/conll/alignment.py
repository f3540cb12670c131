"""Which words of two analyses of a text are the same.

Words are the same if they have the same place in the text. Inside multi-word tokens, words have no
places: there, a longest common subsequence of the words' forms, regardless of case, decides. It is
looked for in each stretch of text that multi-word tokens of either analysis cover together, among
all words that lie inside the stretch.

Cost: linear in the words outside such stretches, quadratic in the words inside one.
"""

from collections.abc import Sequence

from .analysis import Analysis, Span


def align(gold: Analysis, system: Analysis) -> list[tuple[int, int]]:
    """Align the words of two analyses.

    gold (Analysis): One analysis.
    system (Analysis): The other, of the same text.
    RETURNS (list[tuple[int, int]]): The words that are the same: indices in either, in order.
    """
    stretches = multiword_stretches([*_multiword_spans(gold), *_multiword_spans(system)])
    gold_inside, gold_outside = _sort_words(gold, stretches)
    system_inside, system_outside = _sort_words(system, stretches)
    pairs = [(gold_outside[span], i) for span, i in system_outside.items() if span in gold_outside]
    for ours, theirs in zip(gold_inside, system_inside, strict=True):
        common = common_subsequence(
            [gold.words[i].form.lower() for i in ours],
            [system.words[i].form.lower() for i in theirs],
        )
        pairs.extend((ours[a], theirs[b]) for a, b in common)
    return sorted(pairs)


def multiword_stretches(spans: Sequence[Span]) -> list[Span]:
    """Join spans that overlap.

    spans (Sequence[Span]): Spans in any order.
    RETURNS (list[Span]): Spans in order that do not overlap.
    """
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((start, end))
    return result


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence.

    a (Sequence[str]): One sequence.
    b (Sequence[str]): The other.
    RETURNS (list[tuple[int, int]]): The indices of its elements in either sequence. Of several
        longest ones, the one that takes elements of `a` as early as possible.
    """
    # The length for the rest of both sequences, from i and from j on.
    rest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            longer = max(rest[i + 1][j], rest[i][j + 1])
            rest[i][j] = max(longer, rest[i + 1][j + 1] + 1) if a[i] == b[j] else longer
    result = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j] and rest[i][j] == rest[i + 1][j + 1] + 1:
            result.append((i, j))
            i, j = i + 1, j + 1
        elif rest[i][j] == rest[i][j + 1]:
            j += 1
        else:
            i += 1
    return result


def _multiword_spans(analysis: Analysis) -> list[Span]:
    pairs = zip(analysis.spans, analysis.is_multiword, strict=True)
    return [span for span, is_multiword in pairs if is_multiword]


def _sort_words(
    analysis: Analysis, stretches: Sequence[Span]
) -> tuple[list[list[int]], dict[Span, int]]:
    """The words inside each stretch, and the others by their places."""
    inside: list[list[int]] = [[] for _ in stretches]
    outside: dict[Span, int] = {}
    n = 0
    for i, (start, end) in enumerate(analysis.spans):
        while n < len(stretches) and stretches[n][1] <= start:
            n += 1
        if n < len(stretches) and stretches[n][0] <= start and end <= stretches[n][1]:
            inside[n].append(i)
        else:
            outside[start, end] = i
    return inside, outside
