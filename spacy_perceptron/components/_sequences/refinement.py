"""The second step of a tagger: labels for words that the search has tagged."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from ...answers.explanation import Explanation, FeatureWeight
from ...decode.search.control import Control
from ...decode.sequences.program import TaggingProgram
from ...decode.sequences.refining import Refining
from ...decode.sequences.scorer import TaggingScorer
from ...features.lexemes import LexemeTable
from ...features.templates import Atom
from ...learn.perceptron import passive_aggressive_step
from ...learn.weights import WeightTable
from .settled import SettledWords
from .tag_labels import TagLabels

# Taggings or labellings of a sentence, best first, and their scores.
Ranked = tuple[np.ndarray, np.ndarray]
# Each step of a correction mends one word.
MAX_STEPS = 500


def make_refining(
    lexemes: LexemeTable,
    weights: WeightTable,
    program: TaggingProgram,
    labels: TagLabels,
    control: Control,
) -> Refining:
    """Make what chooses labels.

    lexemes (LexemeTable): The words.
    weights (WeightTable): Weights of the parts of labels.
    program (TaggingProgram): The compiled templates.
    labels (TagLabels): The labels.
    control (Control): That of the search before it.
    RETURNS (Refining): The decoder.
    """
    scorer = TaggingScorer(lexemes, weights, program, cached=False)
    return Refining(scorer, labels.tag_of, labels.parts, len(labels.tags), control)


def refine_lists(
    refining: Refining,
    rows: np.ndarray,
    starts: np.ndarray,
    orths: np.ndarray,
    lists: Sequence[Ranked],
    settled: SettledWords,
    width: int,
) -> list[Ranked]:
    """The best labellings of sentences, from lists of their best taggings.

    Beside the best labels of each tagging there are those with the second best label of one word;
    they score as much less as that label does.

    refining (Refining): Chooses labels.
    rows, starts, orths (np.ndarray): Lexeme rows and hashes of all words; where sentences start.
    lists (Sequence[Ranked]): The taggings of each sentence.
    settled (SettledWords): Words that need no choice.
    width (int): The most labellings of a sentence.
    RETURNS (list[Ranked]): The labellings.
    """
    return [
        _refine_list(refining, rows[first:last], orths[first:last], ranked, settled, width)
        for (first, last), ranked in zip(pairwise(starts.tolist()), lists, strict=True)
    ]


def _refine_list(
    refining: Refining,
    rows: np.ndarray,
    orths: np.ndarray,
    ranked: Ranked,
    settled: SettledWords,
    width: int,
) -> Ranked:
    found: list[tuple[float, np.ndarray]] = []
    for tags, score in zip(*ranked, strict=True):
        labels, others, gaps = refining.alternatives(rows, tags, fixed=settled(orths, tags))
        found.append((float(score), labels))
        choices = np.flatnonzero(others >= 0)
        for i in choices[np.argsort(gaps[choices], kind="stable")][: width - 1]:
            changed = labels.copy()
            changed[i] = others[i]
            found.append((float(score) - float(gaps[i]), changed))
    found.sort(key=lambda item: -item[0])
    scores, labellings = zip(*found[:width], strict=True)
    return np.stack(labellings), np.array(scores)


def correct_labels(
    refining: Refining,
    rows: np.ndarray,
    tags: np.ndarray,
    gold: np.ndarray,
    fixed: np.ndarray | None,
    margin: float,
) -> int:
    """Passive-aggressive steps until the labels of a tagged sentence are right.

    refining (Refining): Chooses labels, with weights that can be changed.
    rows (np.ndarray): Lexeme rows of the words.
    tags (np.ndarray): Their tags. Words with wrong ones are left as they are.
    gold (np.ndarray): The labels they should have, -1 where that is not known.
    fixed (Optional[np.ndarray]): Labels given in advance, or -1.
    margin (float): By how much the correct labels should win.
    RETURNS (int): The number of steps.
    """
    n_steps = 0
    for _ in range(MAX_STEPS):
        found = refining.violation(rows, tags, gold, fixed=fixed)
        if found is None:
            break
        violation, difference = found
        step = passive_aggressive_step(difference, violation, margin=margin)
        refining.scorer.weights.update(*difference, 0.0, step=step)
        n_steps += 1
    return n_steps


def explain_label(
    refining: Refining,
    program: TaggingProgram,
    rows: np.ndarray,
    tags: np.ndarray,
    fixed: np.ndarray | None,
    position: int,
    word: str,
    values: Sequence[str],
    describe: Callable[[Atom, tuple[int, ...]], str],
) -> Explanation:
    """Why a word got the value of an attribute that its label has.

    refining (Refining): Chooses labels.
    program (TaggingProgram): Its templates.
    rows (np.ndarray): Lexeme rows of the sentence.
    tags (np.ndarray): Its tags.
    fixed (Optional[np.ndarray]): Labels given in advance, or -1.
    position (int): The word.
    word (str): Its text.
    values (Sequence[str]): The value that each label has.
    describe (Callable): Says what an atom saw in a context.
    RETURNS (Explanation): The chosen value against the next best one, of the same tag.
    """
    label, context, scores = refining.decide(rows, tags, position, fixed=fixed)
    others = {other: x for other, x in scores.items() if values[other] != values[label]}
    if not others:
        return Explanation(word, values[label], values[label], 0.0, 0.0, 0, [])
    other = max(others, key=lambda number: others[number])
    parts = [refining.parts_of(number) for number in (label, other)]
    features = []
    ids = refining.feature_ids(position)
    for template, feature_id in zip(program.templates, ids, strict=True):
        row = refining.scorer.weights.row(int(feature_id))
        chosen, second = (sum(row.get(part, 0.0) for part in own) for own in parts)
        if chosen or second:
            seen = " ".join(describe(atom, context) for atom in template.atoms)
            features.append(FeatureWeight(str(template), seen, chosen, second))
    features.sort(key=lambda feature: -feature.difference)
    return Explanation(
        word, values[label], values[other], scores[label], scores[other], position + 1, features
    )
