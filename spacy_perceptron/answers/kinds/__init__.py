"""The kinds of answers: tags, entities, dependency trees and constituents.

A new kind is a class that has all that `AnswerKind` asks for, and a place in `KINDS`. Everything
else works on any of them: candidates, n-best lists, tables and pages, scorers, the reranker.
"""

from functools import lru_cache

from .base import (
    DEFAULT_OPTIONS,
    Annotation,
    AnswerKind,
    Counts,
    Description,
    KindOptions,
    PlainData,
)
from .boundaries import BoundaryAnswers
from .dependencies import DependencyAnswers
from .entities import EntityAnswers
from .mistakes import Mistake
from .mixed import MixedAnswers, NoAnswers
from .spans import SpanAnswers
from .tags import MorphAnswers, TagAnswers

__all__ = [
    "KINDS",
    "Annotation",
    "AnswerKind",
    "BoundaryAnswers",
    "Counts",
    "DependencyAnswers",
    "Description",
    "EntityAnswers",
    "KindOptions",
    "Mistake",
    "MixedAnswers",
    "MorphAnswers",
    "NoAnswers",
    "PlainData",
    "SpanAnswers",
    "TagAnswers",
    "find_kind",
]

# Kinds with names of their own, the most telling first. Any other name is a token attribute.
KINDS: tuple[type[AnswerKind], ...] = (
    DependencyAnswers,
    SpanAnswers,
    EntityAnswers,
    BoundaryAnswers,
)

# How many kinds are kept: names can be any that a component or a user comes up with.
MAX_KINDS = 256


def find_kind(annotation: Annotation, options: KindOptions = DEFAULT_OPTIONS) -> AnswerKind:
    """The kind of an answer.

    annotation (Annotation): The answer.
    options (KindOptions): How to compare such answers.
    RETURNS (AnswerKind): The kind.
    """
    return _find_kind(tuple(annotation), options)


@lru_cache(maxsize=MAX_KINDS)
def _find_kind(names: tuple[str, ...], options: KindOptions) -> AnswerKind:
    found: list[AnswerKind] = []
    for make in KINDS:
        if make.own_names[0] in names:
            found.append(make([name for name in names if name in make.own_names], options))
    named = {name for kind in found for name in kind.names}
    for name in names:
        if name not in named:
            make_tags = MorphAnswers if name in MorphAnswers.own_names else TagAnswers
            found.append(make_tags([name], options))
    if not found:
        return NoAnswers(names, options)
    if len(found) == 1:
        return found[0]
    return MixedAnswers(names, sorted(found, key=lambda kind: names.index(kind.names[0])), found[0])
