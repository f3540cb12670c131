"""Templates of the second step of taggers, which chooses morphology for tagged words.

To the right, `tag` is what the search has given a word; to the left, it is the whole label with its
morphology: words agree with those before them.
"""

_WORD = (
    "w.orth",
    "w.lower",
    "w.folded",
    "w.kind",
    "w.shape",
    "w.length",
    *(f"w.prefix{n}" for n in range(1, 4)),
    *(f"w.suffix{n}" for n in range(1, 6)),
    "w.kind w.suffix2",
    "w.kind w.suffix3",
)
_NEIGHBOURS = (
    *(f"w{offset}.{name}" for offset in ("-1", "+1") for name in ("lower", "suffix3", "suffix2")),
    "w-1.kind",
    "w+1.kind",
    *(f"w{offset}.{name}" for offset in ("-2", "+2") for name in ("lower", "suffix2")),
)
_WORD_PAIRS = (
    "w.suffix2 w+1.suffix2",
    "w.suffix2 w+1.suffix1",
    "w.suffix3 w+1.suffix3",
    "w-1.lower w.suffix2",
    "w-1.lower w.lower",
    "w.lower w+1.lower",
)
_TAGS = (
    "w-1.tag",
    "w+1.tag",
    "w-2.tag w-1.tag",
    "w+1.tag w+2.tag",
    "w-1.tag w+1.tag",
    "w-1.tag w.lower",
    "w+1.tag w.lower",
    "w-1.tag w.suffix2",
    "w-1.tag w.suffix3",
    "w-2.tag w-1.tag w.suffix2",
    "w-1.tag w+1.tag w.suffix2",
)

REFINEMENT_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.refinement.v1": (*_WORD, *_NEIGHBOURS, *_WORD_PAIRS, *_TAGS),
}
