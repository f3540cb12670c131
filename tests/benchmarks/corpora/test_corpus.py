"""Corpora as DocBins: words, trees, punctuation."""

from __future__ import annotations

from pathlib import Path

from benchmarks.corpora.corpus import Corpus, read_conllu
from benchmarks.corpora.sentences import ROOT_HEAD

from ..samples import CONLLU


def test_conllu_keeps_syntactic_words_one_sentence_per_doc(tmp_path: Path) -> None:
    path = tmp_path / "sample.conllu"
    path.write_text(CONLLU, encoding="utf8")
    docs = list(read_conllu(path))
    assert [[token.text for token in doc] for doc in docs] == [
        ["Dogs", "do", "n't", "."],
        ["Go", "!"],
    ]
    assert [token.tag_ for token in docs[0]] == ["NNS", "VBP", "RB", "."]


def test_corpus_has_trees_and_punctuation(corpus: Corpus) -> None:
    first, second = corpus.sentences("test")
    assert first.heads == [1, ROOT_HEAD, 1, 1]
    assert first.labels == ["nsubj", "ROOT", "advmod", "punct"]
    assert first.punct == [False, False, False, True]
    assert second.heads == [ROOT_HEAD, 0]
