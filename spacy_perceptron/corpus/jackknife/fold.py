"""Train on all folds but one, annotate that one: the work of a single process in jackknifing.

A fold is described by plain data (`FoldTask`) and answers with plain data (`FoldResult`), so that
it runs the same in this process and in another. Training is spaCy's own loop in a temporary
folder: the best model on the user's dev corpus is kept, or the last one if none is used. The
held-out documents are not used.
"""

import importlib
import io
import logging
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import DIR_MODEL_BEST, DIR_MODEL_LAST, train
from spacy.util import import_file, load_model, logger
from thinc.api import Config

from ...errors import Errors
from ..bins import join_bins, pack_docs, read_bins, read_docs
from ..reader import copy_tokens, fits, set_sentences
from .config import FOLD_SECTION, corpus_block, has_dev_corpus
from .progress import CALLBACK_NAME


@dataclass(frozen=True)
class FoldTask:
    """One fold to train and annotate.

    config (str): The fold config, as text.
    path (Path): The whole corpus.
    held_out (list[int]): Indices of the documents to annotate, ascending.
    gold_tokens (bool): Whether to work on gold tokens and sentences.
    max_length (int): Limit on the length of documents, see `make_examples`; 0 for no limit.
    limit (int): Maximum number of documents; 0 for all.
    inputs (Optional[Path]): Earlier predictions to start from, one per document of the corpus.
    """

    config: str
    path: Path
    held_out: list[int]
    gold_tokens: bool
    max_length: int
    limit: int
    inputs: Path | None = None


@dataclass(frozen=True)
class FoldResult:
    """The result of a fold.

    docs (bytes): The annotated documents, as a DocBin.
    n_docs (list[int]): How many of them each held-out document became.
    scores (dict[str, Any]): Scores of the annotation, by the components' scorers.
    """

    docs: bytes
    n_docs: list[int]
    scores: dict[str, Any]


def make_examples(nlp: Language, doc: Doc, gold_tokens: bool, max_length: int) -> list[Example]:
    """Make the same examples from a document as the corpus readers do.

    nlp (Language): Tokenizes the predicted side.
    doc (Doc): The gold document.
    gold_tokens (bool): Whether to use gold tokens and sentences.
    max_length (int): Longer documents are left out, or split into sentences if there are no gold
        tokens; 0 for no limit.
    RETURNS (list[Example]): The examples.
    """
    if gold_tokens:
        return [Example(copy_tokens(doc), doc)] if fits(doc, max_length) else []
    return list(Corpus(Path(), max_length=max_length).make_examples(nlp, [doc]))


def run_fold(task: FoldTask) -> FoldResult:
    """Train on everything but the held-out documents, then annotate those.

    task (FoldTask): The fold.
    RETURNS (FoldResult): The annotated documents and their scores.
    """
    with _isolated(), TemporaryDirectory() as folder:
        nlp = _train(task, Path(folder))
        groups = _held_out_examples(task, nlp)
        examples = [eg for group in groups for eg in group]
        predicted = list(nlp.pipe([eg.predicted for eg in examples]))
        for eg, doc in zip(examples, predicted, strict=True):
            eg.predicted = doc
        n_docs = [len(group) for group in groups]
        return FoldResult(pack_docs(predicted).to_bytes(), n_docs, _score(nlp, examples))


def _held_out_examples(task: FoldTask, nlp: Language) -> list[list[Example]]:
    """RETURNS (list[list[Example]]): The examples that each held-out document becomes."""
    keep = set(task.held_out).__contains__
    docs = read_docs(task.path, nlp.vocab, task.limit, keep=keep)
    if task.inputs is None:
        return [make_examples(nlp, doc, task.gold_tokens, task.max_length) for doc in docs]
    inputs = read_docs(task.inputs, nlp.vocab, task.limit, keep=keep)
    pair_predictions(inputs, docs, path=task.inputs, gold_tokens=task.gold_tokens)
    pairs = zip(inputs, docs, strict=True)
    return [[Example(given, doc)] if fits(doc, task.max_length) else [] for given, doc in pairs]


def pair_predictions(
    predicted: Sequence[Doc], references: Sequence[Doc], *, path: Path, gold_tokens: bool
) -> None:
    """Check that predictions belong to a corpus; with gold tokens, give them its sentences.

    predicted (Sequence[Doc]): The predictions.
    references (Sequence[Doc]): The gold documents.
    path (Path): Where the predictions come from.
    gold_tokens (bool): Whether they have gold tokens.
    """
    if len(references) != len(predicted):
        reason = f"{len(predicted)} documents for {len(references)}"
        raise ValueError(Errors.JACKKNIFE_MISMATCH.format(path=path, reason=reason))
    for doc, reference in zip(predicted, references, strict=True):
        # A Doc made with predicted heads has boundaries of its own.
        same = set_sentences(doc, reference) if gold_tokens else doc.text == reference.text
        if not same:
            reason = f"'{doc.text[:40]}' where the corpus has '{reference.text[:40]}'"
            raise ValueError(Errors.JACKKNIFE_MISMATCH.format(path=path, reason=reason))


def _score(nlp: Language, examples: list[Example]) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The scores of all components, except those of tokens, which take
    longer than the rest.
    """
    scores: dict[str, Any] = {}
    for _, pipe in nlp.pipeline:
        if hasattr(pipe, "score"):
            scores.update(pipe.score(examples))
    return scores


def _train(task: FoldTask, folder: Path) -> Language:
    """Train the fold's pipeline.

    task (FoldTask): The fold.
    folder (Path): A temporary folder.
    RETURNS (Language): The trained pipeline.
    """
    config = Config().from_str(task.config)
    held_out = set(task.held_out)
    corpus = folder / "train"
    corpus.mkdir()
    bins = read_bins(task.path, limit=task.limit, keep=lambda number: number not in held_out)
    for i, doc_bin in enumerate(bins):
        doc_bin.to_disk(corpus / f"{i:06}.spacy")
    stops_early = has_dev_corpus(config)
    predictions = None
    if task.inputs is not None:
        predictions = folder / "inputs.spacy"
        others = read_bins(task.inputs, limit=task.limit, keep=lambda n: n not in held_out)
        _join_all(list(others)).to_disk(predictions)
    config[FOLD_SECTION]["train"] = corpus_block(
        corpus,
        gold_tokens=task.gold_tokens,
        max_length=task.max_length,
        predictions=predictions,
    )
    if not stops_early:
        # The loop needs a corpus to evaluate on. On an empty one, no step beats another.
        DocBin().to_disk(folder / "none.spacy")
        config[FOLD_SECTION]["dev"] = corpus_block(folder / "none.spacy")
    training = config["training"]
    training["before_update"] = {"@callbacks": CALLBACK_NAME, "callback": training["before_update"]}
    nlp = init_nlp(config)
    train(nlp, folder, stdout=io.StringIO(), stderr=io.StringIO())
    kept = DIR_MODEL_BEST if stops_early else DIR_MODEL_LAST
    return load_model(folder / kept)


def _join_all(bins: Sequence[DocBin]) -> DocBin:
    """RETURNS (DocBin): All documents of some bins, in their order."""
    return join_bins(bins, [(b, i) for b, doc_bin in enumerate(bins) for i in range(len(doc_bin))])


@contextmanager
def _isolated() -> Iterator[None]:
    """Restore the random states and the log level of this process afterwards."""
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


def import_code(code: list[tuple[str, str]]) -> None:
    """Import what defines the functions of a config; --code files cannot be imported by name.

    code (list[tuple[str, str]]): Modules and files.
    """
    for module, file_name in code:
        try:
            importlib.import_module(module)
        except ImportError:
            if Path(file_name).is_file():
                sys.modules[module] = import_file(module, file_name)
