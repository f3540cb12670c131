"""The training of a tagger with a look at each update."""

from typing import Any

import numpy as np
import pytest


class CheckedDecoder:
    """Trains as the decoder does, step by step, and checks every update before it is made."""

    def __init__(self, decoder: Any):
        self.decoder = decoder
        self.scorer = decoder.scorer
        self.refining = decoder.refining
        self.n_updates = 0

    def score(self, rows: np.ndarray, actions: list[tuple[int, int, int]]) -> float:
        """The score of a sequence of actions, from nothing but features and weights."""
        total = 0.0
        for i, tag, packed in actions:
            context = [(packed >> shift) & 0xFFFF for shift in (0, 16, 32, 48)]
            ids = self.scorer.feature_ids(rows, i, context)
            total += float(self.scorer.weights.scores(ids)[tag])
        return total

    def learn(
        self,
        rows: np.ndarray,
        gold: np.ndarray,
        width: int,
        time: float,
        *,
        resume: bool,
        margin: float,
        fixed: np.ndarray | None,
    ) -> int:
        given = np.full(len(rows), -1, np.int32) if fixed is None else fixed.copy()
        n_updates = 0
        while found := self.decoder.violation(rows, gold, width, margin=margin, fixed=given):
            correct, predicted, correct_score, predicted_score = found
            assert len(correct) == len(predicted)
            assert correct_score <= predicted_score
            assert all(gold[i] in (tag, -1) for i, tag, _ in correct)
            assert any(gold[i] not in (tag, -1) for i, tag, _ in predicted)
            for actions, score in ((correct, correct_score), (predicted, predicted_score)):
                handicap = margin * sum(gold[i] == tag for i, tag, _ in actions)
                assert self.score(rows, actions) - handicap == pytest.approx(score, abs=1e-2)
            self.scorer.weights.update(*self.decoder.difference(correct, predicted), time)
            n_updates += 1
            if not resume:
                break
            for i, tag, _ in correct:
                given[i] = tag
        self.n_updates += n_updates
        return n_updates
