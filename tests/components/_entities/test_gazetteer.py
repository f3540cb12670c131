import pickle

import pytest

from spacy_perceptron.components._entities.gazetteer import Gazetteer, read_lists

from ..docs import VOCAB


def test_lists(tmp_path):
    (tmp_path / "city.txt").write_text("New  York\nparis\n\n", encoding="utf8")
    lines = [
        '{"label": "person", "pattern": "Ada Lovelace"}',
        '{"label": "person", "pattern": [{"LOWER": "grace"}, {"TEXT": "Hopper"}]}',
    ]
    (tmp_path / "people.jsonl").write_text("\n".join(lines), encoding="utf8")
    expected = {"city": ["New York", "paris"], "person": ["Ada Lovelace", "grace Hopper"]}
    paths = [str(tmp_path / "city.txt"), str(tmp_path / "people.jsonl")]
    assert read_lists(paths) == expected
    assert read_lists({"city": paths[0], "person": ["Ada Lovelace", "grace  Hopper"]}) == expected
    assert read_lists(None) == read_lists({}) == {}
    (tmp_path / "bad.jsonl").write_text('{"label": "x", "pattern": [{"POS": "NOUN"}]}')
    with pytest.raises(ValueError, match=r"bad\.jsonl, line 1"):
        read_lists(str(tmp_path / "bad.jsonl"))
    (tmp_path / "cut.jsonl").write_text(lines[0] + "\n" + lines[1][:20], encoding="utf8")
    with pytest.raises(ValueError, match=r"cut\.jsonl, line 2"):
        read_lists(str(tmp_path / "cut.jsonl"))
    with pytest.raises(ValueError, match=r"no list at 'nowhere\.txt'"):
        read_lists("nowhere.txt")


def test_longest_match():
    gazetteer = Gazetteer({"city": ["York", "New York", "New York City Hall"], "name": ["york"]})
    words = ["In", "NEW", "york", "City", "we", "saw", "York"]
    expected = ["", "B-city", "I-city B-name", "", "", "", "B-city B-name"]
    assert gazetteer(words, VOCAB) == expected
    assert pickle.loads(pickle.dumps(gazetteer))(words, VOCAB) == expected
    # Leftmost first, even where a later name is longer.
    assert Gazetteer({"x": ["a b", "b c d"]})(list("abcd"), VOCAB) == ["B-x", "I-x", "", ""]
    assert not Gazetteer({"empty": []})
