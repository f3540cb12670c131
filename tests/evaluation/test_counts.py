import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.evaluation.counts import METRICS, count_metrics, f_score

VOCAB = Vocab()


def make_doc(words: list[str], **annotation: list) -> Doc:
    return Doc(VOCAB, words=words, **annotation)


def test_token_metrics_by_hand():
    words = ["She", "sleeps", "well", "."]
    gold = make_doc(
        words,
        tags=["PRP", "VBZ", "RB", "."],
        heads=[1, 1, 1, 1],
        deps=["nsubj", "ROOT", "advmod", "punct"],
    )
    predicted = make_doc(
        words,
        tags=["PRP", "NNS", "RB", "."],
        heads=[1, 1, 1, 2],
        deps=["nsubj", "ROOT", "obj", "punct"],
    )
    counts = count_metrics([Example(predicted, gold)])
    # Gold has no part of speech, morphology, lemmas or entities.
    parses = ["dep_uas", "dep_las", "dep_uas_all", "dep_las_all", "dep_exact", "dep_exact_labelled"]
    assert list(counts) == ["tag_acc", *parses, "sents_f"]
    assert counts["tag_acc"].stats.tolist() == [[3, 4, 4]]
    assert counts["tag_acc"].correct is not None
    assert counts["tag_acc"].correct.tolist() == [True, False, True, True]
    # Without the full stop all heads are right, and one label of three is wrong.
    assert counts["dep_uas"].stats.tolist() == [[3, 3, 3]]
    assert counts["dep_las"].stats.tolist() == [[2, 3, 3]]
    assert counts["dep_las"].correct is not None
    assert counts["dep_las"].correct.tolist() == [True, True, False]
    # The full stop counts: its wrong head costs a point.
    assert counts["dep_uas_all"].stats.tolist() == [[3, 4, 4]]
    assert counts["dep_las_all"].stats.tolist() == [[2, 4, 4]]
    assert counts["dep_las_all"].value == 0.5
    assert counts["dep_exact"].stats.tolist() == [[0, 1, 1]]
    assert counts["sents_f"].stats.tolist() == [[1, 1, 1]]
    assert counts["sents_f"].correct is None


def test_punctuation_is_left_out_on_the_side_that_calls_it_so():
    words = ["a", "b", "c", "d"]
    gold = make_doc(words, heads=[1, 1, 1, 1], deps=["punct", "ROOT", "Obj", "obl"])
    predicted = make_doc(words, heads=[1, 1, 1, 1], deps=["x", "root", "obj", "P"])
    counts = count_metrics([Example(predicted, gold)])
    # Gold counts b, c, d, and a, b, c are predicted; b and c agree. Case only matters in `all`.
    assert counts["dep_uas"].stats.tolist() == [[2, 3, 3]]
    assert counts["dep_las"].stats.tolist() == [[2, 3, 3]]
    assert counts["dep_uas_all"].stats.tolist() == [[4, 4, 4]]
    assert counts["dep_las_all"].stats.tolist() == [[0, 4, 4]]


def test_exact_sentences_by_hand():
    words = ["He", "ran", "She", "sat", "We", "go"]
    deps = ["nsubj", "ROOT"] * 3
    gold = make_doc(words, heads=[1, 1, 3, 3, 5, 5], deps=deps)
    predicted = make_doc(
        words, heads=[1, 1, 2, 2, 5, 5], deps=["nsubj", "ROOT", "nsubj", "ROOT", "obj", "ROOT"]
    )
    counts = count_metrics([Example(predicted, gold)])
    assert counts["dep_exact"].stats.tolist() == [[2, 3, 3]]
    assert counts["dep_exact"].correct is not None
    assert counts["dep_exact"].correct.tolist() == [True, False, True]
    assert counts["dep_exact_labelled"].correct is not None
    assert counts["dep_exact_labelled"].correct.tolist() == [True, False, False]
    # What is wrong may be a word of which gold says nothing, and then it does not count; nor does a
    # sentence without any gold head.
    partial = make_doc(words, heads=[1, 1, 3, 3, 5, 5], deps=["nsubj", "ROOT", "", "", "", "ROOT"])
    counts = count_metrics([Example(predicted, partial)], ["dep_exact_labelled"])
    assert counts["dep_exact_labelled"].stats.tolist() == [[2, 2, 2]]


def test_morph_lemma_pos():
    gold = make_doc(["a", "b"], pos=["X", "NOUN"], morphs=["", "Case=Nom"], lemmas=["a", "c"])
    predicted = make_doc(["a", "b"], pos=["X", "VERB"], morphs=["", "Case=Nom"], lemmas=["x", "c"])
    counts = count_metrics([Example(predicted, gold)])
    assert {n: c.value for n, c in counts.items()} == {
        "pos_acc": 0.5,
        "morph_acc": 1.0,
        "lemma_acc": 0.5,
    }


def test_missing_gold_and_whitespace_count_nothing():
    gold = make_doc(["a", "\n", "b", "c"], tags=["A", "_SP", "", "C"])
    predicted = make_doc(["a", "\n", "b", "c"], tags=["A", "_SP", "B", "X"])
    counts = count_metrics([Example(predicted, gold)])["tag_acc"]
    assert counts.stats.tolist() == [[1, 2, 2]]
    assert counts.correct is not None
    assert counts.correct.tolist() == [True, False]


def test_other_tokenization_decides_on_the_same_gold_tokens():
    gold = make_doc(
        ["do", "n't", "go"],
        spaces=[False, True, False],
        tags=["V", "R", "V"],
        heads=[2, 0, 2],
        deps=["aux", "neg", "ROOT"],
    )
    predicted = make_doc(
        ["don't", "go"], spaces=[True, False], tags=["V", "V"], heads=[1, 1], deps=["aux", "ROOT"]
    )
    counts = count_metrics([Example(predicted, gold)])
    assert counts["tag_acc"].stats.tolist() == [[1, 2, 3]]
    assert counts["tag_acc"].correct is not None
    assert counts["tag_acc"].correct.tolist() == [False, False, True]
    for name in ("dep_las", "dep_las_all"):
        assert counts[name].stats.tolist() == [[1, 2, 3]]
    # F = 2 * 1 / (2 + 3)
    assert counts["dep_uas"].value == pytest.approx(0.4)
    # A gold token that was not predicted is a mistake, so the sentence is not exact.
    assert counts["dep_exact"].stats.tolist() == [[0, 1, 1]]


def test_head_that_is_no_gold_token_is_wrong():
    gold = make_doc(["x", "a", "b"], spaces=[True, False, False], heads=[1, 1, 1], deps=["d"] * 3)
    predicted = make_doc(["x", "ab"], spaces=[True, False], heads=[1, 1], deps=["d"] * 2)
    assert count_metrics([Example(predicted, gold)])["dep_uas"].stats.tolist() == [[0, 2, 3]]


def test_entities_by_hand_and_missing_ones_left_out():
    words = ["Ada", "Lovelace", "met", "Kim", "in", "Rome"]
    gold = make_doc(words, ents=["B-PER", "I-PER", "O", "B-PER", "O", "B-LOC"])
    predicted = make_doc(words, ents=["B-PER", "I-PER", "O", "B-ORG", "O", "O"])
    counts = count_metrics([Example(predicted, gold)])["ents_f"]
    assert counts.stats.tolist() == [[1, 2, 3]]
    assert counts.value == pytest.approx(0.4)
    partial = make_doc(words, ents=["B-PER", "I-PER", "O", "", "O", "B-LOC"])
    counts = count_metrics([Example(predicted, partial)])["ents_f"]
    assert counts.stats.tolist() == [[1, 1, 2]]


def test_sentences_and_documents_without_gold():
    gold = make_doc(["a", ".", "b", "."], sent_starts=[1, -1, 1, -1])
    good = make_doc(["a", ".", "b", "."], sent_starts=[1, -1, 1, -1])
    bad = make_doc(["a", ".", "b", "."], sent_starts=[1, -1, -1, -1])
    bare = make_doc(["a", ".", "b", "."])
    examples = [Example(good, gold), Example(bad, gold), Example(good, bare), Example(bare, gold)]
    counts = count_metrics(examples)["sents_f"]
    assert counts.stats.tolist() == [[2, 2, 2], [0, 1, 2], [0, 0, 0], [0, 0, 2]]


def test_agrees_with_spacy_where_the_definitions_do():
    rng = np.random.default_rng(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("A")
    nlp.add_pipe("ner").add_label("X")
    nlp.add_pipe("parser").add_label("obj")
    examples = []
    for _ in range(8):
        words = [f"w{i}" for i in range(12)]
        sides = [
            make_doc(
                words,
                tags=rng.choice(["A", "B"], 12).tolist(),
                ents=rng.choice(["B-X", "B-Y", "O"], 12).tolist(),
                heads=[0, *(int(rng.integers(max(0, i - 2), i)) for i in range(1, 12))],
                deps=rng.choice(["obj", "OBJ", "nsubj", "punct", "P"], 12).tolist(),
            )
            for _ in range(2)
        ]
        examples.append(Example(*sides))
    scores = spacy.scorer.Scorer(nlp).score(examples)
    names = ["tag_acc", "ents_f", "dep_uas", "dep_las"]
    counts = count_metrics(examples, names)
    assert {n: c.value for n, c in counts.items()} == pytest.approx({n: scores[n] for n in names})
    assert 0 < scores["dep_las"] < scores["dep_uas"] < 1


def test_f_score_without_items_is_zero():
    assert f_score(np.array([[0, 0, 0], [1, 1, 1]])).tolist() == [0.0, 1.0]


def test_unknown_metric_lists_known_ones():
    with pytest.raises(ValueError, match=f"'tag'.*{METRICS[0]}"):
        count_metrics([], ["tag"])
