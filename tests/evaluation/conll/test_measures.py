from dataclasses import replace

import pytest

from spacy_perceptron.evaluation.conll.measures import (
    MEASURES,
    Score,
    evaluate_conllu,
    universal_features,
)

from .sentences import make, rows

GOLD = """\
She    she   PRON  PRP Case=Nom|Person=3     3 nsubj
has    have  AUX   VBZ Tense=Pres            3 aux
seen   see   VERB  VBN Tense=Past|Typo=Yes   0 root
the    the   DET   DT  Definite=Def          5 det
cats   cat   NOUN  NNS Number=Plur           3 obj
today  today NOUN  NN  Number=Sing           3 obl:tmod
.      .     PUNCT .   _                     3 punct
"""


def scores(gold, system):
    found = evaluate_conllu(gold, system)
    assert tuple(found) == MEASURES
    return {name: (score.correct, score.gold, score.system) for name, score in found.items()}


def test_perfect():
    """7 words; content words are She, seen, cats and today."""
    found = scores([rows(GOLD)], [rows(GOLD)])
    content = {"CLAS", "MLAS", "BLEX"}
    for name in MEASURES:
        n = 1 if name == "Sentences" else 4 if name in content else 7
        assert found[name] == (n, n, n), name


def changed(*changes):
    """The sentence with one column of some words changed: (word from 0, column, value)."""
    sentence = rows(GOLD)
    words = list(sentence.words)
    for i, name, value in changes:
        words[i] = replace(words[i], **{name: value})
    return replace(sentence, words=words)


@pytest.mark.parametrize(
    ("changes", "losses"),
    [
        # A tag of a content word.
        ([(4, "upos", "PROPN")], {"UPOS": 1, "AllTags": 1, "MLAS": 1}),
        # A tag of the functional word `has` costs its head `seen` the MLAS.
        ([(1, "upos", "VERB")], {"UPOS": 1, "AllTags": 1, "MLAS": 1}),
        ([(0, "xpos", "X")], {"XPOS": 1, "AllTags": 1}),
        # A feature of UD, and one that is none of its universal ones.
        ([(5, "feats", "Number=Plur")], {"UFeats": 1, "AllTags": 1, "MLAS": 1}),
        ([(2, "feats", "Tense=Past|Typo=No")], {}),
        ([(4, "lemma", "dog")], {"Lemmas": 1, "BLEX": 1}),
        # The lemma of a word that is no content word.
        ([(3, "lemma", "a")], {"Lemmas": 1}),
        # The subtype of a relation does not count.
        ([(5, "deprel", "obl")], {}),
        # A wrong relation, still one of a content word.
        ([(5, "deprel", "obj")], {"LAS": 1, "CLAS": 1, "MLAS": 1, "BLEX": 1}),
        # A wrong head of a content word.
        ([(5, "head", 4)], {"UAS": 1, "LAS": 1, "CLAS": 1, "MLAS": 1, "BLEX": 1}),
        # `the` moves from `cats` to `today`: both have other functional words.
        ([(3, "head", 5)], {"UAS": 1, "LAS": 1, "MLAS": 2}),
        # `has` is called a marker: `seen` loses the MLAS.
        ([(1, "deprel", "mark")], {"LAS": 1, "MLAS": 1}),
        # Punctuation is neither.
        ([(6, "head", 4)], {"UAS": 1, "LAS": 1}),
    ],
)
def test_one_thing_wrong(changes, losses):
    best, found = scores([rows(GOLD)], [rows(GOLD)]), scores([rows(GOLD)], [changed(*changes)])
    for name in MEASURES:
        correct, gold, system = best[name]
        assert found[name] == (correct - losses.get(name, 0), gold, system), name


def test_content_words_of_the_system():
    """`the` as a modifier is a fifth content word of the system, and no functional word of cats."""
    found = scores([rows(GOLD)], [changed((3, "deprel", "amod"))])
    assert found["LAS"] == (6, 7, 7)
    assert found["CLAS"] == found["BLEX"] == (4, 4, 5)
    assert found["MLAS"] == (3, 4, 5)
    # And `today` as punctuation is one less.
    found = scores([rows(GOLD)], [changed((5, "deprel", "punct"))])
    assert found["CLAS"] == (3, 4, 3)


def test_gold_without_a_lemma():
    gold = changed((4, "lemma", "_"))
    assert scores([gold], [rows(GOLD)])["Lemmas"] == (7, 7, 7)
    assert scores([gold], [rows(GOLD)])["BLEX"] == (4, 4, 4)
    # It is not the other way round.
    assert scores([rows(GOLD)], [gold])["Lemmas"] == (6, 7, 7)


def test_other_words():
    """The system cuts `today` in two and hangs `cats` on its first part.

    Six of 8 and 7 words are aligned. `cats` has a head that is no gold word; `.` hangs on seen.
    """
    system = rows("""\
        She   she  PRON  PRP Case=Nom|Person=3 3 nsubj
        has   have AUX   VBZ Tense=Pres        3 aux
        seen  see  VERB  VBN Tense=Past        0 root
        the   the  DET   DT  Definite=Def      5 det
        cats  cat  NOUN  NNS Number=Plur       6 obj
        to    to   ADP   IN  _                 3 case
        day   day  NOUN  NN  Number=Sing       3 obl
        .     .    PUNCT .   _                 3 punct""")
    found = evaluate_conllu([rows(GOLD)], [system])
    assert found["Words"] == Score(6, 7, 8, 6)
    assert found["Tokens"] == Score(6, 7, 8)
    assert found["UPOS"] == Score(6, 7, 8, 6)
    assert found["UAS"] == found["LAS"] == Score(5, 7, 8, 6)
    # Content words of the system: She, seen, cats and day; aligned ones of gold: She, seen, cats.
    assert found["CLAS"] == Score(2, 4, 4, 3)
    # `to` is a functional word of seen that gold does not have.
    assert found["MLAS"] == Score(1, 4, 4, 3)
    assert found["BLEX"] == Score(2, 4, 4, 3)
    assert found["LAS"].precision == 5 / 8
    assert found["LAS"].recall == 5 / 7
    assert found["LAS"].f == pytest.approx(10 / 15)
    assert found["LAS"].aligned_accuracy == 5 / 6


def test_sentences():
    """Two sentences taken for one: the second root hangs on the first."""
    gold = [make("a b"), make("c d")]
    system = [make("a b c d")]
    found = scores(gold, system)
    assert found["Sentences"] == (0, 2, 1)
    assert found["Tokens"] == found["Words"] == (4, 4, 4)
    # In gold a and c are roots, b hangs on a and d on c; in the system all hang on a.
    assert found["UAS"] == (2, 4, 4)
    found = scores([make("a"), make("b c")], [make("a"), make("b"), make("c")])
    assert found["Sentences"] == (1, 2, 3)


def test_multiword_tokens():
    found = scores([make("[du=de le] chat")], [make("[du=de le] chat")])
    assert (found["Tokens"], found["Words"]) == ((2, 2, 2), (3, 3, 3))
    found = scores([make("[du=de le] chat")], [make("du chat")])
    assert (found["Tokens"], found["Words"]) == ((2, 2, 2), (1, 3, 2))
    # The chat hangs on de in gold, on du in the system.
    assert found["UAS"] == (0, 3, 2)


def test_missing_heads():
    gold = rows("a a X X _ 0 root\nb b X X _ 1 obj")
    system = rows("a a X X _ _ _\nb b X X _ _ _")
    found = scores([gold], [system])
    assert (found["UPOS"], found["UAS"], found["CLAS"]) == ((2, 2, 2), (0, 2, 2), (0, 2, 0))


def test_no_trees():
    good = rows("a a X X _ 0 root\nb b X X _ 1 obj")
    two = rows("a a X X _ 0 root\nb b X X _ 0 root")
    with pytest.raises(ValueError, match="Sentence 2 of system has 2 roots"):
        evaluate_conllu([good, good], [good, two])
    cycle = rows("a a X X _ 0 root\nb b X X _ 3 obj\nc c X X _ 2 obj")
    with pytest.raises(ValueError, match="sentence 1 of gold form a cycle"):
        evaluate_conllu([cycle], [cycle])
    own = rows("a a X X _ 0 root\nb b X X _ 2 obj")
    with pytest.raises(ValueError, match="sentence 1 of gold form a cycle"):
        evaluate_conllu([own], [own])


def test_universal_features():
    assert universal_features("Typo=Yes|Number=Sing|Case=Nom") == "Case=Nom|Number=Sing"
    assert universal_features("_") == ""
    # A language's own layer of a feature is another name.
    assert universal_features("Gender[psor]=Masc") == ""


def test_nothing():
    assert all(score.f == 0.0 for score in evaluate_conllu([], []).values())
