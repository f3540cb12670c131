"""The `easy_first_tagger` component: tags by easy-first beam search (Ma et al. 2013)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Ints2d

from ..answers.candidate import Annotation
from ..answers.confidence import register_confidence, store_confidences
from ..answers.explanation import ROWS, Explanation
from ..answers.sentences import SentenceAnswers
from ..decode.sequences.easy_first import EasyFirstSearch
from ..decode.sequences.program import DYNAMIC_ATTRIBUTES, ROLES, compile_templates
from ..decode.sequences.scorer import TaggingScorer
from ..decode.sequences.tagging import Tagging
from ..errors import Errors
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import fingerprint, parse_templates
from ..features.token_attributes import LookUp
from ..learn.perceptron import AveragedPerceptron, SavedWeights
from ..learn.refined import RefinedPerceptron
from ..learn.weights import WeightTable
from ..models.linear import (
    add_refinement,
    check_linear,
    refinement,
    saved_weights,
    set_weights,
    weight_table,
)
from ._sequences.dictionary import TagDictionary, check_dictionary, unambiguous_words
from ._sequences.gold import TrainingSentences
from ._sequences.pipe import (
    LONGEST,
    Ranked,
    Sentences,
    SentenceToLearn,
    SequencePipe,
    SequenceState,
)
from ._sequences.refinement import (
    correct_labels,
    explain_label,
    make_refining,
    refine_lists,
)
from ._sequences.settled import SettledWords, check_settled, find_settled
from ._sequences.tag_labels import (
    TOKEN_ATTRIBUTES,
    LabelCounter,
    TagLabels,
    check_label,
    check_searched,
    gold_ids,
    searched_attributes,
)
from ._shared.decoders import Decoders
from ._shared.gold import PreparedSentences
from ._shared.lists import check_place, find_place, words_of
from ._shared.splitting import split_long
from ._shared.words import NO_CHARACTERS, Labels, PresetWords, Texts, Words, read_words
from .factories.easy_first_tagger import TaggerSettings
from .factories.easy_first_tagger import make_easy_first_tagger as make_easy_first_tagger


class TagPredictions(NamedTuple):
    """What a tagger finds in docs.

    tags (np.ndarray): Label numbers of all tokens of all docs, -1 at whitespace.
    confidences (np.ndarray): Calibrated probabilities that what tokens get is right; with several
        attributes, a row for each token.
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
    tagging (TagLabels): What labels say.
    settled (SettledWords): The words that need no second step.
    tag_groups, label_groups (np.ndarray): Which tags and which labels say the same about the
        attributes of the two steps.
    """

    dictionary: TagDictionary
    tagging: TagLabels
    settled: SettledWords
    tag_groups: np.ndarray
    label_groups: np.ndarray


class EasyFirstTagger(SequencePipe):
    """Tags words in the order of ease, keeping several partial taggings in a beam.

    Sets `token.tag`, `token.pos` or `token.morph`, or several of them, and for each of them
    `token._.tag_confidence`, `token._.pos_confidence` or `token._.morph_confidence`: the calibrated
    probability that it is right.
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
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`). With several attributes,
            it gets a second one as a layer.
        name (str): The component instance name.
        settings (TaggerSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        attributes = settings.predicted
        several = {"attributes": [*attributes], "searched": [*attributes], "settled": {}}
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attribute=attributes[0],
            cfg={
                **(several if len(attributes) > 1 else {"attribute": attributes[0]}),
                "dictionary": {},
            },
            scorer=scorer,
        )
        self.attributes = attributes
        self.attribute = attributes[0]
        for attribute in attributes:
            register_confidence(attribute)
        if len(attributes) > 1:
            add_refinement(model)
        self.dictionary_min_count = settings.dictionary_min_count
        self.overwrite = settings.overwrite
        self._compile(settings)
        self._training_sentences = TrainingSentences(
            [TOKEN_ATTRIBUTES[attribute] for attribute in attributes],
            hide_rare=settings.hide_rare,
            gold=self._token_gold,
        )
        self._counter = LabelCounter(attributes)
        self._tagging = TagLabels([], attributes, attributes, vocab.strings)
        # Made of the words in `cfg` when it is needed.
        self._dictionary: TagDictionary | None = None

    def _compile(self, settings: TaggerSettings) -> None:
        """Compile the templates of both steps, whose words have the same attributes."""
        known = {*WORD_ATTRIBUTES, *DYNAMIC_ATTRIBUTES}
        lists = [settings.templates]
        if len(self.attributes) > 1:
            lists.append(settings.refinement_templates)
        parsed = [parse_templates(texts, roles=ROLES, attributes=known) for texts in lists]
        atoms = [atom for templates in parsed for template in templates for atom in template.atoms]
        names = {atom.attribute for atom in atoms} - {*DYNAMIC_ATTRIBUTES}
        self._attributes = self._word_attributes(sorted(names))
        columns = {name: column for column, name in enumerate(self._attributes.names)}
        programs = [compile_templates(templates, columns) for templates in parsed]
        self._program, self._refinement_program = programs[0], programs[-1]
        self._templates = self._program.templates

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
        columns = [TOKEN_ATTRIBUTES[name] for name in self.attributes]
        values = predictions.state.label_ids[:, predictions.tags]
        confidences = predictions.confidences.reshape(values.T.shape).T.tolist()
        if not self.overwrite:
            # A single column comes as a vector.
            found = [doc.to_array([*columns]).reshape(len(doc), len(columns)) for doc in docs]
            present = np.concatenate([np.zeros((0, len(columns)), np.uint64), *found]).T
            values = np.where(present == 0, values, present)
            # There is no knowing how sure others were of the tags they gave.
            confidences = [
                [None if p else c for p, c in zip(*pair, strict=True)]
                for pair in zip(present, confidences, strict=True)
            ]
        start = 0
        for doc in docs:
            end = start + len(doc)
            rows = np.ascontiguousarray(values[:, start:end].T)
            doc.from_array([*columns], cast(Ints2d, rows))
            start = end
        for name, own in zip(self.attributes, confidences, strict=True):
            store_confidences(docs, name, own, predictions.characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _read(self, docs: Sequence[Doc], state: TaggerState) -> PresetWords:
        words = split_long(docs, read_words(docs), LONGEST)
        state.labels.add_to(words.texts)
        return PresetWords(words, state.dictionary(words.orths))

    def _rows(self, read: PresetWords, look_up: LookUp) -> np.ndarray | None:
        return look_up(read.words.orths, self._compute(read.words.texts))

    def _describe(self, attribute: str, token: Token, read: PresetWords, place: int) -> str:
        return self._attributes.describe(attribute, token.text)

    def _compute(self, texts: Texts) -> Callable[[int], list[int]]:
        """What computes the attributes of a word from its hash."""
        return lambda orth: self._attributes(texts(orth))

    def _n_attributes(self) -> int:
        return len(self._attributes.names)

    def _tag(
        self,
        decoder: Tagging,
        sentences: Sentences,
        state: TaggerState,
        temperature: float,
        nbest_width: int,
    ) -> tuple[np.ndarray, np.ndarray, list[Ranked]]:
        """Labels, a confidence for each of their values, and the best labellings of sentences."""
        if len(self.attributes) == 1:
            return super()._tag(decoder, sentences, state, temperature, nbest_width)
        rows, starts, given, orths = sentences
        tags, shares, lists = decoder.tag(
            rows,
            starts,
            self.beam_width,
            temperature=temperature,
            fixed=given,
            nbest_width=nbest_width,
            groups=state.tag_groups,
        )
        refining, tagging = decoder.refining, state.tagging
        if refining is None:
            return tags, shares[:, :-1], lists
        labels, within = refining.refine(
            rows,
            starts,
            tags,
            fixed=state.settled(orths, tags),
            groups=state.label_groups,
            temperature=temperature,
        )
        # The last share is that of the tag, among whose labels the second step has chosen.
        confidences = {
            **dict(zip(tagging.searched, shares.T, strict=False)),
            **dict(zip(tagging.refined, (within * shares[:, -1:]).T, strict=True)),
        }
        if nbest_width:
            lists = refine_lists(refining, rows, starts, orths, lists, state.settled, nbest_width)
        return labels, np.stack([confidences[name] for name in self.attributes], axis=1), lists

    def _list_taggings(
        self, decoder: Tagging, sentence: Sentences, state: TaggerState, width: int
    ) -> Ranked:
        found = super()._list_taggings(decoder, sentence, state, width)
        if decoder.refining is None:
            return found
        rows, starts, _, orths = sentence
        lists = refine_lists(decoder.refining, rows, starts, orths, [found], state.settled, width)
        return lists[0]

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray, state: TaggerState) -> Annotation:
        numbers = words.spread(tags, -1)
        values = state.tagging.values
        return {name: [values[name][number] for number in numbers] for name in self.attributes}

    def explain(
        self,
        doc: Doc,
        i: int | Token | Span,
        *,
        rows: int | None = ROWS,
        attribute: str | None = None,
    ) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (Union[int, Token, Span]): A token of the doc, or its index; negative ones count from the
            end.
        rows (Optional[int]): How many features `print` shows one by one; None for all.
        attribute (Optional[str]): What to explain if there are several attributes. All that the
            search finds is one decision, and explained by default.
        RETURNS (Explanation): The decision, feature by feature, in the context of tags in which it
            was taken.
        """
        if attribute is not None and attribute not in self.attributes:
            known = ", ".join(self.attributes)
            raise ValueError(Errors.TAGGER_ATTRIBUTES.format(known=known, value=attribute))
        state = self._get_state()
        if attribute is None or attribute not in state.tagging.refined:
            return super().explain(doc, i, rows=rows)
        if isinstance(i, Span):
            span = words_of(doc, i)
            if len(span) > 1:
                raise ValueError(Errors.EXPLAIN_SPAN.format(name=self.name, span=span.text))
            i = span.start
        found = self._explain_refined(doc, find_place(doc, i), attribute, state)
        return replace(found, rows=rows)

    def _explain_refined(self, doc: Doc, i: int, attribute: str, state: TaggerState) -> Explanation:
        """Why the second step chose its value of an attribute.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token, not checked.
        attribute (str): The attribute.
        state (TaggerState): What predicts.
        RETURNS (Explanation): The decision, feature by feature.
        """
        read = self._read([doc], state)
        i = check_place(doc, i, read.words)
        index = int(read.words.places()[i])
        at, given = next(found for found in read.sentences() if found[0].stop > index)
        names, tags_of = state.tagging.values[attribute], state.tag_names
        describe = self._describing(
            doc,
            read,
            index,
            at,
            lambda offset, code: names[code - 1] if offset < 0 else tags_of[code - 1],
        )
        settled = state.settled
        found, rows = self._look_up(read, state)
        with found.decoders.borrow() as decoder:
            bounds = np.array([0, at.stop - at.start], dtype=np.int32)
            tags, _, _ = decoder.tag(rows[at], bounds, self.beam_width, fixed=given)
            return explain_label(
                decoder.refining,
                self._refinement_program,
                rows[at],
                tags,
                settled(read.words.orths[at], tags),
                index - at.start,
                doc[i].text,
                names,
                describe,
            )

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
        nlp (Optional[Language]): The pipeline. If nothing in it sets tags, its training counts
            `pos_acc` or `morph_acc` in place of `tag_acc`.
        labels (Optional[Iterable[str]]): The labels, for example from `spacy init labels`.
        """
        super().initialize(get_examples, nlp=nlp, labels=labels)
        if nlp is not None and "tag" not in self.attributes:
            _count(nlp, f"{self.attribute}_acc")

    def _labels_of(self, example: Example) -> Iterable[str]:
        counter = LabelCounter(self.attributes)
        counter.add(example.reference)
        return counter.labels()

    def _check_label(self, label: str) -> None:
        super()._check_label(label)
        check_label(label, self.attributes, self.name)

    def _prepared_sentences(self) -> PreparedSentences:
        return self._training_sentences

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._counter = LabelCounter(self.attributes)
        self._training_sentences.reset_counts()
        for example in examples:
            self._training_sentences.count(example.reference)
            self._counter.add(example.reference)
            yield example

    def _empty_weights(self) -> None:
        """Decide what to search over and which words need no search, and start over."""
        counts = self._counter.counts
        if len(self.attributes) > 1:
            self.cfg["searched"] = searched_attributes(self.labels, self.attributes)
        tagging = self._find_tagging()
        if len(self.attributes) > 1:
            self.cfg["settled"] = find_settled(counts, tagging.names, tagging.tag_of)
        tags = {
            name: tagging.tags[tag] for name, tag in zip(tagging.names, tagging.tag_of, strict=True)
        }
        n = self.dictionary_min_count
        self.cfg["dictionary"] = unambiguous_words(counts, tags, n) if n else {}
        self._counter = LabelCounter(self.attributes)
        super()._empty_weights()
        if len(self.attributes) > 1:
            self._set_label_weights(AveragedPerceptron(tagging.n_parts).average())

    def _token_gold(self, example: Example) -> np.ndarray:
        return self._tagging.gold(example)

    def _judge(
        self,
        example: Example,
        read: PresetWords,
        tags: np.ndarray,
        confidences: np.ndarray,
        state: TaggerState,
    ) -> tuple[np.ndarray, np.ndarray]:
        gold = gold_ids(example, self.attributes)[read.words.is_word]
        claimed = confidences.reshape(len(tags), len(self.attributes))
        ids = state.label_ids[:, :-1]
        known = [np.isin(column, own) for column, own in zip(gold.T, ids, strict=True)]
        right = [column == own[tags] for column, own in zip(gold.T, ids, strict=True)]
        return (
            np.concatenate([claimed[flags, k] for k, flags in enumerate(known)]),
            np.concatenate([right[k][flags] for k, flags in enumerate(known)]),
        )

    def _gold_tags(self, example: Example, read: PresetWords, state: TaggerState) -> np.ndarray:
        gold = state.tagging.gold(example)[read.words.is_word]
        return np.ascontiguousarray(gold[:, 0])

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        decoder, dictionary = self._training_decoder, self._make_dictionary()
        assert decoder is not None
        compute = self._compute(Texts([example.predicted]))
        for orths, gold, hiding in self._training_sentences(example):
            rows = decoder.scorer.lexemes.lookup(orths, compute)
            tags, labels = map(np.ascontiguousarray, gold.T)
            yield SentenceToLearn(rows, tags, dictionary(orths), hiding, labels)

    def _forget_wrong(self, example: Example) -> int:
        """Take words that are corrected to something else out of the dictionary and out of those
        that need no second step; how many?"""
        state = self._own_state()
        read = self._read([example.predicted], state)
        orths, texts = read.words.orths, read.words.texts
        gold = state.tagging.gold(example)[read.words.is_word]
        n_words = 0
        if read.given is not None:
            wrong = state.tagging.are_wrong(read.given, gold[:, 0])
            words = {texts(int(orth)) for orth in orths[wrong]}
            for word in words:
                del self.cfg["dictionary"][word]
            n_words += len(words)
        known = gold[:, 1] >= 0
        tags = state.tagging.tag_of[gold[known, 1]]
        labels = state.settled(orths[known], tags)
        if labels is not None:
            wrong = (labels >= 0) & (labels != gold[known, 1])
            words = {texts(int(orth)) for orth in orths[known][wrong]}
            for word in words:
                del self.cfg["settled"][word]
            n_words += len(words)
        if n_words:
            self._weights_changed()
        return n_words

    def _correct_more(self, example: Example, read: PresetWords, margin: float) -> int:
        tagging = self._tagging
        if not tagging.refined:
            return 0
        table = weight_table(refinement(self.model), trainable=True)
        lexemes = LexemeTable(self._n_attributes())
        decoder = self._make_decoder(
            lexemes, weight_table(self.model), cached=False, label_weights=table
        )
        rows = self._rows(read, lexemes.lookup)
        assert rows is not None
        assert decoder.refining is not None
        gold = np.ascontiguousarray(tagging.gold(example)[read.words.is_word, 1])
        settled = self._make_settled()
        n_steps = 0
        for at, given in read.sentences():
            bounds = np.array([0, at.stop - at.start], dtype=np.int32)
            tags, _, _ = decoder.tag(rows[at], bounds, self.beam_width, fixed=given)
            fixed = settled(read.words.orths[at], tags)
            n_steps += correct_labels(decoder.refining, rows[at], tags, gold[at], fixed, margin)
        if n_steps:
            self._set_label_weights(table.averaged(0))
        return n_steps

    # --- Weights: those of tags, and those of parts of labels -----------------------------------

    def _find_tagging(self) -> TagLabels:
        """What the present labels say."""
        searched = self.cfg.get("searched", self.attributes)
        return TagLabels(self.labels, self.attributes, searched, self.vocab.strings)

    def _class_count(self) -> int:
        return len(self._find_tagging().tags)

    def _n_classes(self) -> int:
        if len(self.attributes) == 1:
            return super()._n_classes()
        return int(refinement(self.model).attrs["n_labels"])

    def _resize_weights(self) -> None:
        super()._resize_weights()
        if len(self.attributes) > 1:
            self._set_label_weights(saved_weights(refinement(self.model)))

    def _set_label_weights(self, weights: SavedWeights) -> None:
        """Put the weights of the second step into the model."""
        model = refinement(self.model)
        set_weights(model, self._find_tagging().n_parts, weights)
        model.attrs["n_labels"] = len(self.labels)

    def _make_learner(self) -> AveragedPerceptron:
        if not self._tagging.refined:
            return super()._make_learner()
        return RefinedPerceptron(
            self._class_count(),
            self._tagging.n_parts,
            start=saved_weights(self.model),
            start_parts=saved_weights(refinement(self.model)),
            adaptive=self.adaptive,
        )

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        label_weights = None
        if isinstance(learner, RefinedPerceptron):
            label_weights = learner.refinement
        self._training_decoder = self._make_decoder(
            LexemeTable(self._n_attributes()),
            learner.weights,
            cached=False,
            label_weights=label_weights,
        )

    def _store_average(self, learner: AveragedPerceptron) -> None:
        super()._store_average(learner)
        if isinstance(learner, RefinedPerceptron):
            min_weight = self.model.attrs["min_weight"]
            self._set_label_weights(learner.average_refinement(min_weight=min_weight))

    # --- Derived state ----------------------------------------------------------------------

    def _make_decoder(
        self,
        lexemes: LexemeTable,
        weights: Any,
        *,
        cached: bool,
        label_weights: WeightTable | None = None,
    ) -> Tagging:
        scorer = TaggingScorer(lexemes, weights, self._program, cached=cached)
        search = EasyFirstSearch(scorer, None if cached else self._tagging.sets)
        if label_weights is None:
            return Tagging(search)
        refining = make_refining(
            lexemes, label_weights, self._refinement_program, self._tagging, search.control
        )
        return Tagging(search, refining=refining)

    def _make_decoders(self) -> Decoders[Tagging]:
        decoders = super()._make_decoders()
        if not self._tagging.refined:
            return decoders
        label_weights = weight_table(refinement(self.model))
        make = partial(
            self._make_decoder,
            weights=weight_table(self.model),
            cached=True,
            label_weights=label_weights,
        )
        return Decoders(make, self._n_attributes(), longest=decoders.longest)

    def _made_with(self) -> dict[str, Any]:
        made_with = super()._made_with()
        if len(self.attributes) == 1:
            return {**made_with, "attribute": self.attribute}
        templates = fingerprint(self._refinement_program.templates)
        return {
            **made_with,
            "attributes": [*self.attributes],
            "refinement_templates": templates,
        }

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        check_dictionary(cfg["dictionary"])
        if len(self.attributes) > 1:
            check_searched(cfg["searched"], self.attributes)
            check_settled(cfg["settled"])
            for label in cfg["labels"]:
                check_label(label, self.attributes, self.name)

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if len(self.attributes) > 1:
            check_linear(refinement(self.model))
            tagging = self._find_tagging()
            sizes = super()._n_classes(), refinement(self.model).attrs["n_classes"]
            if sizes != (len(tagging.tags), tagging.n_parts):
                raise ValueError(Errors.TABLE_DAMAGED)

    def _make_state(self) -> TaggerState:
        tagging = self._tagging
        texts = [name for key, names in tagging.values.items() if key != "morph" for name in names]
        return TaggerState(
            self._make_decoders(),
            self.calibration,
            tagging.tag_names,
            Labels(dict.fromkeys(texts), tagging.values.get("morph", ())),
            tagging.ids,
            self._make_dictionary(),
            tagging,
            self._make_settled(),
            tagging.tag_groups(),
            tagging.groups(tagging.refined),
        )

    def _make_dictionary(self) -> TagDictionary:
        dictionary = self._dictionary
        if dictionary is None:
            words, strings = self.cfg["dictionary"], self.vocab.strings
            # Joint tags are no values of tokens, so they need not be in the vocab.
            numbers = {strings[tag]: i for i, tag in enumerate(self._tagging.tags)}
            self._dictionary = dictionary = TagDictionary(words, strings, numbers)
        return dictionary

    def _make_settled(self) -> SettledWords:
        words = self.cfg.get("settled", {})
        return SettledWords(words, self.labels, self._tagging.tag_of, self.vocab.strings)

    def _weights_changed(self) -> None:
        tagging = self._find_tagging()
        if (tagging.names, tagging.searched) != (self._tagging.names, self._tagging.searched):
            self._tagging = tagging
            self._training_sentences.forget()
            # Now, and not when they are first written: what is saved must not depend on that.
            for features in tagging.values.get("morph", ()):
                self.vocab.morphology.add(features)
        self._dictionary = None
        super()._weights_changed()


def _count(nlp: Language, score: str) -> None:
    """Let training count another score if what counts is `tag_acc`, which nothing predicts: the
    default weights of a factory can't depend on settings.

    nlp (Language): The pipeline; its config may be changed.
    score (str): The other score.
    """
    weights = nlp.config["training"]["score_weights"]
    for name, pipe in nlp.components:
        meta = nlp.get_pipe_meta(name)
        may_tag = "tag_acc" in meta.scores or meta.factory == "attribute_ruler"
        if may_tag and "tag" in getattr(pipe, "attributes", ["tag"]):
            return
    if weights.get("tag_acc") and not weights.get(score):
        weights["tag_acc"], weights[score] = None, weights["tag_acc"]
