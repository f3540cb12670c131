import json

import pytest
from thinc.api import Config

from spacy_perceptron.recipes.commented import CommentedConfig, Noted, write_value

TEXT = """\
# What this is.
# How to use it.

[a]
x = 1
# Why y.
y = ["b", "c"]

# About the inside.
[a.b]
z = ${a.x}

[c]
"""


def test_comments_survive():
    assert CommentedConfig(TEXT).to_text() == TEXT
    assert CommentedConfig(TEXT).header == ["# What this is.", "# How to use it."]
    assert CommentedConfig("# Only this.").header == ["# Only this."]


def test_values_change_and_comments_stay_unless_they_change_too():
    config = CommentedConfig(TEXT)
    config.change({"a.x": None, "a.b.z": "${a.y}"})
    config.change({"y": Noted([], "Two\nlines."), "x": Noted(2, "")}, within="a")
    expected = TEXT.replace("x = 1", "x = 2").replace("${a.x}", "${a.y}")
    expected = expected.replace('# Why y.\ny = ["b", "c"]', "# Two\n# lines.\ny = []")
    assert config.to_text() == expected


def test_lists_grow():
    config = CommentedConfig(TEXT)
    config.extend({"y": ["d", 1]}, within="a")
    config.extend({"a.y": []})
    assert config.to_text() == TEXT.replace('["b", "c"]', '["b", "c", "d", 1]')
    # One that stands on several lines does, too.
    config.change({"a.y": ["x" * 60, "y" * 60]})
    config.extend({"a.y": ["z"]})
    value = Config().from_str(config.to_text(), interpolate=False)["a"]["y"]
    assert value == ["x" * 60, "y" * 60, "z"]


def test_settings_that_are_not_there_cannot_change():
    with pytest.raises(KeyError):
        CommentedConfig(TEXT).change({"a.nothing": 1})
    with pytest.raises(KeyError):
        CommentedConfig(TEXT).change({"nothing.x": 1})
    with pytest.raises(KeyError):
        CommentedConfig(TEXT).extend({"a.nothing": [1]})


def test_sections_are_filled_and_inserted():
    config = CommentedConfig("[a]\n\n[d]\nx = 1\n")
    config.insert(CommentedConfig("# B.\n[b]\ny = 1\n\n[c]\n"), after="a")
    config.fill("d", {"p": 0.5, "q": Noted(None, "Hidden.")})
    config.drop("b", "y")
    assert config.to_text() == "[a]\n\n# B.\n[b]\n\n[c]\n\n[d]\np = 0.5\n# Hidden.\nq = null\n"


def test_an_overlay_brings_values_and_the_comments_it_has():
    config = CommentedConfig(TEXT)
    config.overlay(CommentedConfig("# New.\n\n[a]\n# Why x.\nx = 3\ny = []\n\n# C.\n[c]\nw = 1\n"))
    expected = TEXT.replace("# What this is.\n# How to use it.", "# New.")
    expected = expected.replace("x = 1", "# Why x.\nx = 3").replace('["b", "c"]', "[]")
    assert config.to_text() == expected.replace("[c]\n", "# C.\n[c]\nw = 1\n")


def test_long_lists_are_written_on_several_lines_that_spacy_reads():
    words = [["#a", "[b]"], ["x" * 40, "ü"], ["y" * 40], ["z = 1", "; c"], ['"']]
    text = write_value(words)
    lines = text.split("\n")
    assert (lines[0], lines[-1]) == ("[", "    ]")
    # Two items of more than 50 characters do not fit on a line with another one.
    assert len(lines) == 4
    assert all(line.startswith("    ") and len(line) <= 115 for line in lines[1:])
    config = Config().from_str(f"[a]\nwords = {text}\nnext = 1\n")
    assert config == {"a": {"words": words, "next": 1}}
    assert write_value(["b", "c"]) == '["b", "c"]'
    assert json.loads(text) == words
