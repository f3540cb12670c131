"""The `perceptron_senter` component: sentence boundaries by tagging words as starts of
sentences."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.candidate import Annotation
from ..answers.confidence import store_confidences
from ..answers.kinds.boundaries import ATTRIBUTE, INSIDE_LABEL, START_LABEL
from ..answers.sentence_starts import START, UNKNOWN, read_starts
from ..answers.sentences import SentenceAnswers
from ..decode.sequences.left_to_right import LeftToRightSearch
from ..decode.sequences.program import ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..decode.sequences.tagging import Tagging
from ..errors import Errors, Warnings
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.token_attributes import FIRST_VALUE, LookUp, TokenAttributes
from ._sentences.contexts import CONTEXTS, SPACES, ContextCounter, check_contexts, quiet_flags
from ._sentences.gold import SenterParts, gold_tags
from ._sentences.reader import (
    INSIDE_TAG,
    START_TAG,
    TOKEN_ATTRIBUTES,
    SenterReader,
    SenterWords,
)
from ._sentences.word_use import (
    LEARNED_ATTRIBUTES,
    LearnedAttributes,
    WordUse,
    WordUseCounter,
    check_lists,
    no_words,
)
from ._sentences.writer import token_starts, write_starts
from ._sequences.pipe import SentenceToLearn, SequencePipe, SequenceState
from ._shared.gold import PreparedSentences
from ._shared.words import NO_CHARACTERS, Labels, PresetWords, Texts, Words
from .factories.perceptron_senter import SenterSettings
from .factories.perceptron_senter import make_perceptron_senter as make_perceptron_senter

# In the order of their numbers; spaCy's `senter` has the same names.
LABELS = (INSIDE_LABEL, START_LABEL)


class SenterPredictions(NamedTuple):
    """What a segmenter finds in docs.

    starts (np.ndarray): For each token of all docs, whether it starts a sentence, as Docs keep it.
    given (np.ndarray): Whether that was known before.
    confidences (np.ndarray): Calibrated probabilities that this is right.
    answers (list): For each doc, the answers to keep with it.
    state (SenterState): What has found them.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    starts: np.ndarray
    given: np.ndarray
    confidences: np.ndarray
    answers: list[list[SentenceAnswers]]
    state: "SenterState"
    characters: np.ndarray = NO_CHARACTERS


@dataclass(frozen=True)
class SenterState(SequenceState):
    """What predictions depend on.

    attributes (TokenAttributes): Looks words up, with what was learned about them.
    is_quiet (np.ndarray): For each context, whether no sentence starts there.
    """

    attributes: TokenAttributes
    is_quiet: np.ndarray


class PerceptronSenter(SequencePipe):
    """Decides of every word whether it starts a sentence, from the left to the right of a Doc.

    Sets `token.is_sent_start` and `token._.sent_start_confidence`, the calibrated probability that
    it is right. Boundaries that are there stay, unless `overwrite` is set.
    """

    _tag_attribute = ATTRIBUTE

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "perceptron_senter",
        *,
        settings: SenterSettings,
        scorer: Callable | None = None,
    ):
        """Make a segmenter.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (SenterSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attribute=ATTRIBUTE,
            cfg={"labels": [*LABELS], "words": no_words(), "quiet": []},
            scorer=scorer,
        )
        self.quiet_share = settings.quiet_share
        self.overwrite = settings.overwrite
        parsed = parse_templates(
            settings.templates,
            roles=ROLES,
            attributes={*WORD_ATTRIBUTES, *LEARNED_ATTRIBUTES, *TOKEN_ATTRIBUTES, ATTRIBUTE},
        )
        atoms = [atom for template in parsed for atom in template.atoms]
        ahead = max((a.offset for a in atoms if a.attribute == ATTRIBUTE), default=0)
        if ahead > 0:
            raise ValueError(Errors.SENTER_LOOKAHEAD.format(offset=ahead))
        names = {atom.attribute for atom in atoms} - {ATTRIBUTE}
        self._reader = SenterReader(names, self._word_attributes)
        self._program = compile_templates(
            parsed, self._reader.columns, dynamic_attributes=(ATTRIBUTE,)
        )
        self._templates = self._program.templates
        self._training_attributes: TokenAttributes | None = None
        # The quiet contexts with which training parts were made.
        self._learned_quiet: list[str] = []
        self._training_parts = SenterParts(
            hide_rare=settings.hide_rare, read=self._read_without_boundaries
        )

    # --- Labels -----------------------------------------------------------------------------

    @property
    def is_resizable(self) -> bool:
        """RETURNS (bool): False. A word starts a sentence or does not."""
        return False

    def _check_label(self, label: str) -> None:
        super()._check_label(label)
        if label not in LABELS:
            raise ValueError(Errors.SENTER_LABEL.format(name=self.name, label=label))

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> SenterPredictions:
        """Find sentence boundaries without changing the docs.

        docs (Iterable[Doc]): The docs.
        RETURNS (SenterPredictions): Sentence starts, confidences and lists of answers.
        """
        docs = list(docs)
        state = self._get_state()
        read = self._read(docs, state)
        words, calibration = read.words, state.calibration
        tags, confidences, lists = self._search(read, state, calibration.temperature, self.n_stored)
        confidences = calibration.apply(confidences)
        return SenterPredictions(
            token_starts(tags, words),
            words.more[:, 1] != UNKNOWN,
            words.spread(confidences, 1.0),
            self._make_answers(docs, read, lists, state),
            state,
            words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: SenterPredictions) -> None:
        """Write sentence starts and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (SenterPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        characters = predictions.characters
        write_starts(docs, predictions.starts, predictions.given, self.name, characters)
        store_confidences(docs, ATTRIBUTE, predictions.confidences.tolist(), characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _read(self, docs: Sequence[Doc], state: SenterState) -> SenterWords:
        read = self._reader(docs, state.attributes, self.name, keep=not self.overwrite)
        return read.settle(state.is_quiet)

    def _rows(self, read: PresetWords, look_up: LookUp) -> np.ndarray | None:
        assert isinstance(read, SenterWords)
        words = read.words
        return read.attributes.rows(words.orths, read.values, words.texts, look_up)

    def _n_attributes(self) -> int:
        return len(self._reader.columns)

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray, state: Any) -> Annotation:
        starts = token_starts(tags, words)
        return {ATTRIBUTE: [LABELS[start == START] for start in starts.tolist()]}

    def _describe(self, attribute: str, token: Token, read: PresetWords, place: int) -> str:
        assert isinstance(read, SenterWords)
        if attribute in TOKEN_ATTRIBUTES:
            return SPACES[int(read.values[place, 0]) - FIRST_VALUE]
        words = read.attributes.words
        assert isinstance(words, LearnedAttributes)
        return words.describe(attribute, token.text)

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        return LABELS if read_starts(example.reference)[1:].any() else ()

    def _prepared_sentences(self) -> PreparedSentences:
        return self._training_parts

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        words, contexts = WordUseCounter(), ContextCounter()
        self._training_parts.reset_counts()
        is_known = has_starts = False
        for example in examples:
            reference = example.reference
            self._training_parts.count(reference)
            read = self._reader([reference], self._own_attributes(), self.name, keep=False)
            starts = read.word_starts(read_starts(reference))
            words.add(read.word_texts(), starts.tolist())
            contexts.add(read.contexts, starts)
            is_known |= bool(starts[1:].any())
            has_starts |= bool((starts[1:] == START).any())
            yield example
        if is_known and not has_starts:
            warnings.warn(Warnings.SENTER_ONE_SENTENCE.format(name=self.name), stacklevel=4)
        self.cfg["words"] = words.lists()
        self.cfg["quiet"] = contexts.quiet(self.quiet_share)

    def _read_without_boundaries(self, example: Example) -> SenterWords:
        read = self._reader([example.predicted], self._own_attributes(), self.name, keep=False)
        return read.settle(quiet_flags(self.cfg["quiet"]))

    def _forget_wrong(self, example: Example) -> int:
        """Look again at words in contexts in which a correction says that a sentence starts."""
        read = self._read_without_boundaries(example)
        is_wrong = (gold_tags(example, read) == START_TAG) & (read.given == INSIDE_TAG)
        wrong = {CONTEXTS[i] for i in np.unique(read.contexts[is_wrong])}
        if wrong:
            self.cfg["quiet"] = [name for name in self.cfg["quiet"] if name not in wrong]
            self._weights_changed()
        return len(wrong)

    def _gold_tags(self, example: Example, read: PresetWords, state: SenterState) -> np.ndarray:
        assert isinstance(read, SenterWords)
        return gold_tags(example, read)

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        decoder = self._training_decoder
        assert decoder is not None
        texts = Texts([example.predicted])
        attributes = self._own_attributes()
        for part in self._training_parts(example):
            rows = attributes.rows(part.orths, part.values, texts, decoder.scorer.lexemes.lookup)
            assert rows is not None
            yield SentenceToLearn(rows, part.gold, part.given, part.hiding)

    # --- Derived state ----------------------------------------------------------------------

    def _make_decoder(self, lexemes: LexemeTable, weights: Any, *, cached: bool) -> Tagging:
        scorer = TaggingScorer(lexemes, weights, self._program, cached=cached)
        max_violation = self.update_rule == "max_violation" and not cached
        return Tagging(LeftToRightSearch(scorer), max_violation=max_violation)

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        check_lists(cfg["words"])
        check_contexts(cfg["quiet"])

    def _make_state(self) -> SenterState:
        return SenterState(
            self._make_decoders(),
            self.calibration,
            LABELS,
            Labels(LABELS),
            np.zeros(0, np.uint64),
            self._reader.attributes(WordUse(self.cfg["words"])),
            quiet_flags(self.cfg["quiet"]),
        )

    def _own_attributes(self) -> TokenAttributes:
        """Looks words up in training."""
        if self._training_attributes is None:
            self._training_attributes = self._reader.attributes(WordUse(self.cfg["words"]))
        return self._training_attributes

    def _weights_changed(self) -> None:
        self._training_attributes = None
        if self._learned_quiet != self.cfg["quiet"]:
            self._learned_quiet = self.cfg["quiet"]
            self._training_parts.forget()
        super()._weights_changed()
