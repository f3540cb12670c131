"""Code for a config: a training that dies where the environment says."""

import os
import signal
from collections.abc import Callable
from typing import Any

from spacy.language import Language
from spacy.util import registry

from spacy_perceptron.scale.training import checkpoint

# The step before which to die, and the number of the file of a checkpoint after which to die.
AT_STEP, AT_FILE = "DIE_AT_STEP", "DIE_AT_FILE"


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@registry.callbacks("tests.dying.v1")
def create_dying() -> Callable:
    def before_update(nlp: Language, args: dict[str, Any]) -> None:
        if args["step"] == int(os.environ.get(AT_STEP, -1)):
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
