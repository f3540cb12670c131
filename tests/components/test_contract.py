"""One contract for all components. See contract.py for how to add one."""

import copy
import gc
import hashlib
import json
import os
import pickle
import subprocess
import sys
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config, load_model_from_config
from thinc.api import Config, Linear, Model

from ..real_data import REPOSITORY
from .contract import BASE, CONTRACTS, N_EPOCHS, N_SENTENCES, NAME, Contract
from .resuming.checks import check_resuming
from .saving.files import unseal

# Docs of words alone, which many tests make, are less than some components ask for.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
]


def where(able: Callable[[Contract], bool]) -> pytest.MarkDecorator:
    """For tests of what only some components declare to do."""
    chosen = [contract for contract in CONTRACTS if able(contract)]
    return pytest.mark.parametrize("contract", chosen, ids=factory, indirect=True, scope="session")


def factory(contract: Contract) -> str:
    return contract.id


with_labels = where(lambda contract: contract.has_labels and contract.named_labels)
with_base = where(lambda contract: contract.base is not None)
by_sentence = where(lambda contract: not contract.finds_sentences)
with_confidence = where(lambda contract: contract.confidence is not None)


@pytest.fixture(scope="session", params=CONTRACTS, ids=factory)
def contract(request: pytest.FixtureRequest) -> Contract:
    return request.param


@pytest.fixture(scope="session")
def trained_bytes(contract: Contract) -> bytes:
    return contract.train().get_pipe(NAME).to_bytes()


@pytest.fixture
def nlp(contract: Contract, trained_bytes: bytes) -> Language:
    """A trained pipeline of the test's own."""
    nlp = contract.blank()
    nlp.get_pipe(NAME).from_bytes(trained_bytes)
    return nlp


@pytest.fixture
def folder(nlp: Language, tmp_path: Path) -> Path:
    """The trained pipeline on disk."""
    nlp.to_disk(tmp_path / "model")
    return tmp_path / "model"


def component_bytes(nlp: Language, name: str = NAME) -> bytes:
    return nlp.get_pipe(name).to_bytes(exclude=["vocab"])


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def make_doc(nlp: Language, words: list[str], **settings: Any) -> Doc:
    return Doc(nlp.vocab, words=words, **settings)


def make_example(
    contract: Contract, nlp: Language, words: list[str], labels: dict[int, str]
) -> Example:
    """An example with gold labels at some tokens only."""
    reference = make_doc(nlp, words)
    for i, label in labels.items():
        contract.give_label(reference, i, label)
    return Example(contract.prepare(nlp, make_doc(nlp, words)), reference)


def test_components_can_do_what_they_declare(contract: Contract, nlp: Language):
    pipe = nlp.get_pipe(NAME)
    assert pipe.is_resizable == contract.has_labels
    assert bool(pipe.labels) == (contract.base is None)
    assert hasattr(pipe, "raw_confidences") == (contract.confidence is not None)
    assert hasattr(pipe, "calibration") == (contract.confidence is not None)
    assert hasattr(pipe, "correct") == contract.can_be_corrected


# --- Learning -------------------------------------------------------------------------------


def test_overfits_a_handful_of_sentences(contract: Contract):
    nlp = contract.blank()
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    losses = [nlp.update(examples)[NAME] for _ in range(N_EPOCHS)]
    assert losses[0] > losses[-1]
    assert nlp.evaluate(contract.examples(nlp))[contract.score] == 1.0
    for example in contract.examples(nlp):
        assert contract.labels(nlp(example.predicted)) == contract.labels(example.reference)


def test_losses_are_added_to_what_is_there(contract: Contract):
    nlp = contract.blank()
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    pipe = nlp.get_pipe(NAME)
    losses = {NAME: 1000.0, "other": 7.0}
    assert pipe.update(examples, losses=losses) is losses
    assert losses[NAME] > 1000
    assert losses["other"] == 7.0
    # Without a dict there is a new one; without examples there is nothing to lose.
    assert pipe.update([]) == {NAME: 0.0}


def test_predictions_do_not_depend_on_the_batch(contract: Contract, nlp: Language):
    docs = [example.predicted for example in contract.examples(nlp, "dev", limit=20)]
    one_by_one = [contract.snapshot(nlp(doc.copy())) for doc in docs]
    for batch_size in (1, 3, 20):
        batched = nlp.pipe([doc.copy() for doc in docs], batch_size=batch_size)
        assert [contract.snapshot(doc) for doc in batched] == one_by_one
    # There are wrong answers among them: the comparison is about something.
    assert any(snapshot["nbest"][NAME][0]["probability"] < 0.99 for snapshot in one_by_one)


@with_confidence
def test_confidences_are_what_they_should_be(contract: Contract, nlp: Language):
    found = [c for snapshot in contract.predict(nlp) for c in snapshot["confidences"]]
    assert all(0 < confidence <= 1 for confidence in found)
    assert any(confidence < 0.99 for confidence in found)


def test_labels_are_what_they_should_be(contract: Contract, nlp: Language):
    for snapshot in contract.predict(nlp):
        assert contract.knows(nlp, contract.read.names(snapshot["labels"]))
        assert 1 <= len(snapshot["nbest"][NAME]) <= contract.config["nbest"]


# --- Saving ---------------------------------------------------------------------------------


def by_component_bytes(contract: Contract, nlp: Language, folder: Path) -> Language:
    other = contract.blank()
    other.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    return other


def by_component_disk(contract: Contract, nlp: Language, folder: Path) -> Language:
    nlp.get_pipe(NAME).to_disk(folder / "component")
    other = contract.blank()
    other.get_pipe(NAME).from_disk(folder / "component")
    return other


def by_pipeline_bytes(contract: Contract, nlp: Language, folder: Path) -> Language:
    return contract.blank().from_bytes(nlp.to_bytes())


def by_pipeline_disk(contract: Contract, nlp: Language, folder: Path) -> Language:
    nlp.to_disk(folder / "pipeline")
    return spacy.load(folder / "pipeline")


def by_pickle(contract: Contract, nlp: Language, folder: Path) -> Language:
    return pickle.loads(pickle.dumps(nlp))


def by_copy(contract: Contract, nlp: Language, folder: Path) -> Language:
    return copy.deepcopy(nlp)


WAYS = [
    by_component_bytes,
    by_component_disk,
    by_pipeline_bytes,
    by_pipeline_disk,
    by_pickle,
    by_copy,
]
Way = Callable[[Contract, Language, Path], Language]


@pytest.mark.parametrize("way", WAYS)
def test_round_trip(contract: Contract, nlp: Language, way: Way, tmp_path: Path):
    other = way(contract, nlp, tmp_path)
    assert other.get_pipe(NAME) is not nlp.get_pipe(NAME)
    assert other.get_pipe(NAME).labels == nlp.get_pipe(NAME).labels
    assert contract.predict(other) == contract.predict(nlp)
    assert component_bytes(other) == component_bytes(nlp)


@pytest.mark.parametrize("way", WAYS)
def test_round_trip_in_the_middle_of_training(contract: Contract, way: Way, tmp_path: Path):
    """The averages are saved, though nothing asked for them yet, and training can go on."""
    nlp = contract.train(epochs=1, limit=40, **contract.without_chance)
    saved = way(contract, nlp, tmp_path)
    reloaded = by_component_bytes(contract, nlp, tmp_path)
    expected = contract.predict(nlp)
    assert contract.predict(saved) == expected
    # It goes on from the averages, whichever way they went. One by one: batches are shuffled.
    for pipeline in (saved, reloaded):
        for example in contract.examples(pipeline, "dev"):
            pipeline.update([example])
    assert component_bytes(saved) == component_bytes(reloaded)
    examples = contract.examples(saved)
    # The averages at the start weigh as much as an epoch.
    for _ in range(2 * N_EPOCHS):
        saved.update(examples)
    assert saved.evaluate(contract.examples(saved))[contract.score] == 1.0
    assert contract.predict(nlp) == expected


def test_saving_does_not_disturb_training(contract: Contract, tmp_path: Path):
    """Saving and predicting between updates leaves the course of training as it was."""
    nlp, disturbed = contract.train(epochs=1), contract.train(epochs=1)
    disturbed.to_bytes()
    pickle.dumps(disturbed)
    contract.predict(disturbed)
    for pipeline in (nlp, disturbed):
        pipeline.update(contract.examples(pipeline, limit=40), drop=0.2)
    assert component_bytes(nlp) == component_bytes(disturbed)


@pytest.mark.parametrize("n_before", [1, 3])
def test_training_goes_on_from_a_state(contract: Contract, n_before: int):
    check_resuming(contract, n_before)


def test_states_of_others_are_refused(contract: Contract):
    nlp = contract.train(epochs=1)
    pipe = nlp.get_pipe(NAME)
    references = [example.reference for example in contract.examples(nlp)]
    with pytest.raises(ValueError, match="has no model yet"):
        contract.blank().get_pipe(NAME).get_state()
    state, before = pipe.get_state(references), component_bytes(nlp)
    about = json.loads(state["about"].tobytes())
    for key, value in [
        ("component", "Other"),
        *(("labels", ["x"]) for _ in range("labels" in about)),
    ]:
        text = np.frombuffer(json.dumps({**about, key: value}).encode(), np.uint8)
        with pytest.raises(ValueError, match=f"differs in {key}"):
            pipe.set_state({**state, "about": text}, references)
    for name in state:
        with pytest.raises(ValueError, match=r"damaged|adaptive"):
            pipe.set_state({key: x for key, x in state.items() if key != name}, references)
    assert component_bytes(nlp) == before


def test_the_seed_decides_the_model(contract: Contract, tmp_path: Path):
    runs = {"first": 0, "second": 0, "other": 1}
    for name, seed in runs.items():
        contract.train(epochs=2, drop=0.3, seed=seed).to_disk(tmp_path / name)
    first, second, other = (read_files(tmp_path / name / NAME) for name in runs)
    assert first == second
    assert set(first) == set(other) == {"cfg", "model"}
    assert first["model"] != other["model"]
    assert first["cfg"] == other["cfg"]


def test_in_processes(contract: Contract, nlp: Language, folder: Path):
    """Workers, forked and spawned, predict as this process does. Under another hash seed of Python
    training gives the same model."""
    result = subprocess.run(
        [sys.executable, "-m", "tests.components.in_process", contract.id, str(folder)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout.splitlines()[-1])
    expected = contract.predict(nlp)
    assert found["fork"] == expected
    assert found["spawn"] == expected
    trained = contract.train(epochs=2, drop=0.3)
    assert found["digest"] == hashlib.sha256(component_bytes(trained)).hexdigest()


def test_doc_bin_keeps_confidences_and_nbest(contract: Contract, nlp: Language):
    docs = [nlp(example.predicted) for example in contract.examples(nlp, "dev")]
    data = DocBin(docs=docs, store_user_data=True).to_bytes()
    restored = list(DocBin().from_bytes(data).get_docs(spacy.blank("en").vocab))
    assert [contract.snapshot(doc) for doc in restored] == [contract.snapshot(doc) for doc in docs]
    assert all(doc._.nbest[NAME] for doc in restored)
    # Without user data there is no confidence, which is not the same as none at all.
    bare = DocBin(docs=docs).to_bytes()
    doc = next(iter(DocBin().from_bytes(bare).get_docs(nlp.vocab)))
    assert set(contract.confidences(doc)) <= {None}
    assert doc._.nbest == {}


def test_memory_zone(contract: Contract, nlp: Language):
    """Words seen inside a memory zone are forgotten by the vocab, and met again unharmed."""
    expected = contract.predict(nlp)
    for _ in range(2):
        with nlp.memory_zone():
            assert contract.predict(nlp) == expected
    assert contract.predict(nlp) == expected


def test_a_memory_zone_leaves_nothing_behind(contract: Contract, nlp: Language):
    contract.predict(nlp)
    strings = set(nlp.vocab.strings)
    with nlp.memory_zone():
        doc = nlp(make_doc(nlp, ["Unheard", "zonings", "zone", "dep", "."]))
        assert len(contract.labels(doc)) == 5
        alive = weakref.ref(doc)
        del doc
        gc.collect()
        assert alive() is None
    assert set(nlp.vocab.strings) == strings
    assert "zonings" not in nlp.vocab


# --- Docs of other vocabs, and docs that change ---------------------------------------------


def test_several_vocabs_in_a_batch(contract: Contract, nlp: Language, trained_bytes: bytes):
    """Words of either part are unknown to the vocab of the other."""
    other, again = contract.blank(), contract.blank()
    again.get_pipe(NAME).from_bytes(trained_bytes)
    groups = [
        [example.predicted for example in contract.examples(pipeline, split)]
        for pipeline, split in ((nlp, "dev"), (other, "test"))
    ]
    mixed = [doc.copy() for pair in zip(*groups, strict=True) for doc in pair]
    expected = [contract.snapshot(nlp(doc)) for pair in zip(*groups, strict=True) for doc in pair]
    assert [contract.snapshot(doc) for doc in again.pipe(mixed)] == expected


def test_a_vocab_first_met_in_its_memory_zone(contract: Contract, nlp: Language):
    """What it learned there it forgets; labels that are words of the text are no exception."""
    labels = contract.label_names(nlp)
    words = [example.predicted[0].text for example in contract.examples(nlp)]
    expected = contract.labels(nlp(contract.prepare(nlp, make_doc(nlp, words))))
    other = contract.blank()
    with other.vocab.memory_zone():
        nlp(contract.prepare(other, make_doc(other, [*words, *labels])))
    for _ in range(2):
        doc = contract.prepare(other, make_doc(other, words))
        assert contract.labels(nlp(doc)) == expected


def retokenize(doc: Doc) -> None:
    """Merge two tokens and split one: as many as before, and those between are one place on."""
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:3])
    i = next(i for i in range(2, len(doc)) if len(doc[i]) > 1)
    text = doc[i].text
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[i], [text[:1], text[1:]], heads=[(doc[i], 1), doc[i - 1]])


def longest(contract: Contract, nlp: Language) -> Doc:
    """A doc of several words and its predictions."""
    docs = [nlp(example.predicted) for example in contract.examples(nlp, "dev")]
    return max(docs, key=len)


def test_retokenized(contract: Contract, nlp: Language):
    """Nothing is shown at a token that it was not found for."""
    doc = longest(contract, nlp)
    known = contract.known_confidences(doc)
    n_tokens = len(doc)
    retokenize(doc)
    assert len(doc) == n_tokens
    if contract.confidence:
        places = contract.read.places(doc)
        found = contract.known_confidences(doc)
        assert found == {place: known[place] for place in places if place in known}
        assert 0 < len(found) < len(known)
        if contract.read.per_token:
            assert len(found) == n_tokens - 3
    assert NAME not in doc._.nbest
    contract.prepare(nlp, doc)
    nlp(doc)
    assert None not in contract.confidences(doc)
    assert len(contract.labels(doc)) == n_tokens


def test_joined_docs(contract: Contract, nlp: Language):
    docs = [nlp(example.predicted) for example in contract.examples(nlp, "dev", limit=4)]
    docs.insert(2, nlp(make_doc(nlp, [])))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        joined = Doc.from_docs(docs)
    assert contract.confidences(joined) == [c for doc in docs for c in contract.confidences(doc)]
    best, *others = joined._.nbest[NAME]
    lists = [doc._.nbest[NAME] for doc in docs if len(doc)]
    assert best["score"] == pytest.approx(sum(first["score"] for first, *_ in lists))
    assert len(others) == contract.config["nbest"] - 1
    # The second best differs from the best in one doc.
    gaps = [found[0]["score"] - found[1]["score"] for found in lists if len(found) > 1]
    assert best["score"] - others[0]["score"] == pytest.approx(min(gaps))
    # Without the answers for a part there are none for the whole.
    bare = make_doc(nlp, ["No", "answers"])
    assert NAME not in Doc.from_docs([docs[0], bare])._.nbest
    nlp(contract.prepare(nlp, joined))
    assert None not in contract.confidences(joined)


def test_a_part_of_a_doc(contract: Contract, nlp: Language):
    doc = longest(contract, nlp)
    for start, end in ((3, len(doc)), (0, 3), (1, 4)):
        part = doc[start:end].as_doc(copy_user_data=True)
        first = doc[start].idx
        known = {(a - first, b - first): v for (a, b), v in contract.known_confidences(doc).items()}
        inside = {(a, b): v for (a, b), v in known.items() if a >= 0 and b <= len(part.text)}
        assert contract.known_confidences(part) == inside
        if contract.confidence and contract.read.per_token:
            assert len(inside) == end - start
        assert NAME not in part._.nbest
        nlp(contract.prepare(nlp, part))
        assert len(contract.labels(part)) == end - start
        assert None not in contract.confidences(part)


def test_copies_of_docs(contract: Contract, nlp: Language):
    doc = longest(contract, nlp)
    expected = contract.snapshot(doc)
    bytes_copy = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    for other in (doc.copy(), pickle.loads(pickle.dumps(doc)), bytes_copy):
        assert contract.snapshot(other) == expected
    data = json.loads(json.dumps(doc.to_json(underscore=["nbest"])))
    restored = Doc(nlp.vocab).from_json(data)
    assert restored._.nbest == doc._.nbest
    retokenize(restored)
    assert restored._.nbest == {}


# --- Gold annotation that is not whole ------------------------------------------------------


@with_labels
def test_no_gold_at_all_is_an_error_that_shows_the_way_out(contract: Contract):
    nlp = contract.blank()
    unannotated = [make_example(contract, nlp, ["All", "bare"], {})]
    with pytest.raises(ValueError, match=rf"(?s)'{NAME}'.*\[initialize.components.{NAME}\]"):
        nlp.initialize(lambda: unannotated)
    labels = [*contract.train(epochs=0).get_pipe(NAME).labels]
    nlp.config["initialize"]["components"][NAME] = {"labels": labels}
    nlp.initialize(lambda: unannotated)
    assert list(nlp.get_pipe(NAME).labels) == labels
    assert contract.knows(nlp, contract.names(nlp("Now it works")))


def test_no_labels_in_a_doc_are_no_evidence(contract: Contract, nlp: Language):
    before = component_bytes(nlp)
    example = make_example(contract, nlp, ["Nothing", "known", "here"], {})
    assert nlp.update([example]) == {NAME: 0.0}
    assert component_bytes(nlp) == before


@with_labels
def test_one_label_in_a_doc_is_learned(contract: Contract):
    nlp = contract.train(epochs=0)
    label = nlp.get_pipe(NAME).labels[-1]
    words = ["Zorp", "blick", "snarf"]
    # With no weights yet all labels tie and the first one wins.
    assert label not in contract.names(nlp(make_doc(nlp, words)))
    example = make_example(contract, nlp, words, {1: label})
    losses = [nlp.update([example])[NAME] for _ in range(60)]
    assert losses[0] > losses[-1]
    assert contract.label_at(nlp(make_doc(nlp, words)), 1) == label


@with_base
def test_one_gold_label_decides_between_given_answers(contract: Contract):
    """The second answer is right about the first word on which it differs; more is not known."""
    nlp = contract.train(epochs=0)
    name = contract.attribute.rstrip("_")
    lists = [example.predicted._.nbest[BASE] for example in contract.examples(nlp)]
    at, (first, second, *_) = next((at, found) for at, found in enumerate(lists) if len(found) > 1)
    words = [token.text for token in contract.examples(nlp)[at].predicted]
    i = next(i for i in range(len(words)) if first[name][i] != second[name][i])
    assert contract.labels(nlp(make_doc(nlp, words)))[i] == first[name][i]
    example = make_example(contract, nlp, words, {i: second[name][i]})
    losses = [nlp.update([example])[NAME] for _ in range(10)]
    assert losses[0] > losses[-1]
    assert contract.labels(nlp(make_doc(nlp, words)))[i] == second[name][i]


@with_labels
def test_misaligned_gold_is_used_where_it_fits(contract: Contract):
    nlp = contract.train(epochs=0)
    first, label = nlp.get_pipe(NAME).labels[-2:]
    gold, predicted = ["do", "n't", "snarf"], ["don't", "snarf"]
    # A sentence of its own, for components that learn all of a sentence or nothing.
    bounded = contract.learns_sentences
    reference = make_doc(
        nlp,
        gold,
        spaces=[False, True, False],
        sent_starts=[True, False, True] if bounded else None,
    )

    def predicted_doc() -> Doc:
        starts = [True, True] if bounded else None
        return make_doc(nlp, predicted, spaces=[True, False], sent_starts=starts)

    contract.give_label(reference, 0, first)
    contract.give_label(reference, 1, label)
    # Two labels for one token are no evidence; the label of the token behind them is.
    assert nlp.update([Example(predicted_doc(), reference)]) == {NAME: 0.0}
    whole = reference.copy()
    contract.give_label(whole, 2, label)
    example = Example(predicted_doc(), whole)
    for _ in range(10):
        nlp.update([example])
    assert contract.label_at(nlp(predicted_doc()), 1) == label


@with_labels
def test_one_gold_doc_for_two_tokenizations(contract: Contract):
    """Learning goes by the tokens of each example, also when gold Docs are shared or change."""
    nlp = contract.train(epochs=0)
    first, second = nlp.get_pipe(NAME).labels[-2:]
    reference = make_doc(nlp, ["do", "n't"], spaces=[False, False])
    contract.give_label(reference, 0, first)
    contract.give_label(reference, 1, second)
    merged = Example(make_doc(nlp, ["don't"], spaces=[False]), reference)
    assert nlp.update([merged]) == {NAME: 0.0}
    same = Example(make_doc(nlp, ["do", "n't"], spaces=[False, False]), reference)
    for _ in range(20):
        nlp.update([same])
    found = nlp(make_doc(nlp, ["do", "n't"]))
    assert [contract.label_at(found, i) for i in range(2)] == [first, second]
    # What was learned is a mistake as soon as the gold Doc says so.
    contract.give_label(reference, 0, second)
    contract.give_label(reference, 1, first)
    assert nlp.update([same])[NAME] > 0
    pipe = nlp.get_pipe(NAME)
    pipe.from_bytes(pipe.to_bytes())
    for _ in range(20):
        nlp.update([same])
    found = nlp(make_doc(nlp, ["do", "n't"]))
    assert [contract.label_at(found, i) for i in range(2)] == [second, first]


# --- Docs of all kinds ----------------------------------------------------------------------


def join(docs: list[Doc], *, spaced: bool = False, bounds: bool = True) -> tuple[Doc, list[int]]:
    """One Doc of several, if wanted with whitespace tokens, and where the words are."""
    tokens: list[tuple[str, str, bool]] = []
    places: list[int] = []
    for doc in docs:
        for token in doc:
            if spaced and token.i % 3 == 1:
                tokens.append(("\n\n", "", False))
            places.append(len(tokens))
            tokens.append((token.text, token.tag_, token.i == 0))
    words, tags, starts = map(list, zip(*tokens, strict=True))
    sent_starts = starts if bounds else None
    return Doc(docs[0].vocab, words=words, tags=tags, sent_starts=sent_starts), places


@by_sentence
@pytest.mark.parametrize("spaced", [False, True])
def test_sentences_are_independent(contract: Contract, nlp: Language, spaced: bool):
    """Whitespace changes nothing either, unless the component declares to look at it."""
    docs = [example.predicted for example in contract.examples(nlp, "dev")]
    joined, places = join(docs, spaced=spaced)
    assert spaced == (len(places) < len(joined))
    found = contract.snapshot(nlp(joined))
    alone = [join([doc], spaced=spaced and contract.sees_spaces) for doc in docs]
    expected = [(contract.snapshot(nlp(doc)), at) for doc, at in alone]
    flat = [snapshot["labels"][i] for snapshot, at in expected for i in at]
    assert [found["labels"][i] for i in places] == flat
    if contract.confidence:
        sure = [found["confidences"], *(snapshot["confidences"] for snapshot, _ in expected)]
        if contract.read.per_token:
            tokens = [places, *(at for _, at in expected)]
            sure = [[row[i] for i in at] for row, at in zip(sure, tokens, strict=True)]
        together, *apart = sure
        assert together == [value for row in apart for value in row]
    assert len(list(joined.sents)) == len(docs)


@by_sentence
def test_no_boundaries_is_one_sentence(contract: Contract, nlp: Language):
    docs = [example.predicted for example in contract.examples(nlp, "dev")]
    whole, _ = join(docs, bounds=False)
    assert not whole.has_annotation("SENT_START")
    explicit = whole.copy()
    for token in explicit:
        token.is_sent_start = token.i == 0
    assert contract.snapshot(nlp(whole)) == contract.snapshot(nlp(explicit))


def test_long_docs(contract: Contract, nlp: Language):
    docs = [example.predicted for example in contract.examples(nlp)]
    known = [label for e in contract.examples(nlp) for label in contract.labels(e.reference)]
    repeats = -(-5000 // len(known))
    many, _ = join(docs * repeats)
    assert len(many) >= 5000
    found = contract.labels(nlp(many))
    # Whoever finds sentences takes those of `join` as given, which are docs of several ones.
    assert contract.finds_sentences or found == known * repeats
    words = ["word", "another", ",", "third", "."] * (contract.longest // 25)
    for doc in (make_doc(nlp, words), make_doc(nlp, words * 5)):
        assert contract.knows(nlp, contract.names(nlp(doc)))


@pytest.mark.parametrize("text", ["", " ", "\n\n \t", "\u00a0"])
def test_docs_without_words(contract: Contract, nlp: Language, text: str):
    doc = nlp(text)
    assert doc.text == text
    assert set(contract.confidences(doc)) <= {1.0}
    assert not contract.names(doc) & set(contract.label_names(nlp))
    assert len(doc._.nbest[NAME]) == 1
    example = Example(nlp.make_doc(text), nlp.make_doc(text))
    assert nlp.update([example]) == {NAME: 0.0}


def test_empty_doc_among_others(contract: Contract, nlp: Language):
    texts = ["", "The dog sleeps.", " ", "", "It rains.", ""]
    alone = [contract.snapshot(nlp(text)) for text in texts]
    assert [contract.snapshot(doc) for doc in nlp.pipe(texts)] == alone
    assert [contract.snapshot(doc) for doc in nlp.pipe(["", ""])] == [alone[0]] * 2
    assert list(nlp.pipe([])) == []


odd_tokens = pytest.mark.parametrize(
    "words",
    [
        ["👩‍👩‍👧", "🏳️‍🌈", "👍🏽", "!"],
        ["\x00", "\x07", "\x1b[0m", "\u0085x"],
        ["\u200d", "\u200b", "a\u200db", "\ufeff", "\u202e"],
        ["x" * 10_000, "1" * 10_000, "-" * 10_000, "Ab-1" * 2_500],
        ["İ", "ß", "ﬁ", "e\u0301", "Ǆ", "漢字", "שלום"],
    ],
    ids=["emoji", "control", "zero-width", "long", "letters"],
)


@odd_tokens
def test_odd_tokens(contract: Contract, nlp: Language, words: list[str]):
    doc = nlp(make_doc(nlp, words))
    spaces = [token.is_space for token in doc]
    found = list(zip(contract.labels(doc), spaces, strict=True))
    names = contract.read.names
    assert contract.knows(nlp, names(cell for cell, space in found if not space))
    known = set(contract.label_names(nlp))
    assert not names(cell for cell, space in found if space) & known


@odd_tokens
@with_labels
def test_odd_tokens_are_learned(contract: Contract, nlp: Language, words: list[str]):
    label = nlp.get_pipe(NAME).labels[0]
    labels = {t.i: label for t in make_doc(nlp, words) if not t.is_space}
    for _ in range(9):
        nlp.update([make_example(contract, nlp, words, labels)])
    nlp.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    found = nlp(make_doc(nlp, words))
    assert {i: contract.label_at(found, i) for i in labels} == labels


# --- In pipelines ---------------------------------------------------------------------------

TEXT = "Zyxwvutly, the frobnicated quux snarfs unheard-of blicks."


def test_sourced(contract: Contract, nlp: Language, tmp_path: Path):
    before = component_bytes(nlp)
    expected = contract.snapshot(nlp(TEXT))
    other = spacy.blank("en")
    for name in nlp.pipe_names:
        other.add_pipe(name, source=nlp)
    assert component_bytes(other) == before
    # New words are in the vocab of the new pipeline only.
    other_text = TEXT.replace("quux", "neverbefore")
    assert len(other(other_text)) == len(expected["labels"])
    assert contract.snapshot(other(TEXT)) == expected
    other.to_disk(tmp_path)
    assert contract.snapshot(spacy.load(tmp_path)(TEXT)) == expected


@with_labels
def test_sourced_then_trained(contract: Contract, nlp: Language):
    """Labels and words that only the new pipeline's vocab has."""
    other = spacy.blank("en")
    pipe = other.add_pipe(NAME, source=nlp)
    new = contract.new_label("NEW-LABEL")
    pipe.add_label(new)
    example = make_example(contract, other, ["Blickish", "snarfings"], {1: new})
    for _ in range(20):
        other.update([example])
    doc = other(make_doc(other, ["Blickish", "snarfings"]))
    assert contract.label_at(doc, 1) == new


def training_config(contract: Contract, folder: Path, corpus: Path, *, frozen: bool) -> Config:
    config = contract.blank().config.copy()
    config["components"]["other"] = config["components"][NAME]
    config["components"][NAME] = {"source": str(folder), "component": NAME}
    config["nlp"]["pipeline"] = [*config["nlp"]["pipeline"], "other"]
    for split, limit in (("train", 30), ("dev", N_SENTENCES)):
        config["corpora"][split] = contract.reader(split, corpus / f"{split}.spacy", limit)
    config["training"].update(max_epochs=2, max_steps=0, eval_frequency=5)
    config["training"]["frozen_components"] = [NAME] if frozen else []
    config["training"]["annotating_components"] = [] if contract.base is None else [BASE]
    config["training"]["score_weights"] = {contract.score: 1.0}
    return config


@pytest.mark.parametrize("frozen", [True, False])
def test_sourced_in_training(
    contract: Contract, folder: Path, sample_folder: Path, tmp_path: Path, frozen: bool
):
    """A frozen component leaves training as it came, byte by byte; another one goes on learning."""
    for path in sample_folder.iterdir():
        contract.copy_corpus(path, tmp_path / path.name)
    config = training_config(contract, folder, tmp_path, frozen=frozen)
    (tmp_path / "out").mkdir()
    with open(os.devnull, "w") as nowhere:
        train(init_nlp(config), tmp_path / "out", stdout=nowhere, stderr=nowhere)
    for model in ("model-best", "model-last"):
        after = read_files(tmp_path / "out" / model / NAME)
        assert (after == read_files(folder / NAME)) == frozen
    nlp = spacy.load(tmp_path / "out" / "model-last")
    assert component_bytes(nlp, "other") != component_bytes(nlp)

    def score(nlp: Language) -> float:
        with nlp.select_pipes(enable=[name for name in nlp.pipe_names if name != "other"]):
            return nlp.evaluate(contract.examples(nlp, limit=30))[contract.score]

    assert (score(nlp) > score(spacy.load(folder))) == (not frozen)


@with_labels
def test_new_labels(contract: Contract, nlp: Language):
    """A label added after training changes no prediction, and can then be learned."""
    pipe = nlp.get_pipe(NAME)
    before = [snapshot["labels"] for snapshot in contract.predict(nlp)]
    labels = pipe.labels
    assert pipe.is_resizable
    assert pipe.add_label(labels[0]) == 0
    new = contract.new_label("NEW-LABEL")
    assert pipe.add_label(new) == 1
    assert pipe.labels == (*labels, new)
    assert [snapshot["labels"] for snapshot in contract.predict(nlp)] == before
    words = ["Snarfings", "blick", "."]
    example = make_example(contract, nlp, words, {0: new, 2: labels[0]})
    for _ in range(20):
        nlp.update([example, *contract.examples(nlp)])
    other = by_pipeline_bytes(contract, nlp, Path())
    for pipeline in (nlp, other):
        found = pipeline(make_doc(pipeline, words))
        assert [contract.label_at(found, i) for i in (0, 2)] == [new, labels[0]]
        assert pipeline.evaluate(contract.examples(pipeline))[contract.score] == 1.0
    with pytest.raises(ValueError, match="Labels are strings, but 3 is of type int"):
        pipe.add_label(3)
    with pytest.raises(ValueError, match="'pipe' can't have the label ''"):
        pipe.add_label("")
    with pytest.raises(ValueError, match="'pipe' can't have the label ''"):
        nlp.get_pipe(NAME).initialize(
            lambda: contract.examples(nlp), labels=[contract.new_label("X"), ""]
        )


# --- Mistakes -------------------------------------------------------------------------------


def test_predict_before_initialize(contract: Contract):
    nlp = contract.blank()
    with pytest.raises(ValueError, match=rf"'{NAME}' has no model yet.*nlp.initialize"):
        nlp("Too early.")
    with pytest.raises(ValueError, match=rf"'{NAME}' has no model yet.*nlp.initialize"):
        nlp.update([make_example(contract, nlp, ["Too", "early"], {0: contract.new_label("X")})])


@with_base
def test_initialize_without_data_is_fine(contract: Contract):
    """What there is to choose from comes with the docs, and nothing has been learned."""
    nlp = contract.blank()
    nlp.initialize()
    doc = contract.examples(nlp)[0].predicted
    assert contract.labels(nlp(doc.copy())) == contract.labels(nlp.get_pipe(BASE)(doc.copy()))


@with_labels
def test_initialize_without_data(contract: Contract):
    with pytest.raises(ValueError, match=f"(?s)'{NAME}'.*no gold annotation"):
        contract.blank().initialize()


def test_an_untrained_pipeline_can_be_saved(contract: Contract, tmp_path: Path):
    nlp = contract.blank()
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert component_bytes(loaded) == component_bytes(nlp)
    loaded.initialize(lambda: contract.examples(loaded))
    assert contract.predict(loaded)


@with_labels
def test_labels_of_an_untrained_pipeline_are_saved(contract: Contract, tmp_path: Path):
    nlp = contract.blank()
    label = contract.new_label("EARLY")
    nlp.get_pipe(NAME).add_label(label)
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe(NAME).labels == (label,)


def foreign_models(good: bytes) -> dict[str, bytes]:
    tagger = spacy.blank("en").add_pipe("tagger")
    tagger.add_label("X")
    tagger.initialize(lambda: [make_tagged_example()])
    plain = Model("shapeless", lambda model, x, is_train: (x, lambda d: d))
    return {
        "empty": b"",
        "random": bytes(range(256)) * 20,
        "text": b"version https://example.org/large-files\n",
        "half": good[: len(good) // 2],
        "one byte short": good[:-1],
        "spaCy's tagger": tagger.model.to_bytes(),
        "one layer": Linear(3, 2).initialize().to_bytes(),
        "no parameters": plain.to_bytes(),
    }


def make_tagged_example() -> Example:
    vocab = spacy.blank("en").vocab
    return Example(Doc(vocab, words=["x"]), Doc(vocab, words=["x"], tags=["X"]))


def test_damaged_and_foreign_model_files(contract: Contract, nlp: Language, folder: Path):
    path = folder / NAME / "model"
    good = path.read_bytes()
    message = rf"(?s)Can't load '{NAME}' from .*train the pipeline"
    for data in foreign_models(good).values():
        path.write_bytes(data)
        with pytest.raises(ValueError, match=message):
            contract.blank().get_pipe(NAME).from_disk(folder / NAME)
    with pytest.raises(ValueError, match=message):
        spacy.load(folder)
    path.write_bytes(good)
    assert contract.predict(spacy.load(folder)) == contract.predict(nlp)


def test_damaged_component_bytes(contract: Contract, trained_bytes: bytes):
    for data in (b"", trained_bytes[:1000], b"\xc1" * 100):
        with pytest.raises(ValueError, match=rf"(?s)Can't load '{NAME}' from bytes"):
            contract.blank().get_pipe(NAME).from_bytes(data)


def test_a_missing_model_file(contract: Contract, folder: Path):
    (folder / NAME / "model").unlink()
    with pytest.raises(FileNotFoundError, match="model"):
        spacy.load(folder)


@with_labels
def test_labels_changed_on_disk(contract: Contract, folder: Path):
    """Of a model without checksums, as older versions saved them."""
    unseal(folder / NAME / "model")
    path = folder / NAME / "cfg"
    cfg = srsly.read_json(path)
    labels = cfg["labels"]
    for changed in (labels[:-1], [*labels, contract.new_label("MORE")], []):
        srsly.write_json(path, {**cfg, "labels": changed})
        n = rf"weights are for {len(labels)} labels, but {len(changed)} are saved"
        with pytest.raises(ValueError, match=rf"(?s)Can't load '{NAME}'.*{n}"):
            spacy.load(folder)
    # Another name for the same class is the user's good right, and known to the vocab.
    renamed = [contract.rename(label, "-RENAMED") for label in labels]
    srsly.write_json(path, {**cfg, "labels": renamed})
    assert_renamed(contract, spacy.load(folder))


@with_labels
def test_labels_renamed_in_python(contract: Contract, nlp: Language, tmp_path: Path):
    """What was saved on purpose is what is loaded."""
    pipe: Any = nlp.get_pipe(NAME)
    pipe.cfg["labels"] = [contract.rename(label, "-RENAMED") for label in pipe.labels]
    nlp.to_disk(tmp_path)
    assert_renamed(contract, spacy.load(tmp_path))


def assert_renamed(contract: Contract, nlp: Language) -> None:
    for example in contract.examples(nlp):
        cells = contract.labels(example.reference)
        expected = [contract.read.rename(cell, "-RENAMED") for cell in cells]
        assert contract.labels(nlp(example.predicted)) == expected


def test_bad_settings(contract: Contract, tmp_path: Path):
    """In Python and from a config file."""
    nlp = contract.blank()
    pipes = [*nlp.pipe_names]
    for settings, message in contract.bad_settings:
        with pytest.raises(ValueError) as raised:  # noqa: PT011
            nlp.add_pipe(contract.factory, name="bad", config={**contract.config, **settings})
        assert message in str(raised.value)
        config = nlp.config.copy()
        config["components"][NAME].update(settings)
        config.to_disk(tmp_path / "config.cfg")
        with pytest.raises(ValueError) as raised:  # noqa: PT011
            load_model_from_config(load_config(tmp_path / "config.cfg"), auto_fill=True)
        assert message in str(raised.value)
    assert nlp.pipe_names == pipes
