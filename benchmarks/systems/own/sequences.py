"""This package's tagger and entity recognizer."""

from __future__ import annotations

from typing import Any

from ...command.paths import CONFIGS
from ..pipelines import ENTITY_METRIC, EntityRunner
from .base import SMALL_CORPUS, SMALL_TRAINING, OwnSystem

TAGGER_CONFIG = CONFIGS / "tagger.cfg"
ENTITY_CONFIG = CONFIGS / "ner.cfg"


def _with_beam(
    name: str, component: str, beam: int, small: dict[str, Any], **fields: Any
) -> OwnSystem:
    """A system with a beam width.

    name (str): its name in tables.
    component (str): its component in the config.
    beam (int): the width.
    small (dict[str, Any]): dotted settings for a small corpus; empty for a large one.
    fields (Any): further fields of the system.
    RETURNS (OwnSystem): the system.
    """
    return OwnSystem(
        key=f"ours-beam{beam}",
        name=name,
        setting=f"beam {beam}",
        overrides={f"components.{component}.beam_width": beam, **small},
        **fields,
    )


def easy_first_system(beam: int, *, small: bool = False) -> OwnSystem:
    """The tagger with a beam width; `small` for a small corpus."""
    settings = SMALL_CORPUS if small else {}
    return _with_beam("easy-first", "tagger", beam, settings, shipped=TAGGER_CONFIG)


def own_entity_system(beam: int, *, small: bool = False) -> OwnSystem:
    """The recognizer with a beam width; its last model, since dev is too small to choose by."""
    return _with_beam(
        "perceptron_ner",
        "ner",
        beam,
        SMALL_TRAINING if small else {},
        metric=ENTITY_METRIC,
        runner=EntityRunner,
        model="model-last",
        shipped=ENTITY_CONFIG,
    )
