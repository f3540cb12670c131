"""Records with anything in any field: they become Docs, or a message names their line."""

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin

from spacy_perceptron.corpus.annotations.files import read_annotations

TEXT = "Ann  saw\nBo.\u2028 "
PLAIN = st.none() | st.booleans() | st.integers(-2, 16) | st.sampled_from(["", "A", "\ud800", "Bo"])
JSON = st.recursive(PLAIN, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(), x))
NUMBER = st.integers(-1, 15) | PLAIN
MARK = st.fixed_dictionaries({"start": NUMBER, "end": NUMBER}, optional={"label": PLAIN})
TOKEN = st.fixed_dictionaries(
    {"start": NUMBER, "end": NUMBER},
    optional={"text": PLAIN, "tag": PLAIN, "morph": PLAIN, "sent_start": PLAIN},
)
RELATION = st.fixed_dictionaries(
    {"head": NUMBER, "child": NUMBER, "label": PLAIN}, optional={"head_span": MARK}
)
TOKENS = [{"start": 0, "end": 3}, {"start": 5, "end": 8}, {"start": 9, "end": 11}]
GOOD = st.just([*TOKENS, {"start": 11, "end": 12}])


def rows(item: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(item, max_size=4) | JSON


PRODIGY = st.fixed_dictionaries(
    {"text": st.just(TEXT) | PLAIN},
    optional={
        "tokens": GOOD | rows(TOKEN),
        "spans": rows(MARK),
        "constituents": rows(MARK),
        "relations": rows(RELATION),
        "answer": st.sampled_from(["accept", "ignore"]) | PLAIN,
        "_view_id": st.sampled_from(["pos_manual"]) | JSON,
        "marks": st.sampled_from(["ents", "pos", "tag"]) | PLAIN,
    },
)
ENTITY = st.fixed_dictionaries(
    {"id": NUMBER, "start_offset": NUMBER, "end_offset": NUMBER}, optional={"label": PLAIN}
)
ARROW = st.fixed_dictionaries({"from_id": NUMBER, "to_id": NUMBER}, optional={"type": PLAIN})
DOCCANO = st.fixed_dictionaries(
    {"text": st.just(TEXT) | PLAIN},
    optional={
        "tokens": rows(st.lists(NUMBER, min_size=2, max_size=2)),
        "label": rows(st.tuples(NUMBER, NUMBER, PLAIN)),
        "entities": rows(ENTITY),
        "relations": rows(ARROW),
    },
)


@pytest.mark.parametrize(
    ("name", "records"), [("prodigy", PRODIGY), ("doccano", DOCCANO)], ids=["prodigy", "doccano"]
)
@given(data=st.data())
@settings(deadline=None, max_examples=150)
def test_anything_in_any_field(name: str, records: st.SearchStrategy, data: st.DataObject):
    record: dict[str, Any] = data.draw(records)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        path = Path(folder) / "in.jsonl"
        path.write_text(f'{{"text": "a"}}\n{json.dumps(record)}\n', encoding="utf-8")
        try:
            docs = read_annotations(path, name)
        except ValueError as error:
            assert f"{path}:2: " in str(error)
        else:
            assert all(doc.text in ("a", record["text"]) for doc in docs)
            assert len(DocBin(docs=docs).to_bytes()) > 0
