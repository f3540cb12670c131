"""UDPipe: training and loading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.comparisons.comparison import is_installed
from benchmarks.corpora.corpus import Corpus
from benchmarks.corpora.sentences import ROOT_HEAD
from benchmarks.measures.parses import parse_accuracy
from benchmarks.systems.peers.udpipe import UdpipeSystem


@pytest.mark.skipif(not is_installed("ufal.udpipe"), reason="needs ufal.udpipe, a peer package")
def test_udpipe_learns_and_reloads(corpus: Corpus, tmp_path: Path) -> None:
    system = UdpipeSystem(
        tagger="iterations=5", parser="iterations=50;batch_size=1;learning_rate=0.1;l2=0"
    )
    record = system.train(corpus, tmp_path)
    assert record.wall > 0
    runner = system.load(tmp_path)
    gold = corpus.sentences("test")
    answers = runner.annotations(runner.run(runner.prepare(gold)))
    counts = parse_accuracy(gold, answers)
    assert counts["tags"]["share"] == 1
    assert counts["uas"]["share"] == 1
    greedy = replace(system, key="greedy", decoding="beam_search=1")
    assert greedy.home == system.home
    fast = greedy.load(tmp_path)
    faster = fast.annotations(fast.run(fast.prepare(gold)))
    assert parse_accuracy(gold, faster)["uas"]["share"] == 1
    blank = system.blank()
    heads = [a.heads for a in blank.annotations(blank.run(blank.prepare(gold)))]
    assert all(head == ROOT_HEAD for sentence in heads for head in sentence)
