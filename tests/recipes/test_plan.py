from dataclasses import replace

import pytest

from spacy_perceptron.corpus.survey import Survey
from spacy_perceptron.corpus.tokenizer.rules import TokenizerRules
from spacy_perceptron.recipes.choices import Wish, choose
from spacy_perceptron.recipes.plan import plan_pipeline, plan_tokenizer

from ..corpus.tokenizer.text import docs_of

TREEBANK = Survey(
    docs=20, long_docs=19, sentences=100, words=2000, tags=40, pos=17, lemmas=500, labels=30
)
BRACKETS = Survey(docs=100, sentences=100, words=2000, tags=40, constituents=20)
NAMES = Survey(docs=100, sentences=100, words=2000, entities=50)


def test_all_that_can_learn_is_taken_if_nothing_is_asked_for():
    assert plan_pipeline(None, TREEBANK).kinds == ["senter", "tagger", "lemmatizer", "parser"]
    assert plan_pipeline(None, BRACKETS).kinds == ["tagger", "incremental_parser"]
    assert plan_pipeline(None, NAMES).kinds == ["ner"]
    with pytest.raises(ValueError, match="no annotation to learn from"):
        plan_pipeline(None, Survey(docs=1, sentences=1, words=5))


def test_components_are_sorted_and_may_have_the_names_of_factories():
    plan = plan_pipeline(["mira_parser", "perceptron_senter", "tagger"], TREEBANK)
    assert plan.kinds == ["senter", "tagger", "parser"]
    assert plan.warnings == []


def test_what_has_nothing_to_learn_from_is_left_out():
    plan = plan_pipeline(["tagger", "ner", "senter"], BRACKETS)
    assert plan.kinds == ["tagger"]
    assert plan.warnings[0] == (
        "ner is left out: it learns from entities, and the corpus has none."
    )
    assert plan.warnings[1].startswith("senter is left out: it learns from Docs of several")
    assert "--documents" in plan.warnings[2]


def test_a_parser_without_a_tagger_is_warned_of():
    (warning,) = plan_pipeline(["parser"], TREEBANK).warnings
    assert warning.startswith("parser will find no tags to learn from")


def test_few_docs_are_warned_of():
    few = replace(TREEBANK, docs=3)
    for wanted in (None, ["tagger"]):
        (warning,) = plan_pipeline(wanted, few).warnings
        assert "3 Docs only" in warning
    assert choose(Wish("en", ["tagger", "parser"]), few).folds == 3


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (["taggr"], "no component 'taggr' to train. Choose from: senter, tagger"),
        (["reranker"], "no component 'reranker'"),
        (["parser", "easy_first_parser"], "one parser"),
        (["ner", "incremental_parser"], "they need constituents or entities"),
    ],
)
def test_impossible_pipelines_are_refused(wanted, message):
    with pytest.raises(ValueError, match=message):
        plan_pipeline(wanted, TREEBANK)


def test_rules_are_taken_if_they_pay_on_dev():
    train = docs_of(["wow|!!! yes|!!!! no|!!", "he left|, did|n't he|?"] * 3)
    dev = docs_of(["oh|!!!"])
    plan = plan_tokenizer("en", train, dev)
    # The language's tokenizer finds "oh" and three marks where there are two words.
    assert plan.default.f == pytest.approx(2 * 1 / (2 + 4))
    assert plan.fitted is not None
    assert plan.fitted.f == 1.0
    assert plan.rules.suffixes == ("!{2,}",)
    assert plan.config is None
    assert plan_tokenizer("en", train, dev, fit=False).rules == TokenizerRules()


def test_rules_that_do_not_pay_are_dropped():
    train = docs_of(["wow|!!! yes|!!!! no|!!"] * 3)
    plan = plan_tokenizer("en", train, docs_of(["he left|, did|n't he|?"]))
    assert plan.fitted is not None
    assert plan.default.f == plan.fitted.f == 1.0
    assert not plan.rules


def test_without_a_dev_corpus_part_of_the_other_one_is_held_out():
    # The first Doc of ten is measured on; it has what the other ones have.
    plan = plan_tokenizer("en", docs_of(["wow|!!! yes|!!!! no|!!"] * 10), [])
    # 6 words; the language's tokenizer finds 3 + 3 + 4 + 2.
    assert plan.default.gold == 6
    assert plan.default.predicted == 12
    assert plan.rules.suffixes == ("!{2,}",)


def test_a_corpus_without_its_text_says_nothing_about_tokenizers():
    plan = plan_tokenizer("en", docs_of(["wow !!! . yes !!!! ."]), [])
    assert not plan.has_text
    assert not plan.rules


def test_languages_with_another_kind_of_tokenizer_keep_it():
    plan = plan_tokenizer("zh", docs_of(["我们|来|了|。"] * 3), [])
    assert plan.config == {"@tokenizers": "spacy.zh.ChineseTokenizer", "segmenter": "char"}
    assert plan.fitted is None
    with pytest.raises(ValueError, match="xyz"):
        plan_tokenizer("xyz", docs_of(["a"]), [])
