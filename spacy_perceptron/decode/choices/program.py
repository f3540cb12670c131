"""Puts templates of single words into the order in which `Choosing` runs them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...errors import Errors
from ...features.templates import Template

# The only role: the word to choose a class for.
ROLES = ("w",)
# Attributes that tell (nearly) every word from all others.
IDENTITY_ATTRIBUTES = ("orth", "lower", "folded")


@dataclass(frozen=True)
class ChoiceProgram:
    """Templates of single words, compiled.

    templates (list[Template]): The templates in the order of feature ids. Those that see which word
        it is come last.
    n_visible (int): How many, the first ones, are left of a hidden word.
    seeds, atoms (list): What `FeatureProgram` takes.
    """

    templates: list[Template]
    n_visible: int
    seeds: list[int]
    atoms: list[list[int]]


def compile_templates(templates: Sequence[Template], columns: Mapping[str, int]) -> ChoiceProgram:
    """Compile templates of single words.

    templates (Sequence[Template]): The templates.
    columns (Mapping[str, int]): Column of each attribute in the lexeme table.
    RETURNS (ChoiceProgram): The program.
    """
    for template in templates:
        for atom in template.atoms:
            if atom.offset:
                raise ValueError(Errors.TEMPLATE_ALONE.format(atom=atom, text=template))
    visible = [template for template in templates if not _is_identity(template)]
    ordered = [*visible, *(template for template in templates if _is_identity(template))]
    return ChoiceProgram(
        templates=ordered,
        n_visible=len(visible),
        seeds=[template.seed for template in ordered],
        atoms=[[columns[atom.attribute] for atom in template.atoms] for template in ordered],
    )


def _is_identity(template: Template) -> bool:
    return any(atom.attribute in IDENTITY_ATTRIBUTES for atom in template.atoms)
