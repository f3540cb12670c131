"""Registers factories with spaCy without importing the components that they make."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from spacy.language import Language
from spacy.pipeline import Pipe
from thinc.api import Model

from .settings import Settings, default_config, takes_settings


def register_factory(
    settings: type[Settings],
    component: str,
    *,
    model: str | dict[str, Any],
    scorer: str,
    **meta: Any,
) -> Callable[..., Pipe]:
    """Register a factory. Components are imported when one is made: their decoders take long.

    settings (type[Settings]): The settings. They name the factory, which is also the name of the
        module of the component.
    component (str): The component's class.
    model (Union[str, dict]): The name of its model architecture, or a block with other values than
        the defaults of the architecture.
    scorer (str): The name of its scorer.
    **meta: What else spaCy is told of it.
    RETURNS (Callable): The factory.
    """

    @Language.factory(
        settings.factory,
        default_config=default_config(settings, model=model, scorer=scorer),
        **meta,
    )
    @takes_settings(settings)
    def make_component(
        nlp: Language, name: str, model: Model, scorer: Callable | None, **values: Any
    ) -> Pipe:
        """Make a component."""
        module = import_module(f"..{settings.factory}", __package__)
        return getattr(module, component)(
            nlp.vocab, model, name, settings=settings(**values), scorer=scorer
        )

    return make_component
