"""Template sets with word clusters, to be added to the others of a component.

After Koo, Carreras and Collins (2008): short prefixes of paths stand for parts of speech, whole
paths for words; and Turian, Ratinov and Bengio (2010) for entities. `cluster` means the table
without a name, or each of several (`expand_clusters`). Templates of single words are cheap: their
scores are computed once per word type.
"""

import re
from collections.abc import Iterable, Sequence

from ..attributes import CLUSTER

# A role and its attribute, without the name of a table between them.
_UNNAMED = re.compile(rf"(?<!\S)(?P<role>[^\s.]+)\.(?={CLUSTER})")

# Prefixes of four bits, words at a distance of two and pairs with suffixes add time, not accuracy.
TAGGING = (
    "w.cluster",
    "w.cluster10",
    "w.cluster6",
    "w-1.cluster",
    "w-1.cluster6",
    "w+1.cluster",
    "w+1.cluster6",
)
# Pairs of clusters make entities worse: 74.8 instead of 76.1 (F1 of boundaries) on parts of EWT.
# Pairs with the label before them bring nothing and can't be computed once per word type.
_AROUND = {"": ("", 10, 6, 4), "-1": ("", 10, 6), "+1": ("", 10, 6), "-2": ("", 6), "+2": ("", 6)}
ENTITIES = (
    *(f"w{offset}.cluster{bits}" for offset, all_bits in _AROUND.items() for bits in all_bits),
    "w.cluster w.kind",
    "w.cluster6 w.kind",
)
ARCS = (
    "c.cluster arc.direction",
    "c.cluster arc.distance",
    "p.cluster arc.direction",
    "p.cluster arc.distance",
    "p.tag c.cluster arc.direction",
    "p.cluster c.tag arc.direction",
    "p.cluster c.cluster arc.direction",
    "p.cluster6 c.cluster6 arc.direction",
    "p.cluster6 c.cluster6 arc.distance",
)
SECOND_ORDER = (
    "p.cluster6 s.cluster6 c.cluster6 arc.direction",
    "s.cluster c.cluster arc.direction",
    "g.cluster6 p.cluster6 c.cluster6 arc.direction",
    "g.cluster c.cluster arc.direction",
)
LABELS = (
    "c.cluster arc.direction",
    "p.cluster arc.direction",
    "p.cluster c.cluster arc.direction",
    "p.cluster6 c.cluster6 arc.direction",
    "p.tag c.cluster arc.direction",
    "p.cluster c.tag arc.direction",
    "c-1.cluster c.cluster arc.direction",
    "c.cluster c+1.cluster arc.direction",
)

# Distance says little about neighbouring trees.
ATTACHMENTS = (
    *(text for text in ARCS if "arc.distance" not in text),
    "p.cluster6 s.cluster6 c.cluster6 arc.direction",
    "p.cluster6 c.cluster6 c[lc].cluster6 arc.direction",
    "p.cluster6 c.cluster6 c[rc].cluster6 arc.direction",
)
SENTENCES = (
    "w.cluster",
    "w.cluster6",
    "w-1.cluster",
    "w-1.cluster6",
    "w+1.cluster6",
    "w-1.cluster6 w.usage",
)
SPANS = (
    *(f"{word}.cluster{bits}" for word in ("b", "e", "b-1", "e+1") for bits in ("", 6)),
    "b-1.cluster6 b.cluster6",
    "e.cluster6 e+1.cluster6",
    "b.cluster6 e.cluster6",
    "b-1.cluster6 e+1.cluster6",
    "b.cluster e+1.tag",
    "b-1.tag e.cluster",
)
INCREMENTAL = (
    "n.label q.cluster",
    "n.label q.cluster6",
    "n.label n.cluster q.cluster6",
    "n.label c.label q.cluster",
    "n.label c.cluster6 q.cluster6",
    "n.label n.cluster6 c.cluster6 q.tag",
)

CLUSTER_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.tagging_clusters.v1": TAGGING,
    "spacy_perceptron.sentences_clusters.v1": SENTENCES,
    "spacy_perceptron.entities_clusters.v1": ENTITIES,
    "spacy_perceptron.arcs_clusters.v1": ARCS,
    "spacy_perceptron.second_order_clusters.v1": SECOND_ORDER,
    "spacy_perceptron.tree_labels_clusters.v1": LABELS,
    "spacy_perceptron.attachments_clusters.v1": ATTACHMENTS,
    "spacy_perceptron.spans_clusters.v1": SPANS,
    "spacy_perceptron.incremental_clusters.v1": INCREMENTAL,
}


def expand_clusters(templates: Iterable[str], tables: Sequence[str]) -> list[str]:
    """Repeat templates with clusters for each of several tables. Clusters that have the name of a
    table already keep it.

    templates (Iterable[str]): Template texts.
    tables (Sequence[str]): Names of tables; none to leave templates as they are.
    RETURNS (list[str]): Template texts.
    """
    expanded = []
    for text in templates:
        if tables and _UNNAMED.search(text):
            expanded += [_UNNAMED.sub(rf"\g<role>.{name}.", text) for name in tables]
        else:
            expanded.append(text)
    return expanded
