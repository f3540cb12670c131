"""The pipelines of a playground, and where their corrections go."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import Errors
from .limits import MAX_K
from .pipelines import ServedPipeline, Sources
from .refusals import RefusedRequest

SUFFIX = "-corrected"


class Workspace:
    """All pipelines, each with a number.

    sources (Sequence[Sources]): Where they come from.
    max_chars (int): The longest text.
    """

    def __init__(self, sources: Sequence[Sources], *, max_chars: int):
        self.max_chars = max_chars
        self.pipelines = [
            ServedPipeline(number, one, max_chars=max_chars) for number, one in enumerate(sources)
        ]

    def load(self) -> None:
        """Load all pipelines, one after the other."""
        for pipeline in self.pipelines:
            pipeline.load()

    def start(self) -> None:
        """Load all pipelines in the background."""
        threading.Thread(target=self.load, name="load-pipelines", daemon=True).start()

    def close(self) -> None:
        """Let other processes use the folders."""
        for pipeline in self.pipelines:
            pipeline.close()

    def __getitem__(self, number: int) -> ServedPipeline:
        if not 0 <= number < len(self.pipelines):
            message = Errors.SERVE_PIPELINE.format(number=number, n=len(self.pipelines))
            raise RefusedRequest(404, message, field="pipeline")
        return self.pipelines[number]

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What a page is told."""
        return {
            "version": __version__,
            "max_chars": self.max_chars,
            "max_k": MAX_K,
            "has_corpus": any(one.sources.corpus is not None for one in self.pipelines),
            "pipelines": [one.describe() for one in self.pipelines],
        }


def find_outputs(models: Sequence[str], output: Path | None) -> list[Path]:
    """Where corrections go.

    models (Sequence[str]): Folders or packages.
    output (Optional[Path]): The folder to use; with several models, each gets one inside.
    RETURNS (list[Path]): A folder for each model, no two the same.
    """
    found: list[Path] = []
    for model in models:
        path = Path(model)
        name = path.resolve().name if path.exists() else path.name
        if output is None:
            folder = path.resolve().parent if path.exists() else Path()
            chosen = folder / f"{name}{SUFFIX}"
        else:
            chosen = output if len(models) == 1 else output / name
        number = 2
        base = chosen
        while chosen in found:
            chosen = base.with_name(f"{base.name}-{number}")
            number += 1
        found.append(chosen)
    return found
