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
            "pipelines": [
                {**one.describe(), "name": name}
                for one, name in zip(self.pipelines, self._names(), strict=True)
            ],
        }

    def _names(self) -> list[str]:
        """What to call the pipelines, no two the same."""
        names = [one.name for one in self.pipelines]
        paths = [_locate(one.sources.model) for one in self.pipelines]
        places = ["/".join(parts) for parts in _tell_apart(paths)]
        told = [
            name if names.count(name) == 1 else place if path.name == name else f"{name} ({place})"
            for name, path, place in zip(names, paths, places, strict=True)
        ]
        numbers = [told[:i].count(name) + 1 for i, name in enumerate(told)]
        return [
            f"{name} {number}" if number > 1 else name
            for name, number in zip(told, numbers, strict=True)
        ]


def _locate(model: str) -> Path:
    """RETURNS (Path): The whole path of a folder; of a package its name."""
    path = Path(model)
    return path.resolve() if path.exists() else path


def _tell_apart(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    """The last parts of each path: as many as it takes to tell it from all others."""
    every = [path.parts[bool(path.anchor) :] for path in paths]
    found = []
    for parts in every:
        n = 1
        while n < len(parts) and any(x[-n:] == parts[-n:] for x in every if x != parts):
            n += 1
        found.append(parts[-n:])
    return found


def find_outputs(models: Sequence[str], output: Path | None) -> list[Path]:
    """Where corrections go.

    models (Sequence[str]): Folders or packages.
    output (Optional[Path]): The folder to use; with several models, each gets one inside, whose
        name does not depend on their order.
    RETURNS (list[Path]): A folder for each model, no two the same.
    """
    found: list[Path] = []
    paths = [_locate(model) for model in models]
    for path, parts in zip(paths, _tell_apart(paths), strict=True):
        if output is None:
            chosen = path.with_name(f"{path.name}{SUFFIX}")
        else:
            chosen = output if len(models) == 1 else output / "-".join(parts)
        number = 2
        base = chosen
        while chosen in found:
            chosen = base.with_name(f"{base.name}-{number}")
            number += 1
        found.append(chosen)
    return found
