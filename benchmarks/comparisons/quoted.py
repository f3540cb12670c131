"""Figures of parsers that are not run here.

They were measured on the same train, dev and test trees at another time, those of ZPar and Roark's
parser by EVALB itself. ZPar, the Berkeley parser and Roark's are programs in other languages; the
release of disco-dop on the package index does not compile for Python 3.11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..report.tables import MEBIBYTE, MEGABYTE


def quoted(
    label: str,
    tags: str,
    test: float,
    *,
    short: float | None = None,
    dev: float | None = None,
    speed: float | None = None,
    training: float | None = None,
    megabytes: float | None = None,
) -> dict[str, Any]:
    """A row of figures that were measured elsewhere.

    label (str): the system.
    tags (str): where its tags come from.
    test, short, dev (float): F1 in percent: on test, on its sentences of up to 15 words, on dev.
    speed (float | None): sentences per second.
    training (float | None): seconds.
    megabytes (float | None): memory.
    RETURNS (dict[str, Any]): a row in the form of measured ones.
    """
    accuracy = {
        name: {"share": value / 100}
        for name, value in (("all", test), ("short", short))
        if value is not None
    }
    return {
        "label": f"{label}, {tags} tags",
        "tags": tags,
        "quoted": True,
        "accuracy": accuracy,
        "dev": {} if dev is None else {"all": {"share": dev / 100}},
        "speed": None if speed is None else {"sentences": speed},
        "cost": None if training is None else {"cpu": training},
        "memory": None if megabytes is None else {"peak": megabytes * MEGABYTE / MEBIBYTE},
    }


ROARK = "Roark's incremental parser"
ZPAR = "ZPar, shift-reduce, beam 16"
BERKELEY = "Berkeley parser, 4 cycles"
DISCO_DOP = "disco-dop, 2DOP"
QUOTED: Sequence[dict[str, Any]] = (
    quoted(ROARK, "joint", 82.97, short=89.4, dev=85.57, speed=62, training=19),
    quoted(ROARK, "gold", 85.94, short=91.2, dev=87.02),
    quoted(ZPAR, "predicted", 83.52, short=89.6, dev=86.90, speed=69, training=326, megabytes=974),
    quoted(ZPAR, "gold", 86.53, short=91.0, dev=88.55),
    # 13 to 23 sentences a second.
    quoted(BERKELEY, "predicted", 85.3, speed=18),
    quoted(BERKELEY, "gold", 86.7),
    quoted(DISCO_DOP, "predicted", 78.4, speed=4),
    quoted(DISCO_DOP, "gold", 80.1),
)
