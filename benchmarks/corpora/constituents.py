"""Trees of the Penn Treebank, as DocBins and as plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from spacy.tokens import Doc, DocBin

from spacy_perceptron.corpus.convert import ConvertOptions, convert_ptb
from spacy_perceptron.trees.constituents import SPANS_KEY

from .corpus import SPLITS, Corpus, find_data
from .sentences import Constituent, Sentence

NAME = "WSJ sample"


@dataclass(frozen=True)
class TreeCorpus(Corpus):
    """A corpus whose sentences carry tags and phrases."""

    def sentences(self, split: str) -> list[Sentence]:
        return [
            Sentence(
                words=[token.text for token in doc],
                spaces=[bool(token.whitespace_) for token in doc],
                tags=[token.tag_ for token in doc],
                constituents=doc_constituents(doc),
            )
            for doc in self.docs(split)
        ]


def doc_constituents(doc: Doc) -> list[Constituent]:
    """The phrases of a Doc, outer ones first: label, start and end."""
    return [(span.label_, span.start, span.end) for span in doc.spans.get(SPANS_KEY, ())]


def tree_corpus(data: Path, directory: Path, *, limits: dict[str, int] | None = None) -> Corpus:
    """The corpus as DocBins, made where they do not exist yet; function tags are cut off.

    data (Path): directory that contains `wsj/{train,dev,test}.mrg`.
    directory (Path): where to write the DocBins.
    limits (dict[str, int] | None): at most this many sentences of a split.
    RETURNS (Corpus): the corpus.
    """
    corpus = TreeCorpus(NAME, directory)
    directory.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        if not corpus.path(split).exists():
            source = find_data(data, "wsj", f"{split}.mrg")
            docs = convert_ptb(source, ConvertOptions(deps=False))
            DocBin(docs=islice(docs, (limits or {}).get(split))).to_disk(corpus.path(split))
    return corpus
