"""What speaks for one tree and against another, feature by feature."""

from collections import Counter
from collections.abc import Callable

from ...answers.explanation import FeatureWeight

# Template, value and weight -> how often.
Features = Counter[tuple[str, str, float]]


def weigh_differences(mine: Features, theirs: Features) -> list[FeatureWeight]:
    """What speaks for one tree and against another.

    mine (Features): The features of the tree that was chosen.
    theirs (Features): Those of the runner-up.
    RETURNS (list[FeatureWeight]): Features that only one of them has, what speaks most for the
        chosen one first.
    """
    features = [
        *_weigh(mine - theirs, lambda weight: (weight, 0.0)),
        *_weigh(theirs - mine, lambda weight: (0.0, weight)),
    ]
    return sorted(features, key=lambda feature: -feature.difference)


def _weigh(found: Features, sides: Callable[[float], tuple[float, float]]) -> list[FeatureWeight]:
    return [
        FeatureWeight(template, value, *sides(n * weight))
        for (template, value, weight), n in found.items()
        if weight
    ]
