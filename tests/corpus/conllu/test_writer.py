import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.corpus.conllu.docs import conllu_to_docs
from spacy_perceptron.corpus.conllu.writer import doc_to_conllu, docs_to_conllu
from spacy_perceptron.trees.conllu.expansions import Expansions
from spacy_perceptron.trees.conllu.reading import conllu_lines, read_conllu
from spacy_perceptron.trees.conllu.sentences import Word

from ...real_data import data_path
from ...trees.conllu.samples import write_french

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")


def round_trip(sentences, **options):
    """Sentences as Docs in a DocBin, and back."""
    docs = DocBin(docs=conllu_to_docs(sentences, Vocab(), **options))
    return list(docs_to_conllu(DocBin().from_bytes(docs.to_bytes()).get_docs(Vocab())))


def assert_equal(before, after):
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        for name in COLUMNS:
            assert [getattr(w, name) for w in new.words] == [getattr(w, name) for w in old.words]
        assert new.spaces() == old.spaces()
        assert new.starts_document == old.starts_document
        assert new.starts_paragraph == old.starts_paragraph


def text_of(sentence):
    (text,) = [c for c in sentence.comments if c.startswith("# text = ")]
    return text


def test_round_trip(tmp_path):
    before = list(read_conllu(write_french(tmp_path)))
    after = round_trip(before, n_sents=0, documents=True)
    assert_equal(before, after)
    assert [text_of(s) for s in after][1:] == [
        *["# text = Il rêve.", "# text = Vois-le !", "# text = Fin"],
    ]
    table = Expansions(before)
    merged = round_trip(before, n_sents=0, documents=True, merge_subtokens=True)
    assert text_of(merged[0]) == "# text = Le chat du voisin dort."
    # All fine tags are coarse ones except those of the merged words, so there is an XPOS column.
    assert merged[0].words[2].xpos == "ADP_DET"
    again = [table.split(sentence) for sentence in merged]
    assert [s.multiwords for s in again] == [s.multiwords for s in before]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ewt/en_ewt-ud-dev.conllu", "cltt/cs_cltt-ud-dev.conllu"])
def test_round_trip_of_a_treebank(name):
    before = list(read_conllu(data_path(name)))
    after = round_trip(before, n_sents=0, documents=True)
    assert_equal(before, after)
    if name.startswith("ewt"):
        assert [text_of(s) for s in after] == [text_of(s) for s in before]


def test_lines():
    doc = Doc(
        spacy.blank("en").vocab,
        words=["Go", "!", "\n", "He", "naps"],
        spaces=[False, False, False, True, False],
        tags=["VB", ".", "_SP", "PRP", "VBZ"],
        pos=["VERB", "PUNCT", "SPACE", "PRON", "VERB"],
        morphs=["VerbForm=Inf", "", "", "Number=Sing|NumType=Card", ""],
        lemmas=["go", "!", "\n", "he", "nap"],
        heads=[0, 0, 1, 4, 4],
        deps=["ROOT", "punct", "dep", "nsubj", "ROOT"],
    )
    assert [line for sentence in docs_to_conllu([doc]) for line in conllu_lines(sentence)] == [
        "# newdoc",
        "# sent_id = 1",
        "# text = Go!",
        "1\tGo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No",
        "2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\tSpacesAfter=\\n",
        "",
        "# sent_id = 2",
        "# text = He naps",
        "1\tHe\the\tPRON\tPRP\tNumber=Sing|NumType=Card\t2\tnsubj\t_\t_",
        "2\tnaps\tnap\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No",
        "",
    ]


def test_white_space_tokens_are_passed_over():
    """A white space token that starts the Doc, one that is a root, one that is a sentence."""
    vocab = spacy.blank("en").vocab
    words = ["\n", "a", "\n\n", "b", "c", "\n\n\n", "d"]
    doc = Doc(
        vocab,
        words=words,
        spaces=[False] * len(words),
        heads=[1, 1, 2, 2, 3, 5, 6],
        deps=["dep", "ROOT", "ROOT", "x", "y", "ROOT", "ROOT"],
    )
    found = list(doc_to_conllu(doc))
    assert [[w.form for w in s.words] for s in found] == [["a"], ["b", "c"], ["d"]]
    # The root of the second sentence is white space, and the first word takes its place.
    assert [[w.head for w in s.words] for s in found] == [[-1], [-1, 0], [-1]]
    assert [w.deprel for w in found[1].words] == ["root", "y"]
    assert [s.starts_paragraph for s in found] == [False, True, True]
    assert [s.words[-1].misc for s in found] == ["_", "SpacesAfter=\\n\\n\\n", "SpaceAfter=No"]


def test_several_words_on_a_white_space_root():
    doc = Doc(
        Vocab(),
        words=["a", " ", "b"],
        spaces=[True, False, False],
        heads=[1, 1, 1],
        deps=["x", "ROOT", "y"],
    )
    (found,) = doc_to_conllu(doc)
    assert [(w.head, w.deprel) for w in found.words] == [(-1, "root"), (0, "y")]
    assert found.words[0].misc == "SpacesAfter=\\s\\s"


def test_docs_without_annotation():
    docs = [Doc(Vocab(), words=["a", "b"]), Doc(Vocab(), words=[]), Doc(Vocab(), words=[" "])]
    (found,) = docs_to_conllu(docs)
    assert found.words == [Word("a"), Word("b")]
    # Docs of one sentence are no documents.
    assert found.comments == ["# sent_id = 1", "# text = a b"]
