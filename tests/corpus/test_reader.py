from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import registry

from spacy_perceptron.corpus.reader import (
    GoldTokenCorpus,
    copy_tokens,
    create_gold_token_reader,
    set_sentences,
)


@pytest.fixture
def nlp() -> Language:
    return spacy.blank("en")


def write(path: Path, sizes: list[int]) -> Path:
    """A corpus of docs with these numbers of tokens, whose first word tells which one it is."""
    vocab = spacy.blank("en").vocab
    docs = [
        Doc(vocab, words=[f"doc{i}", *("x" * (n - 1))], tags=["A"] * n) for i, n in enumerate(sizes)
    ]
    DocBin(docs=docs).to_disk(path)
    return path


def names(corpus: GoldTokenCorpus, nlp: Language) -> list[str]:
    return [example.reference[0].text for example in corpus(nlp)]


def test_examples_have_gold_tokens_and_nothing_else(tmp_path: Path, nlp: Language):
    words = ["Do", "n't", "stop", ".", "\n", "Go", "on", "!"]
    spaces = [False, True, False, True, False, True, False, False]
    starts = [True, False, False, False, False, True, False, False]
    reference = Doc(
        nlp.vocab,
        words=words,
        spaces=spaces,
        sent_starts=starts,
        tags=["VB", "RB", "VB", ".", "_SP", "VB", "RP", "."],
        pos=["VERB", "PART", "VERB", "PUNCT", "SPACE", "VERB", "ADP", "PUNCT"],
        lemmas=words,
        ents=["O"] * 8,
    )
    DocBin(docs=[reference]).to_disk(tmp_path / "corpus.spacy")
    (example,) = GoldTokenCorpus(tmp_path / "corpus.spacy")(nlp)
    predicted = example.predicted
    assert [token.text for token in predicted] == words
    assert [bool(token.whitespace_) for token in predicted] == spaces
    assert predicted.text == reference.text == "Don't stop. \nGo on!"
    assert [token.is_sent_start for token in predicted] == starts
    assert [sent.text for sent in predicted.sents] == ["Don't stop. \n", "Go on!"]
    for name in ("TAG", "POS", "LEMMA", "ENT_IOB", "DEP"):
        assert not predicted.has_annotation(name)
    assert [token.tag_ for token in example.reference] == [token.tag_ for token in reference]
    assert example.predicted.vocab is nlp.vocab


def test_sentences_come_from_the_parse_too(nlp: Language):
    heads, deps = [1, 1, 3, 3], ["det", "ROOT", "det", "ROOT"]
    reference = Doc(nlp.vocab, words=["a", "b", "c", "d"], heads=heads, deps=deps)
    predicted = copy_tokens(reference)
    assert [sent.text for sent in predicted.sents] == ["a b", "c d"]
    assert not predicted.has_annotation("DEP")


def test_sentences_that_are_unknown_stay_unknown(nlp: Language):
    predicted = copy_tokens(Doc(nlp.vocab, words=["a", "b"]))
    assert not predicted.has_annotation("SENT_START")
    # A boundary that is known beside others that are not.
    reference = Doc(nlp.vocab, words=["a", "b", "c", "d"], sent_starts=[True, None, True, None])
    predicted = copy_tokens(reference)
    assert predicted.to_array(SENT_START).tolist() == reference.to_array(SENT_START).tolist()


def test_one_sentence_is_known_to_be_one(nlp: Language):
    # 1: starts a sentence, -1 as an unsigned number: starts none. No parser may split it.
    reference = Doc(nlp.vocab, words=["a", "b", "c"], heads=[1, 1, 1], deps=["x", "ROOT", "x"])
    assert copy_tokens(reference).to_array(SENT_START).tolist() == [1, 2**64 - 1, 2**64 - 1]


def test_set_sentences_against_the_heads(nlp: Language):
    deps = ["ROOT", "x", "ROOT", "x"]
    doc = Doc(nlp.vocab, words=["a", "b", "c", "d"], heads=[0, 0, 2, 2], deps=deps)
    assert len(list(doc.sents)) == 2
    reference = Doc(nlp.vocab, words=["a", "b", "c", "d"], sent_starts=[True, False, False, True])
    assert set_sentences(doc, reference)
    assert [sent.text for sent in doc.sents] == ["a b c", "d"]
    assert [token.head.i for token in doc] == [0, 0, 2, 2]
    assert [token.dep_ for token in doc] == deps
    # What is not known does not matter.
    set_sentences(doc, Doc(nlp.vocab, words=["a", "b", "c", "d"]))
    assert [sent.text for sent in doc.sents] == ["a b c", "d"]
    reference = Doc(nlp.vocab, words=["a", "b", "c", "d"], sent_starts=[True, True, None, None])
    set_sentences(doc, reference)
    assert [sent.text for sent in doc.sents] == ["a", "b c", "d"]
    # Other words.
    other = Doc(nlp.vocab, words=["a", "b", "c", "e"], sent_starts=[True] * 4)
    assert not set_sentences(doc, other)
    assert not set_sentences(doc, Doc(nlp.vocab, words=["a"]))
    assert [sent.text for sent in doc.sents] == ["a", "b c", "d"]


def test_preset_gold_annotation(tmp_path: Path, nlp: Language):
    reference = Doc(
        nlp.vocab,
        words=["dogs", "bark"],
        tags=["NNS", "VBP"],
        pos=["NOUN", "VERB"],
        morphs=["Number=Plur", ""],
        lemmas=["dog", "bark"],
        heads=[1, 1],
        deps=["nsubj", "ROOT"],
    )
    DocBin(docs=[reference]).to_disk(tmp_path / "corpus.spacy")
    given = {
        "tag": lambda token: token.tag_,
        "pos": lambda token: token.pos_,
        "morph": lambda token: str(token.morph),
        "lemma": lambda token: token.lemma_,
    }
    for chosen in (["tag"], ["pos", "morph"], ["lemma", "tag", "pos", "morph"]):
        (example,) = GoldTokenCorpus(tmp_path / "corpus.spacy", preset=chosen)(nlp)
        for name, get in given.items():
            expected = [get(token) for token in reference] if name in chosen else ["", ""]
            assert [get(token) for token in example.predicted] == expected
        assert not example.predicted.has_annotation("DEP")
    # It is still there when a pipeline is evaluated.
    seen = []
    Language.component("test_preset_watcher", func=lambda doc: seen.append(doc[0].tag_) or doc)
    nlp.add_pipe("test_preset_watcher")
    nlp.evaluate([example])
    assert seen == ["NNS"]


@pytest.mark.parametrize("words", [[], ["one"]])
def test_short_docs(nlp: Language, words: list[str]):
    predicted = copy_tokens(Doc(nlp.vocab, words=words, tags=["X"] * len(words)))
    assert [token.text for token in predicted] == words


def test_limit_and_max_length(tmp_path: Path, nlp: Language):
    path = write(tmp_path / "corpus.spacy", [3, 9, 4, 1, 5])
    assert names(GoldTokenCorpus(path), nlp) == ["doc0", "doc1", "doc2", "doc3", "doc4"]
    assert names(GoldTokenCorpus(path, limit=2), nlp) == ["doc0", "doc1"]
    assert names(GoldTokenCorpus(path, limit=99), nlp) == ["doc0", "doc1", "doc2", "doc3", "doc4"]
    assert names(GoldTokenCorpus(path, max_length=4), nlp) == ["doc0", "doc2", "doc3"]
    # The limit counts what is used, not what is left out.
    assert names(GoldTokenCorpus(path, max_length=4, limit=2), nlp) == ["doc0", "doc2"]


def test_folders(tmp_path: Path, nlp: Language):
    (tmp_path / "more").mkdir()
    write(tmp_path / "a.spacy", [1])
    write(tmp_path / "more" / "b.spacy", [2, 3])
    (tmp_path / "notes.txt").write_text("not a corpus")
    lengths = sorted(len(example.reference) for example in GoldTokenCorpus(tmp_path)(nlp))
    assert lengths == [1, 2, 3]


def test_reads_once_for_a_vocab(tmp_path: Path, nlp: Language):
    """Gold Docs stay the same over epochs; Docs to predict on are new and bare each time."""
    path = write(tmp_path / "corpus.spacy", [3, 2])
    corpus = GoldTokenCorpus(path)
    first = list(corpus(nlp))
    for example in first:
        example.predicted[0].tag_ = "TOUCHED"
    path.unlink()
    second = list(corpus(nlp))
    for old, new in zip(first, second, strict=True):
        assert new.reference is old.reference
        assert new.predicted is not old.predicted
        assert not new.predicted.has_annotation("TAG")


def test_reads_again_for_another_vocab(tmp_path: Path, nlp: Language):
    corpus = GoldTokenCorpus(write(tmp_path / "corpus.spacy", [3]))
    other = spacy.blank("en")
    (first,), (second,) = corpus(nlp), corpus(other)
    assert (first.reference.vocab, second.reference.vocab) == (nlp.vocab, other.vocab)
    assert second.predicted.vocab is other.vocab
    assert [token.tag_ for token in second.reference] == ["A"] * 3


def test_same_examples_as_gold_preproc(sample_folder: Path, nlp: Language):
    """On a corpus of one sentence per Doc, spaCy's reader with gold_preproc gives the same."""
    path = sample_folder / "dev.spacy"
    expected = list(spacy.training.Corpus(path, gold_preproc=True)(nlp))
    found = list(create_gold_token_reader(path)(nlp))
    assert len(found) == len(expected) == 50
    for ours, theirs in zip(found, expected, strict=True):
        assert [t.text for t in ours.predicted] == [t.text for t in theirs.predicted]
        assert np.array_equal(ours.get_aligned("TAG"), theirs.get_aligned("TAG"))


def test_errors_name_the_path_and_the_way_out(tmp_path: Path):
    with pytest.raises(ValueError, match=r"--paths.train"):
        create_gold_token_reader(None)
    with pytest.raises(ValueError, match=r"no corpus at .*missing\.spacy"):
        create_gold_token_reader(tmp_path / "missing.spacy")
    with pytest.raises(ValueError, match=r"'head'.*tag, pos, morph, lemma"):
        create_gold_token_reader(tmp_path, preset=["head"])


def test_is_registered(tmp_path: Path, nlp: Language):
    make = registry.readers.get("spacy_perceptron.gold_tokens.v1")
    path = write(tmp_path / "corpus.spacy", [2, 1])
    # Configs give paths as text.
    assert names(make(str(path), limit=1), nlp) == ["doc0"]
    block = {"@readers": "spacy_perceptron.gold_tokens.v1", "path": str(path), "preset": ["tag"]}
    (first, _) = registry.resolve({"corpus": block})["corpus"](nlp)
    assert [token.tag_ for token in first.predicted] == ["A", "A"]


def test_without_sentence_starts(tmp_path: Path, nlp: Language):
    """The pipeline has to find sentences itself; all else is as with them."""
    reference = Doc(
        nlp.vocab, words=["a", "b", "c"], tags=["X", "Y", "Z"], sent_starts=[True, False, True]
    )
    DocBin(docs=[reference]).to_disk(tmp_path / "corpus.spacy")
    path = tmp_path / "corpus.spacy"
    (example,) = create_gold_token_reader(path, sentences=False, preset=["tag"])(nlp)
    assert not example.predicted.has_annotation("SENT_START")
    assert [token.tag_ for token in example.predicted] == ["X", "Y", "Z"]
    assert len(list(example.reference.sents)) == 2
    (bare,) = create_gold_token_reader(path, sentences=False)(nlp)
    assert [token.text for token in bare.predicted] == ["a", "b", "c"]
    assert not bare.predicted.has_annotation("SENT_START")
    (given,) = create_gold_token_reader(path)(nlp)
    assert [token.is_sent_start for token in given.predicted] == [True, False, True]
