"""The accuracy of annotation from raw text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.measures.raw_text import gold_token_accuracy, mark_multiwords, raw_accuracy
from spacy_perceptron.trees.conllu.expansions import Expansions
from spacy_perceptron.trees.conllu.reading import read_conllu

from ..samples import DOCUMENTS


def test_raw_and_gold_tokens(tmp_path: Path) -> None:
    """Of 8 words, one has a subtype that is wrong, and one another lemma."""
    path = tmp_path / "gold.conllu"
    path.write_text(DOCUMENTS, encoding="utf8")
    first, second, third = gold = list(read_conllu(path))
    words = list(first.words)
    words[0] = replace(words[0], deprel="nsubj:pass", lemma="dogs")
    words[1] = replace(words[1], misc="SpaceAfter=No")
    answer = replace(first, words=words, multiwords=[])
    raw = raw_accuracy(gold, [[answer, second], [third]])
    assert (raw["las"]["correct"], raw["las"]["share"]) == (8, 1.0)
    assert (raw["lemmas"]["correct"], raw["lemmas"]["share"]) == (7, 7 / 8)
    # `do` and `n't` are two tokens of the system, `don't` is one of gold: 6 are right of 7 and 8.
    assert raw["tokens"]["share"] == 12 / 15
    table = Expansions(gold)
    marked = raw_accuracy(gold, mark_multiwords([[answer, second], [third]], table))
    assert marked["tokens"]["share"] == 1.0
    assert mark_multiwords([gold], table) == [gold]
    on_words = gold_token_accuracy(gold, [[answer], [second], [third]])
    assert on_words["las_subtypes"] == {"correct": 7, "total": 8, "share": 7 / 8}
    assert on_words["las"]["share"] == on_words["sentences"]["share"] == 1.0
