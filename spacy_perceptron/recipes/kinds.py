"""The kinds of components that a config can have: what they learn from, and how they are scored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..corpus.survey import Survey
from .commented import Noted

FAST, ACCURATE = "fast", "accurate"


@dataclass(frozen=True)
class Kind:
    """A kind of component.

    factory (str): The factory.
    name (str): What it is called in a pipeline.
    learns_from (str): The annotation it needs, in words.
    found_in (str): The count of a `Survey` that tells whether there is any.
    epochs (tuple[int, int]): Epochs for corpora of more than 8,000 sentences, and for other ones.
    scores (Sequence[str]): The scores to choose a model by, which share its weight.
    shown (Sequence[str]): Scores to show.
    hidden (Sequence[str]): Scores not to show.
    is_last (bool): Whether its scores depend on those of others, which then do not count.
    reads_tags (bool): Whether it learns from tags of other components.
    styles (Mapping[str, Mapping]): What is changed in its block to be `fast` or `accurate`.
    with_morph (Mapping[str, Any]): What is changed if a tagger predicts morphology, unless the
        component should be fast.
    with_clusters (Mapping[str, Sequence[str]]): Template sets to add if there are word clusters, by
        setting.
    fast_with_clusters (Optional[Mapping]): The same if the component should be fast; None: there is
        no difference.
    most_tables (Optional[int]): Of how many tables of clusters to make templates at most; None: of
        all.
    """

    factory: str
    name: str
    learns_from: str
    found_in: str
    epochs: tuple[int, int]
    scores: Sequence[str]
    shown: Sequence[str] = ()
    hidden: Sequence[str] = ()
    is_last: bool = False
    reads_tags: bool = False
    styles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    with_morph: Mapping[str, Any] = field(default_factory=dict)
    with_clusters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fast_with_clusters: Mapping[str, Sequence[str]] | None = None
    most_tables: int | None = None

    def can_learn(self, survey: Survey) -> bool:
        """RETURNS (bool): Whether a corpus has what this kind learns from."""
        return bool(getattr(survey, self.found_in))

    def cluster_sets(self, style: str) -> Mapping[str, Sequence[str]]:
        """RETURNS (Mapping[str, Sequence[str]]): Template sets to add if there are word clusters,
        by setting."""
        if style == FAST and self.fast_with_clusters is not None:
            return self.fast_with_clusters
        return self.with_clusters

    def cluster_tables(self, tables: Iterable[str]) -> list[str]:
        """RETURNS (list[str]): Of the names of all tables of clusters, those to make templates of.
        A single table has no name."""
        return [name for name in tables if name][: self.most_tables]


def _sets(*names: str) -> list[str]:
    return [f"spacy_perceptron.{name}.v1" for name in names]


def _dependency_parser(
    factory: str,
    epochs: tuple[int, int],
    styles: Mapping[str, Mapping[str, Any]],
    templates: Sequence[str],
    **clusters: Mapping[str, Sequence[str]],
) -> Kind:
    return Kind(
        factory,
        "parser",
        learns_from="dependencies",
        found_in="labels",
        epochs=epochs,
        scores=("dep_las",),
        shown=("dep_uas",),
        hidden=("dep_las_per_type", "sents_p", "sents_r", "sents_f"),
        is_last=True,
        reads_tags=True,
        styles=styles,
        with_morph={
            "templates.sets": _sets(*templates, "morph_arcs"),
            "tree_label_templates.sets": _sets("tree_labels", "morph_labels"),
        },
        # Further ones cost a third of the speed and bring nothing that can be measured.
        most_tables=1,
        **clusters,
    )


def _constituency_parser(
    factory: str, styles: Mapping[str, Mapping[str, Any]], clusters: str
) -> Kind:
    return Kind(
        factory,
        "parser",
        learns_from="constituents",
        found_in="constituents",
        epochs=(14, 14),
        scores=("const_f",),
        hidden=("const_p", "const_r", "const_exact", "const_per_type"),
        is_last=True,
        reads_tags=True,
        styles=styles,
        with_clusters={"templates": _sets(clusters)},
    )


_CLUSTER_LABELS = {"tree_label_templates": _sets("tree_labels_clusters")}
_FAST_LABELS = {"tree_label_templates.sets": _sets("fast_tree_labels")}

# In the order of a pipeline.
KINDS: dict[str, Kind] = {
    "senter": Kind(
        "perceptron_senter",
        "senter",
        learns_from="Docs of several sentences",
        found_in="long_docs",
        epochs=(8, 10),
        scores=("sents_f",),
        hidden=("sents_p", "sents_r"),
        with_clusters={"templates": _sets("sentences_clusters")},
    ),
    "tagger": Kind(
        "easy_first_tagger",
        "tagger",
        learns_from="tags",
        found_in="attributes",
        epochs=(9, 12),
        scores=("tag_acc", "pos_acc", "morph_acc"),
        hidden=("morph_micro_f", "morph_per_feat"),
        styles={FAST: {"beam_width": 1}},
        with_clusters={"templates": _sets("tagging_clusters")},
    ),
    "lemmatizer": Kind(
        "perceptron_lemmatizer",
        "lemmatizer",
        learns_from="lemmas",
        found_in="lemmas",
        epochs=(8, 10),
        scores=("lemma_acc",),
        reads_tags=True,
    ),
    "parser": _dependency_parser(
        "mira_parser",
        (10, 14),
        {
            FAST: {
                "order": 1,
                "narrowing": 0.0,
                "templates.sets": Noted(
                    _sets("fast_arcs"),
                    "Fewer templates than in spacy_perceptron.arcs.v1: faster, less accurate.",
                ),
                **_FAST_LABELS,
            },
            ACCURATE: {"label_templates.sets": _sets("arc_labels")},
        },
        templates=("arcs", "second_order"),
        with_clusters={
            "templates": _sets("arcs_clusters", "second_order_clusters"),
            **_CLUSTER_LABELS,
        },
        fast_with_clusters={"templates": _sets("arcs_clusters"), **_CLUSTER_LABELS},
    ),
    "easy_first_parser": _dependency_parser(
        "easy_first_parser",
        (12, 14),
        {
            FAST: {
                "beam_width": 1,
                "templates.sets": Noted(
                    _sets("fast_attachments"),
                    "Fewer templates than in spacy_perceptron.attachments.v1: faster.",
                ),
                **_FAST_LABELS,
            }
        },
        templates=("attachments",),
        with_clusters={"templates": _sets("attachments_clusters"), **_CLUSTER_LABELS},
    ),
    "incremental_parser": _constituency_parser(
        "incremental_parser", {FAST: {"beam_width": 4}}, clusters="incremental_clusters"
    ),
    "max_margin_parser": _constituency_parser("max_margin_parser", {}, clusters="spans_clusters"),
    "ner": Kind(
        "perceptron_ner",
        "ner",
        learns_from="entities",
        found_in="entities",
        epochs=(12, 12),
        scores=("ents_f", "ents_boundary_f"),
        shown=("ents_p", "ents_r"),
        hidden=("ents_boundary_p", "ents_boundary_r", "ents_per_type"),
        is_last=True,
        with_clusters={"templates": _sets("entities_clusters")},
        # A fourth one takes a seventh of the speed and finds no more entities.
        most_tables=3,
    ),
    "reranker": Kind(
        "kernel_reranker",
        "reranker",
        learns_from="n-best lists of another component",
        found_in="sentences",
        epochs=(1, 1),
        scores=(),
        shown=("rerank_error_reduction", "rerank_base", "rerank_oracle"),
        hidden=("rerank_score",),
    ),
}
