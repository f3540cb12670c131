"""What components share that tag the words of sentences by beam search.

A component adds how it reads docs (`_read`, `_rows`), its decoder over given weights
(`_make_decoder`), its gold (`_sentences_to_learn`, `_gold_tags`), what its tags mean (`_annotate`)
and all of its state that predictions depend on (`_make_state`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.candidate import Annotation
from ...answers.explanation import Explanation
from ...answers.sentences import SentenceAnswers
from ...decode.sequences.tagging import Tagging
from ...features.lexemes import LexemeTable
from ...features.templates import Atom, Template, fingerprint
from ...learn.perceptron import AveragedPerceptron, passive_aggressive_step
from ...models.linear import set_weights, weight_table
from ...values import MARGIN, TEMPERATURE
from .._shared.decoders import Decoders, cut_sentences
from .._shared.labelled import LabelledState
from .._shared.linear import LinearPipe
from .._shared.lists import check_place, rank_answers
from .._shared.threads import locked
from .._shared.words import Labels, PresetWords, Words
from .explanation import CONTEXT_OFFSETS, take_apart
from .settings import SequenceSettings

# Taggings of a sentence, best first, and their scores.
Ranked = tuple[np.ndarray, np.ndarray]
# The most words of a sentence; longer ones are cut. Memory grows with the length, and the time that
# easy-first search takes for a word too.
LONGEST = 5000
# Each step of a correction mends the first mistake that is left; sentences need a few.
MAX_STEPS = 50


class SentenceToLearn(NamedTuple):
    """A sentence with gold.

    rows (np.ndarray): Lexeme rows of the words.
    gold (np.ndarray): A gold tag per word, below 0 where it is unknown.
    given (Optional[np.ndarray]): Tags given in advance, below 0 where they are free.
    hiding (np.ndarray): The probability of hiding each word.
    labels (Optional[np.ndarray]): What a second step should choose, -1 where it is unknown.
    """

    rows: np.ndarray
    gold: np.ndarray
    given: np.ndarray | None
    hiding: np.ndarray
    labels: np.ndarray | None = None


class Sentences(NamedTuple):
    """Sentences to tag.

    rows (np.ndarray): Lexeme rows of all words.
    starts (np.ndarray): Where each sentence starts, and finally the number of words.
    given (Optional[np.ndarray]): A tag per word, below 0 where it is free; None if all are free.
    orths (np.ndarray): Word hashes.
    """

    rows: np.ndarray
    starts: np.ndarray
    given: np.ndarray | None
    orths: np.ndarray


@dataclass(frozen=True)
class SequenceState(LabelledState):
    """What predictions depend on.

    tag_names (Sequence[str]): The names of the tags, in the order of their numbers.
    labels (Labels): The labels that docs can get.
    label_ids (np.ndarray): The hashes of the labels, in the order of their numbers.
    """

    tag_names: Sequence[str]
    labels: Labels
    label_ids: np.ndarray


class SequencePipe(LinearPipe):
    """Tags the words of each sentence, keeping several partial taggings in a beam."""

    _training_state = ("_learner", "_training_decoder")
    # The attribute by which templates ask for tags around a word.
    _tag_attribute = "tag"

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str,
        *,
        settings: SequenceSettings,
        attribute: str,
        cfg: dict[str, Any],
        scorer: Callable | None,
    ):
        """Set up what these components share.

        vocab (Vocab): The shared vocabulary.
        model (Model): A linear model (`spacy_perceptron.LinearModel.v1`).
        name (str): The component instance name.
        settings (SequenceSettings): The settings.
        attribute (str): What is predicted, for the name of its confidence.
        cfg (dict): Settings saved with the component.
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
            attribute=attribute,
            cfg=cfg,
        )
        self.beam_width = settings.beam_width
        self.update_rule = settings.update
        self.margin = settings.margin
        self._templates: Sequence[Template] = ()
        self._training_decoder: Tagging | None = None

    # --- What components provide ------------------------------------------------------------

    def _read(self, docs: Sequence[Doc], state: Any) -> PresetWords:
        """Read docs."""
        raise NotImplementedError

    def _n_attributes(self) -> int:
        """The number of attributes in lexeme tables."""
        raise NotImplementedError

    def _make_decoder(self, lexemes: LexemeTable, weights: Any, *, cached: bool) -> Tagging:
        """Make a decoder over given weights.

        lexemes (LexemeTable): The words it will get.
        weights (Any): A weight table.
        cached (bool): Whether scores can be kept: the weights do not move.
        """
        raise NotImplementedError

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray, state: Any) -> Annotation:
        """Tags of a doc's words as an answer."""
        raise NotImplementedError

    def _list_width(self, k: int) -> int:
        """The beam width of a search for k answers."""
        return max(k, self.beam_width)

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        """The sentences of an example with any gold, each looked up when its turn comes."""
        raise NotImplementedError

    def _gold_tags(self, example: Example, read: PresetWords, state: Any) -> np.ndarray:
        """A gold tag number per word of the doc to predict on, below 0 where it is unknown."""
        raise NotImplementedError

    # --- Search -----------------------------------------------------------------------------

    def _make_decoders(self) -> Decoders[Tagging]:
        """Decoders over the present weights."""
        make = partial(self._make_decoder, weights=weight_table(self.model), cached=True)
        return Decoders(make, self._n_attributes(), longest=LONGEST)

    def _search(
        self, read: PresetWords, state: SequenceState, temperature: float, k: int = 0
    ) -> tuple[np.ndarray, np.ndarray, list[Ranked]]:
        """Tags, confidences and, if k is not 0, the best taggings of each sentence."""
        state, rows = self._look_up(read, state)
        starts = read.words.starts
        n_threads = self._count_threads()

        def tag(decoder: Tagging, part: tuple[int, int]) -> tuple:
            first, last = part
            at = slice(starts[first], starts[last])
            sentences = Sentences(
                rows[at],
                starts[first : last + 1] - starts[first],
                None if read.given is None else read.given[at],
                read.words.orths[at],
            )
            width = self._list_width(k) if k else 0
            return self._tag(decoder, sentences, state, temperature, width)

        found = state.decoders.run(tag, cut_sentences(starts, n_threads), n_threads)
        if len(found) == 1:
            return found[0]
        tags, confidences, lists = zip(*found, strict=True)
        return np.concatenate(tags), np.concatenate(confidences), list(chain(*lists))

    def _tag(
        self,
        decoder: Tagging,
        sentences: Sentences,
        state: Any,
        temperature: float,
        nbest_width: int,
    ) -> tuple[np.ndarray, np.ndarray, list[Ranked]]:
        """Tag sentences: what `Tagging.tag` returns, with other numbers if tags are only a part of
        the answer."""
        return decoder.tag(
            sentences.rows,
            sentences.starts,
            self.beam_width,
            temperature=temperature,
            fixed=sentences.given,
            nbest_width=nbest_width,
        )

    def _list_taggings(
        self, decoder: Tagging, sentence: Sentences, state: Any, width: int
    ) -> Ranked:
        """The best taggings of one sentence, with the same numbers."""
        return decoder.nbest(sentence.rows, width, fixed=sentence.given)

    def _rank(
        self, doc: Doc, words: PresetWords, lists: Sequence[Ranked], state: SequenceState, k: int
    ) -> list[SentenceAnswers]:
        def annotate(parts: list[np.ndarray]) -> Annotation:
            tags = np.concatenate([np.zeros(0, np.int32), *parts])
            return self._annotate(doc, words.words, tags, state)

        return rank_answers(words.words, lists, annotate, k=k)

    def _list_answers(self, doc: Doc, k: int, state: SequenceState) -> list[SentenceAnswers]:
        """The best taggings of the last beam, which is as wide as k at least."""
        read = self._read([doc], state)
        state, rows = self._look_up(read, state)
        width = self._list_width(k)

        def find(decoder: Tagging, part: tuple[slice, np.ndarray | None]) -> Ranked:
            at, given = part
            bounds = np.array([0, at.stop - at.start], dtype=np.int32)
            sentence = Sentences(rows[at], bounds, given, read.words.orths[at])
            return self._list_taggings(decoder, sentence, state, width)

        lists = state.decoders.run(find, list(read.sentences()), self._count_threads())
        return self._rank(doc, read, lists, state, k)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold annotation.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen tag, and whether it is right, per token with a
            gold tag; if there are several attributes, of each of them.
        """
        TEMPERATURE.check("temperature", temperature)
        docs = [example.predicted for example in examples]
        state = self._get_state()
        read = self._read(docs, state)
        tags, confidences, _ = self._search(read, state, temperature)
        found: list[tuple[np.ndarray, np.ndarray]] = [(np.zeros(0), np.zeros(0, bool))]
        start = 0
        for example, own in zip(examples, read.split([len(doc) for doc in docs]), strict=True):
            end = start + len(own.words.orths)
            found.append(self._judge(example, own, tags[start:end], confidences[start:end], state))
            start = end
        claimed, right = zip(*found, strict=True)
        return np.concatenate(claimed), np.concatenate(right)

    def _judge(
        self,
        example: Example,
        read: PresetWords,
        tags: np.ndarray,
        confidences: np.ndarray,
        state: Any,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences in what gold says anything about, and whether it is right."""
        gold = self._gold_tags(example, read, state)
        known = gold >= 0
        return confidences[known], tags[known] == gold[known]

    # --- Explanation ------------------------------------------------------------------------

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature, in the context of tags in which it
            was taken.
        """
        state = self._get_state()
        read = self._read([doc], state)
        i = check_place(doc, i, read.words)
        index = int(read.words.places()[i])
        at, given = next(found for found in read.sentences() if found[0].stop > index)
        position = index - at.start
        names = state.tag_names
        if given is not None and given[position] >= 0:
            tag = names[given[position]]
            return Explanation(doc[i].text, tag, tag, 0.0, 0.0, 0, [])
        describe = self._describing(doc, read, index, at, lambda _, code: names[code - 1])
        state, rows = self._look_up(read, state)
        with state.decoders.borrow() as decoder:
            decision = take_apart(
                decoder, self._templates, rows[at], position, self.beam_width, given, describe
            )
        return decision.explain(doc[i].text, names)

    def _describing(
        self,
        doc: Doc,
        read: PresetWords,
        index: int,
        at: slice,
        name: Callable[[int, int], str],
    ) -> Callable[[Atom, tuple[int, ...]], str]:
        """What says what an atom sees, in a context of codes.

        doc (Doc): The doc.
        read (PresetWords): Its words.
        index (int): The word to explain.
        at (slice): Where its sentence is.
        name (Callable): Offset and code -> name of a tag.
        """
        tokens = [token for token in doc if read.words.is_word[token.i]]

        def describe(atom: Atom, context: tuple[int, ...]) -> str:
            place = index + atom.offset
            if not at.start <= place < at.stop:
                return "<outside>"
            if atom.attribute == self._tag_attribute:
                code = context[CONTEXT_OFFSETS.index(atom.offset)]
                return name(atom.offset, code) if code else "<untagged>"
            return self._describe(atom.attribute, tokens[place], read, place)

        return describe

    def _describe(self, attribute: str, token: Token, read: PresetWords, place: int) -> str:
        """What a template sees of a word, as text."""
        raise NotImplementedError

    # --- Learning ---------------------------------------------------------------------------

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        n_updates = 0
        for sentence in self._sentences_to_learn(example):
            learner.next_example()
            seed = self._random.getrandbits(64)
            decoder.scorer.set_dropout(drop, seed, hiding=sentence.hiding)
            n_updates += decoder.learn(
                sentence.rows,
                sentence.gold,
                self.beam_width,
                learner.time,
                resume=self.update_rule == "resume",
                margin=self.margin,
                fixed=sentence.given,
            )
            if decoder.refining is not None and sentence.labels is not None:
                decoder.refining.scorer.set_dropout(drop, seed, hiding=sentence.hiding)
                n_updates += decoder.refining.learn(
                    sentence.rows, sentence.labels, learner.time, margin=self.margin
                )
        return float(n_updates)

    @locked
    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected text at once: passive-aggressive steps on the weights that predict
        (Crammer et al. 2006).

        Each step is the smallest change that lets the correct tags win by the margin at the first
        mistake. Tokens without gold stay free, and a word that is corrected leaves the tagger's
        dictionary. The training state, if any, starts again from the result.

        example (Example): The prediction's text with the annotation it should have.
        margin (float): By how much the correct tagging should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        MARGIN.check("margin", margin)
        self._require_known_labels(example)
        n_forgotten = self._forget_wrong(example)
        state = self._own_state()
        read = self._read([example.predicted], state)
        gold = self._gold_tags(example, read, state)
        table = weight_table(self.model, trainable=True)
        decoder = self._make_decoder(LexemeTable(self._n_attributes()), table, cached=False)
        rows = self._rows(read, decoder.scorer.lexemes.lookup)
        assert rows is not None
        n_steps = 0
        for at, given in read.sentences():
            for _ in range(MAX_STEPS):
                found = decoder.violation(rows[at], gold[at], self.beam_width, fixed=given)
                if found is None:
                    break
                correct, predicted, correct_score, predicted_score = found
                difference = decoder.difference(correct, predicted)
                violation = predicted_score - correct_score
                step = passive_aggressive_step(difference, violation, margin=margin)
                table.update(*difference, 0.0, step=step)
                n_steps += 1
        if n_steps:
            set_weights(self.model, self._class_count(), table.averaged(0))
        n_steps += self._correct_more(example, read, margin)
        if n_steps:
            self._drop_learner()
            self._weights_changed()
        return n_forgotten + n_steps

    def _correct_more(self, example: Example, read: PresetWords, margin: float) -> int:
        """Correct what is not found by the search; how many steps did that take?"""
        return 0

    def _forget_wrong(self, example: Example) -> int:
        """Forget what a correction contradicts and no step can mend; how much?"""
        return 0

    # --- Derived state ----------------------------------------------------------------------

    def _made_with(self) -> dict[str, Any]:
        return {**super()._made_with(), "templates": fingerprint(self._templates)}

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        lexemes = LexemeTable(self._n_attributes())
        self._training_decoder = self._make_decoder(lexemes, learner.weights, cached=False)
