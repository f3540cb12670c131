"""This package's tagger."""

from __future__ import annotations

from benchmarks.systems.own.sequences import easy_first_system


def test_beams_are_systems_of_one_group() -> None:
    narrow, wide = easy_first_system(1), easy_first_system(8)
    assert narrow.group == wide.group == "ours"
    assert narrow.key != wide.key
    assert wide.overrides == {"components.tagger.beam_width": 8}
    assert wide.label == "easy-first, beam 8"
