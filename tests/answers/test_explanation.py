"""Explanations as text, as HTML and as plain data."""

import json
import re

import numpy as np
import pytest

from spacy_perceptron.answers.explanation import ROWS, Explanation, FeatureWeight

from ..display.html_elements import read

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


def bars(html: str) -> list[tuple[float, float]]:
    """Where each bar starts, and its length."""
    found = re.findall(r'<rect x="([^"]+)"[^>]* width="([^"]+)"', html)
    return [(float(x), float(width)) for x, width in found]


def test_html_has_what_the_text_has():
    features = [
        FeatureWeight("p.tag", "NN", 1.5, 0.25, "VB"),
        FeatureWeight("c.shape", "x", 0.25, 0.25),
        FeatureWeight("c.tag", "IN", 0.5, 1),
    ]
    found = Explanation("with", "man", "saw", 2.25, 1.5, None, features, "head")
    html = found._repr_html_()
    elements = read(html)
    assert elements.texts["caption"] == ["'with': head man rather than saw"]
    columns = ["feature", "value", "man", "saw", "for man"]
    assert elements.texts["th"] == [*columns, "p.tag", "c.shape", "c.tag", "total"]
    assert elements.texts["bdi"] == ["NN | VB", "x", "IN"]
    weights = [
        ["+1.50", "+0.25", "+1.25"],
        ["+0.25", "+0.25", "+0.00"],
        ["+0.50", "+1.00", "-0.50"],
    ]
    total = ["+2.25", "+1.50", "+0.75"]
    assert elements.texts["td"] == [cell for row in (*weights, total) for cell in row]
    # The longest is 60 pixels; -0.5 is 24 to the left of the line.
    assert bars(html) == [(0, 60), (0, 0), (-24, 24)]
    # Without colours, those against the answer are hollow.
    assert re.findall(r'<rect x="[^"]+" fill="(\w+|#\w+)"', html) == ["#3b82f6", "#3b82f6", "none"]


def test_html_sums_up_the_others():
    html = explanation(rows=2)._repr_html_()
    elements = read(html)
    assert elements.texts["th"][5:] == ["t19", "t18", "18 others", "total"]
    # 0 + 1 + ... + 17 = 153.
    assert elements.texts["td"][-6:-3] == ["+153.00", "+0.00", "+153.00"]
    # They are no bar: 18 / 19 * 60 = 56.8.
    assert bars(html) == [(0, 60), (0, 56.8)]


def test_html_without_features():
    elements = read(Explanation("Go", "VB", "NN", 0.0, 0.0, 1, [])._repr_html_())
    assert elements.texts["caption"] == ["'Go': VB rather than NN (decision 1)"]
    assert elements.texts["td"] == ["+0.00", "+0.00", "+0.00"]


def test_html_is_escaped_and_stands_alone():
    evil = '<script>alert("1")</script>&'
    features = [FeatureWeight(evil, evil, 1.0, 0.0, "<b>")]
    html = Explanation(evil, evil, evil, 1.0, 0.0, None, features, evil)._repr_html_()
    elements = read(html)
    assert {name for name, _ in elements.found}.isdisjoint({"script", "link", "img", "b"})
    assert elements.texts["th"].count(evil) == 3
    assert elements.texts["bdi"] == [f"{evil} | <b>"]
    # Styles concern nothing else in a notebook, and no element has one of its own.
    style = elements.texts["style"][0]
    selectors = [
        part.strip() for rule in style.split("}") for part in rule.split("{")[0].split(",")
    ]
    assert len(selectors) > 10
    assert all(one.startswith(".spacy-perceptron-weights") for one in selectors if one)
    assert not any("style" in attributes for _, attributes in elements.found)
    assert not re.search(r"https?:|url\(|@import", html)
