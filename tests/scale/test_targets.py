"""Each format holds what the pipeline has found."""

from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_perceptron.answers.confidence import store_confidences
from spacy_perceptron.scale import targets
from spacy_perceptron.scale.units import annotate_unit
from spacy_perceptron.trees.conllu.reading import read_conllu

from .runs import write_lines


@Language.component("by_hand")
def by_hand(doc: Doc) -> Doc:
    """What is known of `We sing .`, and nothing of other texts."""
    if doc.text != "We sing .":
        return doc
    for token, tag, pos, head, dep in zip(
        doc,
        ("PRP", "VBP", "."),
        ("PRON", "VERB", "PUNCT"),
        (1, 1, 1),
        ("nsubj", "ROOT", "punct"),
        strict=True,
    ):
        token.tag_, token.pos_, token.lemma_ = tag, pos, token.lower_
        token.head, token.dep_ = doc[head], dep
    doc[1].set_morph("Tense=Pres")
    doc.set_ents([Span(doc, 0, 1, "PER")])
    doc.spans["parts"] = [Span(doc, 0, 2, "S"), Span(doc, 2, 3, "P")]
    store_confidences([doc], "tag", [0.5, 0.75, None])
    return doc


WE_SING = {
    "id": "s1",
    "text": "We sing .",
    "words": ["We", "sing", "."],
    "spaces": [True, True, False],
    "sent_starts": [True, False, False],
    "tags": ["PRP", "VBP", "."],
    "pos": ["PRON", "VERB", "PUNCT"],
    "morphs": ["", "Tense=Pres", ""],
    "lemmas": ["we", "sing", "."],
    "deps": ["nsubj", "ROOT", "punct"],
    "heads": [1, 1, 1],
    "ents": [{"start": 0, "end": 1, "label": "PER"}],
    "spans": [
        {"group": "parts", "start": 0, "end": 2, "label": "S"},
        {"group": "parts", "start": 2, "end": 3, "label": "P"},
    ],
    "tag_confidence": [0.5, 0.75, None],
}
PLAIN = {"text": "No more", "words": ["No", "more"], "spaces": [True, False]}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    lines = ['{"text": "We sing .", "id": "s1"}', '{"text": "No more"}']
    return write_lines(tmp_path / "in.jsonl", lines)


@pytest.fixture
def nlp() -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe("by_hand")
    return nlp


def test_json(nlp: Language, source: Path, tmp_path: Path):
    annotate_unit(nlp, source, tmp_path / "out.jsonl")
    assert list(srsly.read_jsonl(tmp_path / "out.jsonl")) == [WE_SING, PLAIN]


def test_conllu(nlp: Language, source: Path, tmp_path: Path):
    annotate_unit(nlp, source, tmp_path / "out.conllu")
    first, second = read_conllu(tmp_path / "out.conllu")
    assert first.comments == ["# newdoc id = s1", "# sent_id = 1", "# text = We sing ."]
    assert second.comments == ["# newdoc", "# sent_id = 2", "# text = No more"]
    assert [(word.form, word.xpos, word.head, word.deprel) for word in first.words] == [
        ("We", "PRP", 1, "nsubj"),
        ("sing", "VBP", -1, "root"),
        (".", ".", 1, "punct"),
    ]
    assert [word.head for word in second.words] == [None, None]


def test_conllu_of_several_sentences(tmp_path: Path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    annotate_unit(
        nlp, write_lines(tmp_path / "a.txt", ["We sing. We go.", "Stop."]), tmp_path / "out.conllu"
    )
    comments = [sentence.comments for sentence in read_conllu(tmp_path / "out.conllu")]
    assert comments == [
        ["# newdoc", "# sent_id = 1", "# text = We sing."],
        ["# sent_id = 2", "# text = We go."],
        ["# newdoc", "# sent_id = 3", "# text = Stop."],
    ]


def test_parquet(nlp: Language, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(targets, "_DOCS_PER_GROUP", 1)
    annotate_unit(nlp, source, tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    first, second = table.to_pylist()
    expected: dict[str, Any] = dict(WE_SING)
    expected["confidences"] = [("tag", expected.pop("tag_confidence"))]
    expected["ents"] = [{**span, "confidence": None} for span in expected["ents"]]
    expected["spans"] = [{**span, "confidence": None} for span in expected["spans"]]
    assert first == {**expected, "nbest": None}
    assert {name: value for name, value in second.items() if value} == PLAIN


def test_parquet_has_the_same_columns_everywhere(tmp_path: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    schemas = []
    for name, lines in (("a", []), ("b", ["x"])):
        target = tmp_path / f"{name}.parquet"
        annotate_unit(spacy.blank("xx"), write_lines(tmp_path / f"{name}.txt", lines), target)
        schemas.append(parquet.read_schema(target))
    assert schemas[0] == schemas[1]


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(targets, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="pip install pyarrow"):
        annotate_unit(spacy.blank("xx"), tmp_path / "a.txt", tmp_path / "a.parquet")
