"""Explanations as text and as plain data."""

import json

import numpy as np
import pytest

from spacy_perceptron.answers.explanation import ROWS, Explanation, FeatureWeight

# Differences: 0 to 19; strengths grow with the number.
MANY = [FeatureWeight(f"t{i}", "x", float(i), 0.0) for i in reversed(range(20))]


def explanation(**settings: object) -> Explanation:
    return Explanation("go", "VB", "NN", 190.0, 0.0, None, MANY, **settings)


def templates(text: str) -> list[str]:
    """The first cells of the rows between the rules of a table."""
    lines = text.splitlines()
    rules = [i for i, line in enumerate(lines) if line.startswith("--")]
    return [line.split("  ")[0] for line in lines[rules[0] + 1 : rules[1]]]


def test_strongest_features_and_the_rest():
    text = str(explanation())
    # 5 to 19 are shown; 0 + 1 + 2 + 3 + 4 = 10 are the rest.
    assert templates(text) == [*(f"t{i}" for i in range(19, 4, -1)), "5 others"]
    assert len(templates(text)) == ROWS + 1
    assert [line.split()[-1] for line in text.splitlines() if "others" in line] == ["+10.00"]


@pytest.mark.parametrize("rows", [20, 21, None])
def test_all_features(rows: int | None):
    assert templates(str(explanation(rows=rows))) == [f"t{i}" for i in range(19, -1, -1)]


def test_what_is_not_listed_still_counts():
    features = [FeatureWeight("a", "x", 1.0, 0.5)]
    (listed, rest) = Explanation("go", "VB", "NN", 3.0, 1.0, None, features).shown
    assert listed is features[0]
    assert (rest.template, rest.chosen, rest.runner_up) == ("others", 2.0, 0.5)
    assert Explanation("go", "VB", "NN", 1.001, 0.5, None, features).shown == features


@pytest.mark.parametrize("rows", [0, -1, True, 2.5, "3"])
def test_bad_rows(rows: object):
    with pytest.raises(ValueError, match=r"^`rows` must be .*1 or more"):
        explanation(rows=rows)


def test_plain_data():
    features = [
        FeatureWeight("p.tag", "NN", np.float32(1.5), 0.25, "VB"),
        FeatureWeight("c.tag", "IN", 0.5, 1),
    ]
    found = Explanation("with", "man", "saw", np.float64(2), 1.25, None, features, "head", rows=1)
    assert json.loads(json.dumps(found.to_dict())) == {
        "word": "with",
        "subject": "head",
        "chosen": "man",
        "runner_up": "saw",
        "step": None,
        "total": {"chosen": 2.0, "runner_up": 1.25, "difference": 0.75},
        "features": [
            {
                "template": "p.tag",
                "value": "NN",
                "runner_up_value": "VB",
                "chosen": 1.5,
                "runner_up": 0.25,
                "difference": 1.25,
            },
            {
                "template": "c.tag",
                "value": "IN",
                "runner_up_value": "IN",
                "chosen": 0.5,
                "runner_up": 1.0,
                "difference": -0.5,
            },
        ],
    }
