"""Text to annotate and to train on, of any length: raw text, repeated with rare words varied."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.corpus.sample import load_sample

from .corpus import SPLITS, Corpus, find_data
from .varied import vary

RAW_TEXT = ("raw", "amalgum.txt")
SENTENCES_PER_LINE = 5
# Sentences of dev, where training is timed and not judged.
N_DEV = 100
# What is gold in the sample treebank too.
_ATTRIBUTES = ("TAG", "POS", "HEAD", "DEP", "SENT_START")


def raw_sentences(data: Path | None) -> list[list[str]]:
    """The words of the sentences of real text.

    data (Path | None): directory that contains `raw/amalgum.txt`, with a tokenized sentence on each
        line; None for the sentences of the sample treebank.
    RETURNS (list[list[str]]): the sentences.
    """
    if data is None:
        return [[token.text for token in doc] for doc in load_sample(Vocab())]
    text = find_data(data, *RAW_TEXT).read_text(encoding="utf8")
    return [line.split() for line in text.splitlines()]


def write_text(data: Path | None, path: Path, n_words: int) -> None:
    """Write documents of some sentences each, one a line; runs in a child process.

    data (Path | None): where the text is from, as in `raw_sentences`.
    path (Path): the file to write.
    n_words (int): how many words of the source it has at least.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    sentences = vary(raw_sentences(data), n_words)
    with path.open("w", encoding="utf8") as file:
        while group := list(islice(sentences, SENTENCES_PER_LINE)):
            file.write(" ".join(word for words in group for word in words) + "\n")


def sample_corpus(directory: Path) -> Corpus:
    """The sample treebank as DocBins, one sentence per Doc.

    directory (Path): where to write them.
    RETURNS (Corpus): the corpus.
    """
    corpus = Corpus("the sample treebank", directory)
    directory.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        docs = load_sample(Vocab(), split)
        DocBin(attrs=_ATTRIBUTES, docs=docs).to_disk(corpus.path(split))
    return corpus


def annotated_corpus(
    model: Path, data: Path | None, dev: Path, directory: Path, n_sentences: int
) -> Corpus:
    """A corpus whose train is raw text with the tags of a pipeline; runs in a child process.

    model (Path): the pipeline.
    data (Path | None): where the text is from, as in `raw_sentences`.
    dev (Path): the DocBin to take some sentences of dev from.
    directory (Path): where to write the DocBins.
    n_sentences (int): how many sentences train has.
    RETURNS (Corpus): the corpus, without test.
    """
    nlp = spacy.load(model)
    corpus = Corpus(f"raw text, {n_sentences:,} sentences", directory)
    directory.mkdir(parents=True, exist_ok=True)
    sentences = islice(vary(_not_empty(raw_sentences(data)), sys.maxsize), n_sentences)
    inputs = (Doc(nlp.vocab, words=words) for words in sentences)
    DocBin(attrs=["TAG"], docs=nlp.pipe(inputs)).to_disk(corpus.path("train"))
    docs = DocBin().from_disk(dev).get_docs(nlp.vocab)
    DocBin(attrs=["TAG"], docs=islice(docs, N_DEV)).to_disk(corpus.path("dev"))
    return corpus


def _not_empty(sentences: Sequence[list[str]]) -> list[list[str]]:
    return [words for words in sentences if words]
