"""Word clusters of a config that is jackknifed."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import load_model_from_config
from thinc.api import Config

from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife
from spacy_perceptron.corpus.jackknife.reader import JackknifedCorpus

# Words are known by their clusters alone.
TRAINING = """
[nlp]
lang = "xx"
pipeline = ["tagger"]

[components]

[components.tagger]
factory = "easy_first_tagger"
templates = {"@misc":"spacy_perceptron.templates.v1","sets":[],"extra":["w.cluster"]}

[training]
max_epochs = 3
max_steps = 0

[initialize]

[initialize.lookups]
@misc = "spacy_perceptron.clusters.v1"
"""
# No two documents have a word in common.
NOUNS = [f"noun{chr(97 + i)}" for i in range(12)]
VERBS = [f"verb{chr(97 + i)}" for i in range(12)]


def make_nlp(**lookups: object) -> Language:
    config = Config().from_str(TRAINING)
    config["initialize"]["lookups"].update(lookups)
    return load_model_from_config(config, auto_fill=True)


def write_clusters(path: Path, *, verbs: str) -> Path:
    """Nouns are in the cluster 0, verbs in another one or in the same."""
    rows = [(NOUNS, "0"), (VERBS, verbs)]
    lines = [f"{cluster}\t{word}\t1\n" for words, cluster in rows for word in words]
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    vocab = spacy.blank("xx").vocab
    # Nouns come first in half of the sentences, and are at as many places as verbs.
    pairs = [((n, "N"), (v, "V")) for n, v in zip(NOUNS, VERBS, strict=True)]
    docs = []
    for i, pair in enumerate(pairs):
        words, tags = zip(*(pair if i % 2 else reversed(pair)), strict=True)
        docs.append(Doc(vocab, words=words, tags=tags))
    path = tmp_path / "train.spacy"
    DocBin(docs=docs).to_disk(path)
    return path


@pytest.mark.parametrize("n_process", [1, 2])
def test_folds_learn_from_clusters(corpus: Path, tmp_path: Path, n_process: int):
    """All words of a fold are new to the tagger of the others, but not their clusters."""
    settings = Jackknife(corpus, ["tagger"], n_folds=3, n_process=n_process, gold_tokens=True)
    path = write_clusters(tmp_path / "clusters.txt", verbs="1")
    result = jackknife(make_nlp(path=str(path)), settings)
    found = list(result.doc_bin.get_docs(spacy.blank("xx").vocab))
    assert len(found) == 12
    for doc in found:
        assert [token.tag_ for token in doc] == [token.text[0].upper() for token in doc]
    assert result.mean_scores["tag_acc"] == 1.0


def test_one_cluster_tells_nothing_apart(corpus: Path, tmp_path: Path):
    path = write_clusters(tmp_path / "clusters.txt", verbs="0")
    settings = Jackknife(corpus, ["tagger"], n_folds=3, gold_tokens=True)
    result = jackknife(make_nlp(path=str(path)), settings)
    # All words get the same tag.
    assert result.mean_scores["tag_acc"] == 0.5


def test_the_cache_depends_on_the_clusters(corpus: Path, tmp_path: Path):
    reader = JackknifedCorpus(Jackknife(corpus, ["tagger"], n_folds=3, gold_tokens=True))
    path = write_clusters(tmp_path / "clusters.txt", verbs="1")
    more = write_clusters(tmp_path / "more.txt", verbs="1")
    one = make_nlp(path=str(path))
    several = make_nlp(path=str(path), tables={"more": str(more)})
    first, with_more = reader.cache_path(one), reader.cache_path(several)
    assert reader.cache_path(make_nlp(path=str(path))) == first != with_more
    # Other clusters in the same file.
    write_clusters(more, verbs="01")
    assert reader.cache_path(one) == first
    assert reader.cache_path(several) != with_more
    write_clusters(path, verbs="0")
    assert reader.cache_path(one) != first
