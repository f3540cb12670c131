"""Makes the attributes of constituents known to spaCy when the package is imported.

`import spacy_perceptron` neither imports spaCy nor the modules that read trees. If spaCy is there
already, the attributes are registered at once, else right after `spacy.tokens` is imported. Their
getters import the rest when they are first used.
"""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

NAMES = ("labels", "parse_string", "constituents", "parent", "children")
_TOKENS = "spacy.tokens"


def register_with_spacy() -> None:
    """Register the attributes, now or when spaCy is imported."""
    # While spaCy is being imported, the module may be there without its classes.
    if hasattr(sys.modules.get(_TOKENS), "Token"):
        register_extensions()
    elif not any(isinstance(finder, _RegisteringFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _RegisteringFinder())


def register_extensions() -> None:
    """Register the attributes on Span and Token, and on Doc for `Doc.to_json`. May be called any
    number of times; existing attributes with these names are left alone.
    """
    from spacy.tokens import Doc, Span, Token

    for holder in (Span, Token):
        for name in NAMES:
            if not holder.has_extension(name):
                holder.set_extension(name, getter=partial(_get, name=name))
    for name in NAMES:
        if not Doc.has_extension(name):
            Doc.set_extension(name, getter=partial(_get_all, name=name))


def _get(item: "Span | Token", *, name: str) -> Any:
    return getattr(import_module(".trees.extensions", __package__), f"get_{name}")(item)


def _get_all(doc: "Doc", *, name: str) -> list[Any]:
    return import_module(".trees.extensions", __package__).sentence_values(doc, name)


class _RegisteringFinder:
    """Lets the others find `spacy.tokens`, and registers the attributes when it has been run."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _TOKENS:
            return None
        others = [finder for finder in sys.meta_path if not isinstance(finder, _RegisteringFinder)]
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            # The loader was made for this module alone.
            loader: Any = spec.loader
            loader.exec_module = _then_register(loader.exec_module)
        return spec


def _then_register(exec_module: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    def exec_and_register(module: ModuleType) -> None:
        exec_module(module)
        register_extensions()

    return exec_and_register
