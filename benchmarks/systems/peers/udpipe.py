"""UDPipe 1: an averaged perceptron tagger and a transition-based parser with a small network.

Straka and Straková 2017. Trained by its own trainer with its default settings on the gold tokens,
lemmas, UPOS, XPOS and features of the treebank. Its parser learns from its own tagger's output on
train.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...corpora.sentences import ROOT_HEAD, ROOT_LABEL, Analysis, Sentence
from ..base import SplitRunner, System
from ..records import Stopwatch, TrainingRecord

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ...corpora.corpus import Corpus

METHOD = "morphodita_parsito"
UD_ROOT = "root"
STDERR = 2
GROUP = "udpipe"
QUICK_TAGGER = "iterations=2"
QUICK_PARSER = "iterations=1"


def gold_sentence(doc: Doc) -> Any:
    """A UDPipe sentence with the whole gold annotation of a Doc."""
    from ufal.udpipe import Sentence as UdpipeSentence

    result = UdpipeSentence()
    for token in doc:
        word = result.addWord(token.text)
        word.lemma = token.lemma_
        word.upostag = token.pos_
        word.xpostag = token.tag_
        word.feats = str(token.morph)
    for token in doc:
        is_root = token.head.i == token.i
        head, label = (0, UD_ROOT) if is_root else (token.head.i + 1, token.dep_)
        result.setHead(token.i + 1, head, label)
    return result


def gold_sentences(corpus: Corpus, split: str) -> Any:
    """A split of a corpus in the form that the trainer takes."""
    from ufal.udpipe import Sentences

    result = Sentences()
    for doc in corpus.docs(split):
        result.push_back(gold_sentence(doc))
    return result


def predicted_analysis(sentence: Any) -> Analysis:
    """The tags and the tree of a sentence that UDPipe has annotated."""
    words = list(sentence.words)[1:]
    return Analysis(
        tags=[word.xpostag for word in words],
        heads=[word.head - 1 if word.head > 0 else ROOT_HEAD for word in words],
        labels=[ROOT_LABEL if word.deprel == UD_ROOT else word.deprel for word in words],
    )


@contextmanager
def stderr_to(path: Path) -> Iterator[None]:
    """Send what this process writes to standard error, even from C++, to a file."""
    saved = os.dup(STDERR)
    with path.open("wb") as file:
        os.dup2(file.fileno(), STDERR)
        try:
            yield
        finally:
            os.dup2(saved, STDERR)
            os.close(saved)


class UdpipeRunner(SplitRunner):
    """Tags and parses ready-made UDPipe sentences; leaves them alone without a model.

    model (Any): the model.
    decoding (str): options of the parser.
    """

    def __init__(self, model: Any = None, decoding: str = "") -> None:
        self.model = model
        self.decoding = decoding

    def prepare(self, sentences: Sequence[Sentence]) -> list[Any]:
        from ufal.udpipe import Sentence as UdpipeSentence

        inputs = []
        for sentence in sentences:
            empty = UdpipeSentence()
            for word in sentence.words:
                empty.addWord(word)
            inputs.append(empty)
        return inputs

    def run_first(self, inputs: list[Any]) -> list[Any]:
        if self.model is not None:
            for sentence in inputs:
                self.model.tag(sentence, self.model.DEFAULT)
        return inputs

    def run_last(self, inputs: list[Any]) -> list[Any]:
        if self.model is not None:
            for sentence in inputs:
                self.model.parse(sentence, self.decoding)
        return inputs

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [predicted_analysis(sentence) for sentence in outputs]


@dataclass(frozen=True)
class UdpipeSystem(System):
    """`Trainer.train`, by default without a tokenizer; dev is held out and chooses the iteration.

    tagger (str): options for training the tagger; "" for UDPipe's defaults.
    parser (str): options for training the parser.
    decoding (str): options of the trained parser.
    tokenizer (str): options for training the tokenizer; "" for none.
    runner (type[UdpipeRunner]): what runs a loaded model.
    """

    key: str = "udpipe"
    name: str = "UDPipe 1"
    setting: str = "beam 5"
    library: str = "ufal.udpipe"
    has_parts: bool = True
    tagger: str = ""
    parser: str = ""
    decoding: str = ""
    tokenizer: str = ""
    runner: type[UdpipeRunner] = UdpipeRunner

    @property
    def group(self) -> str:
        return GROUP

    @property
    def home(self) -> str:
        return GROUP

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        from ufal.udpipe import ProcessingError, Trainer

        train, dev = (self.training_sentences(corpus, split) for split in ("train", "dev"))
        tokenizer = self.tokenizer or Trainer.NONE
        directory.mkdir(parents=True, exist_ok=True)
        error = ProcessingError()
        watch = Stopwatch()
        with stderr_to(directory / "train.log"):
            model = Trainer.train(METHOD, train, dev, tokenizer, self.tagger, self.parser, error)
        if error.occurred():
            raise RuntimeError(f"UDPipe: {error.message}")
        self.model_path(directory).write_bytes(model)
        return watch.record()

    def load(self, directory: Path) -> SplitRunner:
        from ufal.udpipe import Model

        path = self.model_path(directory)
        model = Model.load(str(path))
        if model is None:
            raise RuntimeError(f"UDPipe cannot load {path}")
        return self.runner(model, self.decoding)

    def blank(self) -> SplitRunner:
        return self.runner()

    def training_sentences(self, corpus: Corpus, split: str) -> Any:
        """A split in the form that the trainer takes."""
        return gold_sentences(corpus, split)

    def model_path(self, directory: Path) -> Path:
        return directory / "model.udpipe"


def udpipe_systems(
    *, tagger: str = "", parser: str = "", quick: bool = False
) -> list[UdpipeSystem]:
    """UDPipe, with its default settings unless others are given; and the same model without beam.

    tagger (str): options for training the tagger.
    parser (str): options for training the parser.
    quick (bool): whether to train with few iterations.
    RETURNS (list[UdpipeSystem]): the default first.
    """
    if quick:
        tagger, parser = tagger or QUICK_TAGGER, parser or QUICK_PARSER
    default = UdpipeSystem(tagger=tagger, parser=parser)
    greedy = replace(default, key=f"{GROUP}-greedy", setting="greedy", decoding="beam_search=1")
    return [default, greedy]
