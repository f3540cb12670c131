"""Words and their tags: log P(word | tag) up to what is the same for all tags of a word.

By Bayes' rule, P(word | tag) is proportional to P(tag | word) / P(tag) for a given word. A tag is
chosen in two steps: the tag of the treebank, unless it is given, then its split and parent.
Probabilities back off from the word to its class, which is its shape and suffix, then to its shape,
as words that are rare in the treebank have them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from .annotation import Symbol
from .backoff import Backoff

SUFFIX = 3


def word_shape(word: str) -> str:
    """RETURNS (str): Which kinds of characters a word has: digits, capitals, hyphens, others."""
    flags = [
        any(c.isdigit() for c in word),
        word[:1].isupper(),
        len(word) > 1 and word.isupper(),
        "-" in word,
        not any(c.isalnum() for c in word),
    ]
    return "".join("01"[flag] for flag in flags)


class Lexicon:
    """The tags of words.

    words (Sequence[tuple[str, Symbol]]): The words of the treebank with their tags.
    split_word (Callable[[str, str], str]): The split that a word with a tag has.
    rare (int): Words up to this frequency also stand for unknown ones.
    strength (float): How much shorter contexts count.
    """

    def __init__(
        self,
        words: Sequence[tuple[str, Symbol]],
        split_word: Callable[[str, str], str],
        *,
        rare: int,
        strength: float,
    ) -> None:
        self.split_word = split_word
        self.rare = rare
        self.counts = Counter(word for word, _ in words)
        self.symbol_counts = Counter(symbol for _, symbol in words)
        self.tag_counts = Counter(symbol.label for _, symbol in words)
        self._tags = Backoff(strength)
        self._symbols = Backoff(strength)
        self._by_split: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
        self._by_tag: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in sorted(self.symbol_counts):
            self._by_split[symbol.part].append(symbol)
            self._by_tag[symbol.label].append(symbol)
        for word, symbol in words:
            contexts = _contexts(word)
            if self.counts[word] > rare:
                # Frequent words say nothing about unknown ones.
                contexts[1:-1] = [None] * (len(contexts) - 2)
            self._tags.add(symbol.label, contexts)
            self._symbols.add(symbol, [(symbol.label, context) for context in contexts])

    def symbols(self, word: str, tag: str | None = None) -> list[tuple[Symbol, float]]:
        """Find the symbols a word can have.

        word (str): The word.
        tag (str | None): Its tag if it is known. A tag that the treebank lacks is ignored.
        RETURNS (list[tuple[Symbol, float]]): The symbols, with log P(word | symbol) up to a term
            that they share. At least one, unless the treebank is empty.
        """
        if tag in self.tag_counts:
            return self._splits(word, tag or "")
        found = []
        for candidate, log in self.tag_logs(word):
            found += [(symbol, log + other) for symbol, other in self._splits(word, candidate)]
        return found

    def tag_logs(self, word: str) -> Iterable[tuple[str, float]]:
        """YIELDS (tuple[str, float]): The tags of the treebank that a word can have, with
        log P(word | tag) up to a term that they share."""
        contexts = _contexts(word)
        n = self.counts.total()
        for tag in self._candidates(word, contexts):
            yield tag, self._tags.log(tag, contexts) - math.log(self.tag_counts[tag] / n)

    def _candidates(self, word: str, contexts: Sequence[Hashable]) -> list[str]:
        """RETURNS (list[str]): The tags of a frequent word; those of a rare one and of its class,
        or of the next wider class that is not empty.
        """
        found = {str(tag) for tag in self._tags.outcomes(0, contexts[0])}
        if self.counts[word] <= self.rare:
            for level in range(1, len(contexts)):
                more = self._tags.outcomes(level, contexts[level])
                found.update(str(tag) for tag in more)
                if more:
                    break
        return sorted(found)

    def _splits(self, word: str, tag: str) -> list[tuple[Symbol, float]]:
        contexts = [(tag, context) for context in _contexts(word)]
        total = self.tag_counts[tag]
        part = (tag, self.split_word(tag, word))
        return [
            (s, self._symbols.log(s, contexts) - math.log(self.symbol_counts[s] / total))
            for s in self._by_split.get(part, self._by_tag[tag])
        ]


def _contexts(word: str) -> list[Hashable]:
    shape = word_shape(word)
    return [word, (shape, word[-SUFFIX:].lower()), (shape,), ()]
