"""Docs -> words with the white space before each of them. Every doc is one sequence."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from spacy.attrs import IS_ALPHA, IS_LOWER, ORTH, SENT_START
from spacy.tokens import Doc

from ...answers.sentence_starts import START, UNKNOWN, word_starts
from ...features.attributes import word_attribute_names
from ...features.token_attributes import FIRST_VALUE, TokenAttributes
from ...features.word_attributes import WordAttributes
from .._shared.words import PresetWords, Words, read_words, with_cuts
from .contexts import SPACES, word_contexts
from .word_use import LEARNED_ATTRIBUTES, LearnedAttributes, WordUse
from .writer import forget_own

_WIDE, _LINE_BREAK, _BLANK_LINE = map(SPACES.index, ("wide", "line break", "blank line"))
TOKEN_ATTRIBUTES = ("space",)
# Label numbers.
INSIDE_TAG, START_TAG = 0, 1


@dataclass(frozen=True)
class SenterWords(PresetWords):
    """The words of some docs, each doc as one sentence; `given` has the tags of known boundaries.

    The further attributes of `words` are the hash of each token, and what was known about its being
    the start of a sentence.

    contexts (np.ndarray): For each word, an index of `CONTEXTS`.
    values (np.ndarray): Values of token attributes, a row per word.
    attributes (TokenAttributes): Looks the words up.
    """

    contexts: np.ndarray
    values: np.ndarray
    attributes: TokenAttributes

    def split(self, lengths: Sequence[int]) -> Iterator["SenterWords"]:
        for words, cut in with_cuts(self.words.split(lengths)):
            given = None if self.given is None else self.given[cut]
            values, contexts = self.values[cut], self.contexts[cut]
            yield SenterWords(words, given, contexts, values, self.attributes)

    def word_texts(self) -> list[str]:
        """RETURNS (list[str]): The words as text."""
        return [self.words.texts(orth) for orth in self.words.orths.tolist()]

    def word_starts(self, starts: np.ndarray) -> np.ndarray:
        """Starts of tokens -> starts of words.

        starts (np.ndarray): What is known of each token.
        RETURNS (np.ndarray): What is known of each word.
        """
        return word_starts(starts, self.words.is_word, self.words.starts[:-1])

    def settle(self, is_quiet: np.ndarray) -> "SenterWords":
        """Give the words in quiet contexts their tag, unless something else is known about them.

        is_quiet (np.ndarray): For each of `CONTEXTS`, whether it is quiet.
        RETURNS (SenterWords): The words.
        """
        given = self.given
        assert given is not None
        settled = np.where((given < 0) & is_quiet[self.contexts], np.int32(INSIDE_TAG), given)
        return replace(self, given=settled)


class SenterReader:
    """Reads docs.

    names (Collection[str]): Attributes that templates use, of texts, learned ones and of tokens.
    make_attributes (Callable): Makes what computes attributes of texts.
    """

    def __init__(
        self,
        names: Collection[str],
        make_attributes: Callable[[Sequence[str]], WordAttributes] = WordAttributes,
    ):
        self._words = make_attributes(word_attribute_names(names))
        self._learned_names = [name for name in LEARNED_ATTRIBUTES if name in names]
        self.token_names = [name for name in TOKEN_ATTRIBUTES if name in names]
        in_order = [*self._words.names, *self._learned_names, *self.token_names]
        self.columns = {name: i for i, name in enumerate(in_order)}

    def attributes(self, use: WordUse) -> TokenAttributes:
        """What looks words up in lexeme tables.

        use (WordUse): What was learned about words.
        RETURNS (TokenAttributes): The attributes.
        """
        learned = LearnedAttributes(self._words, self._learned_names, use)
        return TokenAttributes(learned, len(self.token_names))

    def __call__(
        self, docs: Sequence[Doc], attributes: TokenAttributes, own: str, *, keep: bool
    ) -> SenterWords:
        """Read docs.

        docs (Sequence[Doc]): The docs.
        attributes (TokenAttributes): What `attributes` gave.
        own (str): Name of the component: boundaries that it has set itself do not count.
        keep (bool): Whether boundaries set by others stay.
        RETURNS (SenterWords): Their words.
        """
        words = read_words(docs, [ORTH, SENT_START, IS_ALPHA, IS_LOWER])
        ends = np.cumsum([len(doc) for doc in docs], dtype=np.int64)
        starts = np.unique(np.concatenate([[0], words.places()[ends]])).astype(np.int32)
        is_first = np.zeros(len(words.is_word), dtype=bool)
        is_first[[end for end in (0, *ends[:-1].tolist()) if end < len(is_first)]] = True
        words = replace(words, starts=starts, is_start=is_first)
        known = words.more[:, 1]
        if keep:
            forget_own(docs, known, words.characters, own)
        else:
            known[:] = UNKNOWN
        spaces = _spaces_before(words)
        values = np.zeros((len(spaces), len(self.token_names)), np.uint64)
        values[:] = FIRST_VALUE + spaces[:, None]
        is_alpha, is_lower = words.more[words.is_word, 2:].T
        contexts = word_contexts(is_alpha, is_lower, spaces)
        return SenterWords(words, _given_tags(words), contexts, values, attributes)


def _given_tags(words: Words) -> np.ndarray:
    """Tags of known boundaries, -1 where they are free."""
    known = words.more[:, 1].astype(np.int64)
    starts = word_starts(known, words.is_word, words.starts[:-1])
    return np.select([starts == START, starts == UNKNOWN], [START_TAG, -1], INSIDE_TAG).astype(
        np.int32
    )


def _spaces_before(words: Words) -> np.ndarray:
    """For each word, what is between it and the one before; an index of `SPACES`."""
    begins, lengths = words.characters.astype(np.int64).T
    is_apart = np.zeros(len(begins), np.int64)
    is_apart[1:] = begins[1:] != begins[:-1] + lengths[:-1]
    is_apart[words.is_start] = 0
    if len(words.orths) == len(begins):
        return is_apart
    tokens = np.flatnonzero(words.is_word)
    before = np.concatenate([[-1], tokens[:-1]])
    # Whitespace at the end of a doc is not before the next one.
    before[words.starts[:-1]] = np.flatnonzero(words.is_start)[_docs_with_words(words)] - 1
    n_lines = np.cumsum(np.concatenate([[0], _count_line_breaks(words)]))
    n_lines = n_lines[tokens] - n_lines[before + 1]
    return np.select(
        [n_lines > 1, n_lines == 1, tokens - before > 1],
        [_BLANK_LINE, _LINE_BREAK, _WIDE],
        is_apart[tokens],
    )


def _docs_with_words(words: Words) -> np.ndarray:
    """Numbers of the docs that have words, among those that have tokens."""
    number = np.cumsum(words.is_start) - 1
    return number[np.flatnonzero(words.is_word)[words.starts[:-1]]]


def _count_line_breaks(words: Words) -> np.ndarray:
    """The number of line breaks in each whitespace token, 0 in words."""
    counts = np.zeros(len(words.is_word), np.int64)
    spaces, places = np.unique(words.more[~words.is_word, 0], return_inverse=True)
    n_breaks = [words.texts(int(space)).count("\n") for space in spaces]
    counts[~words.is_word] = np.array(n_breaks, np.int64)[places]
    return counts
