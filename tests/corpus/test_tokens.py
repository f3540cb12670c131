import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_perceptron.corpus.tokens import (
    compare_tokens,
    make_tokenizer,
    script_share,
    token_warnings,
)


def doc_of(words, spaces=None):
    return Doc(Vocab(), words=words, spaces=spaces)


def test_counts():
    """Gold `ab` `c-d` `e` against `a` `b` `c` `-` `d` `e`: only `e` is the same."""
    gold = doc_of(["ab", "c-d", "\n\n", "e"], [True, False, False, False])
    cut = doc_of(["a", "b", "c", "-", "d", "\n\n", "e"], [False, True, *[False] * 5])
    found = compare_tokens([gold, gold], lambda text: cut)
    assert (found.gold, found.predicted, found.same) == (6, 12, 2)
    assert (found.precision, found.recall) == (2 / 12, 2 / 6)
    assert found.f == pytest.approx(4 / 18)
    assert found.differences == {
        (("ab",), ("a", "b")): 2,
        (("c-d",), ("c", "-", "d")): 2,
    }


def test_stretches_that_cross():
    """`ab` `c` against `a` `bc`: one stretch, since they share no boundary inside."""
    found = compare_tokens(
        [doc_of(["ab", "c", "d"], [False, True, False])],
        lambda text: doc_of(["a", "bc", "d"], [False, True, False]),
    )
    assert found.differences == {(("ab", "c"), ("a", "bc")): 1}
    assert (found.gold, found.predicted, found.same) == (3, 3, 1)


def test_a_tokenizer_of_spacy():
    gold = doc_of(["b/c", "they", "do", "n't"], [True, True, False, False])
    found = compare_tokens([gold], make_tokenizer("en"))
    assert found.differences == {(("b/c",), ("b", "/", "c")): 1}
    assert (found.gold, found.predicted, found.same) == (4, 6, 3)
    assert token_warnings([gold], "en", found)[0].startswith("The tokenizer of the language 'en'")


def test_nothing():
    found = compare_tokens([], make_tokenizer("en"))
    assert (found.precision, found.recall, found.f) == (0.0, 0.0, 0.0)
    assert token_warnings([], "en", found) == []


def test_scripts():
    russian, english = doc_of(["Она", "спит", "."]), doc_of(["She", "naps", "."])
    assert script_share([russian], "en") == 0.0
    assert script_share([russian, english], "ru") == 7 / 14
    assert script_share([doc_of(["1", "."])], "en") is None
    # No language has no script.
    assert script_share([russian], "xx") is None
    found = compare_tokens([russian], make_tokenizer("en"))
    # Spaces separate these words in either language.
    assert found.f == 1.0
    assert token_warnings([russian], "en", found) == [
        "Only 0.0 % of the letters of this corpus are in a script of the language 'en'. Is it the "
        "right language?"
    ]
    assert token_warnings([russian], "ru", found) == []


def test_chinese_is_one_token_of_english():
    gold = doc_of(["我", "喜欢", "茶", "。"], [False] * 4)
    found = compare_tokens([gold], make_tokenizer("en"))
    assert (found.gold, found.same) == (4, 1)
    assert len(token_warnings([gold], "en", found)) == 2
    assert script_share([gold], "zh") == 1.0


def test_tokenizers_that_need_other_packages(monkeypatch):
    def fail(self):
        raise ImportError("needs something")

    monkeypatch.setattr(spacy.util.get_lang_class("ja"), "__init__", fail)
    with pytest.raises(ValueError, match="tokenizer of the language 'ja': needs something"):
        make_tokenizer("ja")
