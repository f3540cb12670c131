"""Random Docs and Examples: everything that spaCy lets through, and nothing that it refuses."""

import random
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.trees.constituents import set_constituents

from ..sample import load_sample

TAGS = ["DT", "NN", "NNP", "VBD", "IN", ".", "_SP", "ÜNKNOWN"]
POS = ["NOUN", "VERB", "PUNCT", "SPACE", "X"]
LEMMAS = ["be", "The", "_", "walk", "x" * 200, "İs", "'s"]
MORPHS = ["Number=Sing", "Case=Nom|Number=Plur", "Odd=é"]
LABELS = ["det", "nsubj", "dobj", "punct", "ROOT", "dep", "wörd"]
PHRASES = ["S", "NP", "VP", "PP", "NP-SBJ", "ÖDD"]
ENTITIES = ["PERSON", "ORG", "GPE", "DATE", "ODD-LABEL"]
SPACES = [" ", "  ", "\n", "\t", "\r\n", "\u00a0", "\u2028", "\u3000"]
# Texts that have tripped programs before.
ODDITIES = [
    *(
        "''",
        "``",
        "-LRB-",
        "|",
        "||",
        "ROOT",
        "<root>",
        "%s",
        "{0}",
        "\\",
        "\x00",
        "\x7f",
        "\ufeff",
    ),
    *(
        "e\u0301",
        "\u0301",
        "\u200d",
        "\u202e",
        "👩‍👩‍👧",
        "🇩🇪",
        "İ",
        "ß",
        "ﬁ",
        "Ω",
        "٣",
        "一",
        "字" * 40,
        "a" * 1500,
    ),
]
# Numbers of words, from none to the longest, and their chances. Time is cubic in them.
LENGTHS = [(0, 0), (1, 1), (2, 9), (10, 25), (26, 60), (61, 160), (161, 260)]
CHANCES = [2, 8, 55, 30, 4.5, 0.45, 0.05]


@cache
def known_words() -> list[str]:
    """RETURNS (list[str]): Words of the sample treebank, which the models have learned from."""
    return sorted({token.text for doc in load_sample(Vocab(), limit=60) for token in doc})


@cache
def characters() -> dict[str, list[str]]:
    """RETURNS (dict[str, list[str]]): Some characters of each class of Unicode."""
    classes: dict[str, list[str]] = {}
    for code in range(0, sys.maxunicode + 1, 7):
        kind = unicodedata.category(chr(code))
        # UTF-8 has no surrogates, and spaCy no words with them.
        if kind != "Cs" and not chr(code).isspace():
            classes.setdefault(kind, []).append(chr(code))
    return classes


def make_word(rng: random.Random) -> str:
    """RETURNS (str): A word, sometimes of whitespace."""
    chance = rng.random()
    if chance < 0.6:
        return rng.choice(known_words())
    if chance < 0.7:
        return rng.choice(SPACES)
    if chance < 0.8:
        return rng.choice(ODDITIES)
    classes = characters()
    kind = rng.choice(sorted(classes))
    return "".join(rng.choice(classes[kind]) for _ in range(rng.randint(1, 6)))


def make_words(rng: random.Random) -> list[str]:
    """RETURNS (list[str]): The words of a text, of any length."""
    ((least, most),) = rng.choices(LENGTHS, CHANCES)
    return [make_word(rng) for _ in range(rng.randint(least, most))]


def make_heads(rng: random.Random, n_words: int) -> list[int]:
    """RETURNS (list[int]): Heads: one or several trees, projective or not, or with a cycle."""
    if not n_words:
        return []
    order = list(range(n_words))
    if rng.random() < 0.5:
        rng.shuffle(order)
    # Each word hangs on one before it in the order, so that there is no cycle.
    heads = list(range(n_words))
    for place, i in enumerate(order[1:], start=1):
        near = order[max(0, place - 3) : place] if rng.random() < 0.7 else order[:place]
        heads[i] = i if rng.random() < 0.05 else rng.choice(near)
    if rng.random() < 0.05:
        heads[rng.randrange(n_words)] = rng.randrange(n_words)
    return heads


def make_starts(rng: random.Random, n_words: int) -> list[bool | None]:
    """RETURNS (list[Optional[bool]]): Sentence starts: none, all, unknown, or any."""
    kind = rng.randrange(5)
    if kind < 3:
        return [[False, True, None][kind]] * n_words
    values = [True, False] if kind == 3 else [True, False, None]
    return [rng.choice(values) if rng.random() < 0.3 else False for _ in range(n_words)]


def make_entities(rng: random.Random, n_words: int) -> list[str]:
    """RETURNS (list[str]): BIO tags, empty where nothing is known."""
    tags: list[str] = []
    while len(tags) < n_words:
        if rng.random() < 0.3:
            label = rng.choice(ENTITIES)
            inner = [f"I-{label}"] * rng.randint(0, 3)
            tags += [f"B-{label}", *inner]
        else:
            tags.append(rng.choice(["O", ""]))
    return tags[:n_words]


def make_phrases(rng: random.Random, n_words: int) -> list[tuple[int, int, str]]:
    """RETURNS (list[tuple[int, int, str]]): Constituents: a tree, a part of one, or some that
    overlap or have no label."""
    phrases: list[tuple[int, int, str]] = []
    parts = [(0, n_words)] if n_words else []
    while parts:
        start, end = parts.pop()
        if rng.random() < 0.8:
            phrases += [(start, end, rng.choice(PHRASES)) for _ in range(rng.randint(1, 2))]
        if end - start > 1:
            middle = rng.randrange(start + 1, end)
            parts += [(middle, end), (start, middle)]
    if n_words and rng.random() < 0.1:
        start = rng.randrange(n_words)
        phrases.append((start, rng.randint(start + 1, n_words), rng.choice(["", *PHRASES])))
    return phrases


def _some(rng: random.Random, values: Sequence[str], n: int, missing: float) -> list[str]:
    return ["" if rng.random() < missing else rng.choice(values) for _ in range(n)]


def make_annotation(rng: random.Random, n_words: int) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): Arguments of `Doc`: any annotation that it takes."""
    missing = rng.choice([0.0, 0.0, 0.3, 1.0])
    given: dict[str, Any] = {}
    if rng.random() < 0.6:
        given["tags"] = _some(rng, TAGS, n_words, missing)
    if rng.random() < 0.3:
        given["pos"] = _some(rng, POS, n_words, missing)
    if rng.random() < 0.2:
        given["morphs"] = _some(rng, MORPHS, n_words, missing)
    if rng.random() < 0.3:
        given["lemmas"] = _some(rng, LEMMAS, n_words, missing)
    if rng.random() < 0.4:
        given["ents"] = make_entities(rng, n_words)
    if rng.random() < 0.3:
        given["heads"] = make_heads(rng, n_words)
        given["deps"] = _some(rng, LABELS, n_words, missing)
    elif rng.random() < 0.6:
        given["sent_starts"] = make_starts(rng, n_words)
    return given


def make_doc(rng: random.Random, vocab: Vocab, words: list[str] | None = None) -> Doc:
    """Make a Doc.

    rng (random.Random): Where chance comes from.
    vocab (Vocab): The vocab.
    words (Optional[list[str]]): Its words; None for any.
    RETURNS (Doc): The Doc, with any annotation.
    """
    words = make_words(rng) if words is None else words
    spaces = [rng.random() < 0.8 for _ in words]
    return Doc(vocab, words=words, spaces=spaces, **make_annotation(rng, len(words)))


def make_example(rng: random.Random, vocab: Vocab) -> Example:
    """Make an Example.

    rng (random.Random): Where chance comes from.
    vocab (Vocab): The vocab.
    RETURNS (Example): The Example: gold annotation that is partial, wrong or none at all, on the
        same words, on the same text cut in other places, or on other words.
    """
    predicted = make_doc(rng, vocab)
    words = [token.text for token in predicted]
    kind = rng.random()
    if kind < 0.15:
        words = cut_elsewhere(rng, words)
    elif kind < 0.2:
        words = make_words(rng)
    reference = make_doc(rng, vocab, words)
    if rng.random() < 0.4:
        phrases = make_phrases(rng, len(reference))
        set_constituents(reference, [Span(reference, *phrase) for phrase in phrases])
    return Example(predicted, reference)


def make_gold_example(rng: random.Random, vocab: Vocab) -> Example:
    """RETURNS (Example): A sentence of the sample treebank, with all of its annotation."""
    reference = rng.choice(load_sample(vocab, limit=20))
    words = [token.text for token in reference]
    tags = [token.tag_ for token in reference]
    return Example(Doc(vocab, words=words, tags=tags), reference)


def cut_elsewhere(rng: random.Random, words: list[str]) -> list[str]:
    """RETURNS (list[str]): The same characters, cut into words in other places."""
    text = "".join(words)
    places = sorted({rng.randrange(1, len(text)) for _ in words}) if len(text) > 1 else []
    return [text[i:j] for i, j in zip([0, *places], [*places, len(text)], strict=True) if i < j]
