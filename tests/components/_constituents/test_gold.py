"""Gold trees over predicted words, whatever is wrong with them."""

import gc
import pickle
import random
import warnings

import pytest
from hypothesis import given
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.answers.confidence import store_confidences
from spacy_perceptron.components._constituents.gold import GoldSentence, GoldTrees
from spacy_perceptron.components._constituents.reader import TaggedReader
from spacy_perceptron.components._shared.gold import with_gold_sentences
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import doc_to_tree, set_constituents, tree_to_spans
from spacy_perceptron.trees.tree import Tree

from ... import strategies
from ...fuzz.docs import make_example as make_random_example
from ...sample import load_sample
from ..docs import VOCAB, make_doc

Phrases = list[tuple[str, int, int]]


def give(doc: Doc, phrases: Phrases) -> Doc:
    set_constituents(doc, [Span(doc, start, end, label=label) for label, start, end in phrases])
    return doc


def make_example(text: str, phrases: Phrases, predicted: str | None = None) -> Example:
    """Docs as in `make_doc`; phrases are in tokens of the gold one."""
    return Example(make_doc(predicted or text), give(make_doc(text), phrases))


def make_gold() -> GoldTrees:
    return GoldTrees(TaggedReader())


def find(example: Example) -> tuple[list[str], dict[str, int]]:
    """Trees in brackets, and what was left out."""
    gold = make_gold()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sentences = gold(example)
    for sentence in sentences:
        assert sentence.tree.words() == sentence.words.word_texts()
        assert len(sentence.tags) == len(sentence.words)
    return [to_brackets(sentence.tree) for sentence in sentences], dict(gold.skipped)


# --- Whole trees ------------------------------------------------------------------------------


def test_the_sample_treebank():
    gold = make_gold()
    for doc in load_sample(VOCAB, "dev"):
        bare = Doc(
            doc.vocab, words=[t.text for t in doc], spaces=[bool(t.whitespace_) for t in doc]
        )
        (sentence,) = gold(Example(bare, doc))
        leaves = iter(doc)
        expected = doc_to_tree(doc)
        for leaf in expected.leaves():
            leaf.label = "X"
        assert sentence.tree == expected
        assert sentence.tags == [token.tag_ for token in leaves]
    assert not gold.skipped


@given(strategies.trees())
def test_any_tree(tree: Tree):
    words = tree.words()
    doc = Doc(VOCAB, words=words, tags=tree.tags())
    if any(token.is_space for token in doc):
        return
    set_constituents(doc, tree_to_spans(doc, tree))
    found = make_gold()(Example(doc.copy(), doc))
    assert [s.tree for s in found] == ([doc_to_tree(doc)] if doc.spans["constituents"] else [])


def test_leaves_have_the_tags_that_the_parser_sees():
    example = make_example("Kim sleeps", [("S", 0, 2), ("NP", 0, 1)])
    for doc, tags in ((example.predicted, ["NN", ""]), (example.reference, ["NNP", ""])):
        for token, tag in zip(doc, tags, strict=True):
            token.tag_ = tag
    (sentence,) = make_gold()(example)
    assert to_brackets(sentence.tree) == "(ROOT (S (NP (NN Kim)) (X sleeps)))"
    assert sentence.tags == ["NNP", None]


def test_unary_chains_and_words_outside_phrases():
    phrases = [("FRAG", 0, 2), ("NP", 0, 2), ("NP", 0, 2)]
    assert find(make_example("the dog !", phrases)) == (
        ["(ROOT (FRAG (NP (NP (X the) (X dog)))) (X !))"],
        {},
    )


def test_several_sentences():
    phrases = [("S", 0, 2), ("INTJ", 2, 3), ("S", 4, 6), ("VP", 5, 6)]
    example = make_example("|Kim sleeps |Yes |. |Jo wakes", phrases)
    # The full stop has no phrase.
    assert find(example) == (
        [
            "(ROOT (S (X Kim) (X sleeps)))",
            "(ROOT (INTJ (X Yes)))",
            "(ROOT (S (X Jo) (VP (X wakes))))",
        ],
        {"missing": 1},
    )


def test_gold_boundaries_where_there_are_no_others():
    phrases = [("S", 0, 2), ("S", 2, 4)]
    expected = (["(ROOT (S (X a) (X b)))", "(ROOT (S (X c) (X d)))"], {})
    assert find(make_example("|a b |c d", phrases, "a b c d")) == expected
    # Those of the predicted doc go first: a tree can't reach over them.
    assert find(make_example("|a b |c d", phrases, "|a b c |d")) == ([], {"misaligned": 2})


# --- Whitespace and other tokens --------------------------------------------------------------


def test_whitespace_on_either_side():
    tree = "(ROOT (S (NP (X the) (X dog)) (VP (X sleeps))))"
    phrases = [("S", 0, 3), ("NP", 0, 2), ("VP", 2, 3)]
    assert find(make_example("the dog sleeps", phrases, "_ the _ _ dog sleeps _")) == ([tree], {})
    # Phrases of the gold doc can have it inside and around them, or be nothing else.
    phrases = [("S", 0, 6), ("NP", 1, 4), ("VP", 4, 6), ("X", 2, 3)]
    for predicted in ("the dog sleeps", "_ the dog _ sleeps", None):
        example = make_example("_ the _ dog sleeps _", phrases, predicted)
        assert find(example) == ([tree], {})


def test_phrases_that_differ_in_whitespace_alone():
    """The wider one is outside, in whatever order they come."""
    for phrases in ([("S", 0, 3), ("NP", 1, 3)], [("NP", 1, 3), ("S", 0, 3)]):
        found = find(make_example("_ the dog", phrases))
        assert found == (["(ROOT (S (NP (X the) (X dog))))"], {})
    found = find(make_example("the dog _", [("NP", 0, 2), ("S", 0, 3)]))
    assert found == (["(ROOT (S (NP (X the) (X dog))))"], {})


def split_words(words: list[str], phrases: Phrases = (), **settings: list[bool]) -> Doc:
    return give(Doc(VOCAB, words=words, **settings), list(phrases))


WHOLE = {"spaces": [False, True, False]}
MERGED = {"spaces": [True, False]}


def test_words_within_a_phrase_can_be_others():
    gold = split_words(["do", "n't", "go"], [("S", 0, 3), ("VP", 0, 2), ("VP", 2, 3)], **WHOLE)
    assert find(Example(split_words(["don't", "go"], **MERGED), gold)) == (
        ["(ROOT (S (VP (X don't)) (VP (X go))))"],
        {},
    )
    gold = split_words(["don't", "go"], [("S", 0, 2), ("VP", 0, 1)], **MERGED)
    assert find(Example(split_words(["do", "n't", "go"], **WHOLE), gold)) == (
        ["(ROOT (S (VP (X do) (X n't)) (X go)))"],
        {},
    )


def test_tags_of_other_words_are_unknown():
    gold = split_words(["do", "n't", "go"], [("S", 0, 3)], **WHOLE)
    for token, tag in zip(gold, ["VB", "RB", "VB"], strict=True):
        token.tag_ = tag
    (sentence,) = make_gold()(Example(split_words(["don't", "go"], **MERGED), gold))
    assert sentence.tags == [None, "VB"]


def test_phrases_that_end_within_a_word():
    words, spaces = ["do", "n't", "go", ".", "Run"], [False, True, False, True, False]
    starts = [True, False, False, False, True]
    phrases = [("S", 0, 4), ("VP", 0, 1), ("S", 4, 5)]
    gold = split_words(words, phrases, spaces=spaces, sent_starts=starts)
    predicted = split_words(
        ["don't", "go", ".", "Run"], spaces=spaces[1:], sent_starts=[True, False, False, True]
    )
    # The other sentence is learned.
    assert find(Example(predicted, gold)) == (["(ROOT (S (X Run)))"], {"misaligned": 1})


def test_another_text_is_refused():
    with pytest.raises(ValueError, match="E949"):
        find(Example(make_doc("a b"), give(make_doc("c d"), [("S", 0, 2)])))


# --- What is no tree --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrases", "reason"),
    [
        ([], "missing"),
        ([("A", 0, 2), ("B", 1, 3)], "crossing"),
        ([("A", 0, 3), ("", 1, 3)], "unlabelled"),
    ],
)
def test_no_trees(phrases: Phrases, reason: str):
    assert find(make_example("a b c", phrases)) == ([], {reason: 1})


def test_no_constituents_at_all():
    assert find(Example(make_doc("|a b |c"), make_doc("|a b |c"))) == ([], {"missing": 2})
    for text in ("", "_ _"):
        assert find(Example(make_doc(text), make_doc(text))) == ([], {})


def test_one_warning_for_all_that_is_wrong():
    gold = make_gold()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for phrases in ([], [("A", 0, 2), ("B", 1, 3)], [("A", 0, 2), ("B", 1, 3)], [("", 0, 1)]):
            gold(make_example("a b c", phrases))
    (warning,) = caught
    assert "can't be used: crossing" in str(warning.message)
    assert gold.skipped == {"missing": 1, "crossing": 2, "unlabelled": 1}


def test_whatever_is_given():
    """Either spaCy can't align the texts, or all sentences are learned from or left out."""
    n_learned = 0
    for seed in range(300):
        example = make_random_example(random.Random(seed), VOCAB)
        gold = make_gold()
        words = TaggedReader()([with_gold_sentences(example)], starts_given=True, tags_given=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                sentences = gold(example)
        except ValueError as error:
            if not str(error).startswith("[E949]"):
                raise
            continue
        assert len(sentences) + gold.skipped.total() == words.n_sentences
        n_learned += len(sentences)
        known = [sentence.word_texts() for sentence in words.sentences()]
        for sentence in sentences:
            assert sentence.tree.words() == sentence.words.word_texts()
            assert sentence.tree.words() in known
    assert n_learned > 50


# --- Once per gold Doc ------------------------------------------------------------------------


def test_kept_until_something_changes():
    gold = make_gold()
    example = make_example("a b", [("S", 0, 2)])

    def has_changed(before: list[GoldSentence]) -> bool:
        return gold(example) is not before

    found = gold(example)
    assert not has_changed(found)
    other = Example(example.predicted.copy(), example.reference)
    assert gold(other) is found
    example.predicted[0].tag_ = "NN"
    assert has_changed(found)
    assert gold(example)[0].tree.tags() == ["NN", "X"]
    found = gold(example)
    store_confidences([example.predicted], "tag", [0.5, 0.5])
    assert has_changed(found)
    found = gold(example)
    give(example.reference, [("NP", 0, 2)])
    assert has_changed(found)
    found = gold(example)
    example.reference[1].tag_ = "VB"
    assert has_changed(found)
    assert gold(example)[0].tags == [None, "VB"]


def test_nothing_is_kept_of_docs_that_are_gone():
    gold = make_gold()
    example = make_example("a b", [("S", 0, 2)])
    gold(example)
    assert len(gold._prepared) == 1
    assert len(pickle.loads(pickle.dumps(gold))._prepared) == 0
    del example
    gc.collect()
    assert len(gold._prepared) == 0
