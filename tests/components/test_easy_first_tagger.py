"""What the easy-first tagger can do beyond the contract of all components."""

import time
from itertools import product
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.components.easy_first_tagger import EasyFirstTagger
from spacy_perceptron.corpus.reader import copy_tokens

from ..sample import load_sample
from ._sequences.checked_decoder import CheckedDecoder

CALIBRATION = Calibration(1.7, [[0.1, 0.05], [0.5, 1 / 3], [0.9, 0.8], [1.0, 0.97]])


def read(nlp: Language, split: str = "dev", limit: int | None = None) -> list[Example]:
    return [Example(copy_tokens(doc), doc) for doc in load_sample(nlp.vocab, split, limit)]


def tags(doc: Doc) -> list[str]:
    return [token.tag_ for token in doc]


def confidences(doc: Doc) -> list[float]:
    return [token._.tag_confidence for token in doc]


def make_nlp(docs: list[tuple[list[str], list[str]]], **settings: Any) -> tuple[Language, list]:
    """A tagger initialized on tagged sentences, and the examples."""
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger", config=settings)
    examples = [
        Example(Doc(nlp.vocab, words=words), Doc(nlp.vocab, words=words, tags=gold))
        for words, gold in docs
    ]
    nlp.initialize(lambda: examples)
    return nlp, examples


def several_sentences(nlp: Language) -> Doc:
    """Three sentences of the dev part, with whitespace tokens at their ends and inside."""
    words: list[str] = []
    starts: list[bool] = []
    for example in read(nlp, limit=3):
        sentence = [token.text for token in example.reference]
        sentence[2:2] = ["\n"]
        words += [*sentence, "\n\n"]
        starts += [i == 0 for i in range(len(sentence) + 1)]
    return Doc(nlp.vocab, words=words, sent_starts=starts)


# --- N-best lists ---------------------------------------------------------------------------


def test_nbest(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    for example in read(sample_tagger, limit=20):
        doc = example.predicted
        candidates = pipe.nbest(doc, 5)
        assert not doc.has_annotation("TAG")
        assert len(candidates) == 5
        assert len({tuple(c.annotation["tag"]) for c in candidates}) == 5
        scores = np.array([c.score for c in candidates])
        assert (np.diff(scores) <= 0).all()
        shares = np.exp(scores - scores[0]) / np.exp(scores - scores[0]).sum()
        assert [c.probability for c in candidates] == pytest.approx(shares.tolist())
        assert sum(c.probability for c in candidates) == pytest.approx(1.0, abs=1e-12)
        # Asking for no more than the beam holds gives the prediction first.
        assert pipe.nbest(doc, 3)[0].annotation["tag"] == tags(sample_tagger(doc.copy()))
        for candidate in candidates:
            assert tags(candidate.apply(doc)) == candidate.annotation["tag"]


def test_nbest_finds_all_taggings_there_are():
    """Two words and three tags have nine taggings, no matter in which order words are tagged."""
    gold = [(["Dogs", "bark"], ["A", "B"]), (["Cats", "sleep"], ["C", "A"])]
    nlp, examples = make_nlp(gold)
    for _ in range(3):
        nlp.update(examples)
    candidates = nlp.get_pipe("tagger").nbest(nlp.make_doc("Dogs sleep"), 100)
    found = [tuple(c.annotation["tag"]) for c in candidates]
    assert sorted(found) == list(product("ABC", repeat=2))


def test_nbest_of_several_sentences(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    doc = several_sentences(sample_tagger)
    k = 6
    candidates = pipe.nbest(doc, k)
    # By brute force over the lists of the sentences, which are parts of the Doc without context.
    lists = [pipe.nbest(sent.as_doc(), k) for sent in doc.sents]
    joined = {
        tuple(tag for c in choice for tag in c.annotation["tag"]): sum(c.score for c in choice)
        for choice in product(*lists)
    }
    best = sorted(joined.values(), reverse=True)[:k]
    assert [c.score for c in candidates] == pytest.approx(best)
    for candidate in candidates:
        assert joined[tuple(candidate.annotation["tag"])] == pytest.approx(candidate.score)
    assert sum(c.probability for c in candidates) == pytest.approx(1.0)
    spaces = [token.i for token in doc if token.is_space]
    assert len(spaces) == 6
    assert {candidates[0].annotation["tag"][i] for i in spaces} == {"_SP"}


def test_nbest_is_stored_as_plain_data(sample_tagger_bytes: bytes):
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger", config={"nbest": 2})
    pipe = nlp.get_pipe("tagger").from_bytes(sample_tagger_bytes)
    doc = nlp("The old clock on the wall stopped.")
    expected = [
        {"score": c.score, "probability": c.probability, "tag": c.annotation["tag"]}
        for c in pipe.nbest(doc, 2)
    ]
    assert doc._.nbest == {"tagger": expected}
    assert expected[0]["tag"] == tags(doc)


@pytest.mark.parametrize("k", [0, -1])
def test_nbest_of_none(sample_tagger: Language, k: int):
    with pytest.raises(ValueError, match=f"must be between 1 and 10000, not {k}"):
        sample_tagger.get_pipe("tagger").nbest(sample_tagger.make_doc("Well."), k)


# --- Confidence -----------------------------------------------------------------------------


def test_confidence_is_the_share_of_the_tag_when_it_was_chosen(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    for example in read(sample_tagger, limit=5):
        doc = sample_tagger(example.predicted)
        assert all(0 < confidence <= 1 for confidence in confidences(doc))
        state = pipe._get_state()
        words = pipe._read([doc], state)
        state, rows = pipe._look_up(words, state)
        with state.decoders.borrow() as decoder:
            trace = decoder.trace(rows, pipe.beam_width, fixed=words.given)
        for i, tag, _, scores in trace:
            distances = scores.astype(np.float64) - float(scores[tag])
            assert doc[i]._.tag_confidence == pytest.approx(1 / np.exp(distances).sum(), rel=1e-5)


def test_confident_tags_are_right_more_often(sample_tagger: Language):
    found: dict[bool, list[float]] = {True: [], False: []}
    for example in read(sample_tagger):
        doc = sample_tagger(example.predicted)
        for token, gold in zip(doc, example.reference, strict=True):
            found[token.tag_ == gold.tag_].append(token._.tag_confidence)
    right, wrong = np.array(found[True]), np.array(found[False])
    assert len(wrong) > 30
    # How often a right tag has more confidence than a wrong one; by chance, half the time.
    wins = (right[:, None] > wrong) + (right[:, None] == wrong) / 2
    assert wins.mean() > 0.75


def test_calibration_is_saved_and_applied(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    assert pipe.calibration == Calibration()
    examples = read(sample_tagger, limit=10)
    raw = [confidences(sample_tagger(example.predicted.copy())) for example in examples]
    pipe.calibration = CALIBRATION
    # Numbers are rounded as in the saved file, once and for all.
    calibration = pipe.calibration
    assert calibration.temperature == pytest.approx(1.7)
    assert np.array(calibration.knots) == pytest.approx(np.array(CALIBRATION.knots))
    at_temperature = pipe.raw_confidences(examples, 1.7)[0]
    expected = np.interp(at_temperature, *np.array(CALIBRATION.knots).T)
    docs = [sample_tagger(example.predicted.copy()) for example in examples]
    found = [value for doc in docs for value in confidences(doc)]
    assert found == pytest.approx(expected.tolist())
    assert found != [value for values in raw for value in values]
    assert max(found) <= 0.97
    # Candidates go by the temperature too.
    first, second = pipe.nbest(docs[0], 2)
    ratio = np.exp((second.score - first.score) / 1.7)
    assert second.probability / first.probability == pytest.approx(ratio)
    other = spacy.blank("en")
    loaded = other.add_pipe("easy_first_tagger", name="tagger").from_bytes(pipe.to_bytes())
    assert loaded.calibration == calibration
    assert loaded.to_bytes() == pipe.to_bytes()
    again = [confidences(other(Doc(other.vocab, words=[t.text for t in doc]))) for doc in docs]
    assert again == [confidences(doc) for doc in docs]


def test_initialize_forgets_the_calibration(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    pipe.calibration = CALIBRATION
    sample_tagger.initialize(lambda: read(sample_tagger, limit=3))
    assert pipe.calibration == Calibration()


# --- Explanations ---------------------------------------------------------------------------


def check_explanation(pipe: EasyFirstTagger, doc: Doc, i: int) -> int:
    """RETURNS (int): The step at which the token was tagged."""
    explanation = pipe.explain(doc, i)
    assert explanation.word == doc[i].text
    assert explanation.chosen == doc[i].tag_
    assert explanation.runner_up != explanation.chosen
    # Features without weight for either tag are not listed: they add nothing.
    chosen = sum(feature.chosen for feature in explanation.features)
    runner_up = sum(feature.runner_up for feature in explanation.features)
    assert explanation.chosen_score == pytest.approx(chosen, abs=1e-3)
    assert explanation.runner_up_score == pytest.approx(runner_up, abs=1e-3)
    differences = [feature.difference for feature in explanation.features]
    assert differences == sorted(differences, reverse=True)
    assert all(f.difference == f.chosen - f.runner_up for f in explanation.features)
    return explanation.step


def test_explain_adds_up(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    for example in read(sample_tagger, limit=6):
        doc = sample_tagger(example.predicted)
        steps = [check_explanation(pipe, doc, i) for i in range(len(doc))]
        assert sorted(steps) == list(range(1, len(doc) + 1))
        assert tags(doc) == tags(sample_tagger(doc.copy()))


def test_explain_in_several_sentences(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    doc = sample_tagger(several_sentences(sample_tagger))
    for sent in doc.sents:
        words = [token.i for token in sent if not token.is_space]
        steps = [check_explanation(pipe, doc, i) for i in words]
        assert sorted(steps) == list(range(1, len(words) + 1))
        for place, template in ((0, "w-1.lower"), (-1, "w+1.lower")):
            features = pipe.explain(doc, words[place]).features
            seen = {feature.template: feature.value for feature in features}
            assert seen.get(template, "<outside>") == "<outside>"
    # The values are those of the words beside it, over whitespace.
    values = {f.template: f.value for f in pipe.explain(doc, 3).features}
    assert (doc[1].text, doc[2].text) != (doc[3].text, "\n\n")
    assert values.get("w-1.lower", doc[1].lower_) == doc[1].lower_
    assert values.get("w.orth", doc[3].text) == doc[3].text


def test_explain_as_text(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    doc = sample_tagger("She quickly opened the window.")
    explanation = pipe.explain(doc, doc[2], rows=None)
    text = str(explanation)
    assert explanation.features
    for feature in explanation.features:
        assert feature.template in text
        assert f"{feature.chosen:+.2f}" in text
    assert f"'opened': {doc[2].tag_} rather than {explanation.runner_up}" in text
    assert f"{explanation.chosen_score:+.2f}" in text
    known = {str(template) for template in pipe._program.templates}
    assert {feature.template for feature in explanation.features} <= known


def test_explain_what_is_not_there(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    doc = sample_tagger("Some  space.")
    with pytest.raises(ValueError, match="Token 1 is whitespace"):
        pipe.explain(doc, 1)
    for i in (4, -5):
        with pytest.raises(IndexError, match=f"no token {i} in a doc of 4"):
            pipe.explain(doc, i)
    assert pipe.explain(doc, -1).word == "."


# --- Corrections ----------------------------------------------------------------------------


def test_correct_takes_effect_at_once_and_nowhere_else(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    dev = read(sample_tagger)
    before = [tags(doc) for doc in sample_tagger.pipe(e.predicted.copy() for e in dev)]
    wrong = [i for i, e in enumerate(dev) if before[i] != tags(e.reference)]
    assert len(wrong) > 5
    for i in wrong[:5]:
        saved = pipe.to_bytes()
        assert pipe.correct(Example(dev[i].predicted, dev[i].reference)) > 0
        assert tags(sample_tagger(dev[i].predicted.copy())) == tags(dev[i].reference)
        after = [tags(doc) for doc in sample_tagger.pipe(e.predicted.copy() for e in dev)]
        pairs = [
            (old, new)
            for j in range(len(dev))
            if j != i
            for old, new in zip(before[j], after[j], strict=True)
        ]
        assert sum(old == new for old, new in pairs) / len(pairs) >= 0.95
        other = spacy.blank("en")
        other.add_pipe("easy_first_tagger", name="tagger").from_bytes(pipe.to_bytes())
        assert [tags(doc) for doc in other.pipe(e.predicted for e in read(other))] == after
        pipe.from_bytes(saved)


def test_correct_leaves_right_answers_alone(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    words = ["The", "old", "clock", "stopped", "."]
    doc = sample_tagger(Doc(sample_tagger.vocab, words=words))
    before = pipe.to_bytes()
    right = Example(Doc(doc.vocab, words=words), Doc(doc.vocab, words=words, tags=tags(doc)))
    assert pipe.correct(right) == 0
    # No gold tags, no correction.
    assert pipe.correct(Example(Doc(doc.vocab, words=words), Doc(doc.vocab, words=words))) == 0
    assert pipe.to_bytes() == before


def test_correct_one_token_of_several_sentences(sample_tagger: Language):
    pipe = sample_tagger.get_pipe("tagger")
    doc = sample_tagger(several_sentences(sample_tagger))
    i = next(sent.end for sent in doc.sents) + 1
    wanted = "VBG" if doc[i].tag_ != "VBG" else "NN"
    reference = Doc(doc.vocab, words=[token.text for token in doc])
    reference[i].tag_ = wanted
    predicted = several_sentences(sample_tagger)
    assert pipe.correct(Example(predicted, reference)) > 0
    found = tags(sample_tagger(several_sentences(sample_tagger)))
    assert found[i] == wanted


def test_correct_in_the_middle_of_training():
    gold = [(["Dogs", "bark"], ["A", "B"]), (["Cats", "sleep"], ["C", "A"])]
    nlp, examples = make_nlp(gold)
    nlp.update(examples)
    words = ["Birds", "sing"]
    example = Example(Doc(nlp.vocab, words=words), Doc(nlp.vocab, words=words, tags=["C", "C"]))
    assert nlp.get_pipe("tagger").correct(example) > 0
    assert tags(nlp(Doc(nlp.vocab, words=words))) == ["C", "C"]
    # And training goes on from there.
    for _ in range(30):
        nlp.update([*examples, example])
    assert nlp.evaluate([*examples, example])["tag_acc"] == 1.0


# --- Training -------------------------------------------------------------------------------


@pytest.mark.parametrize("margin", [0.0, 5.0])
@pytest.mark.parametrize("update", ["early", "resume"])
def test_every_update_is_valid(update: str, margin: float, monkeypatch: pytest.MonkeyPatch):
    """One epoch: each update is a violation, and the component trains exactly as this loop."""
    decoders = []
    make = EasyFirstTagger._learner_changed

    def make_checked(self: EasyFirstTagger, learner: Any) -> None:
        make(self, learner)
        self._training_decoder = CheckedDecoder(self._training_decoder)
        decoders.append(self._training_decoder)

    def train() -> tuple[bytes, float]:
        nlp = spacy.blank("en")
        config = {"update": update, "margin": margin}
        pipe = nlp.add_pipe("easy_first_tagger", name="tagger", config=config)
        examples = read(nlp, "train")
        nlp.initialize(lambda: examples)
        loss = nlp.update(examples, drop=0.2)["tagger"]
        return pipe.to_bytes(exclude=["vocab"]), loss

    expected, loss = train()
    monkeypatch.setattr(EasyFirstTagger, "_learner_changed", make_checked)
    checked, checked_loss = train()
    assert decoders[0].n_updates == loss == checked_loss
    # With the early update at most one per sentence; most sentences of a first epoch have one.
    assert loss > 200
    assert update == "resume" or loss <= 400
    assert checked == expected


# --- Settings -------------------------------------------------------------------------------


def test_two_taggers_in_one_pipeline():
    words, tag, pos = ["Dogs", "bark", "."], ["NNS", "VBP", "."], ["NOUN", "VERB", "PUNCT"]
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    nlp.add_pipe("easy_first_tagger", name="coarse", config={"attribute": "pos", "nbest": 2})
    reference = Doc(nlp.vocab, words=words, tags=tag, pos=pos)
    example = Example(Doc(nlp.vocab, words=words), reference)
    nlp.initialize(lambda: [example])
    for _ in range(5):
        losses = nlp.update([example])
    assert losses == {"tagger": 0.0, "coarse": 0.0}
    assert nlp.get_pipe("tagger").labels == (".", "NNS", "VBP")
    assert nlp.get_pipe("coarse").labels == ("NOUN", "PUNCT", "VERB")
    for pipeline in (nlp, spacy.blank("en").from_bytes):
        if pipeline is not nlp:
            pipeline = spacy.blank("en")
            pipeline.add_pipe("easy_first_tagger", name="tagger")
            pipeline.add_pipe(
                "easy_first_tagger", name="coarse", config={"attribute": "pos", "nbest": 2}
            )
            pipeline.from_bytes(nlp.to_bytes())
        doc = pipeline("Dogs bark.  ")
        assert tags(doc) == [*tag, "_SP"]
        assert [token.pos_ for token in doc] == [*pos, "SPACE"]
        for token in doc:
            assert 0 < token._.tag_confidence <= 1
            assert 0 < token._.pos_confidence <= 1
        assert list(doc._.nbest) == ["coarse"]
        assert doc._.nbest["coarse"][0]["pos"] == [*pos, "SPACE"]
    scores = nlp.evaluate([Example(nlp.make_doc("Dogs bark ."), reference)])
    assert (scores["tag_acc"], scores["pos_acc"]) == (1.0, 1.0)


def test_overwrite(sample_tagger_bytes: bytes):
    words, preset = ["The", "clock", "stopped"], ["", "XYZ", ""]
    found = {}
    for overwrite in (True, False):
        nlp = spacy.blank("en")
        nlp.add_pipe("easy_first_tagger", config={"overwrite": overwrite})
        nlp.get_pipe("easy_first_tagger").from_bytes(sample_tagger_bytes)
        free = tags(nlp(Doc(nlp.vocab, words=words)))
        found[overwrite] = tags(nlp(Doc(nlp.vocab, words=words, tags=preset)))
        assert "XYZ" not in free
    assert found[True] == free
    assert found[False] == [free[0], "XYZ", free[2]]


def test_dictionary_words_are_tagged_without_search():
    """`the` is always DT, `run` is not always NN, `tie` is too rare."""
    gold = [(["the", "run"], ["DT", "NN"])] * 3 + [(["run", "the", "tie"], ["VB", "DT", "NN"])]
    # Words without a tag count for nothing, nor does whitespace.
    gold += [(["the", " "], ["", "_SP"])] * 5
    nlp, examples = make_nlp(gold, dictionary_min_count=4)
    pipe = nlp.get_pipe("tagger")
    assert pipe.labels == ("DT", "NN", "VB")
    assert pipe.cfg["dictionary"] == {"the": "DT"}
    # Nothing is trained yet: all tags tie at 0 and the first would win, with a third of the votes.
    doc = nlp(Doc(nlp.vocab, words=["tie", "the"]))
    assert tags(doc) == ["DT", "DT"]
    assert confidences(doc) == pytest.approx([1 / 3, 1.0])
    explanation = pipe.explain(doc, 1)
    assert (explanation.chosen, explanation.step, explanation.features) == ("DT", 0, [])
    for _ in range(3):
        nlp.update(examples)
    other = spacy.blank("en")
    other.add_pipe("easy_first_tagger", name="tagger").from_bytes(pipe.to_bytes())
    for pipeline in (nlp, other):
        doc = pipeline(Doc(pipeline.vocab, words=["run", "the", "tie"]))
        assert tags(doc) == ["VB", "DT", "NN"]
        candidates = pipeline.get_pipe("tagger").nbest(doc, 9)
        assert {c.annotation["tag"][1] for c in candidates} == {"DT"}
        assert len(candidates) == 9


def test_dictionary_words_can_be_corrected():
    gold = [(["the", "run"], ["DT", "NN"])] * 3
    nlp, examples = make_nlp(gold, dictionary_min_count=3)
    nlp.update(examples)
    assert nlp.get_pipe("tagger").cfg["dictionary"] == {"the": "DT", "run": "NN"}
    words = ["the", "run"]
    example = Example(Doc(nlp.vocab, words=words), Doc(nlp.vocab, words=words, tags=["NN", "NN"]))
    assert nlp.get_pipe("tagger").correct(example) > 0
    assert tags(nlp(Doc(nlp.vocab, words=words))) == ["NN", "NN"]
    assert nlp.get_pipe("tagger").cfg["dictionary"] == {"run": "NN"}


def test_dictionary_keeps_to_the_labels():
    """Tags that are not among the labels given to `initialize` are not in use."""
    nlp, examples = make_nlp([(["a", "b"], ["X", "Y"])], dictionary_min_count=1)
    nlp.get_pipe("tagger").initialize(lambda: examples, labels=["Y"])
    assert nlp.get_pipe("tagger").labels == ("Y",)
    assert tags(nlp("a b")) == ["Y", "Y"]


def test_min_weight_makes_models_smaller():
    sizes = []
    for min_weight in (0.0, 0.5):
        model = {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": min_weight}
        nlp = spacy.blank("en")
        nlp.add_pipe("easy_first_tagger", name="tagger", config={"model": model})
        examples = read(nlp, "train", limit=40)
        nlp.initialize(lambda examples=examples: examples)
        nlp.update(examples)
        nlp.get_pipe("tagger").sync()
        weights = np.abs(nlp.get_pipe("tagger").model.get_param("weights"))
        assert weights.min() >= min_weight
        sizes.append(weights.size)
    assert 0 < sizes[1] < sizes[0]


# --- More words than caches hold ------------------------------------------------------------


def test_more_words_than_are_kept(sample_tagger_bytes: bytes):
    """With 100 more labels there is room for the scores of some 10,000 words. Eight times as many
    words take eight times as long, and have the same tags as in sentences alone."""
    nlp = spacy.blank("en")
    tagger = nlp.add_pipe("easy_first_tagger", name="tagger")
    tagger.from_bytes(sample_tagger_bytes)
    for i in range(100):
        tagger.add_label(f"X{i}")
    endings = ["s", "ed", "ing", "ly"]
    words = [f"word{i}{endings[i % 4]}" for i in range(40_000)]

    def tag(n: int) -> tuple[Doc, float]:
        doc = Doc(nlp.vocab, words=words[:n], sent_starts=[i % 20 == 0 for i in range(n)])
        tagger.forget_texts()
        begin = time.process_time()
        nlp(doc)
        return doc, time.process_time() - begin

    _, seconds = tag(5_000)
    doc, more_seconds = tag(40_000)
    # Clearing everything at each sentence made it more than a hundred times.
    assert more_seconds < 24 * seconds
    for start in (0, 20_000, 39_980):
        alone = nlp(Doc(nlp.vocab, words=words[start : start + 20]))
        assert tags(alone) == tags(doc)[start : start + 20]
        assert confidences(alone) == confidences(doc)[start : start + 20]
