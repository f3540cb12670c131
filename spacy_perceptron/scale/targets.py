"""What a unit of work writes: Docs (`.spacy`), JSON objects, a line each (`.jsonl`), CoNLL-U
(`.conllu`) or Parquet (`.parquet`, needs pyarrow).

Writing has two steps: `encode` can fail because of a document, `write` because of the disk. What is
encoded is free of the memory zone of the Doc.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from spacy.tokens import Doc

from ..corpus.bins import BinPacker, write_bin
from ..corpus.conllu.writer import docs_to_conllu
from ..errors import Errors
from ..trees.conllu.reading import conllu_lines
from .columns import CONFIDENCE, TEXTS, as_json, doc_to_columns

# Documents in a row group of a Parquet file.
_DOCS_PER_GROUP = 1024


class Writer(Protocol):
    """Writes annotated documents to a file."""

    def encode(self, doc: Doc, name: str | None) -> Any:
        """Make of a document what is to be written.

        doc (Doc): The document.
        name (Optional[str]): Its ID.
        RETURNS (Any): Plain data.
        """

    def write(self, encoded: Any) -> None:
        """Write a document.

        encoded (Any): What `encode` has made.
        """

    def finish(self) -> None:
        """Write what is left, and close the file."""

    def close(self) -> None:
        """Close the file, whatever is in it."""


class _BinWriter:
    """Docs as spaCy reads them, with user data. An ID is in `doc.user_data["id"]`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._packer = BinPacker()

    def encode(self, doc: Doc, name: str | None) -> dict[str, Any]:
        if name is not None:
            doc.user_data["id"] = name
        return self._packer.pack(doc)

    def write(self, encoded: dict[str, Any]) -> None:
        self._packer.add(encoded)

    def finish(self) -> None:
        write_bin(self._packer.doc_bin, self._path)

    def close(self) -> None:
        pass


class _LineWriter:
    """Lines of text."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", newline="\n")

    def write(self, encoded: str) -> None:
        self._file.write(encoded)

    def finish(self) -> None:
        self._file.close()

    def close(self) -> None:
        self._file.close()


class _JsonWriter(_LineWriter):
    """The columns of a document as a JSON object."""

    def encode(self, doc: Doc, name: str | None) -> str:
        return as_json(doc_to_columns(doc, name)) + "\n"


class _ConlluWriter(_LineWriter):
    """Sentences, each document with `# newdoc`, numbered through the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._n_sentences = 0

    def encode(self, doc: Doc, name: str | None) -> str:
        newdoc = "# newdoc" if name is None else f"# newdoc id = {name}"
        lines: list[str] = []
        n = self._n_sentences
        for sentence in docs_to_conllu([doc], first=n + 1):
            if not lines:
                lines.append(newdoc)
            n += 1
            lines += (line for line in conllu_lines(sentence) if line != "# newdoc")
        self._n_sentences = n
        return "".join(f"{line}\n" for line in lines)


class _ParquetWriter:
    """The columns of a document as a row: lists of values, structs for entities and spans, a map
    from an attribute to the confidences of tokens in it, and n-best lists as JSON.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet

        self._schema = _make_schema()
        self._file = pyarrow.parquet.ParquetWriter(path, self._schema)
        self._rows: list[dict[str, Any]] = []

    def encode(self, doc: Doc, name: str | None) -> dict[str, Any]:
        columns = doc_to_columns(doc, name)
        columns["confidences"] = [
            (key.removesuffix(CONFIDENCE), columns[key]) for key in columns if CONFIDENCE in key
        ]
        if "nbest" in columns:
            columns["nbest"] = as_json(columns["nbest"])
        return {field: columns.get(field) for field in self._schema.names}

    def write(self, encoded: dict[str, Any]) -> None:
        self._rows.append(encoded)
        if len(self._rows) >= _DOCS_PER_GROUP:
            self._write_rows()

    def _write_rows(self) -> None:
        import pyarrow

        self._file.write_table(pyarrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []

    def finish(self) -> None:
        if self._rows:
            self._write_rows()
        self._file.close()

    def close(self) -> None:
        self._file.close()


def _make_schema() -> Any:
    """The columns of all Parquet files, whatever the pipeline: they can be read as one table."""
    import pyarrow as pa

    texts = pa.list_(pa.string())
    flags = pa.list_(pa.bool_())
    numbers = pa.list_(pa.float32())
    span = [("start", pa.int32()), ("end", pa.int32()), ("label", pa.string())]
    span.append(("confidence", pa.float32()))
    columns = {
        "id": pa.string(),
        "text": pa.string(),
        "words": texts,
        "spaces": flags,
        "sent_starts": flags,
        **dict.fromkeys(TEXTS, texts),
        "heads": pa.list_(pa.int32()),
        "ents": pa.list_(pa.struct(span)),
        "spans": pa.list_(pa.struct([("group", pa.string()), *span])),
        "confidences": pa.map_(pa.string(), numbers),
        "nbest": pa.string(),
    }
    return pa.schema(list(columns.items()))


_WRITERS: dict[str, Callable[[Path], Writer]] = {
    "spacy": _BinWriter,
    "jsonl": _JsonWriter,
    "conllu": _ConlluWriter,
    "parquet": _ParquetWriter,
}
FORMATS: Sequence[str] = tuple(_WRITERS)


def check_format(name: str) -> None:
    """Raise ValueError if files of a format can't be written.

    name (str): The format.
    """
    if name not in _WRITERS:
        raise ValueError(Errors.SCALE_FORMAT.format(name=name, options=", ".join(_WRITERS)))
    if name == "parquet" and find_spec("pyarrow") is None:
        raise ValueError(Errors.SCALE_NO_PYARROW)


@contextmanager
def writing_to(path: Path, file_format: str) -> Iterator[Writer]:
    """Open a file for annotated documents.

    path (Path): The file.
    file_format (str): One of the formats.
    YIELDS (Writer): What writes to it. The file is complete when the block ends without an error.
    """
    check_format(file_format)
    writer = _WRITERS[file_format](path)
    try:
        yield writer
        writer.finish()
    except BaseException:
        # On a full disk, closing fails as well.
        with suppress(OSError):
            writer.close()
        raise
