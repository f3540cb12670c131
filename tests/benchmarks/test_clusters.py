"""The benchmark of word clusters: systems, summary, report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
from spacy.util import load_config

from benchmarks.clusters import (
    GROUPS,
    SUMMARY_COLUMNS,
    add_arguments,
    all_systems,
    make_means,
    make_report,
    summary_rows,
)
from benchmarks.comparisons.clustered import TASKS, Means, with_seed
from benchmarks.comparisons.comparison import Scale
from benchmarks.measures.clustering import clustering_growth
from benchmarks.pages.clusters import make_part
from benchmarks.systems.own.base import OwnSystem, with_clusters
from benchmarks.systems.own.sequences import easy_first_system
from benchmarks.systems.peers.spacy_pipelines import SpacySystem

MEANS = Means({"web": "web.txt", "news": "news.bin"}, Path("glove.txt"), seeds=3)


def test_systems_of_all_tasks() -> None:
    for task in TASKS:
        systems, again = all_systems(task, MEANS)
        own = [system for system in systems if isinstance(system, OwnSystem)]
        assert own[-1].clusters == MEANS.clusters, task.name
        assert all(not system.clusters for system in own[:-1]), task.name
        assert len({system.key for system in (*systems, *again)}) == len(systems) + len(again)
        peers = [system for system in systems if isinstance(system, SpacySystem)]
        assert all(system.vectors == Path("glove.txt") for system in peers)
        # Two more seeds for each of both.
        assert len(again) == (4 if task.repeated else 0), task.name


def test_no_peer_without_vectors() -> None:
    systems, again = all_systems(TASKS[0], Means({"": "web.txt"}))
    assert [system.key for system in systems] == ["ours-beam3", "ours-beam3-clusters"]
    assert again == []


def test_config_with_clusters(tmp_path: Path) -> None:
    system = with_seed(with_clusters(easy_first_system(3), MEANS.clusters), 2)
    assert system.overrides["system.seed"] == 2
    config = load_config(system.config(tmp_path), interpolate=False)
    templates = config["components"]["tagger"]["templates"]
    assert templates["sets"][-1] == "spacy_perceptron.tagging_clusters.v1"
    assert templates["clusters"] == ["web", "news"]
    assert config["initialize"]["lookups"]["tables"] == MEANS.clusters


def test_vectors_of_the_peer(tmp_path: Path) -> None:
    """Words with capitals are found, too."""
    path = tmp_path / "vectors.txt"
    path.write_text("dog 1.0 2.0\ncat 3.0 4.0\n", encoding="utf8")
    system = SpacySystem(key="spacy", name="spaCy", components=("tagger",), vectors=path)
    config = load_config(system.config(tmp_path / "home"), interpolate=False)
    assert config["components"]["tok2vec"]["model"]["embed"]["include_static_vectors"]
    import spacy

    nlp = spacy.load(config["initialize"]["vectors"])
    assert [nlp(word)[0].vector.tolist() for word in ("Cat", "CAT")] == [[3.0, 4.0]] * 2


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_clusters_must_be_named() -> None:
    with pytest.raises(ValueError, match="--clusters"):
        make_means(parse(), Scale())
    assert make_means(parse("--only", "growth"), Scale()).clusters == {}
    means = make_means(parse("--clusters", "a/web.txt", "--clusters", "b/news.txt.gz"), Scale())
    assert [*means.clusters] == ["web", "news"]


def test_growth(tmp_path: Path) -> None:
    """Four types and the boundary; the text is repeated, with one word in new forms."""
    path = tmp_path / "raw.txt"
    path.write_text("the dog barks\nthe cat sleeps\n" * 40, encoding="utf8")
    found = clustering_growth(path, 240, n_clusters=2)
    assert (found["words"], found["types"], found["clustered"]) == (240, 5, 5)
    assert found["label"] == "0.00024 million words"


def result(key: str, share: float, cpu: float) -> dict[str, Any]:
    return {
        "key": key,
        "label": key,
        "accuracy": {"all": {"share": share}},
        "speed": {"cpu": 1.0, "wall": 1.0, "ratio_cpu": None, "timings": [{"cpu": cpu}]},
        "training": {
            **{"wall": 1.0, "cpu": 1.0, "best": None, "to_target": None},
            **{"reused": False, "stopped_early": False},
        },
        "size": 1_000_000 * cpu,
        "load": {"wall": cpu},
        "memory": None,
    }


DATA: dict[str, Any] = {
    "benchmark": "clusters",
    "tasks": {
        "tags": {
            "title": "Tags",
            "clusters": [{"name": "web", "words": 7, "clusters": 3, "bytes": 70}],
            "measures": {"all": "all words"},
            "corpus": {"name": "a treebank", "words": {"train": 3, "dev": 3, "test": 3}},
            "systems": [result("ours", 0.5, 3.0), result("ours-clusters", 0.7, 4.0)],
            "comparison": {
                "p_value": 0.25,
                "together": {"p_value": 0.01, "shares": [0.625, 0.75]},
            },
            "seeds": [result("ours-seed1", 0.6, 0.0), result("ours-clusters-seed1", 0.9, 0.0)],
        }
    },
    "growth": [],
}


def test_summary_has_means_over_seeds() -> None:
    """(50 + 60) / 2 against (70 + 90) / 2; three quarters of the speed; 1 MB and 1 s more."""
    (row,) = summary_rows(DATA)
    cells = [column.cell(row) for column in SUMMARY_COLUMNS]
    assert cells == ["55.00", "80.00", "+25.00", "0.25", "0.75", "1.0", "+1.000"]


def test_report() -> None:
    report = make_report(DATA)
    (section,) = report.sections
    assert "ours, by seed: all words 50.00, 60.00 (mean 55.00" in " ".join(section.notes)
    assert "62.50 without clusters, 75.00 with them, p = 0.01" in " ".join(section.notes)
    assert "web: 7 words, 3 clusters" in section.notes[1]
    assert [part.title for part in make_part(DATA).sections] == ["", "Tags"]


def test_groups() -> None:
    assert GROUPS == ("tags", "trees", "stacked", "entities", "phrases", "growth")
