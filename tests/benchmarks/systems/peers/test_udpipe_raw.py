"""UDPipe from raw text."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.comparisons.comparison import is_installed
from benchmarks.corpora.corpus import SPLITS
from benchmarks.corpora.raw_text import RawTextCorpus
from benchmarks.measures.raw_text import gold_token_accuracy, raw_accuracy
from benchmarks.systems.peers.udpipe_raw import TOKENIZER, raw_udpipe_system

from ...samples import DOCUMENTS


def test_options() -> None:
    default, quick = raw_udpipe_system(), raw_udpipe_system(quick=True, parser="iterations=3")
    assert (default.tokenizer, default.tagger, default.parser) == (TOKENIZER, "", "")
    assert (quick.tokenizer, quick.parser) == ("epochs=1", "iterations=3")
    assert default.label == "UDPipe 1"


@pytest.mark.skipif(not is_installed("ufal.udpipe"), reason="needs ufal.udpipe, a peer package")
def test_every_column_from_text(tmp_path: Path) -> None:
    corpus = RawTextCorpus("two documents", tmp_path)
    for split in SPLITS:
        # The tokenizer needs some text to learn from.
        corpus.conllu_path(split).write_text(f"{DOCUMENTS}\n" * 5, encoding="utf8")
    system = raw_udpipe_system(
        tokenizer="epochs=1;batch_size=10;learning_rate=0.01;early_stopping=0;dimension=16",
        tagger="iterations=3",
        parser="iterations=10;batch_size=1;learning_rate=0.1;l2=0",
    )
    system.train(corpus, tmp_path / "udpipe")
    runner = system.load(tmp_path / "udpipe")
    gold = corpus.gold("test")
    documents = runner.annotations(runner.run(runner.prepare(corpus.texts("test"))))
    assert len(documents) == 10
    found = raw_accuracy(gold, documents)
    assert found["words"]["share"] == 1.0
    assert found["lemmas"]["share"] == found["blex"]["share"] == 1.0
    given = runner.annotations(runner.run(runner.prepare(corpus.sentences("test"))))
    found = gold_token_accuracy(gold, given)
    assert found["xpos"]["share"] == found["sentences"]["share"] == 1.0
    assert found["las_subtypes"]["share"] == 1.0
    blank = system.blank()
    assert blank.run(blank.prepare(corpus.texts("test"))) == [[]] * 10
