"""The four models of Taskar et al. (2004) as settings of the max-margin parser."""

import pickle
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language

from spacy_perceptron.components._constituents.spans.auxiliary import Auxiliary, half_of
from spacy_perceptron.components.max_margin_parser import MaxMarginParser
from spacy_perceptron.errors import Errors
from spacy_perceptron.trees.constituents import SPANS_KEY

from ..contract import CONTRACTS, NAME, max_margin_model

(CONTRACT,) = [contract for contract in CONTRACTS if contract.factory == "max_margin_parser"]
LIMIT = 50
LEXICAL, AUXILIARY = "spacy_perceptron.span_lexical.v1", "spacy_perceptron.span_auxiliary.v1"
MODELS: dict[str, tuple[str, list[str]]] = {
    "generative": ("generative", []),
    "basic": ("smo", []),
    "lexical": ("smo", [LEXICAL]),
    "auxiliary": ("smo", [LEXICAL, AUXILIARY]),
}

pytestmark = [pytest.mark.filterwarnings("ignore:.*starts again from weights of 0.*")]


def settings(model: str, **more: Any) -> dict[str, Any]:
    learner, sets = MODELS[model]
    return {
        "learner": learner,
        "templates": {
            "@misc": "spacy_perceptron.templates.v1",
            "sets": sets,
            "extra": [],
            "without": [],
        },
        "vertical": 2,
        "horizontal": 1,
        "tagging": "chart",
        "max_tags": 8,
        "head_features": False,
        "pruner_epochs": 0,
        "nbest": 0,
        **max_margin_model(n_bits=18, pruner_bits=10, flat_bits=16),
        **more,
    }


@pytest.fixture(scope="module", params=list(MODELS))
def trained(request: pytest.FixtureRequest) -> tuple[str, Language]:
    """The name of a model, and a pipeline that no test may change."""
    model = request.param
    return model, CONTRACT.train(limit=LIMIT, epochs=6, **settings(model))


def trees(nlp: Language, split: str = "dev") -> list[list[tuple[str, int, int]]]:
    examples = CONTRACT.examples(nlp, split, limit=10)
    docs = [nlp(example.predicted) for example in examples]
    return [[(x.label_, x.start, x.end) for x in doc.spans[SPANS_KEY]] for doc in docs]


def test_all_learn_and_survive(trained: tuple[str, Language], tmp_path: Path):
    model, nlp = trained
    scores = nlp.evaluate(CONTRACT.examples(nlp, limit=LIMIT))
    assert scores["const_f"] > (0.8 if model == "generative" else 0.9)
    found = trees(nlp)
    pipe = nlp.get_pipe(NAME)
    copy = CONTRACT.blank(**settings(model))
    copy.get_pipe(NAME).from_bytes(pipe.to_bytes())
    assert trees(copy) == found
    assert copy.get_pipe(NAME).to_bytes() == pipe.to_bytes()
    nlp.to_disk(tmp_path / "pipeline")
    assert trees(spacy.load(tmp_path / "pipeline")) == found
    assert trees(pickle.loads(pickle.dumps(nlp))) == found


def test_explanations_add_up(trained: tuple[str, Language]):
    _, nlp = trained
    doc = CONTRACT.examples(nlp, "dev", limit=1)[0].predicted
    explanation = nlp.get_pipe(NAME).explain(doc, 2)
    total = sum(feature.difference for feature in explanation.features)
    gap = explanation.chosen_score - explanation.runner_up_score
    assert total == pytest.approx(gap, abs=1e-3)
    assert gap > -1e-3


def test_an_exact_gap_is_that_of_the_weights():
    nlp = CONTRACT.blank(**settings("basic", c=0.1))
    pipe = nlp.get_pipe(NAME)
    examples = CONTRACT.examples(nlp, limit=10)
    nlp.initialize(lambda: examples)
    for _ in range(60):
        nlp.update(examples)
    exact = pipe.duality_gap(examples)
    assert -1e-6 <= exact < 0.01
    assert pipe.duality_gap() == exact


def test_a_generative_model_counts_and_does_not_learn():
    nlp = CONTRACT.blank(**settings("generative"))
    examples = CONTRACT.examples(nlp, limit=LIMIT)
    nlp.initialize(lambda: examples)
    before = nlp.get_pipe(NAME).to_bytes()
    assert nlp.update(examples)[NAME] == 0
    assert nlp.get_pipe(NAME).to_bytes() == before


def test_tags_are_chosen_in_the_chart():
    """The tagger's tags make no difference."""
    nlp = CONTRACT.train(limit=LIMIT, epochs=3, **settings("lexical"))
    found = trees(nlp)
    examples = CONTRACT.examples(nlp, "dev", limit=10)
    for example in examples:
        for token in example.predicted:
            token.tag_ = "NN"
    docs = [nlp(example.predicted) for example in examples]
    assert [[(x.label_, x.start, x.end) for x in doc.spans[SPANS_KEY]] for doc in docs] == found


def test_auxiliary_templates_need_a_table():
    message = Errors.MAX_MARGIN_FLAT.format(name=NAME)
    with pytest.raises(ValueError, match=message.split(".")[0]):
        CONTRACT.blank(**{**settings("auxiliary"), **max_margin_model(n_bits=18)})


def test_predictors_have_not_seen_the_sentence(monkeypatch: pytest.MonkeyPatch):
    seen: list[set[tuple[str, ...]]] = []
    asked: list[tuple[Auxiliary, tuple[str, ...]]] = []
    learn, call = Auxiliary.learn, Auxiliary.__call__

    def note_learn(self: Auxiliary, sentences: Any, seed: int) -> int:
        seen.append({tuple(x.words.word_texts()) for x in sentences})
        return learn(self, sentences, seed)

    def note_call(self: Auxiliary, words: Any) -> Any:
        asked.append((self, tuple(words.word_texts())))
        return call(self, words)

    monkeypatch.setattr(Auxiliary, "learn", note_learn)
    monkeypatch.setattr(Auxiliary, "__call__", note_call)
    nlp = CONTRACT.blank(**settings("auxiliary"))
    examples = CONTRACT.examples(nlp, limit=LIMIT)
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    pipe: MaxMarginParser = nlp.get_pipe(NAME)
    # Those of the halves, then those of the whole corpus.
    first, second, everything = seen
    assert first | second == everything
    assert not first & second
    assert first
    assert second
    assert {words for _, words in asked} == everything
    for auxiliary, words in asked:
        half = [half.predict for half in pipe._halves].index(auxiliary)
        assert words not in seen[half]
        lexicon = auxiliary._readings.to_dict()["lexicon"]
        assert {*lexicon} == {word for sentence in seen[half] for word in sentence}


def test_copies_of_a_sentence_are_in_one_half():
    nlp = CONTRACT.blank(**settings("auxiliary"))
    one, two = (CONTRACT.examples(nlp, limit=30) for _ in range(2))
    pipe = nlp.get_pipe(NAME)
    halves = [half_of(pipe._gold(example)[0].words) for example in one]
    assert halves == [half_of(pipe._gold(example)[0].words) for example in two]
    assert {*halves} == {0, 1}


def test_training_goes_on_after_loading():
    nlp = CONTRACT.train(limit=20, epochs=2, **settings("auxiliary"))
    again = CONTRACT.blank(**settings("auxiliary"))
    again.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    examples = CONTRACT.examples(again, limit=20)
    with pytest.warns(UserWarning, match="weights of 0"):
        again.update(examples)
    assert again.evaluate(examples)["const_f"] > 0.5
