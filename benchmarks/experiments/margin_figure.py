"""The four models of Taskar, Klein, Collins, Koller & Manning (2004), figure 3, on the WSJ sample.

All trees of the sample are split into folds, sentence by sentence. Each model is trained on the
other folds and tested on one, and the brackets of all folds are counted together. As in the paper,
only sentences of up to 15 words count; `--longest 0` takes all lengths, with pruning.

Tags for the auxiliary classifiers come from taggers that have seen neither the test part nor the
sentence itself. C is chosen on a fifth of the training part.

Run it alone:

    python -m benchmarks.experiments.margin_figure --folds 5
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.evaluation.significance import paired_bootstrap
from spacy_perceptron.trees.constituents import SPANS_KEY

from ..corpora.constituents import doc_constituents, tree_corpus
from ..corpora.corpus import SPLITS, data_directory
from ..corpora.sentences import PhraseAnalysis, Sentence
from ..measures.constituents import bracket_result, count_brackets
from ..measures.entities import f_score

LONGEST = 15
LEXICAL, AUXILIARY = "spacy_perceptron.span_lexical.v1", "spacy_perceptron.span_auxiliary.v1"
# Learner and template sets of each model, and its F1 in the paper.
MODELS: dict[str, tuple[str, tuple[str, ...], float]] = {
    "generative": ("generative", (), 0.8799),
    "basic": ("smo", (), 0.8820),
    "lexical": ("smo", (LEXICAL,), 0.8844),
    "lexical + auxiliary": ("smo", (LEXICAL, AUXILIARY), 0.8912),
}
FIRST, LAST = "generative", "lexical + auxiliary"
# A tree, and the tags that a tagger gives to its words.
Tagged = tuple[Sentence, list[str]]
# What is tried for C, on a part of the training data.
CHOICES = (0.1, 0.3, 1.0)
# Enough to see which value of C is best.
TUNING_EPOCHS = 5
MAX_EPOCHS = 60
TARGET_GAP = 0.01
BATCH = 100
TAGGER_EPOCHS = 5
TAGGER = {"beam_width": 1, "margin": 10.0, "adaptive": True}
# The paper's parser: markovized, exact, tags chosen in the chart.
SETTINGS: dict[str, Any] = {
    "vertical": 2,
    "horizontal": 1,
    "tagging": "chart",
    "max_tags": 8,
    "head_features": False,
    "pruner_epochs": 0,
    "threshold": 1000.0,
    "dropout": 0.0,
    "confidence": False,
}
PRUNED = {"pruner_epochs": 2, "threshold": 8.0}


@dataclass
class FoldResult:
    """What a model reaches in a fold.

    counts (list): right, predicted and gold brackets of each test sentence.
    c (float): the C that was chosen, 0 for the generative model.
    gap (float): the duality gap after the last epoch, a share of the primal objective.
    epochs (int): how many epochs that took.
    seconds (float): the seconds of the last training.
    """

    counts: list[list[int]]
    c: float = 0.0
    gap: float = 0.0
    epochs: int = 0
    seconds: float = 0.0


@dataclass
class Figure:
    """What all models reach.

    longest (int): the longest sentences, 0 for no limit.
    n_sentences (int): the number of test sentences of all folds.
    folds (dict): for each model, its results fold by fold.
    """

    longest: int
    n_sentences: int
    folds: dict[str, list[FoldResult]] = field(default_factory=dict)

    def counts(self, model: str) -> np.ndarray:
        """RETURNS (np.ndarray): the brackets of all test sentences."""
        return np.array([row for fold in self.folds[model] for row in fold.counts], np.int64)

    def f(self, model: str) -> float:
        """RETURNS (float): F1 of the brackets of all folds."""
        return float(bracket_result(self.counts(model))["share"])

    def order(self) -> list[str]:
        """RETURNS (list[str]): the models, the worst one first."""
        return sorted(self.folds, key=self.f)

    def largest_gap(self) -> float:
        """RETURNS (float): the largest duality gap at the end of a training."""
        return max((fold.gap for folds in self.folds.values() for fold in folds), default=0.0)

    def significance(self, a: str = FIRST, b: str = LAST) -> dict[str, Any]:
        """RETURNS (dict): the paired bootstrap on F1; the difference is b minus a."""
        return asdict(paired_bootstrap(self.counts(a), self.counts(b), f_score))

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict): all figures as plain data."""
        return {
            "longest": self.longest,
            "n_sentences": self.n_sentences,
            "models": {
                name: {
                    "paper": MODELS[name][2],
                    "brackets": bracket_result(self.counts(name)),
                    "c": [fold.c for fold in folds],
                    "gaps": [fold.gap for fold in folds],
                    "epochs": [fold.epochs for fold in folds],
                    "seconds": [fold.seconds for fold in folds],
                }
                for name, folds in self.folds.items()
            },
            "order": self.order(),
            "largest_gap": self.largest_gap(),
            "significance": self.significance(),
        }

    def table(self) -> str:
        """RETURNS (str): the figures as a table of Markdown."""
        lines = [
            f"{self.n_sentences} sentences of "
            + (f"up to {self.longest} words" if self.longest else "all lengths"),
            "",
            "| model | precision | recall | F1 | the paper's F1 | C | epochs | largest gap |",
            "| --- | --: | --: | --: | --: | --: | --: | --: |",
        ]
        for name, folds in self.folds.items():
            found = bracket_result(self.counts(name))
            shares = [100 * found[key] for key in ("precision", "recall", "share")]
            learned = ["–"] * 3
            if MODELS[name][0] == "smo":
                tried = "/".join(f"{c:g}" for c in sorted({fold.c for fold in folds}))
                epochs = f"{np.mean([fold.epochs for fold in folds]):.0f}"
                learned = [tried, epochs, f"{100 * max(fold.gap for fold in folds):.2f} %"]
            cells = [*(f"{share:.2f}" for share in shares), f"{100 * MODELS[name][2]:.2f}"]
            lines.append("| " + " | ".join([name, *cells, *learned]) + " |")
        test = self.significance()
        lines += [
            "",
            f"{LAST} against {FIRST}: {100 * test['delta']:+.2f}, p = {test['p_value']:.4f}",
            f"order: {' < '.join(self.order())}",
        ]
        return "\n".join(lines)


# --- Data -------------------------------------------------------------------------------------


def load_trees(data: Path, directory: Path) -> list[Sentence]:
    """All trees of the sample.

    data (Path): directory that contains `wsj/{train,dev,test}.mrg`.
    directory (Path): where to write them as DocBins.
    RETURNS (list[Sentence]): the trees.
    """
    corpus = tree_corpus(data, directory)
    return [sentence for split in SPLITS for sentence in corpus.sentences(split)]


def _words_of(sentence: Sentence, nlp: Language, tags: Sequence[str] | None = None) -> Doc:
    """The words of a sentence, and tags if there are any."""
    starts = [i == 0 for i in range(len(sentence.words))]
    return Doc(
        nlp.vocab,
        words=sentence.words,
        spaces=sentence.spaces,
        tags=None if tags is None else list(tags),
        sent_starts=starts,
    )


def _example(sentence: Sentence, nlp: Language, tags: Sequence[str] | None = None) -> Example:
    gold = _words_of(sentence, nlp, sentence.tags)
    spans = [Span(gold, start, end, label) for label, start, end in sentence.constituents]
    gold.spans[SPANS_KEY] = spans
    return Example(_words_of(sentence, nlp, tags), gold)


def tag_trees(
    trees: Sequence[Sentence], n_folds: int, longest: int, left_out: Sequence[int]
) -> dict[int, list[str]]:
    """Tag the folds that a tagger has not seen.

    trees (Sequence[Sentence]): all trees; number i is in fold i % n_folds.
    n_folds (int): the number of folds.
    longest (int): the longest sentences, 0 for no limit.
    left_out (Sequence[int]): the folds to leave out in training, and to tag.
    RETURNS (dict[int, list[str]]): the tags of these folds' sentences, by their numbers.
    """
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", config=TAGGER)
    own = [(i, tree) for i, tree in enumerate(trees) if not longest or len(tree.words) <= longest]
    seen = [tree for i, tree in own if i % n_folds not in left_out]
    examples = [_example(sentence, nlp) for sentence in seen]
    nlp.initialize(lambda: examples)
    order = random.Random(0)
    for _ in range(TAGGER_EPOCHS):
        order.shuffle(examples)
        for start in range(0, len(examples), BATCH):
            nlp.update(examples[start : start + BATCH], drop=0.3)
    numbers = [i for i, _ in own if i % n_folds in left_out]
    tagged = nlp.pipe(_words_of(trees[i], nlp) for i in numbers)
    return {i: [token.tag_ for token in doc] for i, doc in zip(numbers, tagged, strict=True)}


# --- Training ---------------------------------------------------------------------------------


def make_parser(model: str, c: float, *, longest: int) -> Language:
    """Make one of the paper's parsers.

    model (str): one of `MODELS`.
    c (float): the paper's C.
    longest (int): the longest sentences; with no limit, spans are pruned.
    RETURNS (Language): a pipeline of a parser.
    """
    learner, sets, _ = MODELS[model]
    config = {
        **SETTINGS,
        **({} if longest else PRUNED),
        "learner": learner,
        "c": c,
        "templates": {
            "@misc": "spacy_perceptron.templates.v1",
            "sets": [*sets],
            "extra": [],
            "without": [],
        },
        "model": {
            "@architectures": "spacy_perceptron.MaxMarginModel.v1",
            "n_bits": 22,
            "pruner_bits": 20,
            "flat_bits": 20,
        },
    }
    nlp = spacy.blank("en")
    nlp.add_pipe("max_margin_parser", name="parser", config=config)
    return nlp


def train_parser(nlp: Language, trees: Sequence[Tagged], *, max_epochs: int) -> tuple[float, int]:
    """Train a parser until it is close to the optimum.

    nlp (Language): the pipeline.
    trees (Sequence[Tagged]): the trees.
    max_epochs (int): the most passes.
    RETURNS (tuple[float, int]): the duality gap, and the number of epochs.
    """
    examples = [_example(tree, nlp, tags) for tree, tags in trees]
    nlp.initialize(lambda: examples)
    parser: Any = nlp.get_pipe("parser")
    order = random.Random(0)
    if parser.learner != "smo":
        return 0.0, 0
    shuffled = list(examples)
    epoch = 0
    gap = 1.0
    while epoch < max_epochs and gap > TARGET_GAP:
        epoch += 1
        order.shuffle(shuffled)
        for start in range(0, len(shuffled), BATCH):
            nlp.update(shuffled[start : start + BATCH], drop=0.0)
        # The estimate first, because it costs nothing.
        gap = parser.duality_gap()
        if gap <= TARGET_GAP or epoch == max_epochs:
            gap = parser.duality_gap(examples)
    return gap, epoch


def test_parser(nlp: Language, trees: Sequence[Tagged]) -> list[list[int]]:
    """RETURNS (list): right, predicted and gold brackets of each sentence."""
    parsed = nlp.pipe(_words_of(tree, nlp, tags) for tree, tags in trees)
    found = [
        PhraseAnalysis(tags=tags, constituents=doc_constituents(doc))
        for doc, (_, tags) in zip(parsed, trees, strict=True)
    ]
    return count_brackets([tree for tree, _ in trees], found).tolist()


def choose_c(model: str, trees: Sequence[Tagged], *, longest: int) -> float:
    """Choose C on a fifth of the training part.

    model (str): one of `MODELS`.
    trees (Sequence[Tagged]): the training part.
    longest (int): the longest sentences.
    RETURNS (float): the best of `CHOICES`.
    """
    kept, held_out = [pair for i, pair in enumerate(trees) if i % 5], trees[::5]

    def score(c: float) -> float:
        nlp = make_parser(model, c, longest=longest)
        train_parser(nlp, kept, max_epochs=TUNING_EPOCHS)
        return float(bracket_result(np.array(test_parser(nlp, held_out)))["share"])

    return max(CHOICES, key=score)


def run_fold(
    model: str,
    train: Sequence[Tagged],
    test: Sequence[Tagged],
    *,
    longest: int,
    c: float | None = None,
    max_epochs: int = MAX_EPOCHS,
) -> FoldResult:
    """Train and test a model.

    model (str): one of `MODELS`.
    train, test (Sequence[Tagged]): trees with predicted tags.
    longest (int): the longest sentences.
    c (float | None): the paper's C, None to choose it.
    max_epochs (int): the most passes.
    RETURNS (FoldResult): what it reaches.
    """
    warnings.simplefilter("ignore")
    if MODELS[model][0] != "smo":
        c = 1.0
    elif c is None:
        c = choose_c(model, train, longest=longest)
    nlp = make_parser(model, c, longest=longest)
    start = time.perf_counter()
    gap, epochs = train_parser(nlp, train, max_epochs=max_epochs)
    seconds = time.perf_counter() - start
    return FoldResult(test_parser(nlp, test), c, gap, epochs, seconds)


# --- All folds --------------------------------------------------------------------------------


class Folds:
    """The folds, with tags from taggers that have not seen them.

    trees (Sequence[Sentence]): all trees.
    n_folds (int): the number of folds, 3 or more.
    longest (int): the longest sentences, 0 for no limit.
    n_process (int): how many taggers to train at once.
    """

    def __init__(
        self, trees: Sequence[Sentence], n_folds: int, *, longest: int = LONGEST, n_process: int = 1
    ) -> None:
        if n_folds < 3:
            raise ValueError(f"{n_folds} folds leave nothing to train taggers on: use 3 or more.")
        self.trees = trees
        self.n_folds = n_folds
        self.longest = longest
        groups = [(i,) for i in range(n_folds)] + list(combinations(range(n_folds), 2))
        tag = partial(tag_trees, trees, n_folds, longest)
        self._tags = dict(zip(groups, _map(tag, groups, n_process), strict=True))

    def parts(self, fold: int) -> tuple[list[Tagged], list[Tagged]]:
        """RETURNS (tuple): the training part and the test part of a fold, with predicted tags."""
        parts: tuple[list[Tagged], list[Tagged]] = ([], [])
        for i, tree in enumerate(self.trees):
            if not self.longest or len(tree.words) <= self.longest:
                own = i % self.n_folds
                key = tuple(sorted({own, fold}))
                parts[own == fold].append((tree, self._tags[key][i]))
        return parts


def _map(function: Any, items: Sequence[Any], n_process: int) -> list[Any]:
    if n_process == 1:
        return [function(item) for item in items]
    with ProcessPoolExecutor(n_process) as pool:
        return list(pool.map(function, items))


def _run(folds: Folds, c: float | None, max_epochs: int, task: tuple[str, int]) -> FoldResult:
    model, fold = task
    train, test = folds.parts(fold)
    result = run_fold(model, train, test, longest=folds.longest, c=c, max_epochs=max_epochs)
    share = bracket_result(np.array(result.counts))["share"]
    print(
        f"{model}, fold {fold}: F1 {100 * share:.2f}, C {result.c:g}, {result.epochs} epochs, "
        f"gap {100 * result.gap:.2f} %, {result.seconds:.0f} s",
        file=sys.stderr,
        flush=True,
    )
    return result


def make_figure(
    trees: Sequence[Sentence],
    *,
    n_folds: int = 5,
    longest: int = LONGEST,
    models: Sequence[str] = tuple(MODELS),
    c: float | None = None,
    n_process: int = 1,
    max_epochs: int = MAX_EPOCHS,
) -> Figure:
    """Train and test the models on all folds.

    trees (Sequence[Sentence]): the trees.
    n_folds (int): the number of folds.
    longest (int): the longest sentences, 0 for no limit.
    models (Sequence[str]): some of `MODELS`, the first and the last of them among these.
    c (float | None): the paper's C, None to choose it in every fold.
    n_process (int): how many trainings to run at once.
    max_epochs (int): the most passes of a training.
    RETURNS (Figure): the figures.
    """
    folds = Folds(trees, n_folds, longest=longest, n_process=n_process)
    tasks = [(model, fold) for model in models for fold in range(n_folds)]
    found = _map(partial(_run, folds, c, max_epochs), tasks, n_process)
    n_sentences = sum(not longest or len(tree.words) <= longest for tree in trees)
    figure = Figure(longest, n_sentences)
    for (model, _), result in zip(tasks, found, strict=True):
        figure.folds.setdefault(model, []).append(result)
    return figure


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, help="directory of the treebanks")
    parser.add_argument("--folds", type=int, default=5, help="number of folds, 3 or more")
    parser.add_argument("--longest", type=int, default=LONGEST, help="0: sentences of all lengths")
    parser.add_argument("--c", type=float, help="the paper's C (default: chosen in each fold)")
    parser.add_argument("--max-epochs", type=int, default=MAX_EPOCHS, help="passes at most")
    parser.add_argument("--limit", type=int, help="take only so many trees")
    parser.add_argument("--n-process", type=int, default=1, help="trainings at once")
    parser.add_argument("--output", type=Path, help="file for the figures, as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        trees = load_trees(data_directory(args.data), Path(directory))[: args.limit]
    figure = make_figure(
        trees,
        n_folds=args.folds,
        longest=args.longest,
        c=args.c,
        n_process=args.n_process,
        max_epochs=args.max_epochs,
    )
    print(figure.table())
    if args.output:
        args.output.write_text(json.dumps(figure.to_dict(), indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
