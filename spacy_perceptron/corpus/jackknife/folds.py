"""Jackknifing: annotate each fold of a corpus with components trained on the other folds.

Folds consist of whole documents, chosen by a seed alone, and training is seeded too: the result
does not depend on the number of processes. Neighbours mostly stay together: where a Doc is a
sentence, its neighbours share its rare words and names, and a model that has seen them does better
than it will on new text. Cost: k trainings on (k - 1) / k of the corpus.
"""

import random
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import DocBin
from thinc.api import Config

from ...errors import Errors
from ...values import LIMIT, SEED, Values
from ..bins import count_docs, join_bins
from .config import check_components, find_code, make_fold_config
from .engines import current_engine
from .fold import FoldResult, FoldTask, run_fold
from .progress import FoldBar, reporting_to
from .workers import run_in_processes

# Number of runs of neighbouring documents in a fold.
RUNS_PER_FOLD = 20
FOLDS = PROCESSES = Values(int, at_least=1)
EPOCHS = Values(int | None, at_least=0)


@dataclass(frozen=True)
class Jackknife:
    """What to jackknife and how.

    path (Path): The training corpus: a .spacy file or a folder of them.
    components (list[str]): Names of the components to train and predict with.
    n_folds (int): Number of folds.
    n_process (int): How many folds to train at once.
    seed (int): Seed of the folds, and of the training where [training] has none.
    max_epochs (Optional[int]): Number of epochs; None: train as [training] says, and keep the model
        that is best on the dev corpus.
    gold_tokens (bool): Whether to work on gold tokens and sentences.
    max_length (int): Longer documents are left out, or split into sentences if there are no gold
        tokens; 0 for no limit.
    limit (int): Maximum number of documents; 0 for all.
    inputs (Optional[Path]): Predictions of other components to start from, such as jackknifed tags:
        one document per document of the corpus. There are none for the dev corpus, so `max_epochs`
        must say when to stop.
    """

    path: Path
    components: list[str]
    n_folds: int = 5
    n_process: int = 1
    seed: int = 0
    max_epochs: int | None = None
    gold_tokens: bool = False
    max_length: int = 0
    limit: int = 0
    inputs: Path | None = None

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        # How many folds fit is known once the documents are counted.
        FOLDS.check("n_folds", self.n_folds)
        PROCESSES.check("n_process", self.n_process)
        SEED.check("seed", self.seed)
        EPOCHS.check("max_epochs", self.max_epochs)
        LIMIT.check("max_length", self.max_length)
        LIMIT.check("limit", self.limit)

    def tasks(self, nlp: Language) -> list[FoldTask]:
        """Check the settings and describe the folds.

        nlp (Language): The pipeline that defines the components; not changed.
        RETURNS (list[FoldTask]): One task per fold.
        """
        n_docs = count_docs(self.path, self.limit)
        if not 2 <= self.n_folds <= n_docs:
            raise ValueError(Errors.JACKKNIFE_BAD_FOLDS.format(n_folds=self.n_folds, n_docs=n_docs))
        names = check_components(nlp, self.components)
        config = make_fold_config(nlp, names, seed=self.seed, max_epochs=self.max_epochs)
        if self.inputs is not None and self.max_epochs is None:
            raise ValueError(Errors.JACKKNIFE_INPUTS_EPOCHS.format(path=self.inputs))
        rest = (self.gold_tokens, self.max_length, self.limit, self.inputs)
        folds = split_folds(n_docs, self.n_folds, self.seed)
        return [FoldTask(config.to_str(), self.path, held_out, *rest) for held_out in folds]


@dataclass(frozen=True)
class JackknifeResult:
    """A jackknifed corpus.

    doc_bin (DocBin): The documents with predicted annotation, in the order of the corpus.
    fold_sizes (list[int]): How many documents of the corpus each fold held out.
    fold_scores (list[dict[str, Any]]): The scores of each fold's annotation.
    """

    doc_bin: DocBin
    fold_sizes: list[int]
    fold_scores: list[dict[str, Any]]

    @property
    def mean_scores(self) -> dict[str, float]:
        """RETURNS (dict[str, float]): The means of all scores that are numbers in every fold."""
        names = [
            name
            for name in self.fold_scores[0]
            if all(isinstance(scores.get(name), float) for scores in self.fold_scores)
        ]
        return {
            name: sum(s[name] for s in self.fold_scores) / len(self.fold_scores) for name in names
        }


def split_folds(n_docs: int, n_folds: int, seed: int) -> list[list[int]]:
    """Deal runs of neighbouring documents out to folds of about the same size.

    Runs are short enough to mix what comes in long stretches, such as genres. A small corpus has
    runs of one document.

    n_docs (int): Number of documents.
    n_folds (int): Number of folds.
    seed (int): Seed.
    RETURNS (list[list[int]]): The documents of each fold, ascending.
    """
    n_runs = min(n_docs, n_folds * RUNS_PER_FOLD)
    bounds = [n_docs * i // n_runs for i in range(n_runs + 1)]
    runs = [range(start, end) for start, end in pairwise(bounds)]
    random.Random(seed).shuffle(runs)
    return [sorted(i for run in runs[fold::n_folds] for i in run) for fold in range(n_folds)]


def jackknife(nlp: Language, settings: Jackknife) -> JackknifeResult:
    """Annotate a corpus by jackknifing.

    nlp (Language): The pipeline that defines the components and [training]; not changed.
    settings (Jackknife): What to jackknife and how.
    RETURNS (JackknifeResult): The annotated corpus.
    """
    tasks = settings.tasks(nlp)
    config = Config().from_str(tasks[0].config)
    results: list[FoldResult | None] = [None] * len(tasks)
    with (
        FoldBar(len(tasks), config) as bar,
        # Closed, so that workers end here if anything fails, and not whenever memory is freed.
        closing(_run(tasks, find_code(config), settings.n_process, bar)) as folds,
    ):
        for fold, result in folds:
            results[fold] = result
            bar.finish(fold)
    done = [result for result in results if result is not None]
    doc_bin = _in_corpus_order(tasks, done)
    sizes = [len(task.held_out) for task in tasks]
    return JackknifeResult(doc_bin, sizes, [result.scores for result in done])


def _run(
    tasks: list[FoldTask], code: list[tuple[str, str]], n_process: int, bar: FoldBar
) -> Generator[tuple[int, FoldResult], None, None]:
    """Run folds by the engine that was chosen, or else here or in other processes.

    tasks (list[FoldTask]): The folds.
    code (list[tuple[str, str]]): What other processes have to import.
    n_process (int): How many to run at once, if no engine was chosen.
    bar (FoldBar): Shows the steps.
    YIELDS (tuple[int, FoldResult]): Fold numbers and results as they become ready.
    """
    engine = current_engine()
    if engine is not None:
        yield from engine(tasks, code)
        return
    if n_process > 1:
        yield from run_in_processes(tasks, code, n_process, bar.report)
        return
    for fold, task in enumerate(tasks):
        with reporting_to(partial(bar.report, fold)):
            result = run_fold(task)
        yield fold, result


def _in_corpus_order(tasks: list[FoldTask], results: list[FoldResult]) -> DocBin:
    """Put the documents of all folds back into the order of the corpus.

    tasks (list[FoldTask]): The folds.
    results (list[FoldResult]): Their results.
    RETURNS (DocBin): The whole corpus.
    """
    bins = [DocBin().from_bytes(result.docs) for result in results]
    places: dict[int, list[tuple[int, int]]] = {}
    for fold, (task, result) in enumerate(zip(tasks, results, strict=True)):
        start = 0
        for i, n_docs in zip(task.held_out, result.n_docs, strict=True):
            places[i] = [(fold, j) for j in range(start, start + n_docs)]
            start += n_docs
    return join_bins(bins, [place for i in sorted(places) for place in places[i]])
