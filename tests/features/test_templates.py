import re

import pytest

from spacy_perceptron.errors import Errors
from spacy_perceptron.features.sets.registry import TEMPLATE_SETS, templates_from_sets
from spacy_perceptron.features.templates import (
    Atom,
    Template,
    parse_template,
    parse_templates,
)

KNOWN = {"roles": ["w", "p"], "attributes": ["lower", "suffix3", "tag"]}
TAGGING = "spacy_perceptron.tagging.v1"


@pytest.mark.parametrize(
    ("text", "atoms", "normal"),
    [
        ("w.lower", [("w", 0, "lower")], "w.lower"),
        ("w-1.tag  w.lower", [("w", -1, "tag"), ("w", 0, "lower")], "w-1.tag w.lower"),
        (" p+12.suffix3\n", [("p", 12, "suffix3")], "p+12.suffix3"),
        ("w+0.lower", [("w", 0, "lower")], "w.lower"),
        ("w.tag w.tag", [("w", 0, "tag"), ("w", 0, "tag")], "w.tag w.tag"),
    ],
)
def test_parsing(text: str, atoms: list[tuple[str, int, str]], normal: str):
    template = parse_template(text, **KNOWN)
    assert template == Template(tuple(Atom(*atom) for atom in atoms))
    assert str(template) == normal
    assert parse_template(str(template), **KNOWN) == template


@pytest.mark.parametrize(
    "part",
    ["w", "w.", ".lower", "w1.lower", "w+.lower", "w lower", "W.lower", "w.lower.tag", "w-1"],
)
def test_syntax_errors(part: str):
    with pytest.raises(ValueError, match="Can't read") as error:
        parse_template(f"w.tag {part}", **KNOWN)
    assert f"'w.tag {part}'" in str(error.value)


def test_unknown_names():
    with pytest.raises(
        ValueError, match=re.escape("role 'q' in the feature template 'q.tag'")
    ) as e:
        parse_template("q.tag", **KNOWN)
    assert "Known roles: p, w." in str(e.value)
    with pytest.raises(ValueError, match="Unknown attribute 'size'") as e:
        parse_template("w.size", **KNOWN)
    assert "lower, suffix3, tag" in str(e.value)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_empty_template(text: str):
    with pytest.raises(ValueError, match=re.escape(Errors.TEMPLATE_EMPTY)):
        parse_templates(["w.lower", text], **KNOWN)


def test_no_templates():
    with pytest.raises(ValueError, match=re.escape(Errors.TEMPLATES_NONE)):
        parse_templates([], **KNOWN)


def test_repetitions_are_dropped_and_order_is_kept():
    templates = parse_templates(["w.tag", "w.lower", "w+0.tag", "p.tag", "w.lower"], **KNOWN)
    assert [str(template) for template in templates] == ["w.tag", "w.lower", "p.tag"]


def test_seeds_tell_templates_apart():
    texts = [*TEMPLATE_SETS[TAGGING], "w.lower w-1.tag"]
    seeds = {Template(parse_template(t, roles="w", attributes=ALL).atoms).seed for t in texts}
    assert len(seeds) == len(set(texts))
    assert all(0 <= seed < 2**64 for seed in seeds)


ALL = {text.split(".")[1] for template in TEMPLATE_SETS[TAGGING] for text in template.split()}


# --- Sets ------------------------------------------------------------------------------------


def test_set_as_it_is():
    assert templates_from_sets([TAGGING]) == list(TEMPLATE_SETS[TAGGING])


def test_extra_and_without():
    templates = templates_from_sets([TAGGING], extra=["w+3.lower"], without=["w.orth", "w-1.tag"])
    assert templates[-1] == "w+3.lower"
    assert set(TEMPLATE_SETS[TAGGING]) - set(templates) == {"w.orth", "w-1.tag"}
    assert len(templates) == len(TEMPLATE_SETS[TAGGING]) - 1
    assert templates_from_sets([], extra=["w.lower"]) == ["w.lower"]


def test_unknown_set():
    with pytest.raises(ValueError, match="Unknown template set 'tagging'") as error:
        templates_from_sets(["tagging"])
    assert TAGGING in str(error.value)


def test_without_something_that_is_not_there():
    with pytest.raises(ValueError, match=re.escape("'w.ortho' can't be left out")):
        templates_from_sets([TAGGING], without=["w.orth", "w.ortho"])
