"""Many cases, one after the other, each with a seed of its own so that it can be repeated alone."""

import random
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from spacy.language import Language

from .actions import ACTIONS, Case
from .components import SUBJECTS, Subject
from .docs import make_doc

# Docs of a case. Actions that change a component cost more than their Docs.
N_DOCS = 8
# A vocab keeps all words that it has ever seen: start with a new one now and then.
N_CASES_PER_VOCAB = 100


@dataclass
class Failure:
    """A case that went wrong.

    subject (str): The component.
    action (str): What was done with it.
    number (int): The number of the case.
    trace (str): The traceback.
    """

    subject: str
    action: str
    number: int
    trace: str

    def __str__(self) -> str:
        return f"{self.subject}, {self.action}, case {self.number}\n{self.trace}"


@dataclass
class Campaign:
    """Cases for some components.

    seed (int): Seed of all cases.
    subjects (Sequence[str]): Names of the components.
    actions (Sequence[str]): Names of the actions to choose from.
    announce (Callable): Told the component, the action and the number of a case before it starts.
    """

    seed: int
    subjects: Sequence[str] = tuple(SUBJECTS)
    actions: Sequence[str] = tuple(ACTIONS)
    announce: Callable[[str, str, int], None] = lambda subject, action, number: None
    n_docs: int = 0
    n_cases: int = 0
    failures: list[Failure] = field(default_factory=list)
    _pipelines: dict[str, tuple[Language, Language]] = field(default_factory=dict)

    def run(self, seconds: float, *, max_failures: int = 10) -> None:
        """Run cases, the components in turn.

        seconds (float): How long.
        max_failures (int): Stop after this many.
        """
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end and len(self.failures) < max_failures:
            if number % N_CASES_PER_VOCAB == 0:
                self._pipelines.clear()
            for name in self.subjects:
                self.run_case(SUBJECTS[name], number)
            number += 1

    def run_case(self, subject: Subject, number: int) -> None:
        """Run one case, and take note of a failure.

        subject (Subject): The component.
        number (int): The number of the case.
        """
        rng = random.Random(f"{self.seed} {subject.name} {number}")
        weights = [ACTIONS[name].weight for name in self.actions]
        (action,) = rng.choices(self.actions, weights)
        self.announce(subject.name, action, number)
        case = self.start_case(rng, subject)
        try:
            self.take(action, case)
        except Exception:
            self.failures.append(Failure(subject.name, action, number, traceback.format_exc()))
        self.n_docs += case.n_docs
        self.n_cases += 1

    def start_case(self, rng: random.Random, subject: Subject, n_docs: int = N_DOCS) -> Case:
        """Make the Docs of a case, and what else it needs.

        rng (random.Random): Where chance comes from.
        subject (Subject): The component.
        n_docs (int): How many Docs.
        RETURNS (Case): The case.
        """
        if subject.name not in self._pipelines:
            nlp = subject.load()
            self._pipelines[subject.name] = nlp, subject.load(vocab=nlp.vocab)
        nlp, spare = self._pipelines[subject.name]
        return Case(rng, subject, nlp, spare, [make_doc(rng, nlp.vocab) for _ in range(n_docs)])

    def take(self, action: str, case: Case) -> None:
        """Do something with the component of a case. After an error, there will be a new one.

        action (str): Name of the action.
        case (Case): The case.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ACTIONS[action].run(case)
            if ACTIONS[action].changes:
                case.subject.restore(case.spare)
        except BaseException:
            self._pipelines.pop(case.subject.name)
            raise
