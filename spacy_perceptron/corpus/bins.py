"""Read, split and join `.spacy` files without making Docs, and pack user data quickly.

DocBin looks up the codecs of user data again for each Doc. This takes about 0.3 ms each way, ten
times as long as all other annotation. Here one packer and one unpacker serve all Docs of a bin; the
format is the same.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.training.corpus import FILE_TYPE, walk_corpus
from spacy.vocab import Vocab
from srsly.msgpack import Packer, Unpacker

from ..errors import Errors

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


def pack_docs(docs: Iterable[Doc]) -> DocBin:
    """Make a DocBin with user data.

    docs (Iterable[Doc]): The documents.
    RETURNS (DocBin): The same as `DocBin(docs=docs, store_user_data=True)`.
    """
    packer = Packer(use_bin_type=True)
    doc_bin = DocBin()
    for doc in docs:
        doc_bin.add(doc)
        doc_bin.user_data.append(packer.pack(doc.user_data))
    doc_bin.store_user_data = True
    return doc_bin


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
