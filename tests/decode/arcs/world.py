"""Weights for the named features of `reference`, trees by enumeration, and the compiled
parser with the same weights.

The compiled code knows features by hashes. Which one stands for which name is found through its
windows: a table in which every weight is its own index shows where the features of a part lie, and
an update of all labels shows their keys. Features on the same index share a weight, as documented
in `HashedWeights`. Weights are multiples of 1/64: all sums are exact, ties are real.
"""

import functools
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from hypothesis import Phase, settings

from spacy_perceptron.decode.arcs.features import PartFeatures
from spacy_perceptron.decode.arcs.input import ParsingInput
from spacy_perceptron.decode.arcs.narrowing import ArcNarrowing
from spacy_perceptron.decode.arcs.parsing import DependencyParsing
from spacy_perceptron.decode.arcs.program import ParsingProgram
from spacy_perceptron.decode.arcs.pruner import ArcPruner
from spacy_perceptron.decode.arcs.scorer import PartScorer
from spacy_perceptron.decode.arcs.training import DependencyTraining
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.role_hashes import RoleHashes
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from .nonprojective import reference as nonprojective_reference
from .projective import reference as projective_reference
from .reference import (
    LABEL,
    TEMPLATES,
    TOKEN_ATTRIBUTES,
    WORD_ATTRIBUTES,
    Arc,
    Feature,
    Heads,
    Look,
    Part,
    Sentence,
    all_parts,
    compiled,
    features_of,
    looks,
    see_part,
    token_values,
    word_values,
)

N_BITS = 20
Labels = tuple[int, ...]
Tree = tuple[float, Heads, Labels]


def examples(n: int) -> settings:
    """Seeds have no smaller cases: a failure is shown as it was found, at once."""
    return settings(max_examples=n, deadline=None, phases=(Phase.reuse, Phase.generate))


def ints(values: Iterable[int]) -> np.ndarray:
    return np.array(list(values), np.int32)


def make_parsing(
    program: ParsingProgram,
    weights: HashedWeights,
    labels: WeightTable,
    pruner: HashedWeights | None = None,
    *,
    order: int = 1,
    projective: bool = True,
    threshold: float = 0.0,
    max_heads: int = 0,
    narrowing: float = 0.0,
) -> DependencyParsing:
    lexemes = LexemeTable(len(WORD_ATTRIBUTES))
    hashes = RoleHashes(lexemes, len(TOKEN_ATTRIBUTES), program.roles)
    scorer = PartScorer(PartFeatures(hashes, program), weights, labels)
    pruner = HashedWeights(10, trainable=True) if pruner is None else pruner
    return DependencyParsing(
        scorer,
        ArcPruner(pruner, threshold, max_heads),
        order,
        projective=projective,
        narrowing=ArcNarrowing(narrowing) if narrowing else None,
    )


def make_input(parsing: DependencyParsing, *sentences: Sentence) -> ParsingInput:
    lexemes = parsing.scorer.features.hashes.lexemes
    words = np.array([word for s in sentences for word in s.words], np.uint64)
    guides = [s.guides if s.guides is not None else [-1] * len(s) for s in sentences]
    return ParsingInput(
        lexemes.lookup(words, word_values),
        np.concatenate([token_values(s) for s in sentences]),
        np.array([mark for s in sentences for mark in s.marks], np.uint8),
        ints(guide for row in guides for guide in row),
    )


# --- From names to places in tables ------------------------------------------------------------


@functools.cache
def identity_table(n_bits: int) -> HashedWeights:
    """Every weight is its own index."""
    numbers = np.arange(1 << n_bits)
    return HashedWeights.from_arrays(n_bits, numbers.astype(np.uint32), numbers.astype(np.float32))


@functools.cache
def index_reader(
    program_key: tuple[tuple[str, ...], ...] = (TEMPLATES, LABEL), n_bits: int = N_BITS
) -> DependencyParsing:
    """A parser whose `part_weights` are indices."""
    return make_parsing(compiled(*program_key), identity_table(n_bits), WeightTable(2))


def read_weights(parsing: DependencyParsing, part: Part) -> list[tuple[str, float]]:
    """Template and weight of each feature of a part, in the sentence loaded last."""
    scorer = parsing.scorer
    templates = scorer.features.program.templates
    if part[0] == "arc":
        names = [*templates["arc"], *templates["between"]]
        found = scorer.part_weights("arc", *part[1])
    else:
        outside = {"first": scorer.no_child_before(), "last": scorer.no_child_after()}
        kind, places, whole = see_part(part)
        numbers = {role: outside.get(p, p) for role, p in places.items()}
        names = templates[kind]
        found = scorer.part_weights(
            kind,
            numbers["p"],
            numbers["c"],
            inner=numbers.get("s", -1),
            grand=numbers.get("g", -1),
            side=int(whole["direction"][0]),
        )
    return [(str(names[number]), weight) for number, weight in found]


def read_indices(
    parsing: DependencyParsing, sentence: Sentence, part: Part, templates: Sequence[Look]
) -> list[tuple[Feature, int]]:
    """Pair the features of a part with their indices: by template, tokens between from left to
    right."""
    by_template: dict[str, list[int]] = {look.text: [] for look in templates}
    for text, index in read_weights(parsing, part):
        by_template[text].append(int(index))
    pairs = []
    names = features_of(sentence, part, templates)
    for text, indices in by_template.items():
        pairs += list(zip([f for f in names if f[0] == text], indices, strict=True))
    return pairs


def read_keys(sentence: Sentence, label: tuple[str, ...]) -> dict[Arc, list[tuple[Feature, int]]]:
    """The label features of all arcs of a sentence with their keys."""
    program, n = compiled(TEMPLATES, label), len(sentence)
    keys: set[int] = set()
    for root in range(1, n + 1):
        # Without weights all labels are 0: an update to 1 touches the features of all gold arcs.
        table = WeightTable(2, trainable=True)
        parsing = make_parsing(program, HashedWeights(10, trainable=True), table, projective=False)
        star = ints(0 if child == root else root for child in range(1, n + 1))
        settings = {"mira": False, "augmented": False, "pruner_rate": 0.0}
        words = make_input(parsing, sentence)
        assert DependencyTraining(parsing).learn(words, star, ints([1] * n), 0, **settings) == n
        keys.update(table.averaged(0)["keys"].tolist())
    order = sorted(keys)
    numbers = np.arange(1, len(order) + 1, dtype=np.float32)
    ones = np.ones(len(order), np.uint16)
    table = WeightTable.from_arrays(2, np.array(order, np.uint64), ones, ones - 1, numbers)
    parsing = make_parsing(program, HashedWeights(10), table)
    parsing.allowed(make_input(parsing, sentence))
    found = {}
    templates = looks(map(str, program.templates["label"]))
    for kind, arc in all_parts(n, 1):
        names = features_of(sentence, (kind, arc), templates)
        rows = parsing.scorer.arc_label_weights(*arc, 0)
        assert [k for k, _ in rows] == list(range(len(names)))
        found[arc] = [(f, order[int(w) - 1]) for f, (_, w) in zip(names, rows, strict=True)]
    return found


# What is known so far. Names decide ids, whatever the sentence and the other templates.
INDICES: dict[Feature, int] = {}
KEYS: dict[Feature, int] = {}


def learn_indices(sentence: Sentence, order: int, templates: tuple[str, ...]) -> None:
    names = looks(templates)
    parsing = index_reader((templates, LABEL))
    parsing.allowed(make_input(parsing, sentence))
    for part in all_parts(len(sentence), order):
        if any(feature not in INDICES for feature in features_of(sentence, part, names)):
            for feature, index in read_indices(parsing, sentence, part, names):
                assert INDICES.setdefault(feature, index) == index


def learn_keys(sentence: Sentence, label: tuple[str, ...]) -> None:
    names = looks(label)
    parts = all_parts(len(sentence), 1)
    if all(f in KEYS for part in parts for f in features_of(sentence, part, names)):
        return
    for pairs in read_keys(sentence, label).values():
        for feature, key in pairs:
            assert KEYS.setdefault(feature, key) == key


# --- A model -----------------------------------------------------------------------------------


class World:
    """Named features with weights.

    order (int): As in `Parts`.
    projective (bool): Whether arcs may not cross.
    n_labels (int): Number of labels.
    """

    def __init__(
        self,
        *,
        order: int = 1,
        projective: bool = True,
        n_labels: int = 3,
        templates: tuple[str, ...] = TEMPLATES,
        label: tuple[str, ...] = LABEL,
    ):
        self.order = order
        self.projective = projective
        self.n_labels = n_labels
        self.program_key = (templates, label)
        self.templates = looks(templates)
        self.label_templates = looks(label)
        # By index and by label feature.
        self.weights: dict[int, float] = {}
        self.label_weights: dict[Feature, np.ndarray] = {}
        # Features that dropout leaves out, of parts and of labels.
        self.dropped: tuple[set[Feature], set[Feature]] = (set(), set())

    def features(self, sentence: Sentence, part: Part) -> list[Feature]:
        found = features_of(sentence, part, self.templates)
        return [feature for feature in found if feature not in self.dropped[0]]

    def label_features(self, sentence: Sentence, arc: Arc) -> list[Feature]:
        found = features_of(sentence, ("arc", arc), self.label_templates)
        return [feature for feature in found if feature not in self.dropped[1]]

    def randomize(self, sentence: Sentence, rng: np.random.Generator, size: int) -> None:
        """Give all features of a sentence that have none a weight in -size/64..size/64."""
        learn_indices(sentence, self.order, self.program_key[0])
        learn_keys(sentence, self.program_key[1])
        for part in all_parts(len(sentence), self.order):
            for feature in self.features(sentence, part):
                if INDICES[feature] not in self.weights:
                    self.weights[INDICES[feature]] = rng.integers(-size, size + 1) / 64
            if part[0] == "arc":
                for feature in self.label_features(sentence, part[1]):
                    if feature not in self.label_weights:
                        row = rng.integers(-size, size + 1, self.n_labels)
                        self.label_weights[feature] = row / 64

    def tables(self, *, trainable: bool = True) -> tuple[HashedWeights, WeightTable]:
        """The same weights, hashed."""
        indices = sorted(index for index, weight in self.weights.items() if weight)
        values = np.array([self.weights[index] for index in indices], np.float32)
        weights = HashedWeights.from_arrays(
            N_BITS, np.array(indices, np.uint32), values, trainable=trainable
        )
        features = sorted(self.label_weights, key=KEYS.__getitem__)
        n = self.n_labels
        labels = WeightTable.from_arrays(
            n,
            np.array([KEYS[feature] for feature in features], np.uint64),
            np.full(len(features), n, np.uint16),
            np.tile(np.arange(n, dtype=np.uint16), len(features)),
            np.concatenate([np.zeros(0), *(self.label_weights[f] for f in features)]),
            trainable=trainable,
        )
        return weights, labels

    def parsing(self, pruner: HashedWeights | None = None, **settings) -> DependencyParsing:
        return make_parsing(
            compiled(*self.program_key),
            *self.tables(),
            pruner,
            order=self.order,
            projective=self.projective,
            **settings,
        )

    def take(self, parsing: DependencyParsing) -> None:
        """Take over the present weights of a parser."""
        saved = parsing.scorer.weights.averaged(0)
        self.weights = dict(zip(saved["indices"].tolist(), saved["values"].tolist(), strict=True))
        for feature, row in self.label_weights.items():
            found = parsing.scorer.label_weights.row(KEYS[feature])
            row[:] = [found.get(label, 0.0) for label in range(self.n_labels)]

    # --- Scores by enumeration -------------------------------------------------------------

    def part_score(self, sentence: Sentence, part: Part) -> float:
        """The score of a part, of an arc without its label."""
        features = self.features(sentence, part)
        return sum(self.weights.get(INDICES[feature], 0.0) for feature in features)

    def label_scores(self, sentence: Sentence, arc: Arc) -> np.ndarray:
        rows = (self.label_weights[feature] for feature in self.label_features(sentence, arc))
        return sum(rows, np.zeros(self.n_labels))

    def arc_scores(
        self,
        sentence: Sentence,
        arc: Arc,
        gold: tuple[Sequence[int], Sequence[int]] | None = None,
        cost: float = 0.0,
    ) -> tuple[float, int]:
        """The score of an arc with its best label, costs included, and that label."""
        head, child = arc
        score, labels = self.part_score(sentence, ("arc", arc)), self.label_scores(sentence, arc)
        if gold is not None and gold[0][child - 1] >= 0:
            if gold[0][child - 1] != head:
                score += cost
            elif gold[1][child - 1] >= 0:
                labels = labels + cost
                labels[gold[1][child - 1]] -= cost
        # The first of the best ones.
        best = int(np.argmax(labels))
        return score + float(labels[best]), best

    def parts_of(self, heads: Heads) -> list[Part]:
        kinds = projective_reference.KINDS[self.order]
        return [part for part in projective_reference.parts_of(heads) if part[0] in kinds]

    def trees(
        self,
        sentence: Sentence,
        arcs: Iterable[Arc] | None = None,
        gold: tuple[Sequence[int], Sequence[int]] | None = None,
        cost: float = 0.0,
    ) -> list[Tree]:
        """All trees (over some arcs), each arc with its best label, best first."""
        n = len(sentence)
        known: dict[Part, float] = {}
        labels: dict[Arc, int] = {}
        for kind, arc in all_parts(n, 1):
            known[kind, arc], labels[arc] = self.arc_scores(sentence, arc, gold, cost)
        for part in all_parts(n, self.order):
            if part[0] != "arc":
                known[part] = self.part_score(sentence, part)
        module = projective_reference if self.projective else nonprojective_reference
        allowed = None if arcs is None else set(arcs)
        found = []
        for heads in module.all_trees(n):
            of_tree = [(h, c) for c, h in enumerate(heads, 1)]
            if allowed is None or allowed.issuperset(of_tree):
                score = sum(known[part] for part in self.parts_of(heads))
                found.append((score, heads, tuple(labels[arc] for arc in of_tree)))
        return sorted(found, key=lambda tree: -tree[0])

    def phi(self, sentence: Sentence, heads: Sequence[int], labels: Sequence[int]) -> Counter:
        """Features of a labelled tree -> count; those of labels with their label."""
        counts: Counter = Counter()
        for part in self.parts_of(tuple(heads)):
            counts.update((f, None) for f in self.features(sentence, part))
        for child, (head, label) in enumerate(zip(heads, labels, strict=True), 1):
            counts.update((f, label) for f in self.label_features(sentence, (head, child)))
        return counts

    def score(self, sentence: Sentence, heads: Sequence[int], labels: Sequence[int]) -> float:
        return sum(
            count * (self.weights.get(INDICES[f], 0.0) if k is None else self.label_weights[f][k])
            for (f, k), count in self.phi(sentence, heads, labels).items()
        )


def parse_sentence(
    parsing: DependencyParsing, sentence: Sentence, scale: float = 0.0
) -> tuple[Heads, Labels, np.ndarray]:
    """Heads, labels and confidences."""
    words = make_input(parsing, sentence)
    heads, labels, sure, _ = parsing.parse(words, ints([0, len(sentence)]), scale=scale)
    return tuple(heads.tolist()), tuple(labels.tolist()), sure


def reachable(parsing: DependencyParsing, sentence: Sentence) -> set[Arc]:
    """The arcs that pruning leaves, and those that are added if they form no tree."""
    n = len(sentence)
    near = {(head, c) for c in range(1, n + 1) for head in (c - 1, c + 1) if 1 <= head <= n}
    roots = {(0, c) for c in range(1, n + 1)}
    return {*parsing.allowed(make_input(parsing, sentence)), *near, *roots}


def random_table(seed: int, n_bits: int = 12) -> HashedWeights:
    """A weight for every feature there may be."""
    rng = np.random.default_rng(seed)
    values = (rng.integers(-64, 65, 1 << n_bits) / 64).astype(np.float32)
    indices = np.arange(1 << n_bits, dtype=np.uint32)
    return HashedWeights.from_arrays(n_bits, indices, values, trainable=True)


def random_sentence(rng: np.random.Generator, n: int, *, guided: bool = True) -> Sentence:
    guides = [int(rng.integers(-1, n + 1)) for _ in range(n)] if guided else None
    words, tags, marks = (rng.integers(0, k, n).tolist() for k in (4, 3, 4))
    return Sentence(words, tags, marks, guides)


def random_world(
    seed: int, n: int, *, size: int = 128, guided: bool = True, **settings
) -> tuple[World, Sentence]:
    """A model with random weights and a sentence they cover; a small size makes many ties."""
    rng = np.random.default_rng(seed)
    world = World(**settings)
    sentence = random_sentence(rng, n, guided=guided)
    world.randomize(sentence, rng, size)
    return world, sentence
