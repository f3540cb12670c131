"""This package's max-margin parser of phrases: as shipped, exact, by its learners, on gold tags.

The names of its configs and settings that the benchmarks rely on are all here. *Exact* is the
config without head features, whose search is exact, given what the pruner leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.util import load_config
from thinc.api import Config

from ...command.paths import CONFIGS
from ..pipelines import write_config
from ..records import TrainingRecord
from . import reranked_trees
from .base import SMALL_CORPUS, SMALL_TRAINING
from .incremental import (
    METRIC,
    EvaluatedByPass,
    GoldTagIncremental,
    IncrementalSystem,
    PhraseRunner,
    learning_curve,
)
from .parser import PARSER, parser_settings
from .reranked import MODEL_BEST, Task

SHIPPED = CONFIGS / "max_margin.cfg"
SHIPPED_EXACT = CONFIGS / "max_margin_exact.cfg"
NAME = "max_margin_parser"
KEY = "max-margin"
EXACT_KEY = f"{KEY}-exact"
SMO_KEY = f"{KEY}-smo"
SMALL_C_KEY = f"{SMO_KEY}-small-c"
GOLD_KEY = f"{KEY}-gold"
EXACT_GOLD_KEY = f"{EXACT_KEY}-gold"
RERANKED_KEY = f"rerank-{KEY}"
SHIPPED_GROUP, EXACT_GROUP, GOLD_GROUP = "max_margin", "exact", "gold"
SMO_GROUP, SMALL_C_GROUP = "smo", "small_c"
RERANKED_GROUP = reranked_trees.SHIPPED_FAMILY
# The optimum is that of all features: none are left out at random.
SMO: Mapping[str, Any] = {"learner": "smo", "dropout": 0.0}
# With the C of the config the gap closes slowly: after nine passes over 300 sentences it is 94 % of
# the objective, with this one 8 %. The largest step of MIRA is the same.
SMALL_C = 0.01
# Gold tags are not to be overruled.
GOLD_TAGS: Mapping[str, Any] = {"max_tags": 1}
GAP = f"{PARSER}_gap"
# For a small corpus, where the number of evaluations is not that of the config.
SMALL_TAGGER = {name: value for name, value in SMALL_CORPUS.items() if name not in SMALL_TRAINING}


def shipped_system(*, small: bool = False) -> IncrementalSystem:
    """The shipped config; `small` for a small corpus."""
    return IncrementalSystem(
        key=KEY,
        name=NAME,
        setting="head features",
        overrides=dict(SMALL_CORPUS) if small else {},
        shipped=SHIPPED,
        family=SHIPPED_GROUP,
    )


def exact_system(*, small: bool = False) -> EvaluatedByPass:
    """The exact parser, trained by MIRA."""
    return _by_pass(EXACT_KEY, "exact", {}, EXACT_GROUP, small=small)


def smo_system(*, small: bool = False) -> EvaluatedByPass:
    """The exact parser, trained by SMO with the C of the config."""
    return _by_pass(SMO_KEY, "exact, SMO", SMO, SMO_GROUP, small=small)


def small_c_system(*, small: bool = False) -> EvaluatedByPass:
    """The exact parser, trained by SMO with a small C."""
    setting, of_parser = f"exact, SMO, C {SMALL_C:g}", {**SMO, "c": SMALL_C}
    return _by_pass(SMALL_C_KEY, setting, of_parser, SMALL_C_GROUP, small=small)


def _by_pass(
    key: str, setting: str, of_parser: Mapping[str, Any], family: str, *, small: bool
) -> EvaluatedByPass:
    overrides = {**parser_settings(dict(of_parser)), **(SMALL_TAGGER if small else {})}
    return EvaluatedByPass(
        key=key,
        name=NAME,
        setting=setting,
        overrides=overrides,
        shipped=SHIPPED_EXACT,
        family=family,
    )


def gold_tag_systems(*, small: bool = False) -> list[GoldTagIncremental]:
    """The shipped parser and the exact one on gold tags."""
    rows = ((GOLD_KEY, "head features", SHIPPED), (EXACT_GOLD_KEY, "exact", SHIPPED_EXACT))
    return [
        GoldTagIncremental(
            key=key,
            name=NAME,
            setting=f"{setting}, gold tags",
            overrides={
                **parser_settings(dict(GOLD_TAGS)),
                **(SMALL_TRAINING if small else {}),
            },
            shipped=shipped,
            family=GOLD_GROUP,
        )
        for key, setting, shipped in rows
    ]


@dataclass(frozen=True)
class MarginTask(Task):
    """The exact parser as the base of a reranker: it takes the place of the parser in the config of
    another reranker of constituents."""

    def load_config(self) -> Config:
        config = super().load_config()
        parser = load_config(SHIPPED_EXACT, interpolate=False)["components"][PARSER]
        config["components"][PARSER] = {**parser, "nbest": reranked_trees.K}
        return config

    def config(self, directory: Path) -> Path:
        return write_config(self.load_config(), directory)


def reranked_system(*, small: bool = False) -> reranked_trees.RerankedTrees:
    """The exact parser with a reranker of its best trees."""
    task = MarginTask(
        name=KEY,
        base=PARSER,
        label=NAME,
        shipped=reranked_trees.SHIPPED,
        kernels=(reranked_trees.KERNEL,),
        metric=METRIC,
        model=MODEL_BEST,
        runner=PhraseRunner,
        of_base={**SMALL_TAGGER, **reranked_trees.folds(2, tagger=2, parser=2)} if small else {},
        of_training=dict(SMALL_TRAINING) if small else {},
    )
    parser = exact_system(small=small)
    return reranked_trees.behind(parser, task, RERANKED_KEY, setting="exact, reranked")


def margin_curve(record: TrainingRecord) -> list[dict[str, Any]]:
    """F1 on dev and the duality gap after each pass; the gap is None with MIRA."""
    gaps = [point.losses.get(GAP) for point in record.checkpoints]
    return [{**point, "gap": gaps[point["epoch"]]} for point in learning_curve(record)]
