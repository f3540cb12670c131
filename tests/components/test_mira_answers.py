"""Lists of trees, confidences, explanations and corrections of the MIRA parser, by brute force and
with arcs pruned."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from spacy.language import Language
from spacy.tokens import Doc

from spacy_perceptron.answers.calibration import (
    Calibration,
)
from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.explanation import ROOT_NAME
from spacy_perceptron.components.mira_parser import MiraParser
from spacy_perceptron.decode.arcs.scorer import PartScorer

from ..decode.arcs.projective.reference import Heads, all_trees, parts_of
from ._dependencies.decoding import decoder_for
from ._dependencies.parsers import (
    EISNER1,
    EISNER2,
    EISNER3,
    MST,
    NAME,
    UNPRUNED,
    Parser,
    templates,
    train,
)
from ._dependencies.sentences import arcs, gold_example, sentence, short_docs, wrong_and_right


def name_of(parser: Parser) -> str:
    return parser.id


@pytest.fixture(params=[EISNER2, MST], ids=name_of)
def parser(request: pytest.FixtureRequest) -> Parser:
    return request.param


@pytest.fixture(params=[EISNER1, EISNER2, EISNER3, MST], ids=name_of)
def unpruned(request: pytest.FixtureRequest) -> Language:
    """A trained pipeline of the test's own without pruning, for comparisons with brute force."""
    return request.param.load(**UNPRUNED)


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
    parsing, words = decoder_for(pipe, doc)
    # Loads the sentence.
    parsing.allowed(words)
    return {
        heads: sum(weights_of(parsing.scorer, pipe.order, heads, len(pipe.labels)))
        for heads in trees_of(pipe, len(doc))
    }


def arcs_of(heads: Heads) -> list[tuple[int, int]]:
    return [(head, child) for child, head in enumerate(heads, start=1)]


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


@pytest.mark.parametrize("max_heads", [1, 2, 3])
def test_the_runner_up_comes_from_the_same_arcs(parser: Parser, max_heads: int):
    """Of all trees over the arcs that pruning leaves, it is the best one with another head. Only
    where there is none, arcs between neighbours and from the root come in."""
    nlp = parser.load(pruning=0.0, max_heads=max_heads)
    pipe = nlp.get_pipe(NAME)
    n_second = n_none = 0
    n = 4
    chains = {
        (h, c) for h, c in itertools.product(range(n + 1), repeat=2) if not h or h in (c - 1, c + 1)
    }
    for doc in short_docs(nlp, n, 24):
        trees = pipe.nbest(doc, 1000)
        best = heads_of(trees[0])
        scores = tree_scores(pipe, doc)
        parsing, words = decoder_for(pipe, doc)
        arcs_left = parsing.allowed(words)
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
    nlp = EISNER2.make(templates=templates(["p.tag c.tag", text]), **UNPRUNED)
    words, tags = "a b", "A B"
    train(nlp, [gold_example(nlp, [1, 1], ["x", "root"], words, tags)], epochs=1)
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


# --- Corrections ------------------------------------------------------------------------------


def test_correct_brings_pruned_arcs_back(parser: Parser):
    """With one head left to each word there is nothing to choose: the pruner itself must learn."""
    nlp = parser.load(pruning=1.0, max_heads=1)
    pipe = nlp.get_pipe(NAME)
    wrong, _ = wrong_and_right(nlp)
    for example in wrong[:4]:
        assert pipe.oracle_recall([example]) < 1.0
        assert pipe.correct(example) > 0
        assert pipe.oracle_recall([example]) == 1.0
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)


def test_correct_brings_narrowed_arcs_back():
    """The best tree of arcs alone and the most probable arcs are all that is left."""
    nlp = EISNER2.load(narrowing=1.0)
    pipe = nlp.get_pipe(NAME)
    wrong, _ = wrong_and_right(nlp)
    lost = [example for example in wrong if pipe.oracle_recall([example], narrowed=True) < 1.0]
    assert len(lost) >= 4
    for example in lost[:4]:
        assert 0 < pipe.correct(example) < 100
        assert pipe.oracle_recall([example], narrowed=True) == 1.0
        assert arcs(nlp(example.predicted.copy())) == arcs(example.reference)
