"""The `easy_first_tagger` factory: tags by easy-first beam search (Ma et al. 2013)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from spacy.attrs import ORTH, POS, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.confidence import confidence_key
from ..answers.explanation import Explanation
from ..answers.sentences import SentenceAnswers, cut_answers
from ..decode.sequences.easy_first import EasyFirstTagging
from ..decode.sequences.program import DYNAMIC_ATTRIBUTES, ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..features.attributes import ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.word_attributes import WordAttributes
from ._sequences.correction import correct_tags
from ._sequences.dictionary import TagCounter, TagDictionary
from ._sequences.explanation import explain_tag
from ._sequences.gold import TrainingSentences
from ._sequences.pipe import SentenceToLearn, SequencePipe
from ._sequences.settings import SequenceSettings
from .settings import default_config, setting, takes_settings, templates_setting
from .words import Words, read_words

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
        self._lexemes = LexemeTable(len(columns))
        self._training_sentences = TrainingSentences(
            TOKEN_ATTRIBUTES[settings.attribute],
            hide_rare=settings.hide_rare,
            gold_tags=self._gold_tags,
        )
        self._label_numbers: dict[int, int] = {}
        self._fixed_tags = TagDictionary({}, vocab.strings, {})

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> tuple[np.ndarray, np.ndarray]:
        """Tag docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (tuple): Label numbers (-1 at whitespace) and calibrated confidences, for all tokens
            of all docs, one after the other.
        """
        words = self._read_words(list(docs))
        calibration = self.calibration
        tags, confidences = self._tag(words, calibration.temperature)
        confidences = calibration.apply(confidences)
        return words.spread(tags, -1), words.spread(confidences, 1.0)

    def set_annotations(
        self, docs: Iterable[Doc], predictions: tuple[np.ndarray, np.ndarray]
    ) -> None:
        """Write tags and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (tuple): What `predict` returned for them.
        """
        token_attribute = TOKEN_ATTRIBUTES[self.attribute]
        key = confidence_key(self.attribute)
        labels = self._label_ids[predictions[0]]
        confidences = predictions[1].tolist()
        start = 0
        for doc in docs:
            end = start + len(doc)
            values, sure = labels[start:end], confidences[start:end]
            if not self.overwrite:
                present = doc.to_array(token_attribute)
                values = np.where(present == 0, values, present)
                # There is no knowing how sure others were of the tags they gave.
                sure = [None if given else c for given, c in zip(present, sure, strict=True)]
            doc.from_array([token_attribute], values)
            doc.user_data[key] = sure
            if self.n_stored:
                self._store_answers(doc, self.sentence_nbest(doc, self.n_stored))
            start = end

    def _read_words(self, docs: Sequence[Doc]) -> Words:
        if docs:
            self._use_vocab(docs[0].vocab)
        return read_words(docs)

    def _use_vocab(self, vocab: Vocab) -> None:
        """Look texts up in the vocab of the docs: a sourced pipe keeps its old one."""
        if vocab is not self._attributes.vocab:
            self._attributes = WordAttributes(vocab, self._attributes.names)
            self._add_label_strings()

    def _add_label_strings(self) -> None:
        for name in (*self.labels, SPACE_LABELS[self.attribute]):
            self._attributes.vocab.strings.add(name)

    def _tag(self, words: Words, temperature: float) -> tuple[np.ndarray, np.ndarray]:
        decoder = self._get_decoder()
        rows = self._lexemes.lookup(words.orths, self._attributes)
        return decoder.tag(
            rows,
            words.starts,
            self.beam_width,
            temperature=temperature,
            fixed=self._fixed_tags(words.orths),
        )

    def _forget_lexemes(self) -> None:
        self._lexemes.clear()

    # --- Answers beyond the best one --------------------------------------------------------

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The best taggings of the last beam, which is as wide as k at least.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[SentenceAnswers]): At most k of each sentence, best first.
        """
        decoder = self._get_decoder()
        words = self._read_words([doc])
        width = max(k, self.beam_width)
        found = [decoder.nbest(rows, width, fixed=fixed) for rows, fixed in self._sentences(words)]
        annotations = []
        for i in range(max((len(scores) for _, scores in found), default=1)):
            tags = [taggings[min(i, len(taggings) - 1)] for taggings, _ in found]
            labels = self._to_strings(words.spread(np.concatenate([*tags, []]).astype(int), -1))
            annotations.append({self.attribute: labels})
        # A doc without words has one answer: what whitespace gets.
        scores = [scores.tolist() for _, scores in found] or [[0.0]]
        return cut_answers(words.sentence_bounds(), scores, annotations, k=k)

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return explain_tag(self, doc, i)

    def _sentences(self, words: Words) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
        """Lexeme rows and dictionary tags, sentence by sentence."""
        rows = self._lexemes.lookup(words.orths, self._attributes)
        fixed = self._fixed_tags(words.orths)
        for start, end in zip(words.starts[:-1], words.starts[1:], strict=True):
            yield rows[start:end], None if fixed is None else fixed[start:end]

    def _to_strings(self, tags: np.ndarray) -> list[str]:
        names = [*self.labels, SPACE_LABELS[self.attribute]]
        return [names[tag] for tag in tags]

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold tags.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen tag, and whether it is right, per token with a
            gold tag.
        """
        words = self._read_words([example.predicted for example in examples])
        tags, confidences = self._tag(words, temperature)
        gold = np.concatenate([np.zeros(0, np.int32), *map(self._gold_tags, examples)])
        gold = gold[words.is_word]
        known = gold != -1
        return confidences[known], tags[known] == gold[known]

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

    def _gold_tags(self, example: Example) -> np.ndarray:
        """Gold label number per predicted token; -1: missing, unaligned or unknown."""
        name = TOKEN_ATTRIBUTES[self.attribute]
        reference = example.reference.to_array([ORTH, name])
        if np.array_equal(reference[:, 0], example.predicted.to_array(ORTH)):
            values = reference[:, 1].tolist()
        else:
            values = example.get_aligned(self.attribute.upper())
        return np.array([self._label_numbers.get(value, -1) for value in values], dtype=np.int32)

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        self._use_vocab(example.predicted.vocab)
        for orths, gold, hiding in self._training_sentences(example):
            rows = self._lexemes.lookup(orths, self._attributes)
            yield rows, gold, self._fixed_tags(orths), hiding

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: passive-aggressive steps on the weights that
        predict.

        Each step is the smallest change that lets the correct tags win by the margin at the first
        mistake. Tokens without a gold tag stay free. The training state, if any, starts again from
        the result.

        example (Example): The prediction's text with the tags it should have.
        margin (float): By how much the correct tagging should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        return correct_tags(self, example, margin=margin)

    # --- Derived state ----------------------------------------------------------------------

    def _make_decoder(self, weights: Any, *, cached: bool) -> EasyFirstTagging:
        return EasyFirstTagging(TaggingScorer(self._lexemes, weights, self._program, cached=cached))

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
