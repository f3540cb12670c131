"""What this package's systems have in common: a shipped config."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..pipelines import PipelineSystem

# What the docs advise for a small corpus: more evaluations, and a tagger that keeps small weights.
SMALL_TRAINING: dict[str, Any] = {"training.eval_frequency": 4}
SMALL_CORPUS = {**SMALL_TRAINING, "components.tagger.model.min_weight": 0.05}


@dataclass(frozen=True)
class OwnSystem(PipelineSystem):
    """A pipeline trained from a shipped config.

    shipped (Path): the config.
    family (str): its group.
    """

    shipped: Path = Path()
    family: str = "ours"

    @property
    def group(self) -> str:
        return self.family

    def config(self, directory: Path) -> Path:
        return self.shipped
