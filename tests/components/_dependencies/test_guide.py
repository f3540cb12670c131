"""What parsers learn of the one before them: to do without it, and to trust it where it is sure."""

import random
from typing import Any

import pytest
from spacy.language import Language
from spacy.training import Example

from spacy_perceptron.answers.confidence import confidence_key
from spacy_perceptron.components._dependencies.explanation import ExplainedSentence, describe_token
from spacy_perceptron.features.templates import Atom

from .decoding import decoder_for
from .parsers import EISNER2, NAME, train
from .sentences import read, set_arcs, with_guide

SURE, UNSURE = 0.95, 0.15


def trained_bytes(examples: list[Example], nlp: Language) -> bytes:
    return train(nlp, examples, epochs=2).get_pipe(NAME).to_bytes(exclude=["cfg"])


def guided_bytes(share: float, *, guided: bool = True) -> bytes:
    """A parser whose guide is hidden in so many sentences, or is not there at all."""
    nlp = EISNER2.make(guide=True, guide_dropout=share)
    examples = read(nlp, "train", 40)
    return trained_bytes(with_guide(examples, 0) if guided else examples, nlp)


def test_a_hidden_guide_is_none():
    """Of sentences in which it is hidden, nothing of the guide is learned; of the others, all."""
    hidden, half, shown = map(guided_bytes, (1.0, 0.5, 0.0))
    assert hidden == guided_bytes(0.0, guided=False)
    assert len({hidden, half, shown}) == 3
    assert half == guided_bytes(0.5)


def test_nothing_is_hidden_without_a_guide():
    found = set()
    for share in (0.0, 1.0):
        nlp = EISNER2.make(guide_dropout=share)
        found.add(trained_bytes(with_guide(read(nlp, "train", 20), 0), nlp))
    assert len(found) == 1


def with_confidences(examples: list[Example], seed: int, *, told: bool) -> list[Example]:
    """A guide that is right in half of the cases, and tells them if it is asked to."""
    rng = random.Random(seed)
    for example in examples:
        gold, n = example.reference, len(example.reference)
        heads = [token.head.i if rng.random() < 0.5 else rng.randrange(n) for token in gold]
        set_arcs(example.predicted, heads, ["x"] * n)
        if told:
            sure = [SURE if head == gold[i].head.i else UNSURE for i, head in enumerate(heads)]
            example.predicted.user_data[confidence_key("head")] = sure
    return examples


def score(*, told: bool) -> float:
    nlp = EISNER2.make(guide=True)
    train(nlp, with_confidences(read(nlp, "train", 150), 0, told=told), epochs=3)
    return nlp.evaluate(with_confidences(read(nlp), 1, told=told))["dep_uas_all"]


def test_a_guide_is_trusted_where_it_is_sure():
    # Where the guide is sure it is always right, which leaves half of the words to the parser.
    assert score(told=True) > score(told=False) + 0.04


def test_confidences_are_read_anew():
    """Examples of the same words and arcs whose guide has become less sure."""
    nlp = EISNER2.make(guide=True, guide_dropout=0.0)
    pipe: Any = nlp.get_pipe(NAME)
    (example,) = with_confidences(read(nlp, "train", 1), 0, told=True)
    key = confidence_key("head")
    seen = []
    for value in (0.95, 0.95, 0.15):
        example.predicted.user_data[key] = [value] * len(example.predicted)
        (sentence,) = pipe._gold(example)
        seen.append(sentence.words.tokens[:, -1].tolist())
    n = len(example.predicted)
    assert seen == [[10] * n, [10] * n, [2] * n]


def test_explanations_tell_how_sure_a_guide_was():
    nlp = EISNER2.make(guide=True)
    examples = with_confidences(read(nlp, "train", 60), 0, told=True)
    train(nlp, examples, epochs=2)
    pipe: Any = nlp.get_pipe(NAME)
    doc = next(example.predicted for example in examples if len(example.predicted) > 4)
    features = [f for i in range(len(doc)) for f in pipe.explain(doc, i).features]
    assert any("0.9-1.0" in feature.value for feature in features)
    doc.user_data[confidence_key("head")] = [0.0, 0.15, 1.0, *[0.5] * (len(doc) - 3)]
    set_arcs(doc, [0] * len(doc), ["x", "x", "x", None, *["x"] * (len(doc) - 4)])
    sentence = ExplainedSentence(
        decoder_for(pipe, doc)[1], list(doc), None, pipe._attributes.describe
    )
    atom = Atom("c", 0, "sure")
    texts = [describe_token(atom, sentence, place) for place in range(1, 6)]
    assert texts == ["0.0-0.1", "0.1-0.2", "0.9-1.0", "<none>", "0.5-0.6"]
    doc.user_data.clear()
    assert describe_token(atom, sentence, 1) == "<none>"


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_is_a_share(share: float):
    with pytest.raises(ValueError, match=f"`guide_dropout` must be between 0 and 1, not {share}"):
        EISNER2.make(guide=True, guide_dropout=share)
