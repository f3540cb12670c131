"""Which labels a parser says it has, and what it says about others."""

import warnings

import pytest
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.trees.projectivity import is_lifted

from ..parsers import NAME, PARSERS, Parser, train
from ..sentences import arcs, crossing_examples, read

LIFTING = pytest.mark.parametrize(
    "parser", [parser for parser in PARSERS if parser.projective], ids=lambda parser: parser.id
)


@LIFTING
def test_labels_of_lifted_words_are_not_listed(parser: Parser):
    nlp = parser.make()
    train(nlp, crossing_examples(nlp), epochs=15)
    pipe = nlp.get_pipe(NAME)
    lifted = [label for label in pipe.label_data if is_lifted(label)]
    assert lifted
    gold = {token.dep_ for e in crossing_examples(nlp) for token in e.reference}
    assert set(pipe.labels) == gold == set(nlp.pipe_labels[NAME]) == set(nlp.meta["labels"][NAME])
    assert len(pipe.labels) == len(gold)
    # But they are saved and handed on.
    again = parser.make()
    again.get_pipe(NAME).from_bytes(pipe.to_bytes())
    assert again.get_pipe(NAME).label_data == pipe.label_data
    for example in crossing_examples(again):
        assert arcs(again(example.predicted.copy())) == arcs(example.reference)
    other = parser.make()
    other.config["initialize"]["components"][NAME] = {"labels": pipe.label_data}
    other.initialize(lambda: crossing_examples(other))
    assert other.get_pipe(NAME).label_data == pipe.label_data


@LIFTING
def test_correction_to_crossing_arcs_that_were_never_learned(parser: Parser):
    nlp = parser.make()
    examples = crossing_examples(nlp)
    flat = [e for e in examples if not any(is_lifted(label) for label in lifted(nlp, e))]
    crossing = next(e for e in examples if e not in flat)
    known = {token.dep_ for token in crossing.reference}
    nlp.config["initialize"]["components"][NAME] = {"labels": sorted(known)}
    nlp.initialize(lambda: flat)
    pipe = nlp.get_pipe(NAME)
    message = r"arcs with the label '.*' cross others.*add_label\('.*\|\|.*'\)"
    with pytest.raises(ValueError, match=message):
        pipe.correct(crossing)
    for label in lifted(nlp, crossing):
        pipe.add_label(label)
    assert pipe.correct(crossing) > 0
    assert arcs(nlp(crossing.predicted.copy())) == arcs(crossing.reference)


def lifted(nlp: Language, example: Example) -> set[str]:
    """The labels of an example as a parser learns them."""
    return set(nlp.get_pipe(NAME)._labels_of(example))


def tag_less(nlp: Language) -> list[Example]:
    """Examples as they are before a tagger among the `annotating_components` has run."""
    examples = read(nlp, "train", 5)
    return [
        Example(Doc(nlp.vocab, words=[t.text for t in e.reference]), e.reference) for e in examples
    ]


def test_no_tags_before_training_are_nothing_to_warn_of(parser: Parser):
    nlp = parser.make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp.initialize(lambda: tag_less(nlp))
        # As `annotating_components` do.
        tagged = read(nlp, "train", 5)
        nlp.update(tagged)
    with pytest.warns(UserWarning, match="docs to parse have no tags"):
        nlp.update(tag_less(nlp))


def test_no_tags_in_training_are_warned_of_once(parser: Parser):
    nlp = parser.make()
    examples = tag_less(nlp)
    nlp.initialize(lambda: examples)
    with pytest.warns(UserWarning, match="docs to parse have no tags"):
        nlp.update(examples)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp.update(examples)
