"""One unit of work: a source is annotated and becomes one output. Nothing here knows of engines.

Whatever runs units may kill them at any moment and run them again, also elsewhere, as long as the
outputs are in a folder that all processes share. An output has its name only when it is complete; a
unit whose output is there is not done again. A document that can't be annotated goes to the error
file of the unit, also one that kills the process (`journal.py`), and the others go on.

Texts are annotated in memory zones, so that a process takes no more memory the more words it meets.
"""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from weakref import WeakSet

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import load_model

from ..components._shared.base import StructuredPipe
from ..errors import Errors
from ..files import publish
from ..values import COUNT, LIMIT, WIDTH
from .journal import MOST_DEATHS, Journal
from .outputs import ErrorFile, journal_path, sweep, unfinished_name
from .sources import Entry, Source, UnreadableError, read_entries
from .targets import Writer, check_format, writing_to
from .zones import memory_zone

BATCH_SIZE = 128
# Characters after which a batch, and a memory zone, ends.
_BATCH_CHARACTERS = 1 << 17
_ZONE_CHARACTERS = 1 << 19
# Text from which the tokenizer learns frequent words for good: in a memory zone it learns none.
_PRIMING_CHARACTERS = 1 << 18
_primed: WeakSet[Language] = WeakSet()


@dataclass(frozen=True)
class UnitReport:
    """What has become of a unit.

    target (str): Its output.
    n_docs (int): Annotated documents.
    n_words (int): Their tokens.
    n_errors (int): Documents in the error file.
    seconds (float): How long it took.
    skipped (bool): Whether the output was there already.
    failure (str): Why there is no output; empty if there is one.
    """

    target: str
    n_docs: int = 0
    n_words: int = 0
    n_errors: int = 0
    seconds: float = 0.0
    skipped: bool = False
    failure: str = ""


def annotate_unit(
    model: Language | str | Path,
    source: Source | str | Path,
    target: str | Path,
    *,
    batch_size: int = BATCH_SIZE,
    nbest: int | None = None,
    zones: bool = True,
    report: Callable[[int], None] | None = None,
) -> UnitReport:
    """Annotate a source, unless it has been done.

    An OSError means that the output can't be written: the disk is full, or the folder is not there.
    Nothing is left of the output then. A source that can't be read has no output but an error file,
    and is tried again in the next run.

    model (Language | str | Path): The pipeline, or its name or folder: each process loads it once.
    source (Source | str | Path): What to annotate.
    target (str | Path): The output. Its suffix tells the format.
    batch_size (int): The most documents that are annotated at once.
    nbest (Optional[int]): How many n-best answers the components of this package keep with each
        document, 0 for none; None: as the pipeline says.
    zones (bool): Use memory zones. Components that keep something of the Docs they meet can't.
    report (Optional[Callable]): Called with the number of words of each batch that is done.
    RETURNS (UnitReport): What has become of it.
    """
    began = time.perf_counter()
    target = Path(target)
    check_format(format_of(target))
    COUNT.check("batch_size", batch_size)
    if target.exists():
        return UnitReport(str(target), skipped=True)
    if not isinstance(source, Source):
        source = Source(str(source))
    nlp = _load(str(model), nbest) if not isinstance(model, Language) else model
    if nlp is model and nbest is not None:
        keep_nbest(nlp, nbest)
    target.parent.mkdir(parents=True, exist_ok=True)
    unit = _Unit(nlp, source, target, batch_size=batch_size, zones=zones, report=report)
    failure = unit.run()
    seconds = time.perf_counter() - began
    if failure:
        return UnitReport(str(target), n_errors=1, seconds=seconds, failure=failure)
    n_errors = unit.errors.n_errors
    return UnitReport(str(target), unit.n_docs, unit.n_words, n_errors, seconds)


def format_of(target: Path) -> str:
    """RETURNS (str): The format of an output, by its suffix."""
    return target.suffix.removeprefix(".")


def keep_nbest(nlp: Language, k: int) -> None:
    """Let the components of this package keep n-best answers with documents.

    nlp (Language): The pipeline.
    k (int): How many; 0 for none.
    """
    check_nbest(k)
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, StructuredPipe):
            pipe.n_stored = k


def check_nbest(k: int) -> None:
    """Raise ValueError if components can't keep so many n-best answers.

    k (int): How many; 0 for none.
    """
    (WIDTH if k > 0 else LIMIT).check("nbest", k)


@lru_cache(maxsize=1)
def _load(model: str, nbest: int | None) -> Language:
    nlp = load_model(model)
    if nbest is not None:
        keep_nbest(nlp, nbest)
    return nlp


class _Unit:
    """The work on one unit.

    nlp (Language): The pipeline.
    source (Source): What to annotate.
    target (Path): The output.
    """

    def __init__(
        self,
        nlp: Language,
        source: Source,
        target: Path,
        *,
        batch_size: int,
        zones: bool,
        report: Callable[[int], None] | None,
    ) -> None:
        self.n_docs = self.n_words = 0
        self.errors = ErrorFile(source, target)
        self._nlp = nlp
        self._source = source
        self._target = target
        self._batch_size = batch_size
        self._zones = zones
        self._report = report or (lambda n_words: None)
        self._journal = Journal(journal_path(target))

    def run(self) -> str:
        """Do it.

        RETURNS (str): Why it could not be done; empty if it has been.
        """
        unfinished = unfinished_name(self._target)
        if self._journal.n_deaths:
            sweep(self._target.parent, self._target)
        try:
            if self._journal.n_deaths >= MOST_DEATHS:
                return self._give_up(Errors.SCALE_DEATHS.format(n=self._journal.n_deaths))
            try:
                with writing_to(unfinished, format_of(self._target)) as writer:
                    self._annotate(writer)
            except OSError:
                raise
            except UnreadableError as error:
                return self._give_up(str(error))
            except Exception as error:
                return self._give_up(_describe(error))
            # In this order: an output with a name has all its errors beside it.
            self.errors.publish()
            publish(unfinished, self._target)
            self._journal.end()
            return ""
        finally:
            unfinished.unlink(missing_ok=True)
            self.errors.discard()
            self._journal.withdraw()

    def _give_up(self, reason: str) -> str:
        """Leave an error file that names the whole source, and nothing else."""
        self.errors.discard()
        self.errors = ErrorFile(self._source, self._target)
        self.errors.add(None, reason)
        self.errors.publish()
        self._journal.end()
        return reason

    def _annotate(self, writer: Writer) -> None:
        entries = read_entries(self._source, self._nlp.vocab)
        if self._zones:
            entries = self._prime(entries)
        # Entries are read in the zone in which they are used: Docs bring their words.
        while True:
            with memory_zone(self._nlp) if self._zones else nullcontext():
                zone = _Zone(entries)
                for batch in self._batches(zone):
                    self._annotate_batch(batch, writer)
            if zone.is_last:
                break

    def _prime(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        """Let the tokenizer meet the first texts outside of memory zones, once a process."""
        if self._nlp in _primed:
            return entries
        first: list[Entry] = []
        n_characters = 0
        for entry in entries:
            first.append(entry)
            if entry.make_doc is not None:
                break
            n_characters += len(entry.text)
            if n_characters >= _PRIMING_CHARACTERS:
                break
        for entry in first:
            if not entry.problem and entry.make_doc is None:
                _quietly(self._nlp.tokenizer, entry.text)
        if n_characters >= _PRIMING_CHARACTERS:
            _primed.add(self._nlp)
        return chain(first, entries)

    def _batches(self, entries: Iterable[Entry]) -> Iterator[list[Entry]]:
        """YIELDS (list[Entry]): Documents to annotate at once. Those that may have killed a process
        are alone; what can't be annotated is left out."""
        batch: list[Entry] = []
        n_characters = 0
        for entry in entries:
            if entry.problem:
                self._fail(entry, entry.problem)
            elif self._journal.is_fatal(entry.position):
                self._fail(entry, Errors.SCALE_FATAL)
            elif self._journal.is_suspect(entry.position):
                if batch:
                    yield batch
                yield [entry]
                batch, n_characters = [], 0
            else:
                batch.append(entry)
                n_characters += len(entry.text)
                if len(batch) >= self._batch_size or n_characters >= _BATCH_CHARACTERS:
                    yield batch
                    batch, n_characters = [], 0
        if batch:
            yield batch

    def _annotate_batch(self, batch: Sequence[Entry], writer: Writer) -> None:
        self._journal.take(batch[0].position, batch[-1].position)
        n_before = self.n_words
        docs = self._run(batch)
        if docs is not None:
            for entry, doc in zip(batch, docs, strict=True):
                self._write(entry, doc, writer)
        else:
            for entry in batch:
                try:
                    doc = self._nlp(entry.content())
                except Exception as error:
                    self._fail(entry, _describe(error))
                else:
                    self._write(entry, doc, writer)
        self._report(self.n_words - n_before)

    def _run(self, batch: Sequence[Entry]) -> list[Doc] | None:
        """Annotate documents at once; None if one of them fails."""
        try:
            contents = [entry.content() for entry in batch]
            docs = list(self._nlp.pipe(contents, batch_size=len(batch)))
        except Exception:
            return None
        # A pipeline can have an error handler that leaves documents out.
        return docs if len(docs) == len(batch) else None

    def _write(self, entry: Entry, doc: Doc, writer: Writer) -> None:
        try:
            encoded = writer.encode(doc, entry.id)
        except Exception as error:
            self._fail(entry, _describe(error))
            return
        writer.write(encoded)
        self.n_docs += 1
        self.n_words += len(doc)

    def _fail(self, entry: Entry, reason: str) -> None:
        """Write a document to the error file."""
        text = entry.text
        if entry.make_doc is not None:
            try:
                text = entry.make_doc().text
            except Exception as error:
                reason = f"{reason} ({_describe(error)})"
        self.errors.add(entry.position, reason, text=text, name=entry.id)


class _Zone:
    """Some documents, until there are enough for a memory zone. Those of a `.spacy` file, which is
    in memory as a whole, are never enough.

    entries (Iterator[Entry]): All documents.
    """

    def __init__(self, entries: Iterator[Entry]) -> None:
        self.is_last = False
        self._entries = entries

    def __iter__(self) -> Iterator[Entry]:
        n_characters = 0
        while n_characters < _ZONE_CHARACTERS:
            entry = next(self._entries, None)
            if entry is None:
                self.is_last = True
                return
            n_characters += len(entry.text)
            yield entry


def _quietly(tokenize: Callable[[str], Doc], text: str) -> None:
    """Tokenize a text in which something may be wrong; this is found out later."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tokenize(text)
    except Exception:
        pass


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
