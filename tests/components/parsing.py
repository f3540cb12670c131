"""Small parsers and docs for the tests of `mira_parser`."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.corpus.reader import copy_tokens
from spacy_perceptron.corpus.sample import load_sample

NAME = "parser"
MODEL = {"@architectures": "spacy_perceptron.ParserModel.v1", "n_bits": 16, "pruner_bits": 14}
ARCS = (
    "p.folded c.folded arc.direction",
    "p.folded c.tag arc.direction",
    "p.tag c.folded arc.direction",
    "p.tag c.tag arc.distance",
    "p.tag p+1.tag c-1.tag c.tag arc.direction",
    "p-1.tag p.tag c.tag c+1.tag arc.direction",
    "p.tag b.tag c.tag arc.direction",
)
SECOND_ORDER = (
    "p.tag s.tag c.tag arc.direction",
    "s.folded c.tag arc.direction",
    "p.folded s.tag arc.direction",
    "g.tag p.tag c.tag arc.direction",
    "g.folded c.tag arc.direction",
)
THIRD_ORDER = ("g.tag p.tag s.tag c.tag arc.direction",)
LABELS = ("p.tag c.tag arc.direction", "p.folded c.tag", "p.tag c.folded")
PRUNER = ("p.tag c.tag arc.distance", "p.folded c.tag", "p.tag c.folded")
# One that keeps all arcs.
UNPRUNED: dict[str, Any] = {"pruning": 0.0, "max_heads": 0}

# A head and a label for every token; heads are indices in the doc.
Arcs = list[tuple[int, str]]


def templates(texts: Iterable[str]) -> dict[str, Any]:
    return {"@misc": "spacy_perceptron.templates.v1", "sets": [], "extra": list(texts)}


def make_parser(*, extra: Sequence[str] = (), **settings: Any) -> Language:
    """A pipeline with a small parser, not initialized.

    extra (Sequence[str]): More templates for arcs.
    **settings: Settings of the parser.
    RETURNS (Language): The pipeline.
    """
    config = {
        "model": MODEL,
        "templates": templates((*ARCS, *extra, *SECOND_ORDER, *THIRD_ORDER)),
        "label_templates": templates(LABELS),
        "pruner_templates": templates(PRUNER),
        **settings,
    }
    nlp = spacy.blank("en")
    nlp.add_pipe("mira_parser", name=NAME, config=config)
    return nlp


def read(nlp: Language, split: str = "dev", limit: int | None = None) -> list[Example]:
    """RETURNS (list[Example]): Examples from the sample treebank with tags and boundaries."""
    docs = load_sample(nlp.vocab, split)[:limit]
    return [Example(copy_tokens(doc, [TAG]), doc) for doc in docs]


def train(nlp: Language, examples: list[Example], *, epochs: int = 2) -> Language:
    """Initialize a pipeline and train it."""
    nlp.initialize(lambda: examples)
    for _ in range(epochs):
        nlp.update(examples)
    return nlp


def sample_parser(*, epochs: int = 2, limit: int | None = None, **settings: Any) -> Language:
    """RETURNS (Language): A small parser trained on the sample treebank."""
    nlp = make_parser(**settings)
    return train(nlp, read(nlp, "train", limit), epochs=epochs)


def arcs(doc: Doc) -> Arcs:
    return [(token.head.i, token.dep_) for token in doc]


def set_arcs(doc: Doc, heads: Sequence[int | None], labels: Sequence[str | None]) -> Doc:
    """Write heads (indices of tokens) as they are, trees or not; boundaries stay.

    doc (Doc): The doc; changed in place.
    heads (Sequence[Optional[int]]): Head of each token, None for a missing one.
    labels (Sequence[Optional[str]]): Label of each token, None for a missing one.
    RETURNS (Doc): The same doc.
    """
    starts = doc.to_array("SENT_START")
    values = np.zeros((len(doc), 2), np.uint64)
    for i, (head, label) in enumerate(zip(heads, labels, strict=True)):
        values[i, 0] = np.array([0 if head is None else head - i]).view(np.uint64)[0]
        values[i, 1] = doc.vocab.strings.add(label) if label else 0
    doc.from_array([HEAD, DEP], values)
    doc.from_array(["SENT_START"], starts)
    return doc


def sentence(nlp: Language, text: str, tags: str = "") -> Doc:
    """A doc that is one sentence, of words and tags separated by spaces."""
    words = text.split()
    starts = [i == 0 for i in range(len(words))]
    return Doc(nlp.vocab, words=words, tags=tags.split() or None, sent_starts=starts)


def cut(doc: Doc, n: int) -> Doc:
    """The first tokens of a doc as a sentence, with nothing but tags."""
    words, tags = [t.text for t in doc[:n]], [t.tag_ for t in doc[:n]]
    return Doc(doc.vocab, words=words, tags=tags, sent_starts=[i == 0 for i in range(len(words))])
