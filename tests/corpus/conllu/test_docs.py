import pytest
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from spacy_perceptron.corpus.conllu.docs import conllu_to_docs, in_groups, split_documents
from spacy_perceptron.trees.conllu.reading import read_conllu
from spacy_perceptron.trees.conllu.sentences import ConlluSentence, Word

from ...trees.conllu.samples import write_french


@pytest.fixture
def french(tmp_path):
    return list(read_conllu(write_french(tmp_path)))


def make(sentences, **options):
    return list(conllu_to_docs(sentences, Vocab(), **options))


def test_sentences(french):
    docs = make(french)
    assert [len(doc) for doc in docs] == [7, 3, 3, 1]
    # Words are not merged, and there is no white space but single spaces.
    assert docs[0].text == "Le chat dele voisin dort. "
    assert docs[2].text == "Vois-le ! "
    assert [token.tag_ for token in docs[1]] == ["PRON", "VERB", "PUNCT"]
    assert [token.dep_ for token in docs[1]] == ["nsubj", "ROOT", "punct"]


def test_documents(french):
    first, second = make(french, n_sents=0, documents=True, merge_subtokens=True)
    assert first.text == "Le chat du voisin dort. Il rêve.\n\nVois-le  ! "
    assert second.text == "Fin "
    assert [token.text for token in first][-7:] == ["Il", "rêve", ".", "\n\n", "Vois-le", " ", "!"]
    # White space is part of the sentence before it, or around it.
    assert [sent.text_with_ws for sent in first.sents] == [
        *["Le chat du voisin dort. ", "Il rêve.\n\n", "Vois-le  ! "],
    ]
    blank = first[9]
    assert (blank.text, blank.tag_, blank.pos_, blank.dep_) == ("\n\n", "_SP", "SPACE", "punct")
    # Heads in the Doc: `du` on `voisin`, the exclamation mark on `Vois-le`, white space on the word
    # before it.
    assert [token.head.i for token in first] == [1, 4, 3, 1, 4, 4, 7, 7, 7, 8, 10, 10, 10]


def test_tokens_are_those_of_the_tokenizer(french):
    """With documents kept, spaCy cuts the text into the same tokens, white space included."""
    import spacy

    nlp = spacy.blank("fr")
    # The French tokenizer makes two tokens of `Vois-le`.
    for doc in make(french[:2] + french[3:], n_sents=0, documents=True, merge_subtokens=True):
        assert [token.text for token in nlp(doc.text)] == [token.text for token in doc]


def test_at_most_n_sentences_of_a_document(french):
    docs = make(french, n_sents=2, documents=True)
    assert [len(list(doc.sents)) for doc in docs] == [2, 1, 1]
    # The paragraph ends with the Doc: nothing to mark.
    assert docs[0].text == "Le chat dele voisin dort. Il rêve. "
    assert [len(list(doc.sents)) for doc in make(french, n_sents=3)] == [3, 1]


def test_layout_survives_a_docbin(french):
    (before, _) = make(french, n_sents=0, documents=True)
    (after,) = DocBin().from_bytes(DocBin(docs=[before]).to_bytes()).get_docs(Vocab())
    assert after.text == before.text
    assert [sent.text for sent in after.sents] == [sent.text for sent in before.sents]
    for name in ("tag_", "pos_", "dep_", "lemma_"):
        assert [getattr(t, name) for t in after] == [getattr(t, name) for t in before]
    assert [token.head.i for token in after] == [token.head.i for token in before]


def test_missing_annotation():
    words = [Word("a", upos="X"), Word("_", "_", "X"), Word("b", "_", "X")]
    (doc,) = make([ConlluSentence(words), ConlluSentence(words)], n_sents=2)
    assert not doc.has_annotation("DEP")
    assert [sent.start for sent in doc.sents] == [0, 3]
    assert [token.lemma_ for token in doc][:3] == ["", "_", ""]


def test_white_space_in_the_file():
    """A line break at the end of a paragraph is not doubled; a no-break space is a token."""
    words = [Word("a", misc=r"SpacesAfter=\u00A0"), Word("b", misc=r"SpacesAfter=\s\n\n")]
    sentences = [ConlluSentence(words), ConlluSentence([Word("c")], comments=["# newpar"])]
    (doc,) = make(sentences, n_sents=0, documents=True)
    assert [token.text for token in doc] == ["a", "\u00a0", "b", "\n\n", "c"]
    assert doc.text == "a\u00a0b \n\nc "


def test_entities():
    words = [
        Word("Ada", misc="NE=B-PER"),
        Word("Okafor", misc=r"NE=L-PER|SpacesAfter=\n"),
        Word("left"),
        Word("Lagos", misc="name=U-GPE"),
    ]
    (doc,) = make([ConlluSentence(words)], documents=True)
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ada Okafor", "PER"), ("Lagos", "GPE")]
    assert [token.ent_iob_ for token in doc] == ["B", "I", "O", "O", "B"]
    words[0] = Word("Ada", misc=r"NE=B-PER|SpacesAfter=\s\s")
    (doc,) = make([ConlluSentence(words)], documents=True)
    assert doc.ents[0].text == "Ada  Okafor"
    (doc,) = make([ConlluSentence([Word("Ada")])])
    assert not doc.has_annotation("ENT_IOB")


def test_groups():
    assert [list(group) for group in in_groups([1, 2, 3], 2)] == [[1, 2], [3]]
    assert [list(group) for group in in_groups([1, 2, 3], 0)] == [[1, 2, 3]]
    assert list(in_groups([], 0)) == list(in_groups([], 2)) == []


def test_documents_without_a_first_comment(french):
    assert [len(part) for part in split_documents(french[1:])] == [2, 1]
    assert list(split_documents([])) == []


def test_white_space_does_not_count_in_scores(french):
    """spaCy's scorer leaves it out. Were it without a label, words with the same index in later
    Docs would be left out too, and lower the score.
    """
    from spacy.scorer import Scorer
    from spacy.training import Example

    # White space is the fourth token of the first Doc, a word that of the second.
    docs = [*make(french[1:3], n_sents=0, documents=True), *make(french[:1])]
    examples = [Example(doc.copy(), doc) for doc in docs]
    found = Scorer.score_deps(
        examples, "dep", getter=lambda token, name: token.dep_.lower(), ignore_labels=("p", "punct")
    )
    assert (found["dep_uas"], found["dep_las"]) == (1.0, 1.0)
