"""Train on all folds but one, annotate that one: the work of a single process in jackknifing.

A fold is described by plain data (`FoldTask`) and answers with plain data (`FoldResult`), so that
it runs the same in this process or in another one. Training is spaCy's own loop in a temporary
folder: the best model on the user's dev corpus is kept, or the last one if there is none. The
held-out documents take no part in it.
"""

import importlib
import io
import logging
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example
from spacy.training.corpus import walk_corpus
from spacy.training.initialize import init_nlp
from spacy.training.loop import DIR_MODEL_BEST, DIR_MODEL_LAST, train
from spacy.util import import_file, load_model, logger
from spacy.vocab import Vocab
from thinc.api import Config

from ..errors import Errors
from .fold_config import FOLD_SECTION, corpus_block, has_dev_corpus


@dataclass(frozen=True)
class FoldTask:
    """One fold to be done.

    config (str): The fold config, as text.
    path (Path): The whole corpus.
    held_out (list[int]): Indices of the documents to annotate, rising.
    gold_preproc (bool): Whether to work on gold sentences and tokens.
    max_length (int): Longer documents are split into sentences; 0 for no limit.
    limit (int): Use only so many documents; 0 for all.
    """

    config: str
    path: Path
    held_out: list[int]
    gold_preproc: bool
    max_length: int
    limit: int


@dataclass(frozen=True)
class FoldResult:
    """What came of a fold.

    docs (bytes): The annotated documents, as a DocBin.
    n_docs (list[int]): How many of them each held-out document has become.
    scores (dict[str, Any]): How good the annotation is, by spaCy's scorers.
    """

    docs: bytes
    n_docs: list[int]
    scores: dict[str, Any]


def _read_bins(path: Path) -> Iterator[DocBin]:
    """Read the files of a corpus, in the order in which spaCy reads them in training.

    path (Path): A .spacy file or a folder of them.
    YIELDS (DocBin): What is in each file.
    """
    if not path.exists():
        raise ValueError(Errors.CORPUS_NOT_FOUND.format(path=path))
    for file_path in walk_corpus(path, ".spacy"):
        yield DocBin().from_disk(file_path)


def count_docs(path: Path, limit: int = 0) -> int:
    """Count the documents that have tokens, without making them.

    path (Path): A .spacy file or a folder of them.
    limit (int): Count only so many; 0 for all.
    RETURNS (int): As many as `read_docs` reads.
    """
    n_docs = sum(len(tokens) > 0 for doc_bin in _read_bins(path) for tokens in doc_bin.tokens)
    return min(n_docs, limit) if limit else n_docs


def read_docs(path: Path, vocab: Vocab, limit: int = 0) -> list[Doc]:
    """Read the documents of a corpus that have tokens.

    path (Path): A .spacy file or a folder of them.
    vocab (Vocab): The vocabulary to read into.
    limit (int): Read only so many; 0 for all.
    RETURNS (list[Doc]): The documents.
    """
    docs = (doc for doc_bin in _read_bins(path) for doc in doc_bin.get_docs(vocab) if len(doc))
    return list(islice(docs, limit or None))


def make_examples(nlp: Language, doc: Doc, gold_preproc: bool, max_length: int) -> list[Example]:
    """Make the examples that spaCy's own corpus reader makes of a document.

    nlp (Language): Tokenizes the predicted side.
    doc (Doc): The gold document.
    gold_preproc (bool): Whether to use gold sentences and tokens.
    max_length (int): Longer documents are split into sentences; 0 for no limit.
    RETURNS (list[Example]): The examples.
    """
    corpus = Corpus(Path(), gold_preproc=gold_preproc, max_length=max_length)
    if gold_preproc:
        return list(corpus.make_examples_gold_preproc(nlp, [doc]))
    return list(corpus.make_examples(nlp, [doc]))


def run_fold(task: FoldTask) -> FoldResult:
    """Train on everything but the held-out documents and annotate these.

    task (FoldTask): The fold.
    RETURNS (FoldResult): The annotated documents and their scores.
    """
    with _isolated(), TemporaryDirectory() as folder:
        nlp = _train(task, Path(folder))
        docs = read_docs(task.path, nlp.vocab, task.limit)
        groups = [
            make_examples(nlp, docs[i], gold_preproc=task.gold_preproc, max_length=task.max_length)
            for i in task.held_out
        ]
        examples = [eg for group in groups for eg in group]
        predicted = list(nlp.pipe([eg.predicted for eg in examples]))
        for eg, doc in zip(examples, predicted, strict=True):
            eg.predicted = doc
        scores = Scorer(nlp).score(examples)
        doc_bin = DocBin(docs=predicted, store_user_data=True)
        return FoldResult(doc_bin.to_bytes(), [len(group) for group in groups], scores)


def run_fold_elsewhere(task: FoldTask, code: list[tuple[str, str]]) -> FoldResult:
    """Run a fold in a new process.

    task (FoldTask): The fold.
    code (list[tuple[str, str]]): Modules and files that define the functions in its config.
    RETURNS (FoldResult): The annotated documents and their scores.
    """
    _import_code(code)
    return run_fold(task)


def _train(task: FoldTask, folder: Path) -> Language:
    """Train the fold's pipeline.

    task (FoldTask): The fold.
    folder (Path): A temporary folder.
    RETURNS (Language): The trained pipeline.
    """
    config = Config().from_str(task.config)
    held_out = set(task.held_out)
    docs = read_docs(task.path, Vocab(), task.limit)
    seen = [doc for i, doc in enumerate(docs) if i not in held_out]
    DocBin(docs=seen, store_user_data=True).to_disk(folder / "train.spacy")
    corpus = corpus_block(
        folder / "train.spacy", gold_preproc=task.gold_preproc, max_length=task.max_length
    )
    stops_early = has_dev_corpus(config)
    config[FOLD_SECTION]["train"] = corpus
    if not stops_early:
        # The loop wants something to evaluate on; with nothing in it, no step beats another.
        DocBin().to_disk(folder / "none.spacy")
        config[FOLD_SECTION]["dev"] = corpus_block(folder / "none.spacy")
    nlp = init_nlp(config)
    train(nlp, folder, stdout=io.StringIO(), stderr=io.StringIO())
    kept = DIR_MODEL_BEST if stops_early else DIR_MODEL_LAST
    return load_model(folder / kept)


@contextmanager
def _isolated() -> Iterator[None]:
    """Leave the random states and the log level of this process as they were."""
    python_state, numpy_state, level = random.getstate(), np.random.get_state(), logger.level
    torch = sys.modules.get("torch")
    torch_state = torch.get_rng_state() if torch is not None else None
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
        random.setstate(python_state)
        np.random.set_state(numpy_state)
        if torch is not None:
            torch.set_rng_state(torch_state)


def _import_code(code: list[tuple[str, str]]) -> None:
    """Import what defines the functions of a config; a file given by --code is no module by name.

    code (list[tuple[str, str]]): Modules and files.
    """
    for module, file_name in code:
        try:
            importlib.import_module(module)
        except ImportError:
            if Path(file_name).is_file():
                sys.modules[module] = import_file(module, file_name)
