"""White space, given boundaries and contexts, as a segmenter reads them from docs."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from spacy_perceptron.components._sentences.contexts import (
    CONTEXTS,
    SPACES,
    ContextCounter,
    quiet_flags,
)
from spacy_perceptron.components._sentences.reader import SenterReader, SenterWords
from spacy_perceptron.components._sentences.word_use import WordUse, WordUseCounter, no_words
from spacy_perceptron.components._sentences.writer import token_starts, write_starts
from spacy_perceptron.features.token_attributes import FIRST_VALUE

VOCAB = spacy.blank("xx").vocab
READER = SenterReader({"lower", "space"})


def read(*docs: Doc, keep: bool = True, own: str = "senter") -> SenterWords:
    return READER(docs, READER.attributes(WordUse(no_words())), own, keep=keep)


def spaces(words: SenterWords) -> list[str]:
    return [SPACES[value - FIRST_VALUE] for (value,) in words.values.tolist()]


def with_starts(words: list[str], starts: list[int]) -> Doc:
    doc = Doc(VOCAB, words=words)
    array = np.array(starts, np.int64).view(np.uint64)
    return doc.from_array(["SENT_START"], array.reshape(-1, 1))


def test_white_space_before_words():
    nlp = spacy.blank("en")
    doc = nlp("One two,  three\nfour \n\n five\t\tsix seven")
    assert spaces(read(doc)) == [
        *("none", "space", "none", "wide"),
        *("line break", "blank line", "wide", "space"),
    ]


def test_docs_do_not_see_each_others_white_space():
    docs = [spacy.blank("en")(text) for text in ("a b\n\n", "c", " \n", "\nd e")]
    assert spaces(read(*docs)) == ["none", "space", "none", "line break", "space"]
    # Alone, they are read in the same way.
    assert [value for doc in docs for value in spaces(read(doc))] == spaces(read(*docs))


@pytest.mark.parametrize(
    ("words", "starts", "given"),
    [
        # The first word starts a sentence, and nothing is known of the others.
        ("a b c", [0, 0, 0], [1, -1, -1]),
        ("a b c", [0, 1, -1], [1, 1, 0]),
        # A sentence that starts with whitespace starts with the word after it.
        ("a _ b c", [0, 1, -1, 0], [1, 1, -1]),
        ("_ a b", [1, -1, -1], [1, 0]),
        ("a _ _ b", [1, 1, 0, 0], [1, 1]),
    ],
)
def test_given_boundaries(words: str, starts: list[int], given: list[int]):
    tokens = ["\n" if word == "_" else word for word in words.split()]
    doc = with_starts(tokens, starts)
    assert read(doc).given.tolist() == given
    assert read(doc, keep=False).given.tolist() == [1, *[-1] * (len(given) - 1)]


@pytest.mark.parametrize(
    ("words", "before", "tags", "expected"),
    [
        ("a b c", [0, 0, 0], [1, 0, 1], [1, -1, 1]),
        ("_ a _ b", [0, 0, 0, 0], [1, 1], [1, -1, -1, 1]),
        # What is known stays, and a sentence starts only once.
        ("a _ b c", [0, 1, 0, 0], [1, 1, 1], [1, 1, -1, 1]),
        ("a b c", [0, -1, 1], [1, 0, 1], [1, -1, 1]),
        ("_ _", [0, 0], [], [1, -1]),
    ],
)
def test_starts_of_tokens(words: str, before: list[int], tags: list[int], expected: list[int]):
    tokens = ["\n" if word == "_" else word for word in words.split()]
    found = read(with_starts(tokens, before))
    assert token_starts(np.array(tags, np.int32), found.words).tolist() == expected


def test_own_boundaries_are_not_given():
    doc = with_starts(["a", "b", "c", "d"], [0, 0, -1, 0])
    words = read(doc).words
    given = words.more[:, 1] != 0
    write_starts([doc], np.array([1, 1, -1, -1]), given, "senter", words.characters)
    assert [token.is_sent_start for token in doc] == [True, True, False, False]
    assert read(doc).given.tolist() == [1, -1, 0, -1]
    assert read(doc, own="other").given.tolist() == [1, 1, 0, 0]
    # Whoever changes a boundary makes it a given one.
    doc[3].is_sent_start = True
    assert read(doc).given.tolist() == [1, -1, 0, 1]
    # The same in a doc that begins with another one, where it is free to join the two.
    joined = Doc.from_docs([with_starts(["x", "y"], [1, -1]), doc])
    assert read(joined).given.tolist() == [1, 0, -1, -1, 0, 1]


def test_contexts():
    words = read(spacy.blank("en")("We left it, and Kim\nran"))
    names = [CONTEXTS[i] for i in words.contexts]
    assert names == [
        "other, letters, none",
        "letters, lower, space",
        "lower, lower, space",
        "lower, other, none",
        "other, lower, space",
        "lower, letters, space",
        "letters, lower, line break",
    ]
    settled = words.settle(quiet_flags(["lower, lower, space", "lower, other, none"]))
    assert settled.given.tolist() == [1, -1, 0, 0, -1, -1, -1]


def test_quiet_contexts():
    counter = ContextCounter()
    lower, other = CONTEXTS.index("lower, lower, space"), CONTEXTS.index("other, lower, space")
    contexts = np.array([lower] + [lower] * 1000 + [other] * 499)
    starts = np.full(len(contexts), -1)
    # The first word of a doc does not count; the second one does.
    starts[:2] = 1
    counter.add(contexts, starts)
    assert counter.quiet(0.001) == ["lower, lower, space"]
    assert counter.quiet(0.0009) == counter.quiet(0.0) == []
    # What is not known does not count.
    counter.add(contexts, np.zeros(len(contexts)))
    assert counter.quiet(0.0009) == []
    counter.add(np.array([other, other]), np.array([1, 1]))
    # 1 of 500 words is too much for the second context: now that it is known, it is not quiet.
    assert counter.quiet(0.001) == ["lower, lower, space"]
    assert counter.quiet(0.002) == ["other, lower, space", "lower, lower, space"]


def test_use_of_words():
    counter = WordUseCounter()
    for _ in range(2):
        counter.add(
            [
                "Dr.",
                "Kim",
                "saw",
                "Kim",
                ".",
                "The",
                "vet",
                "etc",
                ".",
                "left",
                ".",
                "Go",
                "the",
                "vet",
            ],
            [1, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1, 1, -1, -1],
        )
    # One Doc alone says too little.
    counter.add(["so", "Bell", "said", "e.g.", "so"], [1, -1, -1, -1, -1])
    lists = counter.lists()
    assert lists == {
        "abbreviations": ["dr", "etc"],
        "lower": ["etc", "left", "saw", "the", "vet"],
        "capital": ["kim"],
    }
    use = WordUse(lists)
    assert [use.is_abbreviation(text) for text in ("Dr.", "Etc", "Kim")] == [True, True, False]
    found = [use.usage(text) for text in ("The", "KIM", "Bell", "the", "12")]
    assert found == ["lower", "capital", "unknown", "no capital", "no capital"]
