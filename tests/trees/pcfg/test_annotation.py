from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.pcfg.annotation import (
    Annotator,
    Part,
    Phrase,
    Symbol,
    frequent_words,
)

TEXT = "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (PRP it))) (. .)))"
TREE = next(iter(parse_brackets([TEXT]))).tree


def test_what_is_counted():
    annotator = Annotator(
        load_head_rules(), head_tag_labels=["VP"], frequent=[("DT", "the"), ("NN", "the")]
    )
    found = annotator.annotate(TREE)
    s, vp = Symbol("S", "", "ROOT"), Symbol("VP", "-VBD", "S")
    np, np_below = Symbol("NP", "base", "S"), Symbol("NP", "base", "VP")
    assert found.phrases == [
        Phrase(Symbol("ROOT", "", ""), Part("S", ""), (), ()),
        Phrase(s, Part("VP", "-VBD"), (Part(".", ""),), (Part("NP", "base"),)),
        Phrase(np, Part("NN", ""), (), (Part("DT", "the"),)),
        Phrase(vp, Part("VBD", ""), (Part("NP", "base"),), ()),
        Phrase(np_below, Part("PRP", ""), (), ()),
    ]
    assert found.chains == [
        (Symbol("ROOT", "", ""), s),
        (np_below, Symbol("PRP", "", "NP")),
    ]
    assert found.words == [
        ("The", Symbol("DT", "the", "NP")),
        ("cat", Symbol("NN", "", "NP")),
        ("saw", Symbol("VBD", "", "VP")),
        ("it", Symbol("PRP", "", "NP")),
        (".", Symbol(".", "", "S")),
    ]


def test_siblings_are_listed_from_the_head_outward():
    text = "(ROOT (NP (DT a) (JJ b) (NN c) (PP (IN d)) (PP (IN e) (NN f)) (, ,)))"
    tree = next(iter(parse_brackets([text]))).tree
    phrase = Annotator(load_head_rules()).annotate(tree).phrases[1]
    assert phrase.head.label == "NN"
    assert [part.label for part in phrase.right] == ["PP", "PP", ","]
    assert [part.label for part in phrase.left] == ["JJ", "DT"]


def test_frequent_words():
    trees = [TREE, next(iter(parse_brackets([TEXT.replace("The", "the")]))).tree]
    assert ("DT", "the") in set(frequent_words(trees, 2))
    assert set(frequent_words(trees, 3)) == set()
