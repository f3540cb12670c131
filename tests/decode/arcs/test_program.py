"""Templates sorted by kind of part and split by role."""

import pytest

from spacy_perceptron.components._dependencies.reader import TOKEN_ATTRIBUTES
from spacy_perceptron.decode.arcs.program import (
    ARC_ATTRIBUTES,
    ROLES,
    TOKEN_ROLES,
    ParsingProgram,
    compile_templates,
    kind_of,
)
from spacy_perceptron.features.attributes import ATTRIBUTES
from spacy_perceptron.features.sets.arcs import ARCS, PARSER_SETS, TREE_LABELS
from spacy_perceptron.features.sets.fast_arcs import FAST_ARCS, FAST_PARSER_SETS, FAST_TREE_LABELS
from spacy_perceptron.features.templates import parse_template, parse_templates

from .reference import COLUMNS, LABEL, PRUNER, TEMPLATES, compiled, parse

KINDS = {
    "arc": ["p.tag", "c.tag", "p.form c-1.tag arc.direction", "arc.punct", "c.tag arc.guide"],
    "between": ["p.tag b.tag c.tag", "b.tag b+1.tag", "b.form arc.verbs"],
    "sibling": ["s.tag", "p.tag s.tag c.tag arc.direction"],
    "grand": ["g.tag", "g.tag p.tag c.tag arc.distance"],
    "grand_sibling": ["g.tag s.tag", "c.tag g.tag p.tag s.tag arc.direction"],
}
ALL_KINDS = (*KINDS, "label", "tree_label", "pruner")
TREE_LABEL = ("p.tag c.tag", "l.tag c.tag", "c.tag r-1.form arc.guide", "x.tag g.tag", "c.form")


def compile_one(text: str) -> ParsingProgram:
    return compiled((text,))


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str):
    for text in KINDS[kind]:
        assert kind_of(parse([text])[0]) == kind
        program = compile_one(text)
        assert [str(t) for t in program.templates[kind]] == [text]
        assert [name for name in KINDS if getattr(program, name)] == [kind]


def decompile(program: ParsingProgram, kind: str) -> list[set[str]]:
    """The atoms that the numbers of each template stand for."""
    names = list(COLUMNS)
    found = []
    for row in getattr(program, kind):
        atoms = set()
        for role, number, conjuncts in zip(TOKEN_ROLES, row, program.roles, strict=False):
            for offset, column in conjuncts[number - 1][1] if number else ():
                atoms.add(f"{role}{f'{offset:+d}' if offset else ''}.{names[column]}")
        for k in program.arc_conjuncts[row[-1] - 1][1] if row[-1] else ():
            atoms.add(f"arc.{ARC_ATTRIBUTES[k]}")
        found.append(atoms)
    return found


def test_numbers_stand_for_the_atoms():
    program = compiled(tree_label=TREE_LABEL)
    texts = {"label": list(LABEL), "tree_label": list(TREE_LABEL), "pruner": list(PRUNER)}
    for kind in ALL_KINDS:
        rows, templates = getattr(program, kind), [str(t) for t in program.templates[kind]]
        assert len(rows) == len(templates)
        assert decompile(program, kind) == [set(text.split()) for text in templates]
        assert sorted(templates) == sorted(
            texts.get(kind, [t for t in TEMPLATES if kind_of(parse([t])[0]) == kind])
        )


def test_equal_conjuncts_are_numbered_once():
    """What one token contributes is computed once for all templates that need it."""
    program = compiled(tree_label=TREE_LABEL)
    for role, conjuncts in zip(TOKEN_ROLES, program.roles, strict=True):
        used = {
            tuple(atom for atom in template.atoms if atom.role == role)
            for group in program.templates.values()
            for template in group
        } - {()}
        assert len(conjuncts) == len(used)
        assert len({seed for seed, _ in conjuncts}) == len(used)
    # A distance has the seed of the direction, and another hash by its value.
    whole = [
        conjunct
        for conjunct in program.arc_conjuncts
        if ARC_ATTRIBUTES.index("distance") not in conjunct[1]
    ]
    seeds = [seed for role in (*program.roles, whole) for seed, _ in role]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 1 << 64 for seed in seeds)


def test_twins_stand_side_by_side():
    """Templates with direction, then their twins with distance, then those without a twin."""
    texts = (
        "p.tag c.tag arc.distance",
        "p.form c.tag arc.punct",
        "p.tag c.tag arc.direction",
        "p.tag arc.direction",
        "p.tag c.form arc.direction",
        "p.form c.form arc.direction",
        "p.form c.form arc.distance",
        "c.tag arc.distance",
        "p.tag arc.distance",
    )
    program = compiled(texts)
    assert [str(template) for template in program.templates["arc"]] == [
        "p.tag arc.direction",
        "p.tag arc.distance",
        "c.tag arc.distance",
        "p.tag c.tag arc.direction",
        "p.form c.form arc.direction",
        "p.tag c.tag arc.distance",
        "p.form c.form arc.distance",
        "p.form c.tag arc.punct",
        "p.tag c.form arc.direction",
    ]
    assert (program.n_arc_ends, program.n_arc_twins) == ((2, 1), (1, 0, 2))


def test_templates_of_one_look_between_stand_together():
    texts = ["b.tag", "b.form", "p.tag b.tag", "b.form c.tag", "b.tag c.tag", "b.form b.tag"]
    program = compiled(tuple(texts))
    numbers = [row[TOKEN_ROLES.index("b")] for row in program.between]
    assert len(numbers) == 6
    changes = sum(one != other for one, other in zip(numbers[1:], numbers, strict=False))
    assert changes == len(set(numbers)) - 1 == 2


def test_ends_stand_first():
    """Templates of the head alone, then those of the child alone, then the others."""
    program = compiled()
    for kind, counts, seen in (
        ("arc", program.n_arc_ends, {"direction", "distance"}),
        ("label", program.n_label_ends, {"direction"}),
    ):
        roles = [
            {atom.role for atom in template.atoms} - {"arc"} for template in program.templates[kind]
        ]
        arc_attributes = [
            {atom.attribute for atom in template.atoms if atom.role == "arc"}
            for template in program.templates[kind]
        ]
        ends = [
            next(iter(who)) if len(who) == 1 and what <= seen else ""
            for who, what in zip(roles, arc_attributes, strict=True)
        ]
        assert counts == (ends.count("p"), ends.count("c"))
        assert ends == ["p"] * counts[0] + ["c"] * counts[1] + [""] * ends.count("")
        assert min(counts) > 0
        assert "" in ends


@pytest.mark.parametrize(
    "text",
    [
        "p.tag arc.direction p.direction",
        "c.distance",
        "arc.tag",
        "arc+1.direction",
        "p.tag arc-1.distance",
        "s.tag arc.punct",
        "g.tag arc.guide",
        "g.tag s.tag c.tag arc.verbs",
    ],
)
def test_refuses_attributes_that_are_not_there(text: str):
    with pytest.raises(ValueError, match=r"asks for what is not there"):
        compile_one(text)


@pytest.mark.parametrize("text", ["p+4.tag", "p.tag c-4.form", "b+4.tag", "s-4.tag", "g+7.tag"])
def test_refuses_far_offsets(text: str):
    with pytest.raises(ValueError, match=r"looks too far: at most 3 places"):
        compile_one(text)


@pytest.mark.parametrize("text", ["s.tag", "g.tag", "b.tag p.tag", "g.tag s.tag"])
def test_labels_and_pruner_see_arcs_alone(text: str):
    with pytest.raises(
        ValueError, match="not for the label, which has only the roles p, c and arc"
    ):
        compiled(label=(text,))
    with pytest.raises(
        ValueError, match="not for the pruner, which has only the roles p, c and arc"
    ):
        compiled(pruner=(text,))


@pytest.mark.parametrize("text", ["s.tag b.tag", "g.tag b.form c.tag", "g.tag s.tag b.tag"])
def test_refuses_tokens_between_in_further_parts(text: str):
    with pytest.raises(ValueError, match=r"b\.(tag|form)"):
        compile_one(text)


@pytest.mark.parametrize("text", ["l.tag", "c.tag r.form", "s.tag x.tag", "g.tag l.tag", "x.tag"])
def test_only_labels_of_trees_see_all_children(text: str):
    for group in ({"templates": (text,)}, {"label": (text,)}, {"pruner": (text,)}):
        with pytest.raises(ValueError, match="roles"):
            compiled(**group)


@pytest.mark.parametrize("text", ["l.tag r.tag", "c.tag x.tag l.tag", "b.tag", "s.tag c.tag"])
def test_labels_of_trees_see_one_kind_of_children(text: str):
    with pytest.raises(ValueError, match="roles that do not go together for tree_label"):
        compiled(tree_label=(text,))


def test_takes_all_attributes_of_tokens():
    """Each is read from its own column, once for all kinds of templates."""
    columns = {name: i for i, name in enumerate((*ATTRIBUTES, *TOKEN_ATTRIBUTES))}
    for name, column in columns.items():
        template = parse_template(f"c.{name}", roles=ROLES, attributes=[name])
        program = compile_templates([template], [template], [template], [template], columns)
        read = {
            role: [atoms for _, atoms in program.roles[i]] for i, role in enumerate(TOKEN_ROLES)
        }
        assert read == {role: [[(0, column)]] if role == "c" else [] for role in TOKEN_ROLES}
        for kind in ("arc", "label", "tree_label", "pruner"):
            assert program.templates[kind] == [template]


SETS = {**PARSER_SETS, **FAST_PARSER_SETS}


def test_fast_sets_are_parts_of_the_large_ones():
    assert set(FAST_ARCS) < set(ARCS)
    assert set(FAST_TREE_LABELS) < set(TREE_LABELS)


@pytest.mark.parametrize("name", sorted(SETS))
def test_sets_compile(name: str):
    columns = {name: i for i, name in enumerate((*ATTRIBUTES, *TOKEN_ATTRIBUTES))}
    known = {*columns, *ARC_ATTRIBUTES}
    templates = parse_templates(SETS[name], roles=ROLES, attributes=known)
    assert len(templates) == len(SETS[name]), "a template stands there twice"
    in_tree = "tree_label" in name
    program = compile_templates(
        [] if in_tree else templates, [], templates if in_tree else [], [], columns
    )
    assert sum(map(len, program.templates.values())) == len(templates)
