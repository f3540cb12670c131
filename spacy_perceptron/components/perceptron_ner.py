"""The `perceptron_ner` component: entities by beam search over legal tag sequences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc, Span, Token
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.candidate import Annotation
from ..answers.confidence import store_confidences
from ..answers.explanation import Explanation, FeatureWeight
from ..answers.sentences import SentenceAnswers
from ..decode.sequences.easy_first import EasyFirstSearch
from ..decode.sequences.entities import SCHEMES, LegalEntities
from ..decode.sequences.left_to_right import LeftToRightSearch
from ..decode.sequences.program import ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..decode.sequences.tagging import Tagging
from ..errors import Errors
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import parse_templates
from ..features.token_attributes import LookUp
from ._entities.gazetteer import Gazetteer, check_lists, read_lists
from ._entities.gold import EntitySentences
from ._entities.reader import TOKEN_ATTRIBUTES, EntityReader, EntityWords
from ._entities.tags import EntityTags, gold_tags, reconcile
from ._entities.writer import bio_strings, is_given, token_entities, write_entities
from ._sequences.pipe import LONGEST, SentenceToLearn, SequencePipe, SequenceState
from ._shared.gold import PreparedSentences
from ._shared.threads import locked
from ._shared.words import NO_CHARACTERS, Labels, PresetWords, Texts, Words
from .factories.perceptron_ner import NerSettings
from .factories.perceptron_ner import make_perceptron_ner as make_perceptron_ner

DYNAMIC_ATTRIBUTE = "ent"
# A list of k answers comes out of a beam of this many times k, so that its end can be trusted.
NBEST_FACTOR = 4
# How the names of tags begin that start an entity.
STARTS = ("B-", "U-")
SEARCHES = {"left_to_right": LeftToRightSearch, "easy_first": EasyFirstSearch}


class EntityPredictions(NamedTuple):
    """What a recognizer finds in docs.

    entities (np.ndarray): `ent_iob` and `ent_type` of all tokens of all docs.
    given (np.ndarray): Whether they were there before.
    confidences (np.ndarray): Calibrated probabilities that the tags are right.
    answers (list): For each doc, the answers to keep with it, sentence by sentence.
    state (NerState): What has found them.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    entities: np.ndarray
    given: np.ndarray
    confidences: np.ndarray
    answers: list[list[SentenceAnswers]]
    state: "NerState"
    characters: np.ndarray = NO_CHARACTERS


@dataclass(frozen=True)
class NerState(SequenceState):
    """What predictions depend on.

    tags (EntityTags): The tags.
    gazetteer (Gazetteer): The lists of names.
    """

    tags: EntityTags
    gazetteer: Gazetteer


class PerceptronNer(SequencePipe):
    """Finds entities by tagging words, with a beam that holds legal tag sequences alone.

    Sets `doc.ents` and `token._.ent_confidence`, the calibrated probability that the token's tag is
    right. Entities that are there stay, and none crosses a sentence boundary. A list of k answers
    comes from a beam at least four times as wide.
    """

    _tag_attribute = DYNAMIC_ATTRIBUTE

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "perceptron_ner",
        *,
        settings: NerSettings,
        scorer: Callable | None = None,
    ):
        """Make a recognizer.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (NerSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attribute=DYNAMIC_ATTRIBUTE,
            cfg={"lists": {}},
            scorer=scorer,
        )
        self.scheme = settings.scheme
        self.search = settings.search
        self.entity_bonus = settings.entity_bonus
        self.lists = settings.lists
        parsed = parse_templates(
            settings.templates,
            roles=ROLES,
            attributes={*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES, DYNAMIC_ATTRIBUTE},
        )
        atoms = [atom for template in parsed for atom in template.atoms]
        ahead = max((a.offset for a in atoms if a.attribute == DYNAMIC_ATTRIBUTE), default=0)
        if self.search == "left_to_right" and ahead > 0:
            raise ValueError(Errors.ENTITY_LOOKAHEAD.format(offset=ahead))
        names = {atom.attribute for atom in atoms}
        self._reader = EntityReader(names - {DYNAMIC_ATTRIBUTE}, self._word_attributes)
        self._program = compile_templates(
            parsed, self._reader.columns, dynamic_attributes=(DYNAMIC_ATTRIBUTE,)
        )
        self._templates = self._program.templates
        self._tags = EntityTags([], settings.scheme)
        # The lists of names that it was made of, and the gazetteer.
        self._gazetteer: tuple[Any, Gazetteer] = (None, Gazetteer({}))
        self._training_sentences = EntitySentences(
            hide_rare=settings.hide_rare, read=self._read_example
        )

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> EntityPredictions:
        """Find entities without changing the docs.

        docs (Iterable[Doc]): The docs.
        RETURNS (EntityPredictions): Entities, confidences and lists of answers.
        """
        docs = list(docs)
        state = self._get_state()
        read = self._read(docs, state)
        words, calibration = read.words, state.calibration
        tags, confidences, lists = self._search(read, state, calibration.temperature, self.n_stored)
        confidences = calibration.apply(confidences)
        return EntityPredictions(
            token_entities(tags, words, state.tags, state.label_ids),
            is_given(words.more),
            words.spread(confidences, 1.0),
            self._make_answers(docs, read, lists, state),
            state,
            words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: EntityPredictions) -> None:
        """Write entities and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (EntityPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        characters = predictions.characters
        write_entities(docs, predictions.entities, predictions.given, self.name, characters)
        confidences = predictions.confidences.tolist()
        store_confidences(docs, DYNAMIC_ATTRIBUTE, confidences, characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _read(self, docs: Sequence[Doc], state: NerState) -> EntityWords:
        read = self._reader(docs, state.tags, state.gazetteer, self.name, longest=LONGEST)
        state.labels.add_to(read.words.texts)
        return read

    def _rows(self, read: PresetWords, look_up: LookUp) -> np.ndarray | None:
        assert isinstance(read, EntityWords)
        words = read.words
        return self._reader.attributes.rows(words.orths, read.values, words.texts, look_up)

    def _n_attributes(self) -> int:
        return self._reader.attributes.n_attributes

    @locked
    def forget_texts(self) -> None:
        """Drop what is remembered of words met so far, and free its memory."""
        self._reader.attributes.forget()
        super().forget_texts()

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray, state: Any) -> Annotation:
        entities = token_entities(tags, words, state.tags, state.label_ids)
        return {DYNAMIC_ATTRIBUTE: bio_strings(doc, entities)}

    def _list_width(self, k: int) -> int:
        return max(NBEST_FACTOR * k, self.beam_width)

    def _describe(self, attribute: str, token: Token, read: PresetWords, place: int) -> str:
        assert isinstance(read, EntityWords)
        return self._reader.describe(attribute, token, read.values[place])

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature. `entity_bonus` counts as one.
        """
        found = super()._explain(doc, i)
        chosen, runner_up = (
            self.entity_bonus if name.startswith(STARTS) else 0.0
            for name in (found.chosen, found.runner_up)
        )
        if not found.features or not (chosen or runner_up):
            return found
        features = [*found.features, FeatureWeight("entity_bonus", "", chosen, runner_up)]
        features.sort(key=lambda feature: -feature.difference)
        return replace(found, features=features)

    def _explain_span(self, doc: Doc, span: Span) -> Explanation:
        # The tag of its first word says where an entity starts.
        return self._explain(doc, span.start)

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        return sorted({ent.label_ for ent in example.reference.ents if ent.label_})

    def _prepared_sentences(self) -> PreparedSentences:
        return self._training_sentences

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self.cfg["lists"] = read_lists(self.lists)
        self._training_sentences.reset_counts()
        for example in examples:
            self._training_sentences.count(example.reference)
            yield example

    def _read_example(self, example: Example) -> tuple[EntityWords, np.ndarray]:
        docs, gazetteer = [example.predicted], self._make_gazetteer()
        read = self._reader(docs, self._tags, gazetteer, self.name, longest=LONGEST)
        return read, _reconciled_gold(example, read, self._tags)

    def _gold_tags(self, example: Example, read: PresetWords, state: NerState) -> np.ndarray:
        return _reconciled_gold(example, read, state.tags)

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        decoder = self._training_decoder
        assert decoder is not None
        texts = Texts([example.predicted])
        for sentence in self._training_sentences(example):
            rows = self._reader.attributes.rows(
                sentence.orths, sentence.values, texts, decoder.scorer.lexemes.lookup
            )
            assert rows is not None
            yield SentenceToLearn(rows, sentence.gold, sentence.given, sentence.hiding)

    # --- Derived state ----------------------------------------------------------------------

    def _class_count(self) -> int:
        return 1 + len(SCHEMES[self.scheme]) * len(self.labels)

    def _n_classes(self) -> int:
        n_labels, rest = divmod(super()._n_classes() - 1, len(SCHEMES[self.scheme]))
        return n_labels if rest == 0 else -1

    def _make_decoder(self, lexemes: LexemeTable, weights: Any, *, cached: bool) -> Tagging:
        scorer = TaggingScorer(lexemes, weights, self._program, cached=cached)
        bonus = self.entity_bonus if cached else 0.0
        legal = LegalEntities(self.scheme, scorer.n_tags, bonus=bonus)
        search = SEARCHES[self.search](scorer, legal)
        return Tagging(search, max_violation=self.update_rule == "max_violation" and not cached)

    def _made_with(self) -> dict[str, Any]:
        return {**super()._made_with(), "scheme": self.scheme, "search": self.search}

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        check_lists(cfg["lists"])

    def _make_state(self) -> NerState:
        ids = np.array([self.vocab.strings.add(label) for label in self.labels], dtype=np.uint64)
        return NerState(
            self._make_decoders(),
            self.calibration,
            self._tags.names,
            Labels(self.labels),
            ids,
            self._tags,
            self._make_gazetteer(),
        )

    def _make_gazetteer(self) -> Gazetteer:
        lists, gazetteer = self._gazetteer
        if lists is not self.cfg["lists"]:
            lists = self.cfg["lists"]
            gazetteer = Gazetteer(lists)
            self._gazetteer = (lists, gazetteer)
        return gazetteer

    def __reduce__(self) -> tuple[Callable, tuple, tuple]:
        """A copy makes its own gazetteer."""
        make, args, (*fields, attributes) = super().__reduce__()
        return make, args, (*fields, {**attributes, "_gazetteer": (None, Gazetteer({}))})

    def _weights_changed(self) -> None:
        if self._tags.label_numbers.keys() != set(self.labels):
            self._training_sentences.forget()
        self._tags = EntityTags(self.labels, self.scheme)
        super()._weights_changed()


def _reconciled_gold(example: Example, read: PresetWords, tags: EntityTags) -> np.ndarray:
    """Gold tags of the words of an example, compatible with the given ones."""
    return reconcile(gold_tags(tags, example, read.words), read.given, tags)
