"""This package's entity recognizer, from the config it ships."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language

from ...paths import CONFIGS
from ..base import Runner
from ..peers.spacy_entities import METRIC, EntityRunner
from ..pipelines import SMALL_TRAINING, PipelineSystem

CONFIG = CONFIGS / "ner.cfg"


@dataclass(frozen=True)
class OwnEntitySystem(PipelineSystem):
    """`perceptron_ner`; the model after the last epoch, since dev is too small to choose by."""

    metric: str = METRIC

    @property
    def group(self) -> str:
        return "ours"

    def config(self, directory: Path) -> Path:
        return CONFIG

    def make_runner(self, nlp: Language) -> Runner:
        return EntityRunner(nlp)

    def model_path(self, directory: Path) -> Path:
        return directory / "model-last"


def own_entity_system(
    beam: int, *, small: bool = False, overrides: dict[str, Any] | None = None
) -> OwnEntitySystem:
    """The recognizer with a beam width, and as the docs advise for a small corpus."""
    return OwnEntitySystem(
        key=f"ours-beam{beam}",
        name="perceptron_ner",
        setting=f"beam {beam}",
        overrides={
            "components.ner.beam_width": beam,
            **(SMALL_TRAINING if small else {}),
            **(overrides or {}),
        },
    )
