"""Sorts a parser's templates by the kind of part they describe, and splits them by role.

Roles: `p` is the head (parent), `c` the child, `s` the sibling between them, `g` the head's head,
`b` every token between head and child, `arc` the arc as a whole. A template with `s` describes
siblings, one with `g` grandparents, one with both grand-siblings, any other one arcs. Labels are
chosen last, when the tree is known. Their templates may also look at `g`, at `l` and `r` (every
child of the child to its left and right) and at `x` (every other child of the head).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from ...errors import Errors
from ...features.templates import Atom, Template

TOKEN_ROLES = ("p", "c", "s", "g", "b", "l", "r", "x")
# Roles that stand for any number of tokens; a template may have one of them.
BAG_ROLES = ("b", "l", "r", "x")
ROLES = (*TOKEN_ROLES, "arc")
# direction: which side of the head the child is on. distance: the same with a binned distance.
# punct, verbs: how many of them lie between, up to 3. guide: whether a guide has this arc.
ARC_ATTRIBUTES = ("direction", "distance", "punct", "verbs", "guide")
# What parts beyond arcs may look at.
PART_ARC_ATTRIBUTES = ("direction", "distance")
MAX_OFFSET = 3
_FIRST_TWIN, _SECOND_TWIN, _NO_TWIN = range(3)

Conjunct = tuple[int, list[tuple[int, int]]]


@dataclass(frozen=True)
class ParsingProgram:
    """Templates of a parser, compiled.

    roles (list[list[Conjunct]]): For each token role its conjuncts, as `RoleHashes` takes them.
    arc_conjuncts (list[tuple]): Seed and attribute numbers of each conjunct of the role `arc`.
    arc, between, sibling, grand, grand_sibling, label, tree_label, pruner (list[list[int]]): For
        each template, the number of its conjunct in each token role and in `arc`; 0 for none.
    n_arc_ends, n_label_ends (tuple[int, int]): How many templates look only at the head, which come
        first, and how many only at the child, which come next. They may also look at direction and
        distance (for labels: direction). Their features are the same for many arcs of a token.
    n_arc_twins (tuple[int, int, int]): How many pairs of twins there are, templates that differ
        only in `arc.direction` and `arc.distance`, among the templates of arcs that look only at
        the head, only at the child, and among the others. In each of these groups, twins with the
        direction come first, then twins with the distance, in the same order, then all other
        templates.
    templates (dict[str, list[Template]]): The templates of each of these kinds, in the same order.
    """

    roles: list[list[Conjunct]]
    arc_conjuncts: list[tuple[int, list[int]]]
    arc: list[list[int]]
    between: list[list[int]]
    sibling: list[list[int]]
    grand: list[list[int]]
    grand_sibling: list[list[int]]
    label: list[list[int]]
    tree_label: list[list[int]]
    pruner: list[list[int]]
    n_arc_ends: tuple[int, int]
    n_arc_twins: tuple[int, int, int]
    n_label_ends: tuple[int, int]
    templates: dict[str, list[Template]]


def kind_of(template: Template) -> str:
    """RETURNS (str): The kind of part that a template describes."""
    roles = {atom.role for atom in template.atoms}
    if "s" in roles:
        return "grand_sibling" if "g" in roles else "sibling"
    if "g" in roles:
        return "grand"
    return "between" if "b" in roles else "arc"


def compile_templates(
    templates: Sequence[Template],
    label_templates: Sequence[Template],
    tree_label_templates: Sequence[Template],
    pruner_templates: Sequence[Template],
    columns: Mapping[str, int],
    *,
    numbering: "Numbering | None" = None,
) -> ParsingProgram:
    """Compile a parser's templates.

    templates (Sequence[Template]): Templates of arcs and further parts.
    label_templates (Sequence[Template]): Templates of labelled arcs, for finding the tree.
    tree_label_templates (Sequence[Template]): Templates of labels in a tree that has been found.
    pruner_templates (Sequence[Template]): Templates of the pruner.
    columns (Mapping[str, int]): Column of each token attribute.
    numbering (Optional[Numbering]): Numbers of the conjuncts of other templates.
    RETURNS (ParsingProgram): The program.
    """
    kinds: dict[str, list[Template]] = {
        name: [] for name in ("arc", "between", "sibling", "grand", "grand_sibling")
    }
    for template in templates:
        kinds[kind_of(template)].append(template)
    for name, group in (("label", label_templates), ("pruner", pruner_templates)):
        for template in group:
            if kind_of(template) != "arc":
                raise ValueError(Errors.TEMPLATE_ARC_ONLY.format(text=template, kind=name))
        kinds[name] = list(group)
    kinds["tree_label"] = list(tree_label_templates)
    for name, group in kinds.items():
        for template in group:
            _check(template, name, columns)
    numbering = Numbering(columns) if numbering is None else numbering
    ends = {
        name: [_end(template, seen) for template in kinds[name]]
        for name, seen in (("arc", {"direction", "distance"}), ("label", {"direction"}))
    }
    twins = _twin_ranks(kinds["arc"])
    n_twins = Counter(
        end for end, (kind, _) in zip(ends["arc"], twins, strict=True) if kind == _FIRST_TWIN
    )
    ranks = {"arc": twins, "label": [(0, i) for i in range(len(kinds["label"]))]}
    for name, numbers in ends.items():
        order = sorted(range(len(numbers)), key=lambda i: (numbers[i], ranks[name][i]))
        kinds[name] = [kinds[name][i] for i in order]
    # Templates with the same conjunct of `b` stand together: they look at the same tokens.
    kinds["between"].sort(key=lambda template: str(numbering.atoms(template, "b")))
    rows = {name: [numbering(template) for template in group] for name, group in kinds.items()}
    return ParsingProgram(
        roles=numbering.roles,
        arc_conjuncts=numbering.arc_conjuncts,
        n_arc_ends=(ends["arc"].count(0), ends["arc"].count(1)),
        n_arc_twins=(n_twins[0], n_twins[1], n_twins[2]),
        n_label_ends=(ends["label"].count(0), ends["label"].count(1)),
        templates=kinds,
        **rows,
    )


def _end(template: Template, allowed: set[str]) -> int:
    """0 for a template that looks only at the head and some attributes of the arc, 1 for one that
    does so for the child, 2 for all others."""
    roles = {atom.role for atom in template.atoms} - {"arc"}
    seen = {atom.attribute for atom in template.atoms if atom.role == "arc"}
    if len(roles) == 1 and seen <= allowed:
        return 0 if roles == {"p"} else 1
    return 2


def _with_direction(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
    """Atoms with `arc.direction` in place of `arc.distance`: what twins have in common."""
    return tuple(
        replace(atom, attribute="direction") if atom.attribute == "distance" else atom
        for atom in atoms
    )


def _twin_ranks(templates: Sequence[Template]) -> list[tuple[int, int]]:
    """For each template, whether it is a first twin, a second twin or neither, and a number that
    twins share."""
    texts = [str(template) for template in templates]
    known = {text: i for i, text in reversed([*enumerate(texts)])}
    ranks = [(_NO_TWIN, i) for i in range(len(texts))]
    for i, template in enumerate(templates):
        first = known.get(str(Template(_with_direction(template.atoms))))
        if first is not None and first != i and known[texts[i]] == i:
            ranks[first], ranks[i] = (_FIRST_TWIN, first), (_SECOND_TWIN, first)
    return ranks


def _check(template: Template, kind: str, columns: Mapping[str, int]) -> None:
    further = kind in ("sibling", "grand", "grand_sibling")
    allowed = PART_ARC_ATTRIBUTES if further else ARC_ATTRIBUTES
    roles = {atom.role for atom in template.atoms}
    bags = roles & set(BAG_ROLES)
    in_tree = {"l", "r", "x"}
    wrong = roles & {"b", "s"} if kind == "tree_label" else roles & in_tree
    if further:
        wrong |= roles & {"b"}
    if len(bags) > 1 or wrong:
        raise ValueError(Errors.TEMPLATE_ROLES.format(text=template, kind=kind))
    for atom in template.atoms:
        if atom.role != "arc" and abs(atom.offset) > MAX_OFFSET:
            raise ValueError(
                Errors.TEMPLATE_OFFSET.format(atom=atom, text=template, limit=MAX_OFFSET)
            )
        # `guide` is an attribute of arcs and, if it has a column, of tokens.
        if atom.role == "arc":
            is_known = atom.attribute in allowed and not atom.offset
        else:
            is_known = atom.attribute in columns
        if not is_known:
            raise ValueError(Errors.TEMPLATE_ARC_ATTRIBUTE.format(atom=atom, text=template))


class Numbering:
    """Numbers the conjuncts of each role as templates ask for them.

    columns (Mapping[str, int]): Column of each token attribute.
    further_roles (Sequence[str]): Token roles beyond those of `TOKEN_ROLES`.
    """

    def __init__(self, columns: Mapping[str, int], further_roles: Sequence[str] = ()):
        self._columns = columns
        self._token_roles = (*TOKEN_ROLES, *further_roles)
        self._numbers: dict[str, dict[tuple[Atom, ...], int]] = {
            role: {} for role in (*self._token_roles, "arc")
        }

    def __call__(self, template: Template) -> list[int]:
        """RETURNS (list[int]): The template's conjunct in each of `ROLES`; 0 for none."""
        return [self.number(role, self.atoms(template, role)) for role in ROLES]

    def number(self, role: str, atoms: tuple[Atom, ...]) -> int:
        """RETURNS (int): The number of a role's conjunct, which is 0 without atoms."""
        numbers = self._numbers[role]
        return numbers.setdefault(atoms, len(numbers) + 1) if atoms else 0

    def atoms(self, template: Template, role: str) -> tuple[Atom, ...]:
        """RETURNS (tuple[Atom, ...]): The template's atoms of one role."""
        return tuple(atom for atom in template.atoms if atom.role == role)

    @property
    def roles(self) -> list[list[Conjunct]]:
        """RETURNS (list): The conjuncts of the token roles."""
        return [
            [
                (
                    conjunct_seed(atoms),
                    [(atom.offset, self._columns[atom.attribute]) for atom in atoms],
                )
                for atoms in self._numbers[role]
            ]
            for role in self._token_roles
        ]

    @property
    def arc_conjuncts(self) -> list[tuple[int, list[int]]]:
        """RETURNS (list): The conjuncts of the role `arc`. Those with a distance have the seed of
        those with a direction, so that their features lie side by side in the table."""
        return [
            (
                conjunct_seed(_with_direction(atoms)),
                [ARC_ATTRIBUTES.index(atom.attribute) for atom in atoms],
            )
            for atoms in self._numbers["arc"]
        ]


def conjunct_seed(atoms: tuple[Atom, ...]) -> int:
    """RETURNS (int): A 64-bit value that identifies a conjunct."""
    text = str(Template(atoms))
    return int.from_bytes(blake2b(text.encode("utf8"), digest_size=8).digest(), "little")
