"""Lemmas of word types: decided once, and remembered as long as nothing changes that could matter.

A type is a word with its tags and features: a row of the lexeme table. Text repeats itself, so most
rows are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...answers.candidate import join_sentences
from ...decode.choices.choosing import Choosing
from .._shared.decoders import Decoders, cut_sentences
from .rules import Rules


@dataclass(frozen=True)
class Decisions:
    """What is remembered: row -> lemma, and the probability that the model gives its rule."""

    found: dict[int, tuple[str, float]] = field(default_factory=dict)


def decide(
    rows: np.ndarray,
    forms: Sequence[str],
    rules: Rules,
    decoders: Decoders[Choosing],
    *,
    temperature: float,
    n_threads: int,
) -> list[tuple[str, float]]:
    """Find the lemmas of words.

    rows (np.ndarray): Rows of the lexeme table.
    forms (Sequence[str]): The words.
    rules (Rules): The rules.
    decoders (Decoders): What chooses among them.
    temperature (float): Divides scores when they become probabilities.
    n_threads (int): How many threads to use.
    RETURNS (list[tuple[str, float]]): Lemma and probability of each word.
    """
    starts, candidates = rules.candidates(forms)

    def choose(decoder: Choosing, part: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        first, last = part
        return decoder.choose(
            rows[first:last],
            starts[first : last + 1] - starts[first],
            candidates[starts[first] : starts[last]],
            temperature=temperature,
        )

    parts = cut_sentences(np.arange(len(rows) + 1), n_threads)
    results = decoders.run(choose, parts, n_threads)
    chosen = np.concatenate([classes for classes, _ in results]).tolist()
    sure = np.concatenate([confidences for _, confidences in results]).tolist()
    lemmas = [rules.apply(number, form) for number, form in zip(chosen, forms, strict=True)]
    return list(zip(lemmas, sure, strict=True))


# Lemmas of a word, best first, and their scores.
RankedLemmas = tuple[list[str], list[float]]


def rank_lemmas(row: int, form: str, rules: Rules, decoder: Choosing, k: int) -> RankedLemmas:
    """The best lemmas of a word.

    row (int): Its row of the lexeme table.
    form (str): The word.
    rules (Rules): The rules.
    decoder (Choosing): What scores them.
    k (int): How many.
    RETURNS (RankedLemmas): At most k different lemmas with the scores of the best rules for them.
    """
    _, candidates = rules.candidates([form])
    scores = decoder.score(row, candidates)
    best: dict[str, float] = {}
    for i in np.argsort(-scores, kind="stable"):
        best.setdefault(rules.apply(int(candidates[i]), form), float(scores[i]))
        if len(best) == k:
            break
    return list(best), list(best.values())


def rank_sentence(words: Sequence[RankedLemmas], k: int) -> tuple[list[list[str]], np.ndarray]:
    """The best lemmas of a sentence, in which every word is decided on its own.

    words (Sequence[RankedLemmas]): The best lemmas of each word, up to k.
    k (int): How many combinations.
    RETURNS (tuple): At most k lists with a lemma per word, best first, and their scores.
    """
    joined = join_sentences([scores for _, scores in words], k)
    lists = [
        [lemmas[i] for (lemmas, _), i in zip(words, choice, strict=True)] for _, choice in joined
    ]
    return lists, np.array([score for score, _ in joined])
