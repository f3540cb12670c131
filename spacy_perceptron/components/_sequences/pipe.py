"""What components share that tag the words of sentences by beam search.

A component adds how it reads docs (`_read`, `_rows`), its decoder over given weights
(`_make_decoder`), its gold (`_sentences_to_learn`, `_gold_tags`) and what its tags mean
(`_annotate`, `_tag_names`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ...answers.candidate import Annotation
from ...answers.explanation import Explanation
from ...answers.sentences import SentenceAnswers
from ...decode.sequences.tagging import Tagging
from ...features.attributes import ATTRIBUTES
from ...features.templates import Atom, Template
from ...learn.perceptron import AveragedPerceptron, passive_aggressive_step
from ...models.linear import saved_weights, set_weights, weight_table
from ..labelled import LabelledPipe
from ..lists import check_place, rank_answers
from ..words import PresetWords, Words
from .explanation import CONTEXT_OFFSETS, take_apart
from .settings import SequenceSettings

# Lexeme rows, gold tags, tags given in advance and the probability of hiding each word.
SentenceToLearn = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]
# Taggings of a sentence, best first, and their scores.
Ranked = tuple[np.ndarray, np.ndarray]
# Each step of a correction mends the first mistake that is left; sentences need a few.
MAX_STEPS = 50


class SequencePipe(LabelledPipe):
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
            adaptive=settings.adaptive,
            attribute=attribute,
            cfg=cfg,
        )
        self.beam_width = settings.beam_width
        self.update_rule = settings.update
        self.margin = settings.margin
        self._templates: Sequence[Template] = ()
        self._label_ids = np.zeros(0, np.uint64)
        self._decoder: Tagging | None = None
        self._training_decoder: Tagging | None = None

    # --- What components provide ------------------------------------------------------------

    def _read(self, docs: Sequence[Doc]) -> PresetWords:
        """Read docs."""
        raise NotImplementedError

    def _rows(self, read: PresetWords) -> np.ndarray:
        """Look words up in the lexeme table; valid until it is cleared."""
        raise NotImplementedError

    def _make_decoder(self, weights: Any, *, cached: bool) -> Tagging:
        """Make a decoder over given weights.

        weights (Any): A weight table.
        cached (bool): Whether scores can be kept: the weights do not move.
        """
        raise NotImplementedError

    def _annotate(self, doc: Doc, words: Words, tags: np.ndarray) -> Annotation:
        """Tags of a doc's words as an answer."""
        raise NotImplementedError

    def _tag_names(self) -> Sequence[str]:
        """The names of the tags, in the order of their numbers."""
        return self.labels

    def _list_width(self, k: int) -> int:
        """The beam width of a search for k answers."""
        return max(k, self.beam_width)

    def _sentences_to_learn(self, example: Example) -> Iterator[SentenceToLearn]:
        """The sentences of an example with any gold, each looked up when its turn comes."""
        raise NotImplementedError

    def _gold_tags(self, example: Example, read: PresetWords) -> np.ndarray:
        """A gold tag number per word of the doc to predict on, below 0 where it is unknown."""
        raise NotImplementedError

    def _forget_lexemes(self) -> None:
        """Drop what is remembered of words."""
        raise NotImplementedError

    # --- Search -----------------------------------------------------------------------------

    def _get_decoder(self) -> Tagging:
        self.sync()
        self._require_initialized()
        assert self._decoder is not None
        return self._decoder

    def _search(
        self, read: PresetWords, temperature: float, k: int = 0
    ) -> tuple[np.ndarray, np.ndarray, list[Ranked]]:
        """Tags, confidences and, if k is not 0, the best taggings of each sentence."""
        decoder = self._get_decoder()
        return decoder.tag(
            self._rows(read),
            read.words.starts,
            self.beam_width,
            temperature=temperature,
            fixed=read.given,
            nbest_width=self._list_width(k) if k else 0,
        )

    def _rank(
        self, doc: Doc, words: Words, lists: Sequence[Ranked], k: int
    ) -> list[SentenceAnswers]:
        def annotate(parts: list[np.ndarray]) -> Annotation:
            tags = np.concatenate([np.zeros(0, np.int32), *parts])
            return self._annotate(doc, words, tags)

        return rank_answers(words, lists, annotate, k=k)

    def sentence_nbest(self, doc: Doc, k: int) -> list[SentenceAnswers]:
        """The best taggings of the last beam, which is as wide as k at least.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[SentenceAnswers]): At most k of each sentence, best first.
        """
        decoder = self._get_decoder()
        read = self._read([doc])
        rows = self._rows(read)
        width = self._list_width(k)
        lists = [decoder.nbest(rows[at], width, fixed=given) for at, given in read.sentences()]
        return self._rank(doc, read.words, lists, k)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold annotation.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen tag, and whether it is right, per token with a
            gold tag.
        """
        docs = [example.predicted for example in examples]
        read = self._read(docs)
        tags, confidences, _ = self._search(read, temperature)
        parts = zip(examples, read.split([len(doc) for doc in docs]), strict=True)
        found = [self._gold_tags(example, own) for example, own in parts]
        gold = np.concatenate([np.zeros(0, np.int32), *found])
        known = gold >= 0
        return confidences[known], tags[known] == gold[known]

    # --- Explanation ------------------------------------------------------------------------

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its tag rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature, in the context of tags in which it
            was taken.
        """
        decoder = self._get_decoder()
        read = self._read([doc])
        i = check_place(doc, i, read.words)
        index = int(read.words.places()[i])
        at, given = next(found for found in read.sentences() if found[0].stop > index)
        position = index - at.start
        names = self._tag_names()
        if given is not None and given[position] >= 0:
            tag = names[given[position]]
            return Explanation(doc[i].text, tag, tag, 0.0, 0.0, 0, [])
        tokens = [token for token in doc if read.words.is_word[token.i]]

        def describe(atom: Atom, context: tuple[int, ...]) -> str:
            place = index + atom.offset
            if not at.start <= place < at.stop:
                return "<outside>"
            if atom.attribute == self._tag_attribute:
                code = context[CONTEXT_OFFSETS.index(atom.offset)]
                return names[code - 1] if code else "<untagged>"
            return self._describe(atom.attribute, tokens[place], read, place)

        rows = self._rows(read)[at]
        decision = take_apart(
            decoder, self._templates, rows, position, self.beam_width, given, describe
        )
        return decision.explain(doc[i].text, names)

    def _describe(self, attribute: str, token: Token, read: PresetWords, place: int) -> str:
        """What a template sees of a word, as text."""
        return str(ATTRIBUTES[attribute](token.text))

    # --- Learning ---------------------------------------------------------------------------

    def _learn(self, example: Example, learner: AveragedPerceptron, drop: float) -> float:
        decoder = self._training_decoder
        assert decoder is not None
        n_updates = 0
        for rows, gold, fixed, hiding in self._sentences_to_learn(example):
            learner.next_example()
            decoder.scorer.set_dropout(drop, self._random.getrandbits(64), hiding=hiding)
            n_updates += decoder.learn(
                rows,
                gold,
                self.beam_width,
                learner.time,
                resume=self.update_rule == "resume",
                margin=self.margin,
                fixed=fixed,
            )
        return float(n_updates)

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected text at once: passive-aggressive steps on the weights that predict
        (Crammer et al. 2006).

        Each step is the smallest change that lets the correct tags win by the margin at the first
        mistake. Tokens without gold stay free. The training state, if any, starts again from the
        result.

        example (Example): The prediction's text with the annotation it should have.
        margin (float): By how much the correct tagging should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        self._require_known_labels(example)
        read = self._read([example.predicted])
        gold = self._gold_tags(example, read)
        rows = self._rows(read)
        table = weight_table(self.model, trainable=True)
        decoder = self._make_decoder(table, cached=False)
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
            self._drop_learner()
            self._weights_changed()
        return n_steps

    # --- Weights: a row of class weights per feature ----------------------------------------

    def _class_count(self) -> int:
        """How many classes the present labels make."""
        return len(self.labels)

    def _has_weights(self) -> bool:
        return bool(self.model.has_param("weights"))

    def _n_classes(self) -> int:
        return int(self.model.attrs["n_classes"])

    def _empty_weights(self) -> None:
        n_classes = self._class_count()
        set_weights(self.model, n_classes, AveragedPerceptron(n_classes).average())

    def _resize_weights(self) -> None:
        set_weights(self.model, self._class_count(), saved_weights(self.model))

    def _make_learner(self) -> AveragedPerceptron:
        return AveragedPerceptron(
            self._class_count(), start=saved_weights(self.model), adaptive=self.adaptive
        )

    def _store_average(self, learner: AveragedPerceptron) -> None:
        average = learner.average(min_weight=self.model.attrs["min_weight"])
        set_weights(self.model, self._class_count(), average)

    def _weights_changed(self) -> None:
        self._decoder = self._make_decoder(weight_table(self.model), cached=True)
        self._labelled_vocab = None

    def _learner_changed(self, learner: AveragedPerceptron) -> None:
        self._training_decoder = self._make_decoder(learner.weights, cached=False)

    def forget_texts(self) -> None:
        """Drop what is remembered of words and contexts met so far, and free its memory."""
        self._forget_lexemes()
        if self._decoder is not None:
            self._weights_changed()
