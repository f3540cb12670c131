"""Template sets of sentence segmenters."""

_WORDS = {
    -3: "lower kind",
    -2: "lower kind shape abbreviation",
    -1: "orth lower shape kind suffix1 suffix2 suffix3 length abbreviation space",
    0: "orth lower shape kind prefix1 prefix2 suffix2 suffix3 length usage space",
    1: "orth lower shape kind suffix2 usage space",
    2: "lower kind space",
    3: "lower kind",
}
_SINGLE = tuple(
    f"w{offset:+d}.{attribute}" if offset else f"w.{attribute}"
    for offset, attributes in _WORDS.items()
    for attribute in attributes.split()
)
_COMBINED = (
    "w.kind w.space",
    "w.lower w.space",
    "w.shape w.space",
    "w.usage w.space",
    "w-1.orth w.space",
    "w-1.orth w.kind",
    "w-1.orth w.usage",
    "w-1.orth w.lower",
    "w-1.lower w.usage",
    "w-1.kind w.lower",
    "w-1.kind w.kind w.space",
    "w-1.orth w.usage w.space",
    "w-1.space w-1.orth w.space",
    "w-1.shape w.shape",
    "w-1.suffix3 w.usage",
    "w-1.abbreviation w.usage",
    "w-2.abbreviation w-1.orth w.kind",
    "w-2.lower w-1.orth",
    "w-2.shape w-1.orth w.usage",
    "w-2.kind w-1.kind w.kind",
    "w-2.kind w-1.kind w.kind w+1.kind",
    "w-1.kind w.kind w+1.kind",
    "w-1.lower w+1.lower",
    "w.lower w+1.lower",
    "w.usage w+1.kind",
    "w.usage w+1.usage",
    "w.usage w+1.lower",
    "w.orth w+1.kind",
    "w.kind w+1.kind w+2.kind",
)
_STARTS = (
    "w-1.sent_start",
    "w-2.sent_start w-1.sent_start",
    "w-1.sent_start w.lower",
    "w-1.sent_start w.usage",
    "w-2.sent_start w-1.sent_start w.kind",
)

SENTENCE_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.sentences.v1": (*_SINGLE, *_COMBINED, *_STARTS),
}
