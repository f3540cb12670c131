"""Template sets of lemmatizers: the word's ends, its case and what taggers say about it."""

_WORD = ("w.orth w.tag", "w.lower w.pos", "w.lower w.pos w.morph")
_ENDS = (
    *(f"w.suffix{n} w.tag" for n in range(1, 7)),
    *(f"w.suffix{n} w.pos w.morph" for n in range(1, 5)),
    *(f"w.prefix{n} w.tag" for n in range(1, 4)),
    "w.prefix2 w.suffix2 w.tag",
    "w.prefix3 w.suffix3 w.tag",
)
_CASE = ("w.shape w.tag", "w.title w.pos")
_TAGS = ("w.tag", "w.pos", "w.pos w.morph")

LEMMA_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.lemmas.v1": (*_WORD, *_ENDS, *_CASE, *_TAGS),
}
