"""Folds that train for ever, or fail.

`python -m tests.corpus.jackknife.sleeper CORPUS` runs some that train for ever.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife

from .memorizer import Memorizer

FACTORY = "test_sleeper"
# A worker has this long to sleep, unless somebody ends it.
SECONDS = 300


class Sleeper(Memorizer):
    """Prints the number of its process and falls asleep, exits or fails, as it was told to."""

    def __init__(self, nlp: Language, name: str, how: str) -> None:
        super().__init__(nlp, name)
        self.how = how

    def update(self, examples: Any, **kwargs: Any) -> dict[str, float]:
        if self.how == "exit":
            os._exit(3)
        if self.how == "fail":
            raise LookupError("a word is missing")
        print(os.getpid(), flush=True)
        # Not in one go: Python looks at signals in between.
        for _ in range(SECONDS * 10):
            time.sleep(0.1)
        return super().update(examples, **kwargs)


@Language.factory(FACTORY, default_config={"how": "sleep"})
def make_sleeper(nlp: Language, name: str, how: str) -> Sleeper:
    return Sleeper(nlp, name, how)


def run(corpus: Path, how: str) -> None:
    """Jackknife with two workers."""
    nlp = spacy.blank("xx")
    nlp.add_pipe(FACTORY, name="sleeper", config={"how": how})
    jackknife(nlp, Jackknife(corpus, ["sleeper"], n_folds=3, n_process=2, max_epochs=1))


if __name__ == "__main__":
    run(Path(sys.argv[1]), "sleep")
