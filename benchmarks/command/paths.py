"""The places of the project that benchmarks read and write."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
CONFIGS = PROJECT / "configs"
RESULTS = PROJECT / "benchmarks" / "results"
PAGE = PROJECT / "docs" / "results.md"
DEFAULT_DATA = PROJECT.parent / "shared" / "data"
