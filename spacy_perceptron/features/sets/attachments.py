"""Template sets of easy-first dependency parsers.

After Goldberg and Elhadad (2010) and Table 1 of Ma, Zhu, Xiao, Yang (2013), together with the
templates for arcs and siblings of linear parsers (`arcs`). For the roles see
`decode/attachments/program`.
"""

from .arcs import ARCS, SECOND_ORDER

# Distance says little about neighbouring trees. With all templates of `ARCS` that use it, parsing
# is slower, and any gain in accuracy is within the noise between runs.
_DISTANCE = ("p.tag arc.distance", "c.tag arc.distance", "p.tag c.tag arc.distance")
_ARCS = tuple(text for text in ARCS if "arc.distance" not in text or text in _DISTANCE)
# Siblings as in second-order parsers. The child's children, below, take the place of grandparents.
_SIBLINGS = tuple(text for text in SECOND_ORDER if "s." in text and "g." not in text)
_VALENCY = (
    "p.tag p.lefts p.rights arc.direction",
    "p.folded p.lefts p.rights arc.direction",
    "c.tag c.lefts c.rights arc.direction",
    "c.folded c.lefts c.rights arc.direction",
    "p.tag p.lefts p.rights c.tag arc.direction",
    "p.tag c.tag c.lefts c.rights arc.direction",
    "p.coarse p.lefts p.rights c.coarse c.lefts c.rights arc.direction",
    "p.tag p.span arc.direction",
    "c.tag c.span arc.direction",
    "p.tag c.tag c.span arc.direction",
    "p.tag c.tag p.span arc.direction",
)
_CHILDREN = (
    "p.tag p[lc].tag p[rc].tag arc.direction",
    "c.tag c[lc].tag c[rc].tag arc.direction",
    "p.tag p[lc].tag c.tag arc.direction",
    "p.tag p[rc].tag c.tag arc.direction",
    "p.tag c.tag c[lc].tag arc.direction",
    "p.tag c.tag c[rc].tag arc.direction",
    "p.tag p[lc].tag c.folded arc.direction",
    "p.tag p[rc].tag c.folded arc.direction",
    "p.tag p[lc].folded c.tag arc.direction",
    "p.tag p[rc].folded c.tag arc.direction",
    "p.tag c.folded c[lc].tag arc.direction",
    "p.tag c.folded c[rc].tag arc.direction",
    "p.tag c.tag c[lc].folded arc.direction",
    "p.tag c.tag c[rc].folded arc.direction",
    "p.folded c.tag c[lc].tag arc.direction",
    "p.folded c.tag c[rc].tag arc.direction",
    "p.folded c.tag c[lc].folded arc.direction",
    "p.folded c.tag c[rc].folded arc.direction",
    "p.folded c[lc].folded arc.direction",
    "p.folded c[rc].folded arc.direction",
    "c.folded c[lc].folded arc.direction",
    "c.folded c[rc].folded arc.direction",
    "p.tag c.tag c[lc].tag c[rc].tag arc.direction",
    "p.tag p[lc].tag p[rc].tag c.tag arc.direction",
    "p.tag c.tag c[lc].tag c[lc2].tag arc.direction",
    "p.tag c.tag c[rc].tag c[rc2].tag arc.direction",
    "p.tag p[lc].tag p[lc2].tag c.tag arc.direction",
    "p.tag p[rc].tag p[rc2].tag c.tag arc.direction",
    "p.coarse s.coarse c.coarse c[lc].coarse arc.direction",
    "p.coarse s.coarse c.coarse c[rc].coarse arc.direction",
)


def _beside(side: str, children: tuple[str, str]) -> tuple[str, ...]:
    """Templates for what lies on one side of a pair."""
    near, far = side, f"{side}2"
    return (
        f"{near}.tag c.tag arc.direction",
        f"{near}.tag p.tag arc.direction",
        f"{near}.tag p.tag c.tag arc.direction",
        f"{near}.tag p.tag c.folded arc.direction",
        f"{near}.tag p.folded c.tag arc.direction",
        f"{near}.folded p.tag c.tag arc.direction",
        f"{near}.folded c.tag arc.direction",
        f"{near}.folded p.tag arc.direction",
        f"{near}.tag c.folded arc.direction",
        f"{near}.tag p.folded arc.direction",
        f"{near}.folded c.folded arc.direction",
        f"{near}.tag p.tag c.tag arc.distance",
        f"{near}.tag {near}.lefts {near}.rights p.tag c.tag arc.direction",
        *(f"{near}.tag {near}[{child}].tag p.tag c.tag arc.direction" for child in children),
        f"{near}.tag {far}.tag p.tag c.tag arc.direction",
        f"{near}.tag {far}.tag c.tag arc.direction",
        f"{near}.coarse {far}.coarse p.coarse c.coarse arc.direction",
    )


ATTACHMENTS = (
    *_ARCS,
    *_SIBLINGS,
    *_VALENCY,
    *_CHILDREN,
    *_beside("left", ("lc", "rc")),
    *_beside("right", ("lc", "rc")),
)

# The fast set leaves out groups of templates that a greedy parser can do without at little or no
# loss on English dev data. It looks no further than the neighbours of a pair, so an action changes
# the scores of four pairs instead of up to six.
_AFFIXES = ("prefix", "suffix", "shape")
_BOTH_WORDS = (
    "p.folded p.tag c.folded c.tag arc.direction",
    "p.folded p.tag c.folded arc.direction",
    "p.folded c.folded c.tag arc.direction",
)


def _is_fast(text: str) -> bool:
    """Whether a template is in the fast set."""
    is_beside = "left." in text or "right." in text
    return not (
        text in _SIBLINGS
        or text in _BOTH_WORDS
        or any(role in text for role in ("s.coarse", "left2", "right2", "[lc2]", "[rc2]"))
        or (is_beside and "folded" in text)
        or all(any(f"{end}.{affix}" in text for affix in _AFFIXES) for end in "pc")
    )


FAST_ATTACHMENTS = tuple(text for text in ATTACHMENTS if _is_fast(text))

ATTACHMENT_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.attachments.v1": ATTACHMENTS,
    "spacy_perceptron.fast_attachments.v1": FAST_ATTACHMENTS,
}
