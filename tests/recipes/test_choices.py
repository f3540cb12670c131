from dataclasses import replace

import pytest

from spacy_perceptron.corpus.survey import Survey
from spacy_perceptron.recipes.choices import Choices, Wish, choose, make_recipe
from spacy_perceptron.recipes.commented import Noted
from spacy_perceptron.recipes.kinds import ACCURATE, FAST

TREEBANK = Survey(
    docs=500,
    long_docs=490,
    sentences=12000,
    words=200_000,
    tags=40,
    pos=17,
    morphs=100,
    lemmas=9000,
    labels=30,
    entities=100,
)


def test_a_large_corpus():
    chosen = choose(Wish("en", ["senter", "tagger", "parser"]), TREEBANK)
    # 200,000 words make 100 batches of 2,000; the parser needs the most epochs.
    assert chosen == Choices(
        batches="words",
        batch_size=2000,
        steps=100,
        epochs=10,
        eval_frequency=100,
        folds=5,
        fold_epochs=3,
        min_weight=0.49,
        entity_bonus=0.0,
    )


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        # 300 Docs in batches of 32: 10 steps, so 5 epochs between evaluations.
        (300, Choices("sequence", 32, 10, 20, 50, 8, 6, 0.05, 6.0)),
        # 2,000 in batches of 64: 32 steps, 2 epochs.
        (2000, Choices("sequence", 64, 32, 12, 64, 5, 4, 0.2, 6.0)),
        # 12,544 in batches of 125: 101 steps, rounded.
        (12544, Choices("sequence", 125, 101, 9, 100, 5, 3, 0.49, 0.0)),
    ],
)
def test_smaller_corpora_have_smaller_batches_and_more_epochs(sentences, expected):
    survey = Survey(docs=sentences, sentences=sentences, words=20 * sentences, tags=40)
    assert choose(Wish("en", ["tagger"]), survey) == expected


def test_tags_are_jackknifed_for_those_who_read_them():
    def jackknifed(*kinds: str) -> list[str]:
        return list(make_recipe(Wish("en", kinds), TREEBANK).jackknifed)

    assert jackknifed("tagger", "parser") == ["tagger"]
    assert jackknifed("tagger", "lemmatizer") == ["tagger"]
    assert jackknifed("senter", "tagger", "ner") == []
    assert jackknifed("parser") == []
    assert jackknifed("ner", "reranker") == ["ner"]
    assert jackknifed("tagger", "parser", "reranker") == ["tagger", "parser"]


def test_the_last_components_are_what_counts():
    def scores(*kinds: str) -> dict:
        found = make_recipe(Wish("en", kinds), TREEBANK).scores
        plain = {key: v.value if isinstance(v, Noted) else v for key, v in found.items()}
        return {key: value for key, value in plain.items() if value is not None}

    shown = {"sents_f": 0.0, "tag_acc": 0.0, "pos_acc": 0.0, "morph_acc": 0.0, "dep_uas": 0.0}
    assert scores("senter", "tagger", "parser") == {"dep_las": 1.0, **shown}
    assert scores("tagger", "lemmatizer") == {
        "tag_acc": 0.17,
        "pos_acc": 0.17,
        "morph_acc": 0.17,
        "lemma_acc": 0.5,
    }
    both = scores("parser", "ner")
    assert (both["dep_las"], both["ents_f"], both["ents_boundary_f"]) == (0.5, 0.25, 0.25)


def test_styles_change_components():
    def parser(style: str) -> dict:
        return dict(make_recipe(Wish("en", ["parser"], style), TREEBANK).pipes[0].changes)

    assert parser("") == {}
    assert parser(FAST)["order"] == 1
    assert parser(ACCURATE) == {"label_templates.sets": ["spacy_perceptron.arc_labels.v1"]}


def test_parsers_see_morphology_that_a_tagger_predicts():
    def templates(survey: Survey, *kinds: str, style: str = "") -> list[str]:
        changes = make_recipe(Wish("en", kinds, style), survey).pipes[-1].changes
        return [*changes.get("templates.sets", []), *changes.get("tree_label_templates.sets", [])]

    morph = [f"spacy_perceptron.{name}.v1" for name in ("morph_arcs", "morph_labels")]
    assert {*morph} <= {*templates(TREEBANK, "tagger", "parser")}
    assert {*morph} <= {*templates(TREEBANK, "tagger", "easy_first_parser")}
    assert templates(TREEBANK, "parser") == []
    assert templates(replace(TREEBANK, morphs=0), "tagger", "parser") == []
