"""What is special about `perceptron_lemmatizer`; the rest is in the contract of all components."""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.components._lemmas.rules import IDENTITIES

from ..saving.files import unseal

NAME = "lemmatizer"
SENTENCES = [
    ("The dogs barked", "DT NNS VBD", "the dog bark"),
    ("Dogs bark", "NNS VBP", "dog bark"),
    ("She walked home", "PRP VBD RB", "she walk home"),
    ("Cats walk", "NNS VBP", "cat walk"),
    ("London is big", "NNP VBZ JJ", "London be big"),
    ("Cats are small", "NNS VBP JJ", "cat be small"),
    ("Paris sleeps", "NNP VBZ", "Paris sleep"),
    ("She saw a saw", "PRP VBD DT NN", "she see a saw"),
]


def make_doc(nlp: Language, text: str, tags: str = "", lemmas: str = "") -> Doc:
    doc = Doc(nlp.vocab, words=text.split(" "), tags=tags.split(" ") if tags else None)
    for token, lemma in zip(doc, lemmas.split(" ") if lemmas else [], strict=False):
        token.lemma_ = lemma
    return doc


def make_example(nlp: Language, text: str, tags: str, lemmas: str) -> Example:
    return Example(make_doc(nlp, text, tags), make_doc(nlp, text, tags, lemmas))


def train(epochs: int = 10, **settings: Any) -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe(
        "perceptron_lemmatizer",
        name=NAME,
        config={"min_tree_freq": 1, "hide_rare": 0.0, **settings},
    )
    examples = [make_example(nlp, *sentence) for sentence in SENTENCES]
    nlp.initialize(lambda: examples)
    for _ in range(epochs):
        nlp.update(examples)
    return nlp


def lemmas(doc: Doc) -> list[str]:
    return [token.lemma_ for token in doc]


@pytest.fixture
def nlp() -> Language:
    return train()


def test_tags_decide(nlp: Language):
    assert lemmas(nlp(make_doc(nlp, "saw saw", "VBD NN"))) == ["see", "saw"]


def test_unseen_words(nlp: Language):
    doc = nlp(make_doc(nlp, "Birds talked Berlin", "NNS VBD NNP"))
    assert lemmas(doc) == ["bird", "talk", "Berlin"]


def test_features_can_be_the_only_evidence():
    """Tagged by features alone, the same words have different lemmas."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("perceptron_lemmatizer", name=NAME, config={"min_tree_freq": 1})
    examples = []
    for features, lemma in (("Number=Plur", "fox"), ("Number=Sing", "foxes")):
        docs = [Doc(nlp.vocab, words=["foxes"], morphs=[features]) for _ in range(2)]
        docs[1][0].lemma_ = lemma
        examples.append(Example(*docs))
    nlp.initialize(lambda: examples)
    for _ in range(10):
        nlp.update(examples)
    found = [
        nlp(Doc(nlp.vocab, words=["foxes"], morphs=[f])) for f in ("Number=Plur", "Number=Sing")
    ]
    assert [lemmas(doc) for doc in found] == [["fox"], ["foxes"]]


def test_no_features_and_unknown_features_are_the_same(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    docs = [Doc(nlp.vocab, words=["dogs"], tags=["NNS"], morphs=m) for m in (None, ["_"], [""])]
    rows = {pipe.predict([doc]).confidences[0] for doc in docs}
    assert len(rows) == 1


def test_whitespace_has_its_text_as_lemma(nlp: Language):
    doc = nlp(
        Doc(
            nlp.vocab,
            words=["\n", "Dogs", "\n\n", "bark", " "],
            tags=["_SP", "NNS", "_SP", "VBP", "_SP"],
        )
    )
    assert lemmas(doc) == ["\n", "dog", "\n\n", "bark", " "]
    assert [token._.lemma_confidence == 1.0 for token in doc][::2] == [True] * 3
    candidates = nlp.get_pipe(NAME).nbest(doc, 3)
    assert all(
        candidate.annotation["lemma"][::2] == ["\n", "\n\n", " "] for candidate in candidates
    )


@pytest.mark.parametrize("overwrite", [True, False])
def test_lemmas_that_are_there(overwrite: bool):
    nlp = train(overwrite=overwrite)
    doc = make_doc(nlp, "Dogs bark", "NNS VBP")
    doc[0].lemma_ = "hound"
    nlp(doc)
    assert lemmas(doc) == ["dog" if overwrite else "hound", "bark"]
    assert (doc[0]._.lemma_confidence is None) == (not overwrite)
    assert doc[1]._.lemma_confidence is not None


def test_rare_rules_are_left_out():
    texts = {n: train(0, min_tree_freq=n).get_pipe(NAME).labels for n in (1, 2, 3, 100)}
    assert set(texts[100]) == set(IDENTITIES) <= set(texts[3]) < set(texts[2]) < set(texts[1])
    pipe = train(0).get_pipe(NAME)
    # Four times each: dogs, Dogs, Cats, Cats; once: sleeps.
    assert pipe.rule_for("birds", "bird") in texts[3]
    assert pipe.rule_for("saw", "see") not in texts[2]


def test_rules_can_be_given_and_need_no_gold():
    nlp = spacy.blank("xx")
    pipe = nlp.add_pipe("perceptron_lemmatizer", name=NAME)
    bare = [Example(make_doc(nlp, "No gold"), make_doc(nlp, "No gold"))]
    with pytest.raises(ValueError, match=r"(?s)no gold annotation.*\[initialize.components"):
        nlp.initialize(lambda: bare)
    rule = pipe.rule_for("dogs", "dog")
    pipe.initialize(lambda: bare, labels=[rule])
    assert pipe.labels == (rule, *IDENTITIES)
    assert json.loads(json.dumps(pipe.label_data)) == [*pipe.labels]
    with pytest.raises(ValueError, match="'NN' is no rule for lemmas"):
        pipe.initialize(lambda: bare, labels=["NN"])
    with pytest.raises(ValueError, match="'NN' is no rule for lemmas"):
        pipe.add_label("NN")


def test_a_rule_that_is_added_changes_nothing_and_can_be_learned(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    docs = [make_doc(nlp, text, tags) for text, tags, _ in SENTENCES]
    before = [lemmas(doc) for doc in nlp.pipe([doc.copy() for doc in docs])]
    assert pipe.add_label(pipe.rule_for("geese", "goose")) == 1
    assert pipe.add_label(pipe.rule_for("Geese", "goose")) == 0
    assert [lemmas(doc) for doc in nlp.pipe([doc.copy() for doc in docs])] == before
    example = make_example(nlp, "geese", "NNS", "goose")
    for _ in range(20):
        nlp.update([example])
    assert lemmas(nlp(make_doc(nlp, "geese", "NNS"))) == ["goose"]


def test_partial_and_misaligned_gold():
    nlp = train(0)
    words = ["Dogs", "and", "cats"]
    tags = ["NNS", "CC", "NNS"]
    reference = Doc(nlp.vocab, words=words, tags=tags)
    example = Example(Doc(nlp.vocab, words=words, tags=tags), reference)
    before = nlp.to_bytes()
    assert nlp.update([example]) == {NAME: 0.0}
    assert nlp.to_bytes() == before
    reference[2].lemma_ = "cat"
    # One word has gold, and is one mistake.
    assert nlp.update([example]) == {NAME: 1.0}
    # Of two gold tokens for one word, neither lemma counts.
    gold = Doc(nlp.vocab, words=["do", "n't", "bark"], spaces=[False, True, False])
    for token, lemma in zip(gold, ["do", "not", "bark"], strict=True):
        token.lemma_ = lemma
    merged = Doc(nlp.vocab, words=["don't", "bark"], spaces=[True, False])
    _, right = nlp.get_pipe(NAME).raw_confidences([Example(merged, gold)], 1.0)
    assert len(right) == 1


def test_lemmas_that_no_rule_gives_are_not_learned(nlp: Language):
    example = make_example(nlp, "oxen", "NNS", "ox")
    assert nlp.update([example]) == {NAME: 0.0}


def test_a_correction_takes_effect_at_once_and_brings_its_rule(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    n_rules = len(pipe.labels)
    example = make_example(nlp, "The oxen barked", "DT NNS VBD", "the ox bark")
    assert lemmas(nlp(make_doc(nlp, "The oxen barked", "DT NNS VBD"))) != ["the", "ox", "bark"]
    assert pipe.correct(example) >= 1
    assert len(pipe.labels) == n_rules + 1
    assert lemmas(nlp(make_doc(nlp, "The oxen barked", "DT NNS VBD"))) == ["the", "ox", "bark"]
    assert pipe.correct(example) == 0
    again = train(0)
    again.get_pipe(NAME).from_bytes(pipe.to_bytes())
    assert lemmas(again(make_doc(again, "oxen", "NNS"))) == ["ox"]
    # Tokens without gold are free.
    assert pipe.correct(make_example(nlp, "Zebus", "NNS", "")) == 0


def test_nbest_is_exact(nlp: Language):
    """All combinations of the lemmas of each word, sorted by the sums of their scores."""
    pipe = nlp.get_pipe(NAME)
    text, tags = "Saws was Berlins", "NNS VBZ NNP"
    alone = []
    for word, tag in zip(text.split(), tags.split(), strict=True):
        found = pipe.nbest(make_doc(nlp, word, tag), 1000)
        alone.append([(c.annotation["lemma"][0], c.score) for c in found])
        assert len({lemma for lemma, _ in alone[-1]}) == len(alone[-1]) > 1
    expected = sorted(
        (-sum(score for _, score in choice), [lemma for lemma, _ in choice])
        for choice in itertools.product(*alone)
    )
    found = pipe.nbest(make_doc(nlp, text, tags), 1000)
    assert len(found) == min(len(expected), 1000)
    assert [-c.score for c in found] == pytest.approx([score for score, _ in expected])
    assert len({tuple(c.annotation["lemma"]) for c in found}) == len(found)
    assert {tuple(c.annotation["lemma"]) for c in found} == {tuple(names) for _, names in expected}
    assert found[0].annotation["lemma"] == lemmas(nlp(make_doc(nlp, text, tags)))
    for k in (1, 2, 5):
        assert [c.score for c in pipe.nbest(make_doc(nlp, text, tags), k)] == [
            c.score for c in found[:k]
        ]


def test_explanations_sum_up(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    doc = make_doc(nlp, "The dogs barked", "DT NNS VBD")
    explanation = pipe.explain(doc, 1)
    assert explanation.title == f"'dogs': lemma dog rather than {explanation.runner_up}"
    first, second = pipe.nbest(make_doc(nlp, "dogs", "NNS"), 2)
    assert explanation.runner_up == second.annotation["lemma"][0]
    assert explanation.chosen_score == pytest.approx(first.score)
    assert explanation.runner_up_score == pytest.approx(second.score)
    total = sum(feature.difference for feature in explanation.features)
    assert total == pytest.approx(explanation.chosen_score - explanation.runner_up_score, rel=1e-4)
    assert ("w.suffix1 w.tag", "s NNS") in {(f.template, f.value) for f in explanation.features}
    with pytest.raises(ValueError, match="whitespace"):
        pipe.explain(Doc(nlp.vocab, words=["\n"]), 0)
    with pytest.raises(IndexError):
        pipe.explain(doc, 3)


def test_confidences_follow_the_calibration(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    doc = make_doc(nlp, "walked", "NNP")
    scores = [c.score for c in pipe.nbest(doc, 1000)]
    for temperature in (1.0, 7.0, 2.0):
        pipe.calibration = Calibration(temperature)
        total = sum(math.exp((score - scores[0]) / temperature) for score in scores)
        # Rules that give the same lemma share its probability: there are none here.
        assert nlp(doc.copy())[0]._.lemma_confidence == pytest.approx(1 / total, rel=1e-4)


def test_raw_confidences(nlp: Language):
    examples = [
        make_example(nlp, "Dogs saw", "NNS VBD", "dog saw"),
        make_example(nlp, "x", "X", ""),
    ]
    sure, right = nlp.get_pipe(NAME).raw_confidences(examples, 1.0)
    assert right.tolist() == [True, False]
    assert sure.shape == (2,)
    assert np.all((sure > 0) & (sure <= 1))


@pytest.mark.parametrize("n_threads", [2, 0])
def test_threads_change_nothing(nlp: Language, n_threads: int):
    words = [
        f"{stem}{end}" for stem in ("talk", "Walk", "zorp", "blick") for end in ("s", "ed", "")
    ]
    words = [f"{prefix}{word}" for prefix in ("", "un", "re", "Over", "x", "yy") for word in words]
    tags = [("NNS", "VBD", "NNP")[i % 3] for i in range(len(words))]
    pipe = nlp.get_pipe(NAME)
    found = []
    for threads in (1, n_threads):
        pipe.n_threads = threads
        pipe.forget_texts()
        doc = nlp(Doc(nlp.vocab, words=words, tags=tags))
        found.append([(t.lemma_, t._.lemma_confidence) for t in doc])
    assert len(set(words)) > 64
    assert found[0] == found[1]


def test_damaged_rules_are_refused(nlp: Language, tmp_path):
    nlp.to_disk(tmp_path)
    unseal(tmp_path / NAME / "model")
    path = tmp_path / NAME / "cfg"
    cfg = json.loads(path.read_text())
    for labels, message in (
        ([*cfg["labels"][:-1], "broken"], "'broken' is no rule"),
        (
            [label for label in cfg["labels"] if label not in IDENTITIES],
            "which every lemmatizer has",
        ),
        (cfg["labels"][:-1], "(weights are for|which every)"),
    ):
        path.write_text(json.dumps({**cfg, "labels": labels}))
        with pytest.raises(ValueError, match=message):
            spacy.load(tmp_path)
    path.write_text(json.dumps(cfg))
    assert lemmas(spacy.load(tmp_path)(make_doc(nlp, "Dogs", "NNS"))) == ["dog"]
