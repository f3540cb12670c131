"""What this package's systems have in common: a shipped config, with or without word clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from spacy.util import load_config
from thinc.api import Config

from spacy_perceptron.recipes.clusters import add_clusters

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
    clusters (Mapping[str, str]): paths of word clusters to add to the config, by name.
    """

    shipped: Path = Path()
    family: str = "ours"
    clusters: Mapping[str, str] = field(default_factory=dict)

    @property
    def group(self) -> str:
        return self.family

    def config(self, directory: Path) -> Path:
        return write_config(self.load_config(), directory)

    def load_config(self) -> Config:
        """The shipped config with its word clusters, not interpolated."""
        config = load_for_sentences(self.shipped)
        if self.clusters:
            add_clusters(config, self.clusters)
        return config


AnyOwn = TypeVar("AnyOwn", bound=OwnSystem)


def with_clusters(system: AnyOwn, tables: Mapping[str, str]) -> AnyOwn:
    """The same system with word clusters.

    system (OwnSystem): the system.
    tables (Mapping[str, str]): paths of word clusters by name.
    RETURNS (OwnSystem): the system, under another key.
    """
    setting = f"{system.setting}, clusters" if system.setting else "clusters"
    return replace(system, key=f"{system.key}-clusters", setting=setting, clusters=tables)
