import pytest
from spacy.strings import hash_string
from spacy.vocab import Vocab

from spacy_perceptron.features.attributes import (
    ATTRIBUTES,
    MAX_AFFIX,
    WordAttributes,
    attribute_value,
)

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
    vocab = Vocab()
    compute = WordAttributes(vocab, ["lower", "length", "hyphen"])
    orth = vocab.strings.add("Re-do")
    assert compute(orth) == [hash_string("re-do"), 5 + 3, 1 + 3]
