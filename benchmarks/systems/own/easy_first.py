"""This package's easy-first parser: by beam width, and at its fastest.

The names of its configs and settings that the benchmarks rely on are all here.
"""

from __future__ import annotations

from typing import Any

from ...command.paths import CONFIGS
from .base import SMALL_CORPUS
from .parser import OwnParser, parser_settings

SHIPPED = CONFIGS / "easy_first.cfg"
SHIPPED_FAST = CONFIGS / "easy_first_fast.cfg"
FAST_KEY = "easy-first-fast"
NAME = "easy_first_parser"
FAMILY = "easy_first"
# The width whose training includes the jackknifing of tags; all others learn from the same tags.
BASE_BEAM = 8
# Early updates rely on the model's own scores: loss augmentation does not go with them.
EARLY_UPDATES: dict[str, Any] = {"update": "early", "loss_augmented": False}


def beam_key(beam: int) -> str:
    """The key of the parser trained with a beam width."""
    return f"easy-first-beam{beam}"


def easy_first_parser(
    beam: int, setting: str = "", settings: dict[str, Any] | None = None, *, small: bool = False
) -> OwnParser:
    """The shipped config, trained for a beam width.

    beam (int): the width.
    setting (str): what to call other settings.
    settings (dict[str, Any] | None): other settings of the parser.
    small (bool): whether the corpus is small.
    RETURNS (OwnParser): the system; all but the plain BASE_BEAM reuse the tags jackknifed for it.
    """
    own = parser_settings({"beam_width": beam, **(settings or {})})
    base = beam_key(BASE_BEAM)
    key = f"{beam_key(beam)}-{setting.replace(' ', '-')}" if setting else beam_key(beam)
    return OwnParser(
        key=key,
        name=NAME,
        setting=f"beam {beam}, {setting}" if setting else f"beam {beam}",
        overrides={**(SMALL_CORPUS if small else {}), **own},
        shipped=SHIPPED,
        folds_home="" if key == base else base,
        family=FAMILY,
    )


def fast_easy_first_parser(*, small: bool = False) -> OwnParser:
    """The shipped config without a beam and with one tagger; it jackknifes its own tags.

    small (bool): whether the corpus is small.
    RETURNS (OwnParser): the system.
    """
    return OwnParser(
        key=FAST_KEY,
        name=NAME,
        setting="fast",
        overrides=dict(SMALL_CORPUS) if small else {},
        shipped=SHIPPED_FAST,
        family=FAMILY,
    )
