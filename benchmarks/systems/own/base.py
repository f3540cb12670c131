"""What this package's systems have in common: a shipped config."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.util import load_config
from thinc.api import Config

from ..pipelines import PipelineSystem, write_config

# What the docs advise for a small corpus: more evaluations, and a tagger that keeps small weights.
SMALL_TRAINING: dict[str, Any] = {"training.eval_frequency": 4}
SMALL_CORPUS = {**SMALL_TRAINING, "components.tagger.model.min_weight": 0.05}
SENTER = "senter"


def load_for_sentences(path: Path) -> Config:
    """A shipped config without the component that finds sentences: benchmarks on gold tokens have
    one sentence per Doc.

    path (Path): the config.
    RETURNS (Config): the config, not interpolated.
    """
    config = load_config(path, interpolate=False)
    if SENTER in config["components"]:
        config["nlp"]["pipeline"].remove(SENTER)
        del config["components"][SENTER]
        config["corpora"]["dev"]["sentences"] = True
    return config


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
        return write_config(load_for_sentences(self.shipped), directory)
