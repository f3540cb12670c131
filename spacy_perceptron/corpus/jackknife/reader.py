"""Annotate a training corpus with predictions as honest as those at run time.

A parser that learns from gold tags meets worse ones later; one that learns from the tags of a
tagger trained on the same sentences meets worse ones too. Jackknifing cuts the corpus into k
folds, and annotates each with components trained on the other k - 1 (Collins and Koo 2005 do so
for reranking, most parsers since for tags). That is done once per corpus and config: results are
kept on disk.

`create_jackknifed_reader` reads such a corpus in training: `Example.predicted` carries the
predictions of the named components, `Example.reference` the gold annotation. One `spacy train`
then trains a parser on honest tags while the tagger in the same pipeline still learns from gold.

Where components build on each other, they can be jackknifed in turn: a parser's folds learn from
jackknifed tags, as the parser itself does, and its n-best answers are then a reranker's corpus.

A corpus is read once, so that components can remember what they computed from a gold Doc.
`predicted`, which they may change, is a copy each time.
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.corpus import walk_corpus
from spacy.util import logger
from thinc.api import Config

from ... import __version__
from ...errors import Errors, Warnings
from ..bins import read_docs, unpack_docs
from ..reader import fits
from .config import find_inputs
from .fold import make_examples, pair_predictions
from .folds import Jackknife, jackknife

CACHE_FOLDER = ".jackknife"


class JackknifedCorpus:
    """Reads a corpus with jackknifed predictions beside the gold annotation.

    settings (Jackknife): What to jackknife and how.
    then (Sequence[Jackknife]): Further rounds, each starting from the predictions of the one
        before.
    cache_dir (Optional[Path]): Where to keep results; default: a hidden folder beside the corpus.
    predictions (Optional[Path]): Existing predictions to use instead of training folds.
    """

    def __init__(
        self,
        settings: Jackknife,
        *,
        then: Sequence[Jackknife] = (),
        cache_dir: Path | None = None,
        predictions: Path | None = None,
    ) -> None:
        self.settings = settings
        self.rounds = [settings, *then]
        self.cache_dir = cache_dir or settings.path.parent / CACHE_FOLDER
        self.predictions = predictions
        self._pairs: list[tuple[Doc, Doc]] = []

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the corpus; the first call trains the folds unless their results are kept.

        nlp (Language): The pipeline being trained; not changed.
        YIELDS (Example): Predictions in `predicted`, gold annotation in `reference`.
        """
        if not self._pairs or self._pairs[0][1].vocab is not nlp.vocab:
            self._pairs = self._read(nlp)
        for predicted, reference in self._pairs:
            yield Example(predicted.copy(), reference)

    def cache_path(self, nlp: Language, settings: Jackknife | None = None) -> Path:
        """Where the result for a pipeline is kept. The name covers everything it depends on.

        nlp (Language): The pipeline.
        settings (Optional[Jackknife]): The round; None for the first.
        RETURNS (Path): The file.
        """
        settings = settings or self.settings
        tasks = settings.tasks(nlp)
        digest = hashlib.sha256()
        digest.update(f"{spacy.__version__} {__version__} {settings.seed}\n".encode())
        digest.update(repr([(t.held_out, t.gold_tokens, t.max_length) for t in tasks]).encode())
        digest.update(tasks[0].config.encode())
        files = walk_corpus(settings.path, ".spacy")
        files += [settings.inputs] if settings.inputs else []
        files += find_inputs(Config().from_str(tasks[0].config))
        for file_path in files:
            digest.update(hashlib.sha256(file_path.read_bytes()).digest())
        return self.cache_dir / f"{settings.path.stem}-{digest.hexdigest()[:16]}.spacy"

    def _read(self, nlp: Language) -> list[tuple[Doc, Doc]]:
        """Read predictions and gold documents, for the pipeline's vocab.

        nlp (Language): The pipeline.
        RETURNS (list[tuple[Doc, Doc]]): Pairs of them, in the order of the corpus.
        """
        gold_tokens = self.settings.gold_tokens
        path, doc_bin = self.predict(nlp)
        predicted = list(unpack_docs(doc_bin, nlp.vocab))
        references = self._read_references(nlp)
        pair_predictions(predicted, references, path=path, gold_tokens=gold_tokens)
        return list(zip(predicted, references, strict=True))

    def predict(self, nlp: Language) -> tuple[Path, DocBin]:
        """Get the predictions, in as many rounds as it takes.

        nlp (Language): The pipeline.
        RETURNS (tuple[Path, DocBin]): Where they are kept, and the predictions.
        """
        if self.predictions is not None:
            return self.predictions, self._load(nlp, self.settings, self.predictions)
        with TemporaryDirectory() as folder:
            inputs = None
            for number, settings in enumerate(self.rounds):
                settings = replace(settings, inputs=inputs or settings.inputs)
                path = inputs = self.cache_path(nlp, settings)
                doc_bin = self._load(nlp, settings, path)
                if not path.exists():
                    # It could not be kept, but the next round needs a file to start from.
                    inputs = Path(folder) / f"{number}.spacy"
                    doc_bin.to_disk(inputs)
        return path, doc_bin

    def _read_references(self, nlp: Language) -> list[Doc]:
        """RETURNS (list[Doc]): The gold documents as they were cut for prediction."""
        settings = self.settings
        docs = read_docs(settings.path, nlp.vocab, settings.limit)
        if settings.gold_tokens:
            return [doc for doc in docs if fits(doc, settings.max_length)]
        examples = (make_examples(nlp, doc, False, settings.max_length) for doc in docs)
        return [eg.reference for group in examples for eg in group]

    def _load(self, nlp: Language, settings: Jackknife, path: Path) -> DocBin:
        """Load predictions from disk, or make and keep them.

        nlp (Language): The pipeline.
        settings (Jackknife): What to jackknife and how.
        path (Path): Where they are or should be.
        RETURNS (DocBin): The predictions.
        """
        if path.exists():
            return DocBin().from_disk(path)
        if self.predictions is not None:
            raise ValueError(Errors.CORPUS_MISSING.format(path=path))
        names = ", ".join(settings.components)
        logger.info("Jackknifing in %d folds: %s", settings.n_folds, names)
        result = jackknife(nlp, settings)
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
    max_epochs: int | dict[str, int] | None = None,
    in_turn: bool = False,
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
    max_epochs (Optional[int | dict]): Epochs for the folds; None: train as [training] says, and
        keep the model that is best on the dev corpus. One number for all components, or one for
        each name; components that train together use the largest.
    in_turn (bool): Jackknife one component after the other: each learns from the predictions of
        those before it. Needs `max_epochs`. If False, all train together and see each other's
        predictions only as far as `annotating_components` allows.
    gold_tokens (bool): Whether to work on gold tokens and sentences.
    max_length (int): Longer documents are left out, or split into sentences if there are no gold
        tokens; 0 for no limit.
    limit (int): Maximum number of documents; 0 for all.
    RETURNS (Callable[[Language], Iterator[Example]]): The reader.
    """
    if path is None:
        raise ValueError(Errors.CORPUS_NO_PATH)
    groups = [[name] for name in components] if in_turn else [list(components)]
    rounds = [
        Jackknife(
            path=Path(path),
            components=group,
            n_folds=n_folds,
            n_process=n_process,
            seed=seed,
            max_epochs=_epochs(max_epochs, group),
            gold_tokens=gold_tokens,
            max_length=max_length,
            limit=limit,
        )
        for group in groups
    ]
    # Configs give paths as text.
    return JackknifedCorpus(
        rounds[0] if rounds else Jackknife(Path(path), []),
        then=rounds[1:],
        cache_dir=Path(cache_dir) if cache_dir else None,
        predictions=Path(predictions) if predictions else None,
    )


def _epochs(max_epochs: int | dict[str, int] | None, components: Sequence[str]) -> int | None:
    """RETURNS (Optional[int]): Number of epochs for components that train together."""
    if not isinstance(max_epochs, dict):
        return max_epochs
    given = [max_epochs[name] for name in components if name in max_epochs]
    return max(given) if given else None
