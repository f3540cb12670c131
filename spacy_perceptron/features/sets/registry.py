"""Named, versioned template sets. A released set never changes; a better one gets a new number."""

from collections.abc import Sequence

from ...errors import Errors
from .arcs import PARSER_SETS
from .attachments import ATTACHMENT_SETS
from .clusters import CLUSTER_SETS, expand_clusters
from .constituents import CONSTITUENT_SETS
from .entities import ENTITY_SETS
from .fast_arcs import FAST_PARSER_SETS
from .lemmas import LEMMA_SETS
from .morphology import MORPHOLOGY_SETS
from .refinement import REFINEMENT_SETS
from .sentences import SENTENCE_SETS
from .spans import SPAN_SETS

# After Shen, Satta, Joshi (2007): words in a window of two, affixes and shape of the word, tags on
# both sides alone, in pairs and with the word.
_WORD = (
    "w.orth",
    "w.lower",
    "w.folded",
    "w.shape",
    "w.kind",
    "w.length",
    "w.digit",
    "w.hyphen",
    "w.capital",
    *(f"w.prefix{n}" for n in range(1, 7)),
    *(f"w.suffix{n}" for n in range(1, 8)),
    "w.kind w.suffix2",
    "w.kind w.suffix3",
)
_NEIGHBOURS = tuple(
    f"w{offset:+d}.{attribute}"
    for offset, attributes in {
        -2: ("lower", "suffix3", "kind"),
        -1: ("lower", "suffix3", "suffix2", "prefix3", "shape", "kind"),
        1: ("lower", "suffix3", "suffix2", "prefix3", "shape", "kind"),
        2: ("lower", "suffix3", "kind"),
    }.items()
    for attribute in attributes
)
_WORD_PAIRS = (
    "w-1.lower w.lower",
    "w.lower w+1.lower",
    "w-1.lower w+1.lower",
    "w-1.kind w.kind w+1.kind",
    "w-1.lower w.kind",
    "w.kind w+1.lower",
    "w-1.lower w.suffix3",
    "w.suffix3 w+1.lower",
)
_TAGS = (
    "w-1.tag",
    "w+1.tag",
    "w-2.tag w-1.tag",
    "w+1.tag w+2.tag",
    "w-1.tag w+1.tag",
    "w-2.tag w-1.tag w+1.tag",
    "w-1.tag w+1.tag w+2.tag",
    "w-1.tag w.lower",
    "w+1.tag w.lower",
    "w-1.tag w+1.tag w.lower",
    "w-1.tag w.suffix3",
    "w+1.tag w.suffix3",
    "w-1.tag w+1.tag w.suffix2",
    "w-1.tag w+1.tag w.kind",
)

TEMPLATE_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.tagging.v1": (*_WORD, *_NEIGHBOURS, *_WORD_PAIRS, *_TAGS),
    # Scores of single words are cached by word type, so pairs of words cause most look-ups.
    "spacy_perceptron.fast_tagging.v1": (*_WORD, *_NEIGHBOURS, *_TAGS),
    **REFINEMENT_SETS,
    **MORPHOLOGY_SETS,
    **PARSER_SETS,
    **FAST_PARSER_SETS,
    **ATTACHMENT_SETS,
    **ENTITY_SETS,
    **LEMMA_SETS,
    **CONSTITUENT_SETS,
    **SPAN_SETS,
    **SENTENCE_SETS,
    **CLUSTER_SETS,
}


def templates_from_sets(
    sets: list[str],
    extra: Sequence[str] = (),
    without: Sequence[str] = (),
    clusters: Sequence[str] = (),
) -> list[str]:
    """Put a template list together, registered as `spacy_perceptron.templates.v1`.

    sets (list[str]): Names of template sets.
    extra (Sequence[str]): Templates to add.
    without (Sequence[str]): Templates to leave out.
    clusters (Sequence[str]): Names of the tables that templates with `cluster` are for, if tables
        have names.
    RETURNS (list[str]): Template texts.
    """
    templates: list[str] = []
    for name in sets:
        if name not in TEMPLATE_SETS:
            known = ", ".join(TEMPLATE_SETS)
            raise ValueError(Errors.TEMPLATE_SET.format(name=name, known=known))
        templates.extend(TEMPLATE_SETS[name])
    missing = [text for text in without if text not in templates]
    if missing:
        raise ValueError(Errors.TEMPLATE_NOT_THERE.format(text=missing[0], sets=", ".join(sets)))
    kept = [text for text in (*templates, *extra) if text not in without]
    return expand_clusters(kept, clusters)
