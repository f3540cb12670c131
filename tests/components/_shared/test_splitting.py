"""Sentences that are too long are cut where sentences seem to end."""

from itertools import pairwise

import pytest
import spacy
from spacy.tokens import Doc

from spacy_perceptron.components._shared.splitting import LONGEST_PIECE, split_long
from spacy_perceptron.components._shared.words import read_words

NLP = spacy.blank("en")


def pieces(*texts: str, limit: int) -> list[str]:
    docs = [NLP(text) for text in texts]
    words = split_long(docs, read_words(docs), limit)
    names = [token.text for doc in docs for token in doc if not token.is_space]
    starts = words.starts.tolist()
    found = [" ".join(names[a:b]) for a, b in pairwise(starts)]
    # Tokens say the same as words.
    tokens = [token for doc in docs for token in doc]
    firsts = [t.text for t, s in zip(tokens, words.is_start, strict=True) if s and not t.is_space]
    assert firsts == [piece.split()[0] for piece in found]
    return found


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        # Short enough.
        ("It rains. We go.", 8, ["It rains . We go ."]),
        # After final punctuation, before a capital or a line break.
        ("It rains. We go. he", 5, ["It rains .", "We go . he"]),
        ("It rains!\nwe go", 4, ["It rains !", "we go"]),
        ('"Go!" She went.', 6, ['" Go ! "', "She went ."]),
        # A blank line is enough.
        ("a title\n\nand text", 3, ["a title", "and text"]),
        # Then other punctuation, in the second half of what fits.
        ("a b c, d e f g", 6, ["a b c ,", "d e f g"]),
        ("a, b c d e f g", 6, ["a , b c d e", "f g"]),
        ("a b c\nd e f g", 6, ["a b c", "d e f g"]),
        # Then anywhere.
        ("a b c d e f g", 3, ["a b c", "d e f", "g"]),
        ("a b c", 1, ["a", "b", "c"]),
    ],
)
def test_where_sentences_are_cut(text: str, limit: int, expected: list[str]):
    assert pieces(text, limit=limit) == expected


def test_only_long_sentences_are_cut():
    texts = ("Yes. No.", "It rains. We go. You go.", "", "Ah. Oh.")
    assert pieces(*texts, limit=5) == [
        "Yes . No .",
        "It rains .",
        "We go .",
        "You go .",
        "Ah . Oh .",
    ]
    docs = [NLP(text) for text in texts]
    words = read_words(docs)
    assert split_long(docs, words, 9) is words


def test_pieces_are_no_longer_than_a_sentence_can_be():
    doc = Doc(NLP.vocab, words=["word"] * 1001)
    words = split_long([doc], read_words([doc]), 1000)
    assert words.starts.tolist() == [*range(0, 1001, LONGEST_PIECE), 1001]
