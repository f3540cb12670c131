"""Templates of attachments, sorted and numbered."""

import pytest

from spacy_perceptron.decode.arcs.program import ARC_ATTRIBUTES
from spacy_perceptron.decode.attachments.program import (
    ATTACHMENT_ROLES,
    MAX_TERMS,
    SOURCES,
    TREE_ATTRIBUTES,
    compile_attachments,
    group_of,
)
from spacy_perceptron.features.attributes import ATTRIBUTES
from spacy_perceptron.features.sets.attachments import ATTACHMENT_SETS
from spacy_perceptron.features.sets.registry import TEMPLATE_SETS
from spacy_perceptron.features.templates import Template, parse_template, parse_templates

from ..arcs.reference import COLUMNS

KNOWN = [*COLUMNS, *ARC_ATTRIBUTES, *TREE_ATTRIBUTES]


def read(text: str) -> Template:
    return parse_template(text, roles=ATTACHMENT_ROLES, attributes=KNOWN)


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("p.tag c.tag arc.distance", "static"),
        ("p.tag b.tag c.tag", "static"),
        ("p+1.form c-2.tag", "static"),
        ("s.tag c.tag", "own"),
        ("p.lefts", "own"),
        ("c[rc2].form p.tag", "own"),
        ("left.tag c.tag", "left"),
        ("left2.tag left[rc].form p.tag", "left"),
        ("left.span c.tag", "left"),
        ("right.tag right2.tag c.form", "right"),
        ("right[lc].tag", "right"),
        ("left.tag right.tag", "mixed"),
        ("left.tag p.rights", "mixed"),
        ("right.tag c[lc].tag", "mixed"),
        ("right2.tag s.tag", "mixed"),
    ],
)
def test_groups(text: str, group: str):
    assert group_of(read(text)) == group


@pytest.mark.parametrize(
    "text",
    [
        "p.lefts+1.tag",
        "p[lc3].tag",
        "q.tag",
    ],
)
def test_unknown_roles(text: str):
    with pytest.raises(ValueError, match="template"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "b.tag s.tag",
        "b.tag left.tag",
        "b.tag c.lefts",
        "s.lefts",
        "left2.span",
        "p[lc].rights",
        "p+1.lefts",
        "arc.lefts",
        "arc.tag",
        "p.distance",
        "p+4.tag",
        "p.tag c.tag s.tag left.tag right.tag left2.tag right2.tag",
        "p.tag p.lefts c.tag c.span left.tag left.lefts arc.direction",
    ],
)
def test_templates_that_ask_for_what_is_not_there(text: str):
    with pytest.raises(ValueError, match="template"):
        compile_attachments([read(text)], [], COLUMNS)


def test_rows_name_their_terms():
    """Templates share what they are put together from."""
    texts = ["left.tag c.tag", "left.tag c.tag left.lefts arc.direction", "left2.form c.tag"]
    program = compile_attachments([read(text) for text in texts], [], COLUMNS)
    group = program.groups[1]
    leaves = list(zip(group.sources, group.numbers, strict=True))
    assert len(leaves) == len(set(leaves)) == 5
    assert group.sources == sorted(group.sources)
    assert all(len(row) == MAX_TERMS for row in group.rows)
    names = [{SOURCES[group.sources[k - 1]] for k in row if k} for row in group.rows]
    assert names == [{"left", "c"}, {"left", "c", "left tree", "arc"}, {"left2", "c"}]
    assert program.looks_beyond
    assert [str(t) for t in program.templates["left"]] == texts
    assert not compile_attachments([read(texts[0])], [], COLUMNS).looks_beyond


@pytest.mark.parametrize("name", ATTACHMENT_SETS)
def test_released_sets_compile(name: str):
    attributes = [*ATTRIBUTES, "tag", "coarse", "guide"]
    columns = {attribute: k for k, attribute in enumerate(attributes)}
    texts = TEMPLATE_SETS[name]
    assert len(set(texts)) == len(texts)
    templates = parse_templates(
        texts,
        roles=ATTACHMENT_ROLES,
        attributes=[*attributes, *ARC_ATTRIBUTES, *TREE_ATTRIBUTES],
    )
    program = compile_attachments(templates, [], columns)
    assert sum(len(group) for group in program.templates.values()) == len(texts)
