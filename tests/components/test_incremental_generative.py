"""The generative model of the incremental parser, alone and beside the weights of features."""

import math
import pickle
import threading
from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example

from spacy_perceptron.trees.constituents import set_constituents

from .contract import CONTRACTS, NAME, templates
from .docs import bracketed

(CONTRACT,) = [contract for contract in CONTRACTS if contract.factory == "incremental_parser"]
NONE = {
    "templates": templates(sets=[])["templates"],
    "word_templates": templates(sets=[])["templates"],
}
PAPER = {
    "templates": templates(sets=["spacy_perceptron.incremental_paper.v1"])["templates"],
    "word_templates": templates(sets=["spacy_perceptron.incremental_paper_words.v1"])["templates"],
    "update": "early",
    "learner": "perceptron",
    "loss_augmented": False,
}
CHAINS = {"transitions": "chains", "max_tags": 1}
GENERATIVE = {**CHAINS, **NONE, "log_weight": 1.0}
HYBRID = {**CHAINS, **PAPER, "log_weight": 10.0, "cache_passes": 2}


def train(settings: dict[str, Any], epochs: int = 2) -> Language:
    return CONTRACT.train(limit=80, epochs=epochs, **settings)


@pytest.fixture(scope="module", params=["generative", "hybrid"])
def nlp(request) -> Language:
    return train(GENERATIVE if request.param == "generative" else HYBRID)


def score(nlp: Language, split: str, limit: int) -> float:
    return nlp.evaluate(CONTRACT.examples(nlp, split, limit=limit))["const_f"]


def answers(nlp: Language) -> list[list[tuple[str, int, int]]]:
    docs = [nlp(eg.predicted) for eg in CONTRACT.examples(nlp, "dev", limit=10)]
    return [[(s.label_, s.start, s.end) for s in doc.spans["constituents"]] for doc in docs]


def test_parses_what_it_was_trained_on(nlp):
    assert score(nlp, "train", 80) > 0.8


def test_survives_saving(nlp):
    is_hybrid = nlp.get_pipe(NAME).log_weight == HYBRID["log_weight"]
    loaded = CONTRACT.blank(**(HYBRID if is_hybrid else GENERATIVE))
    loaded.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    assert answers(loaded) == answers(nlp)
    doc = CONTRACT.examples(nlp, "dev", limit=1)[0].predicted
    assert loaded.get_pipe(NAME).surprisal(doc) == nlp.get_pipe(NAME).surprisal(doc)


def test_surprisal_has_a_number_for_each_word(nlp):
    words = ["The", "dog", " ", "barks", "."]
    doc = Doc(nlp.vocab, words=words, tags=["DT", "NN", "_SP", "VBZ", "."])
    bits = nlp.get_pipe(NAME).surprisal(doc)
    assert [value is None for value in bits] == [False, False, True, False, False]
    assert all(math.isfinite(value) for value in bits if value is not None)
    # The same beginning is as surprising whatever follows.
    again = nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab, words=words[:2], tags=["DT", "NN"]))
    assert again == pytest.approx(bits[:2])
    assert nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab)) == []


def test_training_scores_are_of_models_that_have_not_seen_the_sentence():
    nlp = CONTRACT.blank(**HYBRID)
    examples = CONTRACT.examples(nlp, limit=40)
    nlp.initialize(lambda: examples)
    pipe = nlp.get_pipe(NAME)
    sentences = [sentence for example in examples for sentence in pipe._gold(example)]
    nlp.update(examples[:1])
    for i, sentence in enumerate(sentences):
        _, space = pipe._trainings.of(sentence)
        fold = i * 10 // len(sentences)
        others = [
            word
            for j, other in enumerate(sentences)
            if j * 10 // len(sentences) != fold
            for word in other.words.word_texts()
        ]
        assert space.known.counts.keys() == {*others}


def test_a_sentence_that_occurs_twice_is_held_out_twice():
    nlp = CONTRACT.blank(**HYBRID)
    examples = CONTRACT.examples(nlp, limit=30)
    # The second copy would be in the last part, and the models of other parts would have seen it.
    twice = bracketed(nlp, "Zorps hum", "NNS VBP", ("S", 0, 2))
    again = bracketed(nlp, "Zorps hum", "NNS VBP", ("S", 0, 2))
    nlp.initialize(lambda: [twice, *examples, again])
    pipe = nlp.get_pipe(NAME)
    nlp.update([twice, again])
    for example in (twice, again):
        (sentence,) = pipe._gold(example)
        _, space = pipe._trainings.of(sentence)
        assert "Zorps" not in space.known.counts


def test_chains_count_once_however_often_the_corpus_is_read():
    """`spacy train` reads the corpus for `initialize` and again for training: other Docs with the
    same sentences. A long chain that occurs once in the corpus stays out of the grammar."""
    nlp = CONTRACT.blank(**HYBRID)

    def read() -> list[Example]:
        rows = [("S", 0, 2), ("NP", 0, 2), ("QP", 0, 2), ("PP", 0, 1)]
        return [bracketed(nlp, "a b", "A B", *rows), *CONTRACT.examples(nlp, limit=20)]

    nlp.initialize(read)
    pipe = nlp.get_pipe(NAME)
    before = pipe.cfg["grammar"]
    chain = [pipe._grammar.phrases[label] for label in ("S", "NP", "QP", "PP")]
    for _ in range(2):
        nlp.update(read())
    assert pipe.cfg["grammar"] == before
    assert [n for found, _, n in before["chains"] if found == chain] == [1]


def test_models_that_leave_out_sentences_are_not_pickled():
    nlp = CONTRACT.blank(**HYBRID)
    examples = CONTRACT.examples(nlp, limit=40)
    nlp.initialize(lambda: examples)
    nlp.update(examples[:10])
    pipe = nlp.get_pipe(NAME)
    # The weights and the generative model itself, but not ten more of them.
    assert len(pickle.dumps(pipe)) < 2 * len(pipe.model.to_bytes())
    copy = pickle.loads(pickle.dumps(pipe))
    copy.update(CONTRACT.examples(nlp, limit=10))


def surprisal(doc: Doc) -> list[float | None]:
    return [token._.surprisal for token in doc]


def measured(nlp: Language) -> list[Doc]:
    """Docs with surprisal, one of them with whitespace."""
    docs = [example.predicted for example in CONTRACT.examples(nlp, "dev", limit=4)]
    tags = ["DT", "NN", "_SP", "VBZ", "."]
    docs.append(Doc(nlp.vocab, words=["The", "dog", " ", "barks", "."], tags=tags))
    return list(nlp.pipe(docs))


@pytest.fixture(scope="module", params=["generative", "hybrid"])
def measuring(request) -> Language:
    settings = GENERATIVE if request.param == "generative" else HYBRID
    return train({**settings, "surprisal": True}, epochs=1)


def test_tokens_have_their_surprisal(measuring):
    pipe = measuring.get_pipe(NAME)
    docs = measured(measuring)
    for doc in docs:
        assert surprisal(doc) == pipe.surprisal(doc)
    assert [bits is None for bits in surprisal(docs[-1])] == [False, False, True, False, False]
    assert all(bits > 0 for doc in docs for bits in surprisal(doc) if bits is not None)
    assert surprisal(measuring(Doc(measuring.vocab))) == []
    # None where nothing was measured.
    assert surprisal(Doc(measuring.vocab, words=["a", "b"])) == [None, None]


def test_surprisal_goes_wherever_docs_go(measuring):
    doc = measured(measuring)[-1]
    expected = surprisal(doc)
    bins = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (stored,) = DocBin().from_bytes(bins).get_docs(measuring.vocab)
    others = [
        stored,
        Doc(measuring.vocab).from_bytes(doc.to_bytes()),
        pickle.loads(pickle.dumps(doc)),
        doc.copy(),
    ]
    assert [surprisal(other) for other in others] == [expected] * 4
    joined = Doc.from_docs([doc, doc])
    assert surprisal(joined) == expected * 2
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert surprisal(doc) == [None, *expected[2:]]


def test_surprisal_in_other_processes_and_threads(measuring):
    expected = list(map(surprisal, measured(measuring)))
    docs = [Doc(doc.vocab, words=[t.text for t in doc]) for doc in measured(measuring)]
    for doc, other in zip(docs, measured(measuring), strict=True):
        for token, given in zip(doc, other, strict=True):
            token.tag_ = given.tag_
    found = [surprisal(doc) for doc in measuring.pipe(docs, n_process=2, batch_size=2)]
    assert found == expected
    pipe = measuring.get_pipe(NAME)
    pipe.n_threads = 3
    try:
        assert list(map(surprisal, measured(measuring))) == expected
    finally:
        pipe.n_threads = 1


def test_sentences_are_measured_one_by_one(measuring):
    words, tags = ["The", "dog", "barks", "."], ["DT", "NN", "VBZ", "."]
    one = measuring(Doc(measuring.vocab, words=words, tags=tags))
    starts = [True, False, False, False] * 2
    two = measuring(Doc(measuring.vocab, words=words * 2, tags=tags * 2, sent_starts=starts))
    assert surprisal(two) == surprisal(one) * 2


def test_parsers_that_measure_nothing_leave_surprisal_alone(measuring):
    doc = measured(measuring)[0]
    expected = surprisal(doc)
    other = train(GENERATIVE, epochs=1).get_pipe(NAME)
    assert surprisal(other(doc)) == expected


def test_log_weight_needs_chains():
    with pytest.raises(ValueError, match="chains"):
        CONTRACT.blank(log_weight=1.0)


def test_surprisal_while_another_thread_trains(monkeypatch):
    """The grammar must not grow between the state and the decoder that are made of it."""
    nlp = train(GENERATIVE)
    pipe = nlp.get_pipe(NAME)
    doc = Doc(nlp.vocab, words=["Zorp", "barks"], tags=["ZZ", "VBZ"])
    example = Example(doc.copy(), doc.copy())
    set_constituents(example.reference, [Span(example.reference, 0, 2, label="NP")])
    before = pipe.surprisal(doc)
    training = threading.Thread(target=nlp.update, args=[[example]])
    get_state = pipe._get_state

    def interrupted() -> Any:
        state = get_state()
        training.start()
        training.join(timeout=1)
        return state

    monkeypatch.setattr(pipe, "_get_state", interrupted)
    assert pipe.surprisal(doc) == before
    training.join()


def test_another_model_is_trained_without_the_parts_of_the_old_corpus():
    """Models that have not seen a part of the corpus belong to one `initialize`."""
    old, new = train(HYBRID, epochs=1), CONTRACT.train(limit=30, epochs=1, **HYBRID)
    found = []
    for nlp in (old, CONTRACT.blank(**HYBRID)):
        pipe = nlp.get_pipe(NAME)
        pipe.from_bytes(new.get_pipe(NAME).to_bytes())
        nlp.update(CONTRACT.examples(nlp, limit=61)[-1:])
        pipe.sync()
        found.append(pipe.model.to_bytes())
    assert found[0] == found[1] != new.get_pipe(NAME).model.to_bytes()


def test_surprisal_needs_a_generative_model():
    with pytest.raises(ValueError, match="log_weight"):
        CONTRACT.blank(surprisal=True)
    nlp = CONTRACT.train(limit=5, epochs=1)
    with pytest.raises(ValueError, match="log_weight"):
        nlp.get_pipe(NAME).surprisal(Doc(nlp.vocab, words=["a"]))
