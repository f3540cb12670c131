"""The `perceptron_ner` factory: entities by beam search over legal tag sequences."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..architectures import weight_table
from ..decode.entity_tagging import SCHEMES, EntityTagging
from ..decode.left_to_right import LeftToRight
from ..decode.tagging_program import ROLES, compile_templates
from ..decode.tagging_scorer import TaggingScorer
from ..errors import Errors
from ..explanation import Explanation
from ..features.attributes import ATTRIBUTES
from ..features.templates import parse_templates
from ..learn.perceptron import AveragedPerceptron
from ..nbest import register_extensions
from ..sentence_nbest import SentenceAnswers, cut_answers
from .base import LinearPipe
from .confidence import confidence_key, register_confidence
from .entity_explanation import explain_entity_tag
from .entity_tags import EntityTags, gold_tags, reconcile
from .entity_training import EntitySentences
from .entity_words import TOKEN_ATTRIBUTES, EntityReader, EntityWords
from .entity_writing import bio_strings, is_given, token_entities, write_entities
from .gazetteer import Gazetteer, read_lists
from .tag_correction import correct_sentences

DEFAULT_CONFIG = {
    "model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": 0.0},
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.entities.v1"],
        "extra": [],
        "without": [],
    },
    "scheme": "bio",
    "search": "left_to_right",
    "beam_width": 4,
    "update": "resume",
    "margin": 10.0,
    "adaptive": True,
    "hide_rare": 2.0,
    "lists": {},
    "nbest": 0,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.ner_scorer.v1"},
}

DYNAMIC_ATTRIBUTE = "ent"
SEARCHES = ("left_to_right", "easy_first")
UPDATES = ("early", "resume", "max_violation")
# A list of k answers comes out of a beam of this many times k, so that its end can be trusted.
NBEST_FACTOR = 4


@Language.factory(
    "perceptron_ner",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config=DEFAULT_CONFIG,
    default_score_weights={
        "ents_f": 1.0,
        "ents_p": 0.0,
        "ents_r": 0.0,
        "ents_per_type": None,
        "ents_boundary_f": 0.0,
    },
)
def make_perceptron_ner(
    nlp: Language,
    name: str,
    model: Model,
    templates: list[str],
    scheme: str,
    search: str,
    beam_width: int,
    update: str,
    margin: float,
    adaptive: bool,
    hide_rare: float,
    lists: str | Path | list[str] | dict[str, Any],
    nbest: int,
    seed: int,
    scorer: Callable | None,
) -> "PerceptronNer":
    """Make an entity recognizer. See `PerceptronNer` for the settings."""
    return PerceptronNer(
        nlp.vocab,
        model,
        name,
        templates=templates,
        scheme=scheme,
        search=search,
        beam_width=beam_width,
        update=update,
        margin=margin,
        adaptive=adaptive,
        hide_rare=hide_rare,
        lists=lists,
        nbest=nbest,
        seed=seed,
        scorer=scorer,
    )


class PerceptronNer(LinearPipe):
    """Finds entities by tagging words, with a beam that holds legal tag sequences alone.

    Sets `doc.ents` and `token._.ent_confidence`, the calibrated probability that the token's tag is
    right. Entities that are there stay, and none crosses a sentence boundary.
    """

    _training_state = ("_learner", "_training_decoder")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "perceptron_ner",
        *,
        templates: list[str],
        scheme: str = "bio",
        search: str = "left_to_right",
        beam_width: int = 4,
        update: str = "resume",
        margin: float = 10.0,
        adaptive: bool = True,
        hide_rare: float = 2.0,
        lists: str | Path | Sequence[str] | dict[str, Any] | None = None,
        nbest: int = 0,
        seed: int = 0,
        scorer: Callable | None = None,
    ):
        """Make a recognizer.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        templates (list[str]): Feature templates.
        scheme (str): Tags of an entity's words: `bio`, or `biluo`, which knows last words and
            entities of one word.
        search (str): `left_to_right`, or `easy_first`, which decides the easiest word next.
        beam_width (int): Partial taggings kept at each step, in training and prediction.
        update (str): What training does after a mistake: `early` goes on to the next sentence,
            `resume` goes on behind the mistake with the correct tags (LaSO; Daumé & Marcu 2005),
            `max_violation` searches to the end and updates where the mistake weighs most (Huang,
            Fayong, Guo 2012; left to right only).
        margin (float): By how much each correct tag must win in training.
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        hide_rare (float): Training hides which word it is, for a word with n occurrences in
            hide_rare / (hide_rare + n) of the cases. 0 switches this off.
        lists (ListSource): Lists of names to look up, read by `initialize` and saved with the
            component: a path, several paths, or names or a path by label. Templates see the
            matches as the attribute `listed`.
        nbest (int): Number of best answers to keep in `doc._.nbest[name]`; 0 for none.
        seed (int): Seed of the order of examples and of dropout.
        scorer (Optional[Callable]): The scoring method.
        """
        _check_settings(scheme, search, update, beam_width)
        for setting, value in {"margin": margin, "hide_rare": hide_rare, "nbest": nbest}.items():
            if value < 0:
                raise ValueError(Errors.TAGGER_NEGATIVE.format(setting=setting, value=value))
        super().__init__(
            vocab, model, name, scorer=scorer, seed=seed, adaptive=adaptive, cfg={"lists": {}}
        )
        self.scheme = scheme
        self.search = search
        self.beam_width = beam_width
        self.update_rule = update
        self.margin = margin
        self.lists = lists
        self.n_stored = nbest
        parsed = parse_templates(
            templates, roles=ROLES, attributes={*ATTRIBUTES, *TOKEN_ATTRIBUTES, DYNAMIC_ATTRIBUTE}
        )
        atoms = [atom for template in parsed for atom in template.atoms]
        ahead = max((a.offset for a in atoms if a.attribute == DYNAMIC_ATTRIBUTE), default=0)
        if search == "left_to_right" and ahead > 0:
            raise ValueError(Errors.ENTITY_LOOKAHEAD.format(offset=ahead))
        names = {atom.attribute for atom in atoms}
        own_key = f"spacy_perceptron.ents.{name}"
        self._reader = EntityReader(vocab, names - {DYNAMIC_ATTRIBUTE}, own_key)
        self._program = compile_templates(
            parsed, self._reader.columns, dynamic_attributes=(DYNAMIC_ATTRIBUTE,)
        )
        self._tags = EntityTags([], scheme)
        self._label_ids = np.zeros(0, np.uint64)
        self._decoder: EntityTagging | None = None
        self._training_decoder: EntityTagging | None = None
        self._training_sentences = EntitySentences(hide_rare=hide_rare, read=self._read_example)
        register_extensions()
        register_confidence(DYNAMIC_ATTRIBUTE)

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Find entities without changing the docs.

        docs (Iterable[Doc]): The docs.
        RETURNS (tuple): `ent_iob` and `ent_type`, whether they were given, and calibrated
            confidences, for all tokens of all docs, one after the other.
        """
        read = self._read(list(docs))
        tags, confidences = self._tag(read, self.calibration.temperature)
        confidences = self.calibration.apply(confidences)
        entities = token_entities(tags, read.words, self._tags, self._label_ids)
        return entities, is_given(read.words.more), read.words.spread(confidences, 1.0)

    def set_annotations(
        self, docs: Iterable[Doc], predictions: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> None:
        """Write entities and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (tuple): What `predict` returned for them.
        """
        docs = list(docs)
        entities, given, confidences = predictions
        write_entities(docs, entities, given, self._reader.own_key)
        key, values = confidence_key(DYNAMIC_ATTRIBUTE), confidences.tolist()
        start = 0
        for doc in docs:
            doc.user_data[key] = values[start : start + len(doc)]
            start += len(doc)
            if self.n_stored:
                self._store_answers(doc, self.sentence_nbest(doc, self.n_stored))

    def _read(self, docs: Sequence[Doc]) -> EntityWords:
        if docs and docs[0].vocab is not self._reader.attributes.vocab:
            # A sourced pipe keeps its old vocab.
            self._reader.attributes.use_vocab(docs[0].vocab)
            self._add_label_strings()
        return self._reader(docs, self._tags)

    def _add_label_strings(self) -> None:
        for name in self.labels:
            self._reader.attributes.vocab.strings.add(name)

    def _tag(self, read: EntityWords, temperature: float) -> tuple[np.ndarray, np.ndarray]:
        decoder = self._get_decoder()
        rows = self._reader.rows(read.words.orths, read.values)
        return decoder.tag(
            rows, read.words.starts, self.beam_width, temperature=temperature, fixed=read.given
        )

    def _get_decoder(self) -> EntityTagging:
        self.sync()
        self._require_labels()
        assert self._decoder is not None
        return self._decoder

    def forget_texts(self) -> None:
        """Drop what is remembered of words and contexts met so far, and free its memory."""
        self._reader.attributes.forget()
        if self._decoder is not None:
            self._weights_changed()

    # --- Answers beyond the best one --------------------------------------------------------

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The best answers of the last beam, which is four times as wide as k at least.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[SentenceAnswers]): At most k of each sentence, best first; the annotation
            `ent` has a BIO tag per token.
        """
        decoder = self._get_decoder()
        read = self._read([doc])
        width = max(NBEST_FACTOR * k, self.beam_width)
        found = [decoder.nbest(rows, width, fixed=given) for rows, given in self._rows(read)]
        annotations = []
        for i in range(max((min(k, len(scores)) for _, scores in found), default=1)):
            parts = [taggings[min(i, len(taggings) - 1)] for taggings, _ in found]
            tags = np.concatenate([np.zeros(0, np.int32), *parts])
            entities = token_entities(tags, read.words, self._tags, self._label_ids)
            annotations.append({DYNAMIC_ATTRIBUTE: bio_strings(doc, entities)})
        # A doc without words has one answer: no entities.
        scores = [scores.tolist() for _, scores in found] or [[0.0]]
        return cut_answers(read.words.sentence_bounds(), scores, annotations, k=k)

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return explain_entity_tag(self, doc, i)

    def _rows(self, read: EntityWords) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
        """Lexeme rows and given tags, sentence by sentence."""
        rows = self._reader.rows(read.words.orths, read.values)
        for at, given in read.sentences():
            yield rows[at], given

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold entities.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen tag, and whether it is right, per token with a
            gold tag.
        """
        found, right = [np.zeros(0, np.float32)], [np.zeros(0, bool)]
        for example in examples:
            read, gold = self._read_example(example)
            tags, confidences = self._tag(read, temperature)
            known = gold >= 0
            found.append(confidences[known])
            right.append(tags[known] == gold[known])
        return np.concatenate(found), np.concatenate(right)

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        return sorted({ent.label_ for ent in example.reference.ents if ent.label_})

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self.cfg["lists"] = read_lists(self.lists)
        self._training_sentences.reset_counts()
        for example in examples:
            self._training_sentences.count(example.reference)
            yield example

    def _read_example(self, example: Example) -> tuple[EntityWords, np.ndarray]:
        read = self._read([example.predicted])
        gold = gold_tags(self._tags, example, read.words)
        return read, reconcile(gold, read.given, self._tags)

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        n_updates = 0
        for sentence in self._training_sentences(example):
            learner.next_example()
            decoder.scorer.set_dropout(drop, self._random.getrandbits(64), hiding=sentence.hiding)
            n_updates += decoder.learn(
                self._reader.rows(sentence.orths, sentence.values),
                sentence.gold,
                self.beam_width,
                learner.time,
                resume=self.update_rule == "resume",
                margin=self.margin,
                fixed=sentence.given,
            )
        return float(n_updates)

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected text at once: passive-aggressive steps on the weights that predict.

        Tokens without gold stay free. The training state, if any, starts again from the result.

        example (Example): The prediction's text with the entities it should have.
        margin (float): By how much the correct answer should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        self.sync()
        self._require_labels()
        unknown = sorted(set(self._labels_of(example)) - set(self.labels))
        if unknown:
            raise ValueError(Errors.CORRECT_LABEL.format(name=self.name, label=unknown[0]))
        read, gold = self._read_example(example)
        sentences = [
            (rows, given, gold[at])
            for (rows, given), (at, _) in zip(self._rows(read), read.sentences(), strict=True)
        ]
        return correct_sentences(self, sentences, margin=margin)

    # --- Derived state ----------------------------------------------------------------------

    def _class_count(self) -> int:
        return 1 + len(SCHEMES[self.scheme]) * len(self.labels)

    def _n_classes(self) -> int:
        n_labels, rest = divmod(super()._n_classes() - 1, len(SCHEMES[self.scheme]))
        return n_labels if rest == 0 else -1

    def _make_decoder(self, weights: Any, *, cached: bool) -> EntityTagging:
        lexemes = self._reader.attributes.lexemes
        scorer = TaggingScorer(lexemes, weights, self._program, cached=cached)
        if self.search == "easy_first":
            return EntityTagging(scorer, self.scheme)
        return LeftToRight(
            scorer, self.scheme, max_violation=self.update_rule == "max_violation" and not cached
        )

    def _weights_changed(self) -> None:
        if self._tags.label_numbers.keys() != set(self.labels):
            self._training_sentences.forget()
        self._tags = EntityTags(self.labels, self.scheme)
        strings = self.vocab.strings
        self._label_ids = np.array([strings.add(label) for label in self.labels], dtype=np.uint64)
        self._reader.gazetteer = Gazetteer(self.cfg["lists"])
        self._decoder = self._make_decoder(weight_table(self.model), cached=True)
        self._add_label_strings()

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        self._training_decoder = self._make_decoder(learner.weights, cached=False)


def _check_settings(scheme: str, search: str, update: str, beam_width: int) -> None:
    if scheme not in SCHEMES:
        raise ValueError(Errors.ENTITY_SCHEME.format(value=scheme))
    if search not in SEARCHES:
        raise ValueError(Errors.ENTITY_SEARCH.format(value=search))
    if update not in UPDATES:
        raise ValueError(Errors.ENTITY_UPDATE.format(value=update))
    if update == "max_violation" and search == "easy_first":
        raise ValueError(Errors.ENTITY_EASY_UPDATE)
    if beam_width < 1:
        raise ValueError(Errors.BEAM_WIDTH.format(value=beam_width))
