"""Tables: values and gaps."""

from __future__ import annotations

from benchmarks.report.tables import Column, console_table, markdown_table, used_columns


def test_tables_show_values_and_gaps() -> None:
    results = [{"label": "one", "x": 1234.5, "y": None}, {"label": "two", "x": None, "y": None}]
    columns = [
        Column("x", lambda result: result["x"], "{:,.1f}"),
        Column("y", lambda result: result["y"]),
    ]
    assert used_columns(results, columns) == columns[:1]
    lines = markdown_table(results, columns).splitlines()
    assert lines == [
        "| system | x | y |",
        "| --- | ---: | ---: |",
        "| one | 1,234.5 | – |",
        "| two | – | – |",
    ]
    assert "1,234.5" in console_table(results, columns)
