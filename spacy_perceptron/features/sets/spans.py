"""Template sets of span parsers.

For the roles see `decode/constituents/max_margin/program`. Spans are known by their first and last
words, the words around them, their lengths and the tags within. Templates of symbols, which speak
of a phrase under a certain parent, are few, because there are many symbols. The pruner sees little
more than tags, because it looks at every span of a sentence.
"""

from itertools import combinations

# The words at the edges of a span, and those next to them.
_EDGES = ("b", "e", "b-1", "e+1")

_WHOLE = (
    "span.length",
    "span.length b.tag e.tag",
    "span.tags",
    "span.kinds",
    "span.kinds b-1.tag",
    "span.kinds e+1.tag",
    "span.kinds b-1.tag e+1.tag",
    "b-1.tag span.tags",
    "e+1.tag span.tags",
    "b-1.tag span.tags e+1.tag",
)
_SINGLE = tuple(
    f"{word}.{attribute}{more}"
    for word in _EDGES
    for attribute in ("folded", "tag", "suffix2", "shape")
    for more in ("", " span.length")
)
_PAIRS = tuple(
    text
    for first, second in combinations(_EDGES, 2)
    for text in (
        f"{first}.folded {second}.folded",
        f"{first}.folded {second}.tag",
        f"{first}.tag {second}.folded",
        f"{first}.tag {second}.tag",
        f"{first}.tag {second}.tag span.length",
    )
)
_MORE = (
    "b-1.tag b.tag e.tag",
    "b.tag e.tag e+1.tag",
    "b-1.tag b.tag e+1.tag",
    "b-1.tag e.tag e+1.tag",
    "b-1.tag b.tag e.tag e+1.tag",
    "b-2.tag b-1.tag b.tag",
    "e.tag e+1.tag e+2.tag",
    "b.tag b+1.tag",
    "e-1.tag e.tag",
    "b-1.tag b.tag b+1.tag",
    "e-1.tag e.tag e+1.tag",
    "b-2.tag b-1.tag",
    "e+1.tag e+2.tag",
    "b.tag b+1.tag e-1.tag e.tag",
    "b.folded b+1.folded",
    "e-1.folded e.folded",
    "b-2.folded b-1.folded",
    "e+1.folded e+2.folded",
    "b.folded e.tag e+1.tag",
    "b.tag e.tag e+1.folded",
    "b-1.folded b.tag e.tag",
    "b-1.tag b.folded e+1.tag",
    "b-1.tag b.tag e.folded",
    "b.tag b+1.tag b+2.tag",
    "e-2.tag e-1.tag e.tag",
    "b-1.tag b.tag b+1.tag b+2.tag",
    "e-2.tag e-1.tag e.tag e+1.tag",
    "e+1.tag e+2.tag e+3.tag",
    "b-3.tag b-2.tag b-1.tag",
    "b.suffix3",
    "e.suffix3",
    "b.folded b+1.tag",
    "b.tag b+1.folded",
    "e-1.tag e.folded",
    "e-1.folded e.tag",
    "b+1.folded",
    "e-1.folded",
    "b-2.folded",
    "e+2.folded",
    "b-2.folded b.tag",
    "b.tag e+2.folded e+1.tag",
)
# Mostly of what is around a span: that tells best where it hangs.
_SYMBOLS = tuple(
    f"span.symbol {text}"
    for text in (
        *(f"{word}.folded" for word in _EDGES),
        "b-1.tag",
        "e+1.tag",
        "b-1.tag b.tag",
        "e.tag e+1.tag",
        "b-1.tag e+1.tag",
        "b.tag e.tag",
        "b-1.tag b.tag e.tag e+1.tag",
        "b-1.tag b.tag e+1.tag",
        "b-1.tag e.tag e+1.tag",
        "b-1.folded b.tag",
        "b-1.tag b.folded",
        "e.folded e+1.tag",
        "e.tag e+1.folded",
        "b-1.folded e+1.tag",
        "b-1.tag e+1.folded",
        "b.folded e+1.tag",
        "b.tag e+1.folded",
        "b-1.folded e.tag",
        "b-1.folded b.folded",
        "e.folded e+1.folded",
        "b.folded e+1.folded",
        "b-1.folded e+1.folded",
        "e+1.tag e+2.tag",
        "b-2.tag b-1.tag",
        "span.length b-1.tag",
        "span.length e+1.tag",
        "span.length b.tag e.tag",
        "span.tags",
        "span.kinds",
    )
)
_HEADS = (
    "h.tag d.tag",
    "h.folded d.folded",
    "h.folded d.tag",
    "h.tag d.folded",
    "h.folded",
    "d.folded",
    "h.tag d.tag pair.distance",
    "h.folded d.folded h.tag d.tag",
    "h-1.tag h.tag d.tag d+1.tag",
    "h.tag h+1.tag d-1.tag d.tag",
    "h.folded pair.distance",
    "d.folded pair.distance",
    "h.suffix3 d.tag",
    "h.tag d.suffix3",
    "h.tag d.tag d-1.tag",
    "h.tag d.tag d+1.tag",
    "h-1.tag h.tag d.tag",
    "h.tag h+1.tag d.tag",
    "h.folded d.tag pair.distance",
    "h.tag d.folded pair.distance",
    "d-1.tag d.folded h.tag",
    "h.folded d.suffix3",
    "h.suffix3 d.suffix3",
)
_PRUNER = (
    "b.tag",
    "e.tag",
    "b-1.tag b.tag",
    "e.tag e+1.tag",
    "b-1.tag e+1.tag",
    "b.tag e.tag",
    "b-1.tag e.tag",
    "b.tag e+1.tag",
    "b-1.tag b.tag e.tag e+1.tag",
    "b.tag span.length",
    "e.tag span.length",
    "b-1.tag span.length",
    "e+1.tag span.length",
    "span.tags",
    "b-1.tag span.tags",
    "e+1.tag span.tags",
    "b.folded",
    "e.folded",
    "b-1.folded",
    "e+1.folded",
    "b.folded e.tag",
    "b.tag e.folded",
    "b.folded e+1.tag",
    "b-1.folded e.tag",
    "b.tag b+1.tag e.tag e+1.tag",
    "b-1.tag b.tag b+1.tag",
    "e-1.tag e.tag e+1.tag",
    "e.tag e+1.tag e+2.tag",
    "b-2.tag b-1.tag b.tag",
)

# The features of Taskar et al. (2004): whether a span is a phrase, whatever its label.
_LEXICAL = tuple(
    f"span.any {words}{more}"
    for words in (
        "b.orth",
        "b-1.orth",
        "e.orth",
        "e+1.orth",
        "b-1.orth b.orth",
        "e.orth e+1.orth",
    )
    for more in ("", " span.short")
)
_MIDDLE = ("span.any b+1.orth span.three",)
_FLAT = tuple(
    f"span.any {tags}"
    for tags in (
        "b-1.tag",
        "b.tag",
        "e.tag",
        "e+1.tag",
        "b-1.tag b.tag",
        "e.tag e+1.tag",
        "b-1.tag e+1.tag",
        "b.tag e.tag",
        "span.tags",
    )
)
_AUXILIARY = ("span.any span.baseline", "span.any span.flat")

SPAN_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.spans.v1": (*_WHOLE, *_SINGLE, *_PAIRS, *_MORE),
    "spacy_perceptron.span_symbols.v1": _SYMBOLS,
    "spacy_perceptron.span_heads.v1": _HEADS,
    "spacy_perceptron.span_pruner.v1": _PRUNER,
    "spacy_perceptron.span_lexical.v1": (*_LEXICAL, *_MIDDLE),
    "spacy_perceptron.span_auxiliary.v1": _AUXILIARY,
    "spacy_perceptron.span_flat.v1": (*_LEXICAL, *_MIDDLE, *_FLAT),
}
