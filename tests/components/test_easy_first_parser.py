"""What the easy-first parser writes, learns and answers beyond the contract."""

from typing import Any

import numpy as np
import pytest
from spacy.language import Language
from spacy.tokens import Doc

from spacy_perceptron.answers.explanation import ROOT_NAME
from spacy_perceptron.components._dependencies.action_explanation import TREE_VALUES
from spacy_perceptron.components.easy_first_parser import EasyFirstParser

from ._dependencies.decoding import decoder_for
from ._dependencies.parsers import EASY_FIRST, NAME, UPDATES, templates, train
from ._dependencies.sentences import (
    arcs,
    check_sentences,
    gold_example,
    read,
    sentence,
    set_arcs,
    short_docs,
    with_wrong_guide,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]


@pytest.fixture
def nlp() -> Language:
    """A trained pipeline of the test's own."""
    return EASY_FIRST.load()


@pytest.fixture
def pipe(nlp: Language) -> EasyFirstParser:
    return nlp.get_pipe(NAME)


# --- Writing ----------------------------------------------------------------------------------


def test_a_thousand_words(nlp: Language):
    tokens = [token for e in read(nlp, "train") for token in e.predicted][:1000]
    words, tags = [t.text for t in tokens], [t.tag_ for t in tokens]
    starts = [i == 0 for i in range(1000)]
    doc = nlp(Doc(nlp.vocab, words=words, tags=tags, sent_starts=starts))
    check_sentences(doc, starts)
    assert all(0 < token._.head_confidence <= 1 for token in doc)
    # Sentences in a row are still seen for what they are: most heads are near.
    assert np.median([abs(token.head.i - token.i) for token in doc]) <= 2


# --- N-best lists -----------------------------------------------------------------------------


def test_scores_are_those_of_the_actions(nlp: Language, pipe: EasyFirstParser):
    """Summed over the features of each action, which are found again one by one."""
    for doc in short_docs(nlp, 8, 4):
        parsing, words = decoder_for(pipe, doc)
        trees = pipe.nbest(doc, 5)
        found = [parsing.derivation(rank) for rank in range(len(trees))]
        for tree, actions in zip(trees, found, strict=True):
            steps = parsing.replay(words, actions)
            total = sum(weight for _, features in steps for _, _, weight in features)
            assert tree.score == pytest.approx(total, abs=1e-4)
            heads = tree.annotation["head"]
            expected = {(head + 1, i + 1) for i, head in enumerate(heads) if head != i}
            assert set(actions) == expected


# --- Explanations -----------------------------------------------------------------------------


def test_explanations_add_up(nlp: Language, pipe: EasyFirstParser):
    """To the distance from the tree that is predicted to the best one with another head."""
    for doc in [*short_docs(nlp, 9, 4), *short_docs(nlp, 2, 2)]:
        parsing, words = decoder_for(pipe, doc)
        score = pipe.nbest(doc, 1)[0].score
        nlp(doc)
        before = arcs(doc)
        for token in doc:
            head = 0 if token.head == token else token.head.i + 1
            other_heads, _, other_score = parsing.without(words, token.i + 1, head)
            explanation = pipe.explain(doc, token.i)
            assert (explanation.word, explanation.subject) == (token.text, "head")
            margin = explanation.chosen_score - explanation.runner_up_score
            assert margin == pytest.approx(score - other_score, abs=1e-4)
            differences = [feature.difference for feature in explanation.features]
            assert differences == sorted(differences, reverse=True)
            assert sum(differences) == pytest.approx(margin, abs=1e-4)
            # Words that occur several times are numbered.
            other = int(other_heads[token.i])
            assert explanation.chosen.startswith(token.head.text if head else ROOT_NAME)
            assert explanation.runner_up.startswith(doc[other - 1].text if other else ROOT_NAME)
            assert explanation.runner_up != explanation.chosen
            text = str(pipe.explain(doc, token, rows=None))
            assert all(feature.template in text for feature in explanation.features)
        assert arcs(doc) == before


def test_explanations_tell_what_was_there():
    """Of two words the second is the head. It has no child when the first comes to hang on it, and
    there is nothing around them."""
    texts = ["p.tag c.tag", "p.lefts c.tag", "left.span p.tag arc.direction", "p[rc].tag c.tag"]
    nlp = EASY_FIRST.make(templates=templates(texts))
    train(nlp, [gold_example(nlp, [1, 1], ["x", "root"], "a b", "A B")], epochs=1)
    explanation = nlp.get_pipe(NAME).explain(sentence(nlp, "a b", "A B"), 0)
    assert (explanation.chosen, explanation.runner_up) == ("b", ROOT_NAME)
    values = {feature.template: feature.value for feature in explanation.features}
    assert values["p.tag c.tag"] in ("B A", "A B")
    assert values["p.lefts c.tag"] in ("0 lefts A", "0 lefts B")
    assert values["left.span p.tag arc.direction"] in ("<nothing> B left", "<nothing> A right")
    assert values["p[rc].tag c.tag"] in ("<nothing> A", "<nothing> B")
    assert sum(feature.difference for feature in explanation.features) > 0


def test_explanations_tell_sizes_of_trees():
    """Words attached to one head in turn: numbers of children, and of words in bins."""
    n = 19
    nlp = EASY_FIRST.make(templates=templates(["p.tag c.tag", "p.rights c.tag", "p.span c.tag"]))
    words, tags = "a " * n, "A" + " B" * (n - 1)
    train(nlp, [gold_example(nlp, [0] * n, ["root", *["x"] * (n - 1)], words, tags)], epochs=3)
    pipe = nlp.get_pipe(NAME)
    parsing, input = decoder_for(pipe, sentence(nlp, words, tags))
    steps = parsing.replay(input, [(1, i) for i in range(2, n + 1)])
    values = [
        [TREE_VALUES[name][places[f"p.{name}"]] for places, _ in steps]
        for name in ("lefts", "rights", "span")
    ]
    assert values[0] == ["0"] * 18
    assert values[1] == ["0", "1", "2", "3", *["4+"] * 14]
    spans = ["1", "2", *["3-4"] * 2, *["5-8"] * 4, *["9-16"] * 8, *["17+"] * 2]
    assert values[2] == spans


# --- Guides -----------------------------------------------------------------------------------


def test_a_guide_that_is_always_right_is_followed():
    """The gold trees, with arcs that no feature but the guide can tell from others."""
    nlp = EASY_FIRST.make(guide=True, templates=templates(["c.tag"]))
    pipe = nlp.get_pipe(NAME)
    examples = read(nlp, "train", 80)
    for example in examples:
        set_arcs(example.predicted, *map(list, zip(*arcs(example.reference), strict=True)))
    train(nlp, examples, epochs=3)
    dev = read(nlp)
    for example in dev:
        set_arcs(example.predicted, *map(list, zip(*arcs(example.reference), strict=True)))
    assert nlp.evaluate(dev)["dep_uas_all"] > 0.95
    # Another guide is followed too, and the features say so.
    docs = [with_wrong_guide(example.predicted) for example in read(nlp, limit=20)]
    explanation = pipe.explain(docs[0], 3)
    assert any("as guide" in feature.value for feature in explanation.features)
    followed = [token.head.i == token.i - 1 for doc in map(nlp, docs) for token in doc]
    assert sum(followed) > 2 / 3 * len(followed)


# --- Training ---------------------------------------------------------------------------------


def are_correct(actions: list[tuple[int, int]], heads: list[int]) -> bool:
    """Whether each action gives a child its gold head, and has no gold child of it come later."""
    missing = {word: heads.count(word) for word in range(1, len(heads) + 1)}
    for head, child in actions:
        if heads[child - 1] != head or missing[child]:
            return False
        missing[head] -= 1
    return True


@pytest.mark.parametrize("augmented", [False, True])
@pytest.mark.parametrize("way", UPDATES, ids=lambda way: f"{way['update']}-{way['learner']}")
def test_every_update_is_valid(way: dict[str, Any], augmented: bool):
    """Over an epoch: the correct actions do not score above the predicted ones. Both are equally
    many, and only the former are all correct."""
    nlp = EASY_FIRST.make(**{**way, "loss_augmented": augmented})
    pipe = nlp.get_pipe(NAME)
    examples = read(nlp, "train")
    nlp.initialize(lambda: examples)
    n_updates = 0
    for example in examples:
        nlp.update([example])
        violation = pipe._training.last_violation()
        if violation is None:
            continue
        n_updates += 1
        correct, predicted, correct_score, predicted_score = violation
        assert correct_score <= predicted_score
        assert 0 < len(correct) == len(predicted) < len(example.reference)
        (gold,) = pipe._gold(example)
        assert are_correct(correct, gold.heads.tolist())
        assert not are_correct(predicted, gold.heads.tolist())
    assert n_updates > 100


def test_partial_gold():
    """What there is of a tree is learned; a tree that cannot be is left out."""
    nlp = EASY_FIRST.make(max_step=1.0)
    full = gold_example(nlp, [1, 1, 1, 1, 3], ["x", "r", "y", "x", "y"], "f g h i j")
    nlp.initialize(lambda: [full])
    partial = gold_example(nlp, [1, None, 1, None, 3], ["x", None, "y", None, "x"])
    heads, labels = [2, 3, None, None, None], ["x", "y", None, None, None]
    crossing = gold_example(nlp, heads, labels, "k l m n o")
    assert [nlp.update([crossing])[NAME] for _ in range(2)] == [0, 0]
    losses = [nlp.update([partial, crossing, full])[NAME] for _ in range(15)]
    assert losses[0] > losses[-1] >= 0
    assert arcs(nlp(sentence(nlp, "f g h i j"))) == arcs(full.reference)
    found = arcs(nlp(sentence(nlp, "a b c d e")))
    assert [found[i] for i in (0, 2, 4)] == [(1, "x"), (1, "y"), (3, "x")]
