"""What parsers learn, from gold trees of all kinds and whatever is set."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import load_model_from_config

from spacy_perceptron.trees.projectivity import is_lifted, is_projective

from ..parsers import FACTORIES, NAME, PARSERS, Parser, train
from ..sentences import (
    arcs,
    check_sentences,
    crossing_examples,
    gold_example,
    read,
    sentence,
    spaced,
)

PROJECTIVE = [parser for parser in PARSERS if parser.projective]


def name_of(parser: Parser) -> str:
    return parser.id


# --- Gold trees of all kinds ------------------------------------------------------------------

TROUBLES: dict[str, tuple[list[int | None], list[str | None]]] = {
    "two roots": ([1, 1, 1, 3, 3], ["x", "r", "y", "r", "y"]),
    "five roots": ([0, 1, 2, 3, 4], ["r"] * 5),
    "a cycle": ([1, 2, 0, 2, 3], ["x", "y", "x", "y", "x"]),
    "a cycle and a root": ([1, 0, 2, 2, 2], ["x", "y", "r", "y", "x"]),
    "missing heads": ([1, None, 1, None, 3], ["x", None, "y", None, "x"]),
    "missing labels": ([1, 1, 1, 1, 3], ["x", "r", None, None, "x"]),
    "no label at all": ([1, 1, 1, 1, 3], [None] * 5),
    "crossing arcs with gaps": ([2, 3, None, None, None], ["x", "y", None, None, None]),
    "crossing arcs and two roots": ([2, 3, 2, 3, 3], ["x", "y", "r", "r", "x"]),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_gold_with_trouble(trouble: str, parser: Parser):
    """What there is of a tree is learned. Losses count mistakes, so they are never negative."""
    heads, labels = TROUBLES[trouble]
    nlp = parser.make(max_step=1.0)
    full = gold_example(nlp, [1, 1, 1, 1, 3], ["x", "r", "y", "x", "y"], "f g h i j")
    nlp.initialize(lambda: [full])
    example = gold_example(nlp, heads, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        losses = [nlp.update([example, full])[NAME] for _ in range(15)]
    assert losses[0] > losses[-1] >= 0
    assert min(losses) >= 0
    doc = nlp(sentence(nlp, "a b c d e"))
    check_sentences(doc, [True, *[False] * 4])
    assert arcs(nlp(sentence(nlp, "f g h i j"))) == arcs(full.reference)
    sentences = nlp.get_pipe(NAME)._gold(example)
    wanted = [h for s in sentences for h in s.heads.tolist()]
    if "crossing" not in trouble or not parser.projective:
        found = [0 if head == i else head + 1 for i, (head, _) in enumerate(arcs(doc))]
        assert all(gold in (-1, head) for gold, head in zip(wanted, found, strict=True))


def test_labels_that_the_parser_does_not_have(parser: Parser):
    """The heads are learned all the same."""
    nlp = parser.sample(limit=20, epochs=1, max_step=1.0)
    words, heads = "Zorp blick snarf", [2, 0, 2]
    example = gold_example(nlp, heads, ["NEW"] * 3, words)
    losses = [nlp.update([example])[NAME] for _ in range(20)]
    assert losses[-1] == 0
    doc = nlp(sentence(nlp, words))
    assert [head for head, _ in arcs(doc)] == heads
    assert {label for _, label in arcs(doc)} <= set(nlp.get_pipe(NAME).labels)


def test_sentences_are_learned_one_by_one(parser: Parser):
    """Training on a doc of several sentences is training on each of them."""
    nlp, other = parser.make(), parser.make()
    whole, parts = read(nlp, "train", 6), read(other, "train", 6)
    joined = Doc.from_docs([e.reference for e in whole])
    predicted = Doc.from_docs([e.predicted for e in whole])
    nlp.initialize(lambda: [Example(predicted, joined)])
    other.initialize(lambda: parts)
    for _ in range(2):
        loss = nlp.update([Example(predicted, joined)])[NAME]
        assert loss == sum(other.update([example])[NAME] for example in parts)
    pipes = [pipeline.get_pipe(NAME) for pipeline in (nlp, other)]
    assert pipes[0].to_bytes(exclude=["vocab"]) == pipes[1].to_bytes(exclude=["vocab"])


def test_crossing_arcs_are_learned_and_found(parser: Parser):
    nlp = parser.make(nbest=3)
    pipe = nlp.get_pipe(NAME)
    examples = crossing_examples(nlp)
    crossing = [not is_projective([token.head.i for token in e.reference]) for e in examples]
    assert crossing == [True] * 6 + [False]
    train(nlp, examples, epochs=15)
    n_lifted = sum(map(is_lifted, pipe.label_data))
    assert 1 <= n_lifted <= 6 if parser.projective else n_lifted == 0
    # What docs never get is not listed.
    assert {*pipe.labels} == {token.dep_ for e in examples for token in e.reference}
    for example in examples:
        doc = nlp(example.predicted.copy())
        assert arcs(doc) == arcs(example.reference)
        assert len(list(doc.sents)) == 1
        # Lists of trees and confidences are about the trees as they are written.
        stored = doc._.nbest[NAME]
        assert list(zip(stored[0]["head"], stored[0]["dep"], strict=True)) == arcs(doc)
        assert not any(is_lifted(label) for tree in stored for label in tree["dep"])
        trees = pipe.nbest(example.predicted, 30)
        different = {(*t.annotation["head"], *t.annotation["dep"]) for t in trees}
        assert len(different) == len(trees)
    confidences, is_right = pipe.raw_confidences(examples, 1.0)
    assert is_right.all()
    assert len(confidences) == sum(len(example.reference) for example in examples)
    # And once more with all of them in one doc, whitespace between the words.
    doc, tokens, starts = spaced([example.predicted for example in examples])
    nlp(doc)
    check_sentences(doc, starts)
    wanted = [arc for example in examples for arc in arcs(example.reference)]
    places = [i for i, (is_word, _) in enumerate(tokens) if is_word]
    assert [doc[i].dep_ for i in places] == [label for _, label in wanted]
    firsts = np.cumsum([0, *(len(example.reference) for example in examples)])
    sentence_of = np.repeat(firsts[:-1], np.diff(firsts))
    heads = [places[first + head] for first, (head, _) in zip(sentence_of, wanted, strict=True)]
    assert [doc[i].head.i for i in places] == heads


# --- Training ---------------------------------------------------------------------------------


@pytest.mark.parametrize("parser", PROJECTIVE, ids=name_of)
def test_an_error_in_the_middle_of_a_batch_leaves_the_model_usable(parser: Parser, tmp_path: Path):
    nlp = parser.sample(limit=20)
    examples = read(nlp, "train", 20)
    before = [arcs(doc) for doc in nlp.pipe(e.predicted for e in read(nlp))]
    bad = gold_example(nlp, [1, 1, 1, 1, 1], ["x||y", "r", "x", "x", "x"])
    with pytest.raises(ValueError, match="Rename the label"):
        nlp.update([*examples, bad, *examples])
    after = [arcs(doc) for doc in nlp.pipe(e.predicted for e in read(nlp))]
    assert [len(found) for found in after] == [len(found) for found in before]
    nlp.to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    assert [arcs(doc) for doc in loaded.pipe(e.predicted for e in read(loaded))] == after
    for _ in range(8):
        nlp.update(examples)
    assert nlp.evaluate(read(nlp, "train", 20))["dep_las_all"] == 1.0


def test_labels_given_to_initialize(parser: Parser):
    nlp = parser.make()
    examples = read(nlp, "train", 5)
    found = sorted({token.dep_ for example in examples for token in example.reference})
    nlp.config["initialize"]["components"][NAME] = {"labels": [*reversed(found), "EXTRA"]}
    nlp.initialize(lambda: examples)
    pipe = nlp.get_pipe(NAME)
    assert pipe.labels == (*reversed(found), "EXTRA") == pipe.label_data


def test_same_seed_same_bytes(parser: Parser):
    data = []
    for seed in (3, 3, 4):
        nlp = parser.sample(limit=20, seed=seed, dropout=0.2)
        data.append(nlp.get_pipe(NAME).to_bytes(exclude=["vocab"]))
    assert data[0] == data[1] != data[2]


# --- What parsers say about themselves --------------------------------------------------------


def test_scores(nlp: Language):
    """Those of the component are those counted here."""
    scores = nlp.evaluate(read(nlp))
    pairs = [
        (found, gold)
        for example in read(nlp)
        for found, gold in zip(arcs(nlp(example.predicted)), arcs(example.reference), strict=True)
    ]
    assert scores["dep_las_all"] == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert scores["dep_uas_all"] == pytest.approx(sum(a[0] == b[0] for a, b in pairs) / len(pairs))
    assert 0.6 < scores["dep_las"] < scores["dep_uas"] < 1
    assert scores["sents_f"] == 1.0


# Settings whose values the config of a pipeline keeps.
KEPT = {
    "mira_parser": ("order", "decoder", "learner", "k", "max_step", "pruning", "max_heads"),
    "easy_first_parser": ("beam_width", "learner", "margin", "max_step"),
}


@pytest.mark.parametrize("parser", FACTORIES, ids=name_of)
def test_defaults_and_config(parser: Parser):
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe(parser.factory)
    assert (pipe.name, pipe.labels) == (parser.factory, ())
    again = load_model_from_config(nlp.config.copy())
    assert again.pipe_names == [parser.factory]
    other = again.get_pipe(parser.factory)
    for setting in KEPT[parser.factory]:
        assert getattr(other, setting) == getattr(pipe, setting)
    # Trained and assembled from its own config.
    trained = parser.load()
    assembled = load_model_from_config(trained.config.copy(), validate=True, auto_fill=False)
    assembled.get_pipe(NAME).from_bytes(parser.data)
    for example, same in zip(read(trained, limit=5), read(assembled, limit=5), strict=True):
        assert arcs(assembled(same.predicted)) == arcs(trained(example.predicted))


@pytest.mark.parametrize("parser", FACTORIES, ids=name_of)
def test_what_the_pipe_says_about_itself(parser: Parser):
    name = parser.factory
    nlp = spacy.blank("en")
    nlp.add_pipe(name)
    found = nlp.analyze_pipes()
    assert found["problems"][name] == ["token.tag"]
    summary = found["summary"][name]
    assert set(summary["assigns"]) >= {"token.head", "token.dep", "doc.sents"}
    assert "dep_las" in summary["scores"]
    nlp.add_pipe("tagger", first=True)
    assert nlp.analyze_pipes()["problems"][name] == []
    assert nlp.config["training"]["score_weights"]["dep_las"] > 0
