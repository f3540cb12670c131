"""Experiments: trained once, judged, compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpora.corpus import Corpus
from benchmarks.corpora.sentences import ROOT_HEAD, Analysis
from benchmarks.experiments.base import Experiment, Pair
from benchmarks.processes.workshop import Workshop

from ..samples import FixedCorpus, FixedSystem


def test_experiment_trains_once_and_compares(tmp_path: Path, corpus: Corpus) -> None:
    gold = corpus.sentences("test")
    perfect = [Analysis(s.tags, s.heads, s.labels) for s in gold]
    wrong = [Analysis(s.tags, [ROOT_HEAD] * len(s.heads), s.labels) for s in gold]
    right_system, wrong_system = FixedSystem("right", perfect), FixedSystem("wrong", wrong)
    experiment = Experiment(
        name="test",
        title="Right against wrong",
        systems=[right_system, wrong_system],
        pairs=[Pair("right", "wrong", labelled=True)],
        before=lambda workshop: workshop.make("extra", "extra", right_system.train),
    )
    fixed: Any = FixedCorpus(gold)
    workshop = Workshop(fixed, tmp_path / "work", reuse=False)
    experiment.train(workshop)
    result = experiment.run(workshop, 0.9)
    assert [row["accuracy"]["las"]["share"] for row in result["rows"]] == [
        1.0,
        pytest.approx(1 / 3),
    ]
    assert (result["comparisons"][0]["only_a"], result["comparisons"][0]["only_b"]) == (4, 0)
    for name in ("right", "wrong", "extra"):
        assert (tmp_path / "work" / name / "trained").read_text() == "once\n"
    again = Workshop(fixed, tmp_path / "work", reuse=True)
    assert again.train(right_system).reused
    assert (tmp_path / "work" / "right" / "trained").read_text() == "once\n"
