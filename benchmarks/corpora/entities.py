"""Entity spans of web text and Wikipedia, as DocBins and as plain sentences.

Train is Universal NER's English Web Treebank together with Wikigold without its miscellaneous
names. Every tenth sentence of the former is held out as dev.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from .corpus import SPLITS, Corpus, find_data
from .sentences import Sentence

HELD_OUT = 10
DROPPED_TYPE = "MISC"
NAME = "UNER English EWT + Wikigold"


@dataclass(frozen=True)
class EntityCorpus(Corpus):
    """A corpus whose sentences carry entity tags (BIO)."""

    def sentences(self, split: str) -> list[Sentence]:
        return [
            Sentence(
                words=[token.text for token in doc],
                spaces=[bool(token.whitespace_) for token in doc],
                tags=bio_tags(doc),
            )
            for doc in self.docs(split)
        ]


def bio_tags(doc: Doc) -> list[str]:
    """A BIO tag for every token of a Doc."""
    return [f"{token.ent_iob_}-{token.ent_type_}" if token.ent_type else "O" for token in doc]


def read_columns(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The words and tags of every sentence in a file of tab-separated columns."""
    for block in path.read_text(encoding="utf8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line.strip()]
        if rows:
            yield [row[0] for row in rows], [row[-1] for row in rows]


def make_doc(vocab: Vocab, words: list[str], tags: list[str]) -> Doc:
    """One sentence with its entities."""
    kept = ["O" if tag.endswith(f"-{DROPPED_TYPE}") else tag for tag in tags]
    sent_starts: list[bool | int | None] = [i == 0 for i in range(len(words))]
    return Doc(vocab, words=words, ents=kept, sent_starts=sent_starts)


def entity_corpus(data: Path, directory: Path, *, limits: dict[str, int] | None = None) -> Corpus:
    """The corpus as DocBins, made where they do not exist yet.

    data (Path): directory that contains `ner/` with the three files.
    directory (Path): where to write the DocBins.
    limits (dict[str, int] | None): at most this many sentences of a split.
    RETURNS (Corpus): the corpus.
    """
    corpus = EntityCorpus(NAME, directory)
    directory.mkdir(parents=True, exist_ok=True)
    if all(corpus.path(split).exists() for split in SPLITS):
        return corpus
    folder = find_data(data, "ner")
    web = list(read_columns(folder / "ewt_ner-train.iob"))
    splits = {
        "train": [s for i, s in enumerate(web) if i % HELD_OUT != HELD_OUT - 1],
        "dev": web[HELD_OUT - 1 :: HELD_OUT],
        "test": list(read_columns(folder / "ewt_ner-test.iob")),
    }
    splits["train"] += read_columns(folder / "wikigold.iob")
    vocab = Vocab()
    for split, sentences in splits.items():
        docs = [make_doc(vocab, *sentence) for sentence in sentences]
        DocBin(docs=docs[: (limits or {}).get(split)]).to_disk(corpus.path(split))
    return corpus
