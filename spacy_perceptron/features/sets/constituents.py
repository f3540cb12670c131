"""Template sets of constituency parsers.

For the roles see `decode/constituents/incremental/program`. The rich set conjoins the labels and
head words of the right edge with the words ahead, after the feature sets of shift-reduce parsers
(Zhang & Clark 2009; Zhu et al. 2013).

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

_RICH = (
    "n.label q.tag",
    "n.label q.folded",
    "n.label c.label q.tag",
    "n.label c.label q.folded",
    "n.label c.label d.label q.tag",
    "n.label c.label d.label",
    "n.label c.label d.label e.label q.tag",
    "n.label p.label q.tag",
    "n.label p.label g.label q.tag",
    "n.label p.label c.label q.tag",
    "n.label p.label s.label q.tag",
    "n.label s.label c.label q.tag",
    "c.label q.tag",
    "c.label q.folded",
    "c.label d.label q.tag",
    "n.tag n.label q.tag",
    "n.folded n.label q.tag",
    "n.folded n.label q.folded",
    "n.folded q.folded",
    "n.tag n.label q.folded",
    "n.tag n.label c.label q.tag",
    "n.folded n.label c.label",
    "n.folded n.label c.label q.tag",
    "c.tag c.label q.tag",
    "c.tag c.label n.label q.tag",
    "c.folded c.label q.tag",
    "c.folded c.label n.label",
    "c.folded c.label n.label q.tag",
    "c.folded q.folded",
    "c.tag c.label q.folded",
    "c.folded c.label q.folded",
    "d.tag d.label c.label q.tag",
    "d.folded d.label c.label n.label",
    "d.folded c.folded",
    "d.tag c.tag n.label q.tag",
    "n.tag c.tag q.tag",
    "n.folded c.folded n.label",
    "n.folded c.tag q.tag",
    "n.tag c.folded q.tag",
    "n.tag c.tag q.folded",
    "p.tag p.label n.label q.tag",
    "p.folded p.label n.label q.tag",
    "p.folded p.label n.label",
    "p.tag n.tag q.tag n.label",
    "p.folded n.folded n.label",
    "p.folded q.folded",
    "p.folded q.tag n.label",
    "p.tag q.folded n.label",
    "g.tag p.tag n.tag q.tag",
    "g.folded n.label p.label q.tag",
    "s.tag s.label n.label q.tag",
    "s.folded n.label p.label",
    "q.tag q+1.tag n.label",
    "q.tag q+1.tag n.label c.label",
    "q.tag q+1.tag q+2.tag n.label",
    "q.tag q+1.tag q+2.tag q+3.tag",
    "q.folded q+1.tag n.label",
    "q.tag q+1.folded n.label",
    "q.folded q+1.folded",
    "q+1.tag n.label c.label",
    "q+1.folded n.label",
    "q+2.tag q.tag n.label c.label",
    "q-1.tag q.tag n.label",
    "q-1.tag q.tag q+1.tag",
    "q-1.folded q.tag n.label",
    "q-1.folded q.folded",
    "q-1.tag q.folded n.label",
    "q-1.tag q-2.tag q.tag",
    "n.tag q.tag q+1.tag n.label",
    "c.tag q.tag q+1.tag c.label",
    "p.tag q.tag q+1.tag n.label",
    "c.folded q.tag q+1.tag",
    "n.folded q.tag q+1.tag",
    "nb.tag n.label q.tag",
    "nb.folded n.label q.tag",
    "nb-1.tag n.label q.tag",
    "nb-1.folded n.label q.tag",
    "nb.tag nb-1.tag n.label",
    "nb-1.tag q.tag q+1.tag n.label",
    "cb.tag c.label q.tag n.label",
    "cb.folded c.label n.label",
    "cb-1.tag cb.tag c.label q.tag",
    "n.size n.label c.label",
    "n.length n.label q.tag",
    "c.length c.label n.label q.tag",
    "c.length n.label c.label",
    "n.size n.length n.label",
    "q.closed n.label q.tag",
    "n.depth n.label q.tag",
)

# Which tag a word has; they look at no nodes, so they are scored once a reading.
_WORDS = (
    "q.tag q.given",
    "q.tag q.folded",
    "q.tag q.given q.folded",
    "q.tag q-1.tag",
    "q.tag q-1.tag q-2.tag",
    "q.tag q+1.tag",
    "q.tag q+1.folded",
    "q.tag q-1.folded",
    "q.tag q.suffix3",
    "q.tag q.suffix2",
    "q.tag q.shape",
    "q.tag q.prefix2",
    "q.tag q-1.tag q+1.tag",
)

CONSTITUENT_SETS: dict[str, tuple[str, ...]] = {
    "spacy_perceptron.incremental.v1": _RICH,
    "spacy_perceptron.incremental_words.v1": _WORDS,
    "spacy_perceptron.incremental_paper.v1": PAPER_NODES,
    "spacy_perceptron.incremental_paper_words.v1": PAPER_WORDS,
    "spacy_perceptron.incremental_paper_punctuation.v1": PUNCTUATION,
}
