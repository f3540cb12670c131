"""Units as the docs tell users of other engines to run them."""

from pathlib import Path

import pytest
import spacy

from .runs import read_outputs, write_lines


def test_dask(tmp_path: Path):
    """The example of docs/scaling.md, with processes of Dask's own."""
    pytest.importorskip("dask.bag", reason="needs Dask")
    import dask
    import dask.bag as db

    from spacy_perceptron.scale.units import annotate_unit

    spacy.blank("xx").to_disk(tmp_path / "model")
    expected = {}
    for i in range(5):
        lines = [f"line {i} {k}" for k in range(3)]
        write_lines(tmp_path / "texts" / f"{i}.txt", lines)
        expected.update(dict.fromkeys(lines, 1))

    def annotate(path: Path):
        target = tmp_path / "annotated" / f"{path.name}.spacy"
        return annotate_unit(str(tmp_path / "model"), path, target)

    paths = sorted((tmp_path / "texts").glob("*.txt"))
    with dask.config.set(scheduler="processes", num_workers=2):
        reports = db.from_sequence(paths, partition_size=2).map(annotate).compute()
    assert [report.n_docs for report in reports] == [3] * 5
    assert [report.n_words for report in reports] == [9] * 5
    assert read_outputs(tmp_path / "annotated") == expected
