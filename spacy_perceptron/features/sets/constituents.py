"""Template sets of constituency parsers; roles as in `decode/constituents/incremental/program`.

`PAPER_NODES` and `PAPER_WORDS` are F0 to F15 of Collins & Roark (2004, table 2), each a longer
context than the one before. L00 is the outcome itself: the label of the new node or, under a tag,
the word. `PUNCTUATION` are the three features that their section 3.2 adds: whether the sentence
ends with a question mark, the tag after the look-ahead where that is punctuation or a conjunction,
and whether the look-ahead is punctuation where the category to the left follows punctuation.
"""

from itertools import accumulate

_PAPER_WORD = "folded"


def _growing(first: str, *more: str) -> tuple[str, ...]:
    """Templates that each add an atom to the one before."""
    return tuple(accumulate(more, lambda text, atom: f"{text} {atom}", initial=first))


PAPER_NODES = _growing(
    "n.label",
    "q.tag",
    "c.label",
    "d.label",
    "e.label",
    "p.label",
    "s.label",
    "g.label",
    "t.label",
    f"n.{_PAPER_WORD}",
    f"q.{_PAPER_WORD}",
)
PAPER_WORDS = _growing(
    f"q.{_PAPER_WORD} q.tag", "n.label", "c.label", "p.label", "k.tag", f"k.{_PAPER_WORD}"
)
PUNCTUATION = (
    "n.label nb.question",
    "n.label q.joined",
    "n.label c.label q.joined",
    "n.label c.label cb-1.punct q.punct",
)
