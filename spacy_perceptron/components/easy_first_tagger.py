"""The `easy_first_tagger` factory: tags by easy-first beam search (Ma et al. 2013)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from spacy.attrs import ORTH, POS, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.candidate import Annotation
from ..answers.confidence import store_confidences
from ..answers.records import split_places
from ..answers.sentences import SentenceAnswers
from ..decode.sequences.easy_first import EasyFirstSearch
from ..decode.sequences.program import DYNAMIC_ATTRIBUTES, ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..decode.sequences.tagging import Tagging
from ..features.attributes import ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.word_attributes import WordAttributes
from ._sequences.dictionary import TagCounter, TagDictionary
from ._sequences.gold import TrainingSentences
from ._sequences.pipe import SentenceToLearn, SequencePipe
from ._sequences.settings import SequenceSettings
from .settings import default_config, setting, takes_settings, templates_setting
from .words import NO_CHARACTERS, PresetWords, Words, read_words

TOKEN_ATTRIBUTES = {"tag": TAG, "pos": POS}
# What whitespace tokens get, as in spaCy's own English models.
SPACE_LABELS = {"tag": "_SP", "pos": "SPACE"}


@dataclass(frozen=True, kw_only=True)
class TaggerSettings(SequenceSettings):
    """What can be set of a tagger."""

    factory = "easy_first_tagger"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.tagging.v1"], "[templates](concepts.md#features-as-data) of tags"
    )
    attribute: str = setting(
        "tag",
        "what to predict: `tag` for `token.tag`, `pos` for `token.pos`",
        choices=tuple(TOKEN_ATTRIBUTES),
    )
    beam_width: int = setting(
        3,
        "partial taggings to keep at each step, in training and prediction; time grows with it",
        at_least=1,
    )
    update: str = setting(
        "resume",
        "what training does after a mistake, see [Training](#training)",
        choices=("early", "resume"),
    )
    dictionary_min_count: int = setting(
        0,
        "tag words without search if training has them this often, with one tag in at least 99.8 % "
        "of cases; 0 for never",
        at_least=0,
    )
    overwrite: bool = setting(True, "overwrite existing tags")


class TagPredictions(NamedTuple):
    """What a tagger finds in docs.

    tags (np.ndarray): Label numbers of all tokens of all docs, -1 at whitespace.
    confidences (np.ndarray): Calibrated probabilities that the tags are right.
    answers (list): For each doc, the answers to keep with it, sentence by sentence.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    tags: np.ndarray
    confidences: np.ndarray
    answers: list[list[SentenceAnswers]]
    characters: np.ndarray = NO_CHARACTERS


@Language.factory(
    "easy_first_tagger",
    assigns=["token.tag"],
    default_config=default_config(
        TaggerSettings,
        model="spacy_perceptron.LinearModel.v1",
        scorer="spacy_perceptron.tagger_scorer.v1",
    ),
    default_score_weights={"tag_acc": 0.5, "pos_acc": 0.5},
)
@takes_settings(TaggerSettings)
def make_easy_first_tagger(
    nlp: Language, name: str, model: Model, scorer: Callable | None, **settings: Any
) -> "EasyFirstTagger":
    """Make an easy-first tagger. See `TaggerSettings` for the settings."""
    return EasyFirstTagger(
        nlp.vocab, model, name, settings=TaggerSettings(**settings), scorer=scorer
    )


class EasyFirstTagger(SequencePipe):
    """Tags words in the order of ease, keeping several partial taggings in a beam.

    Sets `token.tag` or `token.pos`, and `token._.tag_confidence` or `token._.pos_confidence`: the
    calibrated probability that the tag is right.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "easy_first_tagger",
        *,
        settings: TaggerSettings,
        scorer: Callable | None = None,
    ):
        """Make a tagger.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (TaggerSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attribute=settings.attribute,
            cfg={"attribute": settings.attribute, "dictionary": {}},
            scorer=scorer,
        )
        self.attribute = settings.attribute
        self.dictionary_min_count = settings.dictionary_min_count
        self.overwrite = settings.overwrite
        known = {*ATTRIBUTES, *DYNAMIC_ATTRIBUTES}
        parsed = parse_templates(settings.templates, roles=ROLES, attributes=known)
        names = {atom.attribute for template in parsed for atom in template.atoms}
        names.difference_update(DYNAMIC_ATTRIBUTES)
        self._attributes = WordAttributes(vocab, sorted(names))
        columns = {name: column for column, name in enumerate(self._attributes.names)}
        self._program = compile_templates(parsed, columns)
        self._templates = self._program.templates
        self._lexemes = LexemeTable(len(columns))
        self._training_sentences = TrainingSentences(
            TOKEN_ATTRIBUTES[settings.attribute],
            hide_rare=settings.hide_rare,
            gold_tags=self._token_gold_tags,
        )
        self._label_numbers: dict[int, int] = {}
        self._fixed_tags = TagDictionary({}, vocab.strings, {})

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> TagPredictions:
        """Tag docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (TagPredictions): Tags, confidences and lists of answers.
        """
        docs = list(docs)
        read = self._read(docs)
        words, calibration = read.words, self.calibration
        tags, confidences, lists = self._search(read, calibration.temperature, self.n_stored)
        confidences = calibration.apply(confidences)
        return TagPredictions(
            words.spread(tags, -1),
            words.spread(confidences, 1.0),
            self._make_answers(docs, words, lists),
            words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: TagPredictions) -> None:
        """Write tags and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (TagPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        token_attribute = TOKEN_ATTRIBUTES[self.attribute]
        all_places = split_places(predictions.characters, docs)
        labels = self._label_ids[predictions.tags]
        confidences = predictions.confidences.tolist()
        start = 0
        for doc, answers, places in zip(docs, predictions.answers, all_places, strict=True):
            end = start + len(doc)
            values, sure = labels[start:end], confidences[start:end]
            if not self.overwrite:
                present = doc.to_array(token_attribute)
                values = np.where(present == 0, values, present)
                # There is no knowing how sure others were of the tags they gave.
                sure = [None if given else c for given, c in zip(present, sure, strict=True)]
            doc.from_array([token_attribute], values)
            store_confidences(doc, self.attribute, sure, places)
            if answers:
                self._store_answers(doc, answers)
            start = end

    def _read(self, docs: Sequence[Doc]) -> PresetWords:
        words = read_words(docs)
        self._add_label_strings(words.vocabs)
        return PresetWords(words, self._fixed_tags(words.orths))

    def _rows(self, read: PresetWords) -> np.ndarray:
        attributes = self._attributes.within(read.words.vocabs)
        return self._lexemes.lookup(read.words.orths, attributes)

    def _label_strings(self) -> Iterable[str]:
        return (*self.labels, SPACE_LABELS[self.attribute])

    def _forget_lexemes(self) -> None:
        self._lexemes.clear()

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray) -> Annotation:
        names = [*self.labels, SPACE_LABELS[self.attribute]]
        return {self.attribute: [names[tag] for tag in words.spread(tags, -1)]}

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        values = example.reference.to_array(TOKEN_ATTRIBUTES[self.attribute])
        space = SPACE_LABELS[self.attribute]
        strings = example.reference.vocab.strings
        names = (strings[int(value)] for value in np.unique(values) if value)
        return [name for name in names if name != space]

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        counter = TagCounter(self.attribute)
        self._training_sentences.reset_counts()
        for example in examples:
            self._training_sentences.count(example.reference)
            if self.dictionary_min_count:
                counter.add(example.reference)
            yield example
        self.cfg["dictionary"] = counter.unambiguous(self.dictionary_min_count)

    def _token_gold_tags(self, example: Example) -> np.ndarray:
        """Gold label number per predicted token; -1: missing, unaligned or unknown."""
        name = TOKEN_ATTRIBUTES[self.attribute]
        reference = example.reference.to_array([ORTH, name])
        if np.array_equal(reference[:, 0], example.predicted.to_array(ORTH)):
            values = reference[:, 1].tolist()
        else:
            values = example.get_aligned(self.attribute.upper())
        return np.array([self._label_numbers.get(value, -1) for value in values], dtype=np.int32)

    def _gold_tags(self, example: Example, read: PresetWords) -> np.ndarray:
        return self._token_gold_tags(example)[read.words.is_word]

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        attributes = self._attributes.within([example.predicted.vocab])
        for orths, gold, hiding in self._training_sentences(example):
            rows = self._lexemes.lookup(orths, attributes)
            yield rows, gold, self._fixed_tags(orths), hiding

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: passive-aggressive steps on the weights that
        predict.

        Each step is the smallest change that lets the correct tags win by the margin at the first
        mistake. Tokens without a gold tag stay free, and a word that is corrected leaves the
        dictionary. The training state, if any, starts again from the result.

        example (Example): The prediction's text with the tags it should have.
        margin (float): By how much the correct tagging should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        self._require_known_labels(example)
        n_forgotten = self._forget_words(example)
        return n_forgotten + super().correct(example, margin=margin)

    def _forget_words(self, example: Example) -> int:
        """Take words that are corrected to another tag out of the dictionary; how many?"""
        read = self._read([example.predicted])
        if read.given is None:
            return 0
        gold = self._gold_tags(example, read)
        wrong = (read.given != -1) & (gold != -1) & (read.given != gold)
        strings = example.predicted.vocab.strings
        words = {strings[int(orth)] for orth in read.words.orths[wrong]}
        for word in words:
            del self.cfg["dictionary"][word]
        if words:
            self._weights_changed()
        return len(words)

    # --- Derived state ----------------------------------------------------------------------

    def _make_decoder(self, weights: Any, *, cached: bool) -> Tagging:
        scorer = TaggingScorer(self._lexemes, weights, self._program, cached=cached)
        return Tagging(EasyFirstSearch(scorer))

    def _weights_changed(self) -> None:
        strings = self.vocab.strings
        names = [*self.labels, SPACE_LABELS[self.attribute]]
        # The last one is for whitespace, whose label number is -1.
        label_ids = np.array([strings.add(name) for name in names], dtype=np.uint64)
        if not np.array_equal(label_ids, self._label_ids):
            self._label_ids = label_ids
            self._label_numbers = {int(key): i for i, key in enumerate(label_ids[:-1])}
            self._training_sentences.forget()
        self._fixed_tags = TagDictionary(self.cfg["dictionary"], strings, self._label_numbers)
        super()._weights_changed()
