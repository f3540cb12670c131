"""The accuracy of coarse tags and morphology, alone and together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from .tags import Count

# Coarse tag and features.
Word = tuple[str, str]


def morphology_accuracy(
    gold: Sequence[Sequence[Word]], predicted: Sequence[Sequence[Word]]
) -> dict[str, dict[str, Any]]:
    """Compare predictions with the gold standard.

    gold, predicted (Sequence): coarse tag and features of every word of every sentence.
    RETURNS (dict[str, dict[str, Any]]): counts and shares: `pos`, `morph` and `both`.
    """
    pos, morph, both = Count(), Count(), Count()
    for right, found in zip(gold, predicted, strict=True):
        for (tag, features), answer in zip(right, found, strict=True):
            pos = pos.plus(answer[0] == tag)
            morph = morph.plus(answer[1] == features)
            both = both.plus(tuple(answer) == (tag, features))
    counts = {"pos": pos, "morph": morph, "both": both}
    return {name: {**asdict(count), "share": count.share} for name, count in counts.items()}
