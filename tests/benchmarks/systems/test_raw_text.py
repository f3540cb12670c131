"""spaCy pipelines that run on raw text."""

from __future__ import annotations

import spacy

from benchmarks.corpora.raw_text import RawText
from benchmarks.systems.peers.spacy_pipelines import raw_spacy_systems
from benchmarks.systems.raw_text import RawPipelineRunner

from ..samples import GOLD


def test_runner_takes_texts_and_words() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    runner = RawPipelineRunner(nlp)
    texts = [RawText("Dogs don't. Go!\n\nStop.", [])]
    (document,) = runner.annotations(runner.run(runner.prepare(texts)))
    assert [[word.form for word in sentence.words] for sentence in document] == [
        ["Dogs", "do", "n't", "."],
        ["Go", "!"],
        ["Stop", "."],
    ]
    assert [sentence.starts_paragraph for sentence in document] == [False, False, True]
    documents = runner.annotations(runner.run(runner.prepare(GOLD)))
    assert [[len(sentence.words) for sentence in document] for document in documents] == [[3], [2]]


def test_peers_share_a_training() -> None:
    whole, without = raw_spacy_systems(max_steps=5, max_minutes=60)
    assert (whole.home, without.home, without.group) == ("spacy", "spacy", "spacy")
    assert (whole.label, without.label) == ("spaCy, senter", "spaCy, parser's sentences")
    assert without.overrides == {"training.max_steps": 5}
    assert without.without == ("senter",)
