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
BAD = st.recursive(PLAIN, lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(), x))
PLACES = [(0, 3), (5, 8), (9, 11), (11, 12)]
TOKENS = [{"start": start, "end": end} for start, end in PLACES]


def mostly(good: st.SearchStrategy) -> st.SearchStrategy:
    """What it should be, and sometimes something else."""
    return st.integers(0, 29).flatmap(lambda number: good if number else BAD)


def rows(item: st.SearchStrategy, max_size: int = 3) -> st.SearchStrategy:
    return mostly(st.lists(mostly(item), max_size=max_size))


LABEL = mostly(st.sampled_from(["NOUN", "VERB", "A", None]))
# Some of them cover several tokens, or parts of tokens.
PLACE = st.sampled_from([*PLACES, (0, 8), (1, 3), (5, 12)])
MARK = st.builds(lambda at, label: {"start": at[0], "end": at[1], "label": label}, PLACE, LABEL)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "text": mostly(st.none()),
        "tag": LABEL,
        "pos": mostly(st.just("NOUN")),
        "morph": mostly(st.sampled_from(["X=1|A=2", "_", "=", "|"])),
        "sent_start": mostly(st.booleans()),
    },
)
NUMBERED = st.integers(0, 3)
RELATION = st.fixed_dictionaries(
    {"head": mostly(NUMBERED), "child": mostly(NUMBERED), "label": LABEL},
    optional={"child_span": mostly(MARK)},
)
GOOD = st.tuples(*(VALUES for _ in TOKENS)).map(
    lambda known: [
        {**token, **{key: value for key, value in values.items() if value is not None}}
        for token, values in zip(TOKENS, known, strict=True)
    ]
)
PRODIGY = st.fixed_dictionaries(
    {"text": mostly(st.just(TEXT)), "tokens": mostly(GOOD)},
    optional={
        "spans": rows(MARK),
        "constituents": rows(MARK),
        "relations": rows(RELATION),
        "answer": mostly(st.just("accept")),
        "_view_id": st.sampled_from(["pos_manual"]) | BAD,
        "marks": mostly(st.sampled_from(["ents", "pos", "tag"])),
    },
)
ENTITIES = st.lists(st.tuples(PLACE, LABEL), min_size=4, max_size=4).map(
    lambda found: [
        {"id": i, "start_offset": at[0], "end_offset": at[1], "label": label}
        for i, (at, label) in enumerate(found)
    ]
)
ARROW = st.fixed_dictionaries(
    {"from_id": mostly(NUMBERED), "to_id": mostly(NUMBERED)}, optional={"type": LABEL}
)
DOCCANO = st.fixed_dictionaries(
    {"text": mostly(st.just(TEXT)), "entities": mostly(ENTITIES)},
    optional={
        "tokens": mostly(st.just([list(place) for place in PLACES])),
        "label": rows(st.tuples(PLACE, LABEL).map(lambda row: [*row[0], row[1]])),
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
        message, docs = f"{path}:2: ", []
        try:
            docs = read_annotations(path, name)
        except ValueError as error:
            message = str(error)
        assert f"{path}:2: " in message
        assert all(doc.text in ("a", record["text"]) for doc in docs)
        assert len(DocBin(docs=docs).to_bytes()) > 0
