"""Takes a recognizer's decision about one token apart into the weights of its features."""

from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc, Token

from ...answers.explanation import Explanation
from ...errors import Errors
from ...features.attributes import ATTRIBUTES
from ...features.templates import Atom, Template
from ...features.token_attributes import CASINGS, FIRST_VALUE
from .._sequences.explanation import CONTEXT_OFFSETS, take_apart

if TYPE_CHECKING:
    from ..perceptron_ner import PerceptronNer


def explain_entity_tag(pipe: "PerceptronNer", doc: Doc, i: int) -> Explanation:
    """Explain the tag of one token, in the context of tags in which it was chosen.

    pipe (PerceptronNer): The component.
    doc (Doc): The doc.
    i (int): Index of the token.
    RETURNS (Explanation): The decision, feature by feature.
    """
    if not -len(doc) <= i < len(doc):
        raise IndexError(Errors.EXPLAIN_INDEX.format(i=i, n=len(doc)))
    i %= len(doc)
    decoder = pipe._get_decoder()
    read = pipe._read([doc])
    if not read.words.is_word[i]:
        raise ValueError(Errors.EXPLAIN_SPACE.format(i=i))
    index = int(read.words.places()[i])
    at, given = next(found for found in read.sentences() if found[0].stop > index)
    position = index - at.start
    names = pipe._tags.names
    if given is not None and given[position] >= 0:
        tag = names[given[position]]
        return Explanation(doc[i].text, tag, tag, 0.0, 0.0, 0, [])
    tokens = [token for token in doc if read.words.is_word[token.i]][at]

    def describe(template: Template, context: tuple[int, ...]) -> str:
        return " ".join(
            _describe(atom, tokens, position, context, names, read.values[at], pipe)
            for atom in template.atoms
        )

    rows = pipe._reader.rows(read.words.orths[at], read.values[at])
    found = take_apart(
        decoder, pipe._program.templates, rows, position, pipe.beam_width, given, describe
    )
    return found.explain(doc[i].text, names)


def _describe(
    atom: Atom,
    tokens: list[Token],
    position: int,
    context: tuple[int, ...],
    names: list[str],
    values: np.ndarray,
    pipe: "PerceptronNer",
) -> str:
    """What one atom saw, as text."""
    at = position + atom.offset
    if not 0 <= at < len(tokens):
        return "<outside>"
    if atom.attribute == "ent":
        code = context[CONTEXT_OFFSETS.index(atom.offset)]
        return names[code - 1] if code else "<untagged>"
    if atom.attribute in ATTRIBUTES:
        return str(ATTRIBUTES[atom.attribute](tokens[at].text))
    if atom.attribute in ("tag", "pos"):
        return getattr(tokens[at], f"{atom.attribute}_") or "<none>"
    value = int(values[at, pipe._reader.token_names.index(atom.attribute)])
    if atom.attribute == "casing":
        return CASINGS[value - FIRST_VALUE]
    return "<none>" if value == FIRST_VALUE else tokens[at].vocab.strings[value]
