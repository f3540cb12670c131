"""Tables of word clusters, and the attributes of words that are looked up in them."""

import pickle
from collections.abc import Mapping

import numpy as np
import pytest
from spacy.strings import hash_string

from spacy_perceptron.features.attributes import (
    WORD_ATTRIBUTES,
    ClusterAttribute,
    is_attribute,
    parse_cluster,
    word_attribute_names,
)
from spacy_perceptron.features.clusters import MAX_CLUSTERS, ClusterTable
from spacy_perceptron.features.sets.clusters import expand_clusters
from spacy_perceptron.features.sets.registry import templates_from_sets
from spacy_perceptron.features.templates import Atom, parse_template
from spacy_perceptron.features.word_attributes import NO_CLUSTER, WordAttributes

WORDS = {"the": "00", "cat": "010", "Paris": "0110", "0,000": "0111", "b0b": "1"}


def make_table(words: Mapping[str, str]) -> ClusterTable:
    return ClusterTable.from_words([*words], [*words.values()])


def path_of(words: Mapping[str, str], text: str) -> str | None:
    table = make_table(words)
    number = table.find(text)
    return None if number < 0 else table.paths[number]


# --- Looking up words -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("cat", "010"),
        # In lower case.
        ("Cat", "010"),
        ("THE", "00"),
        # With a capital initial.
        ("paris", "0110"),
        ("PARIS", "0110"),
        # With digits folded, and then in lower case.
        ("1,024", "0111"),
        ("b2b", "1"),
        ("B2B", "1"),
        ("٣,٣٣٣", "0111"),
        # Not at all.
        ("dog", None),
        ("1,02", None),
        ("cats", None),
        ("", None),
    ],
)
def test_look_up(text: str, path: str | None):
    assert path_of(WORDS, text) == path


@pytest.mark.parametrize(
    ("words", "text", "path"),
    [
        # The word itself comes first, then lower case, folded digits, the capital initial.
        ({"May": "0", "may": "1"}, "May", "0"),
        ({"May": "0", "may": "1"}, "may", "1"),
        ({"May": "0", "may": "1"}, "MAY", "1"),
        ({"x1": "0", "X0": "1"}, "X1", "0"),
        ({"X0": "0", "x0": "1"}, "X7", "0"),
        ({"x0": "0", "X7": "1"}, "x7", "0"),
        ({"x0": "0", "X7": "1"}, "X7", "1"),
    ],
)
def test_the_nearest_form_counts(words: dict[str, str], text: str, path: str):
    assert path_of(words, text) == path


def test_the_first_of_equal_words_counts():
    table = ClusterTable.from_words(["a", "b", "a"], ["1", "01", "00"])
    assert len(table) == 2
    assert table.paths[table.find("a")] == "1"
    assert table.paths[table.find("b")] == "01"


def test_an_empty_table():
    table = ClusterTable.from_bytes(ClusterTable([], [], []).to_bytes())
    assert len(table) == 0
    assert table.paths == ()
    assert table.find("word") == -1


def test_many_words_are_all_found():
    words = {f"word{chr(97 + i % 26)}{chr(97 + i // 26)}": f"{i:010b}" for i in range(600)}
    table = make_table(words)
    assert len(table) == 600
    assert {word: table.paths[table.find(word)] for word in words} == words


# --- Bytes ----------------------------------------------------------------------------------


def test_round_trip():
    table = make_table(WORDS)
    for other in (
        ClusterTable.from_bytes(table.to_bytes()),
        pickle.loads(pickle.dumps(table)),
    ):
        assert other.to_bytes() == table.to_bytes()
        assert other.paths == ("00", "010", "0110", "0111", "1")
        assert {word: other.paths[other.find(word)] for word in WORDS} == WORDS
        assert other.fingerprint == table.fingerprint


def test_the_layout_of_bytes():
    """Files of one version can be read by another, on any machine."""
    data = ClusterTable([2, 258], [1, 0], ["0", "10"]).to_bytes()
    sizes = b"".join(n.to_bytes(8, "little") for n in (1, 2, 2, 4))
    assert data == b"clusters" + sizes + bytes([2, *[0] * 7, 2, 1, *[0] * 6, 1, 0, 0, 0]) + b"0\n10"


def changed(**bytes_at: int) -> bytes:
    """The bytes of `test_the_layout_of_bytes` with some of them changed."""
    data = bytearray(ClusterTable([2, 258], [1, 0], ["0", "10"]).to_bytes())
    for place, value in bytes_at.items():
        data[int(place[1:])] = value
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it does not begin like one"),
        (b"0110\tthe\t7\n" * 10, "it does not begin like one"),
        (b"clusters", "it does not begin like one"),
        (changed()[:39], "it does not begin like one"),
        (changed(_0=ord("C")), "it does not begin like one"),
        (changed(_8=2), "its version is 2"),
        # 40 bytes of sizes, 20 of words, 4 of paths.
        (changed()[:-1], "it has 63 bytes"),
        (changed() + b"0", "it has 65 bytes"),
        (changed(_16=3), "it has 64 bytes"),
        (changed(_31=1), "it has 2 paths"),
        (changed(_24=3), "it has 2 paths"),
        # Both words have the same hash, or they are the wrong way round.
        (changed(_48=2, _49=0), "its words are not in order"),
        (changed(_41=9), "its words are not in order"),
        (changed(_56=2), "a word has no cluster"),
        (changed(_60=ord("x")), "'x' is not a path"),
        (changed(_63=200), "is not a path"),
    ],
)
def test_damaged_and_foreign_bytes(data: bytes, reason: str):
    with pytest.raises(ValueError, match=rf"not a table of word clusters: .*{reason}.*make it"):
        ClusterTable.from_bytes(data)


@pytest.mark.parametrize(
    ("hashes", "clusters", "paths", "message"),
    [
        ([3, 1], [0, 0], ["0"], "its words are not in order"),
        ([1, 1], [0, 0], ["0"], "its words are not in order"),
        ([1, 2], [0], ["0"], "words and clusters differ in number"),
        ([[1, 2]], [[0, 0]], ["0"], "words and clusters differ in number"),
        ([1], [1], ["0"], "a word has no cluster"),
        ([1], [-1], ["0"], "a word has no cluster"),
        ([1], [0], [], "a word has no cluster"),
        ([1], [0], ["0120"], "'0120' is not a path"),
        ([1], [0], ["0 1"], "'0 1' is not a path"),
        ([1], [0], ["0\n1"], "is not a path"),
    ],
)
def test_what_is_no_table(hashes: list, clusters: list, paths: list[str], message: str):
    with pytest.raises(ValueError, match=message):
        ClusterTable(np.array(hashes, np.uint64), clusters, paths)


def test_the_number_of_clusters():
    paths = [f"{i:017b}" for i in range(MAX_CLUSTERS + 1)]
    with pytest.raises(ValueError, match=r"can have 65536 clusters, not 65537\. Use fewer"):
        ClusterTable([], [], paths)
    # The last number of two bytes is still one.
    table = ClusterTable.from_bytes(ClusterTable([7], [MAX_CLUSTERS - 1], paths[:-1]).to_bytes())
    assert table.to_bytes() == ClusterTable([7], [MAX_CLUSTERS - 1], paths[:-1]).to_bytes()
    assert len(table.paths) == MAX_CLUSTERS


# --- Fingerprints ---------------------------------------------------------------------------


def test_equal_tables_have_equal_fingerprints():
    backwards = dict(reversed(WORDS.items()))
    assert make_table(backwards).fingerprint == make_table(WORDS).fingerprint


@pytest.mark.parametrize(
    "words",
    [
        {**WORDS, "cat": "00"},
        {**WORDS, "the": "010", "cat": "00"},
        {**WORDS, "dog": "010"},
        {word: path for word, path in WORDS.items() if word != "cat"},
        {word: "0" + path for word, path in WORDS.items()},
    ],
)
def test_other_tables_have_other_fingerprints(words: dict[str, str]):
    assert make_table(words).fingerprint != make_table(WORDS).fingerprint


# --- Attributes of words --------------------------------------------------------------------


def test_values_of_prefixes():
    tables = {"": make_table(WORDS)}
    names = ["cluster2", "lower", "cluster", "cluster9", "cluster3"]
    compute = WordAttributes(names, lambda: tables)
    # The path of `Paris` is 0110, that of `the` 00, of which longer prefixes are the path itself.
    assert compute("PARIS") == [*map(hash_string, ["01", "paris", "0110", "0110", "011"])]
    assert compute("the") == [*map(hash_string, ["00", "the", "00", "00", "00"])]
    # Words without a cluster share a value that no cluster has.
    assert compute("dog") == [0, hash_string("dog"), 0, 0, 0]


def test_several_tables():
    tables = {"": make_table({"a": "0"}), "web": make_table({"a": "11", "b": "10"})}
    compute = WordAttributes(["cluster", "web.cluster", "web.cluster1"], lambda: tables)
    assert compute("a") == [*map(hash_string, ["0", "11", "1"])]
    assert compute("b") == [0, hash_string("10"), hash_string("1")]


def test_tables_are_looked_for_when_a_word_needs_them():
    """And once more when there are others."""
    found: list[dict[str, ClusterTable]] = []
    compute = WordAttributes(["cluster"], lambda: found[-1])
    with pytest.raises(IndexError):
        compute("a")
    found.append({"": make_table({"a": "0"})})
    assert compute("a") == [hash_string("0")]
    found.append({"": make_table({"a": "1"})})
    assert compute("a") == [hash_string("1")]
    # Other attributes need none.
    assert WordAttributes(["lower"])("A") == [hash_string("a")]


class Tables:
    """Gives tables, and can be pickled."""

    def __call__(self) -> dict[str, ClusterTable]:
        return {"": make_table({"a": "01"})}


def test_pickled_attributes():
    compute = WordAttributes(["cluster1"], Tables())
    assert compute("a") == [hash_string("0")]
    assert pickle.loads(pickle.dumps(compute))("a") == [hash_string("0")]


def test_describe():
    tables = {"": make_table(WORDS), "web": make_table({"paris": "11"})}
    names = ["cluster", "cluster3", "web.cluster1", "lower", "length"]
    compute = WordAttributes(names, lambda: tables)
    described = {name: compute.describe(name, "Paris") for name in names}
    assert described == {
        "cluster": "0110",
        "cluster3": "011",
        "web.cluster1": "1",
        "lower": "paris",
        "length": "5",
    }
    assert compute.describe("cluster", "dog") == NO_CLUSTER == "<none>"


# --- Names ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cluster", ClusterAttribute("", None)),
        ("cluster6", ClusterAttribute("", 6)),
        ("cluster12", ClusterAttribute("", 12)),
        ("web.cluster", ClusterAttribute("web", None)),
        ("my_news.cluster10", ClusterAttribute("my_news", 10)),
        ("clusters", None),
        ("cluster6b", None),
        ("web.lower", None),
        ("Web.cluster", None),
        (".cluster", None),
        ("lower", None),
    ],
)
def test_names(name: str, expected: ClusterAttribute | None):
    assert parse_cluster(name) == expected
    assert is_attribute(name, WORD_ATTRIBUTES) == (expected is not None or name == "lower")


def test_where_there_are_no_clusters():
    assert not is_attribute("cluster6", ["lower", "tag"])
    assert word_attribute_names(["tag", "web.cluster", "lower", "cluster4", "lower"]) == [
        "cluster4",
        "lower",
        "web.cluster",
    ]


def test_templates():
    template = parse_template(
        "w-1.web.cluster6 w.cluster w.lower", roles=["w"], attributes=WORD_ATTRIBUTES
    )
    assert template.atoms == (
        Atom("w", -1, "web.cluster6"),
        Atom("w", 0, "cluster"),
        Atom("w", 0, "lower"),
    )
    assert str(template) == "w-1.web.cluster6 w.cluster w.lower"
    for text, message in {
        "w.web.lower": "w.web.lower",
        "w.web.clusters": "Unknown attribute 'web.clusters'",
        "w.Web.cluster": "w.Web.cluster",
    }.items():
        with pytest.raises(ValueError, match=message):
            parse_template(text, roles=["w"], attributes=WORD_ATTRIBUTES)


def test_templates_of_several_tables():
    texts = ["w.lower", "w.cluster6 w-1.cluster", "w+1.cluster w.tag"]
    assert expand_clusters(texts, []) == texts
    assert expand_clusters(texts, ["web", "news"]) == [
        "w.lower",
        "w.web.cluster6 w-1.web.cluster",
        "w.news.cluster6 w-1.news.cluster",
        "w+1.web.cluster w.tag",
        "w+1.news.cluster w.tag",
    ]
    # Those that name a table keep it.
    named = ["w.web.cluster6 w-1.cluster", "p[lc].cluster w.web.cluster"]
    assert expand_clusters(named, ["a", "b"]) == [
        "w.web.cluster6 w-1.a.cluster",
        "w.web.cluster6 w-1.b.cluster",
        "p[lc].a.cluster w.web.cluster",
        "p[lc].b.cluster w.web.cluster",
    ]
    assert templates_from_sets([], extra=texts, clusters=["web"]) == expand_clusters(texts, ["web"])
