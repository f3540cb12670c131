"""Compiles the templates of a span parser to numbers.

A span has a first word `b` and a last word `e`. Offsets count words: `b-1.tag` is the tag of the
word before the span, `e+1.tag` that of the word after it. Of the span as a whole, templates see
`span.length` in bins, `span.tags`, the tags of all its words if there are at most five, and
`span.kinds`, the kinds of its words with repetitions left out.

Weights belong to the label that a span can have, or the side at which an intermediate node grows. A
template with `span.symbol` has weights for all that the grammar tells apart: symbols that remember
their ancestors and siblings.

A template with `span.any` has one weight for all phrases: it says whether a span is a phrase,
whatever its label. Such templates also see `span.short`, the length of spans of up to three words,
`span.three`, and what others predict of the span: `span.baseline` and `span.flat`, phrase or none.
Longer spans have no features of templates with `span.short`, and only spans of three words have
those of templates with `span.three`.

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
ALL_WHOLES = (1 << len(SPAN_ATTRIBUTES)) - 1
# What only shared templates see, in that order, too.
MARKS = ("short", "three", "baseline", "flat")
SHARED = "any"
OF_SYMBOLS = "symbol"
WORD_ROLES = ("b", "e", "h", "d")
MAX_OFFSET = 3


@dataclass(frozen=True)
class SpanProgram:
    """Templates, compiled.

    roles (list): For each of `WORD_ROLES`, seed and atoms of its conjuncts.
    spans (list): For each template of spans its seed, its conjuncts of `b` and `e` (0 for none),
        and which of `SPAN_ATTRIBUTES` it has, as bits.
    symbols (list): The same for templates whose weights belong to symbols of the grammar.
    shared (list): The same for templates of spans that all phrases share, and which of `MARKS` each
        has, as bits.
    heads (list): For each template of heads its seed, its conjuncts of `h` and `d`, and whether it
        has the distance.
    templates (dict[str, list[Template]]): The templates behind each of these.
    """

    roles: list[list[tuple[int, list[tuple[int, int]]]]]
    spans: list[tuple[int, int, int, int]]
    symbols: list[tuple[int, int, int, int]]
    shared: list[tuple[int, int, int, int, int]]
    heads: list[tuple[int, int, int, bool]]
    templates: dict[str, list[Template]]


def parse_span_templates(
    texts: Iterable[str], attributes: Iterable[str], *, shared: bool = False
) -> list[Template]:
    """Read templates of spans.

    texts (Iterable[str]): Their texts.
    attributes (Iterable[str]): The attributes of words.
    shared (bool): Whether templates can be shared by all phrases; there may then be none at all.
    RETURNS (list[Template]): The templates.
    """
    known = {*attributes, *SPAN_ATTRIBUTES}
    if shared:
        known |= {SHARED, OF_SYMBOLS, *MARKS}
        texts = list(texts)
        if not texts:
            return []
    return parse_templates(texts, roles=SPAN_ROLES, attributes=known)


def is_shared(template: Template) -> bool:
    """RETURNS (bool): Whether a template has one weight for all phrases."""
    return Atom("span", 0, SHARED) in template.atoms


def is_of_symbols(template: Template) -> bool:
    """RETURNS (bool): Whether the weights of a template belong to symbols of the grammar."""
    return Atom("span", 0, OF_SYMBOLS) in template.atoms


def predictions(templates: Iterable[Template]) -> set[str]:
    """RETURNS (set[str]): The predictions that templates see: `baseline`, `flat`."""
    atoms = {atom for template in templates for atom in template.atoms if atom.role == "span"}
    return {atom.attribute for atom in atoms} & {"baseline", "flat"}


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

    def compiled(of: Sequence[Template], *more: str) -> list[tuple[int, int, int, int]]:
        wholes = [_whole(t, "span", (*SPAN_ATTRIBUTES, *more)) & ALL_WHOLES for t in of]
        return [
            (t.seed, conjunct(t, "b"), conjunct(t, "e"), whole)
            for t, whole in zip(of, wholes, strict=True)
        ]

    templates: dict[str, list[Template]] = {"spans": [], "symbols": [], "shared": []}
    for t in spans:
        group = "shared" if is_shared(t) else "symbols" if is_of_symbols(t) else "spans"
        templates[group].append(t)
    templates["heads"] = list(heads)
    compiled_spans = compiled(templates["spans"])
    compiled_symbols = compiled(templates["symbols"], OF_SYMBOLS)
    compiled_shared = []
    for t in templates["shared"]:
        bits = _whole(t, "span", (*SPAN_ATTRIBUTES, *MARKS, SHARED))
        whole, marks = bits & ALL_WHOLES, bits >> len(SPAN_ATTRIBUTES) & 15
        compiled_shared.append((t.seed, conjunct(t, "b"), conjunct(t, "e"), whole, marks))
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
        roles, compiled_spans, compiled_symbols, compiled_shared, compiled_heads, templates
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
