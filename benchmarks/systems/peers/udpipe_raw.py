"""UDPipe 1 from raw text: its own tokenizer, tagger, lemmatizer and parser in one model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spacy_perceptron.trees.conllu.sentences import NOTHING, ConlluSentence, MultiWord, Word

from ...corpora.raw_text import RawText
from .udpipe import GROUP, QUICK_PARSER, QUICK_TAGGER, UdpipeRunner, UdpipeSystem

if TYPE_CHECKING:
    from ...corpora.corpus import Corpus
    from ...corpora.sentences import Sentence

# Its default of 100 epochs takes hours on this treebank.
TOKENIZER = "epochs=30;early_stopping=1"
QUICK_TOKENIZER = "epochs=1"


def read_sentences(path: Path) -> Any:
    """A CoNLL-U file in the form that the trainer takes, with spaces and multi-word tokens."""
    from ufal.udpipe import InputFormat, Sentences
    from ufal.udpipe import Sentence as UdpipeSentence

    reader = InputFormat.newConlluInputFormat()
    reader.setText(path.read_text(encoding="utf8"))
    result, sentence = Sentences(), UdpipeSentence()
    while reader.nextSentence(sentence):
        result.push_back(sentence)
        sentence = UdpipeSentence()
    return result


def to_conllu(sentence: Any) -> ConlluSentence:
    """A sentence that UDPipe has annotated, as plain data."""
    words = [
        Word(
            form=word.form,
            lemma=word.lemma or NOTHING,
            upos=word.upostag or NOTHING,
            xpos=word.xpostag or NOTHING,
            feats=word.feats or NOTHING,
            head=word.head - 1,
            deprel=word.deprel or NOTHING,
            misc=word.misc or NOTHING,
        )
        for word in list(sentence.words)[1:]
    ]
    multiwords = [
        MultiWord(token.idFirst - 1, token.idLast, token.form, token.misc or NOTHING)
        for token in sentence.multiwordTokens
    ]
    return ConlluSentence(words, multiwords)


class RawUdpipeRunner(UdpipeRunner):
    """Annotates texts, or sentences whose words are given; one list of sentences for each."""

    def prepare(self, sentences: Sequence[Sentence | RawText]) -> list[Any]:
        if all(isinstance(item, RawText) for item in sentences):
            return [item.text for item in sentences]
        return super().prepare(sentences)

    def run_first(self, inputs: list[Any]) -> list[Any]:
        documents = [self.split(item) if isinstance(item, str) else [item] for item in inputs]
        for document in documents:
            super().run_first(document)
        return documents

    def run_last(self, inputs: list[Any]) -> list[Any]:
        for document in inputs:
            super().run_last(document)
        return inputs

    def split(self, text: str) -> list[Any]:
        """The sentences of a text; none without a model."""
        from ufal.udpipe import Sentence as UdpipeSentence

        sentences: list[Any] = []
        if self.model is not None:
            tokenizer = self.model.newTokenizer(self.model.DEFAULT)
            tokenizer.setText(text)
            sentence = UdpipeSentence()
            while tokenizer.nextSentence(sentence):
                sentences.append(sentence)
                sentence = UdpipeSentence()
        return sentences

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [[to_conllu(sentence) for sentence in document] for document in outputs]


@dataclass(frozen=True)
class RawUdpipeSystem(UdpipeSystem):
    """The whole model, trained on the CoNLL-U files."""

    setting: str = ""
    tokenizer: str = TOKENIZER
    runner: type[UdpipeRunner] = RawUdpipeRunner

    def training_sentences(self, corpus: Corpus, split: str) -> Any:
        return read_sentences(corpus.conllu_path(split))


def raw_udpipe_system(
    *, tokenizer: str = "", tagger: str = "", parser: str = "", quick: bool = False
) -> RawUdpipeSystem:
    """UDPipe with its default settings, but fewer epochs of the tokenizer, unless others are given.

    tokenizer (str): options for training the tokenizer.
    tagger (str): options for training the tagger.
    parser (str): options for training the parser.
    quick (bool): whether to train with few iterations.
    RETURNS (RawUdpipeSystem): the system.
    """
    if quick:
        tokenizer = tokenizer or QUICK_TOKENIZER
        tagger, parser = tagger or QUICK_TAGGER, parser or QUICK_PARSER
    return RawUdpipeSystem(
        key=GROUP, tokenizer=tokenizer or TOKENIZER, tagger=tagger, parser=parser
    )
