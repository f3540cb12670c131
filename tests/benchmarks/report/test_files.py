"""The files of a benchmark."""

from __future__ import annotations

from typing import Any

from benchmarks.report.files import Report, markdown_text
from benchmarks.report.tables import Column, Section


def test_report_has_further_tables() -> None:
    environment = dict.fromkeys(("date", "cpu", "cores", "python", "command"), "x")
    data: dict[str, Any] = {
        "benchmark": "some",
        "environment": {**environment, "packages": {}},
        "systems": [{"label": "one", "x": 1.0}],
        "remarks": ["on this run"],
    }
    column = Column("x", lambda result: result["x"])
    section = Section("More", [{"label": "two", "x": 2.0}], [column], ["a note"])
    report = Report(data["systems"], [column], ["first note"], [section])
    text = markdown_text(data, report)
    assert text.index("| one | 1.00 |") < text.index("## More") < text.index("| two | 2.00 |")
    assert "- first note\n- on this run\n" in text
    assert text.endswith("- a note\n")
