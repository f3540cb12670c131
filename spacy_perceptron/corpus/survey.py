"""What a corpus has: how much text, and which annotation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import DEP, LEMMA, MORPH, POS, TAG
from spacy.morphology import Morphology
from spacy.tokens import Doc

from ..trees.constituents import SPANS_KEY
from .spaces import is_white

_ATTRIBUTES = {"tags": TAG, "pos": POS, "morphs": MORPH, "lemmas": LEMMA, "labels": DEP}


@dataclass(frozen=True)
class Survey:
    """Counts of a corpus.

    docs (int): Docs.
    long_docs (int): Docs of more than one sentence.
    sentences (int): Sentences.
    words (int): Words, without white space.
    tags (int): Different fine tags, 0 for none. The same for what follows.
    pos (int): Different coarse tags.
    morphs (int): Different bundles of morphological features.
    lemmas (int): Different lemmas.
    labels (int): Different dependency labels.
    entities (int): Entities.
    entity_types (int): Different types of entities.
    constituents (int): Different labels of constituents.
    """

    docs: int = 0
    long_docs: int = 0
    sentences: int = 0
    words: int = 0
    tags: int = 0
    pos: int = 0
    morphs: int = 0
    lemmas: int = 0
    labels: int = 0
    entities: int = 0
    entity_types: int = 0
    constituents: int = 0

    @property
    def attributes(self) -> list[str]:
        """RETURNS (list[str]): What a tagger can learn to predict: of `tag`, `pos` and `morph`."""
        counts = {"tag": self.tags, "pos": self.pos, "morph": self.morphs}
        return [name for name, count in counts.items() if count]


def survey_corpus(docs: Iterable[Doc]) -> Survey:
    """Look through a corpus.

    docs (Iterable[Doc]): Gold docs.
    RETURNS (Survey): What it has.
    """
    n_docs = long_docs = sentences = words = entities = 0
    values: dict[str, set[int]] = {name: set() for name in _ATTRIBUTES}
    types: set[str] = set()
    constituents: set[str] = set()
    nothing = {0}
    for doc in docs:
        n_docs += 1
        n_sents = _count_sentences(doc)
        sentences += n_sents
        long_docs += n_sents > 1
        places = [token.i for token in doc if not is_white(token)]
        words += len(places)
        columns = doc.to_array(list(_ATTRIBUTES.values()))[places]
        for name, column in zip(_ATTRIBUTES, columns.T, strict=True):
            values[name].update(np.unique(column).tolist())
        # An empty bundle of features, and what CoNLL-U has for no value.
        nothing.add(doc.vocab.strings[Morphology.EMPTY_MORPH])
        entities += len(doc.ents)
        types.update(ent.label_ for ent in doc.ents)
        if SPANS_KEY in doc.spans:
            constituents.update(span.label_ for span in doc.spans[SPANS_KEY])
    return Survey(
        docs=n_docs,
        long_docs=long_docs,
        sentences=sentences,
        words=words,
        entities=entities,
        entity_types=len(types),
        constituents=len(constituents),
        **{name: len(found - nothing) for name, found in values.items()},
    )


def count_columns(survey: Survey) -> Sequence[tuple[str, str]]:
    """Describe a corpus.

    survey (Survey): The corpus.
    RETURNS (Sequence[tuple[str, str]]): What was counted, and how much of it there is.
    """
    rows = [
        ("words", f"{survey.words:,}"),
        ("sentences", f"{survey.sentences:,}"),
        ("Docs", f"{survey.docs:,}, {survey.long_docs:,} of them with several sentences"),
        ("fine tags", f"{survey.tags:,}"),
        ("coarse tags", f"{survey.pos:,}"),
        ("feature bundles", f"{survey.morphs:,}"),
        ("lemmas", f"{survey.lemmas:,}"),
        ("dependency labels", f"{survey.labels:,}"),
        ("constituent labels", f"{survey.constituents:,}"),
        ("entities", f"{survey.entities:,} of {survey.entity_types:,} types"),
    ]
    return [(name, count if count[0] != "0" else "none") for name, count in rows]


def _count_sentences(doc: Doc) -> int:
    return sum(1 for _ in doc.sents) if doc.has_annotation("SENT_START") else 1
