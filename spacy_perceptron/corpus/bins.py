"""Read, split and join `.spacy` files without making Docs, and pack user data quickly.

DocBin looks up the codecs of user data again for each Doc. This takes about 0.3 ms each way, ten
times as long as all other annotation. Here one packer and one unpacker serve all Docs of a bin; the
format is the same.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from spacy.attrs import (
    DEP,
    ENT_ID,
    ENT_KB_ID,
    ENT_TYPE,
    LEMMA,
    MORPH,
    NORM,
    ORTH,
    SPACY,
    TAG,
)
from spacy.tokens import Doc, DocBin
from spacy.training.corpus import FILE_TYPE, walk_corpus
from spacy.vocab import Vocab
from srsly.msgpack import Packer, Unpacker

from ..errors import Errors

# Attributes of tokens whose values are hashes of strings.
_STRINGS = [ORTH, NORM, TAG, LEMMA, MORPH, DEP, ENT_TYPE, ENT_KB_ID, ENT_ID]
_LONG_BINARY = struct.Struct(">BI").pack
# What a DocBin keeps of each document, besides its user data.
_FIELDS = ("tokens", "spaces", "cats", "span_groups", "flags")


def read_bins(
    path: Path, *, limit: int = 0, keep: Callable[[int], bool] | None = None
) -> Iterator[DocBin]:
    """Read the files of a corpus, in the order in which spaCy reads them in training.

    Documents without tokens are left out and not counted.

    path (Path): A .spacy file or a folder of them.
    limit (int): Maximum number of documents; 0 for all.
    keep (Optional[Callable]): Whether to read a document, given its number, counted from 0 over all
        files. None for all.
    YIELDS (DocBin): The chosen documents of each file.
    """
    if not path.exists():
        raise ValueError(Errors.CORPUS_MISSING.format(path=path))
    number = 0
    for file_path in walk_corpus(path, FILE_TYPE):
        doc_bin = DocBin().from_disk(file_path)
        chosen = []
        for i, tokens in enumerate(doc_bin.tokens):
            if len(tokens) and (not limit or number < limit):
                if keep is None or keep(number):
                    chosen.append((0, i))
                number += 1
        yield join_bins([doc_bin], chosen)


def join_bins(bins: Sequence[DocBin], places: Iterable[tuple[int, int]]) -> DocBin:
    """Put documents from several bins into one.

    bins (Sequence[DocBin]): The bins, with the same attributes and with user data.
    places (Iterable[tuple[int, int]]): Number of the bin and of the document in it, in the new
        order.
    RETURNS (DocBin): The new bin.
    """
    joined = DocBin(store_user_data=True)
    joined.attrs = bins[0].attrs
    for part, i in places:
        for name in (*_FIELDS, "user_data"):
            getattr(joined, name).append(getattr(bins[part], name)[i])
    for part_bin in bins:
        joined.strings.update(part_bin.strings)
    return joined


def count_docs(path: Path, limit: int = 0) -> int:
    """Count the documents that have tokens, without making them.

    path (Path): A .spacy file or a folder of them.
    limit (int): Maximum number to count; 0 for all.
    RETURNS (int): The number of documents that `read_docs` reads.
    """
    return sum(len(doc_bin) for doc_bin in read_bins(path, limit=limit))


def read_docs(
    path: Path, vocab: Vocab, limit: int = 0, *, keep: Callable[[int], bool] | None = None
) -> list[Doc]:
    """Read the documents of a corpus that have tokens.

    path (Path): A .spacy file or a folder of them.
    vocab (Vocab): The vocabulary to read into.
    limit (int): Maximum number of documents; 0 for all.
    keep (Optional[Callable]): Whether to read a document, given its number; None for all.
    RETURNS (list[Doc]): The documents.
    """
    bins = read_bins(path, limit=limit, keep=keep)
    return [doc for doc_bin in bins for doc in unpack_docs(doc_bin, vocab)]


class BinPacker:
    """Puts Docs into a bin, with user data, one after the other: what all of them share is done
    once.
    """

    def __init__(self) -> None:
        self.doc_bin = DocBin(store_user_data=True)
        self._packer = Packer(use_bin_type=True)
        # Hashes of the strings that the bin has.
        self._known: set[int] = set()

    def pack(self, doc: Doc) -> dict[str, Any]:
        """Make of a Doc what a bin keeps. It does not need the Doc or its vocab any more.

        doc (Doc): The document.
        RETURNS (dict[str, Any]): A value for each field of the bin.
        """
        user_data = self._packer.pack(doc.user_data)
        attributes: list[int | str] = [*self.doc_bin.attrs]
        tokens = doc.to_array(attributes).reshape(len(doc), len(attributes))
        self._add_strings(doc)
        return {
            "tokens": tokens,
            "spaces": doc.to_array([SPACY]).reshape(len(doc), 1).astype(bool),
            "cats": dict(doc.cats),
            "span_groups": doc.spans.to_bytes(),
            "flags": {"has_unknown_spaces": doc.has_unknown_spaces},
            "user_data": user_data,
        }

    def add(self, packed: dict[str, Any]) -> None:
        """Put a packed Doc into the bin.

        packed (dict[str, Any]): The fields.
        """
        for name, value in packed.items():
            getattr(self.doc_bin, name).append(value)

    def _add_strings(self, doc: Doc) -> None:
        """Let the bin have the strings of a Doc."""
        strings = doc.vocab.strings
        hashes = set(doc.to_array(_STRINGS).ravel().tolist())
        for group in doc.spans.values():
            hashes.update(span.label for span in group)
            for span in group:
                hashes.update(key for key in (span.kb_id, span.id) if key in strings)
        new = hashes - self._known
        self.doc_bin.strings.update(strings[key] if key else "" for key in new)
        self._known |= new


def pack_docs(docs: Iterable[Doc]) -> DocBin:
    """Make a DocBin with user data.

    docs (Iterable[Doc]): The documents.
    RETURNS (DocBin): The same as `DocBin(docs=docs, store_user_data=True)`.
    """
    packer = BinPacker()
    for doc in docs:
        packer.add(packer.pack(doc))
    return packer.doc_bin


def write_bin(doc_bin: DocBin, path: Path) -> None:
    """Write a DocBin to a file, piece by piece: `DocBin.to_disk` needs four times the memory of the
    bin itself.

    doc_bin (DocBin): The bin, with user data.
    path (Path): The file, which says the same as that of `DocBin.to_disk`.
    """
    packer = Packer(use_bin_type=True)
    compressor = zlib.compressobj()
    with path.open("wb") as file:
        for piece in _pieces(doc_bin, packer):
            file.write(compressor.compress(piece))
        file.write(compressor.flush())


def _pieces(doc_bin: DocBin, packer: Packer) -> Iterator[bytes]:
    """YIELDS (bytes): The message that a DocBin file holds."""
    lengths = np.asarray([len(tokens) for tokens in doc_bin.tokens], dtype="int32")
    fields: dict[str, Any] = {
        "version": doc_bin.version,
        "attrs": doc_bin.attrs,
        "tokens": doc_bin.tokens,
        "spaces": doc_bin.spaces,
        "lengths": lengths.tobytes("C"),
        "strings": sorted(doc_bin.strings),
        "cats": doc_bin.cats,
        "flags": doc_bin.flags,
        "span_groups": doc_bin.span_groups,
        "user_data": doc_bin.user_data,
    }
    yield packer.pack_map_header(len(fields))
    for name, value in fields.items():
        yield packer.pack(name)
        if name in ("tokens", "spaces"):
            # One array of all Docs, as binary data of 32-bit length.
            yield _LONG_BINARY(0xC6, sum(array.nbytes for array in value))
            yield from (array.tobytes("C") for array in value)
        elif isinstance(value, list):
            yield packer.pack_array_header(len(value))
            yield from (packer.pack(item) for item in value)
        else:
            yield packer.pack(value)


def unpack_docs(doc_bin: DocBin, vocab: Vocab) -> Iterator[Doc]:
    """Make the Docs of a DocBin.

    doc_bin (DocBin): The bin.
    vocab (Vocab): The vocabulary to read into.
    YIELDS (Doc): The same as `doc_bin.get_docs(vocab)`.
    """
    bare = DocBin()
    for name in ("attrs", "strings", *_FIELDS):
        setattr(bare, name, getattr(doc_bin, name))
    unpacker = Unpacker(raw=False, use_list=False)
    for i, doc in enumerate(bare.get_docs(vocab)):
        packed = doc_bin.user_data[i] if doc_bin.user_data else None
        if packed is not None:
            unpacker.feed(packed)
            doc.user_data.update(unpacker.unpack())
        yield doc
