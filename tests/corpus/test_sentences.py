import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus

from spacy_perceptron.corpus.sentences import SentenceCorpus
from spacy_perceptron.trees.brackets import to_brackets
from spacy_perceptron.trees.constituents import doc_to_tree

from ..treebank_docs import GO, SAID, make_doc


def test_sentences_keep_their_trees(tmp_path):
    nlp = spacy.blank("en")
    plain = Doc(nlp.vocab, words=["no", "sentences", "here"])
    empty = Doc(nlp.vocab)
    DocBin(docs=[make_doc(GO, SAID), plain, empty]).to_disk(tmp_path / "dev.spacy")
    theirs = list(Corpus(tmp_path, gold_preproc=True)(nlp))
    ours = list(SentenceCorpus(tmp_path, gold_preproc=True)(nlp))
    assert [to_brackets(doc_to_tree(eg.reference)) for eg in ours[:2]] == [GO, SAID]
    # All else is as in spaCy.
    assert "constituents" not in theirs[0].reference.spans
    for a, b in zip(ours, theirs, strict=True):
        assert a.to_dict()["token_annotation"] == b.to_dict()["token_annotation"]
        assert [token.text for token in a.predicted] == [token.text for token in b.predicted]
        assert "constituents" not in a.predicted.spans
    # Without gold_preproc, there is no difference.
    (whole, *_) = SentenceCorpus(tmp_path)(nlp)
    assert whole.reference.text == make_doc(GO, SAID).text
