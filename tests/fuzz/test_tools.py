"""The tools of the fuzzing: they make what they say, and notice what is wrong."""

import random
from contextlib import suppress

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, Span, Token

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.components.mira_parser import MiraSettings
from spacy_perceptron.errors import Errors
from spacy_perceptron.trees.constituents import set_constituents

from .__main__ import main
from .actions import ACTIONS, Action, Case
from .damage import damage
from .docs import PHRASES, cut_elsewhere, make_doc, make_phrases
from .oracle import (
    Given,
    check_answers,
    check_confidences,
    check_constituents,
    check_entities,
    check_figures,
    check_tags,
    check_trees,
    has_cycle,
    is_documented,
)
from .strategies import configs, damaged, docs, examples

VOCAB = spacy.blank("xx").vocab
LARGE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@given(doc=docs(VOCAB))
@settings(max_examples=30, deadline=None, suppress_health_check=LARGE)
def test_docs_are_what_spacy_takes(doc: Doc):
    again = Doc(VOCAB).from_bytes(doc.to_bytes())
    assert [token.text for token in again] == Given.of(doc).words


def test_docs_have_everything_in_them():
    made = [make_doc(random.Random(seed), VOCAB) for seed in range(1500)]
    lengths = {len(doc) for doc in made}
    assert {0, 1} <= lengths
    assert max(lengths) > 60
    for name in ("TAG", "POS", "MORPH", "ENT_IOB", "DEP", "SENT_START"):
        assert {doc.has_annotation(name) for doc in made if len(doc)} == {True, False}, name
    assert any(token.is_space for doc in made for token in doc)
    starts = [[token.is_sent_start for token in doc] for doc in made if len(doc) > 1]
    assert [False] * 5 in [found[:5] for found in starts]
    assert any(len(set(found)) == 3 for found in starts)


def test_the_same_seed_makes_the_same_doc():
    one, other = (make_doc(random.Random(3), VOCAB).to_json() for _ in range(2))
    assert one == other


@given(example=examples(VOCAB))
@settings(max_examples=20, deadline=None, suppress_health_check=LARGE)
def test_examples(example):
    assert example.predicted.vocab is example.reference.vocab


def test_other_cuts_have_the_same_text():
    words = ["one", "two", "three"]
    cuts = [cut_elsewhere(random.Random(seed), words) for seed in range(20)]
    assert {"".join(cut) for cut in cuts} == {"onetwothree"}
    assert all("" not in cut for cut in cuts)
    assert len({tuple(cut) for cut in cuts}) > 5


def test_damage():
    good = bytes(range(256))
    found = [damage(random.Random(seed), good) for seed in range(100)]
    assert sum(bad != good for bad in found) > 95
    assert {len(bad) for bad in found} >= {252, 255, 256, 257, 260}


@given(data=damaged(b"some bytes"))
def test_damage_of_a_few_bytes(data: bytes):
    assert isinstance(data, bytes)
    assert len(data) <= 74


@given(made=configs(MiraSettings))
def test_settings_know_whether_they_are_right(made):
    config, is_valid = made
    order, decoder = config.get("order", 2), config.get("decoder", "eisner")
    assert not is_valid or (order in (1, 2, 3) and decoder in ("eisner", "mst"))
    assert is_valid or config


def words(n: int, **annotation: list) -> Doc:
    return Doc(VOCAB, words=["word"] * n, **annotation)


def test_malformed_trees_are_noticed():
    given = Given.of(words(3))
    good = words(3, heads=[1, 1, 1], deps=["a", "b", "c"])
    check_trees(good, given, set())
    two_roots = words(3, heads=[0, 1, 1], deps=["a", "b", "c"])
    no_label = words(3, heads=[1, 1, 1], deps=["a", "", "c"])
    cycle = words(3, heads=[1, 0, 0], deps=["a", "b", "c"])
    for doc in (two_roots, no_label, cycle, words(3)):
        with pytest.raises(AssertionError):
            check_trees(doc, given, set())
    in_two = Given.of(words(3, sent_starts=[True, False, True]))
    with pytest.raises(AssertionError):
        check_trees(good, in_two, set())


def phrases(n: int, *rows: tuple[int, int, str], **annotation: list) -> Doc:
    doc = words(n, **annotation)
    set_constituents(doc, [Span(doc, *row) for row in rows])
    return doc


def test_malformed_constituents_are_noticed():
    given = Given.of(words(3))
    good = phrases(3, (0, 3, "S"), (0, 3, "NP"), (0, 1, "NP"), (1, 3, "NP"), (2, 3, "S"))
    check_constituents(good, given, {"S", "NP"})
    crossing = [(0, 3, "S"), (0, 2, "NP"), (1, 3, "NP")]
    for rows in (crossing, [(0, 1, "S"), (0, 3, "S")], [(1, 2, "S"), (0, 1, "S")], [(0, 3, "X")]):
        with pytest.raises(AssertionError):
            check_constituents(phrases(3, *rows), given, {"S", "NP"})
    in_two = Given.of(words(3, sent_starts=[True, False, True]))
    two = phrases(3, (0, 2, "S"), (2, 3, "S"), sent_starts=[True, False, True])
    check_constituents(two, in_two, {"S"})
    for doc in (good, phrases(3, (1, 3, "S"), sent_starts=[True, False, True])):
        with pytest.raises(AssertionError):
            check_constituents(doc, in_two, {"S", "NP"})
    spaced = Doc(VOCAB, words=["word", "\n"])
    set_constituents(spaced, [Span(spaced, 0, 2, "S")])
    with pytest.raises(AssertionError):
        check_constituents(spaced, Given.of(spaced), {"S"})


def test_phrases_of_all_kinds_are_made():
    made = [make_phrases(random.Random(seed), 6) for seed in range(200)]
    assert any((0, 6) not in {row[:2] for row in rows} for rows in made)
    trees = 0
    for rows in made:
        with suppress(AssertionError):
            ordered = sorted(rows, key=lambda row: (row[0], -row[1]))
            check_constituents(phrases(6, *ordered), Given.of(words(6)), {*PHRASES})
            trees += 1
    assert 150 < trees < 200
    assert make_phrases(random.Random(0), 0) == []


def test_cycles_are_noticed():
    assert not has_cycle([])
    assert not has_cycle([1, 2, 2, 3])
    assert has_cycle([0, 2, 1])
    assert has_cycle([1, 2, 0])


def test_wrong_labels_are_noticed():
    given = Given.of(words(2))
    check_tags(words(2, tags=["A", "B"]), given, {"A", "B"})
    with pytest.raises(AssertionError):
        check_tags(words(2, tags=["A", "C"]), given, {"A", "B"})
    check_entities(words(2, ents=["B-X", "I-X"]), given, {"X"})
    with pytest.raises(AssertionError):
        check_entities(words(2, ents=["B-Y", "O"]), given, {"X"})
    # One that was there is gone; one goes over the end of a sentence.
    with pytest.raises(AssertionError):
        check_entities(words(2), Given.of(words(2, ents=["B-X", "O"])), {"X"})
    with pytest.raises(AssertionError):
        check_entities(
            words(2, ents=["B-X", "I-X"]), Given.of(words(2, sent_starts=[True, True])), {"X"}
        )


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([1.0, 2.0], [0.5, 0.5]),
        ([float("nan"), 1.0], [0.5, 0.5]),
        ([2.0, 1.0], [0.5, 0.6]),
        ([2.0, 1.0], [1.5, -0.5]),
        ([2.0, 1.0, 0.0], [0.5, 0.3, 0.2]),
    ],
)
def test_unranked_answers_are_noticed(scores: list[float], shares: list[float]):
    check_answers([Candidate(2.0, 0.75), Candidate(1.0, 0.25)], 2)
    with pytest.raises(AssertionError):
        check_answers([Candidate(*pair) for pair in zip(scores, shares, strict=True)], 2)


def test_numbers_that_are_none_are_noticed():
    check_figures({"a": 1.0, "b": None, "c": {"d": 0}})
    with pytest.raises(AssertionError):
        check_figures({"a": {"b": float("nan")}})
    for value in (None, 0.0, 1.0, 1.5, -0.5, float("nan")):
        Token.set_extension("fuzzed", default=value, force=True)
        if value in (None, 0.0, 1.0):
            check_confidences(words(2), "fuzzed")
        else:
            with pytest.raises(AssertionError):
                check_confidences(words(2), "fuzzed")
    Span.set_extension("fuzzed_span", getter=lambda span: span.end - 1.5, force=True)
    check_confidences(phrases(3, (1, 2, "S")), "fuzzed_span")
    with pytest.raises(AssertionError):
        check_confidences(phrases(3, (1, 2, "S"), (1, 3, "S")), "fuzzed_span")


def test_errors_of_ours_are_told_from_others():
    message = Errors.EXPLAIN_INDEX.format(i=7, n=2)
    assert is_documented(IndexError(message))
    assert is_documented(ValueError(f"pipe: {message}"))
    assert not is_documented(IndexError("list index out of range"))
    assert not is_documented(KeyError(message))
    assert not is_documented(ValueError("could not broadcast input array"))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=1, deadline=None)
def test_a_run_says_how_to_repeat_what_fails(seed: int):
    calls = []

    def fail(case: Case) -> None:
        calls.append([token.text for doc in case.docs for token in doc])
        raise AssertionError("something is wrong")

    before = dict(ACTIONS)
    ACTIONS["fail"] = Action(fail, 1, changes=False)
    try:
        options = ["--seed", str(seed), "--component", "tagger", "--action", "fail"]
        assert main([*options, "--max-failures", "1"]) == 1
        assert main([*options, "--case", "0"]) == 1
    finally:
        ACTIONS.clear()
        ACTIONS.update(before)
    assert calls[0] == calls[1]
