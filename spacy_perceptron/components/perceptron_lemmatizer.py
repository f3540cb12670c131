"""The `perceptron_lemmatizer` component: lemmas by edit trees that a linear classifier chooses."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.calibration import Calibration
from ..answers.candidate import Annotation
from ..answers.confidence import store_confidences
from ..answers.explanation import Explanation
from ..answers.sentences import SentenceAnswers
from ..decode.choices.choosing import Choosing
from ..decode.choices.program import ROLES, compile_templates
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.templates import fingerprint, parse_templates
from ..features.token_attributes import LookUp
from ..learn.perceptron import AveragedPerceptron
from ..models.linear import set_weights, weight_table
from ..values import MARGIN, TEMPERATURE
from ._lemmas.correction import correct_lemmas
from ._lemmas.decisions import Decisions, decide, rank_lemmas, rank_sentence
from ._lemmas.explanation import explain_lemma
from ._lemmas.gold import LemmasToLearn, gold_lemmas
from ._lemmas.reader import TOKEN_ATTRIBUTES, LemmaReader, TaggedWords
from ._lemmas.rules import IDENTITIES, Rules, check_rules, find_rule, read_rule
from ._lemmas.writer import fill_spaces, write_lemmas
from ._shared.decoders import Decoders
from ._shared.gold import PreparedSentences
from ._shared.labelled import LabelledState
from ._shared.linear import LinearPipe
from ._shared.lists import check_place, rank_answers
from ._shared.threads import locked
from ._shared.words import NO_CHARACTERS, Texts
from .factories.perceptron_lemmatizer import LemmatizerSettings
from .factories.perceptron_lemmatizer import (
    make_perceptron_lemmatizer as make_perceptron_lemmatizer,
)

ATTRIBUTE = "lemma"


class LemmaPredictions(NamedTuple):
    """What a lemmatizer finds in docs.

    texts (list[str]): All lemmas that occur.
    lemmas (np.ndarray): Which of them each token of all docs has, -1 at whitespace.
    confidences (np.ndarray): Calibrated probabilities that the lemmas are right.
    answers (list): For each doc, the answers to keep with it, sentence by sentence.
    state (LemmatizerState): What has found them.
    characters (np.ndarray): First character and length of each token; if empty, they are read.
    """

    texts: list[str]
    lemmas: np.ndarray
    confidences: np.ndarray
    answers: list[list[SentenceAnswers]]
    state: "LemmatizerState"
    characters: np.ndarray = NO_CHARACTERS


@dataclass(frozen=True)
class LemmatizerState(LabelledState):
    """What predictions depend on.

    rules (Rules): The rules.
    decisions (Decisions): What has been decided so far. A state made from another one starts anew.
    """

    rules: Rules
    decisions: Decisions = field(init=False, default_factory=Decisions)


class FoundTypes(NamedTuple):
    """Lemmas of the types of words in a text.

    rows (np.ndarray): The rows of the types in the lexeme table.
    places (np.ndarray): The first word of each type.
    type_of (np.ndarray): The type of each word.
    found (list[tuple[str, float]]): Lemma and raw confidence of each type.
    state (LemmatizerState): What knows the rows.
    """

    rows: np.ndarray
    places: np.ndarray
    type_of: np.ndarray
    found: list[tuple[str, float]]
    state: LemmatizerState


class PerceptronLemmatizer(LinearPipe):
    """Finds lemmas word by word: each is chosen among those that known rules make of the word.

    Sets `token.lemma`, and `token._.lemma_confidence`: the calibrated probability that the lemma is
    right. Its labels are the rules.
    """

    _training_state = ("_learner", "_training_decoder")

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "perceptron_lemmatizer",
        *,
        settings: LemmatizerSettings,
        scorer: Callable | None = None,
    ):
        """Make a lemmatizer.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (LemmatizerSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=settings.seed,
            nbest=settings.nbest,
            n_threads=settings.n_threads,
            adaptive=settings.adaptive,
            attribute=ATTRIBUTE,
            cfg={},
        )
        self.min_tree_freq = settings.min_tree_freq
        self.margin = settings.margin
        self.overwrite = settings.overwrite
        known = {*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES}
        parsed = parse_templates(settings.templates, roles=ROLES, attributes=known)
        names = {atom.attribute for t in parsed for atom in t.atoms}
        self._reader = LemmaReader(names, self._word_attributes)
        self._program = compile_templates(parsed, self._reader.columns)
        self._to_learn = LemmasToLearn(self._reader, self._get_rules, hide_rare=settings.hide_rare)
        self._rule_counts: Counter[str] = Counter()
        # Made of the labels when they are needed.
        self._rules: Rules | None = None
        self._training_decoder: Choosing | None = None

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> LemmaPredictions:
        """Find lemmas without changing the docs.

        docs (Iterable[Doc]): The docs.
        RETURNS (LemmaPredictions): Lemmas, confidences and lists of answers.
        """
        docs = list(docs)
        state = self._get_state()
        read = self._reader(docs)
        words = read.words
        types = self._find_types(read, state)
        confidences = np.array([sure for _, sure in types.found], np.float32)[types.type_of]
        lists = self._find_lists(read, types, self.n_stored) if self.n_stored else []
        return LemmaPredictions(
            [lemma for lemma, _ in types.found],
            words.spread(types.type_of, -1),
            words.spread(state.calibration.apply(confidences), 1.0),
            self._make_answers(docs, read, lists, state),
            state,
            words.characters,
        )

    def set_annotations(self, docs: Iterable[Doc], predictions: LemmaPredictions) -> None:
        """Write lemmas and confidences to docs. The lemma of whitespace is its text.

        docs (Iterable[Doc]): The docs.
        predictions (LemmaPredictions): What `predict` returned for them.
        """
        docs = list(docs)
        confidences = write_lemmas(
            docs,
            predictions.texts,
            predictions.lemmas,
            predictions.confidences,
            overwrite=self.overwrite,
        )
        store_confidences(docs, ATTRIBUTE, confidences, predictions.characters)
        self._store_answers(docs, predictions.answers, predictions.state)

    def _rows(self, read: TaggedWords, look_up: LookUp) -> np.ndarray | None:
        words = read.words
        return self._reader.attributes.rows(words.orths, read.values, words.texts, look_up)

    @locked
    def forget_texts(self) -> None:
        """Drop what is remembered of words met so far, and free its memory."""
        self._reader.attributes.forget()
        super().forget_texts()

    def _find_types(self, read: TaggedWords, state: LemmatizerState) -> FoundTypes:
        """The lemmas of all types of words."""
        words = read.words
        state, rows = self._look_up(read, state)
        types, places, index = np.unique(rows, return_index=True, return_inverse=True)
        numbers, known = types.tolist(), state.decisions.found
        new = [i for i, row in enumerate(numbers) if row not in known]
        if new:
            orths = words.orths[places[new]].tolist()
            found = decide(
                types[new],
                [words.texts(orth) for orth in orths],
                state.rules,
                state.decoders,
                temperature=state.calibration.temperature,
                n_threads=self._count_threads(),
            )
            known.update(zip((numbers[i] for i in new), found, strict=True))
        return FoundTypes(types, places, index, [known[row] for row in numbers], state)

    # --- Other answers ----------------------------------------------------------------------

    def _find_lists(
        self, read: TaggedWords, types: FoundTypes, k: int
    ) -> list[tuple[list[list[str]], np.ndarray]]:
        """The k best lemmas of each sentence, and their scores."""
        words, state = read.words, types.state
        orths = words.orths[types.places].tolist()
        with state.decoders.borrow() as decoder:
            ranked = [
                rank_lemmas(row, words.texts(orth), state.rules, decoder, k)
                for row, orth in zip(types.rows.tolist(), orths, strict=True)
            ]
        of_words = [ranked[i] for i in types.type_of.tolist()]
        bounds = pairwise(words.starts.tolist())
        return [rank_sentence(of_words[start:end], k) for start, end in bounds]

    def _rank(
        self, doc: Doc, words: TaggedWords, lists: Sequence[Any], state: LemmatizerState, k: int
    ) -> list[SentenceAnswers]:
        def annotate(parts: list[list[str]]) -> Annotation:
            return {ATTRIBUTE: fill_spaces(doc, words.words.is_word, chain(*parts))}

        return rank_answers(words.words, lists, annotate, k=k)

    def _list_answers(self, doc: Doc, k: int, state: LemmatizerState) -> list[SentenceAnswers]:
        read = self._reader([doc])
        types = self._find_types(read, state)
        return self._rank(doc, read, self._find_lists(read, types, k), state, k)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold annotation.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen lemma, and whether it is right, per token with a
            gold lemma.
        """
        TEMPERATURE.check("temperature", temperature)
        state = self._get_state()
        read = self._reader([example.predicted for example in examples])
        # Decisions of another temperature are no use.
        state = replace(state, calibration=Calibration(temperature))
        lemmas, confidences = self._find(read, state)
        gold = _word_lemmas(examples, read)
        known = gold != ""
        return confidences[known], (lemmas == gold)[known]

    def _find(self, read: TaggedWords, state: LemmatizerState) -> tuple[np.ndarray, np.ndarray]:
        """Lemmas of words, and raw confidences."""
        types = self._find_types(read, state)
        lemmas = np.array([lemma for lemma, _ in types.found], object)
        sure = np.array([sure for _, sure in types.found], np.float32)
        return lemmas[types.type_of], sure[types.type_of]

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its lemma rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        state = self._get_state()
        read = self._reader([doc])
        i = check_place(doc, i, read.words)
        state, rows = self._look_up(read, state)
        row = int(rows[read.words.places()[i]])
        with state.decoders.borrow() as decoder:
            return explain_lemma(
                doc[i], row, state.rules, decoder, self._program.templates, self._reader.describe
            )

    # --- Training ---------------------------------------------------------------------------

    def rule_for(self, form: str, lemma: str) -> str:
        """The rule that turns a word into a lemma, which `add_label` takes.

        form (str): The word.
        lemma (str): Its lemma.
        RETURNS (str): The text of the rule.
        """
        return find_rule(form, lemma)

    @property
    def hide_labels(self) -> bool:
        """RETURNS (bool): True. Rules say little to readers of a pipeline's `meta.json`."""
        return True

    def _check_label(self, label: str) -> None:
        super()._check_label(label)
        read_rule(label)

    @locked
    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Iterable[str] | None = None,
    ) -> None:
        """Collect the rules and start with empty weights.

        get_examples (Callable): Gives the training examples; read once.
        nlp (Optional[Language]): The pipeline.
        labels (Optional[Iterable[str]]): The rules, for example from `spacy init labels`. Those
            that change nothing are always among them.
        """
        if labels is not None:
            labels = dict.fromkeys([*labels, *IDENTITIES])
        super().initialize(get_examples, nlp=nlp, labels=labels)

    def _prepared_sentences(self) -> PreparedSentences:
        return self._to_learn

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._to_learn.reset_counts()
        self._rule_counts.clear()
        for example in examples:
            self._to_learn.count(example.reference)
            self._rule_counts.update(self._rules_of(example))
            yield example

    def _rules_of(self, example: Example) -> list[str]:
        """The rules of the gold lemmas of an example."""
        reference = example.reference
        return [find_rule(t.text, t.lemma_) for t in reference if t.lemma and not t.is_space]

    def _labels_of(self, example: Example) -> Iterable[str]:
        found = self._rules_of(example)
        frequent = [rule for rule in found if self._rule_counts[rule] >= self.min_tree_freq]
        return [*IDENTITIES, *frequent] if found else []

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        words = self._to_learn(example)
        if not len(words.orths):
            return 0.0
        learner.next_example()
        rows = self._reader.attributes.rows(
            words.orths, words.values, Texts([example.predicted]), decoder.lexemes.lookup
        )
        assert rows is not None
        decoder.set_dropout(drop, self._random.getrandbits(64))
        n_updates = decoder.learn(
            rows,
            words.starts,
            words.candidates,
            learner.time,
            margin=self.margin,
            hiding=words.hiding,
            seed=self._random.getrandbits(64),
        )
        return float(n_updates)

    @locked
    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected text at once: passive-aggressive steps on the weights that predict
        (Crammer et al. 2006).

        Each step is the smallest change that lets the right rule win by the margin at one word.
        Rules that are new are added. Tokens without gold stay free. The training state, if any,
        starts again from the result.

        example (Example): The prediction's text with the lemmas it should have.
        margin (float): By how much the right rule should win.
        RETURNS (int): Number of new rules and steps; 0 when the prediction was right.
        """
        MARGIN.check("margin", margin)
        self.sync()
        self._require_initialized()
        read = self._reader([example.predicted])
        gold = _word_lemmas([example], read)
        known = np.flatnonzero(gold != "")
        state = self._own_state()
        found, _ = self._find(read, state)
        forms = [read.words.texts(orth) for orth in read.words.orths[known].tolist()]
        lemmas = gold[known].tolist()
        wrong = [i for i, lemma in enumerate(found[known]) if lemma != lemmas[i]]
        if not wrong:
            return 0
        n_new = sum(self.add_label(find_rule(forms[i], lemmas[i])) for i in wrong)
        decoder = self._make_decoder(self._new_lexemes(), weight_table(self.model, trainable=True))
        rows = self._rows(read, decoder.lexemes.lookup)
        assert rows is not None
        n_steps = correct_lemmas(
            rows[known].tolist(), forms, lemmas, self._get_rules(), decoder, margin=margin
        )
        set_weights(self.model, self._class_count(), decoder.weights.averaged(0))
        self._drop_learner()
        self._weights_changed()
        return n_new + n_steps

    # --- Derived state ----------------------------------------------------------------------

    def _make_state(self) -> LemmatizerState:
        return LemmatizerState(self._make_decoders(), self.calibration, self._get_rules())

    def _make_decoders(self) -> Decoders[Choosing]:
        """Decoders over the present weights."""
        make = partial(self._make_decoder, weights=weight_table(self.model))
        return Decoders(make, self._reader.attributes.n_attributes, longest=0)

    def _make_decoder(self, lexemes: LexemeTable, weights: Any) -> Choosing:
        return Choosing(lexemes, weights, self._program)

    def _new_lexemes(self) -> LexemeTable:
        return LexemeTable(self._reader.attributes.n_attributes)

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        self._training_decoder = self._make_decoder(self._new_lexemes(), learner.weights)

    def _get_rules(self) -> Rules:
        rules = self._rules
        if rules is None:
            self._rules = rules = Rules(self.labels)
        return rules

    def _weights_changed(self) -> None:
        if self._rules is not None and (*self._rules.numbers,) != self.labels:
            self._rules = None
            self._to_learn.forget()
        super()._weights_changed()

    def _made_with(self) -> dict[str, Any]:
        return {**super()._made_with(), "templates": fingerprint(self._program.templates)}

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        super()._check_cfg(cfg)
        check_rules(cfg["labels"])


def _word_lemmas(examples: Sequence[Example], read: TaggedWords) -> np.ndarray:
    """Gold lemmas of the words of examples; empty where there is none."""
    of_tokens = [lemma for example in examples for lemma in gold_lemmas(example)]
    return np.array(of_tokens, object)[read.words.is_word]
