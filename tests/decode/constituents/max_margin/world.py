"""A small grammar with random weights, and its trees, features and scores in plain Python."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from spacy_perceptron.decode.constituents.chart.grammar import Grammar
from spacy_perceptron.decode.constituents.chart.heads import HeadScorer
from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.max_margin.parsing import SpanParsing
from spacy_perceptron.decode.constituents.max_margin.program import (
    SPAN_ATTRIBUTES,
    SpanProgram,
    compile_spans,
    parse_head_templates,
    parse_span_templates,
)
from spacy_perceptron.decode.constituents.max_margin.pruner import SpanPruner
from spacy_perceptron.decode.constituents.max_margin.scorer import SpanScorer
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.role_hashes import RoleHashes
from spacy_perceptron.learn.hashed import HashedWeights

BITS = 12
COLUMNS = {"lower": 0, "kind": 1, "tag": 2}
SPANS = (
    "b.tag",
    "e.lower",
    "b-1.tag e+1.tag",
    "span.length",
    "span.tags b.lower",
    "span.kinds",
    "b.tag b+1.tag e-2.lower span.length span.kinds",
)
SYMBOLS = ("span.symbol b.lower", "span.symbol e+1.tag span.length", "span.symbol span.kinds")
SHARED = (
    "span.any b.lower",
    "span.any b-1.tag b.tag span.short",
    "span.any b+1.lower span.three",
    "span.any e.tag span.length",
    "span.any span.baseline",
    "span.any span.flat span.short",
)
HEADS = ("h.tag d.tag", "h.lower d-1.tag pair.distance", "d.lower", "pair.distance")
PHRASE, WORD, UNARY, SYMBOL, SYMBOL_UNARY = range(5)

# Start, end, symbol, number of the unary rule or -1; children first.
Row = tuple[int, int, int, int]
Rows = tuple[Row, ...]

_MASK = 2**64 - 1
_SALTS = (
    0,
    0xA0761D6478BD642F,
    0xE7037ED1A0B428DB,
    0x8EBC6AF09C88C6E3,
    0x589965CC75374CC3,
)


def program(*, heads: bool = False, shared: bool = False) -> SpanProgram:
    # Those of symbols not last, as texts may have them.
    texts = (*SYMBOLS, *SPANS, *SHARED) if shared else SPANS
    return compile_spans(
        parse_span_templates(texts, COLUMNS, shared=shared),
        parse_head_templates(HEADS if heads else (), COLUMNS),
        COLUMNS,
    )


def random_weights(rng: np.random.Generator, size: int, **settings: bool) -> HashedWeights:
    """size (int): For integers in -size..size, so that sums are exact and ties are real; 0 for
    normally distributed numbers."""
    n = 1 << BITS
    values = rng.integers(-size, size + 1, n) if size else rng.normal(size=n)
    return HashedWeights.from_arrays(BITS, np.arange(n), values.astype(np.float32), **settings)


def all_weights(table: HashedWeights) -> np.ndarray:
    return np.array([table.weight(i) for i in range(1 << BITS)])


def _mix(value: int) -> int:
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
    return value ^ value >> 31


def _join(h: int, value: int) -> int:
    h = (h ^ value) * 0x9FB21C651E98DF25 & _MASK
    return h ^ h >> 32


def _bin(length: int) -> int:
    ends = (1, 2, 3, 4, 5, 7, 10, 15, 25)
    return 1 + sum(length > end for end in ends)


def _distance_bin(distance: int) -> int:
    return distance if distance <= 3 else 4 if distance <= 6 else 5 if distance <= 12 else 6


@dataclass
class Sentence:
    """lowers, kinds (list): Values of the words. tags: For each word its tags with scores.
    brackets: Who takes spans for phrases, as bits."""

    lowers: list[int]
    kinds: list[int]
    tags: list[dict[int, float]]
    brackets: dict[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tags)


@dataclass
class World:
    """A grammar; phrases come first among its symbols, and the first of them is the root.

    binary (list): Parent, left and right child.
    unary (list): Parent and child.
    is_right (list): For each binary rule, whether the right child is the head.
    shared (bool): Whether there are templates that all phrases share, and others that tell symbols
        apart which the rest takes for the same.
    rule_scores, unary_scores (list): Fixed scores of rules, empty for none.
    """

    n_phrases: int
    n_tags: int
    binary: list[tuple[int, int, int]]
    unary: list[tuple[int, int]]
    weights: HashedWeights
    pruner_weights: HashedWeights
    is_right: list[bool]
    heads: bool = False
    shared: bool = False
    rule_scores: list[float] = field(default_factory=list)
    unary_scores: list[float] = field(default_factory=list)
    lexemes: LexemeTable = field(default_factory=lambda: LexemeTable(2))

    @property
    def n_symbols(self) -> int:
        return self.n_phrases + self.n_tags

    @cached_property
    def grammar(self) -> Grammar:
        return Grammar(
            self.n_symbols,
            0,
            self.binary,
            self.rule_scores or np.zeros(len(self.binary)),
            self.unary,
            self.unary_scores or np.zeros(len(self.unary)),
        )

    # --- The compiled parser ------------------------------------------------------------------

    @property
    def rule_values(self) -> list[int]:
        return [_mix(1000 + i) for i in range(len(self.binary))]

    @property
    def unary_values(self) -> list[int]:
        return [_mix(2000 + i) for i in range(len(self.unary))]

    @property
    def outcomes(self) -> list[int]:
        return [_mix(3000 + i) for i in range(len(self.binary))]

    # The labels of phrases are their numbers; the root has none. A unary rule has its parent's,
    # and every other one a label in between.
    @property
    def labels(self) -> list[list[int]]:
        return [[s] if 0 < s < self.n_phrases else [] for s in range(self.n_symbols)]

    @property
    def unary_labels(self) -> list[list[int]]:
        return [
            self.labels[parent] + [self.n_phrases] * (u % 2)
            for u, (parent, _) in enumerate(self.unary)
        ]

    # What most templates see of phrases and unary rules.
    @property
    def phrase_outcomes(self) -> list[int]:
        return [min(s, 1) if self.shared else s for s in range(self.n_phrases)]

    @property
    def unary_outcomes(self) -> list[int]:
        return [u // 2 if self.shared else u for u in range(len(self.unary))]

    def scorer(self, weights: HashedWeights) -> SpanScorer:
        return SpanScorer(
            self.lexemes,
            weights,
            program(heads=self.heads, shared=self.shared),
            1,
            tag_column=COLUMNS["tag"],
            kind_column=COLUMNS["kind"],
        )

    def pruner(self, **settings: int) -> SpanPruner:
        return SpanPruner(self.scorer(self.pruner_weights), self.n_phrases, **settings)

    def parsing(self, threshold: float = 1e6, **settings: int) -> SpanParsing:
        scorer = self.scorer(self.weights)
        heads = None
        if self.heads:
            order = self.grammar.rule_order
            heads = HeadScorer(
                self.weights,
                scorer.role_hashes,
                2,
                program(heads=True).heads,
                np.array(self.is_right, np.uint8)[order],
                np.array(self.outcomes, np.uint64)[order],
            )
        return SpanParsing(
            self.grammar,
            scorer,
            self.pruner(),
            self.rule_values,
            self.unary_values,
            self.labels,
            self.unary_labels,
            phrase_outcomes=self.phrase_outcomes if self.shared else None,
            unary_outcomes=self.unary_outcomes if self.shared else None,
            heads=heads,
            threshold=threshold,
            **settings,
        )

    def lexeme_rows(self, sentence: Sentence) -> np.ndarray:
        pairs = list(zip(sentence.lowers, sentence.kinds, strict=True))
        orths = np.array([1 + _mix(a * 10 + b) for a, b in pairs], np.uint64)
        values = dict(zip(orths.tolist(), pairs, strict=True))
        return self.lexemes.lookup(orths, lambda orth: list(values[orth]))

    def input(self, sentence: Sentence, *, scored: bool = True) -> IncrementalInput:
        flat = [pair for readings in sentence.tags for pair in readings.items()]
        return IncrementalInput(
            self.lexeme_rows(sentence),
            np.cumsum([0, *map(len, sentence.tags)]),
            [tag for tag, _ in flat],
            np.array([tag for tag, _ in flat], np.uint64).reshape(-1, 1),
            [score for _, score in flat] if scored else None,
            [(*span, bits) for span, bits in sentence.brackets.items()] if self.shared else None,
        )

    # --- All trees ----------------------------------------------------------------------------

    def trees(self, sentence: Sentence) -> list[Rows]:
        """All trees of the grammar."""
        made: dict[tuple[int, int], list[tuple[int, Rows]]] = {}
        n = len(sentence)
        for width in range(1, n + 1):
            for start in range(n - width + 1):
                end = start + width
                bottom = (
                    [(t, ()) for t in sentence.tags[start]]
                    if width == 1
                    else [
                        (parent, (*left, *right))
                        for split in range(start + 1, end)
                        for a, left in made[start, split]
                        for b, right in made[split, end]
                        for parent, first, second in self.binary
                        if (first, second) == (a, b)
                    ]
                )
                made[start, end] = [(s, (*below, (start, end, s, -1))) for s, below in bottom] + [
                    (parent, (*below, (start, end, s, u)))
                    for s, below in bottom
                    for u, (parent, child) in enumerate(self.unary)
                    if child == s
                ]
        return [rows for top, rows in made[0, n] if top == 0] if n else []

    # --- Features and scores ------------------------------------------------------------------

    def reader(self, sentence: Sentence) -> "Reader":
        return Reader(self, sentence)


class Reader:
    """Reads features of trees of one sentence."""

    def __init__(self, world: World, sentence: Sentence) -> None:
        self.world, self.sentence = world, sentence
        self.program = program(heads=world.heads, shared=world.shared)
        self.first_tags = [next(iter(tags)) for tags in sentence.tags]
        hashes = RoleHashes(world.lexemes, 1, self.program.roles)
        rows = world.lexeme_rows(sentence)
        tokens = np.array(self.first_tags, np.uint64).reshape(-1, 1)
        self.hashes = [
            [[0, *position] for position in role.tolist()] for role in hashes.run(rows, tokens)
        ]
        self.weights = all_weights(world.weights)
        self._cache: dict[tuple[int, int, int, int], list[int]] = {}

    def span_ids(self, start: int, end: int, kind: int, outcome: int) -> list[int]:
        key = (start, end, kind, outcome)
        if key not in self._cache:
            self._cache[key] = self._span_ids(*key)
        return self._cache[key]

    def _span_ids(self, start: int, end: int, kind: int, outcome: int) -> list[int]:
        tags = 0
        if end - start <= 5:
            for tag in self.first_tags[start:end]:
                tags = _join(tags + 1, tag)
        kinds, last = 0, None
        for value in self.sentence.kinds[start:end]:
            if value != last:
                kinds = _join(kinds + 1, value)
            last = value
        wholes = dict(zip(SPAN_ATTRIBUTES, (_bin(end - start), tags, kinds), strict=True))
        found = []
        of_symbols = kind in (SYMBOL, SYMBOL_UNARY)
        compiled = self.program.symbols if of_symbols else self.program.spans
        templates = self.program.templates["symbols" if of_symbols else "spans"]
        for template, (seed, first, second, _) in zip(templates, compiled, strict=True):
            names = {atom.attribute for atom in template.atoms if atom.role == "span"}
            bits = sum(1 << i for i, name in enumerate(SPAN_ATTRIBUTES) if name in names)
            whole = bits
            for name in SPAN_ATTRIBUTES:
                if name in names:
                    whole = _join(whole, wholes[name])
            # Words are at positions from 1.
            id = seed ^ self.hashes[0][start + 1][first] ^ self.hashes[1][end][second]
            id ^= _mix(whole) if names else 0
            found.append(((id ^ _SALTS[kind]) + outcome) % (1 << BITS))
        return found

    def shared_ids(self, start: int, end: int) -> list[int]:
        """The features of a span that is a phrase, whatever its label."""
        length = end - start
        predicted = self.sentence.brackets.get((start, end), 0)
        found = []
        for template, (seed, first, second, _, _) in zip(
            self.program.templates["shared"], self.program.shared, strict=True
        ):
            names = {atom.attribute for atom in template.atoms if atom.role == "span"}
            if ("short" in names and length > 3) or ("three" in names and length != 3):
                continue
            value = length if "short" in names else 0
            value += 4 * (1 + predicted % 2) if "baseline" in names else 0
            value += 16 * (1 + predicted // 2) if "flat" in names else 0
            id = seed ^ self.hashes[0][start + 1][first] ^ self.hashes[1][end][second]
            id ^= _mix(_join(1, _bin(length))) if "length" in names else 0
            found.append(_mix(_join(id, value)) % (1 << BITS))
        return found

    def features(self, rows: Rows) -> Counter[int]:
        """How often a tree has each feature."""
        world, found = self.world, Counter()
        stack: list[tuple[int, int]] = []
        for start, end, symbol, unary in rows:
            kind = PHRASE if symbol < world.n_phrases else WORD
            if kind == PHRASE:
                found.update(self.span_ids(start, end, PHRASE, world.phrase_outcomes[symbol]))
                found.update(self.span_ids(start, end, SYMBOL, symbol))
            else:
                found.update(self.span_ids(start, end, WORD, symbol - world.n_phrases))
            # The root is no phrase. A chain can make one of a word or of the root.
            labels = world.labels[symbol] or (unary >= 0 and world.unary_labels[unary])
            if world.shared and labels:
                found.update(self.shared_ids(start, end))
            head = start
            if end - start > 1:
                (left, a), (right, b) = stack[-2:]
                del stack[-2:]
                # A tree that obeys no grammar has no rule there.
                head = a
                if (symbol, left, right) in world.binary:
                    rule = world.binary.index((symbol, left, right))
                    found[_mix(world.rule_values[rule]) % (1 << BITS)] += 1
                    if world.heads:
                        pair = (b, a) if world.is_right[rule] else (a, b)
                        head = pair[0]
                        found.update(self.head_ids(rule, *pair))
            if unary >= 0:
                found.update(self.span_ids(start, end, UNARY, world.unary_outcomes[unary]))
                found.update(self.span_ids(start, end, SYMBOL_UNARY, unary))
                found[_mix(world.unary_values[unary] ^ _MASK) % (1 << BITS)] += 1
                symbol = world.unary[unary][0]
            stack.append((symbol, head))
        return found

    def head_ids(self, rule: int, head: int, other: int) -> list[int]:
        outcome = self.world.outcomes[rule]
        far = _mix((outcome + _distance_bin(abs(head - other))) & _MASK)
        return [
            (
                seed
                ^ self.hashes[2][head + 1][h]
                ^ self.hashes[3][other + 1][d]
                ^ (far if distance else outcome)
            )
            % (1 << BITS)
            for seed, h, d, distance in self.program.heads
        ]

    def score(self, rows: Rows) -> float:
        total = sum(count * self.weights[id] for id, count in self.features(rows).items())
        return float(total) + self.fixed(rows)

    def fixed(self, rows: Rows) -> float:
        """The part of the score that is not learned."""
        world, tags = self.world, self.sentence.tags
        total = sum(tags[a][symbol] for a, b, symbol, _ in rows if b - a == 1)
        stack: list[int] = []
        for start, end, symbol, unary in rows:
            if end - start > 1:
                left, right = stack[-2:]
                del stack[-2:]
                if world.rule_scores and (symbol, left, right) in world.binary:
                    total += world.rule_scores[world.binary.index((symbol, left, right))]
            if unary >= 0 and world.unary_scores:
                total += world.unary_scores[unary]
            stack.append(symbol if unary < 0 else world.unary[unary][0])
        return float(total)

    # --- The pruner's trees -------------------------------------------------------------------

    def pruner_scores(self) -> dict[tuple[int, int, int], float]:
        """The score of each phrase over each span of several words."""
        values, n = all_weights(self.world.pruner_weights), len(self.sentence)
        return {
            (i, j, a): float(sum(values[id] for id in self.span_ids(i, j, PHRASE, a)))
            for i in range(n)
            for j in range(i + 2, n + 1)
            for a in range(self.world.n_phrases)
        }


def bracketings(start: int, end: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The spans of several words of each binary tree."""
    if end - start == 1:
        yield ()
    for split in range(start + 1, end):
        for left in bracketings(start, split):
            for right in bracketings(split, end):
                yield (*left, *right, (start, end))


def tree_loss(rows: Rows, gold: Rows) -> int:
    """Nodes that are not in the gold tree, and wrong or missing unary rules over its spans, or any
    over other spans."""
    symbols = {row[:3] for row in gold}
    unaries = {row[:2]: row[3] for row in gold}
    wrong = sum(row[:3] not in symbols for row in rows)
    return wrong + sum(row[3] != unaries.get(row[:2], -1) for row in rows)


def random_world(
    seed: int,
    n: int,
    *,
    size: int = 0,
    density: float = 0.2,
    heads: bool = False,
    trainable: bool = False,
    shared: bool = False,
) -> tuple[World, Sentence]:
    """A grammar and a sentence of n words, in which most words have one tag and some two.

    shared (bool): With templates that all phrases share, predictions of spans, and fixed scores.
    """
    rng = np.random.default_rng(seed)
    n_phrases, n_tags = int(rng.integers(2, 4)), 2
    symbols = range(n_phrases + n_tags)
    rules = [(a, b, c) for a in range(n_phrases) for b in symbols for c in symbols]
    binary = [rule for rule in rules if rng.random() < density]
    # Repeated ones are chains with other symbols between their ends.
    unary = [
        (int(rng.integers(0, n_phrases)), int(rng.integers(0, len(symbols))))
        for _ in range(int(rng.integers(0, 4)))
    ]
    sentence = random_sentence(rng, n, n_phrases, size=size)
    world = World(
        n_phrases,
        n_tags,
        binary,
        unary,
        random_weights(rng, size, trainable=trainable),
        random_weights(rng, size),
        [bool(x) for x in rng.integers(0, 2, len(binary))],
        heads,
    )
    if shared:
        world.shared = True
        world.rule_scores = rng.normal(size=len(binary)).astype(np.float32).tolist()
        world.unary_scores = rng.normal(size=len(unary)).astype(np.float32).tolist()
        for start, end in ((i, j) for i in range(n) for j in range(i + 1, n + 1)):
            sentence.brackets[start, end] = int(rng.integers(0, 4))
    return world, sentence


def random_sentence(rng: np.random.Generator, n: int, n_phrases: int, *, size: int = 0) -> Sentence:
    def score() -> float:
        return float(rng.integers(-size, size + 1)) if size else float(np.float32(rng.normal()))

    tags = []
    for _ in range(n):
        order = [n_phrases + int(x) for x in rng.permutation(2)]
        tags.append({tag: score() for tag in order[: 1 + (rng.random() < 0.3)]})
    return Sentence(rng.integers(1, 4, n).tolist(), rng.integers(1, 3, n).tolist(), tags)
