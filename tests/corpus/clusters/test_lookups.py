import pytest

from spacy_perceptron.corpus.clusters.lists import ClusteredWord
from spacy_perceptron.corpus.clusters.lookups import decode_table, lookup_clusters


def test_integers_are_reversed_paths():
    # 6 is 110 in bits: the way is 0 1 1. 11 is 1011, the longest: 1 1 0 1. 0 is no cluster.
    table = {"a": 6, "b": 11, "c": 0, "d": 1}
    assert decode_table(table) == [
        ClusteredWord("a", "0110", 3),
        ClusteredWord("d", "1000", 1),
        ClusteredWord("b", "1101", 1),
    ]


def test_digits_are_folded_and_the_first_word_counts():
    assert decode_table({"1999": 2, "1998": 1, "a": 3}) == [
        ClusteredWord("0000", "01", 2),
        ClusteredWord("a", "11", 1),
    ]


def test_tables_of_spacy():
    pytest.importorskip("spacy_lookups_data")
    paths = {entry.word: entry.path for entry in lookup_clusters("en")}
    assert paths["Monday"] == paths["Tuesday"] != paths["London"]
    # 874 in the table: 1101101010 in bits.
    assert paths["Monday"].startswith("0101011011")
    assert len({len(path) for path in paths.values()}) == 1
    with pytest.raises(ValueError, match=r"no lexeme_cluster for the language 'fr'.* de, en, es"):
        lookup_clusters("fr")
