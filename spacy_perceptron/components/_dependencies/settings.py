"""Settings of components as dataclasses: named, typed and described once."""

import dataclasses
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ...errors import Errors

# What spaCy is told of every dependency parser.
PARSER_META: dict[str, Any] = {
    "assigns": ["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    "requires": ["token.tag"],
    "default_score_weights": {
        "dep_uas": 0.0,
        "dep_las": 1.0,
        "dep_las_per_type": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
}

Factory = TypeVar("Factory", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class ParserSettings:
    """What can be set of every dependency parser.

    adaptive (bool): Make each weight's steps smaller the more it has moved.
    dropout (Optional[float]): Share of features left out at random in training. None: what
        `update` is told, which `spacy train` tells all components alike.
    guide (bool): Take heads and labels that are already there for features.
    guide_dropout (float): Share of training sentences, drawn at random, in which the guide is
        hidden. Else its few strong features keep the others from being learned.
    confidence (bool): Whether to set `token._.head_confidence`, which takes a little time.
    nbest (int): Number of best trees to keep in `doc._.nbest[name]`; 0 for none.
    seed (int): Seed of the order of examples and of dropout.
    """

    adaptive: bool
    dropout: float | None
    guide: bool
    guide_dropout: float
    confidence: bool
    nbest: int
    seed: int

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, with the way out."""
        self._check_least("nbest", 0)
        if not 0 <= self.guide_dropout <= 1:
            raise ValueError(Errors.GUIDE_DROPOUT.format(value=self.guide_dropout))

    def _check_choice(self, setting: str, choices: Sequence[Any]) -> None:
        value = getattr(self, setting)
        if value not in choices:
            names = ", ".join(map(repr, choices))
            raise ValueError(
                Errors.PARSER_CHOICE.format(setting=setting, choices=names, value=value)
            )

    def _check_least(self, setting: str, least: float) -> None:
        value = getattr(self, setting)
        if value < least:
            raise ValueError(
                Errors.PARSER_AT_LEAST.format(setting=setting, least=least, value=value)
            )


def takes_settings(settings: type) -> Callable[[Factory], Factory]:
    """Let a factory that collects its settings in `**settings` say which ones there are: spaCy
    checks configs against the signature.

    settings (type): A dataclass.
    RETURNS (Callable): The decorator.
    """

    def decorate(factory: Factory) -> Factory:
        signature = inspect.signature(factory)
        named = [
            parameter
            for parameter in signature.parameters.values()
            if parameter.kind is not parameter.VAR_KEYWORD
        ]
        more = [
            inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, annotation=field.type)
            for field in dataclasses.fields(settings)
        ]
        factory.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*named, *more]
        )
        return factory

    return decorate
