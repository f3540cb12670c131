"""Easy-first tagging in plain Python, straight from the definition: every extension of every state
is scored from its features by name, nothing is shared, cached or left out. Weights are multiples of
1/512, so that all sums are exact and ties are real.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from spacy_perceptron.decode.sequences.easy_first import EasyFirstSearch
from spacy_perceptron.decode.sequences.program import (
    DYNAMIC_ATTRIBUTES,
    ROLES,
    TaggingProgram,
    compile_templates,
)
from spacy_perceptron.decode.sequences.scorer import TaggingScorer
from spacy_perceptron.decode.sequences.tagging import Tagging
from spacy_perceptron.features.extract import FeatureProgram
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.templates import Template, parse_templates
from spacy_perceptron.learn.weights import WeightTable

# Tag code of places outside the sentence, as documented in `TaggingScorer.feature_ids`.
OUTSIDE = 65534
WORD_ATTRIBUTES = ("form", "parity")
LOCAL = [
    "w.form",
    "w.parity",
    "w-1.form",
    "w+2.parity",
    "w-1.form w.form",
    "w.parity w+1.parity w-3.form",
    "w-1.tag",
    "w+1.tag",
    "w-2.tag w-1.tag",
    "w-2.tag w+2.tag",
    "w-1.tag w+1.tag w+2.tag",
    "w-1.tag w.form",
    "w.parity w+1.tag w-1.tag",
]
WIDE = [*LOCAL, "w-1.tag w-1.form", "w+2.tag w+1.form w.parity"]
TAGS_ONLY = ["w-1.tag", "w+1.tag", "w-2.tag w+2.tag"]

Feature = tuple[str, tuple[int, ...]]
Tags = tuple[int, ...]
UNTAGGED = -1


@dataclass
class State:
    score: float
    tags: Tags
    actions: list[tuple[int, int, int]] = field(default_factory=list)
    correct: bool = True


def word_values(word: int) -> list[int]:
    """Attribute values of a word, in the order of WORD_ATTRIBUTES."""
    return [1000 + word, 3 + word % 2]


def parse(templates: list[str]) -> list[Template]:
    return parse_templates(
        templates, roles=ROLES, attributes=[*WORD_ATTRIBUTES, *DYNAMIC_ATTRIBUTES]
    )


def compile_program(templates: list[str]) -> TaggingProgram:
    return compile_templates(parse(templates), {name: i for i, name in enumerate(WORD_ATTRIBUTES)})


def pack(codes: tuple[int, ...]) -> int:
    return sum(code << (16 * k) for k, code in enumerate(codes))


class Reference:
    """A model with named features: (template, values of its atoms) -> weight of every tag."""

    def __init__(self, templates: list[str], n_tags: int):
        self.templates = parse(templates)
        self.n_tags = n_tags
        self.weights: dict[Feature, np.ndarray] = {}
        self.programs = {
            str(template): FeatureProgram([template.seed], [list(range(len(template.atoms)))])
            for template in self.templates
        }

    def code(self, tags: Tags, i: int) -> int:
        return tags[i] + 1 if 0 <= i < len(tags) else OUTSIDE

    def context(self, tags: Tags, i: int) -> tuple[int, ...]:
        return tuple(self.code(tags, i + offset) for offset in (-2, -1, 1, 2))

    def features(self, words: list[int], i: int, tags: Tags) -> list[Feature]:
        """The features of tagging word i in a partial tagging."""
        found = []
        for template in self.templates:
            values = []
            for atom in template.atoms:
                j = i + atom.offset
                if atom.attribute == "tag":
                    values.append(self.code(tags, j))
                elif 0 <= j < len(words):
                    values.append(word_values(words[j])[WORD_ATTRIBUTES.index(atom.attribute)])
                else:
                    values.append(1 if j < 0 else 2)
            found.append((str(template), tuple(values)))
        return found

    def id(self, feature: Feature) -> int:
        return int(self.programs[feature[0]].extract(np.array(feature[1], np.uint64))[0])

    def scores(self, words: list[int], i: int, tags: Tags) -> np.ndarray:
        total = np.zeros(self.n_tags)
        for feature in self.features(words, i, tags):
            total += self.weights.get(feature, 0.0)
        return total

    def randomize(self, words: list[int], rng: np.random.Generator, size: int) -> None:
        """Give every feature a tagging of the words can have weights in -size/512..size/512."""
        n = len(words)
        for i in range(n):
            near = [j for j in range(i - 2, i + 3) if 0 <= j < n and j != i]
            for codes in itertools.product(range(-1, self.n_tags), repeat=len(near)):
                tags = [UNTAGGED] * n
                for j, code in zip(near, codes, strict=True):
                    tags[j] = code
                for feature in self.features(words, i, tuple(tags)):
                    if feature not in self.weights:
                        row = rng.integers(-size, size + 1, self.n_tags)
                        self.weights[feature] = row / 512

    def table(self) -> WeightTable:
        """The same weights, hashed."""
        table = WeightTable(self.n_tags, trainable=True)
        for feature, row in self.weights.items():
            keys = np.full(self.n_tags, self.id(feature), np.uint64)
            table.update(keys, np.arange(self.n_tags, dtype=np.int32), row.astype(np.float32), 0)
        return table

    # --- Search -----------------------------------------------------------------------------

    def start(self, words: list[int], fixed: list[int] | None = None) -> list[State]:
        return [State(0.0, tuple(fixed) if fixed else (UNTAGGED,) * len(words))]

    def extensions(
        self, words: list[int], state: State, gold: list[int] | None, margin: float = 0.0
    ) -> list[State]:
        """All one-action extensions: best position first, then best tag, lower numbers on ties.
        Gold tags score less by the margin."""
        rows = {i: self.scores(words, i, state.tags) for i, t in enumerate(state.tags) if t < 0}
        for i, row in rows.items():
            if gold is not None and gold[i] >= 0:
                row[gold[i]] -= margin
        found = []
        for i in sorted(rows, key=lambda i: (-rows[i].max(), i)):
            for t in sorted(range(self.n_tags), key=lambda t: (-rows[i][t], t)):
                tags = (*state.tags[:i], t, *state.tags[i + 1 :])
                action = (i, t, pack(self.context(state.tags, i)))
                correct = state.correct and (gold is None or gold[i] in (-1, t))
                score = state.score + float(rows[i][t])
                found.append(State(score, tags, [*state.actions, action], correct))
        return found

    def step(
        self,
        words: list[int],
        states: list[State],
        width: int,
        gold: list[int] | None = None,
        margin: float = 0.0,
    ) -> tuple[list[State], list[State]]:
        """The next beam, and all the extensions it was chosen from."""
        offered = [e for state in states for e in self.extensions(words, state, gold, margin)]
        best: dict[Tags, State] = {}
        for state in offered:
            if state.tags not in best or state.score > best[state.tags].score:
                # Taken out first: of equal scores, the one that had it first stays ahead.
                best.pop(state.tags, None)
                best[state.tags] = state
        return sorted(best.values(), key=lambda state: -state.score)[:width], offered

    def search(self, words: list[int], width: int, fixed: list[int] | None = None) -> list[State]:
        states = self.start(words, fixed)
        while any(tag < 0 for tag in states[0].tags):
            states, _ = self.step(words, states, width)
        return states

    def violation(
        self,
        words: list[int],
        gold: list[int],
        width: int,
        fixed: list[int] | None = None,
        margin: float = 0.0,
        greatest: bool = False,
    ) -> tuple[State, State] | None:
        """Algorithm 2: the best correct extension and the top of the beam at the first mistake; or
        at the greatest one, with a correct state that goes on beside the beam."""
        states = self.start(words, fixed)
        found, lost = [], False
        correct = states[0]
        while any(tag < 0 for tag in states[0].tags):
            states, offered = self.step(words, states, width, gold, margin)
            if lost:
                offered = self.extensions(words, correct, gold, margin)
            correct = max((s for s in offered if s.correct), key=lambda s: s.score)
            lost = lost or not any(state.correct for state in states)
            found.append((correct, states[0]))
            if lost and not greatest:
                return found[-1]
        if states[0].correct:
            return None
        wrong = [(right, top) for right, top in found if not top.correct]
        return max(wrong, key=lambda pair: pair[1].score - pair[0].score) if greatest else wrong[-1]

    def phi(self, words: list[int], actions: list, fixed: list[int] | None = None) -> Counter:
        """Features of an action sequence, replayed from the start: (id, tag) -> count."""
        tags = list(fixed) if fixed else [UNTAGGED] * len(words)
        counts: Counter = Counter()
        for i, t, packed in actions:
            assert tags[i] == UNTAGGED, "a position is tagged once"
            assert packed == pack(self.context(tuple(tags), i))
            counts.update((self.id(feature), t) for feature in self.features(words, i, tuple(tags)))
            tags[i] = t
        return counts


def make_scorer(
    templates: list[str], weights: WeightTable, *, cached: bool = False, max_rows: int = 1 << 15
) -> TaggingScorer:
    lexemes = LexemeTable(len(WORD_ATTRIBUTES), max_rows=max_rows)
    return TaggingScorer(lexemes, weights, compile_program(templates), cached=cached)


def make_decoder(
    templates: list[str], weights: WeightTable, *, max_violation: bool = False, **settings
) -> Tagging:
    scorer = make_scorer(templates, weights, **settings)
    return Tagging(EasyFirstSearch(scorer), max_violation=max_violation)


def lookup(scorer: TaggingScorer, words: list[int]) -> np.ndarray:
    return scorer.lexemes.lookup(np.array(words, np.uint64), word_values)


def ints(values: list[int]) -> np.ndarray:
    return np.array(values, np.int32)


def random_world(
    seed: int, *, n_words: int, n_tags: int, size: int = 2048, templates: list[str] | None = None
) -> tuple[Reference, list[int]]:
    """A reference with random weights and a sentence they cover; a small size makes many ties."""
    rng = np.random.default_rng(seed)
    reference = Reference(LOCAL if templates is None else templates, n_tags)
    words = rng.integers(0, 4, n_words).tolist()
    reference.randomize(words, rng, size)
    return reference, words
