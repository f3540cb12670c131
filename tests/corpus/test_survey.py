import spacy
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from spacy_perceptron.corpus.survey import Survey, count_columns, survey_corpus


def test_what_is_there_is_counted():
    vocab = spacy.blank("en").vocab
    full = Doc(
        vocab,
        words=["Ada", "left", ".", "\n\n", "She", "left"],
        tags=["NNP", "VBD", ".", "_SP", "PRP", "VBD"],
        pos=["PROPN", "VERB", "PUNCT", "SPACE", "PRON", "VERB"],
        morphs=["Number=Sing", "Tense=Past", "", "", "", "Tense=Past"],
        lemmas=["Ada", "leave", ".", "\n\n", "she", "leave"],
        heads=[1, 1, 1, 2, 5, 5],
        deps=["nsubj", "ROOT", "punct", "dep", "nsubj", "ROOT"],
        ents=["B-PER", "O", "O", "O", "O", "O"],
    )
    full.spans["constituents"] = [Span(full, 0, 3, "S"), Span(full, 0, 1, "NP")]
    bare = Doc(vocab, words=["Hm", "."])
    survey = survey_corpus([full, bare])
    # White space has a tag, a lemma and a label, which do not count.
    assert survey == Survey(
        docs=2,
        long_docs=1,
        sentences=3,
        words=7,
        tags=4,
        pos=4,
        morphs=2,
        lemmas=4,
        labels=3,
        entities=1,
        entity_types=1,
        constituents=2,
    )
    assert survey.attributes == ["tag", "pos", "morph"]
    rows = dict(count_columns(survey))
    assert rows["Docs"] == "2, 1 of them with several sentences"
    assert rows["entities"] == "1 of 1 types"


def test_missing_annotation_is_none():
    vocab = Vocab()
    docs = [Doc(vocab, words=["a", "b"], pos=["X", "X"], morphs=["", ""], tags=["_", "_"])]
    survey = survey_corpus(docs)
    assert survey == Survey(docs=1, sentences=1, words=2, pos=1)
    assert survey.attributes == ["pos"]
    rows = dict(count_columns(survey))
    assert (rows["fine tags"], rows["coarse tags"], rows["entities"]) == ("none", "1", "none")
