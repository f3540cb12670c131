"""Passive-aggressive steps until words have the lemmas that they should have."""

from collections.abc import Sequence

import numpy as np

from ...decode.choices.choosing import Choosing
from ...learn.perceptron import Difference, passive_aggressive_step
from .rules import Rules

# A word needs one step, unless later ones for words of the same text undo it.
MAX_ROUNDS = 50


def correct_lemmas(
    rows: Sequence[int],
    forms: Sequence[str],
    lemmas: Sequence[str],
    rules: Rules,
    decoder: Choosing,
    *,
    margin: float,
) -> int:
    """Move the weights of a decoder until the right lemmas win.

    rows (Sequence[int]): Rows of words in the decoder's lexeme table.
    forms (Sequence[str]): The words.
    lemmas (Sequence[str]): The lemmas that they should have, which rules give.
    rules (Rules): The rules.
    decoder (Choosing): The decoder; its weights are trainable.
    margin (float): By how much the right rule should win.
    RETURNS (int): Number of steps.
    """
    n_steps = 0
    for _ in range(MAX_ROUNDS):
        n_before = n_steps
        for row, form, lemma in zip(rows, forms, lemmas, strict=True):
            _, candidates = rules.candidates([form])
            scores = decoder.score(row, candidates)
            found = int(scores.argmax())
            if rules.apply(int(candidates[found]), form) == lemma:
                continue
            is_right = [rules.apply(rule, form) == lemma for rule in candidates.tolist()]
            right = int(np.where(is_right, scores, -np.inf).argmax())
            violation = float(scores[found] - scores[right])
            ids = decoder.feature_ids(row)
            difference = _difference(ids, int(candidates[right]), int(candidates[found]))
            step = passive_aggressive_step(difference, violation, margin=margin)
            decoder.weights.update(*difference, 0.0, step=step)
            n_steps += 1
        if n_steps == n_before:
            break
    return n_steps


def _difference(ids: np.ndarray, right: int, found: int) -> Difference:
    """Features of the right rule minus those of the one that was found."""
    n = len(ids)
    return (
        np.concatenate([ids, ids]),
        np.repeat(np.array([right, found], np.int32), n),
        np.repeat(np.array([1.0, -1.0], np.float32), n),
    )
