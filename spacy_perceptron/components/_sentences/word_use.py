"""How a corpus writes its words: which ones are abbreviations, and which have a capital anyway.

A period ends most sentences, but seldom after an abbreviation. A capital begins most of them, but
names have one everywhere. Both are counted in text with sentence boundaries, in the spirit of what
Kiss and Strunk (2006) do in text without.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...answers.sentence_starts import INSIDE, START
from ...errors import Errors
from ...features.token_attributes import FIRST_VALUE
from ...features.word_attributes import WordAttributes

# What templates can ask for beside the attributes of texts.
LEARNED_ATTRIBUTES = ("abbreviation", "usage")
# Values of `usage`: how a word that begins with a capital is written within sentences.
USAGES = ("no capital", "unknown", "lower", "capital")
# A word must be in this many Docs to be known: what one Doc alone says about a word would tell its
# own boundaries in training.
MIN_DOCS = 2
WordLists = dict[str, list[str]]


class WordUse:
    """What was learned about words.

    lists (Mapping[str, list[str]]): Words in lower case. `abbreviations`: those that do not end a
        sentence most of the times that a period comes after them, without that period. `lower` and
        `capital`: those that are mostly written in lower case, or with a capital, within sentences.
    """

    def __init__(self, lists: Mapping[str, Sequence[str]]):
        self.abbreviations = frozenset(lists["abbreviations"])
        self.lower = frozenset(lists["lower"])
        self.capital = frozenset(lists["capital"])

    def value(self, attribute: str, text: str) -> int:
        """RETURNS (int): The value of one of `LEARNED_ATTRIBUTES`."""
        if attribute == "abbreviation":
            return FIRST_VALUE + self.is_abbreviation(text)
        return FIRST_VALUE + USAGES.index(self.usage(text))

    def is_abbreviation(self, text: str) -> bool:
        """RETURNS (bool): Whether a word is one, with or without its period."""
        return text.lower().removesuffix(".") in self.abbreviations

    def usage(self, text: str) -> str:
        """RETURNS (str): How a word with a capital is written within sentences."""
        if not text[:1].isupper():
            return "no capital"
        word = text.lower()
        return "lower" if word in self.lower else "capital" if word in self.capital else "unknown"


class LearnedAttributes:
    """Attributes of words, those that were learned from a corpus included.

    words (WordAttributes): Computes attributes of the text alone.
    learned_names (Sequence[str]): Some of `LEARNED_ATTRIBUTES`; their columns come last.
    use (WordUse): What was learned.
    """

    def __init__(self, words: WordAttributes, learned_names: Sequence[str], use: WordUse):
        self.names = [*words.names, *learned_names]
        self._words = words
        self._learned = tuple(learned_names)
        self._use = use

    def __call__(self, text: str) -> list[int]:
        """RETURNS (list[int]): One value per name."""
        values = self._words(text)
        values.extend(self._use.value(name, text) for name in self._learned)
        return values

    def describe(self, name: str, text: str) -> str:
        """RETURNS (str): The value of an attribute in words."""
        if name not in LEARNED_ATTRIBUTES:
            return self._words.describe(name, text)
        use = self._use
        return str(use.is_abbreviation(text)) if name == "abbreviation" else use.usage(text)


class WordUseCounter:
    """Counts how the words of gold Docs are used."""

    def __init__(self) -> None:
        self._lower, self._capital = _Counts(), _Counts()
        self._final, self._not_final = _Counts(), _Counts()

    def add(self, words: Sequence[str], starts: Sequence[int]) -> None:
        """Count the words of a gold Doc.

        words (Sequence[str]): The words.
        starts (Sequence[int]): What is known about their being starts of sentences.
        """
        self._lower.add(text.lower() for text in words if text[:1].islower())
        pairs = list(zip(words, starts, strict=True))
        self._capital.add(
            text.lower() for text, start in pairs if text[:1].isupper() and start == INSIDE
        )
        after = [*starts[1:], START]
        self._final.add(_before_periods(pairs, after, START))
        self._not_final.add(_before_periods(pairs, after, INSIDE))

    def lists(self) -> WordLists:
        """RETURNS (WordLists): What `WordUse` takes, sorted."""
        return {
            "abbreviations": self._not_final.more_often_than(self._final, strictly=True),
            "lower": self._lower.more_often_than(self._capital),
            "capital": self._capital.more_often_than(self._lower, strictly=True),
        }


class _Counts:
    """How often words occur, and in how many Docs."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        self.docs: Counter[str] = Counter()

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one Doc."""
        counted = Counter(words)
        self.words.update(counted)
        self.docs.update(counted.keys())

    def more_often_than(self, other: "_Counts", *, strictly: bool = False) -> list[str]:
        """Words of at least `MIN_DOCS` Docs that occur more often here, or as often."""
        return sorted(
            word
            for word, count in self.words.items()
            if count >= other.words[word] + strictly
            and self.docs[word] + other.docs[word] >= MIN_DOCS
        )


def _before_periods(
    words: Sequence[tuple[str, int]], after: Sequence[int], kind: int
) -> Iterator[str]:
    """Words with a period, which may be a token of its own, if what comes next is of a kind."""
    for i, ((text, start), next_start) in enumerate(zip(words, after, strict=False)):
        if next_start != kind or not text.endswith("."):
            continue
        if text != ".":
            yield text.lower()[:-1]
        elif start == INSIDE:
            yield words[i - 1][0].lower()


def no_words() -> WordLists:
    """RETURNS (WordLists): What is known before any training."""
    return {"abbreviations": [], "lower": [], "capital": []}


def check_lists(lists: Any) -> None:
    """Refuse saved lists that can't be used.

    lists (Any): What was saved.
    """
    is_valid = isinstance(lists, dict) and all(
        isinstance(lists.get(name), list) and all(isinstance(word, str) for word in lists[name])
        for name in no_words()
    )
    if not is_valid:
        raise ValueError(Errors.SENTER_WORDS)
