"""Annotation by several processes, memory over words, training on shards."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from benchmarks.corpora.corpus import Corpus
from benchmarks.measures.scaling import training
from benchmarks.measures.scaling.annotation import (
    WAYS,
    annotate_by,
    annotation_rows,
    measure_in_turns,
)
from benchmarks.measures.scaling.memory import N_POINTS, PIPE, UNITS, memory_over_words, memory_row
from benchmarks.measures.scaling.rounds import round_rows, time_training
from benchmarks.measures.scaling.training import (
    EpochLog,
    curve_label,
    curve_rows,
    learning_curves,
    shipped_epochs,
)
from benchmarks.systems.own.mira import gold_tag_mira
from benchmarks.systems.own.sequences import easy_first_system
from spacy_perceptron.corpus.sample import load_sample

N_LINES = 3_000
WORDS = "the cat sat on the mat ."


@pytest.fixture
def model(tmp_path: Path) -> str:
    spacy.blank("en").to_disk(tmp_path / "model")
    return str(tmp_path / "model")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Lines of seven words."""
    (tmp_path / "text").mkdir()
    path = tmp_path / "text" / "lines.txt"
    path.write_text(f"{WORDS}\n" * N_LINES, encoding="utf8")
    return path


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Sixty sentences to train on, thirty to judge by."""
    made = Corpus("some sentences", tmp_path_factory.mktemp("corpus"))
    for split, n in (("train", 60), ("dev", 30)):
        DocBin(docs=load_sample(Vocab(), split, limit=n)).to_disk(made.path(split))
    return made


def test_annotation_in_units(model: str, text: Path, tmp_path: Path) -> None:
    found = annotate_by(WAYS[2], model, text, tmp_path / "out")
    assert found["words"] == 7 * N_LINES
    assert found["wall"] >= found["load"] + found["work"] > found["work"] > 0
    assert found["cpu"] is None or 0 < found["cpu"] < 10 * found["wall"]
    (output,) = (tmp_path / "out").glob("*.spacy")
    assert len(list(DocBin().from_disk(output).get_docs(Vocab()))) == N_LINES


def test_annotation_by_pipe(model: str, text: Path, tmp_path: Path) -> None:
    found = annotate_by(WAYS[0], model, text, tmp_path / "out")
    assert found["words"] == 7 * N_LINES
    assert found["wall"] > found["load"] > 0
    assert not (tmp_path / "out").exists()


def test_annotation_on_ray(model: str, text: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    found = annotate_by(WAYS[3], model, text, tmp_path / "out")
    assert found["words"] == 7 * N_LINES
    assert found["wall"] >= found["start"] + found["load"] + found["work"]
    assert min(found[name] for name in ("start", "load", "work")) > 0
    if found["cpu"] is not None:
        # Workers, which load a pipeline, count.
        assert found["cpu"] > found["start_cpu"] + 1 > 1


def test_documents_with_errors_are_no_result(tmp_path: Path, model: str) -> None:
    path = tmp_path / "text.jsonl"
    path.write_text('{"no": "text"}\n', encoding="utf8")
    with pytest.raises(RuntimeError, match="could not be annotated"):
        annotate_by(WAYS[2], model, path, tmp_path / "out")


def test_rows_of_annotation() -> None:
    """Median of 2, 3 and 4 speed-ups; the base has none."""
    one = [{"words": 10, "wall": wall, "load": 1.0, "work": 8.0, "cpu": 5.0} for wall in (4, 6, 8)]
    two = [
        {"words": 10, "wall": 2.0, "load": 2.0, "work": 4.0, "start": start, "start_cpu": 1.0}
        for start in (1.0, 7.0, 2.0)
    ]
    rows = annotation_rows({"annotate": one, "annotate-2": two}, "10 words")
    assert [row["label"] for row in rows] == [
        "10 words: `annotate`, 1 worker",
        "10 words: `annotate`, 2 workers on Ray",
    ]
    assert [row["speed_up"] for row in rows] == [None, 3.0]
    assert [row["work_speed_up"] for row in rows] == [None, 2.0]
    assert [row["start"] for row in rows] == [None, 2.0]
    assert [row["cpu"] for row in rows] == [5.0, None]


def test_turns() -> None:
    log: list[str] = []

    def measure(way: Any) -> dict[str, Any]:
        log.append(way.key)
        return {"wall": len(log)}

    timings = measure_in_turns(WAYS[:2], 2, measure)
    assert log == ["pipe", "pipe-2"] * 2
    assert timings["pipe-2"] == [{"wall": 2}, {"wall": 4}]


@pytest.mark.parametrize("how", [UNITS, PIPE])
def test_memory_over_words(how: str, model: str, text: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    found = memory_over_words(how, model, text, out, 7 * N_LINES)
    words = [n for n, _ in found["points"]]
    assert all(a < b for a, b in itertools.pairwise(words))
    assert N_POINTS - 5 <= len(words) <= N_POINTS + 5
    assert words[-1] == 7 * N_LINES
    assert all(memory > 10 for _, memory in found["points"])
    # Outputs need no disk, and none is read instead of being made.
    assert not list(out.glob("*.spacy"))


def test_growth_of_memory() -> None:
    """From the first million words on, and of short texts from the middle on."""
    million = 10**6
    points = [(million // 2, 50.0), (million, 100.0), (9 * million, 150.0), (10 * million, 110.0)]
    row = memory_row({"key": UNITS, "loaded": 40.0, "points": points})
    assert (row["first"], row["last"], row["most"]) == (100.0, 110.0, 150.0)
    assert row["growth"] == pytest.approx(0.1)
    row = memory_row({"key": PIPE, "loaded": 1.0, "points": [(1, 3.0), (2, 4.0), (4, 5.0)]})
    assert row["growth"] == pytest.approx(0.25)


def test_times_of_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three batches an epoch, of 1, 2 and 3 seconds. The third is evaluated for a minute: two count
    in its place what the others take on average."""
    now = 0.0
    monkeypatch.setattr(training.time, "perf_counter", lambda: now)
    log = EpochLog()
    for step in range(7):
        now += step % 3 + 1
        if step % 3 == 0:
            now += 60
        log.add({"step": step, "score": step / 10} if step % 3 == 0 else None)
    assert log.scores == [0.3, 0.6]
    assert log.seconds == [7.5, 7.5]


def test_learning_curves(corpus: Corpus, tmp_path: Path) -> None:
    """Two seeds differ, and a training on shards has half as many rounds again."""
    system = easy_first_system(3, small=True)
    curves = learning_curves(system, corpus, tmp_path, (2,), 2, 2)
    assert {n: [len(scores) for scores in seeds] for n, seeds in curves.items()} == {
        "0": [2, 2],
        "2": [3, 3],
    }
    assert all(0.3 < score < 1 for seeds in curves.values() for scores in seeds for score in scores)
    assert all(seeds[0] != seeds[1] for seeds in curves.values())
    random.seed(1)
    assert learning_curves(system, corpus, tmp_path, (2,), 1, 2)["2"] == curves["2"][:1]


def test_the_parser_learns_without_a_tagger(corpus: Corpus, tmp_path: Path) -> None:
    curves = learning_curves(gold_tag_mira(1, small=True), corpus, tmp_path, (), 1, 1)
    assert curves["0"][0][0] > 0.3


def test_shipped_epochs(tmp_path: Path) -> None:
    assert shipped_epochs(easy_first_system(3), tmp_path) == 9


def test_time_of_rounds(corpus: Corpus, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    found = time_training(easy_first_system(3, small=True), corpus, tmp_path, (2,), 2)
    assert found["n_examples"] == 60
    assert len(found["epochs"]) == 2
    rounds = found["workers"]["2"]["rounds"]
    assert len(rounds) == 2
    assert all(one["wall"] > one["learn"] > 0 for one in rounds)


def test_rows_of_rounds() -> None:
    """Rounds of 3 seconds on average, of which 1 is for mixing, against epochs of 4 and 2."""
    rounds = [{"wall": 4.0, "learn": 3.0}, {"wall": 2.0, "learn": 1.0}]
    timing = {"open": 5.0, "rounds": rounds}
    result = {"label": "tagger", "n_examples": 7, "ray": 2.0, "epochs": [4.0, 2.0, 90.0]}
    (row,) = round_rows({**result, "workers": {"2": timing}})
    assert row["label"] == "tagger, 2 workers"
    assert (row["start"], row["epoch"], row["round"], row["ratio"]) == (7.0, 3.0, 3.0, 1.0)
    assert (row["mixing"], row["mixing_share"]) == (1.0, pytest.approx(1 / 3))


def test_rows_of_curves() -> None:
    """Serial: best scores 0.8 and 0.6, mean curve 0.5, 0.7. Shards: 0.7 in round 2, 0.9 in round 3,
    mean curve 0.3, 0.7, 0.8."""
    curves = {
        "0": [[0.6, 0.8], [0.4, 0.6]],
        "4": [[0.2, 0.7, 0.7], [0.4, 0.7, 0.9]],
        "8": [[0.1, 0.1, 0.1], [0.1, 0.1, 0.2]],
    }
    serial, four, eight = curve_rows(curves)
    assert (serial["label"], four["label"]) == ("serial", "4 shards")
    assert serial["best"] == pytest.approx(0.7)
    assert serial["difference"] is None
    assert serial["reached"] == 2
    assert four["difference"] == pytest.approx(0.1)
    assert (four["n_rounds"], four["at_round"], four["reached"]) == (3, 2.5, 2)
    assert four["deviation"] == pytest.approx(0.1 * 2**0.5)
    assert eight["reached"] is None


def test_labels_of_curves() -> None:
    assert [curve_label(n) for n in (0, 1, 2)] == ["serial", "1 shard", "2 shards"]
