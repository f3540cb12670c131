"""Structured linear models as first-class spaCy components.

One idea runs through the package: F(x) = argmax over y in GEN(x) of w · Φ(x, y). The search (GEN
and argmax) lives in `decode`, the features Φ in `features`, the weights w and their learners in
`learn`, and `components` joins them into spaCy pipes.
"""

from importlib import import_module
from typing import Any

from .span_attributes import register_with_spacy

__version__ = "0.4.0"

# Public names and where they are. They are imported when asked for, because spaCy imports the
# package for every pipeline.
_PUBLIC = {
    "NonConstituentException": ".errors",
    "copy_clusters": ".corpus.clusters.carrier",
    "render": ".display.notebook",
    "save_pipeline": ".components._shared.saving",
    "set_threads": ".components._shared.threads",
    "span_as_doc": ".trees.as_doc",
    "to_nltk": ".trees.nltk_trees",
}
__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name], __name__), name)


register_with_spacy()
