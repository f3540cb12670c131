"""What the incremental parser builds, learns and answers beyond the contract."""

import random
from time import process_time
from typing import Any

import numpy as np
import pytest
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.components.incremental_parser import IncrementalParser
from spacy_perceptron.corpus.reader import copy_tokens
from spacy_perceptron.trees.constituents import SPANS_KEY, constituents_to_tree

from ..fuzz.docs import make_doc
from ..sample import load_sample
from .contract import CONTRACTS, NAME
from .docs import bracketed

(CONTRACT,) = [contract for contract in CONTRACTS if contract.factory == "incremental_parser"]
# Numbers that are no symbols, and what is no number.
ODD_NUMBERS = [-1000, -2, -1, 0, 1, 31999, 2**31, 2**40, 1.5, True, None, "1", []]

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]


@pytest.fixture(scope="module")
def trained() -> bytes:
    return CONTRACT.train(limit=60, epochs=4).get_pipe(NAME).to_bytes()


@pytest.fixture
def nlp(trained: bytes) -> Language:
    """A trained pipeline of the test's own."""
    nlp = CONTRACT.blank()
    nlp.get_pipe(NAME).from_bytes(trained)
    return nlp


@pytest.fixture
def pipe(nlp: Language) -> IncrementalParser:
    return nlp.get_pipe(NAME)


def phrases(doc: Doc) -> list[tuple[str, int, int]]:
    return [(span.label_, span.start, span.end) for span in doc.spans[SPANS_KEY]]


def gold(nlp: Language, split: str = "dev", limit: int = 10) -> list[Example]:
    return CONTRACT.examples(nlp, split, limit=limit)


def check_trees(doc: Doc, labels: set[str]) -> None:
    """Exactly one tree for each sentence, with all of its words."""
    found = [span for span in doc.spans[SPANS_KEY] if span.label_ in labels]
    assert len(found) == len(doc.spans[SPANS_KEY])
    for sentence in doc.sents if len(doc) else ():
        tokens = [token.i for token in sentence if not token.is_space]
        places = {i: place for place, i in enumerate(tokens)}
        own = [span for span in found if sentence.start <= span.start < sentence.end]
        rows = [(s.label_, places[s.start], places[s.end - 1] + 1) for s in own]
        words = [doc[i].text for i in tokens]
        assert constituents_to_tree(rows, words, words).words() == words
        found = found[len(own) :]
    assert not found


# --- Trees ------------------------------------------------------------------------------------


@pytest.mark.parametrize("transitions", ["juxtapose", "chains"])
def test_every_sentence_of_any_doc_has_one_tree(transitions: str):
    nlp = CONTRACT.train(transitions=transitions, beam_width=4)
    labels = {*nlp.get_pipe(NAME).labels}
    rng = random.Random(0)
    docs = [make_doc(rng, nlp.vocab) for _ in range(200)]
    for doc in docs:
        # Without boundaries, a doc is one sentence.
        if not doc.has_annotation("SENT_START"):
            for token in doc:
                token.is_sent_start = token.i == 0
    for doc in nlp.pipe(docs):
        check_trees(doc, labels)


def test_a_thousand_words_take_linear_time(nlp: Language):
    tokens = [token for e in gold(nlp, "train", 400) for token in e.predicted]

    def seconds_per_word(n_words: int) -> float:
        words, tags = zip(*((t.text, t.tag_) for t in tokens[:n_words]), strict=True)
        times = []
        for _ in range(3):
            doc = Doc(
                nlp.vocab, words=words, tags=tags, sent_starts=[i == 0 for i in range(n_words)]
            )
            start = process_time()
            nlp(doc)
            times.append(process_time() - start)
            check_trees(doc, {*nlp.get_pipe(NAME).labels})
        return min(times) / n_words

    # Quadratic time would make the ratio 10.
    assert seconds_per_word(1000) < 3 * seconds_per_word(100)


def test_what_the_grammar_lacks_is_built_and_flagged():
    """Nothing follows `Go` in the only tree that the grammar knows."""
    nlp = CONTRACT.blank(loose=False)
    known = bracketed(nlp, "Go", "VB", ("S", 0, 1), ("VP", 0, 1))
    nlp.initialize(lambda: [known])
    nlp.update([known])
    doc = nlp(known.predicted.copy())
    assert (phrases(doc), doc._.partial_parses) == ([("S", 0, 1), ("VP", 0, 1)], [])
    words, tags, starts = ["Go", "on", "now"], ["VB", "RP", "RB"], [True, False, False]
    doc = nlp(Doc(nlp.vocab, words=words, tags=tags, sent_starts=starts))
    check_trees(doc, {"S", "VP"})
    assert [doc[start:end].text for start, end in doc._.partial_parses] == ["Go on now"]


def test_sentences_of_one_word_and_whitespace(nlp: Language):
    words = ["\n", "No", " ", ".", "\t", "Yes", "\n"]
    starts = [True, False, False, False, True, False, False]
    tags = ["_SP", "UH", "_SP", ".", "_SP", "UH", "_SP"]
    doc = nlp(Doc(nlp.vocab, words=words, tags=tags, sent_starts=starts))
    check_trees(doc, {*nlp.get_pipe(NAME).labels})
    outer = [span.text for span in doc.spans[SPANS_KEY] if span.end - span.start > 1]
    assert all(text.startswith("No") and text.endswith(".") for text in outer)


def test_tags_that_were_never_seen():
    """A word whose tag is new, or missing, can be anywhere a word can be."""
    nlp = CONTRACT.train(epochs=2, limit=60, loose=True)
    n_partial = 0
    for example in gold(nlp):
        doc = copy_tokens(example.reference)
        for token in doc:
            token.tag_ = ["ZZ", ""][token.i % 2]
        nlp(doc)
        check_trees(doc, {*nlp.get_pipe(NAME).labels})
        n_partial += len(doc._.partial_parses)
    # With so many ways, the only one that can be completed may leave the beam.
    assert n_partial <= 5


def test_training_without_tags():
    """Words alone decide."""
    nlp = CONTRACT.blank()
    examples = [Example(copy_tokens(doc), doc) for doc in load_sample(nlp.vocab, limit=6)]
    nlp.initialize(lambda: examples)
    for _ in range(20):
        nlp.update(examples)
    for example in examples:
        assert phrases(nlp(copy_tokens(example.reference))) == phrases(example.reference)


# --- Labels and the grammar -------------------------------------------------------------------


def test_labels_given_to_initialize_decide_what_is_learned():
    nlp = CONTRACT.blank()
    examples = gold(nlp, "train", 60)
    labels = ["S", "NP", "VP", "PP"]
    nlp.get_pipe(NAME).initialize(lambda: examples, labels=labels)
    for _ in range(2):
        nlp.update(examples)
    found = {
        span.label_ for example in gold(nlp) for span in nlp(example.predicted).spans[SPANS_KEY]
    }
    assert {"S", "NP"} <= found <= {*labels}


@pytest.mark.parametrize("label", ["ROOT", "A+B", "A\\+B", "A/A", "A||B", "NP-SBJ", "é ()"])
@pytest.mark.parametrize("transitions", ["juxtapose", "chains"])
def test_labels_of_any_kind(label: str, transitions: str):
    nlp = CONTRACT.blank(transitions=transitions)
    rows = [(label, 0, 4), (label, 0, 4), ("S", 0, 2), (label, 0, 1), (label, 2, 4), (label, 2, 3)]
    # Twice, since long chains that were seen once are not in the grammar.
    examples = [bracketed(nlp, "a b c d", "A B C D", *rows) for _ in range(2)]
    nlp.initialize(lambda: examples)
    for _ in range(5):
        nlp.update(examples)
    assert {*nlp.get_pipe(NAME).labels} == {label, "S"}
    assert phrases(nlp(examples[0].predicted.copy())) == rows


def test_indices_of_gold_labels_are_left_out():
    nlp = CONTRACT.blank()
    example = bracketed(nlp, "a b", "A B", ("S", 0, 2), ("NP-1", 0, 1))
    nlp.initialize(lambda: [example])
    nlp.update([example])
    assert phrases(nlp(example.predicted.copy())) == [("S", 0, 2), ("NP", 0, 1)]


def test_the_grammar_grows_with_what_training_meets(nlp: Language, pipe: IncrementalParser):
    """Tags, symbols and triples that `initialize` has not seen."""
    rows = [("S", 0, 4), ("PP", 0, 4), ("VP", 0, 2), ("WHNP", 2, 4), ("VP", 3, 4)]
    example = bracketed(nlp, "zorp blick snarf gleep", "ZZ YY ZZ YY", *rows)
    before = phrases(nlp(example.predicted.copy()))
    assert before != rows
    for _ in range(10):
        nlp.update([example])
    doc = nlp(example.predicted.copy())
    assert (phrases(doc), doc._.partial_parses) == (rows, [])
    other = CONTRACT.blank()
    other.get_pipe(NAME).from_bytes(pipe.to_bytes())
    assert phrases(other(example.predicted.copy())) == rows


def test_the_grammar_grows_again_after_loading(nlp: Language, pipe: IncrementalParser):
    """What it had before does not count."""
    before = pipe.to_bytes()
    rows = [("S", 0, 3), ("WHNP", 0, 2), ("VP", 0, 1)]
    example = bracketed(nlp, "zorp blick snarf", "ZZ YY ZZ", *rows)
    nlp.update([example])
    pipe.from_bytes(before)
    for _ in range(10):
        nlp.update([example])
    assert phrases(nlp(example.predicted.copy())) == rows


def test_examples_are_learned_once_their_labels_are_added(nlp: Language, pipe: IncrementalParser):
    rows = [("S", 0, 2), ("NEW", 0, 1)]
    example = bracketed(nlp, "zorp blick", "ZZ YY", *rows)
    nlp.update([example])
    pipe.add_label("NEW")
    for _ in range(10):
        nlp.update([example])
    assert phrases(nlp(example.predicted.copy())) == rows


def test_renamed_labels_can_be_trained_further(nlp: Language, pipe: IncrementalParser):
    """Also when a new label has an old name."""
    labels = list(pipe.labels)
    pipe.cfg["labels"] = [f"{label}-OLD" for label in labels]
    pipe.from_bytes(pipe.to_bytes())
    assert pipe.add_label("NP") == 1
    rows = [("S-OLD", 0, 2), ("NP", 0, 1), ("NP-OLD", 1, 2)]
    example = bracketed(nlp, "zorp blick", "ZZ YY", *rows)
    for _ in range(10):
        nlp.update([example])
    assert phrases(nlp(example.predicted.copy())) == rows


# --- Answers ----------------------------------------------------------------------------------


def test_lists_are_those_of_the_beam(nlp: Language, pipe: IncrementalParser):
    """The best of a list is what is predicted; all differ, and longer lists only add to it."""
    n_trees = 0
    for example in gold(nlp):
        doc = example.predicted
        short, long = pipe.nbest(doc, 4), pipe.nbest(doc, pipe.beam_width)
        assert [c.score for c in long] == sorted((c.score for c in long), reverse=True)
        assert [c.annotation for c in short] == [c.annotation for c in long[: len(short)]]
        rows = [tuple(map(tuple, c.annotation[SPANS_KEY])) for c in long]
        assert len({*rows}) == len(rows)
        n_trees += len(rows)
        written = phrases(nlp(doc))
        assert [(label, start, end) for start, end, label in rows[0]] == written
    # Some hypotheses can't be completed.
    assert n_trees > 4 * len(gold(nlp))


def test_confidences_are_shares_of_the_beam(nlp: Language, pipe: IncrementalParser):
    """Of the trees of the beam, weighted by their scores, as many have the phrase, alone or in a
    unary chain."""
    n_checked = 0
    for example in gold(nlp, limit=20):
        doc = nlp(example.predicted)
        trees = pipe.nbest(doc, pipe.beam_width)
        weights = np.exp(np.array([c.score for c in trees]) - trees[0].score)
        for span in doc.spans[SPANS_KEY]:
            row = [span.start, span.end, span.label_]
            has = [row in c.annotation[SPANS_KEY] for c in trees]
            share = weights[has].sum() / weights.sum()
            assert span._.confidence == pytest.approx(share, abs=1e-5)
            n_checked += share < 0.99
    assert n_checked > 20


def test_explanations_add_up(nlp: Language, pipe: IncrementalParser):
    """To the distance from the tree that is predicted to the best one that the search finds when
    the word must be added in another way."""
    for example in gold(nlp, limit=5):
        doc = example.predicted
        state = pipe._get_state()
        _, words = pipe._look_up(pipe._read_docs([doc], state), state)
        for token in doc:
            explanation = pipe.explain(doc, token.i)
            with state.decoders.borrow() as parsing:
                score = parsing.nbest(words, 1)[0][0]
                assert parsing.without(words, token.i, parsing.actions())
                distance = score - sum(sum(event[-1]) for event in parsing.events())
            features = explanation.features
            assert explanation.word.startswith(token.text)
            assert explanation.subject == "added by"
            assert explanation.chosen_score == pytest.approx(sum(f.chosen for f in features))
            assert explanation.runner_up_score == pytest.approx(sum(f.runner_up for f in features))
            found = explanation.chosen_score - explanation.runner_up_score
            assert found == pytest.approx(distance, abs=1e-4)


def test_explanations_of_docs_with_another_vocab(pipe: IncrementalParser):
    """Tags that the parser considered are named, also where the vocab has not met them."""
    other = CONTRACT.blank()
    for words, tag in (("Please close it .", "JJ"), ("They book that", "NN"), ("a b c", "VB")):
        doc = Doc(other.vocab, words=words.split(), tags=[tag] * len(words.split()))
        for token in doc:
            assert str(pipe.explain(doc, token.i))


def test_correction(nlp: Language, pipe: IncrementalParser):
    for example in gold(nlp):
        pipe.correct(example)
        assert phrases(nlp(example.predicted.copy())) == phrases(example.reference)
        before = pipe.to_bytes()
        assert pipe.correct(example) == 0
        assert pipe.to_bytes() == before


def test_correction_to_a_tree_outside_the_grammar(nlp: Language, pipe: IncrementalParser):
    rows = [("VP", 0, 3), ("PP", 0, 2), ("S", 0, 1), ("S", 2, 3)]
    example = bracketed(nlp, "zorp blick snarf", "ZZ YY ZZ", *rows)
    assert pipe.correct(example) > 0
    assert phrases(nlp(example.predicted.copy())) == rows
    unknown = bracketed(nlp, "zorp", "ZZ", ("NEW", 0, 1))
    with pytest.raises(ValueError, match="'NEW'"):
        pipe.correct(unknown)


def test_correction_to_a_long_chain():
    """Such chains must be frequent in training, but a correction is meant."""
    nlp = CONTRACT.blank(transitions="chains")
    known = bracketed(nlp, "a b", "A B", ("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2))
    nlp.initialize(lambda: [known])
    nlp.update([known])
    rows = [("S", 0, 2), ("VP", 0, 2), ("NP", 0, 2), ("S", 0, 1)]
    example = bracketed(nlp, "c d", "C D", *rows)
    assert 0 < nlp.get_pipe(NAME).correct(example) < 20
    assert phrases(nlp(example.predicted.copy())) == rows
    assert nlp.get_pipe(NAME).correct(example) == 0


# --- Damaged grammars -------------------------------------------------------------------------


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every value inside of plain data, as the container and the key."""
    found = []
    stack = [data]
    while stack:
        container = stack.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], dict | list):
                stack.append(container[key])
    return found


def is_refused(nlp: Language, data: bytes) -> bool:
    """Whether a component says that it can't load some bytes. Other errors pass."""
    try:
        nlp.get_pipe(NAME).from_bytes(data)
    except ValueError as error:
        if f"Can't load '{NAME}'" not in str(error):
            raise
        return True
    return False


def test_damaged_grammars_are_refused_or_harmless(pipe: IncrementalParser):
    """Saved again after damage, so that checksums fit: no number leads out of a table."""
    rng = random.Random(0)
    sound = srsly.json_dumps(
        {name: pipe.cfg[name] for name in ("grammar", "grammar_labels", "readings")}
    )
    n_refused = 0
    for _ in range(150):
        damaged = srsly.json_loads(sound)
        # Lists of numbers are long: all parts get their share.
        part = rng.choice([damaged, *damaged["grammar"].values(), damaged["grammar"]])
        for _ in range(rng.choice([1, 3])):
            if isinstance(part, dict | list) and len(part):
                container, key = rng.choice(places(part))
                container[key] = rng.choice(ODD_NUMBERS)
        pipe.cfg.update(damaged)
        data = pipe.to_bytes()
        nlp = CONTRACT.blank()
        if is_refused(nlp, data):
            n_refused += 1
            continue
        for example in gold(nlp, limit=3):
            check_trees(nlp(example.predicted), {*nlp.get_pipe(NAME).labels})
    assert 30 < n_refused < 150


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("grammar", {}),
        ("grammar", None),
        ("grammar_labels", ["S"]),
        ("grammar_labels", None),
        ("grammar_labels", [1]),
        ("readings", {}),
        ("readings", {"words": {"a": [1]}, "mistaken": {}, "max_tags": 3}),
        ("readings", {"words": {}, "mistaken": {}, "max_tags": 0}),
    ],
)
def test_grammars_with_missing_parts(pipe: IncrementalParser, name: str, value: Any):
    pipe.cfg[name] = value
    data = pipe.to_bytes()
    with pytest.raises(ValueError, match=f"Can't load '{NAME}'"):
        CONTRACT.blank().get_pipe(NAME).from_bytes(data)


def test_other_transitions_are_refused(pipe: IncrementalParser):
    other = CONTRACT.blank(transitions="chains").get_pipe(NAME)
    with pytest.raises(ValueError, match="transitions"):
        other.from_bytes(pipe.to_bytes())
