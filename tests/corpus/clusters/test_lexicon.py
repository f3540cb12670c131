import pytest

from spacy_perceptron.corpus.clusters.lexicon import classify, lexicon_clusters

INDEX = {"noun": ["cat", "walk", "attorney general", "B52"], "verb": ["walk", "bake", "go"]}
EXCEPTIONS = {"noun": {}, "verb": {"went": ["go"], "going": ["go"]}}
RULES = {
    "noun": [["s", ""]],
    "verb": [["s", ""], ["ed", ""], ["ed", "e"], ["ing", ""], ["ing", "e"], ["e", "e"]],
}


def test_paths_answer_questions():
    entries = classify(INDEX, EXCEPTIONS, RULES)
    paths = {entry.word: entry.path for entry in entries}
    # What ends are there: noun s; verb s, d, g and t. All are common in so few words.
    assert {len(path) for path in paths.values()} == {7}
    # First letters: the basic forms, of verbs or of nouns, as the shortest word is a verb.
    assert [paths[word][:2] for word in ("cat", "B00", "bake")] == ["01", "01", "10"]
    assert paths["walk"] == "1100000"
    assert paths["baked"] == paths["walked"] == paths["goed"]
    assert paths["cats"].count("1") == 1
    assert paths["walks"].count("1") == 2
    assert paths["went"][:2] == "00"
    assert len({paths[word] for word in ("cats", "walks", "walked", "walking", "went")}) == 5
    # Phrases are left out, and rules that change nothing.
    assert "attorney" not in " ".join(paths)
    assert {entry.count for entry in entries} == {1}


def test_irregular_forms_take_the_place_of_regular_ones():
    exceptions = {"verb": {"gang": ["go"]}}
    with_exception = {e.word for e in classify({"verb": ["go"]}, exceptions, RULES)}
    assert with_exception == {"go", "gang", "gos", "goed"}
    without = {e.word for e in classify({"verb": ["go"]}, {}, RULES)}
    assert without == {"go", "going", "gos", "goed"}


def test_rare_ends_share_a_letter():
    lemmas = [f"{a}{b}{c}" for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    exceptions = {"noun": {"men": ["aaa"], "mice": ["aab"]}}
    paths = {e.word: e.path for e in classify({"noun": lemmas}, exceptions, RULES)}
    assert paths["aaa"] == "100"
    assert paths["aaas"] == "010"
    assert paths["men"] == paths["mice"] == "001"


def test_tables_of_spacy():
    pytest.importorskip("spacy_lookups_data")
    paths = {entry.word: entry.path for entry in lexicon_clusters("en")}
    assert paths["walk"] == paths["laugh"] != paths["quickly"]
    assert paths["walked"] == paths["recited"] != paths["walks"]
    with pytest.raises(ValueError, match=r"lemma_index.* for the language 'de'.* en, es"):
        lexicon_clusters("de")
