"""Speed of the tree kernel on WSJ trees of about 25 words: pairs, and lists against a model.

Measures CPU time. `corpora.candidates` says where the candidates come from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np
from wasabi import msg

from spacy_perceptron.learn.kernels.pairwise import kernel_matrix
from spacy_perceptron.learn.kernels.perceptron import KernelPerceptron
from spacy_perceptron.learn.kernels.settings import KernelSettings
from spacy_perceptron.learn.kernels.structures import Trees

from ..corpora.candidates import CandidateList, candidate_list, read_trees, tree_arrays
from .references import full_table_kernel, list_scores

SETTINGS = KernelSettings("subset_tree", decay=0.3, base_weight=0.2, normalize=False)
# Without the base model's score, which is not what is compared.
KERNEL_ONLY = KernelSettings("subset_tree", decay=0.3, base_weight=0.0, normalize=False)
LENGTHS = range(22, 29)
TRAINING_LENGTHS = range(10, 41)
SEED = 0
MAX_PASSES = 3


@dataclass(frozen=True)
class KernelScale:
    """How much a run measures.

    n_pairs (int): trees along each side of the matrix of pairwise kernels.
    n_plain (int): the same for the interpreted full table.
    n_candidates (int): candidates in a list.
    n_lists (int): lists to score against a model.
    supports (tuple[int, ...]): sizes of models, in support candidates.
    n_train (int): lists to train the models on.
    sentences (tuple[int, ...]): numbers of sentences to train on.
    repetitions (int): how often to measure; the median counts.
    """

    n_pairs: int = 400
    n_plain: int = 6
    n_candidates: int = 20
    n_lists: int = 40
    supports: tuple[int, ...] = (500, 1_000, 2_000)
    n_train: int = 2_700
    sentences: tuple[int, ...] = (250, 500, 1_000, 2_000)
    repetitions: int = 5


QUICK = KernelScale(
    n_pairs=150,
    n_plain=3,
    n_lists=10,
    supports=(100, 200),
    n_train=300,
    sentences=(100, 200),
    repetitions=3,
)


def cpu_seconds(work: Callable[[], object]) -> float:
    """How many CPU seconds of this process some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def pair_speeds(trees: Trees, scale: KernelScale) -> list[dict[str, Any]]:
    """Kernels per second of the full table and of sorted productions.

    trees (Trees): trees to compare with each other.
    scale (KernelScale): how many.
    RETURNS (list[dict[str, Any]]): one result for each.
    """
    single = [trees.select([i]) for i in range(scale.n_plain)]
    few = trees.select(range(scale.n_plain))
    many = trees.select(range(min(scale.n_pairs, len(trees))))
    table: list[float] = []

    def fill() -> None:
        table[:] = [full_table_kernel(x, y, SETTINGS.decay) for x in single for y in single]

    seconds = [
        (cpu_seconds(fill), cpu_seconds(lambda: kernel_matrix(KERNEL_ONLY, many, many)))
        for _ in range(scale.repetitions)
    ]
    expected = kernel_matrix(KERNEL_ONLY, few, few).ravel()
    np.testing.assert_allclose(table, expected, rtol=1e-9)
    plain, fast = (median(column) for column in zip(*seconds, strict=True))
    return [
        _speed("full table, interpreted", len(table) / plain, len(table) / plain),
        _speed("sorted productions", len(many) ** 2 / fast, len(table) / plain),
    ]


def _speed(label: str, per_second: float, base: float) -> dict[str, Any]:
    return {"label": label, "per_second": per_second, "ratio": per_second / base}


def collect_supports(
    lists: Sequence[CandidateList], n_supports: int
) -> tuple[KernelPerceptron, Trees]:
    """Train until there are enough support candidates.

    lists (Sequence[CandidateList]): training lists, used up to three times.
    n_supports (int): the number of support candidates, two for each mistake; fewer if the model
        makes too few.
    RETURNS (tuple[KernelPerceptron, Trees]): the model, and its support trees as a list.
    """
    model = KernelPerceptron(KERNEL_ONLY, combine="final")
    pairs: list[Trees] = []
    for candidates in list(lists) * MAX_PASSES:
        scores = model.scores(candidates.trees, candidates.base_scores, relative=True)
        if model.learn(candidates.trees, candidates.base_scores, candidates.target):
            pairs.append(candidates.trees.select([candidates.target, int(np.argmax(scores))]))
        if 2 * len(pairs) >= n_supports:
            break
    offsets = np.cumsum([0, *(size for pair in pairs for size in np.diff(pair.offsets))])
    labels = np.concatenate([pair.labels for pair in pairs])
    return model, Trees(labels, np.concatenate([p.n_children for p in pairs]), offsets)


def support_speed(
    train: Sequence[CandidateList], test: Sequence[CandidateList], n_supports: int, repetitions: int
) -> dict[str, Any]:
    """A model as one graph against the list of its support trees.

    train (Sequence[CandidateList]): lists to train on.
    test (Sequence[CandidateList]): lists to score.
    n_supports (int): the size of the model.
    repetitions (int): how often to measure.
    RETURNS (dict[str, Any]): time per list, sizes, and the largest relative difference of scores.
    """
    model, supports = collect_supports(train, n_supports)
    found: list[np.ndarray] = []
    expected: list[np.ndarray] = []

    def score_by_graph() -> None:
        found[:] = [model.scores(x.trees, x.base_scores) for x in test]

    def score_by_list() -> None:
        expected[:] = [list_scores(KERNEL_ONLY, supports, x.trees) for x in test]

    times = [(cpu_seconds(score_by_graph), cpu_seconds(score_by_list)) for _ in range(repetitions)]
    graph, by_list = (median(column) / len(test) for column in zip(*times, strict=True))
    largest = max(np.abs(scores).max() for scores in expected)
    difference = max(np.abs(a - b).max() for a, b in zip(found, expected, strict=True))
    state = model.state()
    return {
        "label": f"{len(supports):,} support trees",
        "n_supports": len(supports),
        "list_nodes": int((supports.n_children > 0).sum()),
        "graph_nodes": model.n_nodes,
        "list_bytes": supports.labels.nbytes + supports.n_children.nbytes,
        "graph_bytes": sum(array.nbytes for array in state.values()),
        "list_seconds": by_list,
        "graph_seconds": graph,
        "ratio": by_list / graph,
        "per_second": len(test[0].trees) * len(supports) / graph,
        "difference": float(difference / largest),
    }


def growth(lists: Sequence[CandidateList], numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The time that one pass over more and more sentences takes.

    lists (Sequence[CandidateList]): the training lists.
    numbers (Sequence[int]): numbers of sentences.
    RETURNS (list[dict[str, Any]]): a result per number.
    """
    results = []
    model = KernelPerceptron(SETTINGS)
    seconds, done = 0.0, 0
    for n in sorted({min(n, len(lists)) for n in numbers}):
        chosen = lists[done:n]
        seconds, done = seconds + cpu_seconds(partial(_learn, model, chosen)), n
        results.append(
            {
                "label": f"{n:,} sentences",
                "n_sentences": n,
                "seconds": seconds,
                "per_sentence": seconds / n,
                "n_mistakes": model.n_mistakes,
                "n_nodes": model.n_nodes,
            }
        )
    return results


def _learn(model: KernelPerceptron, lists: Sequence[CandidateList]) -> None:
    for candidates in lists:
        model.learn(candidates.trees, candidates.base_scores, candidates.target)


def measure_kernels(data: Path, scale: KernelScale) -> dict[str, Any]:
    """Measure everything.

    data (Path): directory of the treebanks.
    scale (KernelScale): how much.
    RETURNS (dict[str, Any]): plain data: `corpus`, `scale`, `systems` (ways to compute kernels),
        `supports` and `growth`.
    """
    rng = Random(SEED)
    trees = read_trees(data, TRAINING_LENGTHS)
    short = [tree for tree in trees if len(tree.words()) in LENGTHS]
    msg.text(f"{len(short)} trees of {LENGTHS.start} to {LENGTHS.stop - 1} words: pairs ...")
    systems = pair_speeds(tree_arrays(short[: scale.n_pairs]), scale)
    msg.text("candidate lists ...")
    tested = short[-scale.n_lists :]
    test = [candidate_list(tree, scale.n_candidates, rng) for tree in tested]
    rest = [tree for tree in trees if tree not in tested][: scale.n_train]
    train = [candidate_list(tree, scale.n_candidates, rng) for tree in rest]
    supports = []
    for n in scale.supports:
        msg.text(f"{n} support trees ...")
        supports.append(support_speed(train, test, n, scale.repetitions))
    largest = supports[-1]
    label = f"graph of {largest['n_supports']:,} support trees"
    base = systems[0]["per_second"]
    return {
        "corpus": {
            "name": "WSJ",
            "words_per_tree": float(np.mean([len(tree.words()) for tree in tested])),
        },
        "scale": asdict(scale),
        "systems": [*systems, _speed(label, largest["per_second"], base)],
        "supports": supports,
        "growth": growth(train, scale.sentences),
    }
