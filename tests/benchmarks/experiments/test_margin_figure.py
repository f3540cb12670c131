import numpy as np
import pytest

from benchmarks.corpora.sentences import Sentence
from benchmarks.experiments import margin_figure
from benchmarks.experiments.margin_figure import (
    FIRST,
    LAST,
    MODELS,
    Figure,
    FoldResult,
    Folds,
    make_figure,
)
from spacy_perceptron.trees.constituents import SPANS_KEY
from tests.sample import load_sample


def sample(limit: int) -> list[Sentence]:
    import spacy

    return [
        Sentence(
            words=[token.text for token in doc],
            spaces=[bool(token.whitespace_) for token in doc],
            tags=[token.tag_ for token in doc],
            constituents=[(x.label_, x.start, x.end) for x in doc.spans[SPANS_KEY]],
        )
        for doc in load_sample(spacy.blank("en").vocab, "train", limit)
    ]


def test_all_models_of_a_small_corpus(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(margin_figure, "TAGGER_EPOCHS", 1)
    monkeypatch.setattr(margin_figure, "MAX_EPOCHS", 30)
    trees = sample(60)
    figure = make_figure(trees, n_folds=3, c=0.1)
    assert figure.n_sentences == sum(len(tree.words) <= 15 for tree in trees)
    data = figure.to_dict()
    assert {*data["models"]} == {*MODELS} == {*data["order"]}
    assert all(len(figure.counts(model)) == figure.n_sentences for model in MODELS)
    assert all(figure.f(model) > 0.3 for model in MODELS)
    assert figure.largest_gap() < 0.05
    assert all(name in figure.table() for name in MODELS)


def test_figures_by_hand():
    """Brackets of all folds are counted together: 3 of 4 and 4 right ones against 1 of 4 and 4."""
    figure = Figure(15, 2)
    figure.folds[FIRST] = [FoldResult([[1, 2, 2]]), FoldResult([[0, 2, 2]])]
    figure.folds[LAST] = [FoldResult([[2, 2, 2]], gap=0.25), FoldResult([[1, 2, 2]], gap=0.5)]
    assert figure.f(FIRST) == pytest.approx(1 / 4)
    assert figure.f(LAST) == pytest.approx(3 / 4)
    assert figure.order() == [FIRST, LAST]
    assert figure.largest_gap() == 0.5
    assert figure.significance()["delta"] == pytest.approx(1 / 2)
    assert np.array_equal(figure.counts(LAST), [[2, 2, 2], [1, 2, 2]])


def test_taggers_have_not_seen_what_they_tag(monkeypatch: pytest.MonkeyPatch):
    def tag(trees: list[Sentence], n_folds: int, longest: int, left_out: tuple) -> dict:
        assert longest == 0
        numbers = [i for i in range(len(trees)) if i % n_folds in left_out]
        return {i: [str(left_out)] for i in numbers}

    monkeypatch.setattr(margin_figure, "tag_trees", tag)
    trees = sample(12)
    folds = Folds(trees, 4, longest=0)
    for fold in range(4):
        train, test = folds.parts(fold)
        assert [tree for tree, _ in test] == trees[fold::4]
        assert all(tags == [str((fold,))] for _, tags in test)
        for tree, tags in train:
            own = trees.index(tree) % 4
            assert tags == [str(tuple(sorted((own, fold))))]
    with pytest.raises(ValueError, match="3 or more"):
        Folds(trees, 2)
