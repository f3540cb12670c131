"""The corpus browser: its figures, its pages, and its thread."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_perceptron.evaluation.mistakes import find_mistakes
from spacy_perceptron.serve import gold as gold_module
from spacy_perceptron.serve.components import find_components
from spacy_perceptron.serve.corpus import PAGE_SIZE, CorpusBrowser
from spacy_perceptron.serve.refusals import RefusedRequest

from ..cli.small_tagger import train
from ..sample import load_sample

# The tagger knows these: Time/NN flies/VBZ; The/DT flies/NNS bite/VBP; We/PRP bite/VBP.
WORDS = [["We", "bite", "."], ["Time", "flies", "."], ["The", "flies", "bite", "."]]
TAGS = [["PRP", "VBP", "."], ["NNP", "VBZ", "."], ["DT", "VBP", "VBP", ":"]]
STARTS = [3, 6]


@pytest.fixture(scope="module")
def tagger() -> Language:
    return train("tag")


def write(path: Path, *docs: Doc) -> Path:
    DocBin(docs=docs).to_disk(path)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """One Doc of two sentences, and one of one."""
    vocab = spacy.blank("en").vocab
    first = Doc(
        vocab,
        words=WORDS[0] + WORDS[1],
        tags=TAGS[0] + TAGS[1],
        sent_starts=[i in (0, 3) for i in range(6)],
    )
    second = Doc(vocab, words=WORDS[2], tags=TAGS[2], sent_starts=[True, False, False, False])
    return write(tmp_path / "gold.spacy", first, second)


@contextmanager
def browsing(*arguments: Any, **options: Any) -> Iterator[CorpusBrowser]:
    browser = CorpusBrowser(*arguments, **options)
    try:
        yield browser
    finally:
        browser.close()


def test_mistakes_and_sentences(corpus: Path, tagger: Language):
    with browsing(corpus, tagger) as browser:
        assert browser.wait(60)
        found = browser.sentences("tag_pipe", sort="order")
    confidences = [sentence.pop("confidence") for sentence in found["sentences"]]
    assert all(0 < value <= 1 for value in confidences)
    assert found == {
        "component": "tag_pipe",
        "n_sentences": 3,
        "n_wrong": 2,
        "page": 0,
        "n_pages": 1,
        "mistakes": [
            {"key": "label:.>:", "type": "label", "gold": ":", "predicted": ".", "n": 1},
            {"key": "label:NN>NNP", "type": "label", "gold": "NNP", "predicted": "NN", "n": 1},
            {"key": "label:NNS>VBP", "type": "label", "gold": "VBP", "predicted": "NNS", "n": 1},
        ],
        "sentences": [
            {"id": 0, "text": "We bite .", "n_mistakes": 0, "mistakes": []},
            {"id": 1, "text": "Time flies .", "n_mistakes": 1, "mistakes": ["label:NN>NNP"]},
            {
                "id": 2,
                "text": "The flies bite .",
                "n_mistakes": 2,
                "mistakes": ["label:NNS>VBP", "label:.>:"],
            },
        ],
    }


def test_orders_and_filters(corpus: Path, tagger: Language):
    with browsing(corpus, tagger) as browser:
        browser.wait(60)

        def ids(**options: Any) -> list[int]:
            rows = browser.sentences("tag_pipe", **options)["sentences"]
            return [row["id"] for row in rows]

        # The same as the least sure token of each sentence, found in another way.
        with_words = [tagger(Doc(tagger.vocab, words=words)) for words in WORDS]
        least = [min(token._.tag_confidence for token in doc) for doc in with_words]
        rows = browser.sentences("tag_pipe", sort="order")["sentences"]
        assert [row["confidence"] for row in rows] == pytest.approx(least)
        assert ids(sort="confidence") == sorted(range(3), key=lambda i: least[i])
        assert ids(sort="mistakes") == [2, 1, 0]
        assert ids(mistake="label:NN>NNP") == [1]
        assert ids(mistake="label:x>y") == []


def test_a_sentence_in_full(corpus: Path, tagger: Language):
    with browsing(corpus, tagger) as browser:
        found = browser.sentence("tag_pipe", 1)
    assert found["text"] == "Time flies ."
    assert [(token["i"], token["text"]) for token in found["tokens"]] == [
        (0, "Time"),
        (1, "flies"),
        (2, "."),
    ]
    assert [token["head"] for token in found["tokens"]] == [0, 1, 2]
    assert found["gold"] == {
        "annotation": {"tag": ["NNP", "VBZ", "."]},
        "labels": ["NNP", "VBZ", "."],
        "drawings": [],
    }
    assert found["predicted"]["labels"] == ["NN", "VBZ", "."]
    sure = [token["confidence"]["tag"] for token in found["tokens"]]
    assert found["predicted"]["confidences"] == sure
    assert found["differs"] == [True, False, False]


def test_summary(corpus: Path, tagger: Language):
    with browsing(corpus, tagger) as browser:
        browser.wait(60)
        found = browser.summary()
        assert browser.summary("tag_pipe") == found
        mistakes = browser.sentences("tag_pipe")["mistakes"]
    (component,) = found.pop("components")
    assert found == {"n_docs": 2, "n_sentences": 3, "n_words": 10}
    assert component == {
        "component": "tag_pipe",
        "has_gold": True,
        "n_wrong": 2,
        "n_mistakes": 3,
        "mistakes": mistakes,
    }


def test_without_gold_nothing_is_wrong(tmp_path: Path, tagger: Language):
    doc = Doc(tagger.vocab, words=WORDS[0])
    with browsing(write(tmp_path / "plain.spacy", doc), tagger) as browser:
        browser.wait(60)
        assert browser.summary()["components"][0]["has_gold"] is False
        assert browser.sentences("tag_pipe")["n_wrong"] == 0
        assert browser.sentence("tag_pipe", 0)["differs"] == [False] * 3


def test_pages(tmp_path: Path, tagger: Language):
    n = 2 * PAGE_SIZE + 1
    docs = [Doc(tagger.vocab, words=[*WORDS[0]], tags=TAGS[0]) for _ in range(n)]
    with browsing(write(tmp_path / "many.spacy", *docs), tagger) as browser:
        browser.wait(60)
        pages = [browser.sentences("tag_pipe", sort="order", page=i) for i in range(4)]
    assert [page["n_pages"] for page in pages] == [3] * 4
    ids = [[row["id"] for row in page["sentences"]] for page in pages]
    assert ids[:3] == [
        [*range(PAGE_SIZE)],
        [*range(PAGE_SIZE, 2 * PAGE_SIZE)],
        [2 * PAGE_SIZE],
    ]
    # Behind the last page, the last one.
    assert (pages[3]["page"], ids[3]) == (2, ids[2])


def test_refusals(corpus: Path, tagger: Language, tmp_path: Path):
    with browsing(corpus, tagger) as browser:
        browser.wait(60)
        for ask in (browser.sentences, browser.summary):
            with pytest.raises(RefusedRequest, match=r"'x' .* from: tag_pipe") as error:
                ask("x")
            assert (error.value.status, error.value.field) == (404, "component")
        for number in (-1, 3):
            with pytest.raises(RefusedRequest, match=f"no sentence {number}; there are 3") as error:
                browser.sentence("tag_pipe", number)
            assert (error.value.status, error.value.field) == (404, "id")
    with pytest.raises(ValueError, match="no Doc with words"):
        CorpusBrowser(write(tmp_path / "empty.spacy"), tagger)
    with pytest.raises(ValueError, match="no corpus at"):
        CorpusBrowser(tmp_path / "missing.spacy", tagger)


def test_progress_and_corrections(corpus: Path, monkeypatch: pytest.MonkeyPatch):
    """The pipeline's lock keeps the thread from starting; then it is let through. After a
    correction, the figures are new."""
    monkeypatch.setattr(gold_module, "BATCH_TOKENS", 1)
    nlp = train("tag")
    lock = threading.RLock()
    with lock:
        browser = CorpusBrowser(corpus, nlp, lock=lock)
        assert not browser.wait(0.05)
        with pytest.raises(RefusedRequest, match="0 of 3 sentences") as refused:
            browser.sentences("tag_pipe")
        assert refused.value.status == 503
        assert refused.value.more == {"done": 0, "n": 3}
    try:
        assert browser.wait(60)
        assert browser.sentences("tag_pipe")["n_wrong"] == 2
        with lock:
            pipe: Any = nlp.get_pipe("tag_pipe")
            gold = Doc(nlp.vocab, words=WORDS[2], tags=["DT", "VBP", "VBP", "."])
            pipe.correct(Example(nlp(Doc(nlp.vocab, words=WORDS[2])), gold))
            browser.mark_stale()
            with pytest.raises(RefusedRequest, match="of 3 sentences"):
                browser.sentences("tag_pipe")
        assert browser.wait(60)
        keys = browser.sentences("tag_pipe", sort="order")["sentences"][2]["mistakes"]
        assert keys == ["label:.>:"]
    finally:
        browser.close()


def test_failures_are_told(corpus: Path, tagger: Language, monkeypatch: pytest.MonkeyPatch):
    """The thread survives, and tries again after the next correction."""
    components = find_components(tagger)

    def fail(*arguments: Any, **options: Any) -> None:
        raise ValueError("out of order")

    with monkeypatch.context() as patched:
        patched.setattr(gold_module.GoldCorpus, "predict", fail)
        browser = CorpusBrowser(corpus, tagger, components)
        assert browser.wait(60)
    try:
        with pytest.raises(RefusedRequest, match="could not be analysed: out of order") as error:
            browser.sentences("tag_pipe")
        assert error.value.status == 500
        browser.mark_stale()
        assert browser.wait(60)
        assert browser.sentences("tag_pipe")["n_wrong"] == 2
    finally:
        browser.close()


def test_many_threads(corpus: Path, tagger: Language):
    """While weights change all the time, everyone gets an answer or is told to wait."""
    failures: list[BaseException] = []
    statuses: list[int] = []

    def ask() -> None:
        try:
            for _ in range(20):
                assert browser.sentence("tag_pipe", 2)["differs"] == [False, True, False, True]
                try:
                    assert browser.sentences("tag_pipe")["n_wrong"] == 2
                except RefusedRequest as error:
                    statuses.append(error.status)
                browser.mark_stale()
        except BaseException as error:
            failures.append(error)

    with browsing(corpus, tagger) as browser:
        browser.wait(60)
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert {*statuses} <= {503}
        assert browser.wait(60)
        assert browser.sentences("tag_pipe")["n_wrong"] == 2


# --- All kinds of components ----------------------------------------------------------------


def test_every_kind_of_component(nlp: Language, tmp_path: Path):
    """What is found agrees with the same comparison made Doc by Doc."""
    docs = load_sample(nlp.vocab, "dev", limit=20, n_sents=2)
    path = write(tmp_path / "sample.spacy", *docs)
    with browsing(path, nlp) as browser:
        assert browser.wait(120)
        names = [row["component"] for row in browser.summary()["components"]]
        assert names == ["senter", "tagger", "parser", "phrases", "ner"]
        n_mistakes = 0
        for component in find_components(nlp):
            found = browser.sentences(component.name, sort="order")
            assert found["n_sentences"] == 20
            keys = []
            for doc in docs:
                free = component.name == "senter"
                starts = None if free else [token.is_sent_start for token in doc]
                words = [token.text for token in doc]
                spaces = [bool(token.whitespace_) for token in doc]
                plain = Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=starts)
                example = Example(nlp(plain), doc)
                bounds = [(sent.start, sent.end) for sent in doc.sents]
                for mistakes in find_mistakes(component.kind, example, bounds) or []:
                    keys.append([mistake.key for mistake in mistakes])
            assert [row["mistakes"] for row in found["sentences"]] == keys
            n_mistakes += sum(map(len, keys))
            assert sum(row["n"] for row in found["mistakes"]) == sum(map(len, keys))
            for row in found["sentences"]:
                full = browser.sentence(component.name, row["id"])
                n = len(full["tokens"])
                assert len(full["differs"]) == n
                assert len(full["gold"]["labels"]) == len(full["predicted"]["labels"]) == n
                assert any(full["differs"]) == bool(row["mistakes"])
                assert all(0 <= token["head"] < n for token in full["tokens"])
                n_drawings = 1 if component.kind.drawing else 0
                assert len(full["predicted"]["drawings"]) == n_drawings
                assert json.loads(json.dumps(full)) == full
                known = [x for x in full["predicted"]["confidences"] if x is not None]
                if component.name == "tagger":
                    assert row["confidence"] == pytest.approx(min(known))
        assert n_mistakes > 20
