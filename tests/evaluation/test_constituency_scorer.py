import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Corpus, Example
from spacy.training.loop import create_evaluation_callback
from spacy.util import registry

from spacy_perceptron.evaluation.constituency_scorer import score_constituents
from spacy_perceptron.evaluation.counts import count_metrics
from spacy_perceptron.trees.constituents import (
    constituents_to_tree,
    set_constituents,
    tree_to_constituents,
)
from spacy_perceptron.trees.tree import Tree

from ..real_data import data_path
from ..strategies import phrases
from ..treebank_docs import make_doc, parse, trees_to_doc
from .bracket_scores import NAMES, slow_scores

VOCAB = spacy.blank("en").vocab


def make_example(predicted: list[str], gold: list[str]) -> Example:
    """Both sides from brackets; the predicted side has neither tags nor sentences of its own."""
    found, expected = make_doc(*predicted, vocab=VOCAB), make_doc(*gold, vocab=VOCAB)
    bare = Doc(VOCAB, words=[token.text for token in found])
    bare.spans["constituents"] = found.spans["constituents"].copy(doc=bare)
    return Example(bare, expected)


def numbers(examples: Iterable[Example], **options: Any) -> tuple[float, ...]:
    scores = score_constituents(examples, **options)
    return tuple(scores[name] for name in NAMES)


# Without punctuation: The 0 dog 1 ran 2 to 3 me 4 fast 5.
GOLD = (
    "(S (NP-SBJ (DT The) (NN dog)) (VP (VBD ran) (PP (IN to) (NP (PRP me))) (, ,) "
    "(ADVP (RB fast))) (. .))"
)
PREDICTED = (
    "(S (NP (DT The)) (VP (NN dog) (VBD ran) (PP (IN to) (NP (PRP me)))) (, ,) "
    "(PRT (RB fast)) (. .))"
)


def test_by_hand():
    # Gold: S 0-6, NP 0-2, VP 2-6, PP 3-5, NP 4-5, ADVP 5-6. Predicted: S 0-6, NP 0-1, VP 1-5,
    # PP 3-5, NP 4-5, ADVP 5-6. Four of six are right. VP 1-5 crosses NP 0-2 and VP 2-6, which
    # counts once; NP 0-1 is inside NP 0-2.
    example = make_example([PREDICTED], [GOLD])
    assert numbers([example]) == pytest.approx((4 / 6, 4 / 6, 4 / 6, 0, 1, 0))
    scores = score_constituents([example])
    assert scores["const_per_type"] == {
        "ADVP": pytest.approx({"p": 1, "r": 1, "f": 1}),
        "NP": pytest.approx({"p": 0.5, "r": 0.5, "f": 0.5}),
        "PP": pytest.approx({"p": 1, "r": 1, "f": 1}),
        "S": pytest.approx({"p": 1, "r": 1, "f": 1}),
        "VP": pytest.approx({"p": 0, "r": 0, "f": 0}),
    }
    assert list(scores["const_per_type"]) == sorted(scores["const_per_type"])
    # Together with a perfect sentence of two brackets: 6 of 8, one sentence of two.
    both = [example, make_example(["(S (VP (VB Go)))"], ["(S (VP (VB Go)))"])]
    assert numbers(both) == pytest.approx((6 / 8, 6 / 8, 6 / 8, 1 / 2, 1 / 2, 1 / 2))


@pytest.mark.parametrize(
    ("predicted", "gold", "counts"),
    [
        # Punctuation may hang anywhere, and a phrase of nothing else does not count.
        ("(S (NP (NN a) (: --)) (VP (VB b)))", "(S (NP (NN a)) (: --) (VP (VB b)))", (3, 3, 3)),
        ("(S (X (`` ``) (NN a)) ('' ''))", "(S (`` ``) (X (NN a) ('' '')))", (2, 2, 2)),
        ("(S (NN a) (PRN (: --) (, ,)))", "(S (NN a) (: --) (, ,))", (1, 1, 1)),
        # Brackets and currency signs are words.
        ("(S (NP ($ $)) (CD 1))", "(S (NP ($ $) (CD 1)))", (1, 2, 2)),
        ("(S (NP (-LRB- -LRB-)) (CD 1))", "(S (NP (-LRB- -LRB-) (CD 1)))", (1, 2, 2)),
        # It takes the gold tags to see that the word is punctuation.
        ("(S (NP (NN a) (NN -)) (VP (VB b)))", "(S (NP (NN a)) (: -) (VP (VB b)))", (3, 3, 3)),
        ("(S (NP (NN a)) (: -) (VP (VB b)))", "(S (NP (NN a) (NN -)) (VP (VB b)))", (2, 3, 3)),
        # Brackets match one to one.
        ("(NP (NN a))", "(NP (NP (NN a)))", (1, 1, 2)),
        ("(NP (NP (NP (NN a))))", "(NP (NP (NN a)))", (2, 3, 2)),
        # The order in a unary chain is not compared.
        ("(S (VP (NP (NN a))))", "(VP (NP (S (NN a))))", (3, 3, 3)),
        # PRT is ADVP; function tags do not matter.
        ("(VP (PRT (RP up)) (NP-TMP (NN a)))", "(VP (ADVP (RP up)) (NP (NN a)))", (3, 3, 3)),
        # The top node does not count, and words without phrases have no brackets.
        ("(ROOT (NN a) (NN b))", "(ROOT (S (NN a)) (NN b))", (0, 0, 1)),
    ],
)
def test_what_counts(predicted, gold, counts):
    n_right, n_predicted, n_gold = counts
    example = make_example([predicted], [gold])
    stats = count_metrics([example], ["const_f", "const_exact"])
    assert stats["const_f"].stats.tolist() == [[n_right, n_predicted, n_gold]]
    is_exact = n_right == n_predicted == n_gold
    assert stats["const_exact"].stats.tolist() == [[is_exact, 1, 1]]
    assert stats["const_exact"].correct.tolist() == [is_exact]
    p, r, f, exact, _, _ = numbers([example])
    assert p == pytest.approx(n_right / max(n_predicted, 1))
    assert r == pytest.approx(n_right / n_gold)
    assert f == pytest.approx(2 * n_right / (n_predicted + n_gold)) == stats["const_f"].value
    assert exact == is_exact


def test_top_labels_in_the_span_group_do_not_count():
    example = make_example(["(S (NP (NN a)))"], ["(S (NP (NN a)))"])
    for doc, label in [(example.predicted, "TOP"), (example.reference, "ROOT")]:
        set_constituents(doc, [Span(doc, 0, 1, label=label), *doc.spans["constituents"]])
    assert count_metrics([example], ["const_f"])["const_f"].stats.tolist() == [[2, 2, 2]]


def test_missing_gold_does_not_count():
    example = make_example([PREDICTED], [GOLD])
    bare = make_example([PREDICTED], [GOLD])
    del bare.reference.spans["constituents"]
    assert set(score_constituents([bare]).values()) == {None}
    assert set(score_constituents([]).values()) == {None}
    assert numbers([bare, example]) == numbers([example])
    assert count_metrics([bare]).keys().isdisjoint(["const_f", "const_exact"])
    stats = count_metrics([bare, example], ["const_f", "const_exact"])
    assert stats["const_f"].stats.tolist() == [[0, 0, 0], [4, 6, 6]]
    assert stats["const_exact"].stats.tolist() == [[0, 0, 0], [0, 1, 1]]
    # A gold tree without phrases is one, though.
    empty = make_example([PREDICTED], [GOLD])
    set_constituents(empty.reference, [])
    assert numbers([empty]) == (0, 0, 0, 0, 0, 1)


def test_missing_predictions_are_wrong():
    example = make_example([PREDICTED], [GOLD])
    del example.predicted.spans["constituents"]
    assert numbers([example]) == (0, 0, 0, 0, 0, 1)
    # The pipeline does not parse: there is nothing to compare.
    assert count_metrics([example]).keys().isdisjoint(["const_f", "const_exact"])


def test_sentences_are_those_of_gold():
    go, stay = "(S (VP (VB Go)))", "(S (VP (VB Stay)) (. .))"
    assert numbers([make_example([go, stay], [go, stay])]) == pytest.approx((1, 1, 1, 1, 0, 1))
    # One tree over both: S 0-2 starts in the first sentence, so does VP 0-1; VP 1-2 is in the
    # second, where S is missing. Right: both VPs of three predicted and four gold brackets.
    joined = "(S (VP (VB Go)) (VP (VB Stay)) (. .))"
    example = make_example([joined], [go, stay])
    assert numbers([example]) == pytest.approx((2 / 3, 2 / 4, 4 / 7, 0, 0, 1))
    # With a wrong tree for the first sentence alone, the second one is exact.
    example = make_example(["(NP (VB Go))", stay], [go, stay])
    assert numbers([example]) == pytest.approx((2 / 3, 2 / 4, 4 / 7, 1 / 2, 0, 1))
    # Without sentences, a gold Doc is a single one.
    for token in list(example.reference)[1:]:
        token.is_sent_start = False
    assert numbers([example])[3] == 0


def test_white_space_does_not_matter():
    gold = make_doc(GOLD, vocab=VOCAB)
    words = [token.text for token in gold]
    predicted = Doc(VOCAB, words=["\n", *words[:3], " ", *words[3:], "\n\n"])
    # The NP over "The dog" ends after a space, the VP starts with it; the rest is as in gold.
    rows = [("S", 0, 11), ("NP", 0, 3), ("VP", 3, 9), ("PP", 5, 7), ("NP", 6, 7), ("ADVP", 8, 9)]
    set_constituents(predicted, [Span(predicted, a, b, label=label) for label, a, b in rows])
    assert numbers([Example(predicted, gold)]) == pytest.approx((1, 1, 1, 1, 0, 1))
    # White space in gold, too, also as a sentence of its own.
    starts = [True, *[False] * 10, True]
    spaced = Doc(
        VOCAB,
        words=[*[token.text for token in predicted], "\n"],
        tags=["_SP", "DT", "NN", "VBD", "_SP", "IN", "PRP", ",", "RB", ".", "_SP", "_SP"],
        sent_starts=starts,
    )
    set_constituents(spaced, [Span(spaced, a, b, label=label) for label, a, b in rows])
    bare = Doc(VOCAB, words=words)
    bare.spans["constituents"] = gold.spans["constituents"].copy(doc=bare)
    assert numbers([Example(bare, spaced)]) == pytest.approx((1, 1, 1, 1, 0, 1))
    assert count_metrics([Example(bare, spaced)])["const_exact"].stats.tolist() == [[1, 1, 1]]


def test_sentences_of_punctuation_do_not_count():
    go, dash = "(S (VP (VB Go)))", "(NP (: --) (. .))"
    example = make_example(["(NP (VB Go))", dash, go, dash], [go, dash, go, dash])
    # NP is wrong in the first of two sentences.
    assert numbers([example]) == pytest.approx((2 / 3, 2 / 4, 4 / 7, 1 / 2, 0, 1))
    assert set(score_constituents([make_example([dash], [dash])]).values()) == {None}


def test_other_tokens():
    # (S (NP He) (VP ca n't (VP go)) .) on the tokens He | can't | go. | with a bracket that ends
    # inside of a gold token's text: "go." is no word, but its full stop does not count.
    gold = Doc(
        VOCAB,
        words=["He", "ca", "n't", "go", "."],
        spaces=[True, False, True, False, False],
        tags=["PRP", "MD", "RB", "VB", "."],
    )
    rows = [("S", 0, 5), ("NP", 0, 1), ("VP", 1, 4), ("VP", 3, 4)]
    set_constituents(gold, [Span(gold, a, b, label=label) for label, a, b in rows])
    predicted = Doc(VOCAB, words=["He", "can't", "go."], spaces=[True, True, False])
    rows = [("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("VP", 2, 3)]
    set_constituents(predicted, [Span(predicted, a, b, label=label) for label, a, b in rows])
    assert numbers([Example(predicted, gold)]) == pytest.approx((1, 1, 1, 1, 0, 1))
    # The phrase over "H" alone is wrong, and the one over "e can" crosses NP and VP.
    spaces = [False, True, False, True, False]
    split = Doc(VOCAB, words=["H", "e", "can", "'t", "go."], spaces=spaces)
    rows = [("S", 0, 5), ("NP", 0, 1), ("X", 1, 3)]
    set_constituents(split, [Span(split, a, b, label=label) for label, a, b in rows])
    assert numbers([Example(split, gold)]) == pytest.approx((1 / 3, 1 / 4, 2 / 7, 0, 1, 0))


def test_other_text_is_refused():
    gold = make_doc("(S (NN a) (NN b))", vocab=VOCAB)
    with pytest.raises(ValueError, match="E949"):
        score_constituents([Example(make_doc("(S (NN a))", vocab=VOCAB), gold)])


def test_other_punctuation():
    scorer = registry.get("scorers", "spacy_perceptron.constituency_scorer.v1")
    german = scorer(punctuation=["$,", "$."])
    example = make_example(["(S (NP (NN a) ($, ,)) (: :))"], ["(S (NP (NN a)) ($, ,) (: :))"])
    assert german([example])["const_f"] == 1
    # S and NP in gold; S is right, and the comma is a word to the Penn Treebank.
    assert scorer()([example])["const_f"] == pytest.approx(1 / 2)
    # Settings of the pipe do not reach the scorer, and it can be sent to other processes.
    assert pickle.loads(pickle.dumps(german))([example], punctuation=[":"])["const_f"] == 1


def perturbed(tree: Tree, rng: np.random.Generator) -> Tree:
    """A tree over the same words, some of whose phrases are gone, renamed, doubled or new."""
    words, tags = tree.words(), tree.tags()
    rows = []
    for label, start, end in tree_to_constituents(tree):
        how = rng.random()
        if how > 0.3:
            rows.append((label if how > 0.4 else "PRT", start, end))
        if how > 0.95:
            rows.append((label, start, end))
    for _ in range(10):
        start, end = sorted(rng.choice(len(words) + 1, 2, replace=False).tolist())
        nested = all(
            (s <= start and end <= e) or (start <= s and e <= end) or e <= start or end <= s
            for _, s, e in rows
        )
        rows += [("NP", start, end)] if nested else []
    # Tags of a parser of its own: they must not matter.
    return constituents_to_tree(rows, words, rng.permutation(tags).tolist())


def check_by_brute_force(trees: list[Tree], seed: int) -> dict[str, float | None]:
    rng = np.random.default_rng(seed)
    pairs = [(tree, perturbed(tree, rng)) for tree in trees]
    cut = int(rng.integers(len(pairs)))
    examples = []
    for part in filter(None, (pairs[:cut], pairs[cut:])):
        gold, predicted = (trees_to_doc(side, VOCAB) for side in zip(*part, strict=True))
        examples.append(Example(predicted, gold))
    expected = slow_scores(pairs)
    scores = score_constituents(examples)
    assert {name: scores[name] for name in NAMES} == pytest.approx(expected)
    for name, counts in count_metrics(examples, ["const_f", "const_exact"]).items():
        assert counts.value == pytest.approx(expected[name] or 0)
    return expected


LABELS = ["S", "NP", "NP-SBJ", "PRT", "ADVP"]
TAGS = ["NN", "VB", ",", ".", ":"]


@settings(deadline=None)
@given(st.lists(phrases(9, LABELS, TAGS), min_size=1, max_size=4), st.integers(0, 1000))
def test_by_brute_force(nodes, seed):
    check_by_brute_force([Tree("ROOT", [node]) for node in nodes], seed)


@pytest.mark.slow
def test_by_brute_force_on_a_real_treebank():
    lines = (data_path("wsj") / "dev.mrg").read_text(encoding="utf8").splitlines()
    scores = check_by_brute_force([parse(line) for line in lines], 0)
    assert 0.5 < scores["const_f"] < 0.9
    assert scores["const_crossing"] > 0.1


@Language.component("test_flat_parser")
def parse_flat(doc: Doc) -> Doc:
    set_constituents(doc, [Span(doc, 0, len(doc), label="S")] if len(doc) else [])
    return doc


class FlatParser:
    """Calls everything an S; its scorer is the registered one."""

    def __init__(self, scorer: Any) -> None:
        self.scorer = scorer

    def __call__(self, doc: Doc) -> Doc:
        return parse_flat(doc)

    def score(self, examples: Iterable[Example], **settings: Any) -> dict[str, Any]:
        return self.scorer(examples, **settings)


@Language.factory(
    "test_scored_parser",
    default_config={"scorer": {"@scorers": "spacy_perceptron.constituency_scorer.v1"}},
    default_score_weights={"const_f": 1.0, "const_p": 0.0, "const_per_type": None},
)
def make_flat_parser(nlp: Language, name: str, scorer: Any) -> FlatParser:
    return FlatParser(scorer)


def test_scores_in_evaluation_and_training(tmp_path, capsys):
    nlp = spacy.blank("en")
    nlp.add_pipe("test_scored_parser")
    path = tmp_path / "dev.spacy"
    DocBin(docs=[make_doc(GOLD)]).to_disk(path)
    # One of six brackets is found: P = 1, R = 1 / 6, F = 2 / 7.
    score, scores = create_evaluation_callback(nlp, Corpus(path), {"const_f": 1.0})()
    assert score == pytest.approx(2 / 7)
    assert scores["const_p"] == pytest.approx(1)
    nlp.to_disk(tmp_path / "model")
    found = spacy.cli.evaluate(
        str(tmp_path / "model"), path, silent=False, spans_key="constituents"
    )
    assert found["const_f"] == pytest.approx(2 / 7)
    printed = capsys.readouterr().out
    assert "28.57" in printed
    assert "ADVP" in printed
