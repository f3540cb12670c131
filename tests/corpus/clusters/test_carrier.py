"""Word clusters in the lookups of a vocab."""

from pathlib import Path

import pytest
import spacy
from spacy.lookups import Lookups
from spacy.util import registry
from spacy.vocab import Vocab

import spacy_perceptron
from spacy_perceptron.corpus.clusters.carrier import (
    NORMS,
    TABLE,
    copy_clusters,
    create_cluster_lookups,
    load_table,
    read_clusters,
    store_clusters,
)
from spacy_perceptron.features.clusters import ClusterTable

LIST = "00\tthe\t7\n010\tcat\t3\n010\tdog\t2\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "clusters.txt"
    path.write_text(LIST, encoding="utf-8")
    return path


def make_table(**words: str) -> ClusterTable:
    return ClusterTable.from_words([*words], [*words.values()])


def test_stored_and_read():
    vocab = Vocab()
    assert read_clusters(vocab.lookups) == {}
    one, other = make_table(a="0").to_bytes(), make_table(a="1").to_bytes()
    store_clusters(vocab.lookups, {"": one})
    assert read_clusters(vocab.lookups) == {"": one}
    # Tables are added to those that are there, and replace those of the same name.
    store_clusters(vocab.lookups, {"web": other})
    assert read_clusters(vocab.lookups) == {"": one, "web": other}
    store_clusters(vocab.lookups, {"": other})
    assert read_clusters(vocab.lookups) == {"": other, "web": other}


def test_other_lookups_are_kept(tmp_path: Path):
    vocab = Vocab()
    vocab.lookups.add_table(NORMS, {"cos": "because"})
    table = make_table(a="0").to_bytes()
    store_clusters(vocab.lookups, {"web": table})
    vocab.to_disk(tmp_path / "vocab")
    for saved in (
        Vocab().from_bytes(vocab.to_bytes()),
        Vocab().from_disk(tmp_path / "vocab"),
    ):
        assert read_clusters(saved.lookups) == {"web": table}
        assert saved.lookups.get_table(NORMS)["cos"] == "because"


def test_copied():
    source, target = Vocab(), Vocab()
    old, new = make_table(a="0").to_bytes(), make_table(a="1").to_bytes()
    store_clusters(source.lookups, {"web": new})
    source.lookups.add_table("other", {"x": "y"})
    store_clusters(target.lookups, {"": old, "web": old})
    target.lookups.add_table(NORMS, {"cos": "because"})
    spacy_perceptron.copy_clusters(source, target)
    assert read_clusters(target.lookups) == {"": old, "web": new}
    assert target.lookups.get_table(NORMS)["cos"] == "because"
    assert not target.lookups.has_table("other")
    assert read_clusters(source.lookups) == {"web": new}


def test_copied_from_a_vocab_without_any():
    target = Vocab()
    table = make_table(a="0").to_bytes()
    store_clusters(target.lookups, {"": table})
    copy_clusters(Vocab(), target)
    assert read_clusters(target.lookups) == {"": table}
    empty = Vocab()
    copy_clusters(Vocab(), empty)
    assert read_clusters(empty.lookups) == {}


def test_loaded_from_files(path: Path, tmp_path: Path):
    table = load_table(path)
    assert [table.paths[table.find(word)] for word in ("the", "cat", "dog")] == ["00", "010", "010"]
    (tmp_path / "clusters.bin").write_bytes(table.to_bytes())
    assert load_table(tmp_path / "clusters.bin").fingerprint == table.fingerprint


def test_a_damaged_file(path: Path, tmp_path: Path):
    data = load_table(path).to_bytes()
    (tmp_path / "half.bin").write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match=r"not a table of word clusters.*make it again"):
        load_table(tmp_path / "half.bin")


@pytest.mark.parametrize("name", ["none.txt", "none.bin"])
def test_a_missing_file(tmp_path: Path, name: str):
    with pytest.raises(ValueError, match=rf"no file .*{name} with word clusters. Check the path"):
        create_cluster_lookups(path=tmp_path / name)
    with pytest.raises(ValueError, match=rf"no file .*{name} with word clusters. Check the path"):
        create_cluster_lookups(tables={"web": tmp_path / name})


def test_made_for_a_config(path: Path, tmp_path: Path):
    """As in [initialize.lookups], where paths are text."""
    (tmp_path / "web.txt").write_text("1\tcat\t1\n", encoding="utf-8")
    make = registry.misc.get("spacy_perceptron.clusters.v1")
    lookups = make(path=str(path), tables={"web": str(tmp_path / "web.txt")})
    vocab = Vocab(lookups=lookups)
    assert read_clusters(vocab.lookups) == {
        "": make_table(the="00", cat="010", dog="010").to_bytes(),
        "web": make_table(cat="1").to_bytes(),
    }
    assert [*lookups.tables] == [TABLE]


def test_norms_of_a_language(path: Path, monkeypatch: pytest.MonkeyPatch):
    """They are what spaCy's own configs have there, and are kept if they are installed."""
    norms = Lookups()
    norms.add_table(NORMS, {"cos": "because"})
    asked = []

    def load(lang: str, tables: list[str], *, strict: bool) -> Lookups:
        asked.append((lang, tables, strict))
        return norms if lang == "en" else Lookups()

    monkeypatch.setattr("spacy_perceptron.corpus.clusters.carrier.load_lookups", load)
    english = create_cluster_lookups(path=path, lang="en")
    assert english.get_table(NORMS)["cos"] == "because"
    assert english.has_table(TABLE)
    assert [*create_cluster_lookups(path=path, lang="xx").tables] == [TABLE]
    assert asked == [("en", [NORMS], False), ("xx", [NORMS], False)]
    create_cluster_lookups(path=path)
    assert len(asked) == 2


def test_in_a_pipeline(path: Path, tmp_path: Path):
    """The clusters are saved with it: the file is needed no more."""
    nlp = spacy.blank("xx")
    block = {"@misc": "spacy_perceptron.clusters.v1", "path": str(path)}
    nlp.config["initialize"]["lookups"] = block
    nlp.initialize()
    nlp.to_disk(tmp_path / "model")
    path.unlink()
    loaded = spacy.load(tmp_path / "model")
    taken = create_cluster_lookups(pipeline=tmp_path / "model")
    assert read_clusters(taken) == read_clusters(loaded.vocab.lookups)
    assert read_clusters(loaded.vocab.lookups) == {
        "": make_table(the="00", cat="010", dog="010").to_bytes()
    }


def test_a_pipeline_without_clusters(tmp_path: Path):
    spacy.blank("xx").to_disk(tmp_path / "model")
    with pytest.raises(ValueError, match="no pipeline with word clusters in"):
        create_cluster_lookups(pipeline=tmp_path / "model")
    with pytest.raises(ValueError, match="no pipeline with word clusters in"):
        create_cluster_lookups(pipeline=tmp_path / "none")
