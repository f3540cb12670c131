"""Go over the steps of an interrupted training again, without learning.

spaCy's loop keeps its place in generators: the corpus, batches, schedules, the best score. These
can't be saved, but they can be run again: with the same random numbers they give the same batches,
which takes as long as it takes to read the corpus. Components learn nothing meanwhile, and
evaluations have the results that they had.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.attrs import ORTH
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ...errors import Errors
from .checkpoint import Progress, RandomStates, read_random, restore_random

Batch = list[Example]
Score = tuple[float, dict[str, Any]]


class Replay:
    """A pipeline in training, which repeats what was done and then goes on. It is the pipeline that
    spaCy's loop sees.

    nlp (Language): The pipeline.
    progress (Progress): How far it was; it is kept up to date.
    random_states (RandomStates): Random numbers so far; kept up to date as well. The last ones are
        those of the checkpoint, if there is one.
    """

    def __init__(self, nlp: Language, progress: Progress, random_states: RandomStates) -> None:
        self._nlp = nlp
        self.progress = progress
        self.random_states = random_states
        self.references: list[Doc] | None = None
        self._step = -1
        self._batches = 0
        self._n_epochs = 0
        self._last = progress.step
        self._evaluations = {entry["step"]: entry for entry in progress.history}
        self._at_checkpoint = random_states.states.pop() if self.is_repeating else {}
        if self.is_repeating:
            restore_random(random_states.states[0])
        else:
            random_states.states = [read_random()]

    @property
    def is_repeating(self) -> bool:
        """RETURNS (bool): Whether the next step was already done."""
        return self._step < self._last

    @property
    def is_at_checkpoint(self) -> bool:
        """RETURNS (bool): Whether the last step done is that of the checkpoint."""
        return self._step == self._last

    def __getattr__(self, name: str) -> Any:
        return getattr(self._nlp, name)

    # --- What spaCy's loop calls ------------------------------------------------------------

    def update(self, examples: Iterable[Example], **settings: Any) -> dict[str, float]:
        """Learn from a batch, as `Language.update` does, unless that was done."""
        if self._step > self._last:
            return self._nlp.update(examples, **settings)
        losses: dict[str, float] = settings["losses"]
        if self._step in self._evaluations:
            losses.update(self._evaluations[self._step]["losses"])
        elif self._step == self._last:
            losses.update(self.progress.losses)
        return losses

    def corpus(self, read: Callable[[Language], Iterable[Example]]) -> Callable:
        """RETURNS (Callable): A corpus that is read once, and whose gold Docs are remembered."""

        def read_and_remember(_: Any) -> Iterator[Example]:
            self.references = []
            for example in read(self._nlp):
                self.references.append(example.reference)
                yield example

        return read_and_remember

    def streamed(self, read: Callable[[Language], Iterable[Example]]) -> Callable:
        """RETURNS (Callable): A corpus that is read in every epoch."""
        return lambda _: read(self._nlp)

    def batcher(self, make_batches: Callable[[Iterable[Example]], Iterable[Batch]]) -> Callable:
        """RETURNS (Callable): A batcher that keeps the random numbers after each epoch."""

        def batch(examples: Iterable[Example]) -> Iterator[Batch]:
            yield from make_batches(examples)
            self._n_epochs += 1
            if self._n_epochs < len(self.random_states.states):
                restore_random(self.random_states.states[self._n_epochs])
            else:
                self.random_states.states.append(read_random())

        return batch

    def steps(self, batches: Iterable[tuple[int, Batch]]) -> Iterator[tuple[int, Batch]]:
        """Count steps, and take checksums of their batches.

        batches (Iterable): Epochs and batches.
        YIELDS (tuple[int, list[Example]]): The same.
        """
        for epoch, batch in batches:
            batch = list(batch)
            for example in batch:
                words = example.reference.to_array(ORTH).tobytes()
                self._batches = zlib.crc32(words, self._batches)
            self._step += 1
            yield epoch, batch

    def evaluation(self, evaluate: Callable[[], Score]) -> Callable[[], Score]:
        """RETURNS (Callable): An evaluation that gives known results again."""

        def find_score() -> Score:
            if self._step > self._last:
                return evaluate()
            entry = self._evaluations[self._step]
            return entry["score"], entry["other_scores"]

        return find_score

    # --- What happens between its steps -------------------------------------------------------

    def go_on(self) -> None:
        """Leave the checkpoint: what comes next is new."""
        if self._batches != self.progress.batches:
            raise ValueError(Errors.TRAIN_BATCHES.format(step=self._last))
        restore_random(self._at_checkpoint)

    def note(self, info: dict[str, Any], *, is_evaluated: bool) -> None:
        """Take note of a new step.

        info (dict): What spaCy's loop says about it.
        is_evaluated (bool): Whether it was evaluated.
        """
        progress, losses = self.progress, dict(info["losses"])
        progress.step, progress.batches = self._step, self._batches
        if is_evaluated:
            entry = {name: info[name] for name in ("step", "score", "other_scores")}
            progress.history.append({**entry, "losses": losses})
        progress.losses = {} if is_evaluated else losses
