"""What parsers make of the heads of a parser before them."""

from pathlib import Path

import pytest
import spacy

from ..parsers import FACTORIES, NAME, Parser, train
from ..sentences import arcs, read, set_arcs, with_guide, with_wrong_guide


@pytest.fixture(params=FACTORIES, ids=lambda parser: parser.factory)
def parser(request: pytest.FixtureRequest) -> Parser:
    return request.param


def test_guide_features_come_with_the_setting(parser: Parser):
    """Nothing but `guide = true` is needed; without it, there is no trace of a guide."""
    scores = {}
    for guide in (False, True):
        nlp = spacy.blank("en")
        nlp.add_pipe(parser.factory, name=NAME, config={"model": parser.model, "guide": guide})
        train(nlp, with_guide(read(nlp, "train", 100), 0), epochs=2)
        scores[guide] = nlp.evaluate(with_guide(read(nlp), 1))["dep_uas_all"]
        doc = read(nlp, limit=1)[0].predicted
        is_same = arcs(nlp(doc.copy())) == arcs(nlp(with_wrong_guide(doc)))
        assert is_same != guide
    assert scores[True] > scores[False] + 0.05


def test_a_guide_is_no_must(parser: Parser):
    """Docs without heads are parsed by a guided parser as well, and guides may be gone in parts."""
    nlp = parser.make(guide=True, extra=("arc.guide",))
    examples = with_guide(read(nlp, "train", 100), 0)
    for example in examples[::2]:
        n = len(example.predicted)
        set_arcs(example.predicted, [None] * n, [None] * n)
    train(nlp, examples, epochs=3)
    assert nlp.evaluate(read(nlp))["dep_uas_all"] > 0.6


def test_a_guided_parser_loads_into_a_guided_pipe(parser: Parser, tmp_path: Path):
    nlp = parser.make(guide=True)
    train(nlp, with_guide(read(nlp, "train", 20), 0), epochs=1)
    guided = nlp.get_pipe(NAME).to_bytes()
    same = parser.make(guide=True)
    same.get_pipe(NAME).from_bytes(guided)
    for mine, theirs in zip(with_guide(read(nlp), 0), with_guide(read(same), 0), strict=True):
        assert arcs(nlp(mine.predicted)) == arcs(same(theirs.predicted))
    nlp.to_disk(tmp_path)
    assert spacy.load(tmp_path).get_pipe(NAME).guide
    for data, guide in ((guided, False), (parser.data, True)):
        with pytest.raises(ValueError, match=rf"guide = {str(not guide).lower()}"):
            parser.make(guide=guide).get_pipe(NAME).from_bytes(data)
