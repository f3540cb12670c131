"""The benchmark of many words and many workers: options, report, groups in runs of their own."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.comparisons.scaled import QUICK, ScalingScale
from benchmarks.pages.scale import make_part
from benchmarks.report.files import markdown_text
from benchmarks.scale import (
    add_arguments,
    draw,
    earlier_groups,
    make_report,
    make_scale,
    run,
    run_words,
)


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_sizes_on_the_command_line() -> None:
    assert make_scale(parse()) == ScalingScale()
    assert make_scale(parse("--quick")) == QUICK
    args = parse("--words", "1e5,2e6", "--shards", "4", "--seeds", "2", "--only", "training")
    scale = make_scale(args)
    assert (scale.words, scale.shards, scale.seeds) == ((100_000, 2_000_000), (4,), 2)
    assert scale.sentences == ScalingScale().sentences
    words = " ".join(run_words(args))
    assert words.endswith("scale --only training --words 100000,2e+06 --seeds 2 --shards 4")
    assert make_scale(parse(*run_words(args)[4:])) == scale


ENVIRONMENT: dict[str, Any] = {
    "date": "2024-01-01",
    "command": "python -m benchmarks scale",
    "cpu": "some processor",
    "cores": 2,
    "cores_used": "two",
    "load_average": [1.0, 1.0, 1.0],
    "python": "3.11",
    "packages": {},
}
ABOUT = {"environment": ENVIRONMENT, "model": "a tagger", "text": "Some text."}
ONE = {"words": 2_000_000, "wall": 20.0, "load": 1.0, "cpu": 19.0, "work": 18.0}
TWO = {**ONE, "wall": 12.5, "start": 2.0, "start_cpu": 3.0, "cpu": 26.0, "work": 9.0}
DATA: dict[str, Any] = {
    "benchmark": "scale",
    "environment": ENVIRONMENT,
    "groups": {
        "annotate": {
            **ABOUT,
            "sizes": [{"words": 2_000_000, "timings": {"annotate": [ONE], "annotate-2": [TWO]}}],
        },
        "memory": {
            **ABOUT,
            "environment": {**ENVIRONMENT, "date": "2023-12-31"},
            "processes": [
                {"key": "units", "loaded": 50.0, "points": [[1_000_000, 80.0], [2_000_000, 82.0]]}
            ],
        },
        "training": {
            "environment": ENVIRONMENT,
            "systems": [
                {
                    "key": "tagger",
                    "label": "easy_first_tagger",
                    "note": "As shipped.",
                    "corpus": "a treebank",
                    "metric": "tag_acc",
                    "n_epochs": 2,
                    "curves": {"0": [[0.8, 0.9]], "2": [[0.7, 0.8, 0.91]]},
                }
            ],
        },
        "rounds": {
            "environment": ENVIRONMENT,
            "timings": [
                {
                    "label": "easy_first_tagger, raw text",
                    "size": size,
                    "n_examples": size,
                    "ray": 3.0,
                    "epochs": [2.0],
                    "workers": {"2": {"open": 1.0, "rounds": [{"wall": 1.5, "learn": 1.2}]}},
                }
                for size in (1000, 2000)
            ],
        },
    },
}


def test_report() -> None:
    text = markdown_text(DATA, make_report(DATA))
    assert "(2 cores, two used)" in text
    row = "| 2 million words: `annotate`, 2 workers on Ray | 2,000,000 | 12.5 | 160,000 | 1.60 | "
    assert row + "2.0 | 1.0 | 2.00 | 26.0 | 3.0 | 13.0 |" in text
    assert "| 2,000,000 | 50 | 80 | 82 | 82 | +2.5 |" in text
    assert "| 2 shards | 3 | 91.00 | – | +1.00 | 3.0 | 3 |" in text
    assert "| 1,000 | 4.0 | 2.00 | 1.50 | 0.75 | 0.30 | 20 |" in text
    # Only what was measured in another run says so.
    assert text.count("2023-12-31") == 1


def test_page() -> None:
    part = make_part(DATA)
    assert [section.title for section in part.sections] == [
        "Annotation",
        "Memory over words",
        "Training on shards: `easy_first_tagger`",
        "Time of a round",
    ]
    assert part.sections[-1].results[0]["label"] == "`easy_first_tagger`, raw text, 2 workers"
    assert [*part.plots] == ["scale-memory.png", "scale-training.png", "scale-rounds.png"]
    alone = {**DATA, "groups": {"annotate": DATA["groups"]["annotate"]}, "remarks": ["By hand."]}
    part = make_part(alone)
    assert part.plots == {}
    assert part.sections[-1].notes[-1] == "By hand."


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw(DATA, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(make_part(DATA).plots)


def test_other_groups_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "scale.json"
    assert earlier_groups(path, ["memory"]) == {}
    path.write_text(json.dumps(DATA))
    assert [*earlier_groups(path, ["memory"])] == ["annotate", "training", "rounds"]


def test_quick_runs(tmp_path: Path) -> None:
    """Groups in runs of their own, on the sample treebank."""
    pytest.importorskip("ray")
    pytest.importorskip("matplotlib")
    folders = ("--work", str(tmp_path / "work"), "--output", str(tmp_path / "results"))
    run(parse("--quick", "--only", "memory", *folders))
    run(parse("--quick", "--reuse", "--only", "training,rounds", *folders))
    data = json.loads((tmp_path / "results" / "scale.json").read_text(encoding="utf8"))
    assert [*data["groups"]] == ["memory", "training", "rounds"]
    (tagger, parser) = data["groups"]["training"]["systems"]
    assert all(curve[-1] > 0.7 for curve in (tagger["curves"]["2"][0], parser["curves"]["2"][0]))
    assert (tmp_path / "results" / "scale-rounds.png").exists()
    assert "## Time of a round" in (tmp_path / "results" / "scale.md").read_text(encoding="utf8")
