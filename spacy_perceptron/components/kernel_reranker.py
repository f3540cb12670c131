"""The `kernel_reranker` component: chooses among another pipe's n-best answers by a kernel
(Collins & Duffy 2002)."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.explanation import Explanation, FeatureWeight
from ..answers.kinds import AnswerKind, KindOptions, find_kind
from ..answers.sentences import SentenceAnswers
from ..answers.stored import stored_sentences
from ..errors import Errors, Warnings
from ..learn.kernels.perceptron import KernelPerceptron
from ..learn.kernels.structures import Structures
from ..learn.states import LearnerState, part_of, put_under
from ..models.kernel import (
    check_kernel,
    kernel_settings,
    make_perceptrons,
    store_perceptrons,
)
from ..values import Values
from ._reranking.explanation import best_fragments
from ._reranking.gold import CandidateList, TrainingLists, learn_lists
from ._reranking.mixing import find_mixture
from ._reranking.writer import write_choices
from ._shared.base import StructuredPipe
from ._shared.threads import n_cores, run_parts
from .factories.kernel_reranker import RerankerSettings
from .factories.kernel_reranker import make_kernel_reranker as make_kernel_reranker

# What training finds: the usual difference of the base's scores, and how much they count.
NUMBERS = {"base_scale": Values(float, above=0), "mixture": Values(float, at_least=0)}


@dataclass(frozen=True)
class RerankerState:
    """What predictions depend on.

    perceptrons (list[KernelPerceptron]): Each has learned from a part of the corpus.
    base_scale (float): What the base's scores are divided by.
    mixture (float): The weight of the base's scores.
    """

    perceptrons: list[KernelPerceptron]
    base_scale: float
    mixture: float


class KernelReranker(StructuredPipe):
    """Chooses among the n-best answers that another pipe has left with a doc.

    The other pipe, the base, comes before this one and keeps its answers: its setting `nbest` is at
    least `k`. Where it has left none, or one, its annotation stays.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "kernel_reranker",
        *,
        settings: RerankerSettings,
        scorer: Callable | None = None,
    ):
        """Make a reranker.

        vocab (Vocab): The shared vocabulary.
        model (Model): A kernel model (`spacy_perceptron.KernelModel.v1`).
        name (str): The component instance name.
        settings (RerankerSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        # The scorer takes the first three; training finds the others.
        cfg = {"base": settings.base, "k": settings.k, "typed": settings.typed}
        cfg |= {"base_scale": 1.0, "mixture": 0.0}
        super().__init__(
            vocab,
            model,
            name,
            scorer=scorer,
            seed=settings.seed,
            nbest=settings.nbest,
            n_threads=settings.n_threads,
            cfg=cfg,
        )
        self.base = settings.base
        self.k = settings.k
        self.typed = settings.typed
        self.margin = settings.margin
        self._options = KindOptions(
            labels=settings.use_labels,
            words=settings.use_words,
            coarse_tags=settings.coarse_tags,
            typed=settings.typed,
        )
        self._lists = TrainingLists(
            self._make_lists,
            n_parts=model.attrs["n_chunks"],
            holdout=settings.holdout,
            passes=settings.passes,
        )
        self._has_warned = False

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> list[list[SentenceAnswers]]:
        """Rerank the answers that docs carry, without changing anything.

        docs (Iterable[Doc]): The docs.
        RETURNS (list): For each doc its sentences, with the base's answers in the base's order and
            the reranker's scores.
        """
        state = self._get_state()
        docs = list(docs)
        sentences = [self._find_answers(doc) for doc in docs]
        reranked = iter(self._rerank(docs, sentences, state))
        return [list(islice(reranked, len(found))) for found in sentences]

    def set_annotations(
        self, docs: Iterable[Doc], predictions: Sequence[Sequence[SentenceAnswers]]
    ) -> None:
        """Write the best answers to docs.

        docs (Iterable[Doc]): The docs.
        predictions (Sequence): What `predict` returned for them.
        """
        for doc, sentences in zip(docs, predictions, strict=True):
            write_choices(doc, sentences, [int(np.argmax(s.scores)) for s in sentences])
            if self.n_stored and sentences:
                best = [_best_first(s, self.n_stored) for s in sentences]
                self._store_answers([doc], [best], None)

    def _find_answers(self, doc: Doc) -> list[SentenceAnswers]:
        """The base's answers for each sentence, at most k."""
        sentences = stored_sentences(doc, self.base)
        if not sentences and len(doc) and not self._has_warned:
            self._has_warned = True
            warnings.warn(
                Warnings.RERANK_NO_ANSWERS.format(name=self.name, base=self.base, k=self.k),
                stacklevel=3,
            )
        return [s.choose(range(min(self.k, len(s)))) for s in sentences]

    def _find_kind(self, answers: SentenceAnswers) -> AnswerKind:
        kind = find_kind(answers.annotations[0], self._options)
        if not kind.kernels:
            raise ValueError(Errors.RERANK_KIND.format(names=", ".join(kind.names)))
        kernel = kernel_settings(self.model).kind
        if kernel not in kind.kernels:
            raise ValueError(
                Errors.RERANK_KERNEL.format(
                    name=self.name, kernel=kernel, base=self.base, options=", ".join(kind.kernels)
                )
            )
        return kind

    def _encode(self, doc: Doc, answers: SentenceAnswers) -> Structures:
        """A sentence's answers as the kernel takes them."""
        sentence = doc[answers.start : answers.end]
        return self._find_kind(answers).encode(sentence, answers.annotations)

    def _rerank(
        self,
        docs: Sequence[Doc],
        sentences: Sequence[Sequence[SentenceAnswers]],
        state: RerankerState,
    ) -> list[SentenceAnswers]:
        """Score the answers for the sentences of docs anew; one list for all docs."""
        parts = [
            (answers, self._encode(doc, answers) if len(answers) > 1 else None)
            for doc, found in zip(docs, sentences, strict=True)
            for answers in found
        ]

        def score(part: tuple[SentenceAnswers, Structures | None]) -> SentenceAnswers:
            answers, structures = part
            base_scores = scale_scores(answers, state.base_scale)
            scores = state.mixture * base_scores
            if structures is not None:
                scores = scores + sum_scores(state.perceptrons, structures, base_scores)
            return replace(answers, scores=scores.tolist(), base_scores=answers.scores)

        return run_parts(score, parts, self._count_threads())

    # --- Answers beyond the best one --------------------------------------------------------

    def _list_answers(self, doc: Doc, k: int, state: RerankerState) -> list[SentenceAnswers]:
        """The best answers of each sentence in their new order, with the base's scores beside the
        reranker's."""
        sentences = self._rerank([doc], [self._find_answers(doc)], state)
        return [_best_first(answers, k) for answers in sentences]

    def _explain(self, doc: Doc, i: int) -> Explanation:
        """Why a sentence got its answer rather than the next best one.

        doc (Doc): A doc with answers of the base; it is not changed.
        i (int): Index of a token of the sentence; negative ones count from the end.
        RETURNS (Explanation): The decision, by the fragments that weighed most. Their weights are
            differences, so the column of the runner-up has the base's score alone.
        """
        state = self._get_state()
        place = i + len(doc) if i < 0 else i
        found = [s for s in self._find_answers(doc) if s.start <= place < s.end]
        if not found:
            raise ValueError(Errors.RERANK_TOKEN.format(base=self.base, i=i))
        (answers,) = found
        scores = self._rerank([doc], [[answers]], state)[0].scores
        best, *others = _ranking(scores)
        text = doc[answers.start : answers.end].text
        chosen = f"answer {best + 1}"
        if not others:
            return Explanation(text, chosen, "no other", 0.0, 0.0, None, [], subject=self.base)
        other = others[0]
        structures = self._encode(doc, answers)
        fragments = best_fragments(state.perceptrons, structures, best, other, doc.vocab.strings)
        factor = state.mixture + sum(p.base_factor for p in state.perceptrons)
        base_scores = factor * scale_scores(answers, state.base_scale)
        of_base = FeatureWeight(
            "base score",
            f"{answers.scores[best]:.2f}",
            base_scores[best],
            base_scores[other],
            f"{answers.scores[other]:.2f}",
        )
        return Explanation(
            text,
            chosen,
            f"answer {other + 1}",
            scores[best],
            scores[other],
            None,
            sorted([*fragments, of_base], key=lambda feature: -feature.difference),
            subject=self.base,
        )

    def _explain_span(self, doc: Doc, span: Span) -> Explanation:
        # Sentences are explained, by any of their words.
        return self._explain(doc, span.start)

    # --- Training ---------------------------------------------------------------------------

    def _survey(self, examples: Iterable[Example]) -> None:
        gaps: list[float] = []
        for example in examples:
            for answers in self._find_answers(example.predicted):
                gaps += [answers.scores[0] - score for score in answers.scores[1:]]
        mean = float(np.mean(gaps)) if gaps else 0.0
        self._set_cfg("base_scale", mean if mean > 0 else 1.0)
        self.cfg["mixture"] = 0.0
        self._lists.forget()

    def _make_lists(self, example: Example) -> Iterator[CandidateList]:
        """The sentences of an example whose answers are not all equally wrong."""
        doc = example.predicted
        gold = None
        for answers in self._find_answers(doc):
            kind = self._find_kind(answers)
            gold = gold or kind.read_gold(example)
            if gold is None:
                return
            counts = [kind.count(gold, a, answers.start, answers.end) for a in answers.annotations]
            losses = np.array([count.loss for count in counts])
            if losses.min() < losses.max():
                base_scores = scale_scores(answers, self.cfg["base_scale"])
                yield CandidateList(self._encode(doc, answers), base_scores, losses)

    def _learn_batch(
        self, examples: Sequence[Example], learner: list[KernelPerceptron], drop: float
    ) -> float:
        """Each perceptron learns from its part of the batch, all of them at once."""
        parts: list[list[CandidateList]] = [[] for _ in learner]
        for example in examples:
            chunk, lists = self._lists(example)
            parts[chunk] += lists
        if len(parts) == 1:
            return float(learn_lists(learner[0], parts[0], self.margin))

        # Each has its part and its thread.
        def learn(part: int) -> int:
            return learn_lists(learner[part], parts[part], self.margin)

        n_threads = min(len(parts), n_cores())
        return float(sum(run_parts(learn, range(len(parts)), n_threads)))

    # --- Weights ----------------------------------------------------------------------------

    def _has_weights(self) -> bool:
        return bool(self.model.has_param("n_examples"))

    def _empty_weights(self) -> None:
        self.model.attrs["chunks"] = []
        store_perceptrons(self.model, make_perceptrons(self.model))

    def _make_learner(self) -> list[KernelPerceptron]:
        return make_perceptrons(self.model)

    def _about(self) -> dict[str, Any]:
        kernel, how = self.model.attrs["settings"], self.model.attrs["how"]
        lists = {name: getattr(self._lists, name) for name in ("n_parts", "holdout", "passes")}
        return {**super()._about(), "base": self.base, "kernel": {**kernel, **how}, **lists}

    def _learner_state(self, learner: list[KernelPerceptron]) -> LearnerState:
        parts = [put_under(f"perceptrons/{i}", one.state()) for i, one in enumerate(learner)]
        return {name: array for part in parts for name, array in part.items()}

    def _restore_learner(self, learner: list[KernelPerceptron], state: LearnerState) -> None:
        how, settings = self.model.attrs["how"], kernel_settings(self.model)
        for i in range(len(learner)):
            part = part_of(state, f"perceptrons/{i}")
            learner[i] = KernelPerceptron.from_state(settings, part, **how)

    @property
    def is_mixable(self) -> bool:
        # Its weights are made of the candidates that it has learned from.
        return False

    def _sentence_state(self, references: Sequence[Doc] | None) -> LearnerState:
        return self._lists.state(self._given(references))

    def _restore_sentences(self, state: LearnerState, references: Sequence[Doc] | None) -> None:
        self._lists.set_state(state, self._given(references))

    def _given(self, references: Sequence[Doc] | None) -> Sequence[Doc]:
        if references is None:
            raise ValueError(Errors.STATE_REFERENCES.format(name=self.name))
        return references

    def _store_average(self, learner: list[KernelPerceptron]) -> None:
        store_perceptrons(self.model, learner)
        lists = self._lists.held_out
        if lists:
            mixture = find_mixture(
                [sum_scores(learner, one.structures, one.base_scores) for one in lists],
                [one.base_scores for one in lists],
                [one.losses for one in lists],
            )
            self._set_cfg("mixture", mixture)

    def _made_with(self) -> dict[str, Any]:
        made_with = super()._made_with()
        if kernel_settings(self.model).kind == "subset_tree":
            made_with |= {
                "use_labels": self._options.labels,
                "use_words": self._options.words,
                "coarse_tags": self._options.coarse_tags,
            }
        return made_with

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        for name, values in NUMBERS.items():
            values.check(name, cfg[name])

    def _check_loaded(self) -> None:
        check_kernel(self.model)

    def _make_state(self) -> RerankerState:
        return RerankerState(
            make_perceptrons(self.model), self.cfg["base_scale"], self.cfg["mixture"]
        )


def scale_scores(answers: SentenceAnswers, scale: float) -> np.ndarray:
    """The base's scores: how far behind the best, in units of what is usual in training.

    answers (SentenceAnswers): The base's answers.
    scale (float): What is usual.
    RETURNS (np.ndarray): The scores.
    """
    return (np.array(answers.scores) - answers.scores[0]) / scale


def sum_scores(
    perceptrons: Sequence[KernelPerceptron], structures: Structures, base_scores: np.ndarray
) -> np.ndarray:
    """The scores, or votes, of all perceptrons together.

    perceptrons (Sequence[KernelPerceptron]): The perceptrons.
    structures (Structures): The candidates for a sentence.
    base_scores (np.ndarray): The base's scores of them.
    RETURNS (np.ndarray): A score per candidate, up to a constant.
    """
    rows = [p.scores(structures, base_scores, relative=True) for p in perceptrons]
    return np.sum(rows, axis=0)


def _best_first(answers: SentenceAnswers, k: int) -> SentenceAnswers:
    return answers.choose(_ranking(answers.scores)[:k])


def _ranking(scores: Sequence[float]) -> list[int]:
    """Answers from the best to the worst; of equal ones, the base's favourite comes first."""
    return np.argsort(-np.array(scores), kind="stable").tolist()
