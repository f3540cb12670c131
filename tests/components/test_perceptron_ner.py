import itertools

import pytest
import spacy
from spacy.language import Language
from spacy.pipeline import merge_entities
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.corpus.reader import copy_tokens
from spacy_perceptron.evaluation.scorers import score_entities

from ..sample import load_sample

N_SENTENCES = 40
TEMPLATES = "spacy_perceptron.templates.v1"
BOTH_SETS = ["spacy_perceptron.entities.v1", "spacy_perceptron.entities_right.v1"]


def make_nlp(**config) -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe("perceptron_ner", name="ner", config=config)
    return nlp


def train(epochs: int = 6, limit: int = N_SENTENCES, **config) -> Language:
    nlp = make_nlp(**config)
    docs = load_sample(nlp.vocab, "train", limit)
    examples = [Example(copy_tokens(doc), doc) for doc in docs]
    nlp.initialize(lambda: examples)
    for _ in range(epochs):
        nlp.update(examples)
    return nlp


@pytest.fixture(scope="module")
def trained() -> bytes:
    return train().get_pipe("ner").to_bytes()


@pytest.fixture
def nlp(trained: bytes) -> Language:
    nlp = make_nlp()
    nlp.get_pipe("ner").from_bytes(trained)
    return nlp


def ents(doc: Doc) -> list[tuple[int, int, str]]:
    return [(ent.start, ent.end, ent.label_) for ent in doc.ents]


def bio(doc: Doc) -> list[str]:
    return [f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else "O" for t in doc]


def sample_docs(nlp: Language, split: str = "dev", limit: int = 30) -> list[Doc]:
    return [copy_tokens(doc) for doc in load_sample(nlp.vocab, split, limit)]


# --- Learning in all settings ----------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        {"scheme": "biluo"},
        {"search": "easy_first"},
        {"search": "easy_first", "scheme": "biluo"},
        {"search": "easy_first", "templates": {"@misc": TEMPLATES, "sets": BOTH_SETS}},
        {"update": "early"},
        {"update": "max_violation"},
        {"beam_width": 1},
        {"adaptive": False, "margin": 0.0, "hide_rare": 0.0},
    ],
    ids=str,
)
def test_learns_in_every_setting(config):
    nlp = train(epochs=12, limit=15, **config)
    references = load_sample(nlp.vocab, "train", 15)
    for reference in references:
        assert ents(nlp(copy_tokens(reference))) == ents(reference)
    assert sum(len(reference.ents) for reference in references) > 5


def test_schemes_do_not_mix(trained):
    """A model for 3 labels in BIO has 7 classes, which BILUO can't have."""
    pipe = make_nlp(scheme="biluo").get_pipe("ner")
    with pytest.raises(ValueError, match="Can't load 'ner' from bytes"):
        pipe.from_bytes(trained)


def test_labels_are_entity_types(nlp):
    found = {e.label_ for doc in load_sample(nlp.vocab, "train", N_SENTENCES) for e in doc.ents}
    assert nlp.get_pipe("ner").labels == tuple(sorted(found))


# --- What is there stays ---------------------------------------------------------------------


def test_presets_are_kept(nlp):
    docs = sample_docs(nlp)
    plain = [ents(nlp(doc.copy())) for doc in docs]
    assert any(plain)
    changed = 0
    for doc, without in zip(docs, plain, strict=True):
        preset = Span(doc, len(doc) // 2, min(len(doc) // 2 + 2, len(doc)), label="MADE-UP")
        doc.set_ents([preset], default="unmodified")
        found = ents(nlp(doc))
        assert (preset.start, preset.end, "MADE-UP") in found
        others = [e for e in found if e[2] != "MADE-UP"]
        assert all(e[1] <= preset.start or e[0] >= preset.end for e in others)
        changed += others != without
        assert all(token.ent_iob != 0 for token in doc)
    assert changed


def test_a_known_label_is_not_prolonged(nlp):
    """The word behind a preset entity of a known label can't go on with it."""
    label = nlp.get_pipe("ner").labels[0]
    for doc in sample_docs(nlp):
        for i in range(len(doc)):
            copy = doc.copy()
            copy.set_ents([Span(copy, i, i + 1, label=label)], default="unmodified")
            assert (i, i + 1, label) in ents(nlp(copy))


def test_outside_is_no_preset_but_blocked_is(nlp):
    """As in spaCy: an entity ruler leaves O everywhere else, and that must not stop others."""
    doc = next(doc for doc in sample_docs(nlp) if nlp(doc.copy()).ents)
    expected = ents(nlp(doc.copy()))
    outside = doc.copy()
    outside.set_ents([], default="outside")
    assert ents(nlp(outside)) == expected
    blocked = doc.copy()
    start, end, _ = expected[0]
    blocked.set_ents([], blocked=[blocked[start:end]], default="unmodified")
    assert all(e[1] <= start or e[0] >= end for e in ents(nlp(blocked)))


def test_twice_is_once(nlp):
    for doc in sample_docs(nlp):
        once = bio(nlp(doc))
        assert bio(nlp(doc)) == once


def test_own_entities_are_no_presets(nlp):
    """A processed doc can be asked for other answers, and is decided anew after a correction."""
    pipe = nlp.get_pipe("ner")
    doc = next(doc for doc in sample_docs(nlp) if nlp(doc.copy()).ents)
    fresh = [candidate.annotation for candidate in pipe.nbest(doc, 5)]
    processed = nlp(doc.copy())
    assert [candidate.annotation for candidate in pipe.nbest(processed, 5)] == fresh
    assert pipe.explain(processed, processed.ents[0].start).features
    reference = doc.copy()
    reference.set_ents([], default="outside")
    assert pipe.correct(Example(doc.copy(), reference)) > 0
    assert not nlp(processed).ents
    # What somebody else adds later is kept.
    processed.ents = [Span(processed, 0, 1, label="OTHER")]
    assert (0, 1, "OTHER") in ents(nlp(processed))


def test_entities_do_not_cross_sentences():
    nlp = train(limit=5, epochs=0)
    label = nlp.get_pipe("ner").labels[0]
    reference = Doc(
        nlp.vocab, words=["Aa", "Bb", "Cc", "Dd"], ents=[f"B-{label}", *[f"I-{label}"] * 3]
    )
    for _ in range(30):
        nlp.update([Example(Doc(nlp.vocab, words=["Aa", "Bb", "Cc", "Dd"]), reference)])
    whole = Doc(nlp.vocab, words=["Aa", "Bb", "Cc", "Dd"])
    assert ents(nlp(whole)) == [(0, 4, label)]
    cut = Doc(nlp.vocab, words=["Aa", "Bb", "Cc", "Dd"], sent_starts=[1, 0, 1, 0])
    for start, end, _ in ents(nlp(cut)):
        assert end <= 2 or start >= 2
    # A preset over the boundary is the user's own business.
    preset = Doc(nlp.vocab, words=["Aa", "Bb", "Cc", "Dd"], sent_starts=[1, 0, 1, 0])
    preset.set_ents([Span(preset, 1, 3, label=label)], default="unmodified")
    assert (1, 3, label) in ents(nlp(preset))
    assert nlp.get_pipe("ner").nbest(preset, 3)


def test_whitespace_inside_and_around():
    nlp = train(limit=5, epochs=0)
    label = nlp.get_pipe("ner").labels[0]
    words = ["in", "New", "York", "today"]
    tags = ["O", f"B-{label}", f"I-{label}", "O"]
    example = Example(Doc(nlp.vocab, words=words), Doc(nlp.vocab, words=words, ents=tags))
    for _ in range(20):
        nlp.update([example])
    spaced = ["in", "\n", "New", " ", "\n", "York", " ", "today", " "]
    expected = ["O", "O", f"B-{label}", *[f"I-{label}"] * 3, "O", "O", "O"]
    doc = nlp(Doc(nlp.vocab, words=spaced))
    assert bio(doc) == expected
    best = nlp.get_pipe("ner").nbest(Doc(nlp.vocab, words=spaced), 1)[0]
    assert best.annotation == {"ent": expected}


# --- Gold ------------------------------------------------------------------------------------


def test_partial_gold_trains_on_what_is_there():
    nlp = train(limit=5, epochs=0)
    label = nlp.get_pipe("ner").labels[0]
    words = ["Zorp", "met", "Blick", "Snarf"]
    reference = Doc(nlp.vocab, words=words)
    reference.set_ents(
        [Span(reference, 2, 4, label=label)], missing=[reference[0:1]], default="outside"
    )
    example = Example(Doc(nlp.vocab, words=words), reference)
    losses = [nlp.update([example])["ner"] for _ in range(40)]
    assert losses[0] > 0
    found = bio(nlp(Doc(nlp.vocab, words=words)))
    assert found[1:] == ["O", f"B-{label}", f"I-{label}"]


# --- Answers beyond the best one -------------------------------------------------------------


def test_nbest(trained):
    """In a beam wider than all pairs of the 19 tags both searches are exact."""
    nlp = make_nlp(beam_width=400)
    pipe = nlp.get_pipe("ner").from_bytes(trained)
    for doc in sample_docs(nlp):
        candidates = pipe.nbest(doc, 20)
        best = bio(nlp(doc.copy()))
        assert candidates[0].annotation["ent"] == best
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        assert sum(candidate.probability for candidate in candidates) == pytest.approx(1)
        different = {tuple(candidate.annotation["ent"]) for candidate in candidates}
        assert len(different) == len(candidates) == 20
        for candidate in candidates:
            written = candidate.apply(doc.copy())
            assert bio(written) == candidate.annotation["ent"]
        assert not doc.ents
    with pytest.raises(ValueError, match="between 1 and 10000, not 0"):
        pipe.nbest(doc, 0)


def test_nbest_is_that_of_all_sequences():
    """One label, four words: of 3^4 sequences those without a stray I."""
    nlp = train(limit=10, epochs=3)
    pipe = nlp.get_pipe("ner")
    doc = sample_docs(nlp, limit=1)[0][:4].as_doc()
    names = ["O", *(f"{p}-{label}" for label in pipe.labels for p in "BI")]
    legal = sum(
        all(t[0] != "I" or (i and tags[i - 1][2:] == t[2:]) for i, t in enumerate(tags))
        for tags in itertools.product(names, repeat=4)
    )
    assert len(pipe.nbest(doc, 5000)) == legal


def test_stored_nbest(trained):
    nlp = make_nlp(nbest=4, beam_width=400)
    nlp.get_pipe("ner").from_bytes(trained)
    doc = nlp(sample_docs(nlp, limit=1)[0])
    stored = doc._.nbest["ner"]
    assert len(stored) == 4
    assert stored[0]["ent"] == bio(doc)


def test_candidate_keeps_other_annotation():
    doc = Doc(spacy.blank("en").vocab, words=["a", "b", "c"], tags=["X", "Y", "Z"])
    Candidate(0.0, 1.0, {"ent": ["B-P", "I-P", "O"], "pos": ["NOUN"] * 3}).apply(doc)
    assert ents(doc) == [(0, 2, "P")]
    assert [token.tag_ for token in doc] == ["X", "Y", "Z"]
    assert [token.pos_ for token in doc] == ["NOUN"] * 3


def test_explain(nlp):
    doc = next(doc for doc in sample_docs(nlp, "train") if nlp(doc.copy()).ents)
    pipe = nlp.get_pipe("ner")
    tags = bio(nlp(doc.copy()))
    for i in range(len(doc)):
        found = pipe.explain(doc, i)
        assert found.chosen == tags[i]
        assert found.runner_up != found.chosen
        assert sum(f.chosen for f in found.features) == pytest.approx(found.chosen_score, abs=1e-2)
    given_doc = doc.copy()
    given_doc.set_ents([Span(given_doc, 0, 1, label=pipe.labels[0])], default="unmodified")
    assert pipe.explain(given_doc, 0).step == 0
    with pytest.raises(IndexError, match="no token 99"):
        pipe.explain(doc, 99)
    with pytest.raises(ValueError, match="whitespace"):
        pipe.explain(Doc(nlp.vocab, words=["a", " "]), 1)


def test_bonus_finds_more_entities(trained):
    """Every word can start an entity if that is worth enough, and none if it costs enough."""
    counts = []
    for bonus in (-900.0, 0.0, 900.0):
        nlp = make_nlp(entity_bonus=bonus)
        nlp.get_pipe("ner").from_bytes(trained)
        docs = [nlp(doc) for doc in sample_docs(nlp, "dev", limit=5)]
        counts.append(sum(len(doc.ents) for doc in docs))
    assert counts[0] == 0 < counts[1]
    assert counts[2] == sum(len(doc) for doc in docs)


def test_explain_with_bonus(trained):
    """It is a feature like others: weights add up to scores."""
    nlp = make_nlp(entity_bonus=7.5)
    pipe = nlp.get_pipe("ner").from_bytes(trained)
    doc = next(doc for doc in sample_docs(nlp, "train") if nlp(doc.copy()).ents)
    found = pipe.explain(doc, nlp(doc.copy()).ents[0].start)
    assert found.chosen.startswith("B-")
    (bonus,) = (f for f in found.features if f.template == "entity_bonus")
    assert bonus.chosen == 7.5
    assert bonus.runner_up == (7.5 if found.runner_up.startswith("B-") else 0.0)
    assert sum(f.chosen for f in found.features) == pytest.approx(found.chosen_score, abs=1e-2)
    outside = next(i for i in range(len(doc)) if pipe.explain(doc, i).chosen == "O")
    found = pipe.explain(doc, outside)
    total = sum(f.runner_up for f in found.features)
    assert total == pytest.approx(found.runner_up_score, abs=1e-2)


def test_correct(nlp):
    pipe = nlp.get_pipe("ner")
    words = ["Yesterday", "zorp", "blick", "left"]
    label = pipe.labels[-1]
    gold = ["O", f"B-{label}", f"I-{label}", "O"]
    example = Example(Doc(nlp.vocab, words=words), Doc(nlp.vocab, words=words, ents=gold))
    assert bio(nlp(Doc(nlp.vocab, words=words))) != gold
    assert pipe.correct(example) > 0
    assert bio(nlp(Doc(nlp.vocab, words=words))) == gold
    assert pipe.correct(example) == 0
    foreign = Doc(nlp.vocab, words=words, ents=["O", "B-NEW", "O", "O"])
    with pytest.raises(ValueError, match="no label 'NEW'"):
        pipe.correct(Example(Doc(nlp.vocab, words=words), foreign))


# --- Features of tokens ----------------------------------------------------------------------


def test_lists_are_learned_from_and_saved(tmp_path):
    """Which of two new words is an entity only the list can tell, also without its file."""
    names = ["Zaa", "Zbb", "Zcc", "Zdd"]
    path = tmp_path / "made.txt"
    path.write_text("\n".join([*names, "Zxx"]), encoding="utf8")
    nlp = make_nlp(lists={"made": str(path)}, hide_rare=50.0)
    examples = []
    for name, other in zip(names, ["Yaa", "Ybb", "Ycc", "Ydd"], strict=True):
        for word, tag in ((name, "B-X"), (other, "O")):
            words = ["we", "saw", word]
            reference = Doc(nlp.vocab, words=words, ents=["O", "O", tag])
            examples.append(Example(Doc(nlp.vocab, words=words), reference))
    nlp.initialize(lambda: examples)
    for _ in range(20):
        nlp.update(examples)
    nlp.to_disk(tmp_path / "model")
    path.unlink()
    other = spacy.load(tmp_path / "model")
    for pipeline in (nlp, other):
        assert bio(pipeline(Doc(pipeline.vocab, words=["we", "saw", "Zxx"])))[2] == "B-X"
        assert bio(pipeline(Doc(pipeline.vocab, words=["we", "saw", "Zyy"])))[2] == "O"


def test_tags_are_used_when_there():
    nlp = make_nlp(
        templates={
            "@misc": TEMPLATES,
            "sets": [],
            "extra": ["w.pos", "w.tag"],
        }
    )
    vocab = nlp.vocab
    plain = {"words": ["a", "b"], "pos": ["PROPN", "NOUN"], "tags": ["NNP", "NN"]}
    example = Example(Doc(vocab, **plain), Doc(vocab, words=["a", "b"], ents=["B-X", "O"]))
    nlp.initialize(lambda: [example])
    for _ in range(5):
        nlp.update([example])
    turned = Doc(vocab, words=["c", "d"], pos=["NOUN", "PROPN"], tags=["NN", "NNP"])
    assert bio(nlp(turned)) == ["O", "B-X"]


# --- Scores ----------------------------------------------------------------------------------


def test_scorer():
    """Three gold entities. Right with type: one. Right boundaries: two of two predictions."""
    vocab = spacy.blank("en").vocab
    words = ["a", "b", "c", "d", "e"]
    gold = Doc(vocab, words=words, ents=["B-P", "O", "B-P", "I-P", "B-Q"])
    found = Doc(vocab, words=words, ents=["B-P", "O", "B-Q", "I-Q", "O"])
    scores = score_entities([Example(found, gold)], labels=["P"])
    assert scores["ents_p"] == pytest.approx(1 / 2)
    assert scores["ents_r"] == pytest.approx(1 / 3)
    assert scores["ents_boundary_p"] == 1.0
    assert scores["ents_boundary_r"] == pytest.approx(2 / 3)
    assert scores["ents_boundary_f"] == pytest.approx(0.8)
    assert scores["ents_per_type"]["P"]["r"] == pytest.approx(1 / 2)
    empty = score_entities([Example(found, Doc(vocab, words=words))])
    assert empty["ents_f"] is None
    assert empty["ents_boundary_f"] is None


# --- Docs that change ------------------------------------------------------------------------


def test_its_own_entities_are_found_again_by_their_text(nlp: Language):
    """After merging they are still its own: the second run decides about them anew."""
    text = next(doc.text for doc in map(nlp, sample_docs(nlp)) if any(len(e) > 1 for e in doc.ents))
    doc = nlp(text)
    spans = [(ent.start_char, ent.end_char) for ent in doc.ents]
    n_tokens = len(doc)
    merge_entities(doc)
    assert len(doc) < n_tokens
    fresh = Doc(
        nlp.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
    )
    assert ents(nlp(doc)) == ents(nlp(fresh))
    # Entities that others have set stay.
    doc.set_ents([Span(doc, 0, 1, label="MISC")], default="outside")
    assert ents(nlp(doc))[0] == (0, 1, "MISC")
    assert spans


def test_two_recognizers_around_merged_entities(nlp: Language, trained: bytes):
    nlp.add_pipe("merge_entities")
    nlp.add_pipe("perceptron_ner", name="second").from_bytes(trained)
    for doc in nlp.pipe(sample_docs(nlp)):
        assert all(len(ent) == 1 for ent in doc.ents if ent.label_)
        nlp(doc)


def test_a_sourced_copy_leaves_the_entities_of_its_source(nlp: Language, trained: bytes):
    """Under another name it takes only what it has written itself for its own."""
    source = make_nlp()
    source.get_pipe("ner").from_bytes(trained)
    copy = nlp.add_pipe("ner", name="copy", source=source)
    docs = [doc for doc in map(nlp.get_pipe("ner"), sample_docs(nlp)) if doc.ents]
    assert docs
    for doc in docs:
        before = ents(doc)
        copy.set_annotations([doc], copy.predict([doc]))
        assert set(before) <= set(ents(doc))
        assert copy._read([doc], copy._get_state()).given is not None
