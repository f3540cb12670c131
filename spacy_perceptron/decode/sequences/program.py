"""Sorts a tagger's templates into the groups of `TaggingScorer` and numbers their atoms."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...errors import Errors
from ...features.templates import Atom, Template

# Roles and dynamic attributes a tagging template may use.
ROLES = ("w",)
DYNAMIC_ATTRIBUTES = ("tag",)
# Word attributes that tell (nearly) every word from all others.
IDENTITY_ATTRIBUTES = ("orth", "lower", "folded")
# How far the scorer looks: words and tags.
MAX_WORD_OFFSET = 5
MAX_TAG_OFFSET = 2


@dataclass(frozen=True)
class TaggingProgram:
    """Templates of a tagger, compiled.

    templates (list[Template]): The templates in the order of feature ids: lexical, joint, dynamic.
    group_offsets (list[int]): Window places of the lexical groups.
    group_starts (list[int]): First template of each group, and finally their number.
    joint_values, dynamic_values (list): (offset, column) of each atom; column -1 is the tag.
    is_identity (list[bool]): For each template, whether it sees which word is being tagged.
    n_tag_only (int): How many dynamic templates, the first ones, look at tags alone.
    local (bool): Whether no dynamic template looks at a word other than the one to tag.
    *_seeds, *_atoms (list): What `FeatureProgram` takes.
    """

    templates: list[Template]
    group_offsets: list[int]
    group_starts: list[int]
    lexical_seeds: list[int]
    lexical_atoms: list[list[int]]
    joint_values: list[tuple[int, int]]
    joint_seeds: list[int]
    joint_atoms: list[list[int]]
    dynamic_values: list[tuple[int, int]]
    is_identity: list[bool]
    n_tag_only: int
    local: bool
    dynamic_seeds: list[int]
    dynamic_atoms: list[list[int]]


def compile_templates(
    templates: Sequence[Template],
    columns: Mapping[str, int],
    *,
    dynamic_attributes: Collection[str] = DYNAMIC_ATTRIBUTES,
) -> TaggingProgram:
    """Compile a tagger's templates.

    templates (Sequence[Template]): The templates.
    columns (Mapping[str, int]): Column of each word attribute in the lexeme table.
    dynamic_attributes (Collection[str]): Names for the tags that the search gives.
    RETURNS (TaggingProgram): The program.
    """
    groups: dict[int, list[Template]] = {}
    joint: list[Template] = []
    dynamic: list[Template] = []
    for template in templates:
        _check_offsets(template, dynamic_attributes)
        offsets = {atom.offset for atom in template.atoms}
        if any(atom.attribute in dynamic_attributes for atom in template.atoms):
            dynamic.append(template)
        elif len(offsets) == 1:
            groups.setdefault(offsets.pop(), []).append(template)
        else:
            joint.append(template)
    group_offsets = sorted(groups)
    lexical = [template for offset in group_offsets for template in groups[offset]]
    group_starts = [0]
    for offset in group_offsets:
        group_starts.append(group_starts[-1] + len(groups[offset]))
    tag_only = [t for t in dynamic if all(a.attribute in dynamic_attributes for a in t.atoms)]
    dynamic = [*tag_only, *(template for template in dynamic if template not in tag_only)]
    joint_values, joint_atoms = _number_atoms(joint, columns)
    dynamic_values, dynamic_atoms = _number_atoms(dynamic, columns)
    ordered = [*lexical, *joint, *dynamic]
    return TaggingProgram(
        templates=ordered,
        is_identity=[_is_identity(template) for template in ordered],
        group_offsets=group_offsets,
        group_starts=group_starts,
        lexical_seeds=[template.seed for template in lexical],
        lexical_atoms=[[columns[atom.attribute] for atom in t.atoms] for t in lexical],
        joint_values=joint_values,
        joint_seeds=[template.seed for template in joint],
        joint_atoms=joint_atoms,
        dynamic_values=dynamic_values,
        n_tag_only=len(tag_only),
        local=all(offset == 0 for offset, column in dynamic_values if column >= 0),
        dynamic_seeds=[template.seed for template in dynamic],
        dynamic_atoms=dynamic_atoms,
    )


def _is_identity(template: Template) -> bool:
    return any(
        atom.offset == 0 and atom.attribute in IDENTITY_ATTRIBUTES for atom in template.atoms
    )


def _check_offsets(template: Template, dynamic_attributes: Collection[str]) -> None:
    for atom in template.atoms:
        is_tag = atom.attribute in dynamic_attributes
        limit = MAX_TAG_OFFSET if is_tag else MAX_WORD_OFFSET
        if abs(atom.offset) > limit or (is_tag and atom.offset == 0):
            raise ValueError(Errors.TEMPLATE_OFFSET.format(atom=atom, text=template, limit=limit))


def _number_atoms(
    templates: Sequence[Template], columns: Mapping[str, int]
) -> tuple[list[tuple[int, int]], list[list[int]]]:
    numbers: dict[tuple[int, int], int] = {}

    def number(atom: Atom) -> int:
        value = (atom.offset, columns.get(atom.attribute, -1))
        return numbers.setdefault(value, len(numbers))

    atoms = [[number(atom) for atom in template.atoms] for template in templates]
    return list(numbers), atoms
