"""Annotate a training corpus with predictions as honest as those at run time.

A parser that learns from gold tags meets worse ones later; one that learns from the tags of a
tagger trained on the same sentences meets worse ones too. Jackknifing cuts the corpus into k
folds, and annotates each with components trained on the other k - 1 (Collins and Koo 2005 do so
for reranking, most parsers since for tags). That is done once per corpus and config: results are
kept on disk.

`create_jackknifed_reader` reads such a corpus in training: `Example.predicted` carries the
predictions of the named components, `Example.reference` the gold annotation. One `spacy train`
then trains a parser on honest tags while the tagger in the same pipeline still learns from gold.

A corpus is read once: components may remember what they found out about a gold Doc. What they may
write to, `predicted`, is a copy each time.
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.corpus import walk_corpus
from spacy.util import logger
from thinc.api import Config

from .. import __version__
from ..errors import Errors, Warnings
from .bins import read_docs, unpack_docs
from .fold import make_examples, pair_predictions
from .fold_config import find_inputs
from .folds import Jackknife, jackknife
from .reader import fits

CACHE_FOLDER = ".jackknife"


class JackknifedCorpus:
    """Reads a corpus with jackknifed predictions beside the gold annotation.

    settings (Jackknife): What to jackknife and how.
    cache_dir (Optional[Path]): Where to keep results; default: a hidden folder beside the corpus.
    predictions (Optional[Path]): Predictions made before, to be used instead of training folds.
    """

    def __init__(
        self,
        settings: Jackknife,
        *,
        cache_dir: Path | None = None,
        predictions: Path | None = None,
    ) -> None:
        self.settings = settings
        self.cache_dir = cache_dir or settings.path.parent / CACHE_FOLDER
        self.predictions = predictions
        self._pairs: list[tuple[Doc, Doc]] = []

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the corpus; the first call trains the folds unless their results are kept.

        nlp (Language): The pipeline being trained; only looked at.
        YIELDS (Example): Predictions in `predicted`, gold annotation in `reference`.
        """
        if not self._pairs or self._pairs[0][1].vocab is not nlp.vocab:
            self._pairs = self._read(nlp)
        for predicted, reference in self._pairs:
            yield Example(predicted.copy(), reference)

    def cache_path(self, nlp: Language) -> Path:
        """Where the result for a pipeline is kept: the name tells all that it depends on.

        nlp (Language): The pipeline.
        RETURNS (Path): The file.
        """
        tasks = self.settings.tasks(nlp)
        digest = hashlib.sha256()
        digest.update(f"{spacy.__version__} {__version__} {self.settings.seed}\n".encode())
        digest.update(repr([(t.held_out, t.gold_tokens, t.max_length) for t in tasks]).encode())
        digest.update(tasks[0].config.encode())
        files = walk_corpus(self.settings.path, ".spacy")
        files += find_inputs(Config().from_str(tasks[0].config))
        for file_path in files:
            digest.update(hashlib.sha256(file_path.read_bytes()).digest())
        return self.cache_dir / f"{self.settings.path.stem}-{digest.hexdigest()[:16]}.spacy"

    def _read(self, nlp: Language) -> list[tuple[Doc, Doc]]:
        """Read predictions and gold documents, for the pipeline's vocab.

        nlp (Language): The pipeline.
        RETURNS (list[tuple[Doc, Doc]]): Pairs of them, in the order of the corpus.
        """
        gold_tokens = self.settings.gold_tokens
        path = self.predictions or self.cache_path(nlp)
        predicted = list(unpack_docs(self._load(nlp, path), nlp.vocab))
        references = self._read_references(nlp)
        pair_predictions(predicted, references, path=path, gold_tokens=gold_tokens)
        return list(zip(predicted, references, strict=True))

    def _read_references(self, nlp: Language) -> list[Doc]:
        """RETURNS (list[Doc]): The gold documents as they were cut for prediction."""
        settings = self.settings
        docs = read_docs(settings.path, nlp.vocab, settings.limit)
        if settings.gold_tokens:
            return [doc for doc in docs if fits(doc, settings.max_length)]
        examples = (make_examples(nlp, doc, False, settings.max_length) for doc in docs)
        return [eg.reference for group in examples for eg in group]

    def _load(self, nlp: Language, path: Path) -> DocBin:
        """Load predictions from disk, or else make and keep them.

        nlp (Language): The pipeline.
        path (Path): Where they are or should be.
        RETURNS (DocBin): The predictions.
        """
        if path.exists():
            return DocBin().from_disk(path)
        if self.predictions is not None:
            raise ValueError(Errors.CORPUS_NOT_FOUND.format(path=path))
        names = ", ".join(self.settings.components)
        logger.info("Jackknifing in %d folds: %s", self.settings.n_folds, names)
        result = jackknife(nlp, self.settings)
        means = [f"{name} {mean * 100:.2f}" for name, mean in result.mean_scores.items()]
        logger.info("Jackknifed to %s: %s", path, ", ".join(means))
        _keep(result.doc_bin, path)
        return result.doc_bin


def _keep(doc_bin: DocBin, path: Path) -> None:
    """Write a file in one step, so that no other process ever sees half of it.

    doc_bin (DocBin): The corpus.
    path (Path): Where to write it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}.tmp")
        doc_bin.to_disk(unfinished)
        os.replace(unfinished, path)
    except OSError as error:
        warnings.warn(
            Warnings.JACKKNIFE_CACHE_UNWRITABLE.format(path=path.parent, error=error), stacklevel=2
        )


def create_jackknifed_reader(
    path: Path | None,
    components: Sequence[str],
    n_folds: int = 5,
    n_process: int = 1,
    seed: int = 0,
    cache_dir: Path | None = None,
    predictions: Path | None = None,
    max_epochs: int | None = None,
    gold_tokens: bool = False,
    max_length: int = 0,
    limit: int = 0,
) -> Callable[[Language], Iterator[Example]]:
    """Create a corpus reader for [corpora] whose documents carry jackknifed predictions.

    path (Optional[Path]): The training corpus: a .spacy file or a folder of them.
    components (Sequence[str]): Components of the pipeline being trained to predict with.
    n_folds (int): Number of folds.
    n_process (int): How many folds to train at once.
    seed (int): Seed of the folds.
    cache_dir (Optional[Path]): Where to keep results; default: a hidden folder beside the corpus.
    predictions (Optional[Path]): Output of the jackknife command, used instead of training folds.
    max_epochs (Optional[int]): Train the folds for so many epochs; None: as [training] says, and
        keep the model that is best on the dev corpus.
    gold_tokens (bool): Whether to work on gold tokens and sentences.
    max_length (int): Longer documents are left out, or split into sentences if there are no gold
        tokens; 0 for no limit.
    limit (int): Use only so many documents; 0 for all.
    RETURNS (Callable[[Language], Iterator[Example]]): The reader.
    """
    if path is None:
        raise ValueError(Errors.JACKKNIFE_NO_PATH)
    settings = Jackknife(
        path=Path(path),
        components=list(components),
        n_folds=n_folds,
        n_process=n_process,
        seed=seed,
        max_epochs=max_epochs,
        gold_tokens=gold_tokens,
        max_length=max_length,
        limit=limit,
    )
    # Configs give paths as text.
    return JackknifedCorpus(
        settings,
        cache_dir=Path(cache_dir) if cache_dir else None,
        predictions=Path(predictions) if predictions else None,
    )
