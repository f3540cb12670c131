"""The dependency trees of one text, sentence by sentence, with marks where they differ from the
prediction."""

from collections.abc import Sequence
from typing import Any

from ..answers import Answers
from ..doubt import shade
from .svg import Arc, Word, find_grid, render_svg

# Of longer sentences, other answers than the first are drawn from so many words before what differs
# to as many after it, so that it is in sight.
LONG, AROUND = 14, 2
MORE = "…"

# Head and label of each token of a text.
Tree = Sequence[tuple[int, str]]


def find_bounds(answers: Answers, ranks: Sequence[int | None]) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end; those without words are left out.

    answers (Answers): The answers, which are trees.
    ranks (Sequence[Optional[int]]): Which of them; None is the prediction.
    RETURNS (list[tuple[int, int]]): Start and end of each.
    """
    trees = [[head for head, _ in answers.describe(rank).items] for rank in ranks]
    return [
        (start, end)
        for start, end in find_sentences(trees)
        if not "".join(answers.words[start:end]).isspace()
    ]


def find_sentences(trees: Sequence[Sequence[Any]]) -> list[tuple[int, int]]:
    """Cut where no arc of any tree passes over. Inside a sentence, some arc always does.

    trees (Sequence[Sequence[int]]): For each tree the heads of all tokens.
    RETURNS (list[tuple[int, int]]): Start and end of each sentence.
    """
    reach = list(range(len(trees[0])))
    for heads in trees:
        for i, head in enumerate(heads):
            left = min(i, head)
            reach[left] = max(reach[left], i, head)
    sentences, start, end = [], 0, 0
    for i, furthest in enumerate(reach):
        end = max(end, furthest)
        if i == end:
            sentences.append((start, end + 1))
            start = end = i + 1
    return sentences


def render_sentence(
    answers: Answers, start: int, end: int, ranks: Sequence[int | None]
) -> list[str]:
    """Draw one sentence of several answers on the same grid. Whitespace tokens are left out.

    answers (Answers): The answers.
    start (int): First token of the sentence.
    end (int): End of the sentence.
    ranks (Sequence[Optional[int]]): Which answers. None, the prediction, and 0, the first, are
        drawn whole; arcs of the prediction have classes for doubt.
    RETURNS (list[str]): HTML with an SVG element for each answer; empty for answers after the first
        that do not differ from the prediction here.
    """
    tokens = [i for i in range(start, end) if not answers.words[i].isspace()]
    trees = [answers.describe(rank).items for rank in ranks]
    places = {token: place for place, token in enumerate(tokens)}
    every = [
        Arc(places[i], places[tree[i][0]], tree[i][1])
        for tree in trees
        for i in tokens
        if tree[i][0] != i and tree[i][0] in places
    ]
    grid = find_grid([answers.words[i] for i in tokens], every)
    drawn = []
    for rank, tree in zip(ranks, trees, strict=True):
        differs = [""] * len(answers.words) if rank is None else answers.differences(rank)
        if rank and not any(differs[i] for i in tokens):
            drawn.append("")
            continue
        first = answers.describe(0).items if rank else tree
        shown = _around(tokens, differs, (first, tree)) if rank else tokens
        words, arcs = _describe(answers, tree, tokens, shown, differs, rank is None)
        name = "Tree" if rank is None else f"Tree {rank + 1}"
        svg = render_svg(words, arcs, grid, name=name, direction=answers.direction)
        drawn.append(f'<div class="tree">{svg}</div>')
    return drawn


def _describe(
    answers: Answers,
    tree: Tree,
    tokens: list[int],
    shown: list[int],
    differs: Sequence[str],
    shaded: bool,
) -> tuple[list[Word], list[Arc]]:
    """The words and arcs of a drawing. A word with a head has an arc of its own, which is marked;
    a root has none and is marked itself."""
    known, tags = {*tokens}, answers.tags or [""] * len(answers.words)
    # What is left out on either side is one more word.
    before, after = shown[:1] != tokens[:1], shown[-1:] != tokens[-1:]
    places = {token: place for place, token in enumerate(shown, start=int(before))}
    words, arcs = [Word(MORE)] * before, []
    for i in shown:
        head, label = tree[i]
        marks = ("differs",) * bool(differs[i])
        is_root = head == i or head not in known
        words.append(Word(answers.words[i], tags[i], i, ("root", *marks) if is_root else ()))
        if head != i and head in places:
            confidence = answers.confidences[i] if shaded else None
            doubt = () if confidence is None else (shade(confidence),)
            arcs.append(Arc(places[i], places[head], label, (*marks, *doubt)))
    return words + [Word(MORE)] * after, arcs


def _around(tokens: list[int], differs: Sequence[str], trees: tuple[Tree, Tree]) -> list[int]:
    """The part of a long sentence in which two trees differ.

    tokens (list[int]): The tokens of the sentence.
    differs (Sequence[str]): What differs at each token of the text, if anything.
    trees (tuple[Tree, Tree]): Both trees.
    RETURNS (list[int]): The tokens from some before to some after the arcs that differ.
    """
    places = {token: place for place, token in enumerate(tokens)}
    ends = [
        places[end]
        for i in tokens
        if differs[i]
        for end in (i, *(tree[i][0] for tree in trees))
        if end in places
    ]
    if len(tokens) <= LONG or not ends:
        return tokens
    first, last = max(min(ends) - AROUND, 0), max(ends) + AROUND + 1
    # A mark of what is left out takes as much room as a word.
    first, last = (first if first > 1 else 0), (last if last < len(tokens) - 1 else len(tokens))
    return tokens[first:last]
