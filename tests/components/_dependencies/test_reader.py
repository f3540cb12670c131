"""What a parser reads of docs, and where heads go in them."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.parts_of_speech import NOUN, VERB
from spacy.tokens import Doc

from spacy_perceptron.answers.confidence import confidence_key, store_confidences
from spacy_perceptron.components._dependencies.reader import (
    TOKEN_ATTRIBUTES,
    ParseReader,
    ParseWords,
    head_offsets,
)
from spacy_perceptron.components._shared.words import read_words

from ..docs import VOCAB, make_doc
from .sentences import hosts, set_arcs

# --- Heads -> offsets -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("docs", "heads", "expected"),
    [
        ([], [], []),
        ([""], [], []),
        (["a"], [0], [0]),
        # Heads count from 1 within their sentence, 0 is the root; tokens from 0 over all docs.
        (["a b c"], [2, 0, 2], [1, 1, 1]),
        (["|a b |c d e"], [0, 1, 2, 3, 0], [0, 0, 3, 4, 4]),
        (["a b", "c d"], [2, 0, 0, 1], [1, 1, 2, 2]),
        # Whitespace hangs on the word before, at the start on the first word.
        (["_ a b _"], [0, 1], [1, 1, 1, 2]),
        (["_ _ a _ _ b _ _"], [2, 0], [2, 2, 5, 2, 2, 5, 5, 5]),
        # The word before it in another sentence or doc is no host.
        (["|a _ b |_ c"], [2, 0, 0], [2, 0, 2, 4, 4]),
        (["|a _ |_ b"], [0, 0], [0, 0, 3, 3]),
        (["a _", "_ b"], [0, 0], [0, 0, 3, 3]),
        # Nor is there one in a sentence or a doc of whitespace: its first token takes the others.
        (["_ _ _"], [], [0, 0, 0]),
        (["|a |_ |b"], [0, 0], [0, 1, 2]),
        (["|a b |_ _"], [2, 0], [1, 1, 2, 2]),
        (["|_ _ |a"], [0], [0, 0, 2]),
        (["_ _", "a", "_"], [0], [0, 0, 2, 3]),
    ],
)
def test_head_offsets(docs: list[str], heads: list[int], expected: list[int]):
    words = read_words([make_doc(text) for text in docs])
    offsets = head_offsets(words, np.array(heads, np.int32))
    assert (np.arange(len(expected)) + offsets).tolist() == expected


@given(st.data())
def test_head_offsets_of_any_docs(data: st.DataObject):
    tokens = data.draw(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
    text = " ".join("|" * is_start + ("a" if is_word else "_") for is_word, is_start in tokens)
    words = read_words([make_doc(text)])
    heads: list[int] = []
    for start, end in zip(words.starts[:-1], words.starts[1:], strict=True):
        heads += [data.draw(st.integers(0, int(end - start))) for _ in range(start, end)]
    offsets = head_offsets(words, np.array(heads, np.int32))
    assert (np.arange(len(tokens)) + offsets).tolist() == hosts(tokens, heads)


# --- Reading ----------------------------------------------------------------------------------


def column(words: ParseWords, name: str) -> list[int]:
    return words.tokens[:, TOKEN_ATTRIBUTES.index(name)].tolist()


def text_ids(*texts: str) -> list[int]:
    return [VOCAB.strings[text] if text else 0 for text in texts]


def test_token_attributes():
    doc = Doc(
        VOCAB,
        words=["Dogs", "\n", "bark", "(", "!"],
        tags=["NNS", "_SP", "VBP", "-LRB-", "."],
        pos=["NOUN", "SPACE", "", "", ""],
        morphs=["Number=Plur", "", "", "", ""],
    )
    for text in ("NN", "VB"):
        VOCAB.strings.add(text)
    words = ParseReader(guided=False)([doc], starts_given=True)
    assert len(words) == 4
    assert column(words, "tag") == text_ids("NNS", "VBP", "-LRB-", ".")
    assert column(words, "pos") == [NOUN, 0, 0, 0]
    # The coarse tag is the part of speech, else two letters of the tag, or all if it has none.
    assert column(words, "coarse") == [NOUN, *text_ids("VB", "-LRB-", ".")]
    assert column(words, "morph") == [doc[i].morph.key for i in (0, 2, 3, 4)]
    assert column(words, "guide") == [0, 0, 0, 0]
    assert words.guides is None


def test_marks():
    """1: punctuation, 2: verbs, by their part of speech or else by a tag that begins with V."""
    doc = Doc(
        VOCAB,
        words=["a", "b", "c", "d", ".", "!"],
        tags=["VBZ", "VBZ", "NN", "", ".", "V"],
        pos=["", "NOUN", "AUX", "VERB", "", ""],
    )
    words = ParseReader(guided=False)([doc], starts_given=True)
    assert words.marks.tolist() == [2, 0, 2, 2, 1, 3]
    assert column(words, "coarse")[3] == VERB


def test_several_docs_and_their_sentences():
    docs = [make_doc(text) for text in ("|a b |_ c _", "", "_ _", "d e")]
    for doc in docs:
        for token in doc:
            token.tag_ = f"T{token.text}"
    words = ParseReader(guided=False)(docs, starts_given=True)
    assert words.words.starts.tolist() == [0, 2, 3, 5]
    assert column(words, "tag") == text_ids("Ta", "Tb", "Tc", "Td", "Te")
    sentences = list(words.sentences())
    assert [len(sentence) for sentence in sentences] == [2, 1, 2]
    assert [tag for sentence in sentences for tag in column(sentence, "tag")] == column(
        words, "tag"
    )
    for sentence in sentences:
        assert sentence.words.starts.tolist() == [0, len(sentence)]
        assert sentence.words.is_word.all()


def test_nothing_to_read():
    reader = ParseReader(guided=True)
    for docs in ([], [make_doc("")], [make_doc("_ _")]):
        words = reader(docs)
        assert len(words) == 0
        assert words.tokens.shape == (0, len(TOKEN_ATTRIBUTES))
        assert list(words.sentences()) == []


# --- Guides -----------------------------------------------------------------------------------


def test_guides():
    # Sentence one: a <- b, whitespace, c -> b. Sentence two: e -> d.
    doc = set_arcs(
        make_doc("|a b _ c |d e"), [1, 1, 1, 1, 4, 4], ["x", "root", "sp", "y", "root", "x"]
    )
    words = ParseReader(guided=True)([doc, doc.copy()])
    assert words.guides is not None
    assert words.guides.tolist() == [2, 0, 2, 0, 1] * 2
    assert words.guides.dtype == np.int32
    assert column(words, "guide") == text_ids("x", "root", "y", "root", "x") * 2
    assert [s.guides.tolist() for s in words.sentences() if s.guides is not None] == [
        [2, 0, 2],
        [0, 1],
        [2, 0, 2],
        [0, 1],
    ]


def test_guides_that_are_none():
    """No label, a head in another sentence, a head that is whitespace."""
    doc = set_arcs(
        make_doc("|a b c |_ d e"), [1, 1, 5, 3, 3, 5], ["", "root", "x", "sp", "x", "root"]
    )
    words = ParseReader(guided=True)([doc])
    assert words.guides is not None
    assert words.guides.tolist() == [-1, 0, -1, -1, 0]


def test_docs_without_a_guide():
    words = ParseReader(guided=True)([make_doc("|a b |c"), make_doc("|_ d _")])
    assert words.guides is not None
    assert words.guides.tolist() == [-1, -1, -1, -1]


def test_how_sure_a_guide_is():
    """In tenths from 1 on; 0 for a word without an arc and in docs that do not tell it."""
    text, heads, labels = "|a b _ c |d e", [1, 1, 1, 1, 4, 4], ["x", "root", "sp", "", "root", "x"]
    docs = [set_arcs(make_doc(text), heads, labels) for _ in range(3)]
    docs[0].user_data[confidence_key("head")] = [0.05, 0.25, 1.0, 0.5, 0.999, 1.0]
    # Too few for the doc.
    docs[1].user_data[confidence_key("head")] = [0.5]
    words = ParseReader(guided=True)(docs)
    assert column(words, "sure") == [1, 3, 0, 10, 10, *[0] * 10]
    assert column(ParseReader(guided=False)(docs), "sure") == [0] * 15


def test_heads_whose_confidence_is_unknown():
    """A reranker takes away those of heads it has changed."""
    doc = set_arcs(make_doc("|a b |c"), [1, 1, 2], ["x", "root", "root"])
    store_confidences([doc], "head", [0.5, None, 0.25])
    assert column(ParseReader(guided=True)([doc]), "sure") == [6, 0, 3]


def test_words_without_their_guide():
    doc = set_arcs(make_doc("|a b |c"), [1, 1, 2], ["x", "root", "root"])
    doc.user_data[confidence_key("head")] = [0.5] * 3
    for token in doc:
        token.tag_ = f"T{token.text}"
    words = ParseReader(guided=True)([doc])
    before = words.tokens.copy()
    hidden = words.unguided()
    assert hidden.guides is None
    assert column(hidden, "guide") == column(hidden, "sure") == [0, 0, 0]
    assert column(hidden, "tag") == text_ids("Ta", "Tb", "Tc")
    assert hidden.words is words.words
    assert np.array_equal(words.tokens, before)
    assert words.guides is not None


# --- Warnings ---------------------------------------------------------------------------------


def caught(call: Callable[[], object]) -> list[str]:
    """RETURNS (list[str]): What is missing, by warnings in the order given."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return ["tags" if "no tags" in str(warning.message) else "sentences" for warning in found]


def read_sentences(reader: ParseReader, *, tags: bool, starts: bool) -> list[str]:
    doc = Doc(
        VOCAB,
        words=["Dogs", "bark", ".", "Cats", "purr", "."],
        tags=["NNS", "VBP", "."] * 2 if tags else None,
        sent_starts=[True, False, False] * 2 if starts else None,
    )
    return caught(lambda: reader([doc]))


def test_what_is_missing_is_said_once():
    reader = ParseReader(guided=False)
    assert read_sentences(reader, tags=True, starts=True) == []
    assert read_sentences(reader, tags=False, starts=True) == ["tags"]
    assert read_sentences(reader, tags=False, starts=True) == []
    # The one warning does not stand for the other.
    assert read_sentences(reader, tags=True, starts=False) == ["sentences"]
    assert read_sentences(reader, tags=False, starts=False) == []
    assert sorted(read_sentences(ParseReader(guided=False), tags=False, starts=False)) == [
        "sentences",
        "tags",
    ]


def test_nothing_is_missing():
    reader = ParseReader(guided=False)
    one_word = Doc(VOCAB, words=["Go"], tags=["VB"])
    coarse = Doc(VOCAB, words=["Go", "!"], pos=["VERB", "PUNCT"], sent_starts=[True, False])
    blank = [make_doc(""), make_doc("_")]
    given = Doc(VOCAB, words=["Go", "!", "Stop", "!"], tags=["VB", "."] * 2)
    assert caught(lambda: reader([one_word])) == []
    assert caught(lambda: reader([coarse])) == []
    assert caught(lambda: reader(blank)) == []
    assert caught(lambda: reader([given], starts_given=True)) == []
    assert caught(lambda: reader([given])) == ["sentences"]


def missing_of(*texts: str, reader: ParseReader | None = None) -> list[str]:
    """What is said to be missing of docs without boundaries; `/` stands for a new line."""
    docs = []
    for text in texts:
        words = ["\n" if word == "/" else word for word in text.split()]
        docs.append(Doc(VOCAB, words=words, tags=["X"] * len(words)))
    return caught(lambda: (reader or ParseReader(guided=False))(docs))


ONE = [
    "Dogs bark .",
    "Dogs bark",
    "Wait ... !",
    "/ Dogs bark . /",
    '" Go ! " he said .',
    "No ( really ! ) dogs bark .",
    "Version 1.5 of U.S. plans is out .",
]
SEVERAL = [
    "Dogs bark . Cats purr .",
    "Dogs bark . / Cats",
    "dogs bark / cats purr",
    "What ?! Dogs bark .",
    "犬 。 猫",
]


@pytest.mark.parametrize("text", ONE)
def test_a_doc_of_one_sentence_misses_no_boundaries(text: str):
    """As spaCy's reader gives them with `gold_preproc`: it does not set boundaries."""
    assert missing_of(text) == []


@pytest.mark.parametrize("text", SEVERAL)
def test_a_doc_of_several_sentences_misses_boundaries(text: str):
    assert missing_of(text) == ["sentences"]


def test_some_sentences_go_on_after_a_stop():
    """One in ten may; others have been cut into sentences nowhere."""
    reader = ParseReader(guided=False)
    odd = "Stop ! she cried ."
    assert missing_of(*[*ONE * 5, *[odd] * 3], reader=reader) == []
    # The docs before do not speak for the next one.
    assert missing_of("Dogs bark . Cats purr .", reader=reader) == ["sentences"]
    assert missing_of(*[*ONE * 5, *[odd] * 5]) == ["sentences"]
    assert missing_of(*[*ONE, SEVERAL[0]]) == ["sentences"]
    # Docs of one word, and with boundaries, do not count.
    bounded = Doc(VOCAB, words=["Dogs", "bark"], tags=["X"] * 2, sent_starts=[True, False])
    several = Doc(VOCAB, words=SEVERAL[0].split(), tags=["X"] * 6)
    docs = [*[bounded] * 50, *[Doc(VOCAB, words=["Go"], tags=["X"])] * 50, several]
    assert caught(lambda: ParseReader(guided=False)(docs)) == ["sentences"]


def test_other_pipelines_warn_on_their_own():
    assert spacy.blank("en").vocab is not VOCAB
    for _ in range(2):
        assert read_sentences(ParseReader(guided=False), tags=False, starts=True) == ["tags"]
