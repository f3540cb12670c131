"""What a unit of work reads: a text a line (`.txt`), an object with the key `text` a line
(`.jsonl`), both also packed (`.gz`), or Docs (`.spacy`).

A large file of lines can be read in parts. A part is a range of bytes and has the lines that start
in it. Packed files and `.spacy` files are read as a whole, the latter into memory.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import srsly
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from ..corpus.bins import join_bins, unpack_docs
from ..corpus.clusters.opening import kind_of
from ..errors import Errors

BIN = ".spacy"
SUFFIXES = (".txt", ".jsonl", BIN)
# How much of a file is read to estimate its number of words.
_SAMPLE_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# What a packed file raises where it is damaged.
_DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error)


class UnreadableError(ValueError):
    """A source can't be read. The message says why."""


@dataclass(frozen=True)
class Source:
    """A file, or a part of one.

    path (str): The file.
    start (int): The first byte of the part.
    end (Optional[int]): The byte behind its last one; None for the end of the file.
    """

    path: str
    start: int = 0
    end: int | None = None


@dataclass(frozen=True)
class Entry:
    """A document before it is annotated.

    position (int): Where it is in its file: its first byte, after unpacking, or for `.spacy` files
        its number from 0.
    text (str): Its text; for `.spacy` files, empty.
    id (Optional[str]): The value of the key `id` of a JSON object.
    problem (str): Why it is none; empty if it is.
    make_doc (Optional[Callable]): Makes the Doc of a `.spacy` file, a new one at each call.
    """

    position: int
    text: str = ""
    id: str | None = None
    problem: str = ""
    make_doc: Callable[[], Doc] | None = None

    def content(self) -> str | Doc:
        """RETURNS (str | Doc): What a pipeline takes."""
        return self.text if self.make_doc is None else self.make_doc()


def read_entries(source: Source, vocab: Vocab) -> Iterator[Entry]:
    """Read the documents of a source. Blank lines are none.

    source (Source): The source.
    vocab (Vocab): The vocab of Docs.
    YIELDS (Entry): The documents, in their order, and what should be some.
    """
    path = Path(source.path)
    kind = kind_of(path)
    if kind not in SUFFIXES:
        options = " ".join(SUFFIXES)
        raise UnreadableError(Errors.SCALE_SUFFIX.format(path=path, options=options))
    try:
        if kind == BIN:
            yield from _read_bin(path, vocab)
        else:
            read = _read_json if kind == ".jsonl" else _read_text
            yield from _read_lines(source, read)
    except OSError as error:
        raise UnreadableError(f"{type(error).__name__}: {error}") from error


def read_sample(path: Path) -> tuple[int, str]:
    """Read the beginning of a file of lines.

    path (Path): The file.
    RETURNS (tuple[int, str]): How many bytes were read, and the text in them; nothing of `.spacy`
        files.
    """
    if kind_of(path) == BIN:
        return 0, ""
    entries = list(read_entries(Source(str(path), 0, _SAMPLE_BYTES), Vocab()))
    text = "\n".join(entry.text for entry in entries[:-1] or entries if not entry.problem)
    if len(entries) > 1:
        return entries[-1].position - entries[0].position, text
    return len(text.encode("utf-8")), text


def open_binary(path: Path) -> IO[bytes]:
    """RETURNS (IO[bytes]): A file, unpacked if its name ends in .gz."""
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _read_lines(source: Source, read: Callable[[int, bytes], Entry | None]) -> Iterator[Entry]:
    position = 0
    with open_binary(Path(source.path)) as file:
        if source.start:
            # A line belongs to the part in which it starts.
            file.seek(source.start - 1)
            position = source.start - 1 + len(file.readline())
        while source.end is None or position < source.end:
            try:
                line = file.readline()
            except _DAMAGE as error:
                reason = f"{type(error).__name__}: {error}"
                if not position:
                    raise UnreadableError(reason) from error
                yield Entry(position, problem=Errors.SCALE_DAMAGED.format(reason=reason))
                return
            if not line:
                return
            if not position:
                line = line.removeprefix(_BYTE_ORDER_MARK)
            entry = read(position, line)
            if entry is not None:
                yield entry
            position = file.tell()


def _read_text(position: int, line: bytes) -> Entry | None:
    if not line.strip():
        return None
    try:
        return Entry(position, line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8"))
    except UnicodeDecodeError as error:
        return Entry(position, line.decode("utf-8", errors="replace"), problem=str(error))


def _read_json(position: int, line: bytes) -> Entry | None:
    entry = _read_text(position, line)
    if entry is None or entry.problem:
        return entry
    value: Any
    try:
        value = srsly.json_loads(entry.text)
    except ValueError:
        value = None
    if not (isinstance(value, dict) and isinstance(value.get("text"), str)):
        return Entry(position, entry.text, problem=Errors.SCALE_JSON)
    name = value.get("id")
    return Entry(position, value["text"], None if name is None else str(name))


def _read_bin(path: Path, vocab: Vocab) -> Iterator[Entry]:
    try:
        doc_bin = DocBin().from_disk(path)
    except OSError:
        raise
    except Exception as error:  # whatever msgpack and zlib raise
        raise UnreadableError(f"{type(error).__name__}: {error}") from error
    docs = _Docs(doc_bin, vocab)
    for i in range(len(doc_bin)):
        yield Entry(i, make_doc=lambda i=i: docs.make(i))  # type: ignore[misc]


class _Docs:
    """Makes the Docs of a bin: quickly if they are asked for one after the other.

    doc_bin (DocBin): The bin.
    vocab (Vocab): The vocab of the Docs.
    """

    def __init__(self, doc_bin: DocBin, vocab: Vocab) -> None:
        self._bin = doc_bin
        self._vocab = vocab
        self._docs = unpack_docs(doc_bin, vocab)
        self._next = 0

    def make(self, i: int) -> Doc:
        """RETURNS (Doc): The Doc of this number."""
        if i == self._next:
            self._next += 1
            return next(self._docs)
        return next(unpack_docs(join_bins([self._bin], [(0, i)]), self._vocab))
