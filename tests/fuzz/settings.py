"""Random settings: whatever a factory declares, within its range and outside of it."""

import random
from collections.abc import Callable
from typing import Any

from spacy_perceptron.components._shared.settings import Settings, own_first, values_of

# Within most ranges; large enough to overflow what is multiplied, small enough to vanish.
NUMBERS = [0, 1, 2, 3, 5, 0.0, 0.1, 0.5, 1.0, 2.5, 1e-30, 1e30]
ODD_VALUES = [-1, -0.5, 1.5, float("nan"), float("inf"), "wide", "", None, True, [], {}, [1]]
# Time or memory grows without limit with these.
LARGEST = 5
# They name files, components and template sets, which have errors and tests of their own.
LEFT_OUT = {"lists", "base"}


def make_settings(rng: random.Random, settings: type[Settings]) -> tuple[dict[str, Any], bool]:
    """Make settings.

    rng (random.Random): Where chance comes from.
    settings (type[Settings]): What can be set.
    RETURNS (tuple): Values of some settings, and whether each is within its range.
    """
    chosen: dict[str, Any] = {}
    is_valid = True
    may_be_odd = rng.random() < 0.5
    for item in own_first(settings):
        if item.name in LEFT_OUT or "templates" in item.name or rng.random() < 0.5:
            continue
        values = values_of(item)
        if may_be_odd and rng.random() < 0.3:
            value = rng.choice(ODD_VALUES)
        elif values.choices:
            value = rng.choice(values.choices)
        elif item.type is bool:
            value = rng.random() < 0.5
        else:
            fitting = [n for n in NUMBERS if _fits(values.check, n)]
            value = rng.choice(fitting or [item.metadata["default"]])
        if isinstance(value, int) and item.type is int:
            value = min(value, LARGEST)
        is_valid = is_valid and _fits(values.check, value)
        chosen[item.name] = value
    return chosen, is_valid


def _fits(check: Callable[[str, Any], None], value: Any) -> bool:
    try:
        check("", value)
    except ValueError:
        return False
    return True
