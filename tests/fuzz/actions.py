"""What is done with a component: every public method, with input of all kinds.

An action takes a case, does something with its Docs and raises `AssertionError` if what comes out
is wrong. Errors that users cannot make sense of pass through. To add one, decorate it.
"""

import math
import random
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from spacy.attrs import DEP, ENT_IOB, ENT_TYPE, HEAD, SENT_START, TAG
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration, fit_isotonic

from .components import NAME, Subject
from .damage import damage
from .docs import make_doc, make_example, make_gold_example
from .oracle import (
    Given,
    check_answers,
    check_confidences,
    check_figures,
    check_sentence_answers,
    documented_errors,
    has_cycle,
    is_documented,
    is_refused,
    read_heads,
)
from .settings import make_settings

WRITTEN = [HEAD, DEP, TAG, ENT_IOB, ENT_TYPE, SENT_START]
BAD_MARGINS = [-1.0, float("nan"), float("inf"), -float("inf")]
BAD_SHARES = [-0.1, 1.5, float("nan"), float("inf")]
ODD_LABELS = ["", " ", "||", "a||b", "ROOT", "O", "B-X", "-", "_SP", "é\u0301", "x" * 300, "\x00"]


@dataclass
class Case:
    """One round of fuzzing.

    rng (random.Random): Where chance comes from.
    subject (Subject): The component.
    nlp (Language): A trained pipeline with it, not to be changed.
    spare (Language): Another one with the same vocab, to be changed. It is restored afterwards.
    docs (list[Doc]): The Docs.
    examples (list[Example]): Examples, made when they are asked for.
    """

    rng: random.Random
    subject: Subject
    nlp: Language
    spare: Language
    docs: list[Doc]
    examples: list[Example] = field(default_factory=list)

    @property
    def pipe(self) -> Any:
        """RETURNS (Any): The component that is not to be changed."""
        return self.nlp.get_pipe(NAME)

    @property
    def n_docs(self) -> int:
        """RETURNS (int): How many Docs have been made."""
        return len(self.docs) + 2 * len(self.examples)

    def make_examples(self) -> list[Example]:
        """RETURNS (list[Example]): Some examples, most of them odd."""
        made = [make_example(self.rng, self.nlp.vocab) for _ in range(len(self.docs))]
        if self.rng.random() < 0.5:
            made.append(make_gold_example(self.rng, self.nlp.vocab))
        self.examples += made
        return made

    def prepare(self, doc: Doc, nlp: Language | None = None) -> Doc:
        """RETURNS (Doc): The Doc with the answers of the base, if there is one."""
        base = self.subject.base
        return (nlp or self.nlp).get_pipe(base.name)(doc) if base else doc

    def check(self, doc: Doc, given: Given, labels: set[str] | None = None) -> None:
        """Check what was written to a Doc.

        doc (Doc): The Doc.
        given (Given): What it had before.
        labels (Optional[set[str]]): The labels it can have; None for those of the component.
        """
        assert [token.text for token in doc] == given.words
        self.subject.check(doc, given, labels or self.subject.labels(self.nlp))
        check_confidences(doc, self.subject.confidence)


Run = Callable[[Case], None]


@dataclass(frozen=True)
class Action:
    """Something to do with a component.

    run (Callable[[Case], None]): Does it.
    weight (float): How often it is done in comparison to others.
    changes (bool): Whether the spare component is another one afterwards.
    """

    run: Run
    weight: float
    changes: bool


ACTIONS: dict[str, Action] = {}


def action(weight: float, *, changes: bool = False) -> Callable[[Run], Run]:
    """RETURNS (Callable): Enters an action into the table."""

    def enter(run: Run) -> Run:
        ACTIONS[run.__name__] = Action(run, weight, changes)
        return run

    return enter


def written(docs: Iterable[Doc]) -> list[np.ndarray]:
    """RETURNS (list[np.ndarray]): What components have written to Docs."""
    return [doc.to_array(WRITTEN) for doc in docs]


@action(12)
def predict(case: Case) -> None:
    """One by one or in batches, the answers are the same, and well formed."""
    given = [Given.of(doc) for doc in case.docs]
    copies = [doc.copy() for doc in case.docs]
    batch_size = case.rng.choice([1, 3, 100])
    for doc, before in zip(case.nlp.pipe(case.docs, batch_size=batch_size), given, strict=True):
        case.check(doc, before)
    alone = [case.nlp(doc) for doc in copies]
    for one, other in zip(written(case.docs), written(alone), strict=True):
        assert np.array_equal(one, other)
    # A second time, on what it wrote itself.
    for doc, before in zip(case.docs, given, strict=True):
        case.check(case.nlp(doc), before)


@action(2)
def read_text(case: Case) -> None:
    """Texts instead of Docs."""
    for text in [doc.text for doc in case.docs]:
        doc = case.nlp.make_doc(text)
        given = Given.of(doc)
        case.check(case.nlp(doc), given)


@action(1)
def share(case: Case) -> None:
    """Threads that share a component get the answers that they would get alone."""
    alone = written(case.nlp(doc.copy()) for doc in case.docs)
    lists = [_scores(case, doc) for doc in case.docs]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(3) as pool:
            both = pool.map(
                lambda doc: (_scores(case, doc), case.nlp(doc.copy())), [*case.docs, *case.docs]
            )
            ranked, docs = zip(*both, strict=True)
    finally:
        sys.setswitchinterval(interval)
    assert list(ranked) == 2 * lists
    for one, other in zip(2 * alone, written(docs), strict=True):
        assert np.array_equal(one, other)


@action(1)
def forget_words(case: Case) -> None:
    """Words that are gone with a memory zone do not come back."""
    texts = [doc.text for doc in case.docs]
    with case.nlp.memory_zone():
        first = [doc.to_array([TAG, HEAD]) for doc in case.nlp.pipe(texts)]
    again = [doc.to_array([TAG, HEAD]) for doc in case.nlp.pipe(texts)]
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=True))


@action(1)
def mix_vocabs(case: Case) -> None:
    """Docs of two pipelines in one batch."""
    other = Language()
    docs = [make_doc(case.rng, other.vocab) for _ in case.docs]
    mixed = [doc for pair in zip(case.docs, docs, strict=True) for doc in pair]
    given = [Given.of(doc) for doc in mixed]
    with documented_errors():
        for doc, before in zip(case.nlp.pipe(mixed), given, strict=True):
            case.check(doc, before)


@action(3)
def nbest(case: Case) -> None:
    """Lists of answers are ranked, and each answer can be written."""
    k = case.rng.choice([1, 2, 5, 20])
    for doc in case.docs:
        given = Given.of(doc)
        prepared = case.prepare(doc)
        before = written([prepared])
        candidates = case.pipe.nbest(prepared, k)
        check_answers(candidates, k)
        check_sentence_answers(case.pipe.sentence_nbest(prepared, k), prepared, k)
        assert np.array_equal(*before, *written([prepared]))
        for candidate in candidates[:3]:
            case.check(candidate.apply(prepared.copy()), given)


@action(3)
def explain(case: Case) -> None:
    """Explanations add up to finite scores, and can be printed."""
    # All features of a decision are put into words, and that takes longer than finding it.
    for doc in case.docs[:4]:
        prepared = case.prepare(doc)
        i = case.rng.randint(-len(doc) - 1, len(doc))
        with documented_errors():
            explanation = case.pipe.explain(prepared, i)
            assert math.isfinite(explanation.chosen_score), explanation
            assert math.isfinite(explanation.runner_up_score), explanation
            assert case.rng.random() < 0.8 or str(explanation)


@action(2)
def score(case: Case) -> None:
    """Scores are numbers, whatever gold says."""
    examples = [eg for eg in case.make_examples() if _aligns(eg)]
    for example in examples:
        case.nlp(example.predicted)
    check_figures(case.pipe.score(examples))


@action(2, changes=True)
def calibrate(case: Case) -> None:
    """Raw confidences are probabilities, and a calibration keeps them so."""
    if not case.subject.has_labels:
        return
    examples = [eg for eg in case.make_examples() if _aligns(eg)]
    pipe = case.spare.get_pipe(NAME)
    temperature = case.rng.choice([0.05, 1.0, 20.0])
    confidences, right = pipe.raw_confidences(examples, temperature)
    assert len(confidences) == len(right)
    assert np.isfinite(confidences).all()
    assert ((confidences >= 0) & (confidences <= 1)).all()
    if len(right):
        pipe.calibration = Calibration(temperature, fit_isotonic(confidences, right))
    for doc in case.docs:
        given = Given.of(doc)
        case.check(case.spare(doc), given)


@action(3, changes=True)
def update(case: Case) -> None:
    """Training on anything leaves a component that works."""
    pipe = case.spare.get_pipe(NAME)
    examples = case.make_examples()
    for example in examples:
        case.prepare(example.predicted, case.spare)
    for _ in range(2):
        with documented_errors():
            losses = pipe.update(examples, drop=case.rng.choice([0.0, 0.5, 1.0]))
            assert math.isfinite(losses[NAME]), losses
    _check_spare(case)


@action(3, changes=True)
def correct(case: Case) -> None:
    """So does a correction."""
    pipe = case.spare.get_pipe(NAME)
    if not case.subject.has_labels:
        return
    for example in case.make_examples():
        with documented_errors():
            assert pipe.correct(example, margin=case.rng.choice([0.0, 1.0, 100.0])) >= 0
    _check_spare(case)


@action(1, changes=True)
def add_label(case: Case) -> None:
    """A new label can be learned, whatever it looks like."""
    pipe = case.spare.get_pipe(NAME)
    if not case.subject.has_labels:
        return
    for label in case.rng.sample(ODD_LABELS, 2):
        with documented_errors():
            assert pipe.add_label(label) in (0, 1)
    with documented_errors():
        pipe.update(case.make_examples())
    _check_spare(case)


@action(1, changes=True)
def save_and_load(case: Case) -> None:
    """What was saved and loaded gives the same answers."""
    pipe = case.spare.get_pipe(NAME)
    with documented_errors():
        pipe.update(case.make_examples())
    before = written(case.spare(doc.copy()) for doc in case.docs)
    pipe.from_bytes(pipe.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    after = written(case.spare(doc.copy()) for doc in case.docs)
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


@action(4, changes=True)
def load_damaged(case: Case) -> None:
    """Damaged bytes are refused, or they make no difference."""
    pipe = case.spare.get_pipe(NAME)
    good = pipe.to_bytes(exclude=["vocab"])
    bad = damage(case.rng, good)
    if is_refused(lambda: pipe.from_bytes(bad, exclude=["vocab"])):
        assert pipe.to_bytes(exclude=["vocab"]) == good, "changed by what was refused"
        return
    docs = case.docs[:2]
    for one, other in zip(
        written(case.spare(doc.copy()) for doc in docs),
        written(case.nlp(doc.copy()) for doc in docs),
        strict=True,
    ):
        assert np.array_equal(one, other), "other answers from damaged bytes"


@action(2)
def change_tokens(case: Case) -> None:
    """Tokens that were merged or split, and parts of Docs, go through again."""
    for doc in case.docs:
        doc = case.nlp(doc)
        # spaCy takes heads with a cycle, but cannot merge what has them.
        if len(doc) < 3 or has_cycle(read_heads(doc)):
            continue
        start = case.rng.randrange(len(doc) - 1)
        with doc.retokenize() as retokenizer:
            retokenizer.merge(doc[start : start + 2])
        last = doc[-1]
        if case.rng.random() < 0.5 and len(last.text) > 1:
            # As long as before, but not the same.
            with doc.retokenize() as retokenizer:
                parts = [last.text[:1], last.text[1:]]
                retokenizer.split(last, parts, heads=[(last, 1), (last, 1)])
        part = doc[case.rng.randrange(len(doc)) :].as_doc(copy_user_data=True)
        for changed in (doc, part):
            words = [token.text for token in changed]
            changed = case.nlp(changed)
            check_confidences(changed, case.subject.confidence)
            assert [token.text for token in changed] == words


@action(1)
def merge_entities(case: Case) -> None:
    """Entities of whatever kind that another component sets are kept."""
    for doc in case.docs:
        if not len(doc):
            continue
        start = case.rng.randrange(len(doc))
        end = min(len(doc), start + case.rng.randint(1, 4))
        doc.set_ents([Span(doc, start, end, label="ODD")], default="missing")
        given = Given.of(doc)
        case.check(case.nlp(doc), given)


@action(0.5)
def build(case: Case) -> None:
    """Settings outside their range are refused; all others make a component that works."""
    config, is_valid = make_settings(case.rng, case.subject.settings)
    try:
        nlp = case.subject.blank(config)
    except ValueError as error:
        # spaCy itself refuses what has the wrong type.
        if is_valid and not is_documented(error):
            raise
        return
    assert is_valid, config
    with documented_errors():
        case.subject.train(nlp, n_sentences=5)
        for doc in case.docs:
            words = [token.text for token in doc]
            doc = nlp(Doc(nlp.vocab, words=words))
            assert [token.text for token in doc] == words


@action(1, changes=True)
def refuse(case: Case) -> None:
    """Arguments outside their range are refused, and nothing changes."""
    pipe = case.spare.get_pipe(NAME)
    example = make_gold_example(case.rng, case.nlp.vocab)
    doc = case.prepare(example.predicted)
    calls: list[Callable[[], Any]] = [
        lambda: pipe.nbest(doc, case.rng.choice([0, -1, -(2**40)])),
        lambda: pipe.update([example], drop=case.rng.choice(BAD_SHARES)),
        lambda: pipe.explain(doc, len(doc)),
    ]
    if case.subject.has_labels:
        calls.append(lambda: pipe.correct(example, margin=case.rng.choice(BAD_MARGINS)))
    before = pipe.to_bytes(exclude=["vocab"])
    taken = [number for number, call in enumerate(calls) if not is_refused(call)]
    assert not taken, taken
    assert pipe.to_bytes(exclude=["vocab"]) == before


def _scores(case: Case, doc: Doc) -> list[float]:
    """RETURNS (list[float]): The scores of the best answers for a copy of a Doc."""
    return [candidate.score for candidate in case.pipe.nbest(case.prepare(doc.copy()), 3)]


def _aligns(example: Example) -> bool:
    """RETURNS (bool): Whether both sides have the same text; spaCy cannot align others."""
    return example.predicted.text == example.reference.text


def _check_spare(case: Case) -> None:
    """Check what a changed component writes."""
    labels = case.subject.labels(case.spare)
    for doc in case.docs:
        given = Given.of(doc)
        case.check(case.spare(doc), given, labels)
