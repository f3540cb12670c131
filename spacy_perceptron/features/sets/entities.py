"""Template sets of entity recognizers."""

_WORD = (
    "w.orth",
    "w.lower",
    "w.shape",
    "w.kind",
    *(f"w.prefix{n}" for n in range(1, 6)),
    *(f"w.suffix{n}" for n in range(1, 6)),
    "w.kind w.suffix3",
    "w.kind w.casing",
    "w.tag",
    "w.pos",
    "w.listed",
)
_NEIGHBOURS = tuple(
    f"w{offset:+d}.{attribute}"
    for offset, attributes in {
        -2: ("lower", "kind"),
        -1: ("orth", "lower", "shape", "kind", "suffix3", "prefix3", "pos", "listed"),
        1: ("orth", "lower", "shape", "kind", "suffix3", "prefix3", "pos", "listed"),
        2: ("lower", "kind"),
    }.items()
    for attribute in attributes
)
_PAIRS = (
    "w-1.lower w.lower",
    "w.lower w+1.lower",
    "w-1.lower w.kind",
    "w.kind w+1.lower",
    "w-1.kind w.kind",
    "w.kind w+1.kind",
    "w-1.kind w.kind w+1.kind",
    "w-2.kind w-1.kind w.kind",
    "w.kind w+1.kind w+2.kind",
    "w-2.lower w-1.lower w.kind",
    "w.kind w+1.lower w+2.lower",
    "w-2.kind w-1.kind w.kind w+1.kind w+2.kind",
    "w-2.lower w.kind",
    "w.kind w+2.lower",
    "w-1.lower w+1.lower",
    "w-1.lower w.kind w+1.lower",
    "w-1.prefix3 w.kind",
    "w-1.suffix3 w.kind",
    "w.kind w+1.suffix3",
    "w-1.shape w.shape",
    "w.shape w+1.shape",
    "w-1.pos w.pos",
    "w.pos w+1.pos",
)
_ENTITIES = (
    "w-1.ent",
    "w-2.ent w-1.ent",
    "w-1.ent w.lower",
    "w-1.ent w.shape",
    "w-1.ent w.kind",
    "w-1.ent w.suffix3",
    "w-1.ent w.pos",
    "w-1.ent w.listed",
    "w-2.ent w-1.ent w.kind",
)
# Easy-first search also sees tags already set on the right.
_RIGHT = (
    "w+1.ent",
    "w-1.ent w+1.ent",
    "w+1.ent w+2.ent",
    "w+1.ent w.lower",
    "w+1.ent w.shape",
    "w+1.ent w.kind",
    "w-1.ent w+1.ent w.kind",
)

ENTITY_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.entities.v1": (*_WORD, *_NEIGHBOURS, *_PAIRS, *_ENTITIES),
    "spacy_perceptron.entities_right.v1": _RIGHT,
}
