"""Corpora as DocBins, and the UD English Web Treebank, read by spaCy's own converter.

Gold tokens and sentence boundaries, one sentence per Doc, syntactic words (no merged subtokens).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.training.converters import conllu_to_docs
from spacy.vocab import Vocab

from ..command.paths import DEFAULT_DATA
from .sentences import ROOT_HEAD, Sentence

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Corpus:
    """A directory with train.spacy, dev.spacy and test.spacy."""

    name: str
    directory: Path

    def path(self, split: str) -> Path:
        """The DocBin of a split."""
        return self.directory / f"{split}.spacy"

    def docs(self, split: str, vocab: Vocab | None = None) -> Iterator[Doc]:
        """The annotated Docs of a split, in a new vocabulary unless one is given."""
        yield from DocBin().from_disk(self.path(split)).get_docs(vocab or Vocab())

    def sentences(self, split: str) -> list[Sentence]:
        """The words, tags and trees of a split."""
        return [as_sentence(doc) for doc in self.docs(split)]


def as_sentence(doc: Doc) -> Sentence:
    """The words, tags and trees of a Doc."""
    return Sentence(
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        tags=[token.tag_ for token in doc],
        heads=doc_heads(doc),
        labels=[token.dep_ for token in doc],
        punct=[token.pos_ == "PUNCT" for token in doc],
        pos=[token.pos_ for token in doc],
    )


def doc_heads(doc: Doc) -> list[int]:
    """The head of every token of a Doc; ROOT_HEAD for a root."""
    return [ROOT_HEAD if token.head.i == token.i else token.head.i for token in doc]


def data_directory(given: Path | None = None) -> Path:
    """Where the treebanks are: as given, or in SPACY_PERCEPTRON_DATA, or beside the project."""
    return given or Path(os.environ.get("SPACY_PERCEPTRON_DATA") or DEFAULT_DATA)


def find_data(data: Path, *parts: str) -> Path:
    """A file or directory among the treebanks; raises FileNotFoundError with advice."""
    path = data.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(
            f"{path} not found: name the directory that holds {parts[0]}/ with --data or in "
            f"SPACY_PERCEPTRON_DATA"
        )
    return path


def read_conllu(path: Path) -> Iterator[Doc]:
    """Read a CoNLL-U file, one sentence per Doc."""
    text = path.read_text(encoding="utf8")
    yield from conllu_to_docs(text, n_sents=1, merge_subtokens=False, no_print=True)


def ewt(data: Path, directory: Path, *, limits: dict[str, int] | None = None) -> Corpus:
    """UD English Web Treebank as DocBins, made where they do not exist yet.

    data (Path): directory that contains `ewt/en_ewt-ud-{train,dev,test}.conllu`.
    directory (Path): where to write the DocBins.
    limits (dict[str, int] | None): at most this many sentences of a split.
    RETURNS (Corpus): the corpus.
    """
    return _treebank("UD English EWT", data / "ewt", "en_ewt-ud", directory, limits)


def cltt(data: Path, directory: Path, *, limits: dict[str, int] | None = None) -> Corpus:
    """UD Czech CLTT, legal text, as DocBins: see `ewt`."""
    return _treebank("UD Czech CLTT", data / "cltt", "cs_cltt-ud", directory, limits)


def _treebank(
    name: str, source: Path, prefix: str, directory: Path, limits: dict[str, int] | None
) -> Corpus:
    corpus = Corpus(name, directory)
    directory.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        if corpus.path(split).exists():
            continue
        path = find_data(source.parent, source.name, f"{prefix}-{split}.conllu")
        docs = islice(read_conllu(path), (limits or {}).get(split))
        DocBin(docs=docs).to_disk(corpus.path(split))
    return corpus
