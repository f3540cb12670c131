import gzip
import importlib.util
from pathlib import Path

import pytest

from spacy_perceptron.corpus.clusters.lists import (
    ClusteredWord,
    in_order,
    rank_counts,
    read_clustered_words,
    save_clusters,
    write_clustered_words,
)

WORDS = [
    ClusteredWord("the", "00", 7),
    ClusteredWord("naïve", "010", 3),
    ClusteredWord("#", "1", 1),
]


def test_the_format(tmp_path: Path):
    path = tmp_path / "clusters.txt"
    write_clustered_words(WORDS, path)
    assert path.read_bytes() == "00\tthe\t7\n010\tnaïve\t3\n1\t#\t1\n".encode()


@pytest.mark.parametrize("name", ["clusters.txt", "clusters.txt.gz"])
def test_round_trip(tmp_path: Path, name: str):
    save_clusters(WORDS, tmp_path / name)
    assert read_clustered_words(tmp_path / name) == WORDS


def test_packed_files_are_the_same_at_any_time(tmp_path: Path):
    path = tmp_path / "a.txt.gz"
    write_clustered_words(WORDS, path)
    # Bytes 4 to 7 of a packed file are its time.
    assert path.read_bytes()[4:8] == bytes(4)
    assert gzip.decompress(path.read_bytes()).startswith(b"00\tthe\t7\n")


def test_line_breaks_and_blank_lines(tmp_path: Path):
    path = tmp_path / "clusters.txt"
    # Only \n ends a line: other line breaks of Unicode can be part of a word.
    path.write_bytes("\ufeff0\ta\u2028b\t2\r\n\r\n1\tc\t1".encode())
    expected = [ClusteredWord("a\u2028b", "0", 2), ClusteredWord("c", "1", 1)]
    assert read_clustered_words(path) == expected


@pytest.mark.parametrize(
    "line", ["0110 the 7", "0110\tthe", "0120\tthe\t7", "\tthe\t7", "0110\t\t7", "0110\tthe\t7.5"]
)
def test_bad_lines_are_named(tmp_path: Path, line: str):
    path = tmp_path / "clusters.txt"
    path.write_text(f"0\ta\t1\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"clusters\.txt:2: a line should have a path of 0s and"):
        read_clustered_words(path)


def test_bad_files_are_named(tmp_path: Path):
    empty, packed, latin = (tmp_path / name for name in ("empty.txt", "plain.txt.gz", "latin.txt"))
    empty.write_bytes(b"\n")
    packed.write_bytes(b"0\ta\t1\n")
    latin.write_bytes(b"0\t\xe9\t1\n")
    with pytest.raises(ValueError, match=r"no words in .*empty\.txt"):
        read_clustered_words(empty)
    with pytest.raises(ValueError, match=r"Can't read .*plain\.txt\.gz"):
        read_clustered_words(packed)
    with pytest.raises(ValueError, match=r"Can't read .*latin\.txt"):
        read_clustered_words(latin)
    with pytest.raises(ValueError, match="a compiled table, which has no words"):
        read_clustered_words(tmp_path / "table.bin")


def test_the_name_tells_the_format(tmp_path: Path):
    with pytest.raises(ValueError, match=r"should end in \.txt, \.txt\.gz or \.bin"):
        save_clusters(WORDS, tmp_path / "clusters.csv")


@pytest.mark.skipif(
    importlib.util.find_spec("spacy_perceptron.features.clusters") is None,
    reason="the table is not compiled",
)
def test_compiled_tables(tmp_path: Path):
    from spacy_perceptron.features.clusters import ClusterTable

    path = tmp_path / "table.bin"
    save_clusters(WORDS, path)
    table = ClusterTable.from_bytes(path.read_bytes())
    assert [table.paths[table.find(entry.word)] for entry in WORDS] == ["00", "010", "1"]


def test_order():
    words = in_order(["a", "b", "c", "d"], ["1", "01", "1", "1"], [2, 1, 5, 2])
    assert [entry.word for entry in words] == ["b", "c", "a", "d"]


def test_counts_by_rank():
    assert rank_counts(5) == [5, 2, 1, 1, 1]
