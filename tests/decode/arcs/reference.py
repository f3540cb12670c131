"""Features of dependency trees in plain Python, by name, straight from what templates mean.

A feature is a template and the values it sees. `world` gives them weights.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from spacy_perceptron.decode.arcs.program import (
    ARC_ATTRIBUTES,
    ROLES,
    ParsingProgram,
    compile_templates,
)
from spacy_perceptron.features.templates import Atom, Template, parse_templates

WORD_ATTRIBUTES = ("form", "parity")
TOKEN_ATTRIBUTES = ("tag", "place")
COLUMNS = {name: i for i, name in enumerate((*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES))}
PUNCT, VERB = 1, 2

ARC = (
    "p.form c.form",
    "p.tag c.tag arc.direction",
    "c.tag p.parity arc.distance",
    "p.tag arc.distance",
    "p.tag p-1.parity arc.direction",
    "c.form arc.distance",
    "c-1.tag c.tag c+1.tag",
    "c.form arc.guide",
    "p+1.tag c-1.tag arc.direction",
    "p-2.form c+3.tag",
    "arc.distance",
    "c.tag arc.punct arc.verbs",
    "p.parity c.parity arc.guide arc.direction",
    "p.tag b.tag c.tag",
    "p.parity b.tag arc.direction",
    "c.tag b.parity b+1.tag",
)
SIBLING = (
    "p.tag s.tag c.tag arc.direction",
    "s.form c.form arc.distance",
    "s.tag",
    "p+1.tag s-1.parity arc.direction",
)
GRAND = ("g.tag p.tag c.tag arc.direction", "g.form c.form arc.distance", "g+1.tag p.parity")
GRAND_SIBLING = ("g.tag p.parity s.tag c.tag arc.direction", "g.parity s.form arc.distance")
TEMPLATES = (*ARC, *SIBLING, *GRAND, *GRAND_SIBLING)
LABEL = (
    "p.tag c.tag arc.direction",
    "p.form arc.direction",
    "c.form",
    "c.tag c+1.tag arc.distance",
    "p-1.tag c.parity arc.punct",
    "p.parity c.parity arc.guide",
)
PRUNER = ("p.tag c.tag arc.distance", "c.form arc.verbs", "p.form p+1.tag", "p.tag arc.guide")

Arc = tuple[int, int]
Heads = tuple[int, ...]
Feature = tuple[str, tuple]
# A kind of part and its members, as `Parts.ids` has them.
Part = tuple[str, tuple]


@dataclass(frozen=True)
class Sentence:
    """Words and tags are small numbers, marks PUNCT, VERB or both, guides heads or -1."""

    words: list[int]
    tags: list[int]
    marks: list[int]
    guides: list[int] | None = None

    def __len__(self) -> int:
        return len(self.words)


def word_values(word: int) -> list[int]:
    return [1000 + word, 100 + word % 2]


def token_values(sentence: Sentence) -> np.ndarray:
    values = [[200 + tag, 300 + place] for place, tag in enumerate(sentence.tags)]
    return np.array(values, np.uint64).reshape(-1, len(TOKEN_ATTRIBUTES))


def parse(templates: Iterable[str]) -> list[Template]:
    return parse_templates(templates, roles=ROLES, attributes=[*COLUMNS, *ARC_ATTRIBUTES])


@functools.cache
def compiled(
    templates: tuple[str, ...] = TEMPLATES,
    label: tuple[str, ...] = LABEL,
    tree_label: tuple[str, ...] = (),
    pruner: tuple[str, ...] = PRUNER,
) -> ParsingProgram:
    groups = (templates, label, tree_label, pruner)
    return compile_templates(*(parse(group) if group else [] for group in groups), COLUMNS)


# --- What templates see ----------------------------------------------------------------------


def see_token(sentence: Sentence, atom: Atom, place: int | str) -> object:
    """What an atom sees of a word (from 1 on), of the root (0), or of the place of no child."""
    if isinstance(place, str):
        return place
    at = place + atom.offset
    if at == 0:
        return "root"
    if not 0 < at <= len(sentence):
        return "before" if at < 0 else "after"
    word, tag = sentence.words[at - 1], sentence.tags[at - 1]
    return {"form": word, "parity": word % 2, "tag": tag, "place": at}[atom.attribute]


def distance_bin(distance: int) -> str:
    if distance <= 5:
        return str(distance)
    return "6-10" if distance <= 10 else "11-20" if distance <= 20 else "21+"


def see_arc(sentence: Sentence, head: int, child: int) -> dict[str, object]:
    """The attributes of an arc."""
    low, high = min(head, child), max(head, child)
    side = "right" if child > head else "left"
    between = [sentence.marks[word - 1] for word in range(low + 1, high)]
    guide = -1 if sentence.guides is None else sentence.guides[child - 1]
    return {
        "direction": side,
        "distance": (side, distance_bin(high - low)),
        "punct": min(3, sum(mark in (PUNCT, PUNCT + VERB) for mark in between)),
        "verbs": min(3, sum(mark in (VERB, PUNCT + VERB) for mark in between)),
        "guide": "none" if guide < 0 else guide == head,
    }


def see_part(part: Part) -> tuple[str, dict[str, int | str], dict[str, object]]:
    """The kind of template that sees a further part, the place of each role, and what is known of
    the whole: on which side of the head the children are (and the head of its head)."""
    kind, members = part
    places: dict[str, int | str]
    if kind == "childless":
        head, side = members
        places = {"p": head, "s": "first", "c": "last"}
        return "sibling", places, see_sides(head, "last", bool(side))
    outer = members if kind in ("first", "last") else members[-1]
    head, child = outer
    right = child > head
    if kind == "last":
        places = {"p": head, "s": child, "c": "last"}
        return "sibling", places, see_sides(head, "last", right)
    if kind == "first":
        return "sibling", {"p": head, "s": "first", "c": child}, see_sides(head, child, right)
    if kind == "sibling":
        places = {"p": head, "s": members[0][1], "c": child}
        return "sibling", places, see_sides(head, child, right)
    grand = members[0][0]
    places = {"p": head, "c": child, "g": grand}
    if kind == "grand_sibling":
        places["s"] = members[1][1]
    return kind, places, see_sides(head, child, right, head > grand)


def see_sides(head: int, child: int | str, *sides: bool) -> dict[str, object]:
    distance = None if isinstance(child, str) else distance_bin(abs(child - head))
    return {"direction": sides, "distance": (sides, distance)}


class Look:
    """A template, and what it is for.

    template (Template): The template.
    """

    def __init__(self, template: Template):
        roles = {atom.role for atom in template.atoms}
        further = "".join(sorted(roles & {"s", "g"}))
        self.text = str(template)
        self.atoms = template.atoms
        self.kind = {"": "arc", "s": "sibling", "g": "grand", "gs": "grand_sibling"}[further]
        self.between = "b" in roles


def looks(templates: Iterable[str]) -> list[Look]:
    texts = list(templates)
    return [Look(template) for template in parse(texts)] if texts else []


def features_of(sentence: Sentence, part: Part, templates: Sequence[Look]) -> list[Feature]:
    """The features of a part: one per template, or one per distinct look of a token between."""
    kind, places, whole = (
        ("arc", {"p": part[1][0], "c": part[1][1]}, see_arc(sentence, *part[1]))
        if part[0] == "arc"
        else see_part(part)
    )
    found: list[Feature] = []
    for look in templates:
        if look.kind != kind:
            continue
        between = range(min(part[1]) + 1, max(part[1])) if look.between else (0,)
        seen = [
            tuple(
                whole[atom.attribute]
                if atom.role == "arc"
                else see_token(sentence, atom, token if atom.role == "b" else places[atom.role])
                for atom in look.atoms
            )
            for token in between
        ]
        found += [(look.text, values) for values in dict.fromkeys(seen)]
    return found


def all_parts(n: int, order: int) -> list[Part]:
    """All parts that trees of n words can have."""
    arcs = [(h, c) for c in range(1, n + 1) for h in range(n + 1) if h != c]
    parts: list[Part] = [("arc", arc) for arc in arcs]
    if order == 1:
        return parts
    parts += [("childless", (word, side)) for word in range(1, n + 1) for side in (0, 1)]
    for outer in arcs:
        head = outer[0]
        if head == 0:
            continue
        low, high = min(outer), max(outer)
        inners = [(head, c) for c in range(low + 1, high)]
        # The head's head is not under the arc.
        uppers = [(g, head) for g in range(n + 1) if g < low or g > high]
        parts += [("first", outer), ("last", outer)]
        parts += [("sibling", (inner, outer)) for inner in inners]
        parts += [("grand", (upper, outer)) for upper in uppers]
        if order > 2:
            parts += [("grand_sibling", (u, i, outer)) for u in uppers for i in inners]
    return parts
