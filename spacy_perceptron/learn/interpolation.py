"""Weights of interpolated back-off by deleted interpolation (Jelinek & Mercer 1980).

How far the relative frequencies of a context can be trusted depends on how often it was seen and
how many different outcomes it had. Contexts of one depth with about the same number of events per
outcome share a weight (Chen & Goodman 1999). The weights are those under which the events of each
fold are most probable given the counts of the other folds, found by EM. They start at those of
Witten & Bell, and stay near them where there is little evidence.

Cross-entropy of the gold trees of the Wall Street Journal sample (dev), bits per node, with the
contexts of Collins & Roark (2004):

    Witten-Bell, w = n / (n + k types)      k = 1: 1.490   4: 1.327   16: 1.279   32: 1.293
    the same, a k for each depth            1.263, with each k tuned on dev itself
    modified absolute discounting           1.446
    deleted interpolation                   1.257

With long chains of contexts that each add little, discounting and small k trust the longest context
too much. With the contexts that the incremental parser uses, twenty folds instead of ten, other
numbers of buckets, and buckets by both counts change less than 0.003.

Time: O(depth n log n) for n events.
"""

from dataclasses import dataclass

import numpy as np

from ..errors import Errors
from .backoff import BackoffModel, prefix_keys

MAX_DEPTH = 31
# The weight of relative frequencies without any context, and the most any context gets: nothing
# that was seen in another context should be ruled out.
_BOTTOM_WEIGHT = 1 - 1e-6
_MAX_WEIGHT = 0.9995
_N_ITERATIONS = 12
_BUCKETS_PER_OCTAVE = 4
_N_BUCKETS = 64
# Witten and Bell's weights, w = n / (n + k types), and how many events they are worth in a bucket.
_PRIOR_TYPES = 8.0
_PRIOR_EVENTS = 5.0


def fit_backoff(
    contexts: np.ndarray,
    outcomes: np.ndarray,
    folds: np.ndarray,
    weights: np.ndarray | None = None,
) -> BackoffModel:
    """Estimate the probability of outcomes given contexts.

    contexts (uint64 array): The values of each event's context, the most important first: [n,
        depth].
    outcomes (uint64 array): The outcome of each event: [n].
    folds (int array): The part of the corpus each event is from: [n]. Consecutive sentences should
        share a fold, because texts repeat themselves.
    weights (float array | None): How much each event counts: [n]; None for 1.
    RETURNS (BackoffModel): The model.
    """
    contexts = np.ascontiguousarray(contexts, np.uint64)
    outcomes = np.ascontiguousarray(outcomes, np.uint64)
    folds = np.asarray(folds)
    weights = np.ones(len(outcomes)) if weights is None else np.asarray(weights, np.float64)
    if (
        contexts.ndim != 2
        or contexts.shape[1] > MAX_DEPTH
        or not (len(contexts),) == outcomes.shape == folds.shape == weights.shape
        or not (weights >= 0).all()
        or not 0 < weights.sum() < np.inf
        or folds.min() < 0
    ):
        raise ValueError(
            Errors.BACKOFF_EVENTS.format(
                contexts=contexts.shape,
                outcomes=outcomes.shape,
                folds=folds.shape,
                weights=weights.shape,
            )
        )
    kept = weights > 0
    keys, weights = prefix_keys(contexts[kept]), weights[kept]
    alphabet, codes = np.unique(outcomes[kept], return_inverse=True)
    levels = [_Level.count(keys[:, d], codes, weights, folds[kept]) for d in range(keys.shape[1])]
    floor = 1 / (len(alphabet) + 1)
    bucket_weights = _fit_weights([level.held_out for level in levels], weights, floor)
    return _model(levels, bucket_weights, alphabet, floor, depth=contexts.shape[1])


@dataclass
class _Counts:
    """What is known about the contexts of events.

    seen (float array): How often each context was seen.
    types (float array): How many outcomes it had.
    frequencies (float array): The relative frequencies of the events' outcomes; 0 if unseen.
    """

    seen: np.ndarray
    types: np.ndarray
    frequencies: np.ndarray

    def witten_bell(self) -> np.ndarray:
        """RETURNS (float array): A first guess of the weights of the contexts."""
        return self.seen / np.maximum(self.seen + _PRIOR_TYPES * self.types, 1e-9)

    def buckets(self) -> np.ndarray:
        """RETURNS (int array): Contexts with equal numbers share a weight. 0 for unseen ones."""
        ratio = np.maximum(self.seen, 1e-9) / np.maximum(self.types, 1)
        steps = np.floor(_BUCKETS_PER_OCTAVE * (np.log2(ratio) + 1)).astype(np.int64)
        return np.where(self.seen > 0, 1 + np.clip(steps, 0, _N_BUCKETS - 2), 0)


@dataclass
class _Level:
    """The counts of all contexts of one depth.

    keys (uint64 array): The contexts, ascending.
    pair_contexts (int array): The context of each pair of a context and an outcome: an index into
        `keys`, ascending.
    pair_codes (int array): The outcome of each pair, ascending in each context.
    pairs (_Counts): What is known about each pair.
    held_out (_Counts): What the other folds know about each event.
    first_events (int array): An event with each pair, to find the pair in a shorter context.
    event_pairs (int array): The pair of each event.
    """

    keys: np.ndarray
    pair_contexts: np.ndarray
    pair_codes: np.ndarray
    pairs: _Counts
    held_out: _Counts
    first_events: np.ndarray
    event_pairs: np.ndarray

    @classmethod
    def count(
        cls, event_keys: np.ndarray, codes: np.ndarray, weights: np.ndarray, folds: np.ndarray
    ) -> "_Level":
        keys, context_of = np.unique(event_keys, return_inverse=True)
        n_codes = int(codes.max()) + 1
        n_folds = int(folds.max()) + 1
        pair_ids, first, pair_of = np.unique(
            context_of * n_codes + codes, return_index=True, return_inverse=True
        )
        pair_contexts, pair_codes = np.divmod(pair_ids, n_codes)
        seen = np.bincount(context_of, weights)
        together = np.bincount(pair_of, weights)
        types = np.bincount(pair_contexts).astype(np.float64)
        # The same without the fold of each event. A pair that only one fold has is missing there.
        cells, cell_of = np.unique(context_of * n_folds + folds, return_inverse=True)
        pair_cells, pair_cell_of = np.unique(pair_of * n_folds + folds, return_inverse=True)
        seen_here = np.bincount(cell_of, weights)
        together_here = np.bincount(pair_cell_of, weights)
        pair, fold = np.divmod(pair_cells, n_folds)
        only_here = np.isclose(together_here, together[pair])
        cell = np.searchsorted(cells, pair_contexts[pair] * n_folds + fold)
        types_here = np.bincount(cell, only_here, minlength=len(cells))
        return cls(
            keys=keys,
            pair_contexts=pair_contexts,
            pair_codes=pair_codes,
            pairs=_counts(seen[pair_contexts], types[pair_contexts], together),
            held_out=_counts(
                seen[context_of] - seen_here[cell_of],
                types[context_of] - types_here[cell_of],
                np.where(only_here, 0, together[pair] - together_here)[pair_cell_of],
            ),
            first_events=first,
            event_pairs=pair_of,
        )


def _counts(seen: np.ndarray, types: np.ndarray, together: np.ndarray) -> _Counts:
    # Differences of sums of weights can miss 0 by a rounding error.
    seen = np.where(types > 0, seen, 0)
    return _Counts(seen, types, np.divide(together, seen, out=np.zeros_like(seen), where=seen > 0))


def _fit_weights(levels: list[_Counts], weights: np.ndarray, floor: float) -> list[np.ndarray]:
    """Find the weights of all buckets by EM.

    levels (list[_Counts]): What other folds know about the events, for each depth.
    weights (float array): How much each event counts.
    floor (float): The probability below the empty context.
    RETURNS (list[float array]): The weight of each bucket, for each depth.
    """
    # Outcomes that other folds never have say nothing about the contexts.
    weights = np.where(levels[0].frequencies > 0, weights, 0)
    buckets = [level.buckets() for level in levels]
    priors = []
    for level, bucket in zip(levels, buckets, strict=True):
        size = np.bincount(bucket, weights, minlength=_N_BUCKETS)
        total = np.bincount(bucket, weights * level.witten_bell(), minlength=_N_BUCKETS)
        # A bucket without held-out events: in proportion to its events per outcome.
        ratio = 2.0 ** ((np.arange(_N_BUCKETS) - 1) / _BUCKETS_PER_OCTAVE - 1)
        default = ratio / (ratio + _PRIOR_TYPES)
        priors.append(np.divide(total, size, out=default, where=size > 0))
        priors[-1][0] = 0
    priors[0][:] = _BOTTOM_WEIGHT
    fitted = [prior.copy() for prior in priors]
    for _ in range(_N_ITERATIONS):
        probabilities = np.full(len(weights), floor)
        shares = []
        for level, bucket, weight in zip(levels, buckets, fitted, strict=True):
            own = weight[bucket] * level.frequencies
            probabilities = own + (1 - weight[bucket]) * probabilities
            shares.append(own / probabilities)
        reached = weights
        for d in range(len(levels) - 1, 0, -1):
            ended = reached * shares[d]
            n_ended = np.bincount(buckets[d], ended, minlength=_N_BUCKETS)
            n_reached = np.bincount(buckets[d], reached, minlength=_N_BUCKETS)
            estimate = (n_ended + _PRIOR_EVENTS * priors[d]) / (n_reached + _PRIOR_EVENTS)
            fitted[d] = np.minimum(estimate, _MAX_WEIGHT)
            fitted[d][0] = 0
            reached = reached - ended
    return fitted


def _model(
    levels: list[_Level],
    bucket_weights: list[np.ndarray],
    alphabet: np.ndarray,
    floor: float,
    *,
    depth: int,
) -> BackoffModel:
    lengths, remainders, probabilities = [], [], []
    shorter = np.full(len(levels[0].event_pairs), floor)
    for level, weight_of in zip(levels, bucket_weights, strict=True):
        weights = weight_of[level.pairs.buckets()]
        # An event with this pair has its probability in the next shorter context.
        values = weights * level.pairs.frequencies + (1 - weights) * shorter[level.first_events]
        shorter = values[level.event_pairs]
        probabilities.append(values)
        starts = np.flatnonzero(np.diff(level.pair_contexts, prepend=-1))
        remainders.append(1 - weights[starts])
        lengths.append(np.diff(starts, append=len(values)))
    return BackoffModel(
        depth=depth,
        floor=floor,
        keys=np.concatenate([level.keys for level in levels]),
        lengths=np.concatenate(lengths).astype(np.uint32),
        remainders=np.concatenate(remainders).astype(np.float32),
        outcomes=np.concatenate([alphabet[level.pair_codes] for level in levels]),
        probabilities=np.minimum(np.concatenate(probabilities), 1).astype(np.float32),
    )
