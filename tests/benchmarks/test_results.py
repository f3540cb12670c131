"""The committed tables and the page of results are those that the committed JSON files give."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.command.paths import PAGE, RESULTS
from benchmarks.command.registry import BENCHMARKS, load_benchmark
from benchmarks.report.files import markdown_text
from benchmarks.report.page import make_page, run_text, wrap

REMEDY = "run `python -m benchmarks results`"


def load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf8"))
    return data


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf8") == make_page(), REMEDY


@pytest.mark.parametrize("name", [n for n in BENCHMARKS if (RESULTS / f"{n}.json").exists()])
def test_tables_are_up_to_date(name: str) -> None:
    data = load(name)
    text = markdown_text(data, load_benchmark(name).make_report(data))
    assert (RESULTS / f"{name}.md").read_text(encoding="utf8") == text, REMEDY


def test_page_shows_what_was_measured() -> None:
    """Three figures of the shipped tagger, computed here from its counts and timings."""
    shipped = next(s for s in load("tagger")["systems"] if s["key"] == "ours-beam3")
    count = shipped["accuracy"]["all"]
    accuracy = f"{100 * count['correct'] / count['total']:.2f}"
    speeds = sorted(t["words"] / t["cpu"] for t in shipped["speed"]["timings"])
    row = next(line for line in make_page().splitlines() if "(`tagger.cfg`)" in line)
    cells = [cell.strip() for cell in row.split("|")]
    assert cells[1] == "**`easy_first_tagger`, beam 3 (`tagger.cfg`)**"
    assert cells[2] == accuracy
    assert cells[4] == f"{speeds[len(speeds) // 2]:,.0f}"
    assert cells[9] == f"{shipped['size'] / 1e6:.1f}"


def test_plots_on_the_page_exist() -> None:
    links = [line for line in make_page().splitlines() if line.startswith("![")]
    paths = [PAGE.parent / line.partition("](")[2].removesuffix(")") for line in links]
    assert len(paths) > 10
    assert all(path.exists() for path in paths)


def test_missing_results_are_left_out(tmp_path: Any) -> None:
    (tmp_path / "tagger.json").write_text(json.dumps(load("tagger")))
    page = make_page(tmp_path)
    assert "## Part-of-speech tagging" in page
    assert "## Named entities" not in page


def test_a_busy_machine_is_told() -> None:
    environment = {**load("tagger")["environment"], "cores": 2}
    assert "busy" not in run_text({**environment, "load_average": [1.5, 0, 0]})
    assert "load average 3.5" in run_text({**environment, "load_average": [3.5, 0, 0]})


@pytest.mark.parametrize("marker", ["+", "-", "1."])
def test_no_wrapped_line_begins_a_list(marker: str) -> None:
    for n in range(100, 120):
        lines = wrap(f"{'x' * n} {marker} tail {marker} end", "- ").splitlines()
        assert not any(line.strip().startswith(f"{marker} ") for line in lines[1:])
