"""Options of the command line."""

from __future__ import annotations

import pytest

from benchmarks.command.options import check_groups


def test_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from ours, spacy"):
        check_groups(["ours", "typo"], ["ours", "spacy"])
