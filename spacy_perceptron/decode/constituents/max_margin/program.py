"""Compiles the templates of a span parser to numbers.

A span has a first word `b` and a last word `e`. Offsets count words: `b-1.tag` is the tag of the
word before the span, `e+1.tag` that of the word after it. Of the span as a whole, templates see
`span.length` in bins, `span.tags`, the tags of all its words if there are at most five, and
`span.kinds`, the kinds of its words with repetitions left out.

Templates of heads describe two children of a phrase: `h` is the head word of the child that is the
head of the phrase, `d` that of the other one, and `pair.distance` the distance between them in
bins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....errors import Errors
from ....features.templates import Atom, Template, parse_templates

SPAN_ROLES = ("b", "e", "span")
HEAD_ROLES = ("h", "d", "pair")
# In the order in which the compiled code numbers them.
SPAN_ATTRIBUTES = ("length", "tags", "kinds")
WORD_ROLES = ("b", "e", "h", "d")
MAX_OFFSET = 3


@dataclass(frozen=True)
class SpanProgram:
    """Templates, compiled.

    roles (list): For each of `WORD_ROLES`, seed and atoms of its conjuncts.
    spans (list): For each template of spans its seed, its conjuncts of `b` and `e` (0 for none),
        and which of `SPAN_ATTRIBUTES` it has, as bits.
    heads (list): For each template of heads its seed, its conjuncts of `h` and `d`, and whether it
        has the distance.
    templates (dict[str, list[Template]]): The templates behind `spans` and `heads`.
    """

    roles: list[list[tuple[int, list[tuple[int, int]]]]]
    spans: list[tuple[int, int, int, int]]
    heads: list[tuple[int, int, int, bool]]
    templates: dict[str, list[Template]]


def parse_span_templates(texts: Iterable[str], attributes: Iterable[str]) -> list[Template]:
    """RETURNS (list[Template]): Templates of spans, read from their texts."""
    return parse_templates(texts, roles=SPAN_ROLES, attributes={*attributes, *SPAN_ATTRIBUTES})


def parse_head_templates(texts: Iterable[str], attributes: Iterable[str]) -> list[Template]:
    """RETURNS (list[Template]): Templates of heads, read from their texts; there may be none."""
    texts = list(texts)
    if not texts:
        return []
    return parse_templates(texts, roles=HEAD_ROLES, attributes={*attributes, "distance"})


def compile_spans(
    spans: Sequence[Template], heads: Sequence[Template], columns: Mapping[str, int]
) -> SpanProgram:
    """Compile templates.

    spans, heads (Sequence[Template]): Templates of spans and of heads.
    columns (Mapping[str, int]): Column of each attribute of words.
    RETURNS (SpanProgram): The program.
    """
    numbers: dict[str, dict[tuple[Atom, ...], int]] = {role: {} for role in WORD_ROLES}

    def conjunct(template: Template, role: str) -> int:
        atoms = tuple(atom for atom in template.atoms if atom.role == role)
        for atom in atoms:
            if abs(atom.offset) > MAX_OFFSET:
                raise ValueError(
                    Errors.TEMPLATE_OFFSET.format(atom=atom, text=template, limit=MAX_OFFSET)
                )
            if atom.attribute not in columns:
                raise ValueError(Errors.SPAN_ATOM.format(atom=atom, text=template))
        own = numbers[role]
        return own.setdefault(atoms, len(own) + 1) if atoms else 0

    compiled_spans = [
        (t.seed, conjunct(t, "b"), conjunct(t, "e"), _whole(t, "span", SPAN_ATTRIBUTES))
        for t in spans
    ]
    compiled_heads = [
        (t.seed, conjunct(t, "h"), conjunct(t, "d"), bool(_whole(t, "pair", ("distance",))))
        for t in heads
    ]
    roles = [
        [
            (Template(atoms).seed, [(atom.offset, columns[atom.attribute]) for atom in atoms])
            for atoms in numbers[role]
        ]
        for role in WORD_ROLES
    ]
    return SpanProgram(
        roles, compiled_spans, compiled_heads, {"spans": list(spans), "heads": list(heads)}
    )


def _whole(template: Template, role: str, attributes: Sequence[str]) -> int:
    """The attributes of a span or pair as a whole that a template has, as bits."""
    found = 0
    for atom in template.atoms:
        if atom.role == role:
            if atom.attribute not in attributes or atom.offset:
                raise ValueError(Errors.SPAN_ATOM.format(atom=atom, text=template))
            found |= 1 << attributes.index(atom.attribute)
    return found
