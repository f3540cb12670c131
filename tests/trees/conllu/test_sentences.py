import pytest

from spacy_perceptron.trees.conllu.sentences import (
    ConlluSentence,
    MultiWord,
    Word,
    decode_spaces,
    encode_spaces,
    misc_of,
    spaces_after,
)


@pytest.mark.parametrize(
    ("misc", "spaces"),
    [
        ("_", " "),
        ("SpaceAfter=No", ""),
        ("Gloss=a|SpaceAfter=No", ""),
        (r"SpacesAfter=\s\n\t\r\p\\", " \n\t\r|\\"),
        (r"SpacesAfter=\u00A0", "\u00a0"),
        ("SpacesAfter=", ""),
    ],
)
def test_spaces_after(misc, spaces):
    assert spaces_after(misc) == spaces


def test_escapes():
    assert encode_spaces(" \n\u00a0\t") == r"\s\n\u00A0\t"
    assert decode_spaces(encode_spaces("a|\\ \r\u2003")) == "a|\\ \r\u2003"
    assert [misc_of(white) for white in ("", " ", "\n")] == [
        "SpaceAfter=No",
        "_",
        r"SpacesAfter=\n",
    ]


def test_tokens_and_spaces():
    words = [Word("do", misc="SpaceAfter=No"), Word("n't"), Word("go")]
    sentence = ConlluSentence(words, [MultiWord(0, 2, "don't", r"SpacesAfter=\n")])
    assert list(sentence.tokens()) == [
        ("don't", 0, 2, r"SpacesAfter=\n"),
        ("go", 2, 3, "_"),
    ]
    # What the words inside of the token say about spaces does not count.
    assert sentence.spaces() == ["", "\n", " "]


@pytest.mark.parametrize(
    ("comment", "document", "paragraph"),
    [
        ("# newdoc", True, True),
        ("# newdoc id = x", True, True),
        ("# newpar", False, True),
        ("#newpar id = 1", False, True),
        ("# newdocument", False, False),
        ("# text = newdoc", False, False),
    ],
)
def test_layout(comment, document, paragraph):
    sentence = ConlluSentence([Word("a")], comments=["# sent_id = 1", comment])
    assert (sentence.starts_document, sentence.starts_paragraph) == (document, paragraph)
