"""Pipelines that are trained in seconds, for a server that browsers look at."""

from collections.abc import Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from ..sample import load_sample

COMPONENTS = {
    "tagger": "easy_first_tagger",
    "parser": "mira_parser",
    "phrases": "incremental_parser",
    "ner": "perceptron_ner",
    "lemmatizer": "perceptron_lemmatizer",
}
HOSTILE = '"><img src=x onerror=alert(1)>'


def train(
    folder: Path, *, lang: str, names: Sequence[str], limit: int, n_epochs: int, tag: str = ""
) -> Path:
    """Train a pipeline on sentences of the sample treebank.

    folder (Path): Where to save it; its name is that of the pipeline.
    lang (str): Its language: words are cut and written as there.
    names (Sequence[str]): Its components, of `COMPONENTS`.
    limit (int): How many sentences it learns from.
    n_epochs (int): How often.
    tag (str): A tag for all words, in place of their own.
    RETURNS (Path): The folder.
    """
    nlp = spacy.blank(lang)
    nlp.meta["name"] = folder.name
    nlp.add_pipe("sentencizer")
    for name in names:
        nlp.add_pipe(COMPONENTS[name], name=name)
    examples = [make_example(nlp, doc, tag) for doc in load_sample(nlp.vocab, "train", limit)]
    nlp.initialize(lambda: examples)
    for name in names:
        for _ in range(n_epochs):
            nlp.get_pipe(name).update(examples)
    nlp.to_disk(folder)
    return folder


def make_example(nlp: Language, doc: Doc, tag: str) -> Example:
    """RETURNS (Example): A sentence that is tagged already, so that parsers can learn from it."""
    words, spaces = [t.text for t in doc], [bool(t.whitespace_) for t in doc]
    predicted = Doc(nlp.vocab, words=words, spaces=spaces)
    for token, gold in zip(predicted, doc, strict=True):
        if tag:
            gold.tag_ = tag
        token.tag_, token.pos_ = gold.tag_, gold.pos_
    return Example(predicted, doc)


def write_corpus(path: Path, limit: int) -> Path:
    """RETURNS (Path): A gold corpus of so many sentences."""
    docs = load_sample(spacy.blank("en").vocab, "dev", limit)
    DocBin(docs=docs, store_user_data=False).to_disk(path)
    return path
