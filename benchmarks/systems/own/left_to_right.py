"""The models of Collins & Roark (2004): generative, perceptron, and both together.

All of them are settings of `incremental_paper.cfg`; their names are here. Tags are predicted
(jackknifed on train), gold or, for the generative model, chosen together with the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...command.paths import CONFIGS
from ...report.tables import Column, Result, Section, value_in
from .base import SMALL_CORPUS
from .incremental import KEY as SHIPPED_KEY
from .incremental import EvaluatedByPass, GoldTagIncremental, IncrementalSystem
from .parser import parser_settings

SHIPPED = CONFIGS / "incremental_paper.cfg"
CURVES = "curves"
NAME = "left to right"
GENERATIVE, PERCEPTRON, HYBRID = FAMILIES = ("generative", "perceptron", "hybrid")
BASELINE = f"{PERCEPTRON}-baseline"
GOLD, PREDICTED, JOINT = "gold", "predicted", "joint"
NO_CACHE: dict[str, Any] = {"cache_passes": 0}
# Probabilities are spread over more trees than the filter leaves: without it, F1 on dev is 0.2 to
# 0.4 higher.
NO_FILTER: dict[str, Any] = {"gamma": 0.0}
# No features: only probabilities count, and there is nothing to learn after they are estimated.
OF_KIND: Mapping[str, dict[str, Any]] = {
    GENERATIVE: {
        "templates.sets": [],
        "word_templates.sets": [],
        "log_weight": 1.0,
        "beam_width": 32,
        **NO_FILTER,
        **NO_CACHE,
    },
    PERCEPTRON: {},
    BASELINE: {"templates.sets": ["spacy_perceptron.incremental_paper.v1"]},
    # Chosen on dev: 87.3 after three passes, 86.8 with 10 and 83.6 (one pass) with 4.
    HYBRID: {"log_weight": 20.0, **NO_FILTER, **NO_CACHE},
}
OF_TAGS: Mapping[str, dict[str, Any]] = {GOLD: {}, PREDICTED: {}, JOINT: {"max_tags": 8}}
LABELS = {
    GENERATIVE: "generative",
    BASELINE: "perceptron",
    PERCEPTRON: "perceptron + punctuation",
    HYBRID: "hybrid",
}
GENERATIVE_NAME = f"{NAME}, {LABELS[GENERATIVE]}"
# The refinements of the perceptron that the paper's figure 5 compares.
REFINEMENTS: Mapping[str, dict[str, Any]] = {
    "no early update, no cache": {"update": "final", **NO_CACHE},
    "early update, no cache": NO_CACHE,
    "early update, cache": {},
}


def system_key(kind: str, tags: str) -> str:
    """The key of a model."""
    return f"paper-{kind}-{tags}"


PAIRS = tuple(
    (system_key(kind, PREDICTED), system_key(HYBRID, PREDICTED))
    for kind in (GENERATIVE, PERCEPTRON)
)


@dataclass(frozen=True)
class PaperSystem(EvaluatedByPass):
    """A model on predicted tags, evaluated about once a pass."""


@dataclass(frozen=True)
class GoldTagPaperSystem(GoldTagIncremental):
    """A model on gold tags."""


def paper_system(
    kind: str,
    tags: str,
    settings: Mapping[str, Any] | None = None,
    *,
    suffix: str = "",
    small: bool = False,
) -> IncrementalSystem:
    """One of the models.

    kind (str): which one.
    tags (str): where its tags come from.
    settings (Mapping[str, Any] | None): further settings of the parser.
    suffix (str): what to add to its key.
    small (bool): whether the corpus is small.
    RETURNS (IncrementalSystem): the system; jackknifed tags are those of the shipped parser.
    """
    of_parser = {**OF_KIND[kind], **OF_TAGS[tags], **(settings or {})}
    fields: dict[str, Any] = {
        "key": f"{system_key(kind, tags)}{suffix}",
        "name": f"{NAME}, {LABELS[kind]}",
        "setting": f"{tags} tags",
        "overrides": parser_settings(of_parser),
        "shipped": SHIPPED,
        "family": PERCEPTRON if kind == BASELINE else kind,
    }
    if tags == GOLD:
        return GoldTagPaperSystem(**fields)
    fields["overrides"].update(SMALL_CORPUS if small else {})
    return PaperSystem(**fields, folds_home=SHIPPED_KEY)


def paper_systems(*, small: bool = False) -> list[IncrementalSystem]:
    """All rows of the paper's tables; `small` for a small corpus."""
    rows = [
        (GENERATIVE, JOINT),
        *(
            (kind, tags)
            for kind in (GENERATIVE, BASELINE, PERCEPTRON)
            for tags in (PREDICTED, GOLD)
        ),
        (HYBRID, PREDICTED),
    ]
    return [paper_system(kind, tags, small=small) for kind, tags in rows]


def curve_systems(*, small: bool = False) -> dict[str, IncrementalSystem]:
    """The trainings of the paper's figure 5 by their names; the last is a row of its tables too."""
    return {
        name: paper_system(
            PERCEPTRON,
            PREDICTED,
            settings,
            suffix=f"-{name.replace(', ', '-').replace(' ', '-')}" if settings else "",
            small=small,
        )
        for name, settings in REFINEMENTS.items()
    }


TABLE_3 = {
    "Generative": GENERATIVE,
    "Perceptron (baseline)": BASELINE,
    "Perceptron (w/ punctuation features)": PERCEPTRON,
}
TABLE_4 = {
    "Generative": GENERATIVE,
    "Perceptron (w/ punctuation features)": PERCEPTRON,
    "Generative + perceptron (w/ punctuation features)": HYBRID,
}
MEASURES = (("LP", "precision"), ("LR", "recall"), ("F", "share"))


def paper_columns(tags: Sequence[str]) -> tuple[Column, ...]:
    """Precision, recall and F1 for each kind of tags."""
    return tuple(
        Column(f"{own} tags, {title}", value_in(own, name, 100), "{:.1f}")
        for own in tags
        for title, name in MEASURES
    )


def paper_rows(results: Sequence[Result], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Rows of a table of the paper, as far as there are results."""
    brackets = {result["key"]: result["accuracy"]["all"] for result in results}
    rows = [
        {
            "label": label,
            **{tags: brackets.get(system_key(name, tags)) for tags in (GOLD, PREDICTED)},
        }
        for label, name in names.items()
    ]
    return [row for row in rows if row[GOLD] or row[PREDICTED]]


def paper_tables(results: Sequence[Result]) -> list[Section]:
    """The paper's tables 3 and 4, of the results on test."""
    tables = (
        ("Collins & Roark (2004), table 3, on the sample", TABLE_3, (GOLD, PREDICTED)),
        ("Collins & Roark (2004), table 4, on the sample", TABLE_4, (PREDICTED,)),
    )
    note = (
        "Labelled precision, labelled recall and F1 on test. The paper, on section 23: generative "
        "87.8 (gold) and 86.7 (predicted), perceptron 87.2 and 85.8, with punctuation features "
        "87.8 and 86.6, generative + perceptron 88.8."
    )
    sections = [
        Section(title, paper_rows(results, names), paper_columns(tags), (note,), head="model")
        for title, names, tags in tables
    ]
    return [section for section in sections if section.results]
