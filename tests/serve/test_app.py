"""The API, as a page uses it."""

import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spacy
from fastapi.testclient import TestClient
from spacy.language import Language
from spacy.tokens import DocBin

from spacy_perceptron.serve.checks import default_texts
from spacy_perceptron.serve.limits import MAX_K
from spacy_perceptron.serve.pipelines import MAX_UNDO, Sources
from spacy_perceptron.serve.web import messages
from spacy_perceptron.serve.web.app import create_app
from spacy_perceptron.serve.web.security import Guard, body_limit
from spacy_perceptron.serve.workspace import Workspace

from ..sample import load_sample
from .conftest import MAX_CHARS
from .small_pipeline import TEXT, TWO_SENTENCES

pytestmark = pytest.mark.filterwarnings("ignore:.*starlette.testclient")
NAMES = ["senter", "tagger", "parser", "phrases", "ner"]
JSON = {"content-type": "application/json"}


def make_client(workspace: Workspace) -> TestClient:
    guard = Guard("127.0.0.1", 8000, body_limit(workspace.max_chars))
    return TestClient(create_app(workspace, guard), base_url="http://127.0.0.1:8000")


@pytest.fixture
def client(workspace: Workspace) -> TestClient:
    return make_client(workspace)


@pytest.fixture(scope="module")
def reader(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """For tests that change nothing."""
    output = tmp_path_factory.mktemp("reader")
    workspace = Workspace([Sources(str(model), output)], max_chars=MAX_CHARS)
    workspace.load()
    yield make_client(workspace)
    assert list(output.iterdir()) == []
    workspace.close()


def ask(client: TestClient, path: str, status: int = 200, **content: Any) -> dict[str, Any]:
    response = client.post(path, json=content)
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    if status != 200:
        messages.ErrorResponse.model_validate(found)
    return found


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "ms"}


# --- Reading ----------------------------------------------------------------------------------


def test_pipelines(reader: TestClient):
    found = reader.get("/pipelines").json()
    messages.PipelinesResponse.model_validate(found)
    assert (found["max_chars"], found["max_k"], found["has_corpus"]) == (MAX_CHARS, MAX_K, False)
    (pipeline,) = found["pipelines"]
    assert (pipeline["id"], pipeline["name"], pipeline["lang"]) == (0, "en_small", "en")
    assert (pipeline["status"], pipeline["error"], pipeline["direction"]) == ("ready", None, "ltr")
    assert [one["name"] for one in pipeline["components"]] == NAMES


def test_annotate(reader: TestClient, nlp: Language):
    found = ask(reader, "/annotate", pipeline=0, text=TWO_SENTENCES)
    messages.AnnotateResponse.model_validate(found)
    doc = nlp(TWO_SENTENCES)
    assert "".join(t["text"] + t["whitespace"] for t in found["tokens"]) == TWO_SENTENCES
    assert [(t["tag"], t["head"], t["dep"]) for t in found["tokens"]] == [
        (t.tag_, t.head.i, t.dep_) for t in doc
    ]
    assert [t["confidence"]["tag"] for t in found["tokens"]] == [t._.tag_confidence for t in doc]
    assert found["sentences"] == [[s.start, s.end] for s in doc.sents] == [[0, 5], [5, 11]]
    assert [(e["start"], e["end"], e["label"]) for e in found["ents"]] == [
        (e.start, e.end, e.label_) for e in doc.ents
    ]
    of = {one["name"]: one for one in found["components"]}
    assert of["parser"]["annotation"]["head"] == [t.head.i for t in doc]
    assert of["phrases"]["annotation"]["constituents"] == [
        [s.start, s.end, s.label_] for s in doc.spans["constituents"]
    ]
    assert of["senter"]["annotation"]["sent_start"][5] == "S"
    assert of["tagger"]["labels"] == [t.tag_ for t in doc]
    for name in ("parser", "phrases"):
        bounds = [(one["start"], one["end"]) for one in of[name]["drawings"]]
        assert bounds == [(0, 5), (5, 11)]
    for name in ("senter", "tagger", "ner"):
        assert of[name]["drawings"] == []
    # Nothing that the page may not insert.
    html = "".join(one["html"] for part in found["components"] for one in part["drawings"])
    assert "<svg" in html
    assert "style=" not in html
    assert "<script" not in html


def test_entities_are_as_sure_as_their_least_sure_token(reader: TestClient, nlp: Language):
    docs = nlp.pipe(doc.text for doc in load_sample(nlp.vocab))
    text = next(doc.text for doc in docs if any(len(ent) > 1 for ent in doc.ents))
    found = ask(reader, "/annotate", text=text)
    for entity in found["ents"]:
        tokens = found["tokens"][entity["start"] : entity["end"]]
        assert entity["confidence"] == min(t["confidence"]["ent"] for t in tokens)


@pytest.mark.parametrize("name", NAMES)
def test_nbest(reader: TestClient, nlp: Language, name: str):
    found = ask(reader, "/nbest", text=TEXT, component=name, k=4)
    messages.NbestResponse.model_validate(found)
    expected = nlp.get_pipe(name).nbest(nlp(TEXT), 4)
    assert len(found["candidates"]) == len(expected) > 1
    for given, candidate in zip(found["candidates"], expected, strict=True):
        assert given["score"] == pytest.approx(candidate.score)
        assert given["annotation"] == json.loads(json.dumps(dict(candidate.annotation)))
    assert sum(one["probability"] for one in found["candidates"]) == pytest.approx(1)
    first, *others = found["candidates"]
    assert not any(first["differs"])
    marked = {i for one in others for i, differs in enumerate(one["differs"]) if differs}
    assert marked == {*found["columns"]}
    assert marked


def test_explain(reader: TestClient, nlp: Language):
    found = ask(reader, "/explain", text=TEXT, component="parser", token=4)
    messages.ExplainResponse.model_validate(found)
    expected = nlp.get_pipe("parser").explain(nlp(TEXT), 4)
    assert found["title"] == expected.title
    assert {name: found[name] for name in expected.to_dict()} == expected.to_dict()
    # The strongest 15 and the rest as one, which add up to the total.
    assert len(found["rows"]) <= 16
    total = sum(row["difference"] for row in found["rows"])
    assert total == pytest.approx(found["total"]["difference"], abs=1e-3)


def test_explain_a_span(reader: TestClient):
    found = ask(reader, "/explain", text=TEXT, component="phrases", span=[2, 4])
    messages.ExplainResponse.model_validate(found)
    other = ask(reader, "/explain", 422, text=TEXT, component="tagger", span=[2, 4])
    assert "explains one word at a time" in other["error"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"token": 8}, "There is no token 8 in a text of 8 tokens."),
        ({"span": [4, 4]}, "There is no span from 4 to 4 in a text of 8 tokens."),
        ({"span": [4, 9]}, "There is no span from 4 to 9 in a text of 8 tokens."),
        ({}, "Give either a token or a span."),
        ({"token": 1, "span": [1, 2]}, "Give either a token or a span."),
        ({"token": -1}, "`token`: Input should be greater than or equal to 0."),
        ({"span": [1]}, "`span.1`: Field required."),
    ],
)
def test_explain_what_is_not_there(reader: TestClient, given: dict[str, Any], message: str):
    assert ask(reader, "/explain", 422, text=TEXT, component="ner", **given)["error"] == message


def test_explain_whitespace(reader: TestClient):
    found = ask(reader, "/explain", 422, text="a  b", component="tagger", token=1)
    assert "is whitespace" in found["error"]


# --- Odd texts --------------------------------------------------------------------------------

ODD = {
    "empty": "",
    "space": " ",
    "whitespace": "\n\n \t\u00a0",
    "nul": "a\0b \0",
    "script": "<script>alert(1)</script> \"'&amp;",
    "right to left": "שלום עולם. مرحبا بالعالم",
    "control": "a\x1b[31m\u202eb\u2066c\x07",
    "astral": "𝒳 🙂👩‍👩‍👧 \U0010ffff",
    "line separators": "a\u2028b\u2029c\x85d\r\ne",
    "long": "The cat sat on the mat. " * 416,
    "one word": "x" * MAX_CHARS,
    "no sentence ends": "word " * 400,
}


@pytest.mark.filterwarnings("ignore:Some docs to parse have sentences that are too long")
@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts(reader: TestClient, text: str):
    found = ask(reader, "/annotate", text=text)
    messages.AnnotateResponse.model_validate(found)
    assert found["text"] == text
    assert "".join(t["text"] + t["whitespace"] for t in found["tokens"]) == text
    n = len(found["tokens"])
    assert all(len(one["labels"]) == n for one in found["components"])
    html = "".join(one["html"] for part in found["components"] for one in part["drawings"])
    assert "<script" not in html
    for name in NAMES:
        answers = ask(reader, "/nbest", text=text, component=name, k=2)
        messages.NbestResponse.model_validate(answers)
        assert 1 <= len(answers["candidates"]) <= 2


@pytest.mark.parametrize("path", ["/annotate", "/nbest", "/explain", "/correct"])
@pytest.mark.parametrize("text", ["x" * (MAX_CHARS + 1), "🙂" * (MAX_CHARS + 1)])
def test_texts_that_are_too_long(reader: TestClient, path: str, text: str):
    more: dict[str, Any] = {} if path == "/annotate" else {"component": "tagger"}
    more |= {"token": 0} if path == "/explain" else {}
    more |= {"annotation": {"tag": []}} if path == "/correct" else {}
    found = ask(reader, path, 413, text=text, **more)
    assert found["error"] == "The text is too long: 10,001 characters, and the limit is 10,000."
    assert found["field"] == "text"


def test_half_characters(reader: TestClient):
    for body in (b'{"text": "a\\ud800"}', b'{"text": "\\udc00"}'):
        response = reader.post("/annotate", content=body, headers=JSON)
        assert response.status_code == 422
        assert "half of a character" in response.json()["error"]
    # Both halves make one.
    response = reader.post("/annotate", content=b'{"text": "\\ud83d\\ude42"}', headers=JSON)
    assert response.json()["text"] == "🙂"


# --- Requests that make no sense --------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"nope", b'{"text": 1' + b"0" * 5000 + b"}"],
    ids=["empty", "open", "no utf-8", "deep", "word", "huge number"],
)
def test_bodies_that_are_no_json(reader: TestClient, body: bytes):
    response = reader.post("/annotate", content=body, headers=JSON)
    assert response.status_code in (400, 422)
    messages.ErrorResponse.model_validate(response.json())


BAD: list[tuple[str, dict[str, Any], int, str]] = [
    ("/annotate", {}, 422, "`text`: Field required."),
    ("/annotate", {"text": 3}, 422, "`text`: Input should be a valid string."),
    ("/annotate", {"text": None}, 422, "`text`: Input should be a valid string."),
    ("/annotate", {"text": "a", "more": 1}, 422, "`more`: Extra inputs are not permitted."),
    ("/annotate", {"text": "a", "pipeline": 1}, 404, "There is no pipeline 1; there are 1"),
    ("/annotate", {"text": "a", "pipeline": -1}, 422, "`pipeline`"),
    ("/annotate", {"text": "a", "pipeline": "0"}, 422, "`pipeline`"),
    ("/annotate", {"text": "a", "pipeline": True}, 422, "`pipeline`"),
    ("/annotate", {"text": "a", "pipeline": 10**30}, 422, "`pipeline`"),
    ("/nbest", {"text": "a", "component": "none"}, 404, "no component 'none'"),
    ("/nbest", {"text": "a", "component": ""}, 422, "`component`"),
    ("/nbest", {"text": "a", "component": "x" * 201}, 422, "`component`"),
    ("/nbest", {"text": "a", "component": "ner", "k": 0}, 422, "`k`"),
    ("/nbest", {"text": "a", "component": "ner", "k": MAX_K + 1}, 422, "`k`"),
    ("/nbest", {"text": "a", "component": "ner", "k": 2.5}, 422, "`k`"),
    ("/undo", {}, 409, "There is no correction to undo."),
    ("/export", {"format": "../../etc/passwd"}, 422, "`format`"),
    ("/corpus", {"component": "ner"}, 404, "There is no corpus."),
    ("/corpus", {"component": "ner", "sort": "size"}, 422, "`sort`"),
    ("/corpus", {"component": "ner", "page": -1}, 422, "`page`"),
    ("/corpus/sentence", {"component": "ner", "id": 3}, 404, "There is no corpus."),
]


@pytest.mark.parametrize(("path", "given", "status", "message"), BAD)
def test_requests_that_make_no_sense(
    reader: TestClient, path: str, given: dict[str, Any], status: int, message: str
):
    assert message in ask(reader, path, status, **given)["error"]


@pytest.mark.parametrize("margin", ["NaN", "Infinity", "-1", "1001", "1e999", '"1"x', "null"])
def test_margins_that_make_no_sense(reader: TestClient, margin: str):
    body = (
        f'{{"text": "a", "component": "ner", "annotation": {{"ent": ["O"]}}, "margin": {margin}}}'
    )
    response = reader.post("/correct", content=body.encode(), headers=JSON)
    assert response.status_code in (400, 422), response.text
    messages.ErrorResponse.model_validate(response.json())


def test_messages_are_short_and_whole_characters(reader: TestClient):
    body = json.dumps({"text": "a b", "component": "parser", "annotation": {"\ud800": []}})
    response = reader.post("/correct", content=body.encode(), headers=JSON)
    assert response.status_code == 422
    given = {"head": [["x" * 100_000], 0], "dep": ["", ""]}
    found = ask(reader, "/correct", 422, text="a b", component="parser", annotation=given)
    assert len(found["error"]) <= 501


def test_addresses_that_are_not_there(reader: TestClient):
    for path in ("/nothing", "/docs", "/redoc", "/assets/none.js", "/assets/../app.py"):
        response = reader.get(path)
        assert response.status_code == 404, path
        assert response.json() == {"error": "There is nothing at this address.", "field": None}
    assert reader.get("/annotate").status_code == 405


def test_no_path_of_a_request_reaches_the_disk(reader: TestClient):
    for name in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "..\\app.py", "a%00b"):
        response = reader.get(f"/assets/{name}")
        assert response.status_code == 404, name
        assert "RefusedRequest" not in response.text


# --- Changing ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_correction_and_its_undoing(
    workspace: Workspace, client: TestClient, tmp_path: Path, name: str
):
    pipe = workspace[0]._require().nlp.get_pipe(name)
    weights = pipe.to_bytes(exclude=["vocab"])
    before = ask(client, "/annotate", text=TEXT)
    answers = ask(client, "/nbest", text=TEXT, component=name, k=3)
    right = answers["candidates"][1]["annotation"]
    found = ask(client, "/correct", text=TEXT, component=name, annotation=right, margin=1.0)
    messages.CorrectResponse.model_validate(found)
    assert found["steps"] > 0
    assert found["learned"]
    assert "has learned it" in found["message"]
    assert without_time(found["before"]) == without_time(before)
    after = {one["name"]: one["annotation"] for one in found["after"]["components"]}
    assert after[name] == right
    assert (found["n_corrections"], found["can_undo"], found["n_changes"]) == (1, True, 1)
    assert pipe.to_bytes(exclude=["vocab"]) != weights
    again = ask(client, "/annotate", text=TEXT)
    assert without_time(again) == without_time(found["after"])
    undone = ask(client, "/undo", text=TEXT)
    messages.UndoResponse.model_validate(undone)
    assert undone["undone"] == {"text": TEXT, "component": name}
    assert (undone["n_corrections"], undone["can_undo"], undone["n_changes"]) == (0, False, 2)
    # So pages notice what others have changed.
    assert client.get("/pipelines").json()["pipelines"][0]["n_changes"] == 2
    assert without_time(undone["after"]) == without_time(before)
    assert pipe.to_bytes(exclude=["vocab"]) == weights
    assert without_time(ask(client, "/annotate", text=TEXT)) == without_time(before)
    ask(client, "/undo", 409)


def test_corrections_are_undone_one_by_one(workspace: Workspace, client: TestClient):
    nlp = workspace[0]._require().nlp
    states = []
    for name in ("tagger", "parser", "tagger", "phrases", "ner"):
        states.append((name, [nlp.get_pipe(one).to_bytes(exclude=["vocab"]) for one in NAMES]))
        answers = ask(client, "/nbest", text=TEXT, component=name, k=2)
        right = answers["candidates"][-1]["annotation"]
        ask(client, "/correct", text=TEXT, component=name, annotation=right)
    for name, weights in reversed(states):
        assert ask(client, "/undo")["undone"]["component"] == name
        assert [nlp.get_pipe(one).to_bytes(exclude=["vocab"]) for one in NAMES] == weights


def test_only_so_many_corrections_can_be_undone(workspace: Workspace, client: TestClient):
    loaded = workspace[0]._require()
    assert loaded.undoable.maxlen == MAX_UNDO == 50
    loaded.undoable = deque(maxlen=2)
    right = {"tag": [t["tag"] for t in ask(client, "/annotate", text=TEXT)["tokens"]]}
    for n in (1, 2, 3):
        found = ask(client, "/correct", text=TEXT, component="tagger", annotation=right)
        assert found["n_corrections"] == n
    assert [ask(client, "/undo")["can_undo"] for _ in range(2)] == [True, False]
    ask(client, "/undo", 409)
    # The first one stays what it is: data.
    assert len(loaded.store) == 1


def test_what_was_right_already_is_kept(client: TestClient, tmp_path: Path):
    before = ask(client, "/annotate", text=TEXT)
    right = {one["name"]: one["annotation"] for one in before["components"]}["tagger"]
    found = ask(client, "/correct", text=TEXT, component="tagger", annotation=right)
    assert (found["steps"], found["learned"], found["n_corrections"]) == (0, True, 1)
    assert "gave this answer already" in found["message"]
    assert found["check"]["n_changed_tokens"] == 0
    doc_bin = DocBin().from_disk(tmp_path / "out" / "corrections.spacy")
    (doc,) = doc_bin.get_docs(spacy.blank("en").vocab)
    assert [token.tag_ for token in doc] == right["tag"]


def test_a_correction_that_is_refused_changes_nothing(
    workspace: Workspace, client: TestClient, tmp_path: Path
):
    pipe = workspace[0]._require().nlp.get_pipe("parser")
    weights = pipe.to_bytes(exclude=["vocab"])
    cycle = {"head": [1, 0, 3, 1, 3, 6, 4, 1], "dep": ["OBJ"] * 8}
    found = ask(client, "/correct", 422, text=TEXT, component="parser", annotation=cycle)
    assert found == {
        "error": "The heads form a cycle: 'She' (0), 'saw' (1).",
        "field": "annotation",
    }
    assert pipe.to_bytes(exclude=["vocab"]) == weights
    assert not (tmp_path / "out").exists()


def test_a_correction_that_can_not_be_written_changes_nothing(
    workspace: Workspace, client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    loaded = workspace[0]._require()
    pipe = loaded.nlp.get_pipe("tagger")
    weights = pipe.to_bytes(exclude=["vocab"])
    answers = ask(client, "/nbest", text=TEXT, component="tagger", k=2)
    given = {
        "text": TEXT,
        "component": "tagger",
        "annotation": answers["candidates"][1]["annotation"],
    }

    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(loaded.store, "add", fail)
    found = ask(client, "/correct", 500, **given)
    assert "The correction was not kept" in found["error"]
    assert "No space left on device" in found["error"]
    assert pipe.to_bytes(exclude=["vocab"]) == weights
    ask(client, "/undo", 409)
    monkeypatch.undo()
    assert ask(client, "/correct", **given)["n_corrections"] == 1


def test_what_else_has_changed(model: Path, tmp_path: Path):
    """Texts that say the same are corrected with it; the text itself does not count."""
    check = tmp_path / "check.txt"
    check.write_text(f"{TEXT}\nShe saw a man with a telescope.\n\nIt rains.\n", encoding="utf-8")
    sources = Sources(str(model), tmp_path / "out", check=check)
    workspace = Workspace([sources], max_chars=MAX_CHARS)
    workspace.load()
    client = make_client(workspace)
    before = ask(client, "/annotate", text="She saw a man with a telescope.")
    tags = [t["tag"] for t in ask(client, "/annotate", text=TEXT)["tokens"]]
    other = "NN" if tags[0] != "NN" else "PRP"
    given = {"tag": [other, *tags[1:]]}
    found = ask(client, "/correct", text=TEXT, component="tagger", annotation=given, margin=5.0)
    after = ask(client, "/annotate", text="She saw a man with a telescope.")
    assert found["check"]["n_texts"] == 2
    changed = {one["text"]: one["tokens"] for one in found["check"]["changed"]}
    assert TEXT not in changed
    (token,) = (t for t in changed["She saw a man with a telescope."] if t["i"] == 0)
    assert token["word"] == "She"
    assert token["before"].split(" / ")[0] == before["tokens"][0]["tag"]
    assert token["after"].split(" / ")[0] == after["tokens"][0]["tag"] == other
    assert found["check"]["n_changed_tokens"] == sum(map(len, changed.values()))
    # After undoing, the same correction changes the same again.
    ask(client, "/undo")
    again = ask(client, "/correct", text=TEXT, component="tagger", annotation=given, margin=5.0)
    assert again["check"] == found["check"]
    workspace.close()


def test_check_texts_of_a_folder(nlp: Language, tmp_path: Path):
    """A corpus can be a folder: its first texts are checked."""
    for name, text in (("a", TEXT), ("b", TWO_SENTENCES)):
        DocBin(docs=[nlp.make_doc(text)]).to_disk(tmp_path / f"{name}.spacy")
    assert default_texts(nlp, tmp_path) == [TEXT, TWO_SENTENCES]


def test_save(client: TestClient, tmp_path: Path):
    answers = ask(client, "/nbest", text=TEXT, component="parser", k=2)
    right = answers["candidates"][1]["annotation"]
    ask(client, "/correct", text=TEXT, component="parser", annotation=right)
    found = ask(client, "/save")
    messages.SaveResponse.model_validate(found)
    assert found == {
        "path": str(tmp_path / "out" / "pipeline"),
        "corrections": str(tmp_path / "out" / "corrections.spacy"),
        "n_corrections": 1,
    }
    saved = spacy.load(found["path"])
    assert [token.head.i for token in saved(TEXT)] == right["head"]


def test_export(client: TestClient):
    answers = ask(client, "/nbest", text=TEXT, component="ner", k=2)
    right = answers["candidates"][1]["annotation"]
    ask(client, "/correct", text=TEXT, component="ner", annotation=right)
    response = client.post("/export", json={"format": "spacy"})
    assert response.headers["content-disposition"] == 'attachment; filename="corrections.spacy"'
    (doc,) = DocBin().from_bytes(response.content).get_docs(spacy.blank("en").vocab)
    assert doc.text == TEXT
    for name in ("prodigy", "doccano"):
        response = client.post("/export", json={"format": name})
        assert f"corrections.{name}.jsonl" in response.headers["content-disposition"]
        (line,) = response.text.splitlines()
        assert json.loads(line)["text"] == TEXT


# --- Loading ----------------------------------------------------------------------------------


def test_while_a_pipeline_is_loaded(model: Path, tmp_path: Path):
    workspace = Workspace([Sources(str(model), tmp_path)], max_chars=10)
    client = make_client(workspace)
    (told,) = client.get("/pipelines").json()["pipelines"]
    assert (told["status"], told["components"], told["name"]) == ("loading", [], "small")
    found = ask(client, "/annotate", 503, text="a")
    assert found["error"] == "The pipeline 'small' is still being loaded. Try again in a moment."
    workspace.start()
    deadline = time.monotonic() + 60
    while client.get("/pipelines").json()["pipelines"][0]["status"] == "loading":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert ask(client, "/annotate", text="a")["text"] == "a"
    workspace.close()


def test_a_pipeline_that_can_not_be_loaded(model: Path, tmp_path: Path):
    sources = [Sources("none_such", tmp_path / "a"), Sources(str(model), tmp_path / "b")]
    workspace = Workspace(sources, max_chars=10)
    workspace.load()
    client = make_client(workspace)
    failed, ready = client.get("/pipelines").json()["pipelines"]
    messages.PipelinesResponse.model_validate(client.get("/pipelines").json())
    assert (failed["status"], ready["status"]) == ("failed", "ready")
    assert "none_such" in failed["error"]
    assert "could not be loaded" in ask(client, "/annotate", 503, pipeline=0, text="a")["error"]
    assert ask(client, "/annotate", pipeline=1, text="a")["pipeline"] == 1
    workspace.close()


def test_an_error_of_ours_is_no_traceback(
    workspace: Workspace, client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: Any
):
    def fail(_: str) -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(workspace[0], "annotate", fail)
    found = ask(client, "/annotate", 500, text="a")
    assert "secret" not in found["error"]
    number = found["error"].split()[-1].rstrip(".")
    (record,) = (one for one in caplog.records if number in one.getMessage())
    assert "secret details" in str(record.exc_info[1])


# --- Threads ----------------------------------------------------------------------------------


def test_readers_meet_a_state_before_or_after_a_correction(client: TestClient):
    """While one thread corrects and undoes, every answer is one of two."""
    before = without_time(ask(client, "/annotate", text=TEXT))
    answers = ask(client, "/nbest", text=TEXT, component="tagger", k=2)
    right = answers["candidates"][1]["annotation"]
    given = {"text": TEXT, "component": "tagger", "annotation": right}
    after = without_time(ask(client, "/correct", **given)["after"])
    ask(client, "/undo")
    assert before != after
    tags = [[t["tag"] for t in found["tokens"]] for found in (before, after)]
    is_done = threading.Event()
    seen, errors = set(), []

    def read() -> None:
        while not is_done.is_set():
            try:
                found = [t["tag"] for t in ask(client, "/annotate", text=TEXT)["tokens"]]
                seen.add(tags.index(found))
            except Exception as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(15):
        ask(client, "/correct", **given)
        ask(client, "/undo")
    is_done.set()
    for thread in threads:
        thread.join()
    assert not errors
    assert 0 in seen
    assert without_time(ask(client, "/annotate", text=TEXT)) == before


def test_a_pipeline_with_components_of_others_is_read_by_one_thread_at_a_time(
    model: Path, tmp_path: Path
):
    nlp = spacy.load(model, exclude=["senter", "parser", "phrases"])
    busy, worst = 0, 0

    def slow(doc: spacy.tokens.Doc) -> spacy.tokens.Doc:
        nonlocal busy, worst
        busy += 1
        worst = max(worst, busy)
        time.sleep(0.01)
        busy -= 1
        return doc

    spacy.Language.component("spacy_perceptron_test_slow", func=slow)
    nlp.add_pipe("spacy_perceptron_test_slow")
    nlp.to_disk(tmp_path / "model")
    workspace = Workspace([Sources(str(tmp_path / "model"), tmp_path / "out")], max_chars=99)
    workspace.load()
    assert not workspace[0]._require().is_shared
    client = make_client(workspace)
    threads = [
        threading.Thread(target=ask, args=(client, "/annotate"), kwargs={"text": TEXT})
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert worst == 1
    workspace.close()


# --- Corpus -----------------------------------------------------------------------------------


def test_the_corpus_is_looked_at_again_after_a_correction(
    model: Path, tmp_path: Path, sample_folder: Path
):
    sources = Sources(str(model), tmp_path / "out", corpus=sample_folder / "dev.spacy")
    workspace = Workspace([sources], max_chars=MAX_CHARS)
    workspace.load()
    client = make_client(workspace)
    assert client.get("/pipelines").json()["has_corpus"]
    browser = workspace[0].corpus()
    assert browser.wait(60)
    summary = client.get("/corpus/summary", params={"pipeline": 0}).json()
    assert {one["component"] for one in summary["components"]} == {*NAMES}
    page = ask(client, "/corpus", component="tagger")
    messages.CorpusResponse.model_validate(page)
    assert page["n_wrong"] > 0
    number = next(one["id"] for one in page["sentences"] if one["n_mistakes"])
    sentence = ask(client, "/corpus/sentence", component="tagger", id=number)
    gold = sentence["gold"]["annotation"]
    text = sentence["text"]
    assert [t["text"] for t in ask(client, "/annotate", text=text)["tokens"]] == [
        t["text"] for t in sentence["tokens"]
    ]
    found = ask(client, "/correct", text=text, component="tagger", annotation=gold, margin=2.0)
    assert found["learned"]
    assert browser.wait(60)
    after = ask(client, "/corpus/sentence", component="tagger", id=number)
    assert not any(after["differs"])
    # The first sentences of the corpus are those that are checked.
    assert found["check"]["n_texts"] >= 19
    workspace.close()


# --- Documentation ----------------------------------------------------------------------------


def test_openapi_documents_every_route_and_its_errors(reader: TestClient):
    paths = reader.get("/openapi.json").json()["paths"]
    assert {*paths} == {
        "/",
        "/assets/{name}",
        "/pipelines",
        "/annotate",
        "/nbest",
        "/explain",
        "/correct",
        "/undo",
        "/save",
        "/export",
        "/corpus/summary",
        "/corpus",
        "/corpus/sentence",
    }
    for path, methods in paths.items():
        for method, described in methods.items():
            codes = {*described["responses"]}
            assert {"200", "403", "500"} <= codes, path
            assert described["description"], path
            if method == "post":
                assert {"400", "404", "413", "415", "422", "503"} <= codes, path
    assert "409" in paths["/undo"]["post"]["responses"]
