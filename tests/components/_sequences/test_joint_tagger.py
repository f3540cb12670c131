"""A tagger of several attributes."""

from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.components._sequences.settled import SettledWords, find_settled
from spacy_perceptron.components._sequences.tag_labels import (
    LabelCounter,
    TagLabels,
    searched_attributes,
)
from spacy_perceptron.evaluation.scorers import score_tags

ALL = ["tag", "pos", "morph"]
# Word, tag, coarse tag and features.
SENTENCES = [
    "She/PRP/PRON/Case=Nom|Number=Sing saw/VBD/VERB/Tense=Past dogs/NNS/NOUN/Number=Plur",
    "A/DT/DET/_ dog/NN/NOUN/Number=Sing saw/VBD/VERB/Tense=Past her/PRP/PRON/Case=Acc|Number=Sing",
    "Sheep/NNS/NOUN/Number=Plur saw/VBD/VERB/Tense=Past her/PRP/PRON/Case=Acc|Number=Sing",
    "The/DT/DET/_ saw/NN/NOUN/Number=Sing fell/VBD/VERB/Tense=Past",
]


def read(nlp: Language, text: str) -> Doc:
    rows = [word.split("/") for word in text.split()]
    words, tags, pos, morphs = (list(column) for column in zip(*rows, strict=True))
    return Doc(nlp.vocab, words=words, tags=tags, pos=pos, morphs=morphs)


def examples(nlp: Language, texts: list[str] = SENTENCES) -> list[Example]:
    docs = [read(nlp, text) for text in texts]
    return [Example(Doc(nlp.vocab, words=[t.text for t in doc]), doc) for doc in docs]


def train(*, epochs: int = 15, attributes: list[str] = ALL, **settings: Any) -> Language:
    nlp = spacy.blank("xx")
    config = {"attributes": attributes, "hide_rare": 0.0, **settings}
    nlp.add_pipe("easy_first_tagger", config=config)
    found = examples(nlp)
    nlp.initialize(lambda: found)
    for _ in range(epochs):
        nlp.update(found)
    return nlp


@pytest.fixture(scope="module")
def trained() -> bytes:
    return train().to_bytes()


@pytest.fixture
def nlp(trained: bytes) -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe("easy_first_tagger", config={"attributes": ALL, "hide_rare": 0.0})
    return nlp.from_bytes(trained)


def cells(doc: Doc) -> list[tuple[str, str, str]]:
    return [(token.tag_, token.pos_, str(token.morph)) for token in doc]


@pytest.mark.parametrize("attributes", [ALL, ["tag", "pos"], ["pos", "morph"], ["morph"]])
def test_all_attributes_are_learned_and_written(attributes: list[str]):
    nlp = train(attributes=attributes)
    found = examples(nlp)
    scores = nlp.evaluate(found)
    for name in attributes:
        assert scores[f"{name}_acc"] == 1.0
    for example in found:
        for token in nlp(example.predicted):
            assert bool(token.tag_) == ("tag" in attributes)
            assert bool(token.pos_) == ("pos" in attributes)
            assert token.has_morph() == ("morph" in attributes)
            for name in attributes:
                assert 0 < token._.get(f"{name}_confidence") <= 1


def test_order_does_not_matter():
    nlp = spacy.blank("xx")
    pipe: Any = nlp.add_pipe("easy_first_tagger", config={"attributes": ["morph", "tag"]})
    assert pipe.attributes == ("tag", "morph")


def test_labels_have_all_values(nlp: Language):
    labels = nlp.get_pipe("easy_first_tagger").labels
    assert "NN\tNOUN\tNumber=Sing" in labels
    assert "DT\tDET\t_" in labels
    assert len(labels) == 6


def test_whitespace(nlp: Language):
    doc = nlp(Doc(nlp.vocab, words=["She", "\n", "saw", "dogs"]))
    assert cells(doc)[1] == ("_SP", "SPACE", "")
    assert [token._.morph_confidence for token in doc][1] == 1.0
    assert doc[1].has_morph()


def test_existing_values_stay_if_they_should():
    nlp = train(overwrite=False)
    doc = Doc(nlp.vocab, words=["She", "saw", "dogs"], tags=["X", "", ""], morphs=["", "", "A=B"])
    doc[0].set_morph(None)
    doc[1].set_morph(None)
    nlp(doc)
    assert cells(doc) == [
        ("X", "PRON", "Case=Nom|Number=Sing"),
        ("VBD", "VERB", "Tense=Past"),
        ("NNS", "NOUN", "A=B"),
    ]
    assert [token._.tag_confidence is None for token in doc] == [True, False, False]
    assert [token._.morph_confidence is None for token in doc] == [False, False, True]


def test_nbest_has_all_attributes(nlp: Language):
    """Answers differ in features alone, too."""
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    doc = nlp.make_doc("She saw her")
    first, *others = pipe.nbest(doc, 80)
    assert [*first.annotation] == ALL
    assert first.annotation["morph"] == [str(token.morph) for token in nlp(doc)]
    same_tags = [x for x in others if x.annotation["tag"] == first.annotation["tag"]]
    assert any(x.annotation["morph"] != first.annotation["morph"] for x in same_tags)
    scores = [first.score, *(x.score for x in others)]
    assert scores == sorted(scores, reverse=True)
    keys = {tuple(map(tuple, x.annotation.values())) for x in (first, *others)}
    assert len(keys) == 1 + len(others)
    answer = others[-1]
    answer.apply(doc)
    assert [str(token.morph) or "_" for token in doc] == answer.annotation["morph"]


def test_explanations_of_both_steps(nlp: Language):
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    doc = nlp.make_doc("She saw her")
    tags = pipe.explain(doc, 2)
    assert tags.chosen == "PRP/PRON"
    morph = pipe.explain(doc, 2, attribute="morph")
    assert (morph.chosen, morph.runner_up) == ("Case=Acc|Number=Sing", "Case=Nom|Number=Sing")
    total = sum(feature.difference for feature in morph.features)
    assert total == pytest.approx(morph.chosen_score - morph.runner_up_score, abs=0.02)
    assert any(feature.value.startswith("Tense=Past") for feature in morph.features)
    # There is one label for determiners: nothing to choose.
    assert pipe.explain(nlp.make_doc("The dog"), 0, attribute="morph").features == []
    with pytest.raises(ValueError, match="lemma"):
        pipe.explain(doc, 2, attribute="lemma")


def test_corrections_of_features_alone(nlp: Language):
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    nominative = "PRP/PRON/Case=Nom|Number=Sing"
    text = f"She/{nominative} saw/VBD/VERB/Tense=Past Her/{nominative}"
    (example,) = examples(nlp, [text])
    before = cells(nlp(example.predicted.copy()))
    n_steps = pipe.correct(example)
    after = cells(nlp(Doc(nlp.vocab, words=["She", "saw", "Her"])))
    assert after == cells(example.reference)
    assert n_steps > 0 or before == after
    assert pipe.correct(example) == 0


# --- Partial gold ---------------------------------------------------------------------------


def test_what_is_known_narrows_labels(nlp: Language):
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    names = [*pipe.labels]
    tagging = TagLabels(names, ALL, ["tag", "pos"], nlp.vocab.strings)
    words = ["a", "b", "c", "d", "e", "f"]
    reference = Doc(nlp.vocab, words=words)
    reference[0].pos_ = "NOUN"  # NN or NNS
    reference[1].tag_ = "PRP"  # one tag, two labels
    reference[2].set_morph("Number=Plur")  # NNS alone
    reference[3].set_morph("Number=Sing")  # NN alone
    reference[4].pos_ = "INTJ"  # not a label
    gold = tagging.gold(Example(Doc(nlp.vocab, words=words), reference)).tolist()
    tags = [*tagging.tags]
    noun = {tags.index("NN\tNOUN"), tags.index("NNS\tNOUN")}
    assert [{*found} for found in tagging.sets.sets()] == [noun]
    assert gold[0] == [-2, -1]
    assert gold[1] == [tags.index("PRP\tPRON"), -1]
    assert gold[2] == [tags.index("NNS\tNOUN"), names.index("NNS\tNOUN\tNumber=Plur")]
    assert gold[3] == [tags.index("NN\tNOUN"), names.index("NN\tNOUN\tNumber=Sing")]
    assert gold[4:] == [[-1, -1], [-1, -1]]
    given = np.array([tags.index("NN\tNOUN"), tags.index("DT\tDET"), -1], np.int32)
    codes = np.array([-2, -2, -2], np.int32)
    assert tagging.are_wrong(given, codes).tolist() == [False, True, False]


def test_combinations_that_training_did_not_have(nlp: Language):
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    tagging = TagLabels(pipe.labels, ALL, ["tag", "pos"], nlp.vocab.strings)
    reference = Doc(nlp.vocab, words=["a"], tags=["NN"], pos=["NOUN"], morphs=["Number=Plur"])
    gold = tagging.gold(Example(Doc(nlp.vocab, words=["a"]), reference)).tolist()
    assert gold == [[tagging.tags.index("NN\tNOUN"), -1]]


def test_learning_from_coarse_tags_alone(nlp: Language):
    """Whatever agrees with them is right; what is not known is not unlearned."""
    words = ["Zorp", "blicked", "snarf"]
    reference = Doc(nlp.vocab, words=words, pos=["PRON", "VERB", "NOUN"])
    example = Example(Doc(nlp.vocab, words=words), reference)
    losses = [nlp.update([example, *examples(nlp)])["easy_first_tagger"] for _ in range(20)]
    assert losses[-1] < losses[0]
    doc = nlp(Doc(nlp.vocab, words=words))
    assert [token.pos_ for token in doc] == ["PRON", "VERB", "NOUN"]
    assert nlp.evaluate(examples(nlp))["morph_acc"] == 1.0


# --- Labels, tags and parts -----------------------------------------------------------------


def test_what_is_searched():
    labels = ["NN\tNOUN\tNumber=Sing", "NNS\tNOUN\tNumber=Plur"]
    assert searched_attributes(labels, ALL) == ["tag", "pos"]
    many = [f"T{i}\tNOUN\tNumber=Sing" for i in range(201)]
    assert searched_attributes(many, ALL) == ["pos"]
    assert searched_attributes(many[:200], ALL) == ["tag", "pos"]
    assert searched_attributes(["NOUN\t_"], ["pos", "morph"]) == ["pos"]
    assert searched_attributes(["Number=Sing"], ["morph"]) == ["morph"]


def test_parts_are_features_and_the_label():
    labels = ["NOUN\tCase=Nom|Number=Sing", "NOUN\tCase=Acc|Number=Sing", "PUNCT\t_"]
    strings = spacy.blank("xx").vocab.strings
    tagging = TagLabels(labels, ["pos", "morph"], ["pos"], strings)
    first, second, third = map(set, tagging.parts)
    assert (len(first), len(second), len(third)) == (3, 3, 2)
    assert len(first & second) == 1
    assert not third & (first | second)
    assert tagging.n_parts == 7
    assert tagging.tag_of.tolist() == [0, 0, 1]
    # New labels leave the numbers of the others as they are.
    more = TagLabels([*labels, "NOUN\tCase=Acc"], ["pos", "morph"], ["pos"], strings)
    assert more.parts[:3] == tagging.parts
    assert more.tags == tagging.tags


def test_many_tags_are_left_to_the_second_step(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("spacy_perceptron.components._sequences.tag_labels.MAX_TAGS", 3)
    nlp = train()
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    assert pipe.cfg["searched"] == ["pos"]
    assert pipe.model.attrs["n_classes"] == 4
    scores = nlp.evaluate(examples(nlp))
    assert [scores[f"{name}_acc"] for name in ALL] == [1.0, 1.0, 1.0]


def test_dictionary_of_joint_tags():
    nlp = train(dictionary_min_count=2)
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    assert pipe.cfg["dictionary"] == {"her": "PRP\tPRON"}
    assert nlp.evaluate(examples(nlp))["morph_acc"] == 1.0


# --- Words that need no second step ---------------------------------------------------------


def test_settled_words():
    labels = ["NN\tA=1", "NN\tA=2", "VB\tA=1"]
    tag_of = np.array([0, 0, 1], np.int32)
    counts = {
        ("saw", labels[0]): 10,
        ("saw", labels[2]): 50,
        ("run", labels[1]): 9,
        ("cut", labels[0]): 30,
        ("cut", labels[1]): 1,
    }
    settled = find_settled(counts, labels, tag_of)
    # `VB` has a single label, `run` is too rare, and `cut` has two labels.
    assert settled == {"saw": [labels[0]]}
    strings = spacy.blank("xx").vocab.strings
    words = SettledWords(settled, labels, tag_of, strings)
    orths = np.array([strings.add(word) for word in ("saw", "saw", "cut")], np.uint64)
    assert words(orths, np.array([0, 1, 0], np.int32)).tolist() == [0, -1, -1]
    assert SettledWords({}, labels, tag_of, strings)(orths, tag_of) is None


def test_corrections_unsettle_words():
    nlp = spacy.blank("xx")
    pipe: Any = nlp.add_pipe("easy_first_tagger", config={"attributes": ALL})
    found = examples(nlp, SENTENCES * 10)
    nlp.initialize(lambda: found)
    for _ in range(3):
        nlp.update(found)
    assert "her" in pipe.cfg["settled"]
    nominative = "PRP/PRON/Case=Nom|Number=Sing"
    text = f"Her/{nominative} saw/VBD/VERB/Tense=Past her/{nominative}"
    (example,) = examples(nlp, [text])
    assert pipe.correct(example) > 0
    assert "her" not in pipe.cfg["settled"]
    assert cells(nlp(example.predicted)) == cells(example.reference)


def test_labels_are_counted():
    nlp = spacy.blank("xx")
    counter = LabelCounter(["tag", "morph"])
    values = {"tags": ["VBD", "_SP", "VBD"], "morphs": ["Tense=Past", "", "Tense=Past"]}
    counter.add(Doc(nlp.vocab, words=["saw", "\n", "saw"], **values))
    # Not all is known about this one.
    counter.add(Doc(nlp.vocab, words=["saw"], tags=["NN"]))
    assert counter.counts == {("saw", "VBD\tTense=Past"): 2}
    assert counter.labels() == ["VBD\tTense=Past"]


# --- Scores and calibration -----------------------------------------------------------------


def test_scores():
    """Of four words, one has a wrong tag, and two have wrong features."""
    nlp = spacy.blank("xx")
    gold = read(nlp, SENTENCES[1])
    predicted = read(
        nlp,
        "A/DT/DET/_ dog/NNS/NOUN/Number=Plur saw/VBD/VERB/_ her/PRP/PRON/Case=Acc|Number=Sing",
    )
    scores = score_tags([Example(predicted, gold)], attributes=ALL)
    assert (scores["tag_acc"], scores["pos_acc"], scores["morph_acc"]) == (0.75, 1.0, 0.5)
    # Of four gold features, two are found; one is wrong.
    assert scores["morph_micro_r"] == pytest.approx(2 / 4)
    assert scores["morph_micro_p"] == pytest.approx(2 / 3)
    assert score_tags([Example(predicted, gold)], attribute="pos") == {"pos_acc": 1.0}


def test_raw_confidences_are_of_all_attributes(nlp: Language):
    pipe: Any = nlp.get_pipe("easy_first_tagger")
    found = examples(nlp)
    n_words = sum(len(example.reference) for example in found)
    confidences, right = pipe.raw_confidences(found, 1.0)
    assert len(confidences) == len(right) == 3 * n_words
    assert right.all()
    found[0].reference[0].tag_ = "DT"
    assert pipe.raw_confidences(found, 1.0)[1].sum() == 3 * n_words - 1


def test_training_counts_what_is_predicted():
    nlp = spacy.blank("xx")
    nlp.add_pipe("easy_first_tagger", config={"attributes": ["pos", "morph"]})
    found = examples(nlp)
    nlp.initialize(lambda: found)
    weights = nlp.config["training"]["score_weights"]
    assert (weights["tag_acc"], weights["pos_acc"]) == (None, 1.0)
