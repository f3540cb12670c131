"""A component that fails at certain words. Workers import this file, as `--code` files are."""

import errno
import os
import time
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from spacy_perceptron.scale import targets

RAISES, KILLS, WAITS, FILLS = "raises", "kills", "waits", "fills"


@Language.component("faults")
def faults(doc: Doc) -> Doc:
    """Fail as the first word says."""
    word = doc[0].text if len(doc) else ""
    if word == RAISES:
        raise ValueError(f"cannot stand {doc[1].text}")
    if word == KILLS:
        os._exit(9)
    if word == WAITS:
        # Tells who is at work, and waits until it may go on.
        marker = Path(doc.text.removeprefix(f"{WAITS} "))
        if not marker.exists():
            marker.write_text(str(os.getpid()))
            time.sleep(600)
    if word == FILLS:
        targets._BinWriter.finish = no_space
    return doc


def no_space(writer: object) -> None:
    """What writing to a full disk does."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
