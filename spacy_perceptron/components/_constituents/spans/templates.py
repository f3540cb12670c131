"""What the templates of a max-margin parser ask for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ....decode.constituents.max_margin.program import (
    WORD_ROLES,
    SpanProgram,
    compile_spans,
    parse_head_templates,
    parse_span_templates,
    predictions,
)
from ....features.attributes import WORD_ATTRIBUTES, word_attribute_names
from ....features.sets.spans import SPAN_SETS
from ....features.templates import Atom, Template
from ..columns import TOKEN_ATTRIBUTES
from .settings import MaxMarginSettings

_TAG, _KIND = "tag", "kind"
_KINDS = Atom("span", 0, "kinds")
_FLAT_SET = "spacy_perceptron.span_flat.v1"


@dataclass(frozen=True)
class SpanTemplates:
    """Compiled templates, and what they ask for.

    spans (SpanProgram): Templates of spans and heads.
    pruner (SpanProgram): Those of the pruner.
    flat (SpanProgram): Those of the flat classifier of spans, none if nobody asks for its answers.
    attributes (list[str]): The attributes of words that they need.
    columns (list[str]): The values of readings that they need; these come after the attributes.
    """

    spans: SpanProgram
    pruner: SpanProgram
    flat: SpanProgram
    attributes: list[str]
    columns: list[str]

    def columns_of(self, program: SpanProgram) -> dict[str, Any]:
        """RETURNS (dict): The columns that a scorer reads tags and kinds of words from."""
        templates = [*program.templates["spans"], *program.templates["symbols"]]
        has_kinds = any(_KINDS in template.atoms for template in templates)
        return {
            "tag_column": len(self.attributes) + self.columns.index(_TAG),
            "kind_column": self.attributes.index(_KIND) if has_kinds else -1,
        }


def compile_span_templates(settings: MaxMarginSettings) -> SpanTemplates:
    """Compile the templates.

    settings (MaxMarginSettings): The settings.
    RETURNS (SpanTemplates): The templates.
    """
    known = {*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES}
    spans = parse_span_templates(settings.templates, known, shared=True)
    heads = parse_head_templates(settings.head_templates if settings.head_features else [], known)
    pruner = parse_span_templates(settings.pruner_templates, known)
    asked = SPAN_SETS[_FLAT_SET] if predictions(spans) else ()
    flat = parse_span_templates(asked, known, shared=True)
    used = _used([*spans, *heads, *pruner, *flat])
    names = word_attribute_names(used)
    columns = [name for name in TOKEN_ATTRIBUTES if name in {_TAG, *used}]
    numbers = {name: column for column, name in enumerate([*names, *columns])}
    return SpanTemplates(
        compile_spans(spans, heads, numbers),
        compile_spans(pruner, [], numbers),
        compile_spans(flat, [], numbers),
        names,
        columns,
    )


def _used(templates: Iterable[Template]) -> set[str]:
    """The attributes of words that templates need."""
    atoms = {atom for template in templates for atom in template.atoms}
    words = {atom.attribute for atom in atoms if atom.role in WORD_ROLES}
    return words | ({_KIND} if _KINDS in atoms else set())
