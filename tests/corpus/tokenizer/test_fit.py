import pytest
import spacy

from spacy_perceptron.corpus.tokenizer.candidates import (
    Candidate,
    find_candidates,
    join_candidates,
)
from spacy_perceptron.corpus.tokenizer.chunks import count_chunks
from spacy_perceptron.corpus.tokenizer.fit import fit_tokenizer
from spacy_perceptron.corpus.tokenizer.rules import TokenizerRules, make_tokenizer
from spacy_perceptron.corpus.tokenizer.selection import Evaluation

from .text import docs_of

LETTERS = r"[^\W\d_]+"
# With the rules of English, every "!" is a word, and so is every hyphen between letters or digits;
# "Attn." is split, but "2hh", "B&W" and "infact" are not.
TEXTS = [
    "wow|!!! great|!! no|!",
    "non-stop and non-issue , so non-fiction|.",
    "a well|-|known face|, a low|-|key one",
    "call 555-1234 or 555-9999 now|.",
    "at 2|hh or 14|hh|, not 3|hh",
    "Attn. Smith|: in|fact|, I left|.",
    "B|&|W and B|&|W|.",
    # Once only, by mistake.
    "the cat|s tail|, e|-mail",
]


def test_a_split_word_suggests_to_keep_such_words_whole():
    found = find_candidates(("non-stop",), ("non", "-", "stop"))
    assert {candidate.pattern for candidate in found} == {
        rf"{LETTERS}\-{LETTERS}",
        rf"(?i:non)\-{LETTERS}",
        rf"{LETTERS}\-(?i:stop)",
    }
    assert {candidate.kinds for candidate in found} == {("whole",)}


def test_a_split_run_of_marks_suggests_runs():
    (found,) = find_candidates(("!!",), ("!", "!"))
    assert found == Candidate(("prefixes", "suffixes", "infixes"), "!{2,}")
    (found,) = find_candidates(("?!",), ("?", "!"))
    assert found.pattern == r"[!\?]{2,}"


def test_a_missed_unit_suggests_to_split_it_off():
    (found,) = find_candidates(("14", "hh"), ("14hh",))
    assert found == Candidate(("suffixes",), r"(?<=\d)", "hh")
    assert found.pattern == r"(?<=\d)(?i:hh)"


def test_a_missed_mark_suggests_places_to_split():
    found = find_candidates(("B", "&", "W"), ("B&W",))
    letter = LETTERS[:-1]
    assert {(candidate.kinds[0], candidate.pattern) for candidate in found} == {
        ("prefixes", r"\&"),
        ("prefixes", rf"\&(?={letter})"),
        ("suffixes", r"\&"),
        ("suffixes", rf"(?<={letter})\&"),
        ("infixes", r"\&"),
        ("infixes", rf"(?<={letter})\&(?={letter})"),
        ("infixes", r"(?<=\w)\&(?=\w)"),
    }


def test_candidates_that_differ_in_a_word_become_one_pattern():
    rules = join_candidates(
        [
            Candidate(("whole",), "", "pre", r"\-x"),
            Candidate(("infixes",), r"\("),
            Candidate(("whole",), "", "non", r"\-x"),
        ]
    )
    assert rules == TokenizerRules(whole=(r"(?i:non|pre)\-x",), infixes=(r"\(",))


def test_the_score_of_a_corpus():
    evaluation = Evaluation(spacy.blank("en"), count_chunks(docs_of(["e-mail me|.", "e-mail"])))
    # Gold: e-mail, me, ., e-mail. Found: e - mail me . e - mail. Two words are right.
    assert evaluation.f_score == pytest.approx(2 * 2 / (4 + 8))


def test_rules_are_learned_and_carry_over_to_new_text():
    rules = fit_tokenizer(docs_of(TEXTS), "en")
    tokenizer = make_tokenizer(spacy.blank("en"), rules)

    def split(text: str) -> str:
        return " ".join(token.text for token in tokenizer(text))

    assert split("Yes!!!! (Non-smoking) 555-0000.") == "Yes !!!! ( Non-smoking ) 555-0000 ."
    assert split("a high-end 16hh horse") == "a high - end 16 hh horse"
    assert split("B&W, attn. Infact!") == "B & W , attn . In fact !"
    assert split("Attn.") == "Attn."


def test_what_was_seen_once_is_not_learned():
    rules = fit_tokenizer(docs_of(TEXTS), "en")
    texts = {"".join(words) for words in rules.special_cases}
    assert texts.isdisjoint(["cats", "e-mail"])
    assert {("Attn.",), ("in", "fact"), ("IN", "FACT")} <= set(rules.special_cases)


def test_a_special_case_must_repair_more_than_it_breaks():
    # "its" is split twice, but a word of its own three times.
    rules = fit_tokenizer(docs_of(["it|s late", "it|s true", "its end", "Its tail", "its"]), "en")
    assert rules.special_cases == ()
    rules = fit_tokenizer(docs_of(["it|s late", "it|s true", "its end"]), "en")
    assert ("it", "s") in rules.special_cases


def test_rules_have_no_dollar_sign():
    texts = ["10|-|$|5 20|-|$|6", "a$b a$b $|ome $|ome", "$$$ $$$"]
    rules = fit_tokenizer(docs_of(texts), "en")
    assert rules.infixes[-1] == r"(?<=\-)\x24(?=\d)"
    assert "$" not in str(rules)


def test_a_corpus_that_the_language_s_tokenizer_reproduces_needs_no_rules():
    assert not fit_tokenizer(docs_of(["He left|, did|n't he|?"]), "en")
    assert not fit_tokenizer([], "en")


def test_languages_with_another_kind_of_tokenizer_are_refused():
    with pytest.raises(ValueError, match="own kind of tokenizer for 'zh'"):
        fit_tokenizer(docs_of(["我|来"]), "zh")
