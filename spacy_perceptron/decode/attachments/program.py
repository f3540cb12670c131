"""Sorts the templates of an easy-first parser by what they look at, and splits them by role.

An action attaches the root `c` of a partial tree to the root `p` of its neighbour in the list of
partial trees. Other roles: `left`, `left2`, `right` and `right2` are the roots of the next partial
trees before and after the pair; `p[lc]`, `left[rc]` and so on are outermost children; `c[rc2]` and
so on are the second outermost children of the pair; `s` is the sibling that `c` will be next to,
p's outermost child on that side; `b` is every token between `p` and `c`; `arc` is the arc as a
whole. Offsets count words: `left+1.tag` is the tag of the word after `left`.

Templates are kept in groups, so that only those are scored again that an action affects: `arc` and
`between` never change, `own` changes with the children of the pair, `left` and `right` with the
trees on one side of it, `mixed` with several of these.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...errors import Errors
from ...features.templates import Atom, Template
from ..arcs.program import (
    ARC_ATTRIBUTES,
    MAX_OFFSET,
    TOKEN_ROLES,
    Numbering,
    ParsingProgram,
    compile_templates,
    conjunct_seed,
)

FURTHER_ROLES = (
    "left",
    "left2",
    "right",
    "right2",
    "p[lc]",
    "p[rc]",
    "c[lc]",
    "c[rc]",
    "left[lc]",
    "left[rc]",
    "right[lc]",
    "right[rc]",
    "p[lc2]",
    "p[rc2]",
    "c[lc2]",
    "c[rc2]",
)
ATTACHMENT_ROLES = ("p", "c", "s", "b", *FURTHER_ROLES, "arc")
# Attributes of a partial tree: how many children its root has on each side, up to 4, and how many
# words it has, in bins.
TREE_ATTRIBUTES = ("lefts", "rights", "span")
# The roles that have these attributes.
TREE_ROLES = ("p", "c", "left", "right")
# What can add to a feature, in the order in which the compiled code numbers it.
SOURCES = (*TOKEN_ROLES, *FURTHER_ROLES, "arc", *(f"{role} tree" for role in TREE_ROLES))
GROUPS = ("own", "left", "right", "mixed")
_STATIC_ROLES = {"p", "c", "b", "arc"}
# The most terms of a template that the compiled code has room for.
MAX_TERMS = 6


@dataclass(frozen=True)
class GroupProgram:
    """Templates that are scored together.

    sources, numbers (list[int]): The terms of their features: places in `SOURCES`, in rising order,
        and numbers of conjuncts.
    rows (list[list[int]]): For each template, `MAX_TERMS` places in these lists, from 1 on; 0 for
        none.
    """

    sources: list[int]
    numbers: list[int]
    rows: list[list[int]]


@dataclass(frozen=True)
class AttachmentProgram:
    """Templates of an easy-first parser, compiled.

    parts (ParsingProgram): Templates of arcs and of labels in a tree, with the roles of
        `TOKEN_ROLES` and `FURTHER_ROLES`.
    tree_conjuncts (list): Seed and attribute numbers of each conjunct of `TREE_ATTRIBUTES`.
    groups (list[GroupProgram]): Templates in the order of `GROUPS`.
    looks_beyond (bool): Whether any template has `left2` or `right2`.
    templates (dict[str, list[Template]]): The templates of each group, and of `arc` and `between`,
        in the order of their numbers.
    """

    parts: ParsingProgram
    tree_conjuncts: list[tuple[int, list[int]]]
    groups: list[GroupProgram]
    looks_beyond: bool
    templates: dict[str, list[Template]]


def compile_attachments(
    templates: Sequence[Template],
    tree_label_templates: Sequence[Template],
    columns: Mapping[str, int],
) -> AttachmentProgram:
    """Compile an easy-first parser's templates.

    templates (Sequence[Template]): Templates of actions.
    tree_label_templates (Sequence[Template]): Templates of labels in a tree that has been found.
    columns (Mapping[str, int]): Column of each token attribute.
    RETURNS (AttachmentProgram): The program.
    """
    kinds: dict[str, list[Template]] = {name: [] for name in ("static", *GROUPS)}
    for template in templates:
        _check(template, columns)
        kinds[group_of(template)].append(template)
    numbering = Numbering(columns, FURTHER_ROLES)
    trees: dict[tuple[Atom, ...], int] = {}
    groups = [_compile_group(kinds[name], numbering, trees) for name in GROUPS]
    parts = compile_templates(
        kinds["static"], [], tree_label_templates, [], columns, numbering=numbering
    )
    beyond = {"left2", "right2"}
    return AttachmentProgram(
        parts=parts,
        tree_conjuncts=[
            (conjunct_seed(atoms), [TREE_ATTRIBUTES.index(atom.attribute) for atom in atoms])
            for atoms in trees
        ],
        groups=groups,
        looks_beyond=any(atom.role in beyond for t in templates for atom in t.atoms),
        templates={
            "arc": parts.templates["arc"],
            "between": parts.templates["between"],
            **{name: kinds[name] for name in GROUPS},
        },
    )


def group_of(template: Template) -> str:
    """RETURNS (str): The group of a template, `static` for one of arcs."""
    roles = {atom.role for atom in template.atoms}
    sides = {side for side in ("left", "right") if any(r.startswith(side) for r in roles)}
    own = any(
        atom.attribute in TREE_ATTRIBUTES and atom.role in ("p", "c") for atom in template.atoms
    )
    own = own or any(role == "s" or role.startswith(("p[", "c[")) for role in roles)
    if not sides:
        return "own" if own else "static"
    return "mixed" if own or len(sides) > 1 else sides.pop()


def _check(template: Template, columns: Mapping[str, int]) -> None:
    roles = {atom.role for atom in template.atoms}
    is_static = group_of(template) == "static" and roles <= _STATIC_ROLES
    if not roles <= set(ATTACHMENT_ROLES) or ("b" in roles and not is_static):
        raise ValueError(Errors.ATTACHMENT_ROLES.format(text=template))
    n_terms = len({(atom.role, atom.attribute in TREE_ATTRIBUTES) for atom in template.atoms})
    if n_terms > MAX_TERMS:
        raise ValueError(Errors.ATTACHMENT_TERMS.format(text=template, limit=MAX_TERMS))
    for atom in template.atoms:
        if abs(atom.offset) > MAX_OFFSET:
            raise ValueError(
                Errors.TEMPLATE_OFFSET.format(atom=atom, text=template, limit=MAX_OFFSET)
            )
        if atom.role == "arc":
            is_known = atom.attribute in ARC_ATTRIBUTES and not atom.offset
        elif atom.attribute in TREE_ATTRIBUTES:
            is_known = atom.role in TREE_ROLES and not atom.offset
        else:
            is_known = atom.attribute in columns
        if not is_known:
            raise ValueError(Errors.ATTACHMENT_ATTRIBUTE.format(atom=atom, text=template))


def _compile_group(
    templates: Sequence[Template], numbering: Numbering, trees: dict[tuple[Atom, ...], int]
) -> GroupProgram:
    """Number the terms of a group's templates.

    trees (dict): Numbers of the conjuncts of tree attributes so far; new ones are added.
    """
    terms = [_terms(template, numbering, trees) for template in templates]
    leaves = sorted({term for row in terms for term in row})
    places = {leaf: place for place, leaf in enumerate(leaves, 1)}
    rows = [[places[term] for term in row] for row in terms]
    return GroupProgram(
        sources=[source for source, _ in leaves],
        numbers=[number for _, number in leaves],
        rows=[row + [0] * (MAX_TERMS - len(row)) for row in rows],
    )


def _terms(
    template: Template, numbering: Numbering, trees: dict[tuple[Atom, ...], int]
) -> list[tuple[int, int]]:
    """The terms of a template: their sources and conjuncts."""
    found = []
    for role in dict.fromkeys(atom.role for atom in template.atoms):
        atoms = numbering.atoms(template, role)
        of_tree = tuple(a for a in atoms if role != "arc" and a.attribute in TREE_ATTRIBUTES)
        of_token = tuple(atom for atom in atoms if atom not in of_tree)
        if of_token:
            found.append((SOURCES.index(role), numbering.number(role, of_token)))
        if of_tree:
            number = trees.setdefault(of_tree, len(trees) + 1)
            found.append((SOURCES.index(f"{role} tree"), number))
    return found
