"""The benchmark from raw text: systems, columns, report."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.comparisons.comparison import Scale
from benchmarks.measures.raw_text import gold_token_accuracy, raw_accuracy
from benchmarks.pages.raw_text import make_part
from benchmarks.raw_text import (
    COLUMNS,
    GOLD_COLUMNS,
    add_arguments,
    make_report,
    make_systems,
    option_words,
)
from spacy_perceptron.trees.conllu.reading import read_conllu

from .samples import DOCUMENTS


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_systems() -> None:
    args = parse("--only", "ours,spacy")
    systems = make_systems(args, Scale())
    assert [system.key for system in systems] == ["ours", "ours-default", "spacy", "spacy-parser"]
    assert [system.home for system in systems] == ["ours", "ours", "spacy", "spacy"]
    assert option_words(args) == []
    given = parse("--config", "a/b.cfg", "--udpipe-tokenizer", "epochs=2")
    assert option_words(given) == ["--config", "b.cfg", "--udpipe-tokenizer", "epochs=2"]
    assert make_systems(parse("--only", "ours", "--config", "b.cfg"), Scale())[0].config(
        Path()
    ) == Path("b.cfg")


def test_report(tmp_path: Path) -> None:
    """A perfect system, except that it knows of no multi-word tokens: 6 tokens of 7 and 8."""
    path = tmp_path / "gold.conllu"
    path.write_text(DOCUMENTS, encoding="utf8")
    gold = list(read_conllu(path))
    first, second, third = (type(s)(s.words) for s in gold)
    result = {
        "key": "ours",
        "label": "one",
        "accuracy": raw_accuracy(gold, [[first, second], [third]]),
        "gold_tokens": gold_token_accuracy(gold, [[first], [second], [third]]),
        "speed": {"wall": 1.0, "cpu": 1.0, "ratio_cpu": 2.0, "ratio_udpipe": 3.0},
        "training": {
            **{"wall": 1.0, "cpu": 1.0, "best": None, "to_target": None},
            **{"reused": False, "stopped_early": False},
        },
        "size": 1,
        "load": None,
        "memory": None,
    }
    data = {
        "benchmark": "raw_text",
        "systems": [result],
        "documents": 2,
        "corpus": {"name": "EWT", "words": {"test": 8}},
        "scale": {"other_words": 25_000, "spacy_steps": None},
    }
    cells = {column.title: column.cell(result) for column in COLUMNS}
    assert (cells["Tokens"], cells["Words"], cells["BLEX"]) == ("80.00", "100.00", "100.00")
    assert (cells["× spaCy"], cells["× UDPipe"]) == ("2.00", "3.00")
    assert {c.title: c.cell(result) for c in GOLD_COLUMNS}["LAS, subtypes"] == "100.00"
    report = make_report(data)
    assert report.sections[0].title == "Gold tokens"
    assert "25,000 words" in report.notes[1]
    part = make_part(data)
    assert "on 2 documents" in part.introduction
    assert len(part.sections) == 2
