import pickle

import pytest
from spacy.strings import hash_string

from spacy_perceptron.features.attributes import (
    ATTRIBUTES,
    MAX_AFFIX,
    attribute_value,
)
from spacy_perceptron.features.word_attributes import WordAttributes

# Worked out by hand.
WORDS = {
    "London": {
        "orth": "London",
        "lower": "london",
        "folded": "london",
        "shape": "Xx+",
        "kind": "title",
        "digit": False,
        "hyphen": False,
        "capital": True,
        "title": True,
        "upper": False,
        "length": 6,
        "prefix1": "l",
        "prefix9": "london",
        "suffix3": "don",
        "suffix9": "london",
    },
    "well-known": {
        "shape": "x+-x+",
        "kind": "compound",
        "hyphen": True,
        "capital": False,
        "title": False,
        "length": 10,
        "prefix4": "well",
        "suffix5": "known",
    },
    "1,024": {"folded": "0,000", "shape": "d,d+", "kind": "number", "digit": True, "length": 5},
    # Numbers in words differ from language to language: digits and fractions only.
    "twelve": {"kind": "lower", "shape": "x+", "digit": False},
    "3/4": {"kind": "number", "folded": "0/0", "shape": "d/d"},
    "B2B": {"folded": "b0b", "shape": "XdX", "kind": "other", "capital": True, "upper": True},
    "NASA": {"shape": "X+", "kind": "upper", "upper": True, "title": True, "suffix2": "sa"},
    "I": {"kind": "letter", "shape": "X", "upper": True, "prefix3": "i", "suffix1": "i"},
    "a": {"kind": "lower", "upper": False},
    "iPhone": {"kind": "mixed", "shape": "xXx+", "title": False, "capital": True},
    ".": {"kind": "symbol", "shape": ".", "capital": False},
    "...": {"kind": "symbols", "shape": ".+"},
    "me@example.org": {"kind": "address", "length": 12},
    "www.example.com": {"kind": "address"},
    "Straße": {"lower": "straße", "kind": "title", "suffix2": "ße"},
    "unbelievabilities": {"length": 12, "prefix9": "unbelieva", "suffix7": "ilities"},
}
CASES = [(word, name, value) for word, row in WORDS.items() for name, value in row.items()]


@pytest.mark.parametrize(("word", "name", "value"), CASES)
def test_values_by_hand(word: str, name: str, value: str | bool | int):
    assert ATTRIBUTES[name](word) == value
    # Numbers start at 3: 1 and 2 are the places outside the sentence.
    expected = hash_string(value) if isinstance(value, str) else int(value) + 3
    assert attribute_value(name, word) == expected


def test_every_attribute_is_tested():
    tested = {name for _, name, _ in CASES}
    affixes = {f"{kind}fix{n}" for kind in ("pre", "suf") for n in range(1, MAX_AFFIX + 1)}
    assert set(ATTRIBUTES) - affixes <= tested
    assert affixes <= set(ATTRIBUTES)


@pytest.mark.parametrize("n", range(1, MAX_AFFIX + 1))
def test_affixes(n: int):
    assert ATTRIBUTES[f"prefix{n}"]("Abcdefghijkl") == "abcdefghijkl"[:n]
    assert ATTRIBUTES[f"suffix{n}"]("Abcdefghijkl") == "abcdefghijkl"[12 - n :]


def test_word_attributes():
    compute = WordAttributes(["lower", "length", "hyphen"])
    assert compute("Re-do") == [hash_string("re-do"), 5 + 3, 1 + 3]


# Plain words of every case and length, and strings that the fast path must not take for such.
PLAIN_AND_ODD = [
    *("a", "A", "ab", "Ab", "AB", "abc", "Abc", "ABC", "aBc", "abcdefghijklm", "McDonald"),
    *(
        "I",
        "é",
        "É",
        "été",
        "ß",
        "İstanbul",
        "Ǆa",
        "ǅ",
        "日本",
        "½",
        "²",
        "٣",
        "x1",
        "X-1",
        "1,024",
    ),
    *(
        "x" * 99,
        "x" * 100,
        "X" * 120,
        "Y" + "x" * 120,
        "b@c.de",
        "www.a.b",
        "a.pdf",
        "...",
        "POS",
        "\n",
    ),
]


def test_word_attributes_equal_their_definition():
    names = sorted(ATTRIBUTES)
    # One after the other through one object, so that what is remembered of a word meets the next.
    compute = WordAttributes(names)
    for text in [*PLAIN_AND_ODD, *reversed(PLAIN_AND_ODD)]:
        expected = {name: attribute_value(name, text) for name in names}
        assert dict(zip(names, compute(text), strict=True)) == expected, text


def test_word_attributes_pickle():
    copy = pickle.loads(pickle.dumps(WordAttributes(["suffix2"])))
    assert copy("well") == [hash_string("ll")]
