"""Records of Prodigy and doccano as Docs: files written by hand."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from spacy.tokens import Doc

from spacy_perceptron.corpus.annotations.files import (
    annotation_lines,
    detect_format,
    read_annotations,
)

from .docs import VOCAB

TEXT = "Ann Lee saw New York."
PLACES = [(0, 3), (4, 7), (8, 11), (12, 15), (16, 20), (20, 21)]
TOKENS = [
    {"text": TEXT[start:end], "start": start, "end": end, "id": i, "ws": end not in (20, 21)}
    for i, (start, end) in enumerate(PLACES)
]
PERSON = {"start": 0, "end": 7, "token_start": 0, "token_end": 1, "label": "PER"}
CITY = {"start": 12, "end": 20, "token_start": 3, "token_end": 4, "label": "LOC"}


def write(folder: Path, *records: Any) -> Path:
    path = folder / "in.jsonl"
    lines = [r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in records]
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return path


def read(folder: Path, name: str, *records: Any, **options: Any) -> list[Doc]:
    return read_annotations(write(folder, *records), name, **options)


def tags(doc: Doc) -> list[str]:
    return [token.ent_iob_ + token.ent_type_ for token in doc]


def test_prodigy_entities(tmp_path: Path):
    (doc,) = read(
        tmp_path,
        "prodigy",
        {"text": TEXT, "tokens": TOKENS, "spans": [PERSON, CITY], "answer": "accept"},
    )
    assert doc.text == TEXT
    assert tags(doc) == ["BPER", "IPER", "O", "BLOC", "ILOC", "O"]
    assert not doc.has_annotation("DEP")


def test_without_tokens_the_tokenizer_cuts(tmp_path: Path):
    """Without spans, entities are unknown; with an empty list, there are none."""
    first, second = read(tmp_path, "prodigy", {"text": "Don't go."}, {"text": "Go!", "spans": []})
    assert [token.text for token in first] == ["Do", "n't", "go", "."]
    assert tags(first) == ["", "", "", ""]
    assert tags(second) == ["O", "O"]
    (doc,) = read(tmp_path, "prodigy", {"text": "l'eau"}, lang="fr")
    assert [token.text for token in doc] == ["l'", "eau"]


def test_tokens_of_the_record_win(tmp_path: Path):
    tokens = [{"start": 0, "end": 7}, {"start": 8, "end": 20}, {"start": 20, "end": 21}]
    (doc,) = read(tmp_path, "prodigy", {"text": TEXT, "tokens": tokens, "spans": [PERSON]})
    assert [token.text for token in doc] == ["Ann Lee", "saw New York", "."]
    assert tags(doc) == ["BPER", "O", "O"]
    (doc,) = read(tmp_path, "doccano", {"text": "ab c", "tokens": [[0, 1], [1, 2], [3, 4]]})
    assert [token.text_with_ws for token in doc] == ["a", "b ", "c"]


def test_white_space_between_tokens_is_kept(tmp_path: Path):
    """A line break is a token of its own, and so is a second space."""
    record = {"text": " a\n b  c ", "tokens": [[1, 2], [4, 5], [7, 8]]}
    (doc,) = read(tmp_path, "doccano", record)
    assert doc.text == " a\n b  c "
    assert [token.text_with_ws for token in doc] == [" ", "a", "\n ", "b ", " ", "c "]


def test_prodigy_relations(tmp_path: Path):
    relations = [
        {"head": 1, "child": 0, "label": "flat"},
        {"head": 2, "child": 1, "label": "nsubj"},
        {"head": 2, "child": 2, "label": "ROOT"},
        {"head": 4, "child": 3, "label": "flat"},
        # With spans at both ends, as the tool writes them.
        {
            "head": 2,
            "child": 4,
            "label": "obj",
            "head_span": {"start": 8, "end": 11, "token_start": 2, "token_end": 2, "label": None},
            "child_span": {"start": 16, "end": 20, "token_start": 4, "token_end": 4},
        },
    ]
    record = {"text": TEXT, "tokens": TOKENS, "relations": relations, "_view_id": "relations"}
    (doc,) = read(tmp_path, "prodigy", record)
    assert [token.head.i for token in doc] == [1, 2, 2, 4, 2, 5]
    # The full stop has no head: it stays unknown.
    assert [token.dep_ for token in doc] == ["flat", "nsubj", "ROOT", "flat", "obj", ""]


@pytest.mark.parametrize(
    ("labels", "view", "attribute"),
    [
        (["PROPN", "PROPN", "VERB"], None, "pos"),
        (["NNP", "NNP", "VBD"], "pos_manual", "tag"),
        (["PROPN", "PROPN", "PROPN"], "pos_manual", "pos"),
    ],
)
def test_prodigy_tags(tmp_path: Path, labels: list[str], view: str | None, attribute: str):
    spans = [
        {"start": start, "end": end, "label": label}
        for (start, end), label in zip(PLACES, labels, strict=False)
    ]
    record = {"text": TEXT, "tokens": TOKENS, "spans": spans, "_view_id": view}
    (doc,) = read(tmp_path, "prodigy", record)
    assert [getattr(token, f"{attribute}_") for token in doc] == [*labels, "", "", ""]
    assert not doc.has_annotation("ENT_IOB")
    (doc,) = read(tmp_path, "prodigy", record, role="ents")
    assert [ent.label_ for ent in doc.ents] == labels


def test_labels_that_could_be_entities_are(tmp_path: Path):
    """NUM and SYM alone can be labels of entities, and PROPN over two words is one."""
    spans = [{"start": 0, "end": 3, "label": "NUM"}, {"start": 4, "end": 7, "label": "SYM"}]
    (doc,) = read(tmp_path, "prodigy", {"text": TEXT, "spans": spans})
    assert [ent.label_ for ent in doc.ents] == ["NUM", "SYM"]
    spans = [{"start": 0, "end": 7, "label": "NOUN"}]
    (doc,) = read(tmp_path, "prodigy", {"text": TEXT, "spans": spans})
    assert [ent.label_ for ent in doc.ents] == ["NOUN"]


def test_only_what_was_accepted_is_gold(tmp_path: Path):
    records = [{"text": text, "answer": text} for text in ("accept", "reject", "ignore", "reject")]
    with pytest.warns(UserWarning, match=r"in\.jsonl: left out .* 2 rejected, 1 ignored"):
        (doc,) = read(tmp_path, "prodigy", *records)
    assert doc.text == "accept"


@pytest.mark.parametrize("key", ["label", "labels"])
def test_doccano_labels(tmp_path: Path, key: str):
    record = {"id": 7, "text": TEXT, key: [[12, 20, "LOC"], [0, 7, "PER"]], "Comments": []}
    (doc,) = read(tmp_path, "doccano", record)
    assert tags(doc) == ["BPER", "IPER", "O", "BLOC", "ILOC", "O"]


def test_doccano_relations(tmp_path: Path):
    """`saw` governs `Ann`, and is the root."""
    entities = [
        {"id": 51, "label": "PROPN", "start_offset": 0, "end_offset": 3},
        {"id": 50, "label": "VERB", "start_offset": 8, "end_offset": 11},
        {"id": 49, "label": "_", "start_offset": 20, "end_offset": 21},
    ]
    relations = [
        {"id": 1, "from_id": 50, "to_id": 51, "type": "nsubj"},
        {"id": 2, "from_id": 50, "to_id": 50, "type": "ROOT"},
        {"id": 3, "from_id": 50, "to_id": 49, "type": "punct"},
    ]
    record = {"text": TEXT, "entities": entities, "relations": relations}
    (doc,) = read(tmp_path, "doccano", record)
    assert [token.pos_ for token in doc] == ["PROPN", "", "VERB", "", "", ""]
    assert [token.head.i for token in doc] == [2, 1, 2, 3, 4, 2]
    assert [token.dep_ for token in doc] == ["nsubj", "", "ROOT", "", "", "punct"]


@pytest.mark.parametrize("name", ["prodigy", "doccano"])
def test_misaligned_entities_are_named_and_unknown(tmp_path: Path, name: str):
    """The second `in` is part of a word; what its tokens are, nobody knows."""
    text = "She is in Berlin"
    key = {"prodigy": "spans", "doccano": "label"}[name]
    rows: dict[str, list] = {
        "prodigy": [{"start": 14, "end": 16, "label": "X"}, {"start": 0, "end": 3, "label": "P"}],
        "doccano": [[14, 16, "X"], [0, 3, "P"]],
    }
    message = r"in\.jsonl:2: .*'in' \(14-16, X; tokens: Berlin\)"
    with pytest.warns(UserWarning, match=message):
        _, doc = read(tmp_path, name, {"text": text, key: []}, {"text": text, key: rows[name]})
    assert tags(doc) == ["BP", "O", "O", ""]


def test_overlapping_entities_are_named(tmp_path: Path):
    """The longest stays."""
    rows = [[0, 3, "A"], [0, 7, "B"], [4, 11, "C"], [12, 20, None]]
    with pytest.warns(UserWarning, match="left out spans") as caught:
        (doc,) = read(tmp_path, "doccano", {"text": TEXT, "label": rows})
    (message,) = [str(warning.message) for warning in caught]
    assert "in.jsonl:1: left out spans without a label, or within a longer entity" in message
    # Both C and B have seven characters; B comes first.
    assert "'Lee saw' (4-11, C;" in message
    assert "'Ann' (0-3, A;" in message
    assert "'New York' (12-20, no label;" in message
    assert tags(doc) == ["BB", "IB", "O", "O", "O", "O"]


def test_relations_that_are_no_dependencies_are_named(tmp_path: Path):
    relations = [
        {"head": 2, "child": 0, "label": "a"},
        {"head": 1, "child": 0, "label": "second head"},
        {"head": 2, "child": 4, "label": "phrase", "child_span": {"start": 12, "end": 20}},
    ]
    record = {"text": TEXT, "tokens": TOKENS, "relations": relations}
    with pytest.warns(UserWarning, match="no dependencies") as caught:
        (doc,) = read(tmp_path, "prodigy", record)
    (message,) = [str(warning.message) for warning in caught]
    assert "in.jsonl:1" in message
    assert "'Lee' -> 'Ann' (second head); 'saw' -> 'New York' (phrase)" in message
    assert [token.dep_ for token in doc] == ["a", "", "", "", "", ""]


def test_cycles_are_named(tmp_path: Path):
    relations = [{"head": 1, "child": 0, "label": "a"}, {"head": 0, "child": 1, "label": "b"}]
    with pytest.warns(UserWarning, match=r"in\.jsonl:1: .* cycle: Ann -> Lee -> Ann"):
        read(tmp_path, "prodigy", {"text": TEXT, "tokens": TOKENS, "relations": relations})


def test_tags_of_several_words_are_named(tmp_path: Path):
    rows = [[0, 7, "NOUN"], [8, 11, "VERB"], [8, 11, "AUX"]]
    with pytest.warns(UserWarning, match=r"'Ann Lee' \(0-7, NOUN; .*'saw' \(8-11, AUX;"):
        (doc,) = read(tmp_path, "doccano", {"text": TEXT, "label": rows}, role="pos")
    assert [token.pos_ for token in doc] == ["", "", "VERB", "", "", ""]


def test_fine_tags_are_no_coarse_tags(tmp_path: Path):
    record = {"text": TEXT, "label": [[0, 3, "NNP"]]}
    with pytest.raises(ValueError, match=r"in\.jsonl:1: 'NNP' is no coarse tag"):
        read(tmp_path, "doccano", record, role="pos")
    (doc,) = read(tmp_path, "doccano", record, role="tag")
    assert doc[0].tag_ == "NNP"


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("prodigy", "{", "in.jsonl:2: this line is no record in JSON"),
        ("prodigy", "[1]", "in.jsonl:2: this line is no record in JSON: it is not an object"),
        ("prodigy", "[" * 100_000, "in.jsonl:2: this line is no record in JSON"),
        ("prodigy", "{}", "in.jsonl:2: `text` should be a text, not None"),
        ("prodigy", '{"text": "\\ud800"}', "in.jsonl:2: `text` should be a text"),
        ("prodigy", {"text": "a", "answer": "yes"}, "`answer` should be accept, reject or ignore"),
        ("prodigy", {"text": "a", "tokens": {}}, "`tokens` should be a list, not {}"),
        ("prodigy", {"text": "a", "tokens": [1]}, "`tokens[0]` should be an object, not 1"),
        (
            "prodigy",
            {"text": "ab", "tokens": [{"start": 0, "end": 3}]},
            "`tokens[0]` should be characters of the text, which has 2, not [0, 3]",
        ),
        (
            "prodigy",
            {"text": "ab", "tokens": [{"start": 0, "end": 2, "text": "xy"}]},
            "`tokens[0].text` should be 'ab', as in the text, not 'xy'",
        ),
        (
            "prodigy",
            {"text": "abc", "tokens": [{"start": 0, "end": 2}, {"start": 1, "end": 3}]},
            "the token 1 'bc' (1-3) does not follow",
        ),
        (
            "prodigy",
            {"text": "ab", "tokens": [{"start": 0, "end": 2, "morph": "X=1|Y"}]},
            "`tokens[0].morph` should be features such as Number=Sing|Person=3, or _, not 'X=1|Y'",
        ),
        ("prodigy", {"text": "ab", "tokens": [{"start": 0, "end": 1}]}, "the end of the text, 'b'"),
        (
            "prodigy",
            {"text": "ab", "spans": [{"start": 1, "end": 1, "label": "X"}]},
            "`spans[0]` should be characters of the text",
        ),
        (
            "prodigy",
            {"text": "ab", "spans": [{"start": 0, "end": 1, "label": 3}]},
            "`spans[0].label` should be a text, not 3",
        ),
        (
            "prodigy",
            {"text": "a", "tokens": [{"start": 0, "end": 1}], "relations": [{"head": 0}]},
            "`relations[0].child` should be a whole number, not None",
        ),
        (
            "prodigy",
            {
                "text": "a",
                "tokens": [{"start": 0, "end": 1}],
                "relations": [{"head": 1, "child": 0}],
            },
            "`relations[0].head` should be the number of a token, of which there are 1, not 1",
        ),
        ("doccano", {"text": "a", "label": ["joy"]}, "`label[0]` should be [start, end, label]"),
        ("doccano", {"text": "a", "label": [[0, True, "X"]]}, "`label[0]` should be characters"),
        (
            "doccano",
            {"text": "a", "entities": [{"start_offset": 0, "end_offset": 1, "label": "X"}]},
            "`entities[0].id` should be a whole number, not None",
        ),
        (
            "doccano",
            {
                "text": "a",
                "entities": [{"id": 4, "start_offset": 0, "end_offset": 1, "label": "X"}],
                "relations": [{"from_id": 4, "to_id": 5}],
            },
            "`relations[0].to_id` should be the id of an entity, not 5",
        ),
        ("doccano", {"text": "a", "marks": "words"}, "`marks` should be one of ents, pos, tag"),
    ],
)
def test_damage_is_named(tmp_path: Path, name: str, line: Any, message: str):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        read(tmp_path, name, {"text": "Fine."}, line)
    assert "in.jsonl:2: " in str(caught.value)


def test_bytes_that_are_no_text_are_named(tmp_path: Path):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"text": "a"}\n\n{"text": "\xff"}\n')
    with pytest.raises(ValueError, match=r"in\.jsonl:3: this line is no record"):
        read_annotations(path, "prodigy")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"text": "a", "answer": "accept"}, "prodigy"),
        ({"text": "a", "spans": []}, "prodigy"),
        ({"text": "a", "tokens": [{"start": 0, "end": 1}]}, "prodigy"),
        ({"text": "a", "label": [[0, 1, "X"]]}, "doccano"),
        ({"text": "a", "labels": []}, "doccano"),
        ({"text": "a", "entities": []}, "doccano"),
        ({"text": "a", "label": "joy"}, None),
        ({"text": "a"}, None),
        ({"text": "a", "label": [], "answer": "accept"}, None),
    ],
)
def test_formats_are_told_apart(tmp_path: Path, record: dict, expected: str | None):
    assert detect_format(write(tmp_path, {"text": "first"}, record)) == expected


def test_what_gets_lost_is_named():
    doc = Doc(
        VOCAB,
        words=["Ann", "saw"],
        tags=["NNP", "VBD"],
        lemmas=["Ann", "see"],
        heads=[1, 1],
        deps=["nsubj", "ROOT"],
        ents=["B-PER", "O"],
    )
    doc.cats = {"x": 1.0}
    doc.spans["sc"] = [doc[:1]]
    with pytest.warns(UserWarning, match="has no place") as caught:
        annotation_lines([doc], "doccano", where="out.jsonl")
    assert [str(warning.message) for warning in caught] == [
        "out.jsonl: the JSONL of doccano has no place for some of the annotation, which 1 of 1 "
        "Docs lose: categories, doc.spans['sc'], fine tags, lemmas, sentence boundaries, "
        "dependencies."
    ]
    with pytest.warns(UserWarning, match=r"Docs lose: categories, doc\.spans\['sc'\]\.$"):
        annotation_lines([doc], "prodigy")
    with pytest.warns(UserWarning, match=r"lose: entities, .*\['sc'\], lemmas\.$"):
        annotation_lines([doc], "doccano", role="tag")


def test_the_records_that_are_written():
    doc = Doc(
        VOCAB, words=["Ann", "saw"], pos=["PROPN", "VERB"], heads=[1, 1], deps=["nsubj", "ROOT"]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (line,) = annotation_lines([doc], "doccano")
    assert json.loads(line) == {
        "id": 0,
        "text": "Ann saw ",
        "entities": [
            {"id": 0, "label": "PROPN", "start_offset": 0, "end_offset": 3},
            {"id": 1, "label": "VERB", "start_offset": 4, "end_offset": 7},
        ],
        "relations": [
            {"id": 0, "from_id": 1, "to_id": 0, "type": "nsubj"},
            {"id": 1, "from_id": 1, "to_id": 1, "type": "ROOT"},
        ],
        "tokens": [[0, 3], [4, 7]],
        "marks": "pos",
    }
    doc = Doc(VOCAB, words=["Ann", "Lee", "saw"], ents=["B-PER", "I-PER", "O"])
    (line,) = annotation_lines([doc], "prodigy")
    record = json.loads(line)
    assert record["tokens"][1] == {"text": "Lee", "start": 4, "end": 7, "id": 1, "ws": True}
    assert record["spans"] == [PERSON]
    assert (record["_view_id"], record["answer"]) == ("ner_manual", "accept")
    assert "relations" not in record
