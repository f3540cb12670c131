"""Smaller template sets of dependency parsers, for speed.

They leave out groups of templates of the sets in `arcs` whose loss costs little on English dev
data: affixes and shapes of both ends, coarse tags where there are fine ones, most conjunctions of
both words with tags. Templates of one end of an arc are computed once per token, not per arc, so
all of them stay.
"""

_ONE_END = (
    "p.folded p.tag",
    "p.folded",
    "p.tag",
    "c.folded c.tag",
    "c.folded",
    "c.tag",
    "p.prefix5 p.tag",
    "c.prefix5 c.tag",
    "c.suffix3 c.tag",
    "p.suffix3 p.tag",
    "c.shape c.tag",
    "c-1.tag c.tag c+1.tag",
    "p-1.tag p.tag p+1.tag",
    "c-1.folded c.tag",
    "c.tag c+1.folded",
    "p-1.folded p.tag",
    "p.tag p+1.folded",
)
_BOTH_ENDS = (
    "p.tag c.tag",
    "p.coarse c.coarse",
    "p.folded p.tag c.tag",
    "p.tag c.folded c.tag",
    "p.folded c.folded",
    "p.tag p+1.tag c-1.tag c.tag",
    "p-1.tag p.tag c-1.tag c.tag",
    "p.tag p+1.tag c.tag c+1.tag",
    "p-1.tag p.tag c.tag c+1.tag",
    "p-1.tag p.tag p+1.tag c.tag",
    "p.tag c-1.tag c.tag c+1.tag",
    "p.coarse p+1.coarse p+2.coarse c.coarse",
    "p.coarse c.coarse c+1.coarse c+2.coarse",
    "p.coarse c-2.coarse c-1.coarse c.coarse",
    "p-2.coarse p-1.coarse p.coarse c.coarse",
    "p.tag c.tag c+1.folded",
    "p.tag c-1.folded c.tag",
)
FAST_ARCS = (
    *(
        f"{text} arc.{attribute}"
        for attribute in ("direction", "distance")
        for text in (*_ONE_END, *_BOTH_ENDS)
    ),
    "p.tag b.tag c.tag arc.direction",
    "p.tag c.tag arc.punct arc.direction",
    "p.coarse c.coarse arc.punct arc.verbs arc.direction",
)
FAST_TREE_LABELS = (
    "p.tag c.tag arc.direction",
    "p.folded c.tag arc.direction",
    "p.tag c.folded arc.direction",
    "p.folded c.folded arc.direction",
    "c.folded c.tag arc.direction",
    "p.folded p.tag arc.direction",
    "c-1.tag c.tag c+1.tag arc.direction",
    "p-1.tag p.tag p+1.tag arc.direction",
    "p.tag c-1.tag c.tag arc.direction",
    "p.tag c.tag c+1.tag arc.direction",
    "p.tag p+1.tag c.tag arc.direction",
    "c-1.folded c.tag arc.direction",
    "c.tag c+1.folded arc.direction",
    "p.tag c.suffix3 arc.direction",
    "c.folded arc.direction",
    "p.tag c.tag c-1.folded arc.direction",
    "p.tag c.tag c+1.folded arc.direction",
    "p.tag c.tag arc.distance",
    "c.tag arc.distance",
    "c.folded arc.distance",
    "c.tag l.tag arc.direction",
    "c.tag l.folded arc.direction",
    "p.tag c.tag l.tag arc.direction",
    "p.tag c.tag l.folded arc.direction",
    "p.folded l.folded arc.direction",
    "c.folded l.folded arc.direction",
    "c.tag r.tag arc.direction",
    "c.tag r.folded arc.direction",
    "p.tag c.tag r.tag arc.direction",
)

FAST_PARSER_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.fast_arcs.v1": FAST_ARCS,
    "spacy_perceptron.fast_tree_labels.v1": FAST_TREE_LABELS,
}
