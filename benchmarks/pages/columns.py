"""Columns that several parts of the page show."""

from __future__ import annotations

from ..report.notes import bounded_p
from ..report.tables import (
    Column,
    checkpoint_time,
    memory_column,
    percentage,
    size_column,
    value_in,
)

SPEED = Column("words/CPU s", value_in("speed", "cpu"), "{:,.0f}")
SPEED_RATIO = Column("× spaCy", value_in("speed", "ratio_cpu"), "{:.1f}")
TRAINING = Column("training, CPU s", value_in("training", "cpu"), "{:,.0f}")
TO_BEST = Column("to best, CPU s", checkpoint_time("best"), "{:,.0f}")
SIZE = size_column("size, MB")
MEMORY = memory_column("memory, MB", "resident_above_blank")
ECE = Column("ECE", value_in("calibration", "calibrated"), "{:.3f}")
PARSER_ALONE = Column("parser alone, words/CPU s", value_in("parser_speed", "cpu"), "{:,.0f}")
PAIRS = (
    Column("only the first right", lambda result: result["only_a"], "{:,.0f}"),
    Column("only the second right", lambda result: result["only_b"], "{:,.0f}"),
    Column("p", lambda result: result["p_value"], bounded_p),
)
TREES = (
    Column("UAS, %", percentage("uas")),
    Column("LAS, %", percentage("las")),
    Column("exact trees, %", percentage("exact_heads"), "{:.1f}"),
)
PARSING = (SPEED, PARSER_ALONE, SPEED_RATIO, TRAINING, SIZE, MEMORY, ECE)
EXPERIMENT = (*TREES, TRAINING)
