"""Values that settings may have, and what is said about others."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spacy_perceptron.values import Values

COUNT = Values(int, at_least=0)
SHARE = Values(float, at_least=0, at_most=1)
MAYBE = Values(float | None, at_least=0, at_most=1)
DECAY = Values(float, above=0, at_most=1)
ORDER = Values(int, choices=(1, 2, 3))
UPDATE = Values(str, choices=("early", "resume"))
PATHS = Values(str | Path | list[str] | dict[str, Any])
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("values", "value"),
    [
        *((COUNT, value) for value in (0, 7, 10**30, np.int64(3))),
        *((SHARE, value) for value in (0, 0.0, 0.5, 1, 1.0, np.float32(0.5))),
        *((MAYBE, value) for value in (None, 0.0, 1)),
        *((DECAY, value) for value in (1e-9, 1)),
        *((ORDER, value) for value in (1, 3)),
        (UPDATE, "early"),
        (Values(float), -1e300),
        *((Values(bool), value) for value in (True, False)),
        *((Values(list[str]), value) for value in ([], ["a"], ("a", "b"))),
        *((PATHS, value) for value in ("a", Path("a"), ["a"], {"a": 1})),
    ],
)
def test_allowed(values: Values, value: Any):
    values.check("it", value)


@pytest.mark.parametrize(
    ("values", "value", "message"),
    [
        (COUNT, -1, "`it` must be 0 or more, not -1."),
        (COUNT, 2.0, "`it` must be a whole number, 0 or more, not 2.0."),
        (COUNT, True, "`it` must be a whole number, 0 or more, not True."),
        (COUNT, "3", "`it` must be a whole number, 0 or more, not '3'."),
        (COUNT, None, "`it` must be a whole number, 0 or more, not None."),
        (SHARE, 1.1, "`it` must be between 0 and 1, not 1.1."),
        (SHARE, -0.1, "`it` must be between 0 and 1, not -0.1."),
        (SHARE, NAN, "`it` must be a finite number, between 0 and 1, not nan."),
        (SHARE, None, "`it` must be a finite number, between 0 and 1, not None."),
        (MAYBE, 2, "`it` must be between 0 and 1 or None, not 2."),
        (MAYBE, NAN, "`it` must be a finite number, between 0 and 1 or None, not nan."),
        (DECAY, 0, "`it` must be above 0 and at most 1, not 0."),
        (DECAY, 1.5, "`it` must be above 0 and at most 1, not 1.5."),
        (Values(float, above=0), 0.0, "`it` must be above 0, not 0.0."),
        (Values(float), INF, "`it` must be a finite number, not inf."),
        (ORDER, 4, "`it` must be 1, 2 or 3, not 4."),
        (ORDER, True, "`it` must be 1, 2 or 3, not True."),
        (UPDATE, "late", "`it` must be 'early' or 'resume', not 'late'."),
        (UPDATE, None, "`it` must be 'early' or 'resume', not None."),
        (Values(bool), 1, "`it` must be true or false, not 1."),
        (Values(list[str]), "abc", "`it` must be a list of strings, not 'abc'."),
        (Values(list[str]), ["a", 1], "`it` must be a list of strings, not ['a', 1]."),
        (
            PATHS,
            3,
            "`it` must be a string, a path, a list of strings or a dictionary, not 3.",
        ),
    ],
)
def test_refused(values: Values, value: Any, message: str):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        values.check("it", value)
    with pytest.raises(ValueError, match=f"^{re.escape(f'pipe: {message}')}$"):
        values.check("it", value, of="pipe")


def test_words_for_the_docs():
    assert UPDATE.describe(str.upper) == "EARLY or RESUME"
    assert MAYBE.describe(lambda value: f"<{value}>") == "between 0 and 1 or <None>"
    assert [Values(kind).describe() for kind in (bool, str, list[str])] == ["", "", ""]
