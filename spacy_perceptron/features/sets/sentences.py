"""Template sets of sentence segmenters."""

_NEAR = tuple(
    f"w{offset:+d}.{attribute}" if offset else f"w.{attribute}"
    for offset, attributes in {
        -3: ("lower", "kind"),
        -2: ("lower", "kind", "abbreviation", "shape"),
        -1: (
            "orth",
            "lower",
            "shape",
            "kind",
            "suffix1",
            "suffix2",
            "suffix3",
            "abbreviation",
            "space",
            "length",
        ),
        0: (
            "orth",
            "lower",
            "shape",
            "kind",
            "prefix1",
            "prefix2",
            "suffix2",
            "suffix3",
            "usage",
            "space",
            "length",
        ),
        1: ("orth", "lower", "shape", "kind", "suffix2", "space", "usage"),
        2: ("lower", "kind", "space"),
        3: ("lower", "kind"),
    }.items()
    for attribute in attributes
)
_PAIRS = (
    "w.kind w.space",
    "w.lower w.space",
    "w.shape w.space",
    "w.usage w.space",
    "w-1.orth w.space",
    "w-1.orth w.kind",
    "w-1.orth w.usage",
    "w-1.orth w.lower",
    "w-1.kind w.lower",
    "w-1.kind w.kind w.space",
    "w-1.orth w.usage w.space",
    "w-1.shape w.shape",
    "w-2.lower w-1.orth",
    "w-2.shape w-1.orth w.usage",
    "w-2.abbreviation w-1.orth w.kind",
    "w-1.abbreviation w.usage",
    "w-1.kind w.kind w+1.kind",
    "w-2.kind w-1.kind w.kind",
    "w-2.kind w-1.kind w.kind w+1.kind",
    "w-1.space w-1.orth w.space",
    "w.lower w+1.lower",
    "w-1.lower w+1.lower",
    "w.usage w+1.kind",
    "w.usage w+1.usage",
    "w.usage w+1.lower",
    "w.orth w+1.kind",
    "w.kind w+1.kind w+2.kind",
    "w-1.suffix3 w.usage",
    "w-1.lower w.usage",
)
_STARTS = (
    "w-1.sent_start",
    "w-2.sent_start w-1.sent_start",
    "w-1.sent_start w.lower",
    "w-1.sent_start w.usage",
    "w-1.sent_start w-1.orth w.usage",
    "w-2.sent_start w-1.sent_start w.kind",
)
SENTENCE_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.sentences.v1": (*_NEAR, *_PAIRS, *_STARTS),
}
