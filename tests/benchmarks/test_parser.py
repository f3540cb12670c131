"""The parsing benchmark: counting arcs, growth with length, systems, UDPipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.util import load_config, resolve_dot_names

from benchmarks.comparisons.common import QUICK, Scale, choose_systems, is_installed
from benchmarks.corpora.corpus import Corpus, doc_heads, read_conllu
from benchmarks.corpora.sentences import ROOT_HEAD, Analysis, Sentence
from benchmarks.measures.parses import parse_accuracy, right_arcs
from benchmarks.parser import GROUPS, make_systems
from benchmarks.processes.stages import fitted_exponent
from benchmarks.systems.own.guided import with_one_root
from benchmarks.systems.own.mira import (
    gold_tag_mira,
    mira_system,
    mira_variant,
    unpruned_mira,
)
from benchmarks.systems.peers.spacy_pipelines import ParserRunner, spacy_parser_system
from benchmarks.systems.peers.udpipe import UdpipeSystem

from .test_common import CONLLU

# "Dogs bark ." and "Go !"
GOLD = [
    Sentence(
        words=["Dogs", "bark", "."],
        spaces=[True, False, True],
        tags=["NNS", "VBP", "."],
        heads=[1, ROOT_HEAD, 1],
        labels=["nsubj", "ROOT", "punct"],
        punct=[False, False, True],
    ),
    Sentence(
        words=["Go", "!"],
        spaces=[False, True],
        tags=["VB", "."],
        heads=[ROOT_HEAD, 0],
        labels=["ROOT", "punct"],
        punct=[False, True],
    ),
]
PERFECT = [Analysis(s.tags, s.heads, s.labels) for s in GOLD]
# The full stop hangs on the wrong word; "Dogs" has a wrong label; "Go" a wrong tag.
FAULTY = [
    Analysis(["NNS", "VBP", "."], [1, ROOT_HEAD, 0], ["obj", "ROOT", "punct"]),
    Analysis(["NN", "."], [ROOT_HEAD, 0], ["ROOT", "punct"]),
]


def make_corpus(directory: Path) -> Corpus:
    """A corpus of two sentences, the same in all splits."""
    source = directory / "source.conllu"
    source.write_text(CONLLU, encoding="utf8")
    made = Corpus("two sentences", directory)
    for split in ("train", "dev", "test"):
        DocBin(docs=read_conllu(source)).to_disk(made.path(split))
    return made


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return make_corpus(tmp_path)


def test_scores_with_and_without_punctuation() -> None:
    counts = parse_accuracy(GOLD, FAULTY)
    found = {name: (count["correct"], count["total"]) for name, count in counts.items()}
    assert found == {
        "uas": (4, 5),
        "las": (3, 5),
        "uas_no_punct": (3, 3),
        "las_no_punct": (2, 3),
        "exact_heads": (1, 2),
        "exact": (1, 2),
        "tags": (4, 5),
    }
    assert counts["uas"]["share"] == pytest.approx(0.8)
    assert all(count["share"] == 1 for count in parse_accuracy(GOLD, PERFECT).values())


def test_scores_need_an_arc_for_every_word() -> None:
    short = Analysis(["NNS"], [1], ["nsubj"])
    with pytest.raises(ValueError, match="shorter"):
        right_arcs(GOLD[:1], [short], labelled=False)


@pytest.mark.parametrize("power", [1.0, 2.5])
def test_exponent_is_that_of_the_time_per_sentence(power: float) -> None:
    timings = {
        str(length): [{"cpu": length**power * 100 / length, "words": 100.0}]
        for length in (20, 40, 160)
    }
    # Outside the fitted range, and not on the line.
    timings["10"] = timings["200"] = [{"cpu": 1.0, "words": 100.0}]
    assert fitted_exponent(timings, 20, 160) == pytest.approx(power)


def test_corpus_has_trees_and_punctuation(corpus: Corpus) -> None:
    first, second = corpus.sentences("test")
    assert first.heads == [1, ROOT_HEAD, 1, 1]
    assert first.labels == ["nsubj", "ROOT", "advmod", "punct"]
    assert first.punct == [False, False, False, True]
    assert second.heads == [ROOT_HEAD, 0]


def test_pipeline_answers_with_tags_and_trees(corpus: Corpus) -> None:
    docs = list(corpus.docs("test"))
    answers = ParserRunner(spacy.blank("en")).annotations(docs)
    gold = corpus.sentences("test")
    assert all(count["share"] == 1 for count in parse_accuracy(gold, answers).values())


def test_spacy_config_has_tagger_and_parser(tmp_path: Path) -> None:
    config = load_config(spacy_parser_system().config(tmp_path))
    assert config["nlp"]["pipeline"] == ["tok2vec", "tagger", "parser"]
    assert config["corpora"]["dev"]["@readers"] == "spacy_perceptron.gold_tokens.v1"


def test_systems_have_one_home_per_training() -> None:
    systems = make_systems(["ours", "spacy"], spacy_parser_system())
    assert len({system.key for system in systems}) == len(systems)
    assert [s.home for s in systems] == ["ours-order1", "ours-order1", "ours-order2", "spacy"]
    assert [s.has_parts for s in systems] == [True, True, True, False]
    assert mira_system(2).label == "mira_parser, order 2"
    assert unpruned_mira(1).loaded_with == {"pruning": 0.0, "max_heads": 0, "narrowing": 0.0}


def test_variants_share_folds_but_not_models(tmp_path: Path, corpus: Corpus) -> None:
    base, variant = mira_system(1), mira_variant(1, "k 2", {"k": 2})
    cache = [
        system.settings(corpus, tmp_path / system.home)["corpora.train.cache_dir"]
        for system in (base, variant)
    ]
    assert cache[0] == cache[1]
    assert variant.home != base.home
    assert variant.overrides["components.parser.k"] == 2


def test_missing_library_is_named() -> None:
    assert is_installed("spacy.tokens")
    assert not is_installed("no_such_package.module")
    system = UdpipeSystem(library="no_such_package.module")
    with pytest.raises(ImportError, match="UDPipe 1, beam 5 needs no_such_package"):
        choose_systems([system], ["udpipe"], GROUPS)


def test_small_scale_fits() -> None:
    assert Scale(**QUICK).repetitions < Scale().repetitions


@pytest.mark.parametrize("order", [1, 2])
def test_gold_tags_are_preset_and_trees_are_not(order: int, corpus: Corpus, tmp_path: Path) -> None:
    system = gold_tag_mira(order)
    config = load_config(system.config(tmp_path), overrides=system.settings(corpus, tmp_path))
    assert config["nlp"]["pipeline"] == list(config["components"]) == ["parser"]
    (read,) = resolve_dot_names(config.interpolate(), ["corpora.train"])
    first, second = (eg.predicted for eg in read(spacy.blank("en")))
    assert [token.tag_ for token in first] == ["NNS", "VBP", "RB", "."]
    assert [token.pos_ for token in first] == ["NOUN", "AUX", "PART", "PUNCT"]
    assert not first.has_annotation("DEP")
    assert [len(list(doc.sents)) for doc in (first, second)] == [1, 1]
    (doc,) = system.make_runner(spacy.blank("en")).prepare(GOLD[:1])
    assert [token.tag_ for token in doc] == GOLD[0].tags


def test_a_guide_with_two_roots_becomes_one_tree() -> None:
    vocab = spacy.blank("en").vocab
    words, deps = ["a", "b", "c", "d"], ["det", "ROOT", "ROOT", "punct"]
    doc = Doc(vocab, words=words, tags=["T"] * 4, heads=[1, 1, 2, 2], deps=deps)
    doc.user_data["sure"] = [1.0] * 4
    assert len(list(doc.sents)) == 2
    joined = with_one_root(doc)
    assert doc_heads(joined) == [1, ROOT_HEAD, 1, 2]
    assert len(list(joined.sents)) == 1
    assert [token.tag_ for token in joined] == ["T"] * 4
    assert joined.user_data == {"sure": [1.0] * 4}
    assert with_one_root(joined) is joined


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
