"""Compiles the templates of an incremental parser to numbers.

An event happens at an open node `n` of the right edge, before the next word `q`: `n` is closed, or
gets a child, or its last child gets a new parent. Roles of nodes: `n` itself, its parent `p` and
grandparent `g`; `c`, `d` and `e`, the last children of `n`, from right to left; `s`, the sibling to
the left of `n`, and `t`, that of `p`. The attribute `label` is the symbol of a node; all others are
those of its head word. Further roles of words: `q`, `nb` and `cb`, the first words of `n` and `c`,
and `k`, the head word that c-commands the next child of `n`. Offsets count words: `nb-1.tag` is the
tag of the word before `n`.

Numbers: `n.size`, its children so far; `n.length` and `c.length`, words in bins; `n.depth`, open
nodes up to the root; `q.closed`, how many nodes were closed before this event in the same step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....errors import Errors
from ....features.templates import Atom, Template, parse_templates

# In the order in which the compiled code numbers them.
LABEL_ROLES = ("n", "p", "g", "c", "d", "e", "s", "t")
WORD_ROLES = ("n", "p", "g", "c", "d", "s", "q", "nb", "cb", "k")
NUMBERS = ("n.size", "n.length", "c.length", "n.depth", "q.closed")
ROLES = tuple(dict.fromkeys((*LABEL_ROLES, *WORD_ROLES)))
TREE_ATTRIBUTES = ("label", *dict.fromkeys(text.split(".")[1] for text in NUMBERS))
MAX_OFFSET = 4
# Kinds of atoms.
LABEL, NUMBER, WORD = range(3)


@dataclass(frozen=True)
class IncrementalProgram:
    """Templates, compiled.

    atoms (list): Kind, role or number, offset and column of each atom that is used.
    nodes, words (list): Seed and atom numbers of each template: those of all events but the last
        of a word, and those of the word under its tag.
    templates (dict[str, list[Template]]): The templates behind `nodes` and `words`.
    """

    atoms: list[tuple[int, int, int, int]]
    nodes: list[tuple[int, list[int]]]
    words: list[tuple[int, list[int]]]
    templates: dict[str, list[Template]]


def parse(texts: Iterable[str], attributes: Iterable[str]) -> list[Template]:
    """Read templates.

    texts (Iterable[str]): Their texts.
    attributes (Iterable[str]): The attributes that words have.
    RETURNS (list[Template]): The templates.
    """
    texts = list(texts)
    if not texts:
        return []
    return parse_templates(texts, roles=ROLES, attributes={*attributes, *TREE_ATTRIBUTES})


def compile_program(
    nodes: Sequence[Template], words: Sequence[Template], columns: Mapping[str, int]
) -> IncrementalProgram:
    """Compile templates.

    nodes, words (Sequence[Template]): Templates of nodes and of words under their tags.
    columns (Mapping[str, int]): Column of each word attribute.
    RETURNS (IncrementalProgram): The program.
    """
    numbers: dict[tuple[int, int, int, int], int] = {}

    def compile_all(templates: Sequence[Template]) -> list[tuple[int, list[int]]]:
        return [
            (
                template.seed,
                [
                    numbers.setdefault(_compile(atom, template, columns), len(numbers))
                    for atom in template.atoms
                ],
            )
            for template in templates
        ]

    compiled = compile_all(nodes), compile_all(words)
    return IncrementalProgram(
        list(numbers), *compiled, {"nodes": list(nodes), "words": list(words)}
    )


def _compile(
    atom: Atom, template: Template, columns: Mapping[str, int]
) -> tuple[int, int, int, int]:
    if abs(atom.offset) > MAX_OFFSET:
        raise ValueError(Errors.TEMPLATE_OFFSET.format(atom=atom, text=template, limit=MAX_OFFSET))
    if atom.attribute == "label" and atom.role in LABEL_ROLES and not atom.offset:
        return LABEL, LABEL_ROLES.index(atom.role), 0, 0
    if str(atom) in NUMBERS:
        return NUMBER, NUMBERS.index(str(atom)), 0, 0
    if atom.role in WORD_ROLES and atom.attribute in columns:
        return WORD, WORD_ROLES.index(atom.role), atom.offset, columns[atom.attribute]
    raise ValueError(Errors.INCREMENTAL_ATOM.format(atom=atom, text=template))
