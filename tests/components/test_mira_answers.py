"""Lists of trees, confidences, explanations and corrections of the MIRA parser."""

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.answers.calibration import (
    Calibration,
    expected_calibration_error,
    fit_temperature,
    log_loss,
)
from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.explanation import ROOT_NAME
from spacy_perceptron.components._dependencies.writer import SPACE_LABEL
from spacy_perceptron.components.mira_parser import MiraParser
from spacy_perceptron.decode.arcs.scorer import PartScorer

from ..decode.arcs.projective.reference import Heads, all_trees, parts_of
from .parsing import (
    NAME,
    UNPRUNED,
    arcs,
    cut,
    make_parser,
    read,
    sample_parser,
    sentence,
    set_arcs,
    templates,
    train,
)

MST = {"order": 1, "decoder": "mst"}
# For comparisons with brute force.
SETTINGS: list[dict[str, Any]] = [{"order": 1}, {"order": 2}, {"order": 3}, MST]


def name_of(settings: dict[str, Any]) -> str:
    return f"{settings.get('decoder', 'eisner')}{settings['order']}"


@functools.cache
def trained_bytes(name: str) -> bytes:
    """A parser trained on part of the sample treebank."""
    settings = next(settings for settings in SETTINGS if name_of(settings) == name)
    return sample_parser(limit=200, epochs=1, **settings).get_pipe(NAME).to_bytes()


@pytest.fixture(params=[{"order": 2}, MST], ids=name_of)
def settings(request: pytest.FixtureRequest) -> dict[str, Any]:
    return request.param


@pytest.fixture
def parser_bytes(settings: dict[str, Any]) -> bytes:
    return trained_bytes(name_of(settings))


@pytest.fixture
def nlp(settings: dict[str, Any], parser_bytes: bytes) -> Language:
    """A pipeline of the test's own."""
    nlp = make_parser(**settings)
    nlp.get_pipe(NAME).from_bytes(parser_bytes)
    return nlp


@pytest.fixture(params=SETTINGS, ids=name_of)
def unpruned(request: pytest.FixtureRequest) -> Language:
    """A pipeline of the test's own without pruning."""
    nlp = make_parser(**request.param, **UNPRUNED)
    nlp.get_pipe(NAME).from_bytes(trained_bytes(name_of(request.param)))
    return nlp


def heads_of(candidate: Candidate) -> Heads:
    """Heads as decoders number them: words from 1 on, 0 for the root."""
    heads = candidate.annotation["head"]
    return tuple(0 if head == i else int(head) + 1 for i, head in enumerate(heads))


def spanning_trees(n: int) -> list[Heads]:
    """All trees with one root, crossing or not. There are n ** (n - 1) of them."""

    def is_tree(heads: Heads) -> bool:
        for word in range(1, n + 1):
            for _ in range(n + 1):
                word = heads[word - 1] if word else 0
            if word:
                return False
        return heads.count(0) == 1

    return [heads for heads in itertools.product(range(n + 1), repeat=n) if is_tree(heads)]


def trees_of(pipe: MiraParser, n: int) -> list[Heads]:
    return all_trees(n) if pipe.decoder == "eisner" else spanning_trees(n)


def weights_of(scorer: PartScorer, order: int, heads: Heads, n_labels: int) -> Iterator[float]:
    """The weights of all features of all parts of a tree of the sentence that was loaded last."""
    before, after = scorer.no_child_before(), scorer.no_child_after()
    for kind, members in parts_of(heads):
        found: list[tuple[int, float]] = []
        if kind == "arc":
            head, child = members
            found = scorer.part_weights("arc", head, child)
            yield max(
                sum(w for _, w in scorer.arc_label_weights(head, child, label))
                for label in range(n_labels)
            )
        elif order == 1 or (kind == "grand_sibling" and order < 3):
            continue
        elif kind == "grand":
            (grand, head), (_, child) = members
            found = scorer.part_weights("grand", head, child, grand=grand)
        elif kind == "grand_sibling":
            (grand, head), (_, inner), (_, outer) = members
            found = scorer.part_weights("grand_sibling", head, outer, inner=inner, grand=grand)
        elif kind == "childless":
            head, side = members
            found = scorer.part_weights("sibling", head, after, inner=before, side=side)
        else:
            (head, inner), (_, outer) = members if kind == "sibling" else (members, members)
            side = int(outer > head)
            inner, outer = {
                "first": (before, outer),
                "last": (inner, after),
                "sibling": (inner, outer),
            }[kind]
            found = scorer.part_weights("sibling", head, outer, inner=inner, side=side)
        yield from (weight for _, weight in found)


def tree_scores(pipe: MiraParser, doc: Doc) -> dict[Heads, float]:
    """Scores of all trees of a short sentence, from nothing but features and weights."""
    parsing = pipe._get_parsing()
    # Loads the sentence.
    parsing.allowed(pipe._input(pipe._read_docs([doc])))
    return {
        heads: sum(weights_of(parsing.scorer, pipe.order, heads, len(pipe.labels)))
        for heads in trees_of(pipe, len(doc))
    }


def arcs_of(heads: Heads) -> list[tuple[int, int]]:
    return [(head, child) for child, head in enumerate(heads, start=1)]


def short_docs(nlp: Language, n: int, limit: int) -> list[Doc]:
    """The first words of dev sentences."""
    docs = [example.predicted for example in read(nlp) if len(example.predicted) > n]
    return [cut(doc, n) for doc in docs[:limit]]


# --- N-best lists -----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_nbest_lists_all_trees_in_order(unpruned: Language, n: int):
    """Against the score of every tree there is; the numbers of projective ones are known."""
    pipe = unpruned.get_pipe(NAME)
    counts = [1, 2, 7, 30] if pipe.decoder == "eisner" else [1, 2, 9, 64]
    for doc in short_docs(unpruned, n, 6):
        expected = tree_scores(pipe, doc)
        assert len(expected) == counts[n - 1]
        trees = pipe.nbest(doc, 1000)
        assert {heads_of(tree) for tree in trees} == set(expected)
        assert len(trees) == len(expected)
        for tree in trees:
            assert tree.score == pytest.approx(expected[heads_of(tree)], abs=1e-4)
        best = sorted(expected.values(), reverse=True)
        for k in (1, 2, 5):
            found = [tree.score for tree in pipe.nbest(doc, k)]
            assert found == pytest.approx(best[:k], abs=1e-4)


def test_nbest(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    for doc in short_docs(nlp, 8, 15):
        trees = pipe.nbest(doc, 10)
        assert not doc.has_annotation("DEP")
        assert len(trees) == 10
        assert len({tuple(tree.annotation["head"]) for tree in trees}) == 10
        scores = np.array([tree.score for tree in trees])
        assert (np.diff(scores) <= 0).all()
        shares = np.exp(scores - scores[0]) / np.exp(scores - scores[0]).sum()
        assert [tree.probability for tree in trees] == pytest.approx(shares.tolist())
        assert sum(tree.probability for tree in trees) == pytest.approx(1.0, abs=1e-12)
        found = nlp(doc.copy())
        first = trees[0].annotation
        assert list(zip(first["head"], first["dep"], strict=True)) == arcs(found)
        for tree in trees:
            applied = tree.apply(doc.copy())
            assert [token.head.i for token in applied] == tree.annotation["head"]
            assert [token.dep_ for token in applied] == tree.annotation["dep"]
            assert len(list(applied.sents)) == 1


def several_sentences(nlp: Language, n: int = 4) -> Doc:
    """Short sentences with whitespace before, inside and behind, the last one of one word."""
    rows: list[tuple[str, str, bool]] = []
    for doc in [*short_docs(nlp, n, 2), *short_docs(nlp, 1, 1)]:
        words = [(token.text, token.tag_, False) for token in doc]
        words[1:1] = [("\n", "", False)]
        rows += [(" ", "", True), *words, ("\n\n", "", False)]
    words_, tags, starts = (list(column) for column in zip(*rows, strict=True))
    return Doc(nlp.vocab, words=words_, tags=tags, sent_starts=starts)


def test_nbest_of_several_sentences(unpruned: Language):
    pipe = unpruned.get_pipe(NAME)
    doc = several_sentences(unpruned)
    k = 25
    trees = pipe.nbest(doc, k)
    # By brute force over the lists of the sentences, which are parts of the doc without context.
    lists = [pipe.nbest(sent.as_doc(), k) for sent in doc.sents]
    sums = sorted(sum(t.score for t in choice) for choice in itertools.product(*lists))[::-1]
    assert [tree.score for tree in trees] == pytest.approx(sums[:k])
    assert sum(tree.probability for tree in trees) == pytest.approx(1.0)
    assert len({tuple(tree.annotation["head"]) for tree in trees}) == k
    spaces = [token.i for token in doc if token.is_space]
    assert len(spaces) == 9
    starts = [token.is_sent_start for token in doc]
    for tree in trees:
        assert {tree.annotation["dep"][i] for i in spaces} == {SPACE_LABEL}
        applied = tree.apply(doc.copy())
        assert [token.is_sent_start for token in applied] == starts
        assert [token.head.i for token in applied] == tree.annotation["head"]
        for sent in applied.sents:
            assert sum(token.head == token for token in sent) == 1


def test_nbest_is_stored_as_plain_data(settings: dict[str, Any], parser_bytes: bytes):
    nlp = make_parser(**settings, nbest=3)
    pipe = nlp.get_pipe(NAME).from_bytes(parser_bytes)
    doc = several_sentences(nlp)
    expected = [
        {
            "score": tree.score,
            "probability": tree.probability,
            "head": tree.annotation["head"],
            "dep": tree.annotation["dep"],
        }
        for tree in pipe.nbest(doc, 3)
    ]
    nlp(doc)
    assert doc._.nbest == {NAME: expected}
    assert list(zip(expected[0]["head"], expected[0]["dep"], strict=True)) == arcs(doc)
    kinds = {type(value) for tree in expected for value in (*tree["head"], *tree["dep"])}
    assert kinds == {int, str}


@pytest.mark.parametrize("k", [0, -1])
def test_nbest_of_none(nlp: Language, k: int):
    with pytest.raises(ValueError, match=f"must be 1 or more, not {k}"):
        nlp.get_pipe(NAME).nbest(sentence(nlp, "Well .", "RB ."), k)


# --- Confidence -------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_confidence_is_the_probability_of_the_arc(unpruned: Language, temperature: float):
    """Summed over all trees there are."""
    pipe = unpruned.get_pipe(NAME)
    pipe.calibration = Calibration(temperature)
    for n in (1, 2, 4):
        for doc in short_docs(unpruned, n, 5):
            scores = tree_scores(pipe, doc)
            best = max(scores.values())
            shares = {h: np.exp((s - best) / temperature) for h, s in scores.items()}
            total = sum(shares.values())
            unpruned(doc)
            for token in doc:
                head = 0 if token.head == token else token.head.i + 1
                mass = sum(share for heads, share in shares.items() if heads[token.i] == head)
                assert token._.head_confidence == pytest.approx(mass / total, abs=1e-4)
            for tree in pipe.nbest(doc, 1000):
                share = shares[heads_of(tree)] / total
                assert tree.probability == pytest.approx(share, abs=1e-4)


def test_confidences_are_probabilities(nlp: Language):
    """After little training, when scores are close, and after much, when they are far apart."""
    examples = read(nlp, "train", 30)
    for _ in range(2):
        for example in read(nlp, limit=30):
            doc = nlp(example.predicted)
            assert all(0 < token._.head_confidence <= 1 for token in doc)
        for _ in range(6):
            nlp.update(examples)


def test_confident_heads_are_right_more_often(nlp: Language):
    confidences, is_right = nlp.get_pipe(NAME).raw_confidences(read(nlp), 1.0)
    right, wrong = confidences[is_right], confidences[~is_right]
    assert len(wrong) > 30
    # How often a right head has more confidence than a wrong one; by chance, half the time.
    wins = (right[:, None] > wrong) + (right[:, None] == wrong) / 2
    assert wins.mean() > 0.7


def test_raw_confidences_are_those_of_words_with_gold_heads(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    example = read(nlp, limit=1)[0]
    doc = nlp(example.predicted.copy())
    gold = arcs(example.reference)
    n = len(gold)
    partial = set_arcs(
        example.reference.copy(),
        [head if i % 2 else None for i, (head, _) in enumerate(gold)],
        [label if i % 2 else None for i, (_, label) in enumerate(gold)],
    )
    confidences, is_right = pipe.raw_confidences([Example(example.predicted, partial)], 1.0)
    places = range(1, n, 2)
    assert confidences.tolist() == pytest.approx([doc[i]._.head_confidence for i in places])
    assert is_right.tolist() == [doc[i].head.i == gold[i][0] for i in places]


def test_calibration(nlp: Language):
    """A temperature fitted on one part makes the confidences of another one more honest."""
    pipe = nlp.get_pipe(NAME)
    dev, test = read(nlp, "dev"), read(nlp, "test")
    temperature = fit_temperature(lambda value: pipe.raw_confidences(dev, value))
    before, after = (pipe.raw_confidences(test, value) for value in (1.0, temperature))
    assert before[1].tolist() == after[1].tolist()
    assert expected_calibration_error(*after) < expected_calibration_error(*before)
    assert log_loss(*after) < log_loss(*before)
    pipe.calibration = Calibration(temperature)
    docs = [nlp(example.predicted) for example in test]
    found = [token._.head_confidence for doc in docs for token in doc]
    assert found == pytest.approx(after[0].tolist(), abs=1e-6)


# --- Explanations -----------------------------------------------------------------------------


def test_explanations_add_up(unpruned: Language):
    """To the distance from the best tree to the best one in which the word has another head."""
    pipe = unpruned.get_pipe(NAME)
    for doc in [*short_docs(unpruned, 4, 6), *short_docs(unpruned, 2, 2)]:
        scores = tree_scores(pipe, doc)
        unpruned(doc)
        found = tuple(0 if t.head == t else t.head.i + 1 for t in doc)
        for i, token in enumerate(doc):
            other = max(score for heads, score in scores.items() if heads[i] != found[i])
            explanation = pipe.explain(doc, i)
            assert explanation.word == token.text
            assert (explanation.subject, explanation.step) == ("head", None)
            margin = explanation.chosen_score - explanation.runner_up_score
            assert margin == pytest.approx(scores[found] - other, abs=1e-4)
            differences = [feature.difference for feature in explanation.features]
            assert differences == sorted(differences, reverse=True)
            assert sum(differences) == pytest.approx(margin, abs=1e-4)
            chosen = ROOT_NAME if token.head == token else token.head.text
            assert explanation.chosen.startswith(chosen)
            assert explanation.runner_up != explanation.chosen


def test_explanations_of_whole_docs(nlp: Language):
    """With pruning, several sentences and whitespace, and nothing of the doc changes."""
    pipe = nlp.get_pipe(NAME)
    doc = nlp(several_sentences(nlp, 6))
    before = arcs(doc)
    known = {str(template) for group in pipe._program.templates.values() for template in group}
    sents = list(doc.sents)
    for sent in sents[:2]:
        for token in sent:
            if token.is_space:
                continue
            explanation = pipe.explain(doc, token.i)
            assert explanation.word == token.text
            assert {feature.template for feature in explanation.features} <= known
            margin = explanation.chosen_score - explanation.runner_up_score
            total = sum(feature.difference for feature in explanation.features)
            assert total == pytest.approx(margin, abs=1e-4)
            text = str(explanation)
            for feature in explanation.features:
                assert feature.template in text
    assert arcs(doc) == before


@pytest.mark.parametrize("max_heads", [1, 2, 3])
def test_the_runner_up_comes_from_the_same_arcs(
    settings: dict[str, Any], parser_bytes: bytes, max_heads: int
):
    """Of all trees over the arcs that pruning leaves, it is the best one with another head. Only
    where there is none, arcs between neighbours and from the root come in."""
    nlp = make_parser(**settings, pruning=0.0, max_heads=max_heads)
    pipe = nlp.get_pipe(NAME).from_bytes(parser_bytes)
    n_second = n_none = 0
    n = 4
    chains = {
        (h, c) for h, c in itertools.product(range(n + 1), repeat=2) if not h or h in (c - 1, c + 1)
    }
    for doc in short_docs(nlp, n, 24):
        trees = pipe.nbest(doc, 1000)
        best = heads_of(trees[0])
        scores = tree_scores(pipe, doc)
        arcs_left = pipe._get_parsing().allowed(pipe._input(pipe._read_docs([doc])))
        reachable = chains.union(arcs_left)
        for i in range(len(doc)):
            explanation = pipe.explain(doc, i)
            margin = explanation.chosen_score - explanation.runner_up_score
            others = [tree for tree in trees if heads_of(tree)[i] != best[i]]
            if others:
                n_second += 1
                assert margin == pytest.approx(trees[0].score - others[0].score, abs=1e-4)
            else:
                n_none += 1
                other = max(
                    score
                    for heads, score in scores.items()
                    if heads[i] != best[i] and reachable.issuperset(arcs_of(heads))
                )
                assert margin == pytest.approx(trees[0].score - other, abs=1e-4)
    assert n_second > 10 or max_heads == 1
    assert n_none > 10 or max_heads > 1


@pytest.mark.parametrize("attribute", ["direction", "distance"])
def test_explanations_tell_the_side_without_children(attribute: str):
    """In the gold tree A hangs on B, and A has no child to its right; in the only other one, B has
    none to its left. Learning has put weight on both."""
    text = f"p.tag s.tag c.tag arc.{attribute}"
    nlp = make_parser(templates=templates(["p.tag c.tag", text]), **UNPRUNED)
    words, tags = "a b", "A B"
    gold = set_arcs(sentence(nlp, words), [1, 1], ["x", "root"])
    train(nlp, [Example(sentence(nlp, words, tags), gold)], epochs=1)
    explanation = nlp.get_pipe(NAME).explain(sentence(nlp, words, tags), 0)
    assert (explanation.chosen, explanation.runner_up) == ("b", ROOT_NAME)
    last = "" if attribute == "direction" else ":<last>"
    values = {f.value: f for f in explanation.features if f.template == text}
    assert values[f"A <first> <last> right{last}"].chosen > 0
    assert values[f"B <first> <last> left{last}"].runner_up < 0
    assert values[f"B A <last> left{last}"].chosen > 0
    assert values[f"A B <last> right{last}"].runner_up < 0
    near = "" if attribute == "direction" else ":1"
    assert {f"B <first> A left{near}", f"A <first> B right{near}"} <= {
        *values,
        *(f.runner_up_value for f in values.values()),
    }
    assert len(values) in (5, 6)


def test_explain_what_is_not_there(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    doc = nlp(several_sentences(nlp))
    with pytest.raises(ValueError, match="Token 0 is whitespace"):
        pipe.explain(doc, 0)
    alone = next(token for token in list(doc.sents)[2] if not token.is_space)
    with pytest.raises(ValueError, match=f"Token {alone.i} is alone in its sentence"):
        pipe.explain(doc, alone.i)
    n = len(doc)
    for i in (n, -n - 1):
        with pytest.raises(IndexError, match=f"no token {i} in a doc of {n}"):
            pipe.explain(doc, i)
    assert pipe.explain(doc, 1 - n).word == doc[1].text
    with pytest.raises(IndexError, match="no token 0 in a doc of 0"):
        pipe.explain(nlp.make_doc(""), 0)


# --- Corrections ------------------------------------------------------------------------------


def wrong_and_right(nlp: Language) -> tuple[list[Example], list[Example]]:
    examples = read(nlp)
    is_right = [arcs(nlp(e.predicted.copy())) == arcs(e.reference) for e in examples]
    right = [example for example, flag in zip(examples, is_right, strict=True) if flag]
    wrong = [example for example, flag in zip(examples, is_right, strict=True) if not flag]
    return wrong, right


def test_correct_takes_effect_at_once(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    dev = read(nlp)
    before = [arcs(doc) for doc in nlp.pipe(example.predicted.copy() for example in dev)]
    wrong, _ = wrong_and_right(nlp)
    assert len(wrong) > 8
    saved = pipe.to_bytes()
    for example in wrong[:8]:
        assert 0 < pipe.correct(example) < 100
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        assert pipe.correct(example) == 0
        # Little else changes, and what changed is saved.
        after = [arcs(doc) for doc in nlp.pipe(e.predicted.copy() for e in dev)]
        same = [
            a == b for x, y in zip(before, after, strict=True) for a, b in zip(x, y, strict=True)
        ]
        assert np.mean(same) > 0.8
        pipe.from_bytes(pipe.to_bytes())
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
        pipe.from_bytes(saved)


def test_correct_leaves_right_answers_alone(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    _, right = wrong_and_right(nlp)
    docs = [nlp(example.predicted.copy()) for example in read(nlp, limit=10)]
    right += [Example(e.predicted, d) for e, d in zip(read(nlp, limit=10), docs, strict=True)]
    before = pipe.to_bytes()
    assert [pipe.correct(example) for example in right] == [0] * len(right)
    # No gold heads, no correction.
    bare = Example(docs[0], Doc(nlp.vocab, words=[token.text for token in docs[0]]))
    assert pipe.correct(bare) == 0
    assert pipe.to_bytes() == before


@pytest.mark.parametrize("max_heads", [5, 20])
def test_correct_one_word(settings: dict[str, Any], parser_bytes: bytes, max_heads: int):
    """The others stay free; whatever they get, the one is as it should be. There is a tree with
    any one arc, however few of them pruning leaves."""
    nlp = make_parser(**settings, max_heads=max_heads)
    pipe = nlp.get_pipe(NAME).from_bytes(parser_bytes)
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


def test_correct_a_label_alone(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    saved = pipe.to_bytes()
    for example in read(nlp, limit=6):
        doc = nlp(example.predicted.copy())
        wanted = arcs(doc)
        wanted[1] = (wanted[1][0], next(x for x in pipe.labels if x != wanted[1][1]))
        gold = set_arcs(example.predicted.copy(), *map(list, zip(*wanted, strict=True)))
        assert 0 < pipe.correct(Example(example.predicted, gold)) < 100
        assert arcs(nlp(example.predicted.copy())) == wanted
        pipe.from_bytes(saved)


def test_correct_several_sentences(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    wrong, _ = wrong_and_right(nlp)
    reference = Doc.from_docs([example.reference for example in wrong[:3]])
    predicted = Doc.from_docs([example.predicted for example in wrong[:3]])
    assert pipe.correct(Example(predicted.copy(), reference)) > 0
    assert arcs(nlp(predicted.copy())) == arcs(reference)


def test_correct_to_what_cannot_be(nlp: Language):
    pipe = nlp.get_pipe(NAME)
    before = pipe.to_bytes(exclude=["vocab"])
    doc = sentence(nlp, "a b c d", "DT NN VB NN")
    unknown = set_arcs(doc.copy(), [1, 1, 1, 1], ["ROOT", "NEW", "ROOT", "ROOT"])
    with pytest.raises(ValueError, match=r"has no label 'NEW'.*add_label"):
        pipe.correct(Example(doc, unknown))
    label = pipe.labels[0]
    crossing = set_arcs(doc.copy(), [2, 3, None, None], [label, label, None, None])
    if pipe.decoder == "eisner":
        with pytest.raises(ValueError, match="no projective tree has all of them"):
            pipe.correct(Example(doc, crossing))
        assert pipe.to_bytes(exclude=["vocab"]) == before
    else:
        assert pipe.correct(Example(doc, crossing)) > 0
        found = nlp(doc.copy())
        assert (found[0].head.i, found[1].head.i) == (2, 3)


def test_correct_brings_pruned_arcs_back(settings: dict[str, Any], parser_bytes: bytes):
    """With one head left to each word there is nothing to choose: the pruner itself must learn."""
    nlp = make_parser(**settings, pruning=1.0, max_heads=1)
    pipe = nlp.get_pipe(NAME).from_bytes(parser_bytes)
    wrong, _ = wrong_and_right(nlp)
    for example in wrong[:4]:
        assert pipe.oracle_recall([example]) < 1.0
        assert pipe.correct(example) > 0
        assert pipe.oracle_recall([example]) == 1.0
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)


def test_correct_brings_narrowed_arcs_back():
    """The best tree of arcs alone and the most probable arcs are all that is left."""
    nlp = make_parser(order=2, narrowing=1.0)
    pipe = nlp.get_pipe(NAME).from_bytes(trained_bytes("eisner2"))
    wrong, _ = wrong_and_right(nlp)
    lost = [example for example in wrong if pipe.oracle_recall([example], narrowed=True) < 1.0]
    assert len(lost) >= 4
    for example in lost[:4]:
        assert 0 < pipe.correct(example) < 100
        assert pipe.oracle_recall([example], narrowed=True) == 1.0
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)


def test_correct_in_the_middle_of_training(settings: dict[str, Any]):
    nlp = make_parser(**settings)
    examples = read(nlp, "train", 20)
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    pipe = nlp.get_pipe(NAME)
    wrong, _ = wrong_and_right(nlp)
    known = [e for e in wrong if {t.dep_ for t in e.reference} <= set(pipe.labels)]
    assert pipe.correct(known[0]) > 0
    assert arcs(nlp(known[0].predicted.copy())) == arcs(known[0].reference)
    # And training goes on from there.
    for _ in range(12):
        nlp.update([*examples, known[0]])
    assert nlp.evaluate([*read(nlp, "train", 20)])["dep_las_all"] == 1.0
    assert arcs(nlp(known[0].predicted.copy())) == arcs(known[0].reference)
