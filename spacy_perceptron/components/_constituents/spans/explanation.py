"""Explains the phrases around a word: what only one of two trees is made of, feature by feature."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from spacy.tokens import Token

from ....answers.explanation import Explanation, token_names
from ....decode.constituents.incremental.input import IncrementalInput
from ....decode.constituents.max_margin.parsing import SpanParsing
from ....decode.constituents.max_margin.program import (
    MARKS,
    OF_SYMBOLS,
    SHARED,
    SpanProgram,
)
from ....errors import Errors
from ....features.templates import Atom, Template
from ....features.token_attributes import FIRST_VALUE
from ....trees.transforms.binarization import INTERMEDIATE, is_intermediate, plain_label
from ..differences import Features, weigh_differences
from .symbols import SpanSymbols

OUTSIDE, NONE = "<outside>", "<none>"
# How many derivations to look for another tree in, at first and at most.
FIRST_LIST, LAST_LIST = 16, 4096

# The templates behind what is scored, where they are not those of spans.
_TEMPLATES = {"heads": "heads", "any": "shared"}

# Label, start and end.
Phrase = tuple[str, int, int]


class SpanNames:
    """Puts nodes of trees into words.

    program (SpanProgram): The templates.
    symbols (SpanSymbols): What the numbers of the parser mean.
    labels (Sequence[str]): The labels of phrases.
    tokens (Sequence[Token]): The words of the sentence.
    columns (Mapping[str, np.ndarray]): Values of each word, by their names.
    describe_word (Callable): Attribute and text of a word -> its value as text.
    """

    def __init__(
        self,
        program: SpanProgram,
        symbols: SpanSymbols,
        labels: Sequence[str],
        tokens: Sequence[Token],
        columns: Mapping[str, np.ndarray],
        describe_word: Callable[[str, str], str],
    ):
        self._templates = program.templates
        self._symbols = symbols
        self._labels = labels
        self.tokens = tokens
        self._columns = columns
        self._describe_word = describe_word

    def around(self, rows: np.ndarray, word: int) -> list[Phrase]:
        """The phrases of several words around one of them.

        rows (int32 array): A tree.
        word (int): The word.
        RETURNS (list[Phrase]): Label, start and end of each, the largest first.
        """
        found, _ = self._symbols.phrases(rows)
        phrases = zip(*(column.tolist() for column in found), strict=True)
        return [(self._labels[x], s, e) for x, s, e in phrases if s <= word < e and e - s > 1]

    def describe(self, phrases: Sequence[Phrase]) -> str:
        """RETURNS (str): The smallest of some phrases, with its words."""
        if not phrases:
            return NONE
        label, start, end = phrases[-1]
        return f"{label} ({' '.join(token.text for token in self.tokens[start:end])})"

    def features(self, nodes: Sequence[Sequence[tuple]]) -> Features:
        """RETURNS (Counter): Template, value and weight of all features of a tree.

        nodes (Sequence): What `SpanParsing.features` returned.
        """
        found: Features = Counter()
        for kind, number, first, last, weights in (part for node in nodes for part in node):
            name = self._outcome(kind, number)
            if kind in ("rule", "unary", "unknown", "tag"):
                found[kind, name, weights[0]] += 1
                continue
            for template, weight in zip(self._scored_by(kind), weights, strict=True):
                if weight:
                    values = (self._describe(atom, first, last) for atom in template.atoms)
                    found[str(template), f"{' '.join(values)}: {name}", weight] += 1
        return found

    def _scored_by(self, kind: str) -> list[Template]:
        """The templates behind what is scored."""
        if kind in _TEMPLATES:
            return self._templates[_TEMPLATES[kind]]
        of_symbols = self._templates["symbols"] if kind in ("phrase", "chain") else []
        return [*self._templates["spans"], *of_symbols]

    def _outcome(self, kind: str, number: int) -> str:
        """What was scored."""
        names = self._symbols.names
        if kind == "any":
            return "a phrase"
        if kind in ("phrase", "word", "unknown", "tag"):
            return _readable(names[number])
        if kind in ("chain", "unary"):
            return " > ".join(map(_readable, self._symbols.chains[number]))
        parent, left, right = (_readable(names[x]) for x in self._symbols.rules[number].tolist())
        return f"{parent} > {left} {right}"

    def _describe(self, atom: Atom, first: int, last: int) -> str:
        if atom.attribute == "distance":
            return f"{abs(last - first)} apart"
        if atom.role == "span":
            words = range(first, last)
            if atom.attribute in ("length", "short", "three"):
                return f"{last - first} words"
            if atom.attribute in (SHARED, OF_SYMBOLS, *MARKS):
                return atom.attribute
            name = "tag" if atom.attribute == "tags" else "kind"
            return "+".join(self._value(name, at) for at in words)
        at = {"b": first, "e": last - 1, "h": first, "d": last}[atom.role] + atom.offset
        return self._value(atom.attribute, at) if 0 <= at < len(self.tokens) else OUTSIDE

    def _value(self, name: str, at: int) -> str:
        """A value of a word."""
        if name not in self._columns:
            return self._describe_word(name, self.tokens[at].text)
        value = int(self._columns[name][at])
        if name not in ("tag", "joined"):
            return name if value > FIRST_VALUE else f"not {name}"
        return NONE if value <= FIRST_VALUE else self.tokens[0].vocab.strings[value]


def compare_spans(
    parsing: SpanParsing,
    sentence: IncrementalInput,
    word: int,
    names: SpanNames,
    n_words: int | None = None,
) -> Explanation:
    """Compare the best tree with the best one in which a word is in other phrases, or a span is
    another phrase or none.

    parsing (SpanParsing): The decoder.
    sentence (IncrementalInput): The sentence.
    word (int): Which word.
    names (SpanNames): Puts nodes into words.
    n_words (Optional[int]): The length of the span that starts with the word; None for the word.
    RETURNS (Explanation): The decision, feature by feature.
    """

    def read(rows: np.ndarray) -> list[Phrase]:
        found = names.around(rows, word)
        if n_words is None:
            return found
        return [phrase for phrase in found if phrase[1:] == (word, word + n_words)]

    place = names.tokens[word].i
    best, other = _find_other(parsing, sentence, read)
    if other is None:
        raise ValueError(Errors.EXPLAIN_ONE_TREE.format(i=place, n=LAST_LIST))
    mine, theirs = (names.features(parsing.features(sentence, rows)) for rows in (best, other))
    features = weigh_differences(mine, theirs)
    chosen, runner_up = read(best), read(other)
    words = token_names([token.text for token in names.tokens[word].doc])
    last = names.tokens[word + (n_words or 1) - 1].i
    return Explanation(
        " ".join(words[place : last + 1]),
        names.describe([phrase for phrase in chosen if phrase not in runner_up]),
        names.describe([phrase for phrase in runner_up if phrase not in chosen]),
        sum(feature.chosen for feature in features),
        sum(feature.runner_up for feature in features),
        None,
        features,
        subject="in",
    )


def _find_other(
    parsing: SpanParsing, sentence: IncrementalInput, read: Callable[[np.ndarray], list[Phrase]]
) -> tuple[np.ndarray, np.ndarray | None]:
    """The best tree, and the best one of which something else is read, if any."""
    asked = FIRST_LIST
    while True:
        listed = [rows for _, rows in parsing.nbest(sentence, asked)]
        first = read(listed[0])
        others = (rows for rows in listed[1:] if read(rows) != first)
        other = next(others, None)
        if other is not None or len(listed) < asked or asked >= LAST_LIST:
            return listed[0], other
        asked *= 4


def _readable(symbol: str) -> str:
    """A symbol without escapes: `NP`, and `@NP` for a part of one."""
    return INTERMEDIATE * is_intermediate(symbol) + plain_label(symbol)
