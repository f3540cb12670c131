"""The benchmarks' own arithmetic: counting, ratios, records, tables, configs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.util import load_config

from benchmarks.corpora.corpus import read_conllu
from benchmarks.corpora.sentences import Sentence, count_words, resegment
from benchmarks.measures.tags import Count, tag_accuracy, training_forms
from benchmarks.options import check_groups
from benchmarks.processes.children import ChildError, Worker, run_in_child
from benchmarks.processes.records import Checkpoint, TrainingRecord
from benchmarks.processes.stages import model_size, speed, speed_ratio
from benchmarks.report.tables import Column, console_table, markdown_table, used_columns
from benchmarks.systems.peers.crfsuite import CrfsuiteSystem, collapsed_shape, sentence_features
from benchmarks.systems.peers.nltk_tagger import NltkSystem
from benchmarks.systems.pipelines import PipelineRunner, easy_first_system, spacy_tagger_system

CONLLU = """# text = Dogs don't.
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tdo\tdo\tAUX\tVBP\t_\t0\troot\t_\t_
3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# text = Go!
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""


def sentence(text: str) -> Sentence:
    """A sentence from `word/tag` pairs."""
    pairs = [pair.rsplit("/", 1) for pair in text.split()]
    words, tags = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Sentence(words=words, spaces=[True] * len(words), tags=tags)


TRAIN = [sentence("the/DT dog/NN barks/VBZ ./."), sentence("a/DT cat/NN sleeps/VBZ ./.")]


def test_accuracy_splits_known_and_unknown_words() -> None:
    gold = [sentence("the/DT bird/NN barks/VBZ"), sentence("The/DT cat/NN ./.")]
    predicted = [["DT", "NN", "NNS"], ["NNP", "NN", "."]]
    accuracy = tag_accuracy(gold, predicted, training_forms(TRAIN))
    # Unknown: "bird" (right) and, by its case, "The" (wrong). Of the other four, one is wrong.
    assert accuracy.unknown == Count(correct=1, total=2)
    assert accuracy.known == Count(correct=3, total=4)
    assert accuracy.all == Count(correct=4, total=6)
    assert accuracy.all.share == pytest.approx(2 / 3)


def test_accuracy_of_nothing_is_undefined() -> None:
    assert tag_accuracy([], [], frozenset()).unknown.share is None


def test_accuracy_needs_a_tag_for_every_word() -> None:
    with pytest.raises(ValueError, match="shorter"):
        tag_accuracy([sentence("the/DT dog/NN")], [["DT"]], frozenset())


def test_conllu_keeps_syntactic_words_one_sentence_per_doc(tmp_path: Path) -> None:
    path = tmp_path / "sample.conllu"
    path.write_text(CONLLU, encoding="utf8")
    docs = list(read_conllu(path))
    assert [[token.text for token in doc] for doc in docs] == [
        ["Dogs", "do", "n't", "."],
        ["Go", "!"],
    ]
    assert [token.tag_ for token in docs[0]] == ["NNS", "VBP", "RB", "."]


@pytest.mark.parametrize(("length", "total", "pieces"), [(3, 8, 2), (5, 20, 4), (10, 4, 1)])
def test_resegment_makes_exact_lengths(length: int, total: int, pieces: int) -> None:
    cut = resegment(TRAIN, length, total)
    assert [len(piece.words) for piece in cut] == [length] * pieces
    assert count_words(cut) == length * pieces
    stream = [word for piece in cut for word in piece.words]
    words = [word for part in TRAIN for word in part.words]
    assert stream == [words[i % len(words)] for i in range(len(stream))]
    assert all(len(piece.tags) == len(piece.spaces) == length for piece in cut)


def test_pipeline_inputs_are_one_sentence_without_tags() -> None:
    runner = PipelineRunner(spacy.blank("en"))
    docs = runner.prepare(TRAIN)
    assert [len(list(doc.sents)) for doc in docs] == [1, 1]
    assert runner.annotations(runner.run(docs)) == [[""] * 4, [""] * 4]


def test_speed_ratio_is_formed_within_a_turn() -> None:
    # The machine is ten times slower in the second turn; the ratios are 2, 2 and 4.
    timings = {
        "a": [{"cpu": seconds, "words": 100.0} for seconds in (1.0, 10.0, 1.0)],
        "b": [{"cpu": seconds, "words": 100.0} for seconds in (2.0, 20.0, 4.0)],
    }
    assert speed_ratio(timings, "a", "b", "cpu") == 2.0
    assert speed_ratio(timings, "b", "a", "cpu") == 0.5
    assert speed(timings["a"], "cpu") == 100.0


def test_record_finds_best_and_target(tmp_path: Path) -> None:
    scores = [0.5, 0.9, 0.93, 0.93, 0.91]
    points = [Checkpoint(i, 0, score, 10.0 * i, 9.0 * i) for i, score in enumerate(scores)]
    record = TrainingRecord(wall=50.0, cpu=45.0, date="2024-01-01", checkpoints=points)
    assert record.best() == points[2]
    assert record.first_above(0.9) == points[1]
    assert record.first_above(0.99) is None
    record.to_disk(tmp_path / "record.json")
    loaded = TrainingRecord.from_disk(tmp_path / "record.json")
    assert loaded.checkpoints == points
    assert (record.reused, loaded.reused) == (False, True)


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


def test_model_size_counts_all_files(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "weights").write_bytes(b"12345")
    (tmp_path / "meta").write_bytes(b"123")
    assert model_size(tmp_path) == 8
    assert model_size(tmp_path / "meta") == 3


def test_spacy_config_is_the_default_for_cpu(tmp_path: Path) -> None:
    config = load_config(spacy_tagger_system().config(tmp_path))
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger"]
    assert config["components"]["tagger"]["factory"] == "tagger"
    assert config["training"]["patience"] == 1600
    assert spacy_tagger_system().overrides == {}
    assert spacy_tagger_system(max_steps=200).overrides == {"training.max_steps": 200}


def test_beams_are_systems_of_one_group() -> None:
    narrow, wide = easy_first_system(1), easy_first_system(8)
    assert narrow.group == wide.group == "ours"
    assert narrow.key != wide.key
    assert wide.overrides == {"components.tagger.beam_width": 8}
    assert wide.label == "easy-first, beam 8"


def test_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from ours, spacy"):
        check_groups(["ours", "typo"], ["ours", "spacy"])


def test_child_returns_results_and_errors() -> None:
    assert run_in_child(divmod, 7, 3) == (2, 1)
    with pytest.raises(ChildError, match="ZeroDivisionError"):
        run_in_child(divmod, 7, 0)
    with Worker(list, (3, 1, 2)) as worker:
        worker.call("sort")
        assert worker.call("pop") == 3


@pytest.mark.parametrize(
    ("word", "shape"), [("McDonald", "XxXx"), ("1,000", "0,0"), ("e-mail", "x-x"), ("U.S.", "X.X.")]
)
def test_collapsed_shape(word: str, shape: str) -> None:
    assert collapsed_shape(word) == shape


def test_features_have_affixes_no_longer_than_the_word() -> None:
    features = sentence_features(["is", "it"])
    assert {"p2=is", "s1=s", "w+1=it", "w-1=<>", "ww+1=is it"} <= set(features[0])
    assert not any(feature.startswith(("p3=", "s3=")) for feature in features[0])


class FixedCorpus:
    """Stands in for a corpus on disk: one sentence, which a single update learns."""

    def sentences(self, split: str) -> list[Sentence]:
        return TRAIN[:1]


@pytest.mark.parametrize("system", [NltkSystem(), CrfsuiteSystem()], ids=["nltk", "crfsuite"])
def test_peers_learn_and_reload(system: Any, tmp_path: Path) -> None:
    pytest.importorskip(system.library)
    record = system.train(FixedCorpus(), tmp_path)
    assert record.wall > 0
    assert system.model_path(tmp_path).stat().st_size > 0
    runner = system.load(tmp_path)
    answers = runner.annotations(runner.run(runner.prepare(TRAIN[:1])))
    assert answers == [TRAIN[0].tags]
    assert system.blank().run(runner.prepare(TRAIN)) == []
