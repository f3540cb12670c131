"""This package's MIRA parser: as shipped, and in the variants that the experiments compare.

The names of its configs and settings that the benchmarks rely on are all here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from ...command.paths import CONFIGS
from .base import SMALL_CORPUS, SMALL_TRAINING
from .parser import GoldTagParser, OwnParser, PresetParser, ReloadedParser, parser_settings

SHIPPED = {1: CONFIGS / "parser_fast.cfg", 2: CONFIGS / "parser_ud.cfg"}
NAME = "mira_parser"
# Any one of them alone still prunes arcs.
NO_PRUNING: dict[str, Any] = {"pruning": 0.0, "max_heads": 0, "narrowing": 0.0}
# A guide's features need room: in tables of the usual size they would collide with others.
GUIDE_SETTINGS: dict[str, Any] = {"guide": True, "model.n_bits": 24, "model.pruner_bits": 20}


@dataclass(frozen=True)
class MiraSystem(OwnParser):
    """The parser, which has a pruner."""


AnyMira = TypeVar("AnyMira", bound=MiraSystem)


@dataclass(frozen=True)
class ReloadedMira(ReloadedParser, MiraSystem):
    """A trained parser that is loaded with other settings."""


@dataclass(frozen=True)
class PresetMira(PresetParser, MiraSystem):
    """The parser alone, on Docs that carry annotation."""


@dataclass(frozen=True)
class GoldTagMira(GoldTagParser, PresetMira):
    """The parser trained and run on gold tags, fine and coarse."""


def mira_system(order: int, *, small: bool = False) -> MiraSystem:
    """A shipped config, with the tagger's settings for a small corpus if need be."""
    return MiraSystem(
        key=f"ours-order{order}",
        name=NAME,
        setting=f"order {order}",
        shipped=SHIPPED[order],
        overrides=dict(SMALL_CORPUS) if small else {},
    )


def variant_of(
    base: MiraSystem, kind: type[AnyMira], suffix: str, setting: str, **fields: Any
) -> AnyMira:
    """A system that differs from another in some fields.

    base (MiraSystem): the other system.
    kind (type): the class of the result.
    suffix (str): what to add to its key.
    setting (str): what to add to its setting.
    fields (Any): further fields of the result.
    RETURNS (AnyMira): the system.
    """
    return kind(
        key=f"{base.key}-{suffix}",
        name=base.name,
        setting=f"{base.setting}, {setting}",
        shipped=base.shipped,
        **fields,
    )


def unpruned_mira(order: int, *, small: bool = False) -> ReloadedMira:
    """A shipped config, decoded without pruning."""
    base = mira_system(order, small=small)
    return variant_of(
        base,
        ReloadedMira,
        "unpruned",
        "no pruning",
        overrides=base.overrides,
        trained_as=base.key,
        loaded_with=dict(NO_PRUNING),
    )


def mira_variant(
    order: int, setting: str, settings: dict[str, Any], *, small: bool = False
) -> MiraSystem:
    """A shipped config with other settings of the parser.

    order (int): which of the shipped configs.
    setting (str): what to call it.
    settings (dict[str, Any]): the settings.
    small (bool): whether the corpus is small.
    RETURNS (MiraSystem): the system, which reuses the tags jackknifed for the shipped config.
    """
    base = mira_system(order, small=small)
    overrides = {**base.overrides, **parser_settings(settings)}
    suffix = setting.replace(" ", "")
    return variant_of(base, MiraSystem, suffix, setting, overrides=overrides, folds_home=base.home)


def gold_tag_mira(order: int, *, small: bool = False) -> GoldTagMira:
    """The parser of a shipped config on gold tags."""
    overrides = dict(SMALL_TRAINING) if small else {}
    return variant_of(mira_system(order), GoldTagMira, "gold", "gold tags", overrides=overrides)
