"""Examples -> sentences with gold trees, computed once per gold Doc."""

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from spacy.attrs import ORTH, POS, SENT_START, TAG
from spacy.tokens import Doc
from spacy.training import Example

from ...errors import Warnings
from ...trees.constituents import SPANS_KEY, Constituent, constituents_to_tree
from ...trees.tree import Tree
from .._shared.gold import ReferenceCache, with_gold_sentences
from .reader import TaggedWords, tag_confidences

# What a parser reads from the doc to predict on.
_READ = [ORTH, SENT_START, TAG, POS]
# Why there is nothing to learn from a sentence.
MISSING, MISALIGNED, CROSSING, UNLABELLED = "missing", "misaligned", "crossing", "unlabelled"


@dataclass(frozen=True, eq=False)
class GoldSentence:
    """A sentence to learn from.

    words (TaggedWords): The words.
    tree (Tree): The gold tree under a `ROOT`. The leaves are the words with the tags that the
        parser will see; phrases are gold.
    tags (list[Optional[str]]): The gold tags, None where there is none.
    """

    words: TaggedWords
    tree: Tree
    tags: list[str | None]


class _GoldPhrases(NamedTuple):
    """Gold constituents in predicted words.

    labels (list[str]): The labels, in pre-order.
    firsts, lasts (list[int]): The sentences that each begins and ends in.
    starts, ends (list[int]): The first word of each, and the one after the last.
    fits (list[bool]): Whether it begins and ends with a word.
    """

    labels: list[str]
    firsts: list[int]
    lasts: list[int]
    starts: list[int]
    ends: list[int]
    fits: list[bool]


class GoldTrees:
    """Cuts examples into sentences with gold trees. A sentence is left out if it has no gold
    constituents, if some begin or end within a word or reach into another sentence, or if they are
    not a tree: part of a tree would teach what is wrong.

    read (Callable): Docs -> words.
    """

    def __init__(self, read: Callable[..., TaggedWords]):
        self._read = read
        self._prepared = ReferenceCache()
        # Reason -> number of sentences that were left out for it.
        self.skipped: Counter[str] = Counter()

    def __call__(self, example: Example) -> list[GoldSentence]:
        """The sentences of an example, kept until either side of it changes.

        example (Example): The example.
        RETURNS (list[GoldSentence]): The sentences with a gold tree.
        """
        state = _state(example)
        known, sentences = self._prepared.get(example.reference, (None, []))
        if known != state:
            sentences = self._prepare(example)
            self._prepared[example.reference] = (state, sentences)
        return sentences

    def _prepare(self, example: Example) -> list[GoldSentence]:
        # Before training starts there are no tags yet: `annotating_components` run during it.
        doc = with_gold_sentences(example)
        words = self._read([doc], starts_given=True, tags_given=True)
        # spaCy refuses to align another text, so this comes first.
        gold_tags = _gold_tags(example, words)
        bounds = words.words.starts.tolist()
        phrases: list[list[Constituent]] = [[] for _ in range(words.n_sentences)]
        trouble: list[str] = [""] * words.n_sentences
        for label, first, last, start, end, fits in zip(*_phrases(example, words), strict=True):
            if first == last and fits:
                phrases[first].append((label, start - bounds[first], end - bounds[first]))
            else:
                trouble[first : last + 1] = [MISALIGNED] * (last + 1 - first)
        sentences = []
        for s, (sentence, (start, end)) in enumerate(
            zip(words.sentences(), pairwise(bounds), strict=True)
        ):
            found = trouble[s] or _make_tree(sentence, phrases[s])
            if isinstance(found, Tree):
                sentences.append(GoldSentence(sentence, found, gold_tags[start:end]))
            else:
                self._skip(found)
        return sentences

    def _skip(self, reason: str) -> None:
        if reason != MISSING and not self.skipped.keys() - {MISSING}:
            warnings.warn(Warnings.CONSTITUENTS_GOLD.format(reason=reason), stacklevel=6)
        self.skipped[reason] += 1


def _state(example: Example) -> tuple:
    """All that the sentences of an example depend on."""
    reference = example.reference
    sure = tag_confidences(example.predicted)
    return (
        example.predicted.to_array(_READ).tobytes(),
        reference.to_array(_READ).tobytes(),
        [(s.label, s.start, s.end) for s in reference.spans.get(SPANS_KEY, ())],
        None if sure is None else sure.tobytes(),
    )


def _make_tree(words: TaggedWords, phrases: list[Constituent]) -> Tree | str:
    """The tree of a sentence, or why there is none."""
    if not phrases:
        return MISSING
    if not all(label for label, _, _ in phrases):
        return UNLABELLED
    try:
        return constituents_to_tree(phrases, words.word_texts(), words.tag_texts())
    except ValueError:
        return CROSSING


def _phrases(example: Example, words: TaggedWords) -> _GoldPhrases:
    """Gold constituents with words, in predicted words."""
    reference = example.reference
    # Outer ones first: with other tokens, two can become the same.
    group = sorted(reference.spans.get(SPANS_KEY, ()), key=lambda s: (s.start, -s.end))
    gold = _characters_before(reference)
    before = _characters_before(example.predicted)[np.append(words.words.is_word, True)]
    starts = gold[[span.start for span in group]]
    ends = gold[[span.end for span in group]]
    # Each word has a character, so each number of characters is the boundary of one word at most.
    first = np.searchsorted(before, starts, side="right") - 1
    last = np.searchsorted(before, ends)
    fits = (before[first] == starts) & (before[last] == ends)
    sentence_starts = words.words.starts[:-1]
    columns = (
        np.searchsorted(sentence_starts, first, side="right") - 1,
        np.searchsorted(sentence_starts, last - 1, side="right") - 1,
        first,
        last,
        fits,
    )
    has_words = starts < ends
    labels = [span.label_ for span, kept in zip(group, has_words, strict=True) if kept]
    return _GoldPhrases(labels, *(column[has_words].tolist() for column in columns))


def _characters_before(doc: Doc) -> np.ndarray:
    """The number of characters before each token, then that of all, whitespace not counted."""
    lengths = [0, *(len("".join(token.text.split())) for token in doc)]
    return np.cumsum(lengths)


def _gold_tags(example: Example, words: TaggedWords) -> list[str | None]:
    """The gold tag of each predicted word."""
    tags: list[str | None] = example.get_aligned("TAG", as_string=True)
    return [tag or None for tag, is_word in zip(tags, words.words.is_word, strict=True) if is_word]
