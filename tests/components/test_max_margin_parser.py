"""What the max-margin parser finds, learns and answers beyond the contract."""

import random
from typing import Any

import numpy as np
import pytest
import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.components.max_margin_parser import PARTIAL_CONFIDENCE, MaxMarginParser
from spacy_perceptron.corpus.reader import copy_tokens
from spacy_perceptron.trees.constituents import SPANS_KEY, constituents_to_tree, set_constituents

from ..fuzz.docs import make_doc
from ..sample import load_sample
from .contract import CONTRACTS, NAME, max_margin_model

(CONTRACT,) = [contract for contract in CONTRACTS if contract.factory == "max_margin_parser"]
# Numbers that are no symbols, and what is no number.
ODD_NUMBERS = [-1000, -2, -1, 0, 1, 31999, 2**31, 2**40, 1.5, True, None, "1", []]

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]


@pytest.fixture(scope="module")
def trained() -> bytes:
    return CONTRACT.train(limit=60, epochs=4).get_pipe(NAME).to_bytes()


# As in `configs/max_margin_exact.cfg`.
EXACT: dict[str, Any] = {
    "head_features": False,
    "vertical": 2,
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.spans.v1", "spacy_perceptron.span_symbols.v1"],
        "extra": [],
        "without": [],
    },
}


@pytest.fixture(scope="module")
def trained_exact() -> bytes:
    return CONTRACT.train(limit=60, epochs=4, **EXACT).get_pipe(NAME).to_bytes()


@pytest.fixture
def nlp(trained: bytes) -> Language:
    """A trained pipeline of the test's own."""
    nlp = CONTRACT.blank()
    nlp.get_pipe(NAME).from_bytes(trained)
    return nlp


@pytest.fixture
def exact(trained_exact: bytes) -> Language:
    """The same without head features, and with parents."""
    nlp = CONTRACT.blank(**EXACT)
    nlp.get_pipe(NAME).from_bytes(trained_exact)
    return nlp


@pytest.fixture
def pipe(nlp: Language) -> MaxMarginParser:
    return nlp.get_pipe(NAME)


def bracketed(nlp: Language, words: str, tags: str, *phrases: tuple[str, int, int]) -> Example:
    """An example with the tags on both sides."""
    predicted = Doc(nlp.vocab, words=words.split(), tags=tags.split())
    reference = predicted.copy()
    set_constituents(reference, [Span(reference, s, e, label=x) for x, s, e in phrases])
    return Example(predicted, reference)


def phrases(doc: Doc) -> list[tuple[str, int, int]]:
    return [(span.label_, span.start, span.end) for span in doc.spans[SPANS_KEY]]


def gold(nlp: Language, split: str = "dev", limit: int = 10) -> list[Example]:
    return CONTRACT.examples(nlp, split, limit=limit)


def check_trees(doc: Doc, labels: set[str]) -> None:
    """The phrases of each sentence are a tree over its words."""
    found = doc.spans[SPANS_KEY]
    assert {span.label_ for span in found} <= labels
    for sentence in doc.sents if len(doc) else ():
        tokens = [token.i for token in sentence if not token.is_space]
        places = {i: place for place, i in enumerate(tokens)}
        own = [span for span in found if sentence.start <= span.start < sentence.end]
        rows = [(s.label_, places[s.start], places[s.end - 1] + 1) for s in own]
        words = [doc[i].text for i in tokens]
        assert constituents_to_tree(rows, words, words).words() == words


# --- Trees ------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"head_features": False}, EXACT])
def test_the_sample_is_learned(settings: dict[str, Any]):
    nlp = CONTRACT.train(limit=40, epochs=12, max_step=0.1, **settings)
    for example in gold(nlp, "train", 40):
        assert phrases(nlp(example.predicted)) == phrases(example.reference)


def test_every_sentence_of_any_doc_has_one_tree(nlp: Language, pipe: MaxMarginParser):
    rng = random.Random(0)
    docs = [make_doc(rng, nlp.vocab) for _ in range(100)]
    for doc in docs:
        # Without boundaries, a doc is one sentence.
        if not doc.has_annotation("SENT_START"):
            for token in doc:
                token.is_sent_start = token.i == 0
    for doc in nlp.pipe(docs):
        check_trees(doc, {*pipe.labels})


def test_what_the_grammar_lacks_is_built_and_flagged():
    """Nothing follows `Go` in the only tree that the grammar knows."""
    nlp = CONTRACT.blank()
    known = bracketed(nlp, "Go", "VB", ("S", 0, 1), ("VP", 0, 1))
    nlp.initialize(lambda: [known])
    nlp.update([known])
    doc = nlp(known.predicted.copy())
    assert (phrases(doc), doc._.partial_parses) == ([("S", 0, 1), ("VP", 0, 1)], [])
    words, tags, starts = ["Go", "on", "now"], ["VB", "RP", "RB"], [True, False, False]
    doc = nlp(Doc(nlp.vocab, words=words, tags=tags, sent_starts=starts))
    check_trees(doc, {"S", "VP"})
    assert [doc[start:end].text for start, end in doc._.partial_parses] == ["Go on now"]
    assert {span._.confidence for span in doc.spans[SPANS_KEY]} <= {PARTIAL_CONFIDENCE}


def test_training_without_tags():
    """Words alone decide. Gold tags stand in for the pruner."""
    nlp = CONTRACT.blank(max_step=0.1)
    examples = [Example(copy_tokens(doc), doc) for doc in load_sample(nlp.vocab, limit=6)]
    nlp.initialize(lambda: examples)
    for _ in range(20):
        nlp.update(examples)
    for example in examples:
        assert phrases(nlp(copy_tokens(example.reference))) == phrases(example.reference)


def test_dropout_leaves_out_features(nlp: Language):
    """Weights differ, and what is learned without any features is that of rules alone."""
    found = {
        drop: CONTRACT.train(epochs=1, dropout=drop, head_features=False).get_pipe(NAME)
        for drop in (0.0, 0.5, 1.0)
    }
    for pipe in found.values():
        pipe.sync()
    sizes = [len(pipe.model.layers[0].get_param("weights")) for pipe in found.values()]
    assert sizes[0] > sizes[1] > 10 * sizes[2] > 0


def test_the_pruner_is_trained_once():
    """By `initialize`, which may read other Docs of the same corpus; and by examples that are not
    among these."""
    nlp = CONTRACT.blank()
    nlp.initialize(lambda: gold(nlp, "train", 12))
    pipe = nlp.get_pipe(NAME)
    before = pipe.model.get_ref("pruner").to_bytes()
    nlp.update(gold(nlp, "train", 12))
    pipe.sync()
    assert pipe.model.get_ref("pruner").to_bytes() == before
    nlp.update(gold(nlp, "train", 13)[12:])
    pipe.sync()
    assert pipe.model.get_ref("pruner").to_bytes() != before


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


@pytest.mark.parametrize("label", ["ROOT", "@X", "A|B", "A^B", "A\\@B", "NP-SBJ", "é ()"])
def test_labels_and_tags_of_any_kind(label: str):
    nlp = CONTRACT.blank(max_step=0.1)
    rows = [(label, 0, 5), (label, 0, 5), ("S", 0, 2), (label, 0, 1), (label, 2, 5), (label, 2, 3)]
    example = bracketed(nlp, "a b c d e", "A @ A|B ^ \\", *rows)
    nlp.initialize(lambda: [example])
    for _ in range(5):
        nlp.update([example])
    assert {*nlp.get_pipe(NAME).labels} == {label, "S"}
    doc = nlp(example.predicted.copy())
    assert (phrases(doc), doc._.partial_parses) == (rows, [])


def test_the_grammar_grows_with_what_training_meets(nlp: Language, pipe: MaxMarginParser):
    """Tags, symbols and rules that `initialize` has not seen; the pruner learns them, too."""
    rows = [("S", 0, 4), ("PP", 0, 4), ("VP", 0, 2), ("WHNP", 2, 4), ("VP", 3, 4)]
    example = bracketed(nlp, "zorp blick snarf gleep", "ZZ YY ZZ YY", *rows)
    assert phrases(nlp(example.predicted.copy())) != rows
    pipe.max_step = 1.0
    for _ in range(10):
        nlp.update([example])
    doc = nlp(example.predicted.copy())
    assert (phrases(doc), doc._.partial_parses) == (rows, [])
    other = CONTRACT.blank()
    other.get_pipe(NAME).from_bytes(pipe.to_bytes())
    assert phrases(other(example.predicted.copy())) == rows


def test_numbers_stay_the_same_when_the_grammar_grows(nlp: Language, pipe: MaxMarginParser):
    """Weights are found by the numbers of phrases, tags and chains."""
    before = srsly.json_loads(srsly.json_dumps(pipe.cfg["grammar"]))
    expected = [phrases(nlp(example.predicted)) for example in gold(nlp)]
    pipe.add_label("NEW")
    example = bracketed(nlp, "zorp blick", "ZZ YY", ("NEW", 0, 2), ("S", 0, 1), ("NEW", 0, 1))
    assert pipe._cover([example])
    pipe._weights_changed()
    grown = pipe.cfg["grammar"]
    for name in ("phrases", "tags", "rules", "chains"):
        assert grown[name][: len(before[name])] == before[name]
        assert len(grown[name]) > len(before[name])
    assert {*grown} == {*before}
    assert [phrases(nlp(example.predicted)) for example in gold(nlp)] == expected


def test_renamed_labels_can_be_trained_further(nlp: Language, pipe: MaxMarginParser):
    """Also when a new label has an old name."""
    pipe.cfg["labels"] = [f"{label}-OLD" for label in pipe.labels]
    pipe.from_bytes(pipe.to_bytes())
    assert pipe.add_label("NP") == 1
    rows = [("S-OLD", 0, 2), ("NP", 0, 1), ("NP-OLD", 1, 2)]
    example = bracketed(nlp, "zorp blick", "ZZ YY", *rows)
    pipe.max_step = 1.0
    for _ in range(10):
        nlp.update([example])
    assert phrases(nlp(example.predicted.copy())) == rows


# --- Answers ----------------------------------------------------------------------------------


def test_lists_of_different_trees(nlp: Language, pipe: MaxMarginParser):
    """The best of a list is what is predicted; all differ, and longer lists only add to it."""
    for example in gold(nlp):
        doc = example.predicted
        short, long = pipe.nbest(doc, 4), pipe.nbest(doc, 20)
        assert [c.score for c in long] == sorted((c.score for c in long), reverse=True)
        assert [c.annotation for c in short] == [c.annotation for c in long[: len(short)]]
        rows = [tuple(map(tuple, c.annotation[SPANS_KEY])) for c in long]
        assert len({*rows}) == len(rows)
        written = phrases(nlp(doc))
        assert [(label, start, end) for start, end, label in rows[0]] == written


def all_derivations(pipe: MaxMarginParser, doc: Doc) -> list[tuple[float, list]]:
    """Scores and phrases of all derivations of a short sentence; nothing if there are too many."""
    state = pipe._get_state()
    state, words = pipe._look_up(pipe._read_docs([doc], state), state)
    with state.decoders.borrow() as parsing:
        found = parsing.nbest(words, 5000)
    if len(found) == 5000:
        return []
    names = state.writer.names
    trees = []
    for score, rows in found:
        columns = [column.tolist() for column in state.symbols.phrases(rows)[0]]
        trees.append((score, [(names[x], s, e) for x, s, e in zip(*columns, strict=True)]))
    return trees


def test_lists_and_confidences_are_exact(exact: Language):
    """Against all derivations: a tree is as good as its best one, and a phrase as likely as all
    that have it together."""
    pipe = exact.get_pipe(NAME)
    n_checked = n_unsure = 0
    for example in gold(exact, limit=100):
        doc = exact(example.predicted)
        every = all_derivations(pipe, doc)
        if len(every) < 2 or doc._.partial_parses:
            continue
        n_checked += 1
        best: dict[tuple, float] = {}
        for score, tree in every:
            best[tuple(tree)] = max(score, best.get(tuple(tree), -np.inf))
        listed = pipe.nbest(doc, 10)
        expected = sorted(best.values(), reverse=True)[:10]
        assert [c.score for c in listed] == pytest.approx(expected, abs=1e-4)
        weights = np.exp(np.array([score for score, _ in every]) - every[0][0])
        for span in doc.spans[SPANS_KEY]:
            row = (span.label_, span.start, span.end)
            share = weights[[row in tree for _, tree in every]].sum() / weights.sum()
            assert span._.confidence == pytest.approx(share, abs=1e-4)
            n_unsure += share < 0.99
    assert n_checked > 5
    assert n_unsure > 5


def test_confidences_of_rivals_add_up_to_one_at_most(nlp: Language):
    """Phrases that cross each other can't both be there."""
    for example in gold(nlp, limit=20):
        doc = nlp(example.predicted)
        for candidate in doc._.nbest[NAME]:
            assert 0 <= candidate["probability"] <= 1
        assert all(0 < span._.confidence <= 1 for span in doc.spans[SPANS_KEY])


@pytest.mark.parametrize(("pipeline", "k"), [("exact", 5), ("nlp", 1)])
def test_features_add_up_to_the_score(pipeline: str, k: int, request: pytest.FixtureRequest):
    """With head features, others than the best tree have approximate scores in lists: a phrase has
    the head of its best derivation."""
    nlp = request.getfixturevalue(pipeline)
    pipe = nlp.get_pipe(NAME)
    state = pipe._get_state()
    n_checked = 0
    for example in gold(nlp, limit=20):
        state, words = pipe._look_up(pipe._read_docs([example.predicted], state), state)
        with state.decoders.borrow() as parsing:
            for score, rows in parsing.nbest(words, k):
                nodes = parsing.features(words, rows)
                total = sum(sum(weights) for node in nodes for *_, weights in node)
                # The tree of a sentence that the grammar has none for has no score.
                assert not score or total == pytest.approx(score, abs=1e-4)
                n_checked += score != 0
    assert n_checked > 10 * k


def test_explanations_add_up(exact: Language):
    """To the distance from the tree that is predicted to the best one in which the word is in other
    phrases of several words."""
    pipe = exact.get_pipe(NAME)
    n_explained = 0
    for example in gold(exact, limit=5):
        doc = example.predicted
        listed = pipe.nbest(doc, 200)

        def around(tree: dict[str, Any], i: int) -> list:
            return [row for row in tree[SPANS_KEY] if row[0] <= i < row[1] and row[1] - row[0] > 1]

        for token in doc:
            first, *others = (around(c.annotation, token.i) for c in listed)
            place = next((n for n, other in enumerate(others, 1) if other != first), None)
            if place is None:
                continue
            explanation = pipe.explain(doc, token.i)
            features = explanation.features
            assert explanation.word.startswith(token.text)
            assert explanation.chosen_score == pytest.approx(sum(f.chosen for f in features))
            assert explanation.runner_up_score == pytest.approx(sum(f.runner_up for f in features))
            found = explanation.chosen_score - explanation.runner_up_score
            assert found == pytest.approx(listed[0].score - listed[place].score, abs=1e-4)
            assert explanation.chosen != explanation.runner_up
            n_explained += 1
    assert n_explained > 10


def test_no_explanation_without_another_tree():
    nlp = CONTRACT.blank()
    known = bracketed(nlp, "Go", "VB", ("S", 0, 1), ("VP", 0, 1))
    nlp.initialize(lambda: [known])
    nlp.update([known])
    with pytest.raises(ValueError, match="Can't explain token 0"):
        nlp.get_pipe(NAME).explain(known.predicted, 0)


def test_same_answers_for_any_number_of_threads(nlp: Language, pipe: MaxMarginParser):
    docs = [example.predicted for example in gold(nlp, limit=40)]
    alone = [CONTRACT.snapshot(doc) for doc in nlp.pipe([doc.copy() for doc in docs])]
    pipe.n_threads = 3
    assert [CONTRACT.snapshot(doc) for doc in nlp.pipe([doc.copy() for doc in docs])] == alone


# --- Correction -------------------------------------------------------------------------------


@pytest.mark.parametrize("head_features", [True, False])
def test_correction(head_features: bool):
    nlp = CONTRACT.train(limit=30, epochs=2, head_features=head_features)
    pipe = nlp.get_pipe(NAME)
    for example in gold(nlp):
        pipe.correct(example)
        assert phrases(nlp(example.predicted.copy())) == phrases(example.reference)
        before = pipe.to_bytes()
        assert pipe.correct(example) == 0
        assert pipe.to_bytes() == before


def test_correction_to_what_is_pruned_and_outside_the_grammar(nlp: Language, pipe: MaxMarginParser):
    rows = [("VP", 0, 4), ("PP", 0, 3), ("WHNP", 0, 2), ("S", 0, 1), ("S", 2, 3)]
    example = bracketed(nlp, "zorp blick snarf gleep", "NN VB . ,", *rows)
    assert pipe.correct(example) > 0
    assert phrases(nlp(example.predicted.copy())) == rows
    unknown = bracketed(nlp, "zorp", "ZZ", ("NEW", 0, 1))
    with pytest.raises(ValueError, match="'NEW'"):
        pipe.correct(unknown)


# --- SMO --------------------------------------------------------------------------------------


def test_smo_reaches_the_optimum():
    """The gap falls to a small share of the objective, and then the trees fit."""
    nlp = CONTRACT.blank(
        learner="smo", c=1.0, head_features=False, **max_margin_model(n_bits=16, pruner_bits=16)
    )
    examples = gold(nlp, "train", 10)
    nlp.initialize(lambda: examples)
    gaps = []
    for _ in range(30):
        losses = nlp.update(examples)
        gaps.append(losses[f"{NAME}_gap"])
    assert nlp.get_pipe(NAME).duality_gap() == gaps[-1]
    assert 0 <= gaps[-1] < 0.05 < 0.3 < gaps[0] <= 1
    for example in examples:
        assert phrases(nlp(example.predicted)) == phrases(example.reference)


def test_smo_starts_anew_after_loading():
    nlp = CONTRACT.train(epochs=1, learner="smo")
    pipe = nlp.get_pipe(NAME)
    pipe.from_bytes(pipe.to_bytes())
    with pytest.warns(UserWarning, match="starts again from weights of 0"):
        nlp.update(gold(nlp, "train"))


def test_no_duality_gap_without_smo(nlp: Language, pipe: MaxMarginParser):
    nlp.update(gold(nlp))
    with pytest.raises(ValueError, match="no duality gap"):
        pipe.duality_gap()


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


def test_damaged_grammars_are_refused_or_harmless(pipe: MaxMarginParser):
    """Saved again after damage, so that checksums fit: no number leads out of a table."""
    rng = random.Random(0)
    sound = srsly.json_dumps(
        {name: pipe.cfg[name] for name in ("grammar", "grammar_labels", "readings")}
    )
    n_refused = 0
    for _ in range(60):
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
        try:
            nlp.get_pipe(NAME).from_bytes(data)
        except ValueError as error:
            if f"Can't load '{NAME}'" not in str(error):
                raise
            n_refused += 1
            continue
        for example in gold(nlp, limit=3):
            check_trees(nlp(example.predicted), {*nlp.get_pipe(NAME).labels})
    assert 10 < n_refused < 60


def test_other_settings_are_refused(pipe: MaxMarginParser):
    other = CONTRACT.blank(head_features=False)
    with pytest.raises(ValueError, match="`head_features = true`"):
        other.get_pipe(NAME).from_bytes(pipe.to_bytes())


def test_what_is_refused_changes_nothing(nlp: Language, pipe: MaxMarginParser):
    """Also not the names of the model's parts, which thinc does not copy."""
    before = pipe.to_bytes()
    with pytest.raises(ValueError, match="Can't load"):
        pipe.from_bytes(before[:-100])
    assert pipe.to_bytes() == before


# --- Pruning ----------------------------------------------------------------------------------


def test_oracle_recall(trained: bytes):
    recalls = []
    for threshold in (0.001, 2.0, 1000.0):
        nlp = CONTRACT.blank(threshold=threshold)
        pipe = nlp.get_pipe(NAME)
        pipe.from_bytes(trained)
        examples = gold(nlp, limit=30)
        recalls.append(pipe.oracle_recall(examples))
        # By hand.
        n_kept = n_gold = 0
        for example in examples:
            (kept,) = pipe.unpruned_phrases(example)
            expected = phrases(example.reference)
            assert [x for x in expected if x in kept] == kept
            assert {x for x in expected if x[2] - x[1] == 1} <= {*kept}
            n_kept += sum(end > start + 1 for _, start, end in kept)
            n_gold += sum(end > start + 1 for _, start, end in expected)
        assert pipe.oracle_recall(examples) == n_kept / n_gold
        bare = [Example(eg.predicted, copy_tokens(eg.reference)) for eg in examples]
        assert pipe.oracle_recall(bare) == pipe.oracle_recall([]) == 1.0
    assert 0.2 < recalls[0] < recalls[1] < recalls[2]
    # Labels that training has not seen are not kept, whatever the threshold.
    assert recalls[2] > 0.99


def test_phrases_that_are_found_are_not_pruned(nlp: Language, pipe: MaxMarginParser):
    """Found by the parser and right: the pruner has left them."""
    for example in gold(nlp, limit=20):
        (kept,) = pipe.unpruned_phrases(example)
        doc = nlp(example.predicted.copy())
        if not doc._.partial_parses:
            assert {*phrases(doc)} & {*phrases(example.reference)} <= {*kept}


def test_unseen_labels_are_not_left(nlp: Language, pipe: MaxMarginParser):
    example = bracketed(nlp, "a b c", "DT NN VBZ", ("S", 0, 3), ("ODD", 0, 2), ("ODD", 2, 3))
    assert pipe.unpruned_phrases(example)[0][-1] == ("ODD", 2, 3)
    assert pipe.oracle_recall([example]) <= 0.5
