"""The UD English Web Treebank as raw text: documents, with the CoNLL-U files to judge by.

The text of a document is that of its sentences with the spaces between them as the treebank has
them; paragraphs are separated by an empty line.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from spacy.tokens import DocBin
from spacy.vocab import Vocab

from spacy_perceptron.corpus.conllu.docs import conllu_to_docs, split_documents
from spacy_perceptron.trees.conllu.reading import read_conllu, write_conllu
from spacy_perceptron.trees.conllu.sentences import ConlluSentence

from .corpus import SPLITS, Corpus, as_sentence, find_data
from .sentences import Sentence

# As many as spaCy's own converter puts into a Doc unless told otherwise.
SENTENCES_PER_DOC = 10


@dataclass(frozen=True)
class RawText:
    """A document to annotate.

    text (str): its text.
    words (list[str]): the treebank's words, which are counted and never shown to a system.
    """

    text: str
    words: list[str]


@dataclass(frozen=True)
class RawTextCorpus(Corpus):
    """A directory with a CoNLL-U file for each split beside its DocBin of documents."""

    def conllu_path(self, split: str) -> Path:
        """The CoNLL-U file of a split."""
        return self.directory / f"{split}.conllu"

    def gold(self, split: str) -> list[ConlluSentence]:
        """The sentences of a split, with multi-word tokens."""
        return list(read_conllu(self.conllu_path(split)))

    def texts(self, split: str) -> list[RawText]:
        """The documents of a split."""
        gold = self.gold(split)
        docs = conllu_to_docs(gold, Vocab(), n_sents=0, documents=True)
        return [
            RawText(doc.text, [word.form for sentence in document for word in sentence.words])
            for doc, document in zip(docs, split_documents(gold), strict=True)
        ]

    def sentences(self, split: str) -> list[Sentence]:
        return [as_sentence(doc) for doc in conllu_to_docs(self.gold(split), Vocab())]


def ewt_documents(
    data: Path, directory: Path, *, limits: dict[str, int] | None = None
) -> RawTextCorpus:
    """UD English Web Treebank as documents, made where they do not exist yet.

    data (Path): directory that contains `ewt/en_ewt-ud-{train,dev,test}.conllu`.
    directory (Path): where to write the files.
    limits (dict[str, int] | None): at most this many sentences of a split.
    RETURNS (RawTextCorpus): the corpus. Docs have at most 10 sentences, so that a training can
        shuffle them.
    """
    corpus = RawTextCorpus("UD English EWT", directory)
    directory.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        if corpus.path(split).exists():
            continue
        source = find_data(data, "ewt", f"en_ewt-ud-{split}.conllu")
        write_conllu(
            islice(read_conllu(source), (limits or {}).get(split)), corpus.conllu_path(split)
        )
        docs = conllu_to_docs(
            corpus.gold(split), Vocab(), n_sents=SENTENCES_PER_DOC, documents=True
        )
        DocBin(docs=docs).to_disk(corpus.path(split))
    return corpus
