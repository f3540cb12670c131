"""Entity tagging in plain Python: legal sequences by a regular expression over all sequences."""

import itertools
import re
from functools import cache

import numpy as np

from spacy_perceptron.decode.sequences.easy_first import EasyFirstSearch
from spacy_perceptron.decode.sequences.entities import LegalEntities, tag_names
from spacy_perceptron.decode.sequences.left_to_right import LeftToRightSearch
from spacy_perceptron.decode.sequences.scorer import TaggingScorer
from spacy_perceptron.decode.sequences.tagging import Tagging
from tests.decode.sequences.tagging_reference import (
    OUTSIDE,
    UNTAGGED,
    WORD_ATTRIBUTES,
    Reference,
    State,
    word_values,
)

LABELS = ("P", "Q")
ENTITY = {"bio": "BI*", "biluo": "U|BI*L"}
LEFT = ["w.form", "w.parity", "w-1.form w.form", "w-1.tag", "w-2.tag w-1.tag", "w-1.tag w.form"]
LEFT_ONE = ["w.form", "w+1.form", "w-1.tag", "w-1.tag w.parity"]
BOTH = [*LEFT, "w+1.tag", "w-1.tag w+1.tag", "w+2.tag"]
NEW_START = -2
SEARCHES = {"left_to_right": LeftToRightSearch, "easy_first": EasyFirstSearch}

Tags = tuple[int, ...]


def make_entities(
    search: str, scorer: TaggingScorer, scheme: str, *, bonus: float = 0.0, **settings
) -> Tagging:
    """A decoder for legal entity tags by the name of its search."""
    legal = LegalEntities(scheme, scorer.n_tags, bonus=bonus)
    return Tagging(SEARCHES[search](scorer, legal), **settings)


def letters(tags: Tags, scheme: str, n_labels: int) -> str:
    """One letter per tag: O, BILU for the first label, bilu for the second."""
    names = tag_names(LABELS[:n_labels], scheme)
    return "".join(
        names[tag][0].lower() if names[tag].endswith("Q") else names[tag][0] for tag in tags
    )


def is_legal(tags: Tags, scheme: str, n_labels: int) -> bool:
    entity = ENTITY[scheme]
    return bool(re.fullmatch(f"(O|{entity}|{entity.lower()})*", letters(tags, scheme, n_labels)))


@cache
def legal_sequences(n: int, scheme: str, n_labels: int) -> list[Tags]:
    n_tags = len(tag_names(LABELS[:n_labels], scheme))
    every = itertools.product(range(n_tags), repeat=n)
    return [tags for tags in every if is_legal(tags, scheme, n_labels)]


def agreeing(given: list[int] | None, n: int, scheme: str, n_labels: int) -> list[Tags]:
    """Legal sequences that have the given tags, and start anew where that is asked for."""
    found = legal_sequences(n, scheme, n_labels)
    if given is None:
        return found
    return [
        tags
        for tags in found
        if all(
            tag == wanted
            if wanted >= 0
            else wanted != NEW_START or letters((tag,), scheme, n_labels) not in "ILil"
            for tag, wanted in zip(tags, given, strict=True)
        )
    ]


class EntityReference(Reference):
    """A reference whose actions must leave a legal sequence that can still be reached."""

    def __init__(self, templates: list[str], scheme: str, n_labels: int):
        self.scheme, self.n_labels = scheme, n_labels
        super().__init__(templates, len(tag_names(LABELS[:n_labels], scheme)))
        self.wanted: list[int] | None = None

    def randomize(self, words: list[int], rng: np.random.Generator, size: int) -> None:
        """Weights for all values that atoms can have."""
        codes = [*range(self.n_tags + 1), OUTSIDE]
        for i in range(len(words)):
            for template in self.templates:
                choices = []
                for atom in template.atoms:
                    j = i + atom.offset
                    if atom.attribute == "tag":
                        choices.append(codes)
                    elif 0 <= j < len(words):
                        column = WORD_ATTRIBUTES.index(atom.attribute)
                        choices.append([word_values(words[j])[column]])
                    else:
                        choices.append([1 if j < 0 else 2])
                for values in itertools.product(*choices):
                    row = rng.integers(-size, size + 1, self.n_tags) / 512
                    self.weights.setdefault((str(template), values), row)

    def allowed(self, n: int) -> list[Tags]:
        return agreeing(self.wanted, n, self.scheme, self.n_labels)

    def extensions(self, words, state, gold, margin=0.0) -> list[State]:
        possible = {
            (tags, i)
            for tags in self.allowed(len(words))
            if all(t in (UNTAGGED, tag) for t, tag in zip(state.tags, tags, strict=True))
            for i in range(len(words))
        }
        reachable = {(i, tags[i]) for tags, i in possible}
        rows = {i: self.scores(words, i, state.tags) for i, t in enumerate(state.tags) if t < 0}
        for i, row in rows.items():
            if gold is not None and gold[i] >= 0:
                row[gold[i]] -= margin
            for t in range(self.n_tags):
                if (i, t) not in reachable:
                    row[t] = -np.inf
        found = []
        for i in sorted(rows, key=lambda i: (-rows[i].max(), i)):
            for t in sorted(range(self.n_tags), key=lambda t: (-rows[i][t], t)):
                if rows[i][t] > -np.inf:
                    tags = (*state.tags[:i], t, *state.tags[i + 1 :])
                    found.append(State(state.score + float(rows[i][t]), tags))
        return found

    def sequence_score(self, words: list[int], tags: Tags, given: list[int] | None = None) -> float:
        """The score of a whole sequence from left to right."""
        return sum(
            float(self.scores(words, i, tags)[tags[i]])
            for i in range(len(words))
            if given is None or given[i] < 0
        )


def random_entities(
    seed: int, scheme: str, n_labels: int, n_words: int, *, size: int, templates: list[str]
) -> tuple[EntityReference, list[int], np.random.Generator]:
    rng = np.random.default_rng(seed)
    reference = EntityReference(templates, scheme, n_labels)
    words = rng.integers(0, 4, n_words).tolist()
    reference.randomize(words, rng, size)
    return reference, words, rng


def random_given(
    rng: np.random.Generator, n_words: int, scheme: str, n_labels: int, share: float = 0.4
) -> list[int]:
    """Given tags as presets are: whole entities and single O's of a legal sequence, each with a new
    start behind it."""
    sequences = legal_sequences(n_words, scheme, n_labels)
    tags = sequences[rng.integers(len(sequences))]
    text = letters(tags, scheme, n_labels)
    entity = ENTITY[scheme]
    given = [-1] * n_words
    for match in re.finditer(f"O|{entity}|{entity.lower()}", text):
        if rng.random() < share:
            given[match.start() : match.end()] = tags[match.start() : match.end()]
            if match.end() < n_words:
                given[match.end()] = NEW_START
    return given
