"""From raw text to every column of CoNLL-U on UD English EWT, against spaCy and UDPipe 1."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wasabi import msg

from spacy_perceptron.trees.conllu.expansions import Expansions

from .command.options import add_common_arguments, add_training_arguments
from .comparisons.comparison import (
    QUICK,
    Comparison,
    Scale,
    choose_systems,
    common_result,
    train_and_measure,
)
from .corpora.raw_text import ewt_documents
from .corpora.sentences import first_words
from .measures.raw_text import gold_token_accuracy, mark_multiwords, raw_accuracy
from .measures.speed import speed_ratio
from .plots.systems import accuracy_against_speed
from .processes.race import Race
from .processes.workshop import Workshop
from .report import notes
from .report.files import Report, publish
from .report.tables import COMMON_COLUMNS, Column, Section, Value, percentage, value_in
from .systems.base import System
from .systems.own.raw_text import own_raw_systems
from .systems.peers.spacy_pipelines import raw_spacy_systems
from .systems.peers.udpipe import GROUP as UDPIPE
from .systems.peers.udpipe_raw import raw_udpipe_system

GROUPS = ("ours", "spacy", UDPIPE)
PEERS = ("ufal.udpipe",)
TARGET = 0.80
UDPIPE_PARTS = ("tokenizer", "tagger", "parser")
MEASURES = {
    "Tokens": "tokens",
    "Words": "words",
    "Sents": "sentences",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "ufeats",
    "AllTags": "alltags",
    "Lemmas": "lemmas",
    "UAS": "uas",
    "LAS": "las",
    "CLAS": "clas",
    "MLAS": "mlas",
    "BLEX": "blex",
}
COLUMNS = (
    *(Column(title, percentage(name)) for title, name in MEASURES.items()),
    *COMMON_COLUMNS[:3],
    Column("× UDPipe", value_in("speed", "ratio_udpipe")),
    *COMMON_COLUMNS[3:],
)


def on_gold_tokens(name: str) -> Value:
    """An accuracy on gold tokens, in percent."""
    return lambda result: value_in(name, "share", 100)(result["gold_tokens"])


GOLD_COLUMNS = (
    *(
        Column(title, on_gold_tokens(name))
        for title, name in MEASURES.items()
        if name not in ("tokens", "words", "sentences")
    ),
    Column("LAS, subtypes", on_gold_tokens("las_subtypes")),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    add_common_arguments(parser, GROUPS)
    add_training_arguments(parser, TARGET, "LAS (spaCy's dep_las)")
    parser.add_argument(
        "--config", type=Path, help="train ours with this config, not init-config's"
    )
    for name in UDPIPE_PARTS:
        what = f"options for training UDPipe's {name}, such as epochs=30"
        parser.add_argument(f"--udpipe-{name}", default="", metavar="OPTIONS", help=what)


def make_systems(args: argparse.Namespace, scale: Scale) -> list[System]:
    """The systems that the command line asks for, ours first."""
    udpipe = {name: getattr(args, f"udpipe_{name}") for name in UDPIPE_PARTS}
    available: list[System] = [
        *own_raw_systems(args.config),
        *raw_spacy_systems(max_steps=scale.spacy_steps, max_minutes=args.max_minutes_spacy),
        raw_udpipe_system(**udpipe, quick=args.quick),
    ]
    return choose_systems(available, args.only, GROUPS)


def option_words(args: argparse.Namespace) -> list[str]:
    """The words of the command that only this benchmark has."""
    words = ["--config", args.config.name] if args.config else []
    for name in UDPIPE_PARTS:
        value = getattr(args, f"udpipe_{name}")
        words += [f"--udpipe-{name}", value] if value else []
    return words


def measure(how: Comparison, workshop: Workshop, target: float) -> dict[str, Any]:
    """Measure trained systems."""
    corpus, scale = workshop.corpus, how.scale
    gold, texts = corpus.gold("test"), corpus.texts("test")
    keys = [system.key for system in how.systems]
    with Race(how.systems, workshop.work) as race:
        msg.text("accuracy ...")
        race.add("test", texts)
        race.add("words", corpus.sentences("test"))
        race.add("other", first_words(corpus.texts("train"), scale.other_words))
        table = Expansions(corpus.gold("train"))
        answers = {key: mark_multiwords(race.annotate(key, "test"), table) for key in keys}
        accuracy = {key: raw_accuracy(gold, answers[key]) for key in keys}
        with_words = {key: gold_token_accuracy(gold, race.annotate(key, "words")) for key in keys}
        msg.text("speed ...")
        timings = race.run("test", scale.repetitions, keys, before="other")
    results = []
    for system in how.systems:
        result = common_result(system, workshop, texts, timings, target, scale.processes)
        if UDPIPE in keys:
            result["speed"]["ratio_udpipe"] = speed_ratio(timings, system.key, UDPIPE, "cpu")
        result.update(accuracy=accuracy[system.key], gold_tokens=with_words[system.key])
        results.append(result)
    return {"systems": results, "documents": len(texts)}


MULTIWORD_NOTE = (
    "Tokens: multi-word tokens such as don't count as one. UDPipe finds them; in the output of "
    "pipelines, words that make up a multi-word token of train are marked as one, as `convert "
    "--split-subtokens` does. Words is what the other measures build on."
)


def measures_note(data: Mapping[str, Any]) -> str:
    """What the columns on accuracy mean."""
    return (
        f"{data['corpus']['name']}, {data['documents']} documents of test as raw text; paragraphs "
        f"are separated by an empty line. Words: {notes.corpus_sizes(data)}. Measures are the "
        "F-scores of the CoNLL 2018 shared task: subtypes of relations and features that are not "
        f"universal do not count. {MULTIWORD_NOTE}"
    )


SPEED_NOTE = (
    "Speed: from text to annotated documents, tokenization included, counted in words of the "
    "treebank: the median of several turns on one thread. The text is new to the process, which "
    "has annotated {words:,} words of training text before. × spaCy, × UDPipe: the median ratio of "
    "CPU times within a turn."
)
TRAINING_NOTE = (
    "All are trained on the same text, ours and UDPipe on gold tokens, spaCy on its own tokens of "
    "the documents. Training times include initialization, evaluation on dev and saving, and for "
    "ours fitting the tokenizer and jackknifing. Unless the command says otherwise, UDPipe's "
    "tokenizer is trained for {epochs} epochs at most, with early stopping on dev, instead of its "
    "default of 100, and all else is by its defaults. spaCy's tokenizer, and the parser's "
    "sentences: the same trained pipeline, loaded with another tokenizer or without its senter."
)
GOLD_NOTE = (
    "The same systems with the words and sentences of the treebank given. Figures are accuracies, "
    "for CLAS, MLAS and BLEX F-scores. LAS, subtypes: labels compared with their subtypes."
)


def training_note() -> str:
    """How systems were trained."""
    return TRAINING_NOTE.format(epochs=30)


def make_report(data: Mapping[str, Any]) -> Report:
    """The tables and what their columns mean."""
    explanations = [
        measures_note(data),
        SPEED_NOTE.format(words=data["scale"]["other_words"]),
        training_note(),
        notes.FOOTPRINT_NOTE,
        *notes.steps_note(data),
        *notes.flagged_trainings(data["systems"]),
    ]
    gold = Section("Gold tokens", data["systems"], GOLD_COLUMNS, [GOLD_NOTE])
    return Report(data["systems"], COLUMNS, explanations, [gold])


def draw(data: Mapping[str, Any], directory: Path) -> None:
    """Draw LAS against speed."""
    path, corpus = directory / "raw_text-speed.png", f"{data['corpus']['name']} raw text,"
    accuracy_against_speed(data["systems"], corpus, path, part="las", title="LAS")


def run(args: argparse.Namespace) -> None:
    """Train, measure, report."""
    full: dict[str, Any] = {"repetitions": 7, "lengths": (), "other_words": 25_000}
    scale = Scale(**{**full, **(QUICK if args.quick else {})}).limit_spacy(args.max_steps_spacy)
    how = Comparison(
        "raw_text",
        GROUPS,
        scale,
        make_systems(args, scale),
        PEERS,
        options=option_words(args),
        make_corpus=ewt_documents,
    )
    data = train_and_measure(how, args, lambda workshop: measure(how, workshop, args.target))
    if data is not None:
        publish(data, args)
