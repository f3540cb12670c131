"""The `easy_first_tagger` factory: tags by easy-first beam search (Ma et al. 2013)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from ..answers.sentences import SentenceAnswers
from ..decode.sequences.easy_first import EasyFirstSearch
from ..decode.sequences.program import DYNAMIC_ATTRIBUTES, ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..decode.sequences.tagging import Tagging
from ..features.attributes import ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.token_attributes import LookUp
from ..features.word_attributes import WordAttributes
from ..values import WIDTH
from ._sequences.dictionary import TagCounter, TagDictionary, check_dictionary
from ._sequences.gold import TrainingSentences
from ._sequences.pipe import LONGEST, SentenceToLearn, SequencePipe, SequenceState
from ._sequences.settings import SequenceSettings
from ._shared.settings import default_config, setting, takes_settings, templates_setting
from ._shared.splitting import split_long
from ._shared.words import NO_CHARACTERS, Labels, PresetWords, Texts, Words, read_words

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
        **WIDTH.limits,
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
    state (TaggerState): What has found them.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    tags: np.ndarray
    confidences: np.ndarray
    answers: list[list[SentenceAnswers]]
    state: "TaggerState"
    characters: np.ndarray = NO_CHARACTERS


@dataclass(frozen=True)
class TaggerState(SequenceState):
    """What predictions depend on.

    dictionary (TagDictionary): The words that are tagged without search.
    label_numbers (Mapping[int, int]): Hash of a label -> its number.
    """

    dictionary: TagDictionary
    label_numbers: Mapping[int, int]


@Language.factory(
    "easy_first_tagger",
    assigns=["token.tag"],
    default_config=default_config(
        TaggerSettings,
        model="spacy_perceptron.LinearModel.v1",
        scorer="spacy_perceptron.tagger_scorer.v1",
    ),
    default_score_weights={"tag_acc": 1.0, "pos_acc": None},
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
        self._attributes = WordAttributes(sorted(names))
        columns = {name: column for column, name in enumerate(self._attributes.names)}
        self._program = compile_templates(parsed, columns)
        self._templates = self._program.templates
        self._training_sentences = TrainingSentences(
            TOKEN_ATTRIBUTES[settings.attribute],
            hide_rare=settings.hide_rare,
            gold_tags=self._token_gold_tags,
        )
        self._label_numbers: dict[int, int] = {}
        # Made of the words in `cfg` when it is needed.
        self._dictionary: TagDictionary | None = None

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> TagPredictions:
        """Tag docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (TagPredictions): Tags, confidences and lists of answers.
        """
        docs = list(docs)
        state = self._get_state()
        read = self._read(docs, state)
        words, calibration = read.words, state.calibration
        tags, confidences, lists = self._search(read, state, calibration.temperature, self.n_stored)
        confidences = calibration.apply(confidences)
        return TagPredictions(
            words.spread(tags, -1),
            words.spread(confidences, 1.0),
            self._make_answers(docs, read, lists, state),
            state,
            words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: TagPredictions) -> None:
        """Write tags and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (TagPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        token_attribute = TOKEN_ATTRIBUTES[self.attribute]
        labels = predictions.state.label_ids[predictions.tags]
        confidences = predictions.confidences.tolist()
        if not self.overwrite:
            nothing = np.zeros(0, np.uint64)
            present = np.concatenate([nothing, *(doc.to_array(token_attribute) for doc in docs)])
            labels = np.where(present == 0, labels, present)
            # There is no knowing how sure others were of the tags they gave.
            confidences = [None if p else c for p, c in zip(present, confidences, strict=True)]
        start = 0
        for doc in docs:
            end = start + len(doc)
            doc.from_array([token_attribute], labels[start:end])
            start = end
        store_confidences(docs, self.attribute, confidences, predictions.characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _read(self, docs: Sequence[Doc], state: TaggerState) -> PresetWords:
        words = split_long(docs, read_words(docs), LONGEST)
        state.labels.add_to(words.texts)
        return PresetWords(words, state.dictionary(words.orths))

    def _rows(self, read: PresetWords, look_up: LookUp) -> np.ndarray | None:
        return look_up(read.words.orths, self._compute(read.words.texts))

    def _compute(self, texts: Texts) -> Callable[[int], list[int]]:
        """What computes the attributes of a word from its hash."""
        return lambda orth: self._attributes(texts(orth))

    def _n_attributes(self) -> int:
        return len(self._attributes.names)

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray, state: Any) -> Annotation:
        names = state.tag_names
        return {self.attribute: [names[tag] for tag in words.spread(tags, -1)]}

    # --- Training ---------------------------------------------------------------------------

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Iterable[str] | None = None,
    ) -> None:
        """Collect the labels and start with empty weights.

        get_examples (Callable): Gives the training examples; read once.
        nlp (Optional[Language]): The pipeline. If it sets `pos` but no tags, its training counts
            `pos_acc` in place of `tag_acc`.
        labels (Optional[Iterable[str]]): The labels, for example from `spacy init labels`.
        """
        super().initialize(get_examples, nlp=nlp, labels=labels)
        if nlp is not None and self.attribute == "pos":
            _count_pos(nlp)

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

    def _token_gold_tags(
        self, example: Example, label_numbers: Mapping[int, int] | None = None
    ) -> np.ndarray:
        """Gold label number per predicted token; -1: missing, unaligned or unknown.

        label_numbers (Optional[Mapping]): Hash of a label -> its number; None for the present ones.
        """
        name = TOKEN_ATTRIBUTES[self.attribute]
        reference = example.reference.to_array([ORTH, name])
        if np.array_equal(reference[:, 0], example.predicted.to_array(ORTH)):
            values = reference[:, 1].tolist()
        else:
            values = example.get_aligned(self.attribute.upper())
        numbers = self._label_numbers if label_numbers is None else label_numbers
        return np.array([numbers.get(value, -1) for value in values], dtype=np.int32)

    def _gold_tags(self, example: Example, read: PresetWords, state: TaggerState) -> np.ndarray:
        return self._token_gold_tags(example, state.label_numbers)[read.words.is_word]

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        decoder, dictionary = self._training_decoder, self._make_dictionary()
        assert decoder is not None
        compute = self._compute(Texts([example.predicted]))
        for orths, gold, hiding in self._training_sentences(example):
            rows = decoder.scorer.lexemes.lookup(orths, compute)
            yield rows, gold, dictionary(orths), hiding

    def _forget_wrong(self, example: Example) -> int:
        """Take words that are corrected to another tag out of the dictionary; how many?"""
        state = self._own_state()
        read = self._read([example.predicted], state)
        if read.given is None:
            return 0
        gold = self._gold_tags(example, read, state)
        wrong = (read.given != -1) & (gold != -1) & (read.given != gold)
        words = {read.words.texts(int(orth)) for orth in read.words.orths[wrong]}
        for word in words:
            del self.cfg["dictionary"][word]
        if words:
            self._weights_changed()
        return len(words)

    # --- Derived state ----------------------------------------------------------------------

    def _make_decoder(self, lexemes: LexemeTable, weights: Any, *, cached: bool) -> Tagging:
        scorer = TaggingScorer(lexemes, weights, self._program, cached=cached)
        return Tagging(EasyFirstSearch(scorer))

    def _made_with(self) -> dict[str, Any]:
        return {**super()._made_with(), "attribute": self.attribute}

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        check_dictionary(cfg["dictionary"])

    def _make_state(self) -> TaggerState:
        # The last one is for whitespace, whose label number is -1.
        names = [*self.labels, SPACE_LABELS[self.attribute]]
        ids = np.array([self.vocab.strings.add(name) for name in names], dtype=np.uint64)
        return TaggerState(
            self._make_decoders(),
            self.calibration,
            names,
            Labels(names),
            ids,
            self._make_dictionary(),
            self._label_numbers,
        )

    def _make_dictionary(self) -> TagDictionary:
        dictionary = self._dictionary
        if dictionary is None:
            words, strings = self.cfg["dictionary"], self.vocab.strings
            self._dictionary = dictionary = TagDictionary(words, strings, self._label_numbers)
        return dictionary

    def _weights_changed(self) -> None:
        strings = self.vocab.strings
        label_numbers = {strings.add(label): i for i, label in enumerate(self.labels)}
        if label_numbers != self._label_numbers:
            self._label_numbers = label_numbers
            self._training_sentences.forget()
        self._dictionary = None
        super()._weights_changed()


def _count_pos(nlp: Language) -> None:
    """Let training count `pos_acc` if what counts is `tag_acc`, which nothing predicts: the default
    weights of a factory can't depend on settings.

    nlp (Language): The pipeline; its config may be changed.
    """
    weights = nlp.config["training"]["score_weights"]
    for name, pipe in nlp.components:
        meta = nlp.get_pipe_meta(name)
        may_tag = "tag_acc" in meta.scores or meta.factory == "attribute_ruler"
        if may_tag and getattr(pipe, "attribute", "tag") == "tag":
            return
    if weights.get("tag_acc") and not weights.get("pos_acc"):
        weights["tag_acc"], weights["pos_acc"] = None, weights["tag_acc"]
