"""A corpus as a tokenizer sees it: pieces of text without white space, and how they are split."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc

from ..spaces import is_white

# The words of a piece of text, in order, with nothing between them.
Split = tuple[str, ...]


def count_chunks(docs: Iterable[Doc]) -> Counter[Split]:
    """Count how pieces of text without white space are split into words.

    Pieces with a word that has white space inside are left out: no tokenizer rule is about them.

    docs (Iterable[Doc]): Gold docs, whose spaces are those of the text.
    RETURNS (Counter[Split]): How often each piece occurs with each split.
    """
    counts: Counter[Split] = Counter()
    for doc in docs:
        words: list[str] = []
        for token in doc:
            white = is_white(token)
            if not white:
                words.append(token.text)
            if words and (white or token.whitespace_):
                counts[tuple(words)] += 1
                words = []
        if words:
            counts[tuple(words)] += 1
    for split in [split for split in counts if any(len(word.split()) > 1 for word in split)]:
        del counts[split]
    return counts


def has_joined_words(chunks: Iterable[Split]) -> bool:
    """RETURNS (bool): Whether words follow each other without a space anywhere. If not, the corpus
    has lost its text, and says nothing about tokenizers.
    """
    return any(len(split) > 1 for split in chunks)


def spans(split: Split) -> set[tuple[int, int]]:
    """RETURNS (set): Start and end of each word of a piece of text."""
    found = set()
    start = 0
    for word in split:
        found.add((start, start + len(word)))
        start += len(word)
    return found


def differences(gold: Split, predicted: Split) -> Iterator[tuple[Split, Split]]:
    """Compare two splits of the same text.

    gold (Split): The one.
    predicted (Split): The other.
    YIELDS (tuple[Split, Split]): The shortest stretches of words that differ, between two places
        where both have a boundary.
    """
    common = sorted(_starts(gold) & _starts(predicted))
    for start, end in zip(common, [*common[1:], len("".join(gold))], strict=True):
        ours, theirs = _between(gold, start, end), _between(predicted, start, end)
        if ours != theirs:
            yield ours, theirs


def _starts(split: Split) -> set[int]:
    return {start for start, _ in spans(split)}


def _between(split: Sequence[str], start: int, end: int) -> Split:
    found = []
    place = 0
    for word in split:
        if start <= place < end:
            found.append(word)
        place += len(word)
    return tuple(found)
