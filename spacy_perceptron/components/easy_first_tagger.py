"""The `easy_first_tagger` factory: tags by easy-first beam search (Ma et al. 2013)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from spacy.attrs import ORTH, POS, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..architectures import weight_table
from ..decode.easy_first_tagging import EasyFirstTagging
from ..decode.tagging_program import DYNAMIC_ATTRIBUTES, ROLES, compile_templates
from ..decode.tagging_scorer import TaggingScorer
from ..errors import Errors
from ..explanation import Explanation
from ..features.attributes import ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.word_attributes import WordAttributes
from ..learn.perceptron import AveragedPerceptron
from ..nbest import register_extensions
from ..sentence_nbest import SentenceAnswers, cut_answers
from .base import LinearPipe
from .confidence import confidence_key, register_confidence
from .tag_correction import correct_tags
from .tag_dictionary import TagCounter, TagDictionary
from .tag_explanation import explain_tag
from .tag_training import TrainingSentences
from .words import Words, read_words

DEFAULT_CONFIG = {
    "model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": 0.0},
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.tagging.v1"],
        "extra": [],
        "without": [],
    },
    "attribute": "tag",
    "beam_width": 3,
    "update": "resume",
    "margin": 10.0,
    "adaptive": True,
    "hide_rare": 2.0,
    "nbest": 0,
    "dictionary_min_count": 0,
    "overwrite": True,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.tagger_scorer.v1"},
}

# What whitespace tokens get, as in spaCy's own English models.
SPACE_LABELS = {"tag": "_SP", "pos": "SPACE"}
TOKEN_ATTRIBUTES = {"tag": TAG, "pos": POS}
UPDATES = ("early", "resume")


@Language.factory(
    "easy_first_tagger",
    assigns=["token.tag"],
    default_config=DEFAULT_CONFIG,
    default_score_weights={"tag_acc": 0.5, "pos_acc": 0.5},
)
def make_easy_first_tagger(
    nlp: Language,
    name: str,
    model: Model,
    templates: list[str],
    attribute: str,
    beam_width: int,
    update: str,
    margin: float,
    adaptive: bool,
    hide_rare: float,
    nbest: int,
    dictionary_min_count: int,
    overwrite: bool,
    seed: int,
    scorer: Callable | None,
) -> "EasyFirstTagger":
    """Make an easy-first tagger. See `EasyFirstTagger` for the settings."""
    return EasyFirstTagger(
        nlp.vocab,
        model,
        name,
        templates=templates,
        attribute=attribute,
        beam_width=beam_width,
        update=update,
        margin=margin,
        adaptive=adaptive,
        hide_rare=hide_rare,
        nbest=nbest,
        dictionary_min_count=dictionary_min_count,
        overwrite=overwrite,
        seed=seed,
        scorer=scorer,
    )


class EasyFirstTagger(LinearPipe):
    """Tags words in the order of ease, keeping several partial taggings in a beam.

    Sets `token.tag` or `token.pos`, and `token._.tag_confidence` or `token._.pos_confidence`: the
    calibrated probability that the tag is right.
    """

    _training_state = ("_learner", "_training_decoder")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "easy_first_tagger",
        *,
        templates: list[str],
        attribute: str = "tag",
        beam_width: int = 3,
        update: str = "resume",
        margin: float = 10.0,
        adaptive: bool = True,
        hide_rare: float = 2.0,
        nbest: int = 0,
        dictionary_min_count: int = 0,
        overwrite: bool = True,
        seed: int = 0,
        scorer: Callable | None = None,
    ):
        """Make a tagger.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        templates (list[str]): Feature templates.
        attribute (str): What to predict: `tag` (fine-grained) or `pos` (coarse).
        beam_width (int): Partial taggings kept at each step, in training and prediction.
        update (str): What training does after a mistake: `early` goes on to the next sentence (the
            paper), `resume` goes on behind the mistake with the correct partial tagging (LaSO;
            Daumé & Marcu 2005).
        margin (float): By how much each correct tag must win in training. 0 is the paper's rule:
            only mistakes count.
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        hide_rare (float): Training hides which word it is, for a word with n occurrences in
            hide_rare / (hide_rare + n) of the cases, so that spelling and context learn to do
            without. 0 switches this off.
        nbest (int): Number of best taggings to keep in `doc._.nbest[name]`; 0 for none.
        dictionary_min_count (int): Words with at least this many occurrences in training and always
            the same tag get it without search; 0 switches this off.
        overwrite (bool): Overwrite tags that are already there.
        seed (int): Seed of the order of examples and of dropout.
        scorer (Optional[Callable]): The scoring method.
        """
        if attribute not in TOKEN_ATTRIBUTES:
            raise ValueError(Errors.TAGGER_ATTRIBUTE.format(value=attribute))
        if update not in UPDATES:
            raise ValueError(Errors.TAGGER_UPDATE.format(value=update))
        for setting, value in {
            "margin": margin,
            "hide_rare": hide_rare,
            "nbest": nbest,
            "dictionary_min_count": dictionary_min_count,
        }.items():
            if value < 0:
                raise ValueError(Errors.TAGGER_NEGATIVE.format(setting=setting, value=value))
        if beam_width < 1:
            raise ValueError(Errors.BEAM_WIDTH.format(value=beam_width))
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=seed,
            adaptive=adaptive,
            cfg={"attribute": attribute, "dictionary": {}},
        )
        self.attribute = attribute
        self.beam_width = beam_width
        self.update_rule = update
        self.margin = margin
        self.n_stored = nbest
        self.dictionary_min_count = dictionary_min_count
        self.overwrite = overwrite
        known = {*ATTRIBUTES, *DYNAMIC_ATTRIBUTES}
        parsed = parse_templates(templates, roles=ROLES, attributes=known)
        names = {atom.attribute for template in parsed for atom in template.atoms}
        names.difference_update(DYNAMIC_ATTRIBUTES)
        self._attributes = WordAttributes(vocab, sorted(names))
        columns = {name: column for column, name in enumerate(self._attributes.names)}
        self._program = compile_templates(parsed, columns)
        self._lexemes = LexemeTable(len(columns))
        self._decoder: EasyFirstTagging | None = None
        self._training_decoder: EasyFirstTagging | None = None
        self._training_sentences = TrainingSentences(
            TOKEN_ATTRIBUTES[attribute], hide_rare=hide_rare, gold_tags=self._gold_tags
        )
        self._label_ids = np.zeros(0, np.uint64)
        self._label_numbers: dict[int, int] = {}
        self._fixed_tags = TagDictionary({}, vocab.strings, {})
        register_extensions()
        register_confidence(attribute)

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

    def _get_decoder(self) -> EasyFirstTagging:
        self.sync()
        self._require_labels()
        assert self._decoder is not None
        return self._decoder

    def forget_texts(self) -> None:
        """Drop what is remembered of words and contexts met so far, and free its memory."""
        self._lexemes.clear()
        if self._decoder is not None:
            self._weights_changed()

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

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        self._use_vocab(example.predicted.vocab)
        n_updates = 0
        for orths, gold, hiding in self._training_sentences(example):
            learner.next_example()
            decoder.scorer.set_dropout(drop, self._random.getrandbits(64), hiding=hiding)
            n_updates += decoder.learn(
                self._lexemes.lookup(orths, self._attributes),
                gold,
                self.beam_width,
                learner.time,
                resume=self.update_rule == "resume",
                margin=self.margin,
                fixed=self._fixed_tags(orths),
            )
        return float(n_updates)

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
        self._decoder = self._make_decoder(weight_table(self.model), cached=True)
        self._add_label_strings()

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        self._training_decoder = self._make_decoder(learner.weights, cached=False)
