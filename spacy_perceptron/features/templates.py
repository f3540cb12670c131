"""Feature templates: text in a config -> atoms -> integers for the compiled extractor.

A template names the parts that one feature conjoins, such as `"w-1.tag w.lower"`: the tag of the
word before, joined with the lower-cased word itself. Each part is an atom `role[offset].attribute`;
the decoder defines the roles. `explain` shows the same text.
"""

import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..errors import Errors
from .attributes import is_attribute

_ATOM = re.compile(
    r"^(?P<role>[a-z]+2?(\[[a-z]+2?\])?)(?P<offset>[+-]\d+)?\."
    r"(?P<attribute>([a-z_]+\.(?=cluster))?[a-z_]+\d*)$"
)


@dataclass(frozen=True)
class Atom:
    """One attribute of one token of the context.

    role (str): The decoder's name for a token, for example `w`, the word being tagged, or `p[lc]`,
        the leftmost child of a head.
    offset (int): Distance from that token, in words.
    attribute (str): Name of a word attribute, or of one that decoding sets, such as `tag`.
    """

    role: str
    offset: int
    attribute: str

    def __str__(self) -> str:
        offset = f"{self.offset:+d}" if self.offset else ""
        return f"{self.role}{offset}.{self.attribute}"


@dataclass(frozen=True)
class Template:
    """A conjunction of atoms."""

    atoms: tuple[Atom, ...]

    def __str__(self) -> str:
        return " ".join(str(atom) for atom in self.atoms)

    @property
    def seed(self) -> int:
        """A 64-bit value that tells this template's features from all others."""
        return int.from_bytes(
            hashlib.blake2b(str(self).encode("utf8"), digest_size=8).digest(), "little"
        )


def parse_template(text: str, *, roles: Collection[str], attributes: Collection[str]) -> Template:
    """Read one template.

    text (str): Atoms, separated by spaces.
    roles (Collection[str]): Role names the decoder knows.
    attributes (Collection[str]): Known attribute names.
    RETURNS (Template): The template.
    """
    atoms = []
    for part in text.split():
        match = _ATOM.match(part)
        if match is None:
            raise ValueError(Errors.TEMPLATE_SYNTAX.format(part=part, text=text))
        role, attribute = match["role"], match["attribute"]
        if role not in roles:
            raise ValueError(
                Errors.TEMPLATE_ROLE.format(role=role, text=text, known=", ".join(sorted(roles)))
            )
        if not is_attribute(attribute, attributes):
            raise ValueError(
                Errors.TEMPLATE_ATTRIBUTE.format(
                    attribute=attribute, text=text, known=", ".join(sorted(attributes))
                )
            )
        atoms.append(Atom(role, int(match["offset"] or 0), attribute))
    if not atoms:
        raise ValueError(Errors.TEMPLATE_EMPTY)
    return Template(tuple(atoms))


def parse_templates(
    texts: Iterable[str], *, roles: Collection[str], attributes: Collection[str]
) -> list[Template]:
    """Read templates, dropping repetitions and keeping the order.

    texts (Iterable[str]): Template texts.
    roles (Collection[str]): Role names the decoder knows.
    attributes (Collection[str]): Known attribute names.
    RETURNS (list[Template]): The templates.
    """
    templates = dict.fromkeys(
        parse_template(text, roles=roles, attributes=attributes) for text in texts
    )
    if not templates:
        raise ValueError(Errors.TEMPLATES_NONE)
    return list(templates)


def fingerprint(templates: Iterable[Template]) -> str:
    """Tell sets of templates apart; their order makes no difference to what weights mean.

    templates (Iterable[Template]): The templates.
    RETURNS (str): How many there are, and a digest of their texts.
    """
    texts = sorted(str(template) for template in templates)
    digest = hashlib.blake2b("\n".join(texts).encode("utf8"), digest_size=8).hexdigest()
    return f"{len(texts)} templates, {digest}"
