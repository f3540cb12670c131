"""Docs -> what a parser reads from them: words, tags, and the arcs of a guide."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from spacy.attrs import DEP, HEAD, IS_PUNCT, MORPH, POS, SENT_START, TAG
from spacy.parts_of_speech import AUX, VERB
from spacy.strings import hash_string  # type: ignore[attr-defined]
from spacy.tokens import Doc

from ...answers.confidence import read_confidences
from ...decode.arcs.input import ParsingInput
from ...features.attributes import word_attribute_names
from ...features.templates import Template
from ...features.token_attributes import LookUp
from ...features.word_attributes import WordAttributes
from ...trees.coarse_tags import coarse_tag
from .._shared.reading import LONGEST_SENTENCE, WarningReader
from .._shared.words import Texts, Words, read_words, with_cuts

# Attributes of tokens that templates can use, besides those of words. `coarse` is the coarse part
# of speech, or the beginning of the tag if there is none. `guide` is the label that a guide gave,
# `sure` how sure the guide was of the head, from 1 to `SURE_BINS`, or 0 if that is not known.
TOKEN_ATTRIBUTES = ("tag", "coarse", "pos", "morph", "guide", "sure")
SURE_BINS = 10
_TAGS = [TOKEN_ATTRIBUTES.index(name) for name in ("tag", "pos")]
# The number of tags whose coarse tags are cached.
MAX_TAGS = 1 << 12
_OF_GUIDE = [TOKEN_ATTRIBUTES.index(name) for name in ("guide", "sure")]
_COLUMNS = [IS_PUNCT, TAG, POS, MORPH, SENT_START]
_GUIDE_COLUMNS = [HEAD, DEP]
_PUNCT_MARK, _VERB_MARK = 1, 2


@dataclass(frozen=True)
class ParseWords:
    """The words of some docs as arrays.

    words (Words): The words and their sentences.
    tokens (np.ndarray): One value per word and token attribute.
    marks (np.ndarray): For each word, 1 for punctuation and 2 for verbs.
    guides (Optional[np.ndarray]): For each word, its head from a guide, within the sentence.
    """

    words: Words
    tokens: np.ndarray
    marks: np.ndarray
    guides: np.ndarray | None

    def __len__(self) -> int:
        return len(self.words.orths)

    @property
    def n_sentences(self) -> int:
        """RETURNS (int): The number of sentences with words."""
        return self.words.n_sentences

    def sentences(self) -> Iterator["ParseWords"]:
        """YIELDS (ParseWords): The sentences one by one."""
        yield from self._cut(self.words.sentences())

    def split(self, lengths: Sequence[int]) -> Iterator["ParseWords"]:
        """Split the words by doc.

        lengths (Sequence[int]): The number of tokens of each doc.
        YIELDS (ParseWords): The docs one by one.
        """
        yield from self._cut(self.words.split(lengths))

    def _cut(self, parts: Iterable[Words]) -> Iterator["ParseWords"]:
        for words, cut in with_cuts(parts):
            guides = None if self.guides is None else self.guides[cut]
            yield ParseWords(words, self.tokens[cut], self.marks[cut], guides)

    def unguided(self) -> "ParseWords":
        """RETURNS (ParseWords): The same words as if no guide had seen them."""
        tokens = self.tokens.copy()
        tokens[:, _OF_GUIDE] = 0
        return replace(self, tokens=tokens, guides=None)

    def input(self, look_up: LookUp, attributes: WordAttributes) -> ParsingInput | None:
        """The words as decoders take them.

        look_up (Callable): A method of the decoder's lexeme table.
        attributes (WordAttributes): Computes attributes of new word types.
        RETURNS (Optional[ParsingInput]): The input, valid until the table is cleared; None if there
            is no room in it.
        """
        texts = self.words.texts
        rows = look_up(self.words.orths, lambda orth: attributes(texts(orth)))
        if rows is None:
            return None
        return ParsingInput(rows, self.tokens, self.marks, self.guides)


class ParseReader(WarningReader):
    """Reads docs for a parser.

    guided (bool): Whether existing heads and labels serve as a guide.
    longest (int): The most words of a sentence. Longer ones are cut.
    """

    def __init__(self, *, guided: bool, longest: int = LONGEST_SENTENCE):
        super().__init__(longest)
        self.guided = guided
        self._coarse: dict[int, tuple[int, bool]] = {}

    def __call__(
        self, docs: Sequence[Doc], *, starts_given: bool = False, tags_given: bool = False
    ) -> ParseWords:
        """Read docs.

        docs (Sequence[Doc]): The docs.
        starts_given (bool): Whether docs without sentence boundaries are meant to have none.
        tags_given (bool): Whether docs without tags are meant to have none, or none yet.
        RETURNS (ParseWords): Their words.
        """
        columns = [*_COLUMNS, *(_GUIDE_COLUMNS if self.guided else [])]
        words = self._split_long(docs, read_words(docs, columns))
        values = words.more
        if not starts_given:
            self._warn_of_sentences(docs, words, values[:, _COLUMNS.index(SENT_START)])
        guides = self._read_guides(docs, words, values) if self.guided else None
        values = values[words.is_word] if len(words.orths) < len(values) else values
        coarse, is_verb = self._coarse_tags(values[:, 1], values[:, 2], words.texts)
        labels = sure = np.zeros(len(values), np.uint64)
        if guides is not None:
            labels = values[:, 6]
            sure = np.where(guides < 0, 0, _read_sure(docs)[words.is_word])
        columns = [values[:, 1], coarse, values[:, 2], values[:, 3], labels, sure]
        tokens = np.stack([column.astype(np.uint64) for column in columns], axis=1)
        marks = _PUNCT_MARK * (values[:, 0] != 0) + _VERB_MARK * is_verb
        found = ParseWords(words, tokens, marks.astype(np.uint8), guides)
        if not tags_given:
            self.warn_of_tags([found])
        return found

    def _coarse_tags(
        self, tags: np.ndarray, pos: np.ndarray, texts: Texts
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coarse tags, and whether each is a verb."""
        distinct, places = np.unique(tags, return_inverse=True)
        found = [self._coarse_tag(int(tag), texts) for tag in distinct]
        coarse = np.array([value for value, _ in found], dtype=np.uint64)[places]
        is_verb = np.array([verb for _, verb in found], dtype=bool)[places]
        given = pos != 0
        return (
            np.where(given, pos, coarse),
            np.where(given, (pos == VERB) | (pos == AUX), is_verb),
        )

    def _coarse_tag(self, tag: int, texts: Texts) -> tuple[int, bool]:
        known = self._coarse.get(tag)
        if known is None:
            if len(self._coarse) >= MAX_TAGS:
                self._coarse.clear()
            text = texts(tag) if tag else ""
            known = self._coarse[tag] = (hash_string(coarse_tag(text)), text[:1] == "V")
        return known

    def _read_guides(self, docs: Sequence[Doc], words: Words, values: np.ndarray) -> np.ndarray:
        """Existing heads, numbered within the sentence; -1 where there is none."""
        n_tokens = len(values)
        place = np.arange(n_tokens)
        head = place + values[:, 5].astype(np.int64)
        known = (values[:, 6] != 0) & words.is_word & (head >= 0) & (head < n_tokens)
        head = np.where(known, head, 0)
        known &= words.is_word[head] if n_tokens else known
        number = np.cumsum(words.is_word) - 1
        sentence = np.searchsorted(words.starts, number, side="right") - 1
        first = words.starts[sentence] if len(sentence) else sentence
        known &= sentence[head] == sentence if n_tokens else known
        within = np.where(head == place, 0, number[head] - first + 1) if n_tokens else head
        return np.where(known, within, -1)[words.is_word].astype(np.int32)

    def warn_of_tags(self, parts: Sequence[ParseWords]) -> None:
        """Warn once that words have no tags.

        parts (Sequence[ParseWords]): The words.
        """
        self._warn_of_tags(words.tokens[:, _TAGS] for words in parts)


def _read_sure(docs: Sequence[Doc]) -> np.ndarray:
    """The values of `sure` for all tokens."""
    bins = [np.zeros(0)]
    for doc in docs:
        known = guide_confidences(doc)
        bins.append(np.zeros(len(doc)) if known is None else sure_bins(known))
    return np.concatenate(bins)


def sure_bins(confidences: np.ndarray) -> np.ndarray:
    """RETURNS (np.ndarray): Confidences as the values of `sure`; 0 where they are not known."""
    bins = np.clip(np.floor(confidences * SURE_BINS) + 1, 1, SURE_BINS)
    return np.where(np.isnan(confidences), 0, bins)


def guide_confidences(doc: Doc) -> np.ndarray | None:
    """RETURNS (Optional[np.ndarray]): How sure the previous parser was of each head, if known."""
    values = read_confidences(doc, "head")
    return None if values is None else np.array(values, np.float64)


def template_columns(templates: Iterable[Template]) -> tuple[list[str], dict[str, int]]:
    """The columns of the attributes that templates use; those of the word come first.

    templates (Iterable[Template]): The templates.
    RETURNS (tuple): The word attributes they use, and the column of every attribute.
    """
    used = {atom.attribute for template in templates for atom in template.atoms}
    names = word_attribute_names(used)
    return names, {name: column for column, name in enumerate([*names, *TOKEN_ATTRIBUTES])}


def head_offsets(words: Words, heads: np.ndarray) -> np.ndarray:
    """Heads within sentences -> offsets from each token to its head, as spaCy keeps them.

    Whitespace is attached to the word before it in its sentence, or else to the first word, or
    else to the first token.

    words (Words): The words.
    heads (np.ndarray): Head of each word within its sentence: words count from 1, 0 is the root.
    RETURNS (np.ndarray): One offset per token.
    """
    first = np.repeat(words.starts[:-1], np.diff(words.starts))
    number = np.arange(len(heads))
    absolute = np.where(heads == 0, number, first + heads - 1)
    if len(heads) == len(words.is_word):
        return absolute - number
    token_of = np.flatnonzero(words.is_word)
    target = np.arange(len(words.is_word))
    target[token_of] = token_of[absolute]
    spaces = np.flatnonzero(~words.is_word)
    sentence = np.cumsum(words.is_start)
    target[spaces] = np.searchsorted(sentence, sentence[spaces])
    if len(token_of):
        before = np.cumsum(words.is_word)[spaces] - 1
        # The word after comes first, so that the word before overrides it.
        for at in (before + 1, before):
            word = token_of[np.clip(at, 0, len(token_of) - 1)]
            is_near = (at >= 0) & (at < len(token_of)) & (sentence[word] == sentence[spaces])
            target[spaces[is_near]] = word[is_near]
    return target - np.arange(len(target))
