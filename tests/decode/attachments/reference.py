"""Easy-first parsing in plain Python, straight from what templates mean.

A feature is a template and the values it sees. Which index of a weight table it falls on is found
through the compiled parser's window: in a table in which every weight is its own index, replayed
actions show where their features lie. Weights are multiples of 1/64: all sums are exact, ties are
real.
"""

import functools
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spacy_perceptron.decode.arcs.features import PartFeatures
from spacy_perceptron.decode.arcs.input import ParsingInput
from spacy_perceptron.decode.arcs.program import ARC_ATTRIBUTES
from spacy_perceptron.decode.attachments.features import AttachmentFeatures
from spacy_perceptron.decode.attachments.parsing import EasyFirstParsing
from spacy_perceptron.decode.attachments.program import (
    ATTACHMENT_ROLES,
    TREE_ATTRIBUTES,
    AttachmentProgram,
    compile_attachments,
)
from spacy_perceptron.decode.attachments.scorer import AttachmentScorer
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.role_hashes import RoleHashes
from spacy_perceptron.features.templates import Atom, parse_templates
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.learn.weights import WeightTable

from ..arcs.reference import (
    COLUMNS,
    TOKEN_ATTRIBUTES,
    WORD_ATTRIBUTES,
    Arc,
    Feature,
    Sentence,
    parse,
    see_arc,
    see_token,
    token_values,
    word_values,
)
from ..arcs.world import identity_table, ints

TEMPLATES = (
    "p.tag c.tag arc.direction",
    "p.form c-1.tag arc.distance",
    "c.form arc.guide arc.punct",
    "b.tag c.tag",
    "s.tag c.form arc.direction",
    "p.lefts p.rights p.tag",
    "c.span c.tag arc.direction",
    "p[lc].form p[rc].tag",
    "c[lc].tag c[rc].form c.tag arc.direction",
    "p[lc2].form c[rc2].tag p[rc2].tag c[lc2].form",
    "left.form c.tag arc.direction",
    "left.tag left2.tag p.tag",
    "left[lc].tag left[rc].tag left.lefts left.span",
    "right.form p.tag arc.distance",
    "right.tag right2.form",
    "right[lc].form right[rc].tag right.rights c.tag",
    "right+1.tag left-1.form arc.direction",
    "left.tag right.tag s.form p.span arc.direction",
)
LABEL = ("p.tag c.tag arc.direction", "c.form l.tag")
N_LABELS = 2
IDENTITY_BITS = 22
SPAN_BINS = (1, 2, 4, 8, 16)
Arcs = tuple[Arc, ...]


@functools.cache
def compiled(templates: tuple[str, ...] = TEMPLATES) -> AttachmentProgram:
    attributes = [*COLUMNS, *ARC_ATTRIBUTES, *TREE_ATTRIBUTES]
    read = parse_templates(templates, roles=ATTACHMENT_ROLES, attributes=attributes)
    return compile_attachments(read, parse(LABEL), COLUMNS)


def make_parser(
    weights: HashedWeights,
    templates: tuple[str, ...] = TEMPLATES,
    *,
    width: int = 1,
    labels: WeightTable | None = None,
) -> EasyFirstParsing:
    program = compiled(templates)
    lexemes = LexemeTable(len(WORD_ATTRIBUTES))
    hashes = RoleHashes(lexemes, len(TOKEN_ATTRIBUTES), program.parts.roles)
    features = AttachmentFeatures(PartFeatures(hashes, program.parts), program)
    labels = WeightTable(N_LABELS, trainable=True) if labels is None else labels
    return EasyFirstParsing(AttachmentScorer(features, weights), labels, width=width)


def make_input(parser: EasyFirstParsing, *sentences: Sentence) -> ParsingInput:
    lexemes = parser.scorer.features.parts.hashes.lexemes
    words = np.array([word for s in sentences for word in s.words], np.uint64)
    guides = [s.guides if s.guides is not None else [-1] * len(s) for s in sentences]
    tokens = [np.zeros((0, len(TOKEN_ATTRIBUTES)), np.uint64), *map(token_values, sentences)]
    return ParsingInput(
        lexemes.lookup(words, word_values),
        np.concatenate(tokens),
        np.array([mark for s in sentences for mark in s.marks], np.uint8),
        ints(guide for row in guides for guide in row),
    )


@functools.cache
def index_reader(templates: tuple[str, ...]) -> EasyFirstParsing:
    """A parser whose weights are indices."""
    return make_parser(identity_table(IDENTITY_BITS), templates)


# --- States -----------------------------------------------------------------------------------


@dataclass
class State:
    """A sequence of actions, as (head, child), and its score."""

    score: float = 0.0
    actions: Arcs = ()
    correct: bool = True

    @property
    def forest(self) -> frozenset[Arc]:
        return frozenset(self.actions)

    def roots(self, n: int) -> list[int]:
        attached = {child for _, child in self.actions}
        return [word for word in range(1, n + 1) if word not in attached]

    def pairs(self, n: int) -> list[Arc]:
        """All actions: pairs from left to right, of each the one that attaches to the left
        first."""
        roots = self.roots(n)
        return [arc for a, b in itertools.pairwise(roots) for arc in ((a, b), (b, a))]


def children_of(actions: Sequence[Arc], word: int) -> tuple[list[int], list[int]]:
    """Children to the left and right, the outermost ones first."""
    under = sorted(child for head, child in actions if head == word)
    return [c for c in under if c < word], [c for c in under if c > word][::-1]


def span_of(actions: Sequence[Arc], word: int) -> int:
    return 1 + sum(span_of(actions, child) for head, child in actions if head == word)


def see_places(state: State, n: int, action: Arc) -> dict[str, int | str]:
    """The token of each role."""
    p, c = action
    roots = state.roots(n)
    at = roots.index(min(action))
    around = {
        "left": at - 1,
        "left2": at - 2,
        "right": at + 2,
        "right2": at + 3,
    }
    places: dict[str, int | str] = {"p": p, "c": c}
    for role, k in around.items():
        places[role] = roots[k] if 0 <= k < len(roots) else "first"
    for role in ("p", "c", "left", "right"):
        word = places[role]
        lefts, rights = children_of(state.actions, word) if isinstance(word, int) else ([], [])
        for name, line in (("l", lefts), ("r", rights)):
            for k, number in enumerate(("", "2")):
                places[f"{role}[{name}c{number}]"] = line[k] if k < len(line) else "first"
    places["s"] = places["p[rc]" if c > p else "p[lc]"]
    return places


def see_tree(state: State, attribute: str, word: int | str) -> object:
    if isinstance(word, str):
        return "no tree"
    lefts, rights = children_of(state.actions, word)
    span = sum(span_of(state.actions, word) > limit for limit in SPAN_BINS)
    return {"lefts": min(len(lefts), 4), "rights": min(len(rights), 4), "span": span}[attribute]


def features_of(
    sentence: Sentence, state: State, action: Arc, templates: Sequence[str]
) -> list[Feature]:
    """The features of an action: one per template, or one per distinct look of a token between."""
    places = see_places(state, len(sentence), action)
    whole = see_arc(sentence, *action)
    found: list[Feature] = []
    attributes = [*COLUMNS, *ARC_ATTRIBUTES, *TREE_ATTRIBUTES]
    for template in parse_templates(templates, roles=ATTACHMENT_ROLES, attributes=attributes):
        between = any(atom.role == "b" for atom in template.atoms)

        def see(atom: Atom, token: int) -> object:
            if atom.role == "arc":
                return whole[atom.attribute]
            place = token if atom.role == "b" else places[atom.role]
            if atom.attribute in TREE_ATTRIBUTES:
                return see_tree(state, atom.attribute, place)
            return see_token(sentence, atom, place)

        tokens = range(min(action) + 1, max(action)) if between else (0,)
        seen = [tuple(see(atom, token) for atom in template.atoms) for token in tokens]
        found += [(str(template), values) for values in dict.fromkeys(seen)]
    return found


# --- Weights ----------------------------------------------------------------------------------

# What is known so far. Names decide ids, whatever the sentence and the other templates.
INDICES: dict[Feature, int] = {}


def learn_indices(
    sentence: Sentence, actions: Sequence[Arc], templates: tuple[str, ...]
) -> list[list[Feature]]:
    """Pair the features of a sequence of actions with their indices.

    RETURNS (list[list[Feature]]): The features of each action.
    """
    parser = index_reader(templates)
    names = compiled(templates).templates
    found = []
    looks = parser.replay(make_input(parser, sentence), list(actions))
    for k, (action, (_, weights)) in enumerate(zip(actions, looks, strict=True)):
        features = features_of(sentence, State(actions=tuple(actions[:k])), action, templates)
        by_template: dict[str, list[int]] = {text: [] for text in templates}
        for kind, number, index in weights:
            by_template[str(names[kind][number])].append(int(index))
        for text, indices in by_template.items():
            of_text = [feature for feature in features if feature[0] == text]
            for feature, index in zip(of_text, indices, strict=True):
                assert INDICES.setdefault(feature, index) == index
        found.append(features)
    return found


class World:
    """Random weights for all features.

    seed (int): Seed of the weights.
    size (int): Weights are in -size/64..size/64; small sizes make ties.
    n_bits (int): Size of the table.
    """

    def __init__(
        self,
        seed: int,
        size: int = 64,
        *,
        n_bits: int = 14,
        templates: tuple[str, ...] = TEMPLATES,
    ):
        rng = np.random.default_rng(seed)
        self.templates = templates
        self.n_bits = n_bits
        self.weights = (rng.integers(-size, size + 1, 1 << n_bits) / 64).astype(np.float64)

    def table(self, *, trainable: bool = True) -> HashedWeights:
        numbers = np.arange(1 << self.n_bits, dtype=np.uint32)
        return HashedWeights.from_arrays(
            self.n_bits, numbers, self.weights.astype(np.float32), trainable=trainable
        )

    def parser(self, width: int = 1) -> EasyFirstParsing:
        return make_parser(self.table(), self.templates, width=width)

    def index(self, feature: Feature) -> int:
        return INDICES[feature] & ((1 << self.n_bits) - 1)

    def score(self, sentence: Sentence, state: State, action: Arc) -> float:
        """The score of an action, from scratch."""
        features = features_of(sentence, state, action, self.templates)
        if any(feature not in INDICES for feature in features):
            learn_indices(sentence, (*state.actions, action), self.templates)
        return float(sum(self.weights[self.index(feature)] for feature in features))

    def phi(self, sentence: Sentence, actions: Sequence[Arc]) -> Counter:
        """How often a sequence of actions has each index."""
        counts: Counter = Counter()
        for features in learn_indices(sentence, actions, self.templates):
            counts.update(self.index(feature) for feature in features)
        return counts

    # --- Search -------------------------------------------------------------------------------

    def extensions(
        self,
        sentence: Sentence,
        state: State,
        gold: Sequence[int] | None = None,
        bonus: float = 0.0,
    ) -> list[State]:
        found = []
        for head, child in state.pairs(len(sentence)):
            score = state.score + self.score(sentence, state, (head, child))
            right = gold is None or is_correct(state, gold, head, child)
            score += 0.0 if right else bonus
            found.append(State(score, (*state.actions, (head, child)), state.correct and right))
        return found

    def step(
        self,
        sentence: Sentence,
        states: Sequence[State],
        width: int,
        gold: Sequence[int] | None = None,
        bonus: float = 0.0,
    ) -> tuple[list[State], list[State]]:
        """The next beam, and all the extensions it was chosen from."""
        offered = [e for s in states for e in self.extensions(sentence, s, gold, bonus)]
        best: dict[frozenset[Arc], State] = {}
        for state in offered:
            if state.forest not in best or state.score > best[state.forest].score:
                # Taken out first: of equal scores, the one that had it first stays ahead.
                best.pop(state.forest, None)
                best[state.forest] = state
        return sorted(best.values(), key=lambda state: -state.score)[:width], offered

    def search(self, sentence: Sentence, width: int) -> list[State]:
        states = [State()]
        for _ in range(len(sentence) - 1):
            states, _ = self.step(sentence, states, width)
        return states

    def violation(
        self, sentence: Sentence, gold: Sequence[int], width: int, *, early: bool, bonus: float
    ) -> tuple[State, State] | None:
        """The correct and the predicted sequence of an update."""
        states, best = [State()], None
        beside: State | None = None
        for k in range(len(sentence) - 1):
            sources = [s for s in states if s.correct] if beside is None else [beside]
            states, _ = self.step(sentence, states, width, gold, bonus)
            found = [e for s in sources for e in self.extensions(sentence, s, gold, bonus)]
            hat = max((e for e in found if e.correct), key=lambda e: e.score)
            lost = not any(state.correct for state in states)
            counts = not early or lost or k == len(sentence) - 2
            if counts and not states[0].correct:
                violation = states[0].score - hat.score
                if best is None or violation > best[1].score - best[0].score:
                    best = hat, states[0]
            if early and lost:
                return best
            beside = hat if lost else None
        return None if states[0].correct else best


def is_correct(state: State, gold: Sequence[int], head: int, child: int) -> bool:
    attached = set(state.actions)
    complete = all((child, word) in attached for word, of in enumerate(gold, 1) if of == child)
    return complete and gold[child - 1] in (-1, head)


def heads_of(actions: Sequence[Arc], n: int) -> tuple[int, ...]:
    heads = [0] * n
    for head, child in actions:
        heads[child - 1] = head
    return tuple(heads)
