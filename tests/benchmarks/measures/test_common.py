"""The size of models."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measures.common import model_size


def test_model_size_counts_all_files(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "weights").write_bytes(b"12345")
    (tmp_path / "meta").write_bytes(b"123")
    assert model_size(tmp_path) == 8
    assert model_size(tmp_path / "meta") == 3
