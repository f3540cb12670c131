"""What can be set of a max-margin parser, and what its templates ask for."""

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
from ....errors import Errors
from ....features.attributes import WORD_ATTRIBUTES, word_attribute_names
from ....features.sets.spans import SPAN_SETS
from ....features.templates import Atom, Template
from ....values import MARGIN
from ..._shared.settings import setting, templates_setting
from ..columns import TOKEN_ATTRIBUTES
from ..settings import ConstituencySettings

_TAG, _KIND = "tag", "kind"
_KINDS = Atom("span", 0, "kinds")
_FLAT_SET = "spacy_perceptron.span_flat.v1"


@dataclass(frozen=True, kw_only=True)
class MaxMarginSettings(ConstituencySettings):
    """What can be set of a max-margin parser."""

    factory = "max_margin_parser"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.spans.v1"], "[templates](#templates) of spans"
    )
    head_templates: list[str] = templates_setting(
        ["spacy_perceptron.span_heads.v1"], "templates of pairs of head words"
    )
    pruner_templates: list[str] = templates_setting(
        ["spacy_perceptron.span_pruner.v1"], "templates by which spans are pruned"
    )
    head_features: bool = setting(
        True,
        "whether pairs of head words count. That is more accurate, but then the search is not "
        "exact, see [Exactness](#exactness)",
    )
    vertical: int = setting(
        1,
        "how many generations the grammar's symbols remember: 1 for the label alone, 2 for that of "
        "the parent, too, see [Grammar](#grammar)",
        at_least=1,
        at_most=4,
    )
    horizontal: int = setting(
        0,
        "how many siblings the grammar's intermediate symbols remember beside the head; 0: neither",
        at_least=0,
        at_most=10,
    )
    tagging: str = setting(
        "given",
        "`given`: tags are the tagger's, and what it may have mistaken; `chart`: they are those of "
        "the word in the treebank, with fixed scores log P(word | tag)",
        choices=("given", "chart"),
    )
    max_tags: int = setting(
        3,
        "the most tags of a word that the parser chooses from, the tagger's included; 1: it keeps "
        "the tagger's, see [Tags](#tags)",
        at_least=1,
        at_most=100,
    )
    threshold: float = setting(
        11.5,
        "how far the best tree with a phrase may be behind the best of all, in scores of the "
        "pruner; larger values are slower and prune less",
        above=0,
        at_most=1000,
    )
    pruner_epochs: int = setting(
        3,
        "passes over the corpus that train the pruner, in `initialize`; more if it is small; 0: "
        "nothing is pruned",
        at_least=0,
        at_most=1000,
    )
    pruner_step: float = setting(0.05, "the size of the pruner's steps", above=0, at_most=1000)
    learner: str = setting(
        "mira",
        "`mira`: one step a sentence, and averaged weights; `smo`: the paper's, which finds the "
        "optimum, see [Training](#training); `generative`: the relative frequencies of rules, "
        "without features",
        choices=("mira", "smo", "generative"),
    )
    max_step: float = setting(0.01, "the largest step of `mira`", at_least=0)
    c: float = setting(
        1.0,
        "the paper's C for `smo`: how much a violated margin costs, compared with the size of the "
        "weights",
        above=0,
    )
    margin: float = setting(
        1.0,
        "by how much the correct tree should win for each wrong node; above 0",
        **MARGIN.limits,
    )

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        if not self.margin:
            raise ValueError(Errors.MAX_MARGIN_NO_MARGIN)
        if self.learner == "smo" and self.adaptive:
            raise ValueError(Errors.MAX_MARGIN_ADAPTIVE)


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
