import gzip
from pathlib import Path

import pytest
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from spacy_perceptron.corpus.clusters.texts import Exclusion, find_texts, make_cutter, read_words

CONLLU = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\truns\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def read(path: Path, *, tokenized: bool = True) -> list[list[str]]:
    return [*read_words(path, make_cutter("en", tokenized=tokenized))]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.raw", "a"])
def test_lines(tmp_path: Path, name: str):
    data = b"I don't  run .\r\n\n \nYes\n"
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read(path) == [["I", "don't", "run", "."], ["Yes"]]
    assert read(path, tokenized=False) == [["I", "do", "n't", "run", "."], ["Yes"]]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_json_lines(tmp_path: Path, name: str):
    data = b'{"text": "One.\\nTwo", "meta": 1}\n\n{"text": ""}\n{"text": "Three"}\n'
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert read(path, tokenized=False) == [["One", "."], ["Two"], ["Three"]]


@pytest.mark.parametrize("line", ["text", "[]", '{"words": []}', '{"text": 1}'])
def test_bad_json_lines_are_named(tmp_path: Path, line: str):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a"}\n' + line, encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.jsonl:2: a line should be an object"):
        read(path)


def test_bins(tmp_path: Path):
    path = tmp_path / "a.spacy"
    starts: list[bool | int | None] = [True, False, False, True]
    docs = [
        Doc(Vocab(), words=["It", "runs", "\n", "Yes"], sent_starts=starts),
        Doc(Vocab(), words=["a", "b"]),
    ]
    DocBin(docs=docs).to_disk(path)
    assert read(path) == [["It", "runs"], ["Yes"], ["a", "b"]]
    path.write_bytes(b"no bin")
    with pytest.raises(ValueError, match=r"Can't read .*a\.spacy"):
        read(path)


def test_files_of_folders(tmp_path: Path):
    for name in ("b.txt", "a.jsonl.gz", "c.spacy", "d.png", "sub/a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = ("a.jsonl.gz", "b.txt", "c.spacy", "sub/a.txt")
    assert find_texts([tmp_path]) == [tmp_path / name for name in names]
    # What is named is read, whatever its suffix.
    assert find_texts([tmp_path / "d.png"]) == [tmp_path / "d.png"]
    with pytest.raises(ValueError, match="There is no file"):
        find_texts([tmp_path / "x.txt"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="There are no texts in"):
        find_texts([tmp_path / "empty"])


def test_sentences_of_other_corpora_are_left_out(tmp_path: Path):
    (tmp_path / "test.conllu").write_text(CONLLU, encoding="utf-8")
    (tmp_path / "test.txt").write_text("I don't.\n", encoding="utf-8")
    exclusion = Exclusion([tmp_path / "test.conllu", tmp_path / "test.txt"])
    text = [["It", "runs"], ["It", "runs", "."], ["I", "do", "n't", "."], ["it", "runs"]]
    # Words may be cut differently, but not spelled differently.
    assert [*exclusion.filter(text)] == [["It", "runs", "."], ["it", "runs"]]
    assert exclusion.n_dropped == 2
