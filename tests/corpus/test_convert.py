import re
import warnings

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_perceptron.corpus.convert import ConvertOptions, convert_file, find_files
from spacy_perceptron.corpus.spaces import guess_spaces

from ..real_data import data_path

PTB = """\
# sent_id = 1
# entities = PERSON: Ada Okafor; GPE: Lagos
(ROOT (S (NP-SBJ (NNP Ada) (NNP Okafor)) (VP (VBD did) (RB n't)
  (VP (VB leave) (NP (NNP Lagos)))) (. .)))

# sent_id = 2
(ROOT (S (NP-SBJ-1 (-NONE- *))
  (VP (VB Stay) (PRN (-LRB- -LRB-) (ADVP-TMP (RB now)) (-RRB- -RRB-)))))
"""

CONLLU = """\
# sent_id = 1
# text = Don't go.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_


# sent_id = 2
1\tStay\tstay\tVERB\tVB\t_\t0\troot\t_\t_
1.1\tput\tput\tVERB\tVB\t_\t_\t_\t_\t_
"""

IOB = """\
-DOCSTART- O

Ada\tB-PER
Okafor\tI-PER
left\tO

Lagos\tB-LOC
Accra\tB-LOC
"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("Ada 's dog , the big one , did n't bark .", "Ada's dog, the big one, didn't bark."),
        ("It rose 5 % to $ 20 ( US$ 8 ) : good !", "It rose 5% to $20 (US$8): good!"),
        ("`` I ca n't , '' he said -- `` not now . ''", "``I can't,'' he said -- ``not now.''"),
        ('" Go , " she said , " now " .', '"Go," she said, "now".'),
        ("We 'll gon na see : you can not", "We'll gonna see: you cannot"),
        ("the dogs ' house is not his", "the dogs' house is not his"),
        ("What ? !", "What?!"),
        ("", ""),
    ],
)
def test_spaces(words, text):
    words = words.split()
    spaces = guess_spaces(words)
    assert len(spaces) == len(words)
    assert "".join(w + " " * s for w, s in zip(words, spaces, strict=True)) == text


def test_ptb(tmp_path):
    path = write(tmp_path, "a.mrg", PTB)
    first, second = convert_file(path)
    assert first.text == "Ada Okafor didn't leave Lagos."
    assert [t.tag_ for t in first] == ["NNP", "NNP", "VBD", "RB", "VB", "NNP", "."]
    assert [t.head.i for t in first] == [1, 2, 2, 2, 2, 4, 2]
    assert [t.dep_ for t in first] == ["NMOD", "SBJ", "ROOT", "VMOD", "VC", "OBJ", "P"]
    assert [(e.label_, e.text) for e in first.ents] == [("PERSON", "Ada Okafor"), ("GPE", "Lagos")]
    assert [(s.label_, s.start, s.end) for s in first.spans["constituents"]] == [
        ("S", 0, 7),
        ("NP", 0, 2),
        ("VP", 2, 6),
        ("VP", 4, 6),
        ("NP", 5, 6),
    ]
    assert second.text == "Stay (now)"
    # Entities are annotated in this file: a word outside of them is known to be outside.
    assert [t.ent_iob_ for t in second] == ["O"] * 4
    assert len(list(first.sents)) == len(list(second.sents)) == 1


def test_ptb_options(tmp_path):
    path = write(tmp_path, "a.mrg", PTB)
    options = ConvertOptions(n_sents=2, keep_function_tags=True, keep_empty=True, deps=False)
    (doc,) = convert_file(path, options=options)
    assert [t.text for t in doc] == [
        *["Ada", "Okafor", "did", "n't", "leave", "Lagos", "."],
        *["*", "Stay", "(", "now", ")"],
    ]
    assert [sent.start for sent in doc.sents] == [0, 7]
    assert not doc.has_annotation("DEP")
    assert [(s.label_, s.text) for s in doc.spans["constituents"]][5:] == [
        ("S", "* Stay (now)"),
        ("NP-SBJ", "*"),
        ("VP", "Stay (now)"),
        ("PRN", "(now)"),
        ("ADVP-TMP", "now"),
    ]
    (with_deps,) = convert_file(path, options=ConvertOptions(n_sents=5))
    assert [sent.root.text for sent in with_deps.sents] == ["did", "Stay"]
    assert [e.text for e in with_deps.ents] == ["Ada Okafor", "Lagos"]


def test_entities_are_missing_when_a_file_lists_none(tmp_path):
    (doc,) = convert_file(write(tmp_path, "a.ptb", "(S (NP (NNP Ada)) (VP (VBD left)))"))
    assert [t.ent_iob_ for t in doc] == ["", ""]
    assert not doc.has_annotation("ENT_IOB")


def test_other_languages_need_their_own_rules(tmp_path):
    path = write(tmp_path, "a.mrg", "(S (NP (NE Ada)) (VP (VVFIN schläft)))")
    with pytest.raises(ValueError, match="no head rules for the language 'de'"):
        convert_file(path, options=ConvertOptions(lang="de"))
    (doc,) = convert_file(path, options=ConvertOptions(lang="de", deps=False))
    assert (doc.lang_, doc.text) == ("de", "Ada schläft")


def test_everything_survives_a_docbin(tmp_path):
    docs = convert_file(write(tmp_path, "a.mrg", PTB))
    path = tmp_path / "a.spacy"
    DocBin(docs=docs).to_disk(path)
    for before, after in zip(
        docs, DocBin().from_disk(path).get_docs(spacy.blank("en").vocab), strict=True
    ):
        assert after.text == before.text
        assert after.to_json() == before.to_json()
        old, new = before.spans["constituents"], after.spans["constituents"]
        assert [(s.label_, s.start, s.end) for s in new] == [
            (s.label_, s.start, s.end) for s in old
        ]


def test_conllu(tmp_path):
    first, second = convert_file(write(tmp_path, "a.conllu", CONLLU))
    # Words, not multi-word tokens; empty nodes are left out.
    assert [t.text for t in first] == ["Do", "n't", "go", "."]
    assert first.text.strip() == "Don't go."
    assert [t.tag_ for t in first] == ["VB", "RB", "VB", "."]
    assert [t.head.i for t in first] == [2, 2, 2, 2]
    assert [t.dep_ for t in first] == ["aux", "advmod", "ROOT", "punct"]
    assert [t.text for t in second] == ["Stay"]
    (both,) = convert_file(tmp_path / "a.conllu", options=ConvertOptions(n_sents=2))
    assert [len(sent) for sent in both.sents] == [4, 1]


def test_iob(tmp_path):
    first, second = convert_file(write(tmp_path, "a.iob2", IOB))
    assert [t.text for t in first] == ["Ada", "Okafor", "left"]
    assert [(e.label_, e.text) for e in first.ents] == [("PER", "Ada Okafor")]
    assert [(e.label_, e.text) for e in second.ents] == [("LOC", "Lagos"), ("LOC", "Accra")]
    # Two columns say nothing about tags.
    assert not first.has_annotation("TAG")
    (both,) = convert_file(tmp_path / "a.iob2", options=ConvertOptions(n_sents=2))
    assert [len(sent) for sent in both.sents] == [3, 2]


def test_iob_with_tags_and_one_sentence_per_line(tmp_path):
    (tagged,) = convert_file(write(tmp_path, "a.ner", "Ada NNP B-PER\nleft VBD O\n"))
    assert [t.tag_ for t in tagged] == ["NNP", "VBD"]
    lines = write(tmp_path, "b.iob", "Ada|B-PER left|O\n\nGo|O\n")
    docs = convert_file(lines)
    assert [[t.text for t in doc] for doc in docs] == [["Ada", "left"], ["Go"]]
    assert [e.label_ for e in docs[0].ents] == ["PER"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.conllu",
            "1\tDo\tdo\n",
            "a.conllu:1: expected 10 columns separated by tabs, but found 3",
        ),
        ("a.iob", "Ada B-PER\n\nleft\n", "a.iob:3: expected 2 columns separated by white space"),
        ("a.iob", "Ada B-PER\nleft O O\n", "a.iob:2: expected 2 columns separated by white space"),
        (
            "a.conllu",
            "1\tDo\tdo\tV\tV\t_\tx\troot\t_\t_\n",
            "a.conllu:1: the head 'x' is not a word of this sentence. Expected a number from 0 "
            "to 1",
        ),
        (
            "a.conllu",
            "# a\n1\tGo\tgo\tV\tV\t_\t0\troot\t_\t_\n2\tnow\tnow\tR\tR\t_\t3\tadv\t_\t_\n",
            "a.conllu:3: the head '3' is not a word of this sentence. Expected a number from 0 "
            "to 2",
        ),
        (
            "a.conllu",
            "1\tGo\tgo\tV\tV\t_\t-1\troot\t_\t_\n",
            "a.conllu:1: the head '-1' is not a word of this sentence",
        ),
        (
            "a.conllu",
            "1\tGo\tgo\tV\tV\t_\t0\troot\t_\t_\n3\tnow\tnow\tR\tR\t_\t1\tadv\t_\t_\n",
            "a.conllu:2: expected the ID 2, but found '3'",
        ),
        ("a.mrg", "(S (NN a)", "a.mrg:1: the tree that starts on line 1 is not closed"),
        ("a.doc", "", "a.doc: can't tell the format from the suffix '.doc'"),
    ],
)
def test_damage_is_named(tmp_path, name, text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        convert_file(write(tmp_path, name, text))


@pytest.mark.parametrize("name", ["a.mrg", "a.conllu", "a.iob"])
def test_empty_files(tmp_path, name):
    assert convert_file(write(tmp_path, name, "\n \n")) == []


def test_options_are_checked(tmp_path):
    path = write(tmp_path, "a.txt", "(S (NN a))")
    with pytest.raises(
        ValueError, match=r"`converter` must be 'auto', 'ptb', .*'prodigy' or 'doccano', not 'xml'"
    ):
        convert_file(path, converter="xml")
    with pytest.raises(ValueError, match="`n_sents` must be 0 or more, not -1"):
        convert_file(path, converter="ptb", options=ConvertOptions(n_sents=-1))
    assert [doc.text for doc in convert_file(path, converter="ptb")] == ["a"]


def test_find_files(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ["b.mrg", "a.conllu", "sub/c.MRG", "notes.txt"]:
        write(tmp_path, name, "")
    names = [file.name for file in find_files(tmp_path)]
    assert names == ["a.conllu", "b.mrg", "c.MRG"]
    assert [file.name for file in find_files(tmp_path, converter="ptb")] == ["b.mrg", "c.MRG"]
    assert find_files(tmp_path / "notes.txt") == [tmp_path / "notes.txt"]
    with pytest.raises(ValueError, match=r"no files with one of the suffixes \.iob"):
        find_files(tmp_path, converter="iob")
    with pytest.raises(ValueError, match="no such file or folder"):
        find_files(tmp_path / "missing")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sentences", "words"),
    [
        ("ewt/en_ewt-ud-dev.conllu", 2001, 25_147),
        ("ewt/en_ewt-ud-test.conllu", 2077, 25_094),
        ("wsj/dev.mrg", 329, None),
        ("ner/ewt_ner-train.iob", 2001, None),
        ("ner/wikigold.iob", 1696, None),
    ],
)
def test_real_corpora(name, sentences, words):
    path = data_path(name)
    docs = convert_file(path)
    assert len(docs) == sentences
    assert all(len(list(doc.sents)) == 1 for doc in docs)
    if words is None and path.suffix == ".iob":
        words = sum(1 for line in path.open(encoding="utf-8") if line.strip())
    elif words is None:
        words = len(re.findall(r"\([^ ()]+ [^ ()]+\)", path.read_text(encoding="utf-8")))
    assert sum(len(doc) for doc in docs) == words


def test_cycles_are_named(tmp_path):
    """The second word of the second sentence hangs on the third, which hangs on the second."""
    heads = [0, 3, 2, 1]
    rows = "".join(f"{i}\tw{i}\t_\tX\tX\t_\t{h}\tdep\t_\t_\n" for i, h in enumerate(heads, 1))
    good = "1\tGo\tgo\tVERB\tV\t_\t0\troot\t_\t_\n\n"
    path = write(tmp_path, "a.conllu", f"{good}{rows}")
    with pytest.warns(UserWarning, match=r"a\.conllu:4: .* form a cycle: w2 -> w3 -> w2\."):
        docs = convert_file(path)
    assert [len(doc) for doc in docs] == [1, 4]
    rows = rows.replace("\t3\tdep", "\t2\tdep")
    with pytest.warns(UserWarning, match=r"c\.conllu:2: .* form a cycle: w2 -> w2\."):
        convert_file(write(tmp_path, "c.conllu", rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        convert_file(write(tmp_path, "b.conllu", CONLLU))
