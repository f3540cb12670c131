"""Compares two trees whose scores are sums over actions: the features of the actions by which only
one of them was built."""

from collections import Counter
from typing import Any

from ...answers.explanation import FeatureWeight
from ...decode.attachments.parsing import EasyFirstParsing
from ...decode.attachments.program import TREE_ATTRIBUTES, AttachmentProgram
from ...features.templates import Atom, Template
from .explanation import (
    ExplainedSentence,
    Weighed,
    describe_arc,
    describe_between,
    describe_token,
    pair_features,
)

NOTHING = "<nothing>"
# The values of tree attributes as text, in the order of their numbers.
CHILDREN = ("0", "1", "2", "3", "4+")
TREE_VALUES = {
    "lefts": CHILDREN,
    "rights": CHILDREN,
    "span": ("1", "2", "3-4", "5-8", "9-16", "17+"),
}
# Template, child, what was seen, weight.
Seen = tuple[str, int, str, float]
# Words of roles and values of tree attributes.
Places = dict[str, int | None]


def compare_actions(
    parsing: EasyFirstParsing,
    program: AttachmentProgram,
    sentence: ExplainedSentence,
    word: int,
) -> list[FeatureWeight]:
    """The features of actions that built only one of two trees, without those of weight 0.

    parsing (EasyFirstParsing): The decoder; the other tree is what it found last.
    program (AttachmentProgram): The templates.
    sentence (ExplainedSentence): The sentence.
    word (int): The word whose head is explained, counted from 1.
    RETURNS (list[FeatureWeight]): The strongest for the best tree first.
    """
    theirs = _features(parsing, program, sentence, parsing.derivation())
    parsing.nbest(sentence.words, 1)
    mine = _features(parsing, program, sentence, parsing.derivation())
    return pair_features(_weigh(mine - theirs), _weigh(theirs - mine), word)


def _features(
    parsing: EasyFirstParsing,
    program: AttachmentProgram,
    sentence: ExplainedSentence,
    actions: list[tuple[int, int]],
) -> Counter[Seen]:
    """All features of some actions."""
    found: Counter[Seen] = Counter()
    steps = parsing.replay(sentence.words, actions)
    for (head, child), (places, features) in zip(actions, steps, strict=True):
        totals: dict[tuple[str, int], float] = {}
        for group, number, weight in features:
            totals[group, number] = totals.get((group, number), 0.0) + weight
        for (group, number), weight in totals.items():
            template = program.templates[group][number]
            value = _describe(template, sentence, head, child, places)
            found[str(template), child, value, weight] += 1
    return found


def _weigh(features: Counter[Seen]) -> Weighed:
    """By template and child: what the template saw there, and its weight."""
    weighed: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for (template, child, value, weight), n in features.items():
        weighed.setdefault((template, child), []).extend([(value, weight)] * n)
    return weighed


def _describe(
    template: Template, sentence: ExplainedSentence, head: int, child: int, places: Places
) -> str:
    """What a template saw, as text."""
    return " ".join(_describe_atom(atom, sentence, head, child, places) for atom in template.atoms)


def _describe_atom(
    atom: Atom, sentence: ExplainedSentence, head: int, child: int, places: Places
) -> str:
    if atom.role == "arc":
        return describe_arc(atom.attribute, sentence, head, child, is_right=child > head)
    if atom.role == "b":
        return describe_between(atom, sentence, head, child)
    if atom.attribute in TREE_ATTRIBUTES:
        value: Any = places[f"{atom.role}.{atom.attribute}"]
        return NOTHING if value < 0 else f"{TREE_VALUES[atom.attribute][value]} {atom.attribute}"
    place = places[atom.role]
    return NOTHING if place is None else describe_token(atom, sentence, place)
