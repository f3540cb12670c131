"""Compares two trees whose scores are sums over parts: the features of the parts that only one of
them has. Labels here are those of the search."""

import itertools
from collections.abc import Sequence

import numpy as np

from ...answers.explanation import FeatureWeight
from ...decode.arcs.parsing import DependencyParsing
from ...decode.arcs.program import ParsingProgram
from ...decode.arcs.scorer import PartScorer
from ...features.templates import Template
from .explanation import (
    ExplainedSentence,
    Weighed,
    describe_arc,
    describe_between,
    describe_token,
    pair_features,
)

# Kind, head, child, inner sibling, grandparent, and the label, or for siblings their side. Words
# count from 1; -1 stands for none.
Part = tuple[str, int, int, int, int, int]


def compare_parts(
    parsing: DependencyParsing,
    program: ParsingProgram,
    names: Sequence[str],
    sentence: ExplainedSentence,
    word: int,
    chosen: np.ndarray,
    other: np.ndarray,
) -> list[FeatureWeight]:
    """The features of parts that only one of two trees has, without those of weight 0.

    parsing (DependencyParsing): The decoder; the sentence is the one it parsed last.
    program (ParsingProgram): The templates.
    names (Sequence[str]): The labels, in the order of their numbers.
    sentence (ExplainedSentence): The sentence.
    word (int): The word whose head is explained, counted from 1.
    chosen, other (np.ndarray): The heads of the trees.
    RETURNS (list[FeatureWeight]): The strongest for the chosen tree first.
    """
    scorer = parsing.scorer
    parts = [
        _parts(scorer, parsing.order, heads, parsing.search_labels(heads))
        for heads in (chosen, other)
    ]
    mine, theirs = (
        _weigh(scorer, program, names, sentence, [part for part in one if part not in another])
        for one, another in (parts, parts[::-1])
    )
    return pair_features(mine, theirs, word)


def _parts(
    scorer: PartScorer, order: int, heads: np.ndarray, labels: np.ndarray
) -> dict[Part, None]:
    """All parts of a tree."""
    n = len(heads)
    found: list[Part] = []
    for child, (head, label) in enumerate(zip(heads.tolist(), labels.tolist(), strict=True), 1):
        found.append(("arc", head, child, -1, -1, -1))
        found.append(("label", head, child, -1, -1, label))
    if order > 1:
        before, after = scorer.no_child_before(), scorer.no_child_after()
        for head in range(1, n + 1):
            grand = int(heads[head - 1])
            children = [child for child in range(1, n + 1) if heads[child - 1] == head]
            right = [child for child in children if child > head]
            left = [child for child in reversed(children) if child < head]
            for side, line in enumerate(([before, *left, after], [before, *right, after])):
                for inner, outer in itertools.pairwise(line):
                    found.append(("sibling", head, outer, inner, -1, side))
                    if order > 2 and inner != before and outer != after:
                        found.append(("grand_sibling", head, outer, inner, grand, -1))
            found += [("grand", head, child, -1, grand, -1) for child in children]
    return dict.fromkeys(found)


def _weigh(
    scorer: PartScorer,
    program: ParsingProgram,
    names: Sequence[str],
    sentence: ExplainedSentence,
    parts: list[Part],
) -> Weighed:
    """By template and child: what the template saw there, and its weight."""
    weighed: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for part in parts:
        kind, head, child, inner, grand, label = part
        if kind == "label":
            templates = program.templates["label"]
            found = scorer.arc_label_weights(head, child, label)
            prefix = f"{names[label]}: "
        else:
            templates = program.templates[kind]
            if kind == "arc":
                templates = [*templates, *program.templates["between"]]
            found = scorer.part_weights(
                kind, head, child, inner=inner, grand=grand, side=max(label, 0)
            )
            prefix = ""
        totals: dict[int, float] = {}
        for number, weight in found:
            totals[number] = totals.get(number, 0.0) + weight
        for number, weight in totals.items():
            template = templates[number]
            value = prefix + _describe(template, sentence, part)
            weighed.setdefault((str(template), child), []).append((value, weight))
    return weighed


def _describe(template: Template, sentence: ExplainedSentence, part: Part) -> str:
    """What a template saw, as text."""
    kind, head, child, inner, grand, side = part
    places = {"p": head, "c": child, "s": inner, "g": grand}
    # Without a child, only the part knows the side.
    is_right = side == 1 if kind == "sibling" else child > head
    return " ".join(
        describe_arc(atom.attribute, sentence, head, child, is_right=is_right)
        if atom.role == "arc"
        else describe_between(atom, sentence, head, child)
        if atom.role == "b"
        else describe_token(atom, sentence, places[atom.role])
        for atom in template.atoms
    )
