"""Resident memory of a pipeline while millions of words stream through it.

Sentences of the embedded treebank come again and again, with every fifth word replaced by a made-up
one. Through plain `nlp.pipe` there are 100,000 of these, all of which come within the first million
words: spaCy's own vocab keeps every word it meets, and would grow with new ones. With `--zones`
each batch has a memory zone of its own, and made-up words never come again. spaCy's hash tables
then still grow, as they keep the places of strings they have forgotten; so the growth of the same
pipeline without components is measured as well, and subtracted.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import cycle
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import load_config
from wasabi import msg

from .processes.children import run_in_child
from .processes.probe import process_memory
from .systems.records import Stopwatch

MILLION = 1_000_000
N_MADE_UP = 100_000
EVERY = 5
SENTENCES_PER_DOC = 10
DOCS_PER_BATCH = 100
MOST_GROWTH = 0.05
_ONSETS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_HEADER = ("words", "MiB", "growth", "words/CPU s")


def make_word(number: int) -> str:
    """A word that can be pronounced, another one for each number.

    number (int): The number.
    RETURNS (str): The word.
    """
    letters = ""
    while not letters or number:
        number, onset = divmod(number, len(_ONSETS))
        number, vowel = divmod(number, len(_VOWELS))
        letters += _ONSETS[onset] + _VOWELS[vowel]
    return letters


def stream_texts(n_words: int, n_made_up: int) -> Iterator[list[list[str]]]:
    """Texts of some sentences each.

    n_words (int): How many words there are at least, in all texts.
    n_made_up (int): How many different made-up words there are; 0: no limit.
    YIELDS (list[list[str]]): The words of the sentences of a text.
    """
    from spacy_perceptron.corpus.sample import load_sample

    sentences = [[token.text for token in doc] for doc in load_sample(spacy.blank("xx").vocab)]
    source = cycle(sentences)
    n_read = n_new = 0
    while n_read < n_words:
        text = []
        for _ in range(SENTENCES_PER_DOC):
            words = list(next(source))
            for i in range(n_read % EVERY, len(words), EVERY):
                words[i] = make_word(n_new % n_made_up if n_made_up else n_new)
                n_new += 1
            text.append(words)
            n_read += len(words)
        yield text


def make_doc(nlp: Language, sentences: list[list[str]]) -> Doc:
    """A doc with sentence boundaries."""
    words = [word for sentence in sentences for word in sentence]
    starts = [i == 0 for sentence in sentences for i in range(len(sentence))]
    return Doc(nlp.vocab, words=words, sent_starts=starts)


def measure_memory(nlp: Language, n_words: int, *, zones: bool) -> Iterator[dict[str, Any]]:
    """Run a pipeline over many words.

    nlp (Language): The pipeline.
    n_words (int): How many words.
    zones (bool): Whether each batch has a memory zone of its own.
    YIELDS (dict[str, Any]): After every million words: `n_words`, `resident` (MiB) and `speed`.
    """
    texts = stream_texts(n_words, 0 if zones else N_MADE_UP)
    n_read = n_before = 0
    goal = MILLION
    watch = Stopwatch()
    while batch := [text for _, text in zip(range(DOCS_PER_BATCH), texts, strict=False)]:
        with nlp.memory_zone() if zones else nullcontext():
            for doc in nlp.pipe([make_doc(nlp, text) for text in batch]):
                n_read += len(doc)
            del doc
        if n_read >= goal:
            _, cpu = watch.read()
            gc.collect()
            speed = (n_read - n_before) / cpu
            yield {"n_words": n_read, "resident": process_memory()["resident"], "speed": speed}
            n_before = n_read
            goal += MILLION
            watch = Stopwatch()


def vocab_memory(model: Path, n_words: int) -> list[float]:
    """Resident memory of a pipeline without components, in zones; for a child process.

    model (Path): directory of the pipeline.
    n_words (int): How many words.
    RETURNS (list[float]): MiB after every million words.
    """
    names = load_config(model / "config.cfg")["nlp"]["pipeline"]
    rows = measure_memory(spacy.load(model, exclude=names), n_words, zones=True)
    return [row["resident"] for row in rows]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("model", type=Path, help="directory of a trained pipeline")
    parser.add_argument("--words", type=float, default=10 * MILLION, help="how many (default: 1e7)")
    parser.add_argument("--zones", action="store_true", help="ever new words, in memory zones")


def run(args: argparse.Namespace) -> None:
    """Measure and report; an error if memory grows after the first million words."""
    n_words = int(args.words)
    of_spacy = run_in_child(vocab_memory, args.model, n_words) if args.zones else []
    nlp = spacy.load(args.model)
    first = growth = 0.0
    msg.row(_HEADER, widths=[12] * len(_HEADER), aligns=["r"] * len(_HEADER))
    for i, row in enumerate(measure_memory(nlp, n_words, zones=args.zones)):
        first = first or row["resident"]
        more = row["resident"] - first
        growth = (more - (of_spacy[i] - of_spacy[0] if of_spacy else 0.0)) / first
        cells = (
            f"{row['n_words']:,}",
            f"{row['resident']:.1f}",
            f"{growth:+.1%}",
            f"{row['speed']:,.0f}",
        )
        msg.row(cells, widths=[12] * len(cells), aligns=["r"] * len(cells))
    if growth >= MOST_GROWTH:
        msg.fail(f"Memory has grown by {growth:.1%} since the first million words", exits=1)
    msg.good(f"Memory has grown by {growth:.1%} since the first million words")
