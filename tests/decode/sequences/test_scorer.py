import pickle

import numpy as np
import pytest

from spacy_perceptron.decode.sequences.program import compile_templates
from spacy_perceptron.decode.sequences.scorer import TaggingScorer
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.features.templates import parse_templates
from spacy_perceptron.learn.weights import WeightTable
from tests.decode.sequences.tagging_reference import (
    LOCAL,
    TAGS_ONLY,
    WIDE,
    Reference,
    compile_program,
    lookup,
    make_decoder,
    make_scorer,
    parse,
    random_world,
)


def tags_nearby(rng: np.random.Generator, n_words: int, n_tags: int) -> tuple[int, ...]:
    return tuple(rng.integers(-1, n_tags, n_words).tolist())


@pytest.mark.parametrize("templates", [LOCAL, WIDE, TAGS_ONLY])
def test_feature_ids_are_those_of_the_named_features(templates: list[str]):
    rng = np.random.default_rng(0)
    reference = Reference(templates, 3)
    scorer = make_scorer(templates, WeightTable(3))
    order = [str(template) for template in compile_program(templates).templates]
    assert sorted(order) == sorted(map(str, parse(templates)))
    for n_words in (1, 2, 3, 9):
        words = rng.integers(0, 5, n_words).tolist()
        rows = lookup(scorer, words)
        for i in range(n_words):
            tags = tags_nearby(rng, n_words, 3)
            named = {name: (name, values) for name, values in reference.features(words, i, tags)}
            ids = scorer.feature_ids(rows, i, reference.context(tags, i))
            assert ids.tolist() == [reference.id(named[name]) for name in order]


def test_templates_are_sorted_into_groups():
    program = compile_program(
        ["w-1.tag w.form", "w+1.form", "w.form w+1.form", "w+1.tag", "w.form"]
    )
    assert [str(template) for template in program.templates] == [
        *("w.form", "w+1.form"),
        "w.form w+1.form",
        *("w+1.tag", "w-1.tag w.form"),
    ]
    assert program.group_offsets == [0, 1]
    assert program.group_starts == [0, 1, 2]
    assert program.n_tag_only == 1
    assert program.local
    assert not compile_program(["w-1.tag w+1.form"]).local


@pytest.mark.parametrize("text", ["w.tag", "w+3.tag", "w-3.tag w.form", "w+6.form", "w-6.parity"])
def test_template_looks_too_far(text: str):
    with pytest.raises(ValueError, match="looks too far") as error:
        compile_templates(parse([text]), {"form": 0, "parity": 1})
    assert f"'{text}'" in str(error.value)


@pytest.mark.parametrize("templates", [LOCAL, WIDE, TAGS_ONLY])
@pytest.mark.parametrize("max_rows", [3, 6, 1000])
def test_caches_change_nothing(templates: list[str], max_rows: int):
    """Small lexeme tables start new generations all the time: scores of old rows are stale."""
    rng = np.random.default_rng(max_rows)
    reference = Reference(templates, 3)
    sentences = [rng.integers(0, 12, n).tolist() for n in (1, 4, 4, 3, 2, 4, 3, 4)]
    for words in sentences:
        reference.randomize(words, rng, 2048)
    weights = reference.table()
    plain = make_decoder(templates, weights)
    cached = make_decoder(templates, weights, cached=True, max_rows=max_rows)
    for words in sentences * 3:
        expected = plain.nbest(lookup(plain.scorer, words), 4)
        taggings, scores = cached.nbest(lookup(cached.scorer, words), 4)
        assert np.array_equal(taggings, expected[0])
        assert np.array_equal(scores, expected[1])
    changes = cached.scorer.lexemes.generation
    assert changes == 0 if max_rows == 1000 else changes > 3


def test_colliding_contexts_do_not_mix_in_the_caches():
    """More contexts than the direct-mapped caches have slots (4,096 and 16,384)."""
    n_tags, reference = 14, Reference(["w-1.tag w+1.tag", "w-2.tag w.form"], 14)
    rng = np.random.default_rng(1)
    for name, second in (("w-1.tag w+1.tag", range(16)), ("w-2.tag w.form", range(1000, 1040))):
        for values in ((a, b) for a in range(16) for b in second):
            reference.weights[name, values] = rng.integers(-512, 512, n_tags) / 512
    weights = reference.table()
    templates = [*map(str, reference.templates)]
    plain = make_decoder(templates, weights)
    cached = make_decoder(templates, weights, cached=True)
    for _ in range(20):
        words = rng.integers(0, 40, 300).tolist()
        expected = plain.nbest(lookup(plain.scorer, words), 4)
        taggings, scores = cached.nbest(lookup(cached.scorer, words), 4)
        assert np.array_equal(taggings, expected[0])
        assert np.array_equal(scores, expected[1])


def test_dropout_depends_on_seed_position_and_template_alone():
    reference, words = random_world(3, n_words=6, n_tags=3)
    scorer = make_scorer(LOCAL, reference.table())
    rows = lookup(scorer, words)

    def dropped(rate: float, seed: int, i: int, context: tuple[int, ...]) -> list[bool]:
        scorer.set_dropout(0, 0)
        full = scorer.feature_ids(rows, i, context)
        scorer.set_dropout(rate, seed)
        ids = scorer.feature_ids(rows, i, context)
        assert np.all((ids == full) | (ids == 1))
        return (ids != full).tolist()

    assert dropped(0.5, 11, 2, (0, 0, 0, 0)) == dropped(0.5, 11, 2, (1, 2, 3, 4))
    assert dropped(0.5, 11, 2, (0, 0, 0, 0)) != dropped(0.5, 12, 2, (0, 0, 0, 0))
    assert dropped(0.5, 11, 2, (0, 0, 0, 0)) != dropped(0.5, 11, 3, (0, 0, 0, 0))
    assert not any(dropped(0.0, 11, 2, (0, 0, 0, 0)))
    assert all(dropped(1.0, 11, 2, (0, 0, 0, 0)))
    # 13 templates x 6 positions x 100 seeds = 7,800 draws: the standard deviation is 0.0052.
    untagged = (0, 0, 0, 0)
    draws = [dropped(0.3, seed * 977, i, untagged) for seed in range(100) for i in range(6)]
    assert abs(np.mean(draws) - 0.3) < 0.021


def test_hidden_words_lose_what_identifies_them():
    """Those are the templates with its own `orth`, `lower` or `folded`, alone or with others."""
    texts = ["w.lower", "w.kind", "w-1.lower", "w.lower w+1.kind", "w-1.tag", "w-1.tag w.lower"]
    templates = parse_templates(texts, roles="w", attributes=["lower", "kind", "tag"])
    program = compile_templates(templates, {"lower": 0, "kind": 1})
    identity = {"w.lower", "w.lower w+1.kind", "w-1.tag w.lower"}
    order = [str(template) for template in program.templates]
    assert program.is_identity == [text in identity for text in order]
    scorer = TaggingScorer(LexemeTable(2), WeightTable(2), program)
    rows = lookup(scorer, [0, 1, 2])
    full = [scorer.feature_ids(rows, i, (0, 0, 0, 0)) for i in range(3)]
    scorer.set_dropout(0.0, 0, hiding=np.array([0.0, 1.0, 0.0]))
    for i in range(3):
        ids = scorer.feature_ids(rows, i, (0, 0, 0, 0))
        expected = [
            1 if i == 1 and text in identity else key
            for text, key in zip(order, full[i], strict=True)
        ]
        assert ids.tolist() == expected
    scorer.set_dropout(0.0, 0)
    assert scorer.feature_ids(rows, 1, (0, 0, 0, 0)).tolist() == full[1].tolist()
    # 3,000 draws at 0.3: the standard deviation is 0.0084.
    n_hidden = 0
    for seed in range(1000):
        scorer.set_dropout(0.0, seed * 7919, hiding=np.full(3, 0.3))
        for i in range(3):
            n_hidden += 1 in scorer.feature_ids(rows, i, (0, 0, 0, 0))
    assert abs(n_hidden / 3000 - 0.3) < 0.034


@pytest.mark.parametrize("i", [-1, 3])
def test_feature_ids_check_the_position(i: int):
    scorer = make_scorer(LOCAL, WeightTable(2))
    with pytest.raises(IndexError):
        scorer.feature_ids(lookup(scorer, [0, 1, 2]), i, (0, 0, 0, 0))


@pytest.mark.parametrize("cached", [True, False])
def test_pickle(cached: bool):
    reference, words = random_world(5, n_words=4, n_tags=3)
    decoder = make_decoder(LOCAL, reference.table(), cached=cached)
    copy = pickle.loads(pickle.dumps(decoder))
    expected = decoder.nbest(lookup(decoder.scorer, words), 5)
    taggings, scores = copy.nbest(lookup(copy.scorer, words), 5)
    assert np.array_equal(taggings, expected[0])
    assert np.array_equal(scores, expected[1])
