"""Code for a config: a training that dies where the environment says."""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from spacy.language import Language
from spacy.util import registry

from spacy_perceptron.scale.training import checkpoint
from spacy_perceptron.scale.training.rounds import RoundCheckpoint

# The step before which to die, the number of the file of a checkpoint after which to die, and the
# round of several workers.
AT_STEP, AT_FILE, AFTER_ROUND = "DIE_AT_STEP", "DIE_AT_FILE", "DIE_AFTER_ROUND"
# A file that the first process to meet makes, and dies.
ONCE = "DIE_ONCE"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@registry.callbacks("tests.dying.v1")
def create_dying() -> Callable:
    def before_update(nlp: Language, args: dict[str, Any]) -> None:
        if args["step"] == int(os.environ.get(AT_STEP, -1)):
            die()
        if ONCE in os.environ:
            with suppress(FileExistsError), open(os.environ[ONCE], "x"):
                die()

    return before_update


save_arrays, n_files = checkpoint._save_arrays, 0


def save_and_die(*args: Any) -> None:
    global n_files
    save_arrays(*args)
    n_files += 1
    if n_files == int(os.environ.get(AT_FILE, -1)):
        die()


checkpoint._save_arrays = save_and_die


save_round = RoundCheckpoint.save


def save_round_and_die(self: RoundCheckpoint, state: Any, progress: Any) -> None:
    save_round(self, state, progress)
    if progress.n_rounds == int(os.environ.get(AFTER_ROUND, -1)):
        die()


RoundCheckpoint.save = save_round_and_die  # type: ignore[method-assign]
