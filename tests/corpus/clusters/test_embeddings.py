import gzip
from pathlib import Path

import numpy as np
import pytest
import spacy

from spacy_perceptron.corpus.clusters.embeddings import load_embeddings

LINES = "the 0.5 -1\n1999 1 2\n. . 3 4\n1998 5 6\n"


@pytest.mark.parametrize("header", ["", "4 2\n"])
@pytest.mark.parametrize("name", ["glove.txt", "glove.vec.gz"])
def test_text_files(tmp_path: Path, name: str, header: str):
    data = (header + LINES).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    found = load_embeddings(tmp_path / name)
    # The second year is the first one, with digits folded; one word has a space in it.
    assert found.words == ["the", "0000", ". ."]
    assert found.vectors.tolist() == [[0.5, -1], [1, 2], [3, 4]]
    assert load_embeddings(tmp_path / name, max_words=2).words == ["the", "0000"]


@pytest.mark.parametrize("line", ["a 1", "a 1 x", "a 1 nan", " 1 2"])
def test_bad_lines_are_named(tmp_path: Path, line: str):
    path = tmp_path / "glove.txt"
    path.write_text(f"the 1 2\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"glove\.txt:2: a line should have a word and 2 numbers"):
        load_embeddings(path)


def test_pipelines(tmp_path: Path):
    nlp = spacy.blank("en")
    nlp.to_disk(tmp_path / "none")
    nlp.vocab.set_vector("b", np.array([1, 2], dtype=np.float32))
    nlp.vocab.set_vector("a", np.array([3, 4], dtype=np.float32))
    nlp.to_disk(tmp_path / "some")
    found = load_embeddings(tmp_path / "some")
    assert found.words == ["b", "a"]
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match="There are no word vectors in"):
        load_embeddings(tmp_path / "none")
    with pytest.raises(ValueError, match="neither a file of word vectors nor a pipeline"):
        load_embeddings(tmp_path / "missing")
