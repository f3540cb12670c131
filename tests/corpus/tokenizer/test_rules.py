from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.util import load_model_from_config

from spacy_perceptron.corpus.tokenizer.rules import TokenizerRules, make_tokenizer

CONFIG = {
    "nlp": {
        "lang": "en",
        "tokenizer": {
            "@tokenizers": "spacy_perceptron.fitted_tokenizer.v1",
            "prefixes": ["!{2,}"],
            "suffixes": ["!{2,}", r"(?<=\d)hh"],
            "infixes": [r"\("],
            "whole": [r"(?i:non)-\w+"],
            "special_cases": [["dun", "no"]],
        },
    }
}
TEXT = "I dunno, non-stop rain!!! At 14hh a(b"
WORDS = ["I", "dun", "no", ",", "non-stop", "rain", "!!!", "At", "14", "hh", "a", "(", "b"]
# With the rules of English alone.
ENGLISH = ["I", "dunno", ",", "non", "-", "stop", "rain", "!", "!", "!", "At", "14hh", "a(b"]


def words(nlp: Language | Tokenizer, text: str) -> list[str]:
    return [token.text for token in nlp(text)]


@pytest.fixture
def nlp() -> Language:
    return load_model_from_config(CONFIG, auto_fill=True)


def test_rules_from_a_config_are_added_to_those_of_the_language(nlp):
    assert type(nlp.tokenizer) is Tokenizer
    assert words(nlp, TEXT) == WORDS
    assert words(nlp, "Don't, please.") == ["Do", "n't", ",", "please", "."]
    assert words(spacy.blank("en"), TEXT) == ENGLISH


def test_the_tokenizer_is_saved_with_the_pipeline(nlp, tmp_path: Path):
    nlp.to_disk(tmp_path / "model")
    loaded = spacy.load(tmp_path / "model")
    assert type(loaded.tokenizer) is Tokenizer
    assert words(loaded, TEXT) == WORDS
    # Also without the config's rules: all of them are in the file.
    bare = spacy.blank("en")
    bare.tokenizer.from_disk(tmp_path / "model" / "tokenizer")
    assert words(bare, TEXT) == WORDS


def test_no_rules_are_the_language_s_own():
    nlp = spacy.blank("fr")
    tokenizer = make_tokenizer(nlp, TokenizerRules())
    text = "L'aujourd'hui, va-t-il au sud-est de St-Jean (10 h)?"
    assert words(tokenizer, text) == words(nlp, text)
    assert not TokenizerRules()


def test_words_that_a_language_keeps_whole_stay_so():
    nlp = spacy.blank("fr")
    tokenizer = make_tokenizer(nlp, TokenizerRules(whole=(r"St-\w+",)))
    # French has a pattern of its own, which ignores case.
    for text in ("anti-inflation", "Anti-inflation", "sud-est"):
        assert words(tokenizer, text) == [text] == words(nlp, text)
    assert words(tokenizer, "St-Jean") == ["St-Jean"]
    assert words(nlp, "St-Jean") == ["St", "-", "Jean"]
    again = Tokenizer(nlp.vocab).from_bytes(tokenizer.to_bytes())
    assert words(again, "Anti-inflation St-Jean") == ["Anti-inflation", "St-Jean"]


def test_patterns_of_whole_words_reach_to_the_end():
    tokenizer = make_tokenizer(spacy.blank("en"), TokenizerRules(whole=("e-|x-", "x-y")))
    assert words(tokenizer, "x-y x-yz e-mail") == ["x-y", "x", "-", "yz", "e", "-", "mail"]


def test_special_cases_that_are_in_no_text_can_be_left_out():
    rules = TokenizerRules(special_cases=(("dun", "no"), ("gon", "na", "s")))
    tokenizer = make_tokenizer(spacy.blank("en"), rules, texts=["(dunno)", "we're"])
    assert set(tokenizer.rules) >= {"dunno", "we're"}
    assert "gonnas" not in tokenizer.rules


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (TokenizerRules(special_cases=(("do", ""),)), r"none of them empty.* not \['do', ''\]"),
        (TokenizerRules(special_cases=((),)), r"not \[\]"),
        (TokenizerRules(infixes=("(",)), r"can't use the pattern '\('"),
        (TokenizerRules(whole=("a*",)), "pattern 'a\\*' matches nothing at all"),
    ],
)
def test_rules_that_cannot_be_used_are_refused(rules: TokenizerRules, message: str):
    with pytest.raises(ValueError, match=message):
        make_tokenizer(spacy.blank("en"), rules)
