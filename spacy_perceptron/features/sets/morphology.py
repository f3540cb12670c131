"""Templates that look at morphology, for dependency parsers behind a tagger that sets it.

`morph` is all features of a word together. These sets are added to those of a parser: `morph_arcs`
to the templates of `mira_parser` or `easy_first_parser`, `morph_labels` to its tree labels.
"""

_ARCS = (
    "c.coarse c.morph arc.direction",
    "p.coarse p.morph arc.direction",
    "p.coarse c.coarse c.morph arc.direction",
    "p.coarse p.morph c.coarse arc.direction",
    "p.morph c.morph arc.direction",
    "p.coarse p.morph c.coarse c.morph arc.direction",
    "p.folded c.morph arc.direction",
    "p.morph c.folded arc.direction",
    "p.coarse c.coarse c.morph arc.distance",
)
_LABELS = (
    "c.coarse c.morph arc.direction",
    "p.coarse p.morph c.coarse c.morph arc.direction",
    "p.morph c.morph arc.direction",
    "p.folded c.morph arc.direction",
    "p.morph c.folded arc.direction",
    "p.coarse c.morph c.coarse c+1.coarse arc.direction",
    "p.coarse c-1.morph c.coarse arc.direction",
    "p.coarse c.coarse l.coarse l.morph arc.direction",
    "p.coarse c.coarse r.coarse r.morph arc.direction",
)

MORPHOLOGY_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.morph_arcs.v1": _ARCS,
    "spacy_perceptron.morph_labels.v1": _LABELS,
}
