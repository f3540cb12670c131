"""What the templates of an incremental parser ask for."""

from ....decode.constituents.incremental.generative import CONTEXTS
from ....decode.constituents.incremental.program import IncrementalProgram, compile_program, parse
from ....errors import Errors
from ....features.attributes import WORD_ATTRIBUTES, word_attribute_names
from ....features.known_words import KNOWN_WORD_ATTRIBUTES
from ..columns import TOKEN_ATTRIBUTES
from .settings import IncrementalSettings


def compile_templates(
    settings: IncrementalSettings,
) -> tuple[IncrementalProgram, list[str], list[str]]:
    """Compile the templates.

    settings (IncrementalSettings): The settings.
    RETURNS (tuple): The program, and the attributes of words and of readings that it needs.
    """
    if not settings.templates and not settings.log_weight:
        raise ValueError(Errors.TEMPLATES_NONE)
    known = {*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES}
    more = KNOWN_WORD_ATTRIBUTES if settings.log_weight else ()
    contexts = parse(CONTEXTS, {*known, *more}) if more else []
    nodes, words = parse(settings.templates, known), parse(settings.word_templates, known)
    used = {atom.attribute for template in [*nodes, *words] for atom in template.atoms}
    names = word_attribute_names(used)
    columns = [name for name in TOKEN_ATTRIBUTES if name in {"tag", *used}]
    numbers = {name: column for column, name in enumerate([*names, *more, *columns])}
    return compile_program(nodes, words, numbers, contexts=contexts), names, columns
