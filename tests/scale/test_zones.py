"""Memory zones leave nothing behind, not even places in tables."""

import pytest
import spacy
from spacy.attrs import NORM
from spacy.language import Language
from spacy.util import add_lookups

from spacy_perceptron.scale import zones


@pytest.fixture
def nlp() -> Language:
    return spacy.blank("en")


def visit(nlp: Language, n_zones: int, n_words: int) -> int:
    """Meet new words in each of some zones; return the places of the table."""
    for i in range(n_zones):
        with zones.memory_zone(nlp):
            doc = nlp(" ".join(f"w{i}x{k}" for k in range(n_words)))
            assert doc[-1].text == f"w{i}x{n_words - 1}"
            assert doc[-1].shape_.endswith("xdd")
            del doc
    return nlp.vocab.strings._map.capacity


def test_tables_stay_small(monkeypatch: pytest.MonkeyPatch):
    nlp = spacy.blank("xx")
    monkeypatch.setattr(zones, "_LEAST_STRINGS", 200)
    n_strings = len(nlp.vocab.strings)
    most = zones._PLACES_PER_STRING * max(n_strings, 200)
    assert visit(nlp, 20, 100) <= most
    assert len(nlp.vocab.strings) == n_strings
    # Without care they would not.
    monkeypatch.setattr(zones, "_PLACES_PER_STRING", 10**6)
    assert visit(nlp, 20, 100) > most


def test_nothing_is_lost(nlp: Language):
    text = "Don't say 'U.S.A.' in New York, e.g. at 5p.m. :)"
    before = [(t.text, t.norm_, t.shape_, t.lower_, t.like_num) for t in nlp(text)]
    strings = {text: nlp.vocab.strings[text] for text in nlp.vocab.strings}
    assert len(strings) > 1000
    zones.shrink_tables(nlp.vocab)
    assert {text: nlp.vocab.strings[text] for text in nlp.vocab.strings} == strings
    assert [nlp.vocab.strings[key] for key in strings.values()] == list(strings)
    assert [(t.text, t.norm_, t.shape_, t.lower_, t.like_num) for t in nlp(text)] == before
    with zones.memory_zone(nlp):
        assert [(t.text, t.norm_, t.shape_, t.lower_, t.like_num) for t in nlp(text)] == before


def test_normal_forms_stay_as_they_are(nlp: Language):
    nlp.vocab.lookups.add_table("lexeme_norm", {"colour": "color"})
    nlp.vocab.lex_attr_getters[NORM] = add_lookups(str.lower, {"colour": "color"})
    before = nlp.vocab.lex_attr_getters[NORM]
    zones.shrink_tables(nlp.vocab)
    assert nlp.vocab.lex_attr_getters[NORM] is before
    assert [token.norm_ for token in nlp("Colour colour")] == ["colour", "color"]


def test_errors_pass(nlp: Language):
    with pytest.raises(KeyError), zones.memory_zone(nlp):
        raise KeyError("x")
    assert not nlp.vocab.in_memory_zone
