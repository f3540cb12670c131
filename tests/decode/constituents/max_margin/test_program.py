import math

import numpy as np
import pytest

from spacy_perceptron.decode.constituents.chart.heads import HeadScorer
from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.max_margin.program import (
    SpanProgram,
    compile_spans,
    parse_head_templates,
    parse_span_templates,
)
from spacy_perceptron.decode.constituents.max_margin.scorer import SpanScorer
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.learn.hashed import HashedWeights

COLUMNS = {"lower": 0, "tag": 1}


def compiled(spans: list[str], heads: list[str] | None = None) -> SpanProgram:
    return compile_spans(
        parse_span_templates(spans, COLUMNS), parse_head_templates(heads or [], COLUMNS), COLUMNS
    )


def test_conjuncts_are_numbered_by_role():
    program = compiled(
        ["b.tag", "b.tag e.lower", "e.lower b-1.tag b.tag", "span.length", "e.tag span.kinds"],
        ["h.tag d.tag", "d+1.lower pair.distance"],
    )
    seeds = [template.seed for template in program.templates["spans"]]
    assert program.spans == [
        (seeds[0], 1, 0, 0),
        (seeds[1], 1, 1, 0),
        (seeds[2], 2, 1, 0),
        (seeds[3], 0, 0, 1),
        (seeds[4], 0, 2, 4),
    ]
    assert [row[1:] for row in program.heads] == [(1, 1, False), (0, 2, True)]
    assert [[atoms for _, atoms in role] for role in program.roles] == [
        [[(0, 1)], [(-1, 1), (0, 1)]],
        [[(0, 0)], [(0, 1)]],
        [[(0, 1)]],
        [[(0, 1)], [(1, 0)]],
    ]


def test_all_attributes_of_spans():
    program = compiled(["span.length span.tags span.kinds"])
    assert program.spans[0][1:] == (0, 0, 7)


def test_templates_of_symbols_are_apart():
    texts = ["span.symbol b.tag span.tags", "b.tag", "span.symbol e.tag"]
    program = compile_spans(parse_span_templates(texts, COLUMNS, shared=True), [], COLUMNS)
    assert [row[1:] for row in program.spans] == [(1, 0, 0)]
    assert [row[1:] for row in program.symbols] == [(1, 0, 2), (0, 1, 0)]
    assert [*map(str, program.templates["symbols"])] == [texts[0], texts[2]]
    assert [*map(str, program.templates["spans"])] == ["b.tag"]


@pytest.mark.parametrize(
    ("spans", "heads", "message"),
    [
        (["b-4.tag"], [], "b-4.tag"),
        (["e+4.tag"], [], "e[+]4.tag"),
        (["span.tag"], [], "span.tag"),
        (["span+1.length"], [], "span[+]1.length"),
        (["b.length"], [], "b.length"),
        (["h.tag"], [], "h"),
        (["b.tag"], ["b.tag"], "b"),
        (["b.tag"], ["pair.tag"], "pair.tag"),
        (["b.tag"], ["h.distance"], "h.distance"),
        (["b.tag"], ["pair.length"], "length"),
        ([], [], "template"),
    ],
)
def test_templates_are_checked(spans, heads, message):
    with pytest.raises(ValueError, match=message):
        compiled(spans, heads)


def test_no_templates_of_heads():
    assert parse_head_templates([], COLUMNS) == []
    assert compiled(["b.tag"]).heads == []


# --- Scorers ----------------------------------------------------------------------------------


def scorer(program: SpanProgram, **settings: int) -> SpanScorer:
    return SpanScorer(LexemeTable(1), HashedWeights(10), program, 1, **settings)


@pytest.mark.parametrize("row", [(1, 2, 0, 0), (1, 0, 2, 0), (1, -1, 0, 0), (1, 0, 0, 8)])
def test_conjuncts_of_spans_are_checked(row):
    program = compiled(["b.tag e.tag"])
    broken = SpanProgram(program.roles, [row], [], [], [], program.templates)
    with pytest.raises(IndexError):
        scorer(broken)


@pytest.mark.parametrize("columns", [{"tag_column": 2}, {"kind_column": 2}])
def test_columns_are_checked(columns):
    scorer(compiled(["b.tag"]), tag_column=1, kind_column=0)
    with pytest.raises(IndexError):
        scorer(compiled(["b.tag"]), **columns)


@pytest.mark.parametrize(
    ("role", "row", "is_right", "outcomes"),
    [
        (2, (1, 2, 1, False), [0], [1]),
        (2, (1, 1, 2, False), [0], [1]),
        (2, (1, -1, 1, False), [0], [1]),
        (2, (1, 1, -1, True), [0], [1]),
        (-1, (1, 0, 0, False), [0], [1]),
        (3, (1, 0, 0, False), [0], [1]),
        (2, (1, 1, 1, False), [0, 1], [1]),
        (2, (1, 1, 1, False), [0], []),
    ],
)
def test_heads_are_checked(role, row, is_right, outcomes):
    spans = scorer(compiled(["b.tag"], ["h.tag d.tag"]))
    HeadScorer(spans.weights, spans.role_hashes, 2, [(1, 1, 1, True)], [0], [1])
    with pytest.raises(IndexError):
        HeadScorer(spans.weights, spans.role_hashes, role, [row], is_right, outcomes)


def test_heads_need_weights_and_hashes():
    spans = scorer(compiled(["b.tag"], ["h.tag d.tag"]))
    with pytest.raises(TypeError):
        HeadScorer(None, spans.role_hashes, 2, [], [], [])
    with pytest.raises(TypeError):
        HeadScorer(spans.weights, None, 2, [], [], [])


# --- Scores of readings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores",
    [[], [0.0], [0.0] * 4, [0.0, math.nan, 0.0], [0.0, math.inf, 0.0], [0.0, 0.0, -math.inf]],
)
def test_scores_of_readings_are_checked(scores):
    tokens = np.zeros((3, 1), np.uint64)
    IncrementalInput([0, 0], [0, 2, 3], [1, 2, 1], tokens, [0.5, -1.0, 0.0])
    with pytest.raises(ValueError, match="do not fit together"):
        IncrementalInput([0, 0], [0, 2, 3], [1, 2, 1], tokens, scores)


def test_scores_need_not_be_there():
    tokens = np.zeros((0, 1), np.uint64)
    assert IncrementalInput([], [0], [], tokens, []).n_words == 0
    assert IncrementalInput([], [0], [], tokens, None).cut(0, 0).n_words == 0
