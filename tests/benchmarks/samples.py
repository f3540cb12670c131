"""Small data and systems that tests of benchmarks share.

Child processes import this module to load the systems, so it imports nothing large.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.corpora.sentences import ROOT_HEAD, Analysis, Sentence
from benchmarks.systems.base import Runner, SplitRunner, System
from benchmarks.systems.records import TrainingRecord

# Sentences of each split of the sample treebank.
N_TREES = 30
CONLLU = """# text = Dogs don't.
1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tdo\tdo\tAUX\tVBP\t_\t0\troot\t_\t_
3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# text = Go!
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""
# Two documents, the first of two paragraphs.
DOCUMENTS = (
    f"# newdoc\n{CONLLU}".replace("# text = Go!", "# newpar\n# text = Go!")
    + "\n# newdoc\n# text = Stop.\n"
    "1\tStop\tstop\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n"
    "2\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_\n"
)

# "Dogs bark ." and "Go !"
GOLD = [
    Sentence(
        words=["Dogs", "bark", "."],
        spaces=[True, False, True],
        tags=["NNS", "VBP", "."],
        heads=[1, ROOT_HEAD, 1],
        labels=["nsubj", "ROOT", "punct"],
        punct=[False, False, True],
    ),
    Sentence(
        words=["Go", "!"],
        spaces=[False, True],
        tags=["VB", "."],
        heads=[ROOT_HEAD, 0],
        labels=["ROOT", "punct"],
        punct=[False, True],
    ),
]
PERFECT = [Analysis(s.tags, s.heads, s.labels) for s in GOLD]
# The full stop hangs on the wrong word; "Dogs" has a wrong label; "Go" a wrong tag.
FAULTY = [
    Analysis(["NNS", "VBP", "."], [1, ROOT_HEAD, 0], ["obj", "ROOT", "punct"]),
    Analysis(["NN", "."], [ROOT_HEAD, 0], ["ROOT", "punct"]),
]


def sentence(text: str) -> Sentence:
    """A sentence from `word/tag` pairs."""
    pairs = [pair.rsplit("/", 1) for pair in text.split()]
    words, tags = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Sentence(words=words, spaces=[True] * len(words), tags=tags)


TRAIN = [sentence("the/DT dog/NN barks/VBZ ./."), sentence("a/DT cat/NN sleeps/VBZ ./.")]


class FixedCorpus:
    """Stands in for a corpus on disk: the same sentences in all splits."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self._sentences = sentences

    def sentences(self, split: str) -> list[Sentence]:
        return self._sentences


class FixedRunner(SplitRunner):
    """Gives the same answers to every text."""

    def __init__(self, answers: list[Analysis]) -> None:
        self.answers = answers
        self.log: list[str] = []

    def prepare(self, sentences: Any) -> list[Any]:
        return list(sentences)

    def run_first(self, inputs: list[Any]) -> list[Any]:
        self.log.append("first")
        return inputs

    def run_last(self, inputs: list[Any]) -> list[Any]:
        self.log.append("last")
        return inputs

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return self.answers


class FixedSystem(System):
    """Trains in no time and answers as told."""

    library = "json"

    def __init__(self, key: str, answers: list[Analysis]) -> None:
        self.key = self.name = key
        self.answers = answers

    def train(self, corpus: Any, directory: Path) -> TrainingRecord:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "trained").open("a") as file:
            file.write("once\n")
        return TrainingRecord(wall=2.0, cpu=1.0, date="2024-01-01")

    def load(self, directory: Path) -> Runner:
        return FixedRunner(self.answers)

    def blank(self) -> Runner:
        return FixedRunner([])

    def model_path(self, directory: Path) -> Path:
        return directory / "trained"
