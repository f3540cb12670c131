"""What the easy-first parser writes, learns and answers beyond the contract."""

import functools
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import (
    Calibration,
    expected_calibration_error,
    fit_temperature,
    log_loss,
)
from spacy_perceptron.answers.explanation import ROOT_NAME
from spacy_perceptron.components._dependencies.action_explanation import TREE_VALUES
from spacy_perceptron.components._dependencies.writer import SPACE_LABEL
from spacy_perceptron.components.easy_first_parser import MAX_WORDS, EasyFirstParser
from spacy_perceptron.trees.projectivity import is_lifted

from ._dependencies.test_reader import hosts
from .parsing import ARCS, LABELS, NAME, arcs, read, sentence, set_arcs, templates, train
from .test_mira_answers import several_sentences, short_docs, wrong_and_right
from .test_mira_parser import (
    check_sentences,
    crossing_examples,
    gold_example,
    seen_losses,
    spaced,
    with_guide,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]
MODEL = {"@architectures": "spacy_perceptron.EasyFirstModel.v1", "n_bits": 16}
ATTACHMENTS = (
    *ARCS,
    "p.tag s.tag c.tag arc.direction",
    "c.tag c.lefts c.rights arc.direction",
    "p.tag c.tag c[lc].tag arc.direction",
    "p.tag c.tag c[rc].tag arc.direction",
    "p.tag p[lc].tag p[rc2].tag c.tag",
    "p.tag c.tag c.span arc.direction",
    "left.tag p.tag c.tag arc.direction",
    "right.tag p.tag c.tag arc.direction",
    "left.tag left2.tag c.tag arc.direction",
    "left.tag right.tag p.tag c.tag",
)
# Every way to learn. Early updates do not go with augmented scores.
WAYS: list[dict[str, Any]] = [
    {"update": update, "learner": learner, "loss_augmented": update == "max_violation"}
    for update in ("early", "max_violation")
    for learner in ("mira", "perceptron")
]


def name_of(settings: dict[str, Any]) -> str:
    return "-".join(map(str, settings.values()))


def make_parser(*, extra: tuple[str, ...] = (), **settings: Any) -> Language:
    """A pipeline with a small parser, not initialized."""
    nlp = spacy.blank("en")
    config = {
        "model": MODEL,
        "templates": templates((*ATTACHMENTS, *extra)),
        "tree_label_templates": templates(LABELS),
        **settings,
    }
    nlp.add_pipe("easy_first_parser", name=NAME, config=config)
    return nlp


@functools.cache
def trained_bytes() -> bytes:
    """A parser trained on part of the sample treebank."""
    nlp = make_parser()
    return train(nlp, read(nlp, "train", 200), epochs=2).get_pipe(NAME).to_bytes()


@pytest.fixture
def nlp() -> Language:
    """A pipeline of the test's own."""
    nlp = make_parser()
    nlp.get_pipe(NAME).from_bytes(trained_bytes())
    return nlp


@pytest.fixture
def pipe(nlp: Language) -> EasyFirstParser:
    return nlp.get_pipe(NAME)


# --- Writing ----------------------------------------------------------------------------------


def test_whitespace_and_sentences(nlp: Language):
    docs = [example.predicted for example in read(nlp, limit=8)]
    alone = [arcs(nlp(doc.copy())) for doc in docs]
    doc, tokens, starts = spaced(docs)
    nlp(doc)
    heads = [0 if head == i else head + 1 for found in alone for i, (head, _) in enumerate(found)]
    assert [token.head.i for token in doc] == hosts(tokens, heads)
    labels = iter([label for found in alone for _, label in found])
    expected = [next(labels) if is_word else SPACE_LABEL for is_word, _ in tokens]
    assert [token.dep_ for token in doc] == expected
    check_sentences(doc, starts)
    assert all(token._.head_confidence == 1.0 for token in doc if token.is_space)


def test_one_word_sentences(nlp: Language, pipe: EasyFirstParser):
    doc = Doc(nlp.vocab, words=["Stop", "Go"], tags=["VB", "VB"], sent_starts=[True, True])
    nlp(doc)
    assert [head for head, _ in arcs(doc)] == [0, 1]
    assert [token._.head_confidence for token in doc] == [1.0, 1.0]
    (tree,) = pipe.nbest(doc, 5)
    assert (tree.annotation["head"], tree.probability) == ([0, 1], 1.0)


def test_a_thousand_words(nlp: Language):
    tokens = [token for e in read(nlp, "train") for token in e.predicted][:1000]
    words, tags = [t.text for t in tokens], [t.tag_ for t in tokens]
    starts = [i == 0 for i in range(1000)]
    doc = nlp(Doc(nlp.vocab, words=words, tags=tags, sent_starts=starts))
    check_sentences(doc, starts)
    assert all(0 < token._.head_confidence <= 1 for token in doc)
    # Sentences in a row are still seen for what they are: most heads are near.
    assert np.median([abs(token.head.i - token.i) for token in doc]) <= 2


def test_sentences_beyond_the_limit(nlp: Language, pipe: EasyFirstParser):
    n = MAX_WORDS + 1
    doc = sentence(nlp, "a " * n, "NN " * n)
    message = rf"A sentence of {n} words is too long.*limit is {MAX_WORDS}.*boundaries"
    for call in (nlp, lambda doc: pipe.nbest(doc, 2), lambda doc: pipe.explain(doc, 0)):
        with pytest.raises(ValueError, match=message):
            call(doc)
    label = pipe.labels[0]
    example = Example(doc, set_arcs(doc.copy(), [0] * n, [label] * n))
    for learn in (pipe.correct, lambda example: nlp.update([example])):
        with pytest.raises(ValueError, match=message):
            learn(example)


# --- N-best lists -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 8, 20])
def test_nbest(nlp: Language, pipe: EasyFirstParser, k: int):
    n_first = 0
    docs = short_docs(nlp, 8, 12)
    for doc in docs:
        trees = pipe.nbest(doc, k)
        assert not doc.has_annotation("DEP")
        assert 2 <= len(trees) <= k
        assert len({tuple(tree.annotation["head"]) for tree in trees}) == len(trees)
        scores = np.array([tree.score for tree in trees])
        assert (np.diff(scores) <= 0).all()
        shares = np.exp(scores - scores[0]) / np.exp(scores - scores[0]).sum()
        assert [tree.probability for tree in trees] == pytest.approx(shares.tolist())
        assert sum(tree.probability for tree in trees) == pytest.approx(1.0, abs=1e-12)
        first = trees[0].annotation
        is_first = list(zip(first["head"], first["dep"], strict=True)) == arcs(nlp(doc.copy()))
        n_first += is_first
        for tree in trees:
            applied = tree.apply(doc.copy())
            assert [token.head.i for token in applied] == tree.annotation["head"]
            assert [token.dep_ for token in applied] == tree.annotation["dep"]
            check_sentences(applied, [True, *[False] * 7])
    # A search wider than that of predictions may find a better tree; it seldom does.
    assert n_first == len(docs) if k <= pipe.beam_width else n_first > len(docs) / 2


def test_scores_are_those_of_the_actions(nlp: Language, pipe: EasyFirstParser):
    """Summed over the features of each action, which are found again one by one."""
    parsing = pipe._get_parsing()
    for doc in short_docs(nlp, 8, 4):
        words = pipe._input(pipe._read_docs([doc]))
        trees = pipe.nbest(doc, 5)
        found = [parsing.derivation(rank) for rank in range(len(trees))]
        for tree, actions in zip(trees, found, strict=True):
            steps = parsing.replay(words, actions)
            total = sum(weight for _, features in steps for _, _, weight in features)
            assert tree.score == pytest.approx(total, abs=1e-4)
            heads = tree.annotation["head"]
            expected = {(head + 1, i + 1) for i, head in enumerate(heads) if head != i}
            assert set(actions) == expected


def test_nbest_of_several_sentences(nlp: Language, pipe: EasyFirstParser):
    doc = several_sentences(nlp)
    trees = pipe.nbest(doc, 6)
    best = [pipe.nbest(sent.as_doc(), 6)[0].score for sent in doc.sents]
    assert trees[0].score == pytest.approx(sum(best), abs=1e-5)
    assert len(trees) == len({tuple(tree.annotation["head"]) for tree in trees}) == 6
    for tree in trees:
        applied = tree.apply(doc.copy())
        assert [t.is_sent_start for t in applied] == [t.is_sent_start for t in doc]
        assert all(applied[t.i].dep_ == SPACE_LABEL for t in doc if t.is_space)


# --- Confidence -------------------------------------------------------------------------------


def test_confidences_are_probabilities(nlp: Language):
    """After little training, when scores are close, and after much, when they are far apart."""
    examples = read(nlp, "train", 30)
    for _ in range(2):
        for doc in nlp.pipe(example.predicted for example in read(nlp, limit=30)):
            assert all(0 < token._.head_confidence <= 1 for token in doc)
        for _ in range(6):
            nlp.update(examples)


def test_confident_heads_are_right_more_often(nlp: Language, pipe: EasyFirstParser):
    confidences, is_right = pipe.raw_confidences(read(nlp), 1.0)
    docs = nlp.pipe(example.predicted.copy() for example in read(nlp))
    found = [token._.head_confidence for doc in docs for token in doc]
    assert found == pytest.approx(confidences.tolist(), abs=1e-9)
    right, wrong = confidences[is_right], confidences[~is_right]
    assert len(wrong) > 30
    # How often a right head has more confidence than a wrong one; by chance, half the time.
    wins = (right[:, None] > wrong) + (right[:, None] == wrong) / 2
    assert wins.mean() > 0.7


def test_calibration(nlp: Language, pipe: EasyFirstParser):
    """A temperature fitted on one part makes the confidences of another one more honest."""
    dev, test = read(nlp, "dev"), read(nlp, "test")
    temperature = fit_temperature(lambda value: pipe.raw_confidences(dev, value))
    before, after = (pipe.raw_confidences(test, value) for value in (1.0, temperature))
    assert before[1].tolist() == after[1].tolist()
    assert log_loss(*after) < log_loss(*before)
    assert expected_calibration_error(*after) < expected_calibration_error(*before)
    pipe.calibration = Calibration(temperature)
    found = [token._.head_confidence for e in test for token in nlp(e.predicted)]
    assert found == pytest.approx(after[0].tolist(), abs=1e-6)


# --- Explanations -----------------------------------------------------------------------------


def test_explanations_add_up(nlp: Language, pipe: EasyFirstParser):
    """To the distance from the tree that is predicted to the best one with another head."""
    parsing = pipe._get_parsing()
    for doc in [*short_docs(nlp, 9, 4), *short_docs(nlp, 2, 2)]:
        words = pipe._input(pipe._read_docs([doc]))
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
            text = str(explanation)
            assert all(feature.template in text for feature in explanation.features)
        assert arcs(doc) == before


def test_explanations_tell_what_was_there():
    """Of two words the second is the head. It has no child when the first comes to hang on it, and
    there is nothing around them."""
    texts = ["p.tag c.tag", "p.lefts c.tag", "left.span p.tag arc.direction", "p[rc].tag c.tag"]
    nlp = make_parser(templates=templates(texts))
    gold = set_arcs(sentence(nlp, "a b"), [1, 1], ["x", "root"])
    train(nlp, [Example(sentence(nlp, "a b", "A B"), gold)], epochs=1)
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
    nlp = make_parser(templates=templates(["p.tag c.tag", "p.rights c.tag", "p.span c.tag"]))
    words, tags = "a " * n, "A" + " B" * (n - 1)
    gold = set_arcs(sentence(nlp, words), [0] * n, ["root", *["x"] * (n - 1)])
    train(nlp, [Example(sentence(nlp, words, tags), gold)], epochs=3)
    pipe = nlp.get_pipe(NAME)
    words_ = pipe._input(pipe._read_docs([sentence(nlp, words, tags)]))
    steps = pipe._get_parsing().replay(words_, [(1, i) for i in range(2, n + 1)])
    values = [
        [TREE_VALUES[name][places[f"p.{name}"]] for places, _ in steps]
        for name in ("lefts", "rights", "span")
    ]
    assert values[0] == ["0"] * 18
    assert values[1] == ["0", "1", "2", "3", *["4+"] * 14]
    spans = ["1", "2", *["3-4"] * 2, *["5-8"] * 4, *["9-16"] * 8, *["17+"] * 2]
    assert values[2] == spans


def test_explain_what_is_not_there(nlp: Language, pipe: EasyFirstParser):
    doc = nlp(several_sentences(nlp))
    with pytest.raises(ValueError, match="Token 0 is whitespace"):
        pipe.explain(doc, 0)
    alone = next(token for token in list(doc.sents)[2] if not token.is_space)
    with pytest.raises(ValueError, match=f"Token {alone.i} is alone in its sentence"):
        pipe.explain(doc, alone.i)
    with pytest.raises(IndexError, match=f"no token {len(doc)} in a doc of {len(doc)}"):
        pipe.explain(doc, len(doc))


# --- Corrections ------------------------------------------------------------------------------


def test_correct_takes_effect_at_once(nlp: Language, pipe: EasyFirstParser):
    wrong, right = wrong_and_right(nlp)
    assert len(wrong) > 8
    saved = pipe.to_bytes()
    for example in wrong[:8]:
        assert 0 < pipe.correct(example) < 100
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        assert pipe.correct(example) == 0
        pipe.from_bytes(pipe.to_bytes())
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        pipe.from_bytes(saved)
    assert [pipe.correct(example) for example in right] == [0] * len(right)
    assert pipe.to_bytes() == saved


def test_correct_one_word(nlp: Language, pipe: EasyFirstParser):
    """The others stay free; whatever they get, the one is as it should be."""
    saved = pipe.to_bytes()
    for example in read(nlp, limit=6):
        doc = nlp(example.predicted.copy())
        n = len(doc)
        i = next(token.i for token in doc if token.head != token)
        heads: list[int | None] = [None] * n
        labels: list[str | None] = [None] * n
        taken = {t.i for t in doc[i].subtree} | {doc[i].head.i}
        heads[i] = next(j for j in reversed(range(n)) if j not in taken)
        labels[i] = next(label for label in pipe.labels if label not in ("ROOT", doc[i].dep_))
        gold = set_arcs(example.predicted.copy(), heads, labels)
        assert 0 < pipe.correct(Example(example.predicted, gold)) < 100
        found = nlp(example.predicted.copy())
        assert (found[i].head.i, found[i].dep_) == (heads[i], labels[i])
        pipe.from_bytes(saved)


def test_correct_to_what_cannot_be(nlp: Language, pipe: EasyFirstParser):
    before = pipe.to_bytes(exclude=["vocab"])
    doc = sentence(nlp, "a b c d", "DT NN VB NN")
    unknown = set_arcs(doc.copy(), [1, 1, 1, 1], ["ROOT", "NEW", "ROOT", "ROOT"])
    with pytest.raises(ValueError, match=r"has no label 'NEW'.*add_label"):
        pipe.correct(Example(doc, unknown))
    label = pipe.labels[0]
    crossing = set_arcs(doc.copy(), [2, 3, None, None], [label, label, None, None])
    with pytest.raises(ValueError, match="no projective tree has all of them"):
        pipe.correct(Example(doc, crossing))
    assert pipe.to_bytes(exclude=["vocab"]) == before


# --- Guides -----------------------------------------------------------------------------------


def with_wrong_guide(nlp: Language, doc: Doc) -> Doc:
    """Every word on the one before: seldom right."""
    return set_arcs(doc.copy(), [0, *range(len(doc) - 1)], ["X"] * len(doc))


def test_a_guide_that_is_always_right_is_followed():
    """The gold trees, with arcs that no feature but the guide can tell from others."""
    nlp = make_parser(guide=True, templates=templates(["c.tag"]))
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
    docs = [with_wrong_guide(nlp, example.predicted) for example in read(nlp, limit=20)]
    explanation = pipe.explain(docs[0], 3)
    assert any("as guide" in feature.value for feature in explanation.features)
    followed = [token.head.i == token.i - 1 for doc in map(nlp, docs) for token in doc]
    assert sum(followed) > 2 / 3 * len(followed)


def test_guide_features_come_with_the_setting():
    """And are not there without it."""
    scores = {}
    for guide in (False, True):
        nlp = make_parser(guide=guide)
        train(nlp, with_guide(read(nlp, "train", 100), 0), epochs=2)
        scores[guide] = nlp.evaluate(with_guide(read(nlp), 1))["dep_uas_all"]
        doc = read(nlp, limit=1)[0].predicted
        is_same = arcs(nlp(doc.copy())) == arcs(nlp(with_wrong_guide(nlp, doc)))
        assert is_same != guide
    assert scores[True] > scores[False] + 0.05


def test_a_guided_parser_loads_into_a_guided_pipe(tmp_path: Any):
    nlp = make_parser(guide=True)
    train(nlp, with_guide(read(nlp, "train", 20), 0), epochs=1)
    guided = nlp.get_pipe(NAME).to_bytes()
    same = make_parser(guide=True)
    same.get_pipe(NAME).from_bytes(guided)
    for mine, theirs in zip(with_guide(read(nlp), 0), with_guide(read(same), 0), strict=True):
        assert arcs(nlp(mine.predicted)) == arcs(same(theirs.predicted))
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe(NAME).guide
    for data, guide in ((guided, False), (trained_bytes(), True)):
        with pytest.raises(ValueError, match=rf"guide = {str(not guide).lower()}"):
            make_parser(guide=guide).get_pipe(NAME).from_bytes(data)


# --- Crossing arcs ----------------------------------------------------------------------------


def test_crossing_arcs_are_lifted_and_lowered():
    nlp = make_parser(nbest=3)
    pipe = nlp.get_pipe(NAME)
    examples = crossing_examples(nlp)
    train(nlp, examples, epochs=15)
    # Six of the seven sentences have crossing arcs.
    assert 1 <= sum(map(is_lifted, pipe.labels)) <= 6
    for example in examples:
        doc = nlp(example.predicted.copy())
        assert arcs(doc) == arcs(example.reference)
        stored = doc._.nbest[NAME]
        assert list(zip(stored[0]["head"], stored[0]["dep"], strict=True)) == arcs(doc)
        assert not any(is_lifted(label) for tree in stored for label in tree["dep"])
    _, is_right = pipe.raw_confidences(examples, 1.0)
    assert is_right.all()
    # A tree with crossing arcs can be what a sentence is corrected to.
    other = make_parser()
    train(other, [examples[-1], *crossing_examples(other)[:5]], epochs=2)
    target = crossing_examples(other)[0]
    other.get_pipe(NAME).correct(target)
    assert arcs(other(target.predicted.copy())) == arcs(target.reference)


# --- Training ---------------------------------------------------------------------------------

SETTINGS: list[dict[str, Any]] = [
    *WAYS,
    *({**way, "beam_width": 1} for way in WAYS),
    {"learner": "perceptron", "margin": 0.0},
    {"beam_width": 2, "adaptive": True, "max_step": 1.0},
    {"dropout": 0.1},
    {"confidence": False},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=name_of)
def test_settings(settings: dict[str, Any]):
    """Whatever is set, the parser learns some sentences by heart, and something about others."""
    nlp = make_parser(**settings)
    examples = read(nlp, "train", 25)
    nlp.initialize(lambda: examples)
    losses = [nlp.update(examples)[NAME] for _ in range(20)]
    assert losses[0] / 4 > losses[-1] >= 0
    assert nlp.evaluate(read(nlp, "train", 25))["dep_las_all"] > 0.96
    assert nlp.evaluate(read(nlp, limit=20))["dep_uas_all"] > 0.5
    doc = nlp(read(nlp, limit=1)[0].predicted)
    confidence = settings.get("confidence", True)
    assert all((token._.head_confidence is not None) == confidence for token in doc)


def are_correct(actions: list[tuple[int, int]], heads: list[int]) -> bool:
    """Whether each action gives a child its gold head, and has no gold child of it come later."""
    missing = {word: heads.count(word) for word in range(1, len(heads) + 1)}
    for head, child in actions:
        if heads[child - 1] != head or missing[child]:
            return False
        missing[head] -= 1
    return True


@pytest.mark.parametrize("augmented", [False, True])
@pytest.mark.parametrize("way", WAYS, ids=name_of)
def test_every_update_is_valid(way: dict[str, Any], augmented: bool):
    """Over an epoch: the correct actions do not score above the predicted ones. Both are equally
    many, and only the former are all correct."""
    nlp = make_parser(**{**way, "loss_augmented": augmented})
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
    nlp = make_parser(max_step=1.0)
    full = gold_example(nlp, [1, 1, 1, 1, 3], ["x", "r", "y", "x", "y"], "f g h i j")
    nlp.initialize(lambda: [full])
    partial = gold_example(nlp, [1, None, 1, None, 3], ["x", None, "y", None, "x"])
    heads, labels = [2, 3, None, None, None], ["x", "y", None, None, None]
    crossing = gold_example(nlp, heads, labels, "k l m n o")
    assert seen_losses(nlp, [crossing], 2) == [0, 0]
    losses = seen_losses(nlp, [partial, crossing, full], 15)
    assert losses[0] > losses[-1] >= 0
    assert arcs(nlp(sentence(nlp, "f g h i j"))) == arcs(full.reference)
    found = arcs(nlp(sentence(nlp, "a b c d e")))
    assert [found[i] for i in (0, 2, 4)] == [(1, "x"), (1, "y"), (3, "x")]


def test_same_seed_same_bytes():
    data = []
    for seed in (3, 3, 4):
        nlp = make_parser(seed=seed, dropout=0.2)
        train(nlp, read(nlp, "train", 40), epochs=2)
        data.append(nlp.get_pipe(NAME).to_bytes(exclude=["vocab"]))
    assert data[0] == data[1] != data[2]
