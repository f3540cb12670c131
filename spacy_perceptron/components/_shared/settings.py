"""Settings of components, each declared once: name, type, range, default and one line of
documentation.

The defaults of a factory's config, its arguments, the checks with their messages and the tables in
the docs all come from these dataclasses.
"""

import inspect
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

import srsly

from ...values import N_THREADS, SEED, WIDTH, Values

Factory = TypeVar("Factory", bound=Callable[..., Any])


def setting(default: Any, doc: str, **limits: Any) -> Any:
    """Declare a setting as a field of a dataclass.

    default (Any): The default.
    doc (str): What it does: one line of Markdown for the component's page in the docs.
    **limits: Those of `Values`, beyond the type, which is the annotation.
    RETURNS (Any): The field.
    """
    metadata = {"default": default, "doc": doc, "limits": limits}
    return field(default_factory=lambda: deepcopy(default), metadata=metadata)


def templates_setting(sets: Sequence[str], doc: str) -> Any:
    """Declare a list of feature templates, which configs make from named sets.

    sets (Sequence[str]): The sets of the default.
    doc (str): What they score: one line of Markdown.
    RETURNS (Any): The field; in Python it has no default.
    """
    block = {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": [*sets],
        "extra": [],
        "without": [],
        "clusters": [],
    }
    return field(metadata={"default": block, "doc": doc})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What can be set of a component. Values that make no sense are refused."""

    # The name of the component's factory.
    factory: ClassVar[str] = ""

    nbest: int = setting(
        0,
        "number of best answers to keep in `doc._.nbest[name]`; 0 for none",
        at_least=0,
        at_most=WIDTH.at_most,
    )
    n_threads: int = setting(
        1, "threads that work on a batch at once; 0 for one per core", **N_THREADS.limits
    )
    seed: int = setting(0, "seed of all that is random in training", **SEED.limits)

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        for item in fields(self):
            values_of(item).check(item.name, getattr(self, item.name), of=self.factory)


def own_first(settings: type[Settings]) -> list[Field]:
    """RETURNS (list[Field]): The settings of a component, those that it shares with others last."""
    declared = {item.name: item for item in fields(settings)}
    names = [name for owner in settings.__mro__ for name in inspect.get_annotations(owner)]
    return [declared[name] for name in dict.fromkeys(names) if name in declared]


def values_of(item: Field) -> Values:
    """RETURNS (Values): The values that a setting may have."""
    return Values(item.type, **item.metadata.get("limits", {}))


def default_config(
    settings: type[Settings], *, model: str | dict[str, Any], scorer: str
) -> dict[str, Any]:
    """The defaults of a factory.

    settings (type[Settings]): Its settings.
    model (Union[str, dict]): The name of its model architecture, or a block with other values than
        the defaults of the architecture.
    scorer (str): The name of its scorer.
    RETURNS (dict): The config.
    """
    return {
        "model": {"@architectures": model} if isinstance(model, str) else model,
        **{item.name: item.metadata["default"] for item in own_first(settings)},
        "scorer": {"@scorers": scorer},
    }


def takes_settings(settings: type[Settings]) -> Callable[[Factory], Factory]:
    """Let a factory that collects its settings in `**settings` say which ones there are: spaCy
    checks configs against the signature.

    settings (type[Settings]): Its settings.
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
            inspect.Parameter(item.name, inspect.Parameter.KEYWORD_ONLY, annotation=item.type)
            for item in own_first(settings)
        ]
        factory.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*named, *more]
        )
        return factory

    return decorate


def settings_table(settings: type[Settings]) -> str:
    """RETURNS (str): The settings of a component as a Markdown table."""
    lines = ["| setting | default | values | meaning |", "|---|---|---|---|"]
    for item in own_first(settings):
        values = values_of(item).describe(_code)
        row = [f"`{item.name}`", _describe_default(item), values, item.metadata["doc"]]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def _describe_default(item: Field) -> str:
    default = item.metadata["default"]
    if isinstance(default, dict) and "sets" in default:
        return ", ".join(f"`{name}`" for name in default["sets"]) or "none"
    return _code(default)


def _code(value: Any) -> str:
    """A value as in a config file."""
    return f"`{srsly.json_dumps(value)}`"
