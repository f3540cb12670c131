"""Tags that spaCy has numbers of its own for, such as those of Universal Dependencies and the Penn
Treebank's POS."""

from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..docs import bracketed

PARSERS = ("incremental_parser", "max_margin_parser")
WORDS, TAGS = "a b c", "POS NOUN VERB"


def examples(nlp: Language, tags: str) -> list[Example]:
    """`POS NOUN` is a phrase, and so is `NOUN POS`: only the tags tell which words are in it."""
    first = bracketed(nlp, WORDS, tags, ("S", 0, 3), ("NP", 0, 2))
    second = bracketed(nlp, WORDS, " ".join(reversed(tags.split())), ("S", 0, 3), ("VP", 1, 3))
    return [first, second] * 4


def parse(nlp: Language, tags: str) -> list[tuple[str, int, int]]:
    doc = Doc(nlp.vocab, words=WORDS.split(), tags=tags.split())
    spans = nlp(doc).spans["constituents"]
    return [(span.label_, span.start, span.end) for span in spans]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("tags", ["A B C", TAGS])
def test_parsers_know_tags_by_any_name(parser: str, tags: str):
    nlp = spacy.blank("xx")
    nlp.add_pipe(parser)
    batch = examples(nlp, tags)
    nlp.initialize(lambda: batch)
    for _ in range(10):
        nlp.update(batch)
    assert parse(nlp, tags) == [("S", 0, 3), ("NP", 0, 2)]
    assert parse(nlp, " ".join(reversed(tags.split()))) == [("S", 0, 3), ("VP", 1, 3)]


@pytest.mark.parametrize("parser", PARSERS)
def test_gold_tags_stand_in(parser: str):
    nlp = spacy.blank("xx")
    pipe = nlp.add_pipe(parser)
    batch = [
        Example(Doc(nlp.vocab, words=WORDS.split()), example.reference)
        for example in examples(nlp, TAGS)
    ]
    nlp.initialize(lambda: batch)
    assert sorted(pipe.labels) == ["NP", "S", "VP"]


@pytest.mark.parametrize("parser", PARSERS)
def test_grammars_know_them(parser: str):
    nlp = spacy.blank("xx")
    pipe: Any = nlp.add_pipe(parser)
    batch = examples(nlp, TAGS)
    nlp.initialize(lambda: batch)
    is_incremental = parser == "incremental_parser"
    symbols = pipe._make_space().symbols if is_incremental else pipe._make_symbols()
    *numbers, unknown = symbols.tags(
        np.array([nlp.vocab.strings[tag] for tag in (*TAGS.split(), "?")], np.uint64)
    ).tolist()
    assert len({*numbers, unknown}) == 4
