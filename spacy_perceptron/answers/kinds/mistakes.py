"""Mistakes: how an answer differs from gold, one item at a time."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# What can be wrong. An item has the right place and another label, ...
LABEL = "label"
# ... a token hangs on another head, with the right label or with another one, ...
ATTACHMENT = "attachment"
BOTH = "both"
# ... a span has the right label and overlaps the gold one, ...
BOUNDARY = "boundary"
# ... or there is nothing like it on the other side.
MISSING = "missing"
EXTRA = "extra"

# Label, first token, and the one after the last.
LabelledSpan = tuple[str, int, int]


@dataclass(frozen=True)
class Mistake:
    """A difference between an answer and gold.

    type (str): What is wrong: `label`, `attachment`, `both`, `boundary`, `missing` or `extra`.
    gold (str): The gold label; empty if there is no gold item, or if gold does not say.
    predicted (str): The label of the answer; empty if the item is missing.
    tokens (tuple[int, ...]): The tokens it is about, from the start of the sentence.
    name (str): What it is about, where an annotation has several kinds and this is not the main
        one: `pos` beside `tag`.
    """

    type: str
    gold: str
    predicted: str
    tokens: tuple[int, ...]
    name: str = ""

    @property
    def key(self) -> str:
        """RETURNS (str): The same for mistakes of one kind, as in `label:obj>nsubj`: predicted,
        then gold."""
        name = f"{self.name}/" if self.name else ""
        return f"{name}{self.type}:{self.predicted}>{self.gold}"


def label_mistakes(gold: Iterable[str | None], predicted: Iterable[str]) -> list[Mistake]:
    """The tokens with another label.

    gold (Iterable[Optional[str]]): Gold labels; None where gold says nothing.
    predicted (Iterable[str]): Labels of the answer.
    RETURNS (list[Mistake]): The mistakes, in the order of tokens.
    """
    pairs = enumerate(zip(gold, predicted, strict=True))
    return [
        Mistake(LABEL, expected, label, (i,))
        for i, (expected, label) in pairs
        if expected is not None and label != expected
    ]


def span_mistakes(gold: Sequence[LabelledSpan], predicted: Sequence[LabelledSpan]) -> list[Mistake]:
    """The spans that differ. Each span is in at most one mistake.

    Of what is not right, spans of the same tokens are paired first, in the order given; then those
    with the same label that overlap, beginning with the pair that shares the most for its size, and
    of equal ones with the first. What is left is missing or extra.

    gold (Sequence[LabelledSpan]): Gold spans; one can be there several times.
    predicted (Sequence[LabelledSpan]): Spans of the answer.
    RETURNS (list[Mistake]): The mistakes by their first token, longer ones first.
    """
    missing, extra = _without_right(gold, predicted)
    mistakes = []
    by_place: defaultdict[tuple[int, int], list[LabelledSpan]] = defaultdict(list)
    for span in extra:
        by_place[span[1:]].append(span)
    for span in list(missing):
        if found := by_place[span[1:]]:
            other = found.pop(0)
            missing.remove(span)
            extra.remove(other)
            mistakes.append(Mistake(LABEL, span[0], other[0], tuple(range(*span[1:]))))
    overlapping = [
        (-share, i, j)
        for i, span in enumerate(missing)
        for j, other in enumerate(extra)
        if span[0] == other[0] and (share := _overlap(span, other))
    ]
    paired: tuple[set[int], set[int]] = set(), set()
    for _, i, j in sorted(overlapping):
        if i not in paired[0] and j not in paired[1]:
            paired[0].add(i)
            paired[1].add(j)
            label, *place = missing[i]
            tokens = sorted({*range(*place), *range(*extra[j][1:])})
            mistakes.append(Mistake(BOUNDARY, label, label, tuple(tokens)))
    for i, (label, start, end) in enumerate(missing):
        if i not in paired[0]:
            mistakes.append(Mistake(MISSING, label, "", tuple(range(start, end))))
    for j, (label, start, end) in enumerate(extra):
        if j not in paired[1]:
            mistakes.append(Mistake(EXTRA, "", label, tuple(range(start, end))))
    return sorted(mistakes, key=lambda mistake: (mistake.tokens[0], -mistake.tokens[-1]))


def _without_right(
    gold: Sequence[LabelledSpan], predicted: Sequence[LabelledSpan]
) -> tuple[list[LabelledSpan], list[LabelledSpan]]:
    """Both sides without what they share; of equal spans, the first ones are right."""
    right = Counter(gold) & Counter(predicted)
    rests: list[list[LabelledSpan]] = []
    for spans in (gold, predicted):
        left, rest = right.copy(), []
        for span in spans:
            if left[span]:
                left[span] -= 1
            else:
                rest.append(span)
        rests.append(rest)
    return rests[0], rests[1]


def _overlap(span: LabelledSpan, other: LabelledSpan) -> float:
    """RETURNS (float): The share of their tokens that is in both."""
    shared = min(span[2], other[2]) - max(span[1], other[1])
    return max(shared, 0) / (max(span[2], other[2]) - min(span[1], other[1]))
