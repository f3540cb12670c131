"""Docs come back as they were, as far as a format has a place for what they say."""

import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_perceptron.corpus.annotations.files import (
    annotation_lines,
    read_annotations,
    write_annotations,
)

from .docs import docs, facts


def there_and_back(originals: list[Doc], name: str, role: str = "auto") -> list[Doc]:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "out.jsonl"
        write_annotations(originals, path, name, role=role)
        return read_annotations(path, name)


def without(doc: Doc, *names: str) -> dict:
    return {name: value for name, value in facts(doc).items() if name not in names}


@given(st.lists(docs(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=80)
def test_prodigy_keeps_everything(originals: list[Doc]):
    back = there_and_back(originals, "prodigy", "ents")
    assert [facts(doc) for doc in back] == [facts(doc) for doc in originals]


@given(docs(), st.sampled_from(["pos", "tag"]))
@settings(deadline=None, max_examples=80)
def test_prodigy_with_tags_as_spans(original: Doc, role: str):
    """All but entities come back."""
    (back,) = there_and_back([original], "prodigy", role)
    names = ("ents", "ent_iob")
    assert without(back, *names) == without(original, *names)


@given(docs())
@settings(deadline=None, max_examples=80)
def test_doccano_keeps_entities_and_tokens(original: Doc):
    (back,) = there_and_back([original], "doccano", "ents")
    for name in ("tokens", "ents", "ent_iob"):
        assert facts(back)[name] == facts(original)[name]


@given(docs(), st.sampled_from(["pos", "tag"]))
@settings(deadline=None, max_examples=80)
def test_doccano_keeps_trees(original: Doc, role: str):
    (back,) = there_and_back([original], "doccano", role)
    for name in ("tokens", role, "head", "dep"):
        assert facts(back)[name] == facts(original)[name]
    if original.has_annotation("DEP"):
        assert facts(back)["sent_start"] == facts(original)["sent_start"]


@pytest.mark.parametrize("name", ["prodigy", "doccano"])
@given(docs())
@settings(deadline=None, max_examples=40)
def test_nothing_is_lost_in_silence(name: str, original: Doc):
    """Without a warning, all comes back."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        annotation_lines([original], name)
    if not caught:
        assert facts(*there_and_back([original], name)) == facts(original)
