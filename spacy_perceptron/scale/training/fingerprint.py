"""What a training depends on: its config, the files that this names, and the versions at work."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import spacy
from thinc.api import Config

from ... import __version__
from ...errors import Errors

# How many differences to name.
MOST_NAMED = 5
# How much of a file is read at once.
BLOCK = 1 << 20
# Where configs name files.
_SECTIONS = ("paths.", "corpora.", "initialize.", "components.")
# Where a training finds nothing but what it has put there itself.
_WRITTEN = ".cache_dir"
CONFIG, FILES, VERSIONS = "config", "files", "versions"


def find_fingerprint(config: Config, code_path: Path | None = None) -> dict[str, Any]:
    """Find out what a training depends on.

    config (Config): The config, overrides included.
    code_path (Optional[Path]): A file with code that the config uses.
    RETURNS (dict[str, Any]): Plain data: settings, digests of files, and versions.
    """
    settings = dict(_flatten(config.interpolate()))
    named = [
        value
        for name, value in settings.items()
        if name.startswith(_SECTIONS) and not name.endswith(_WRITTEN)
    ]
    paths = {Path(value) for value in named if isinstance(value, str) and value}
    files = [*sorted(paths), *([code_path] if code_path else [])]
    digests = {str(path): _digest(path) for path in files if _exists(path)}
    versions = {"spacy": spacy.__version__, "spacy_perceptron": __version__}
    found = {CONFIG: settings, FILES: digests, VERSIONS: versions}
    # As it is read from a file.
    return json.loads(json.dumps(found))


def check_fingerprint(saved: Mapping[str, Any], given: Mapping[str, Any], folder: Path) -> None:
    """Raise ValueError if a training depends on something else than a checkpoint did.

    saved, given (Mapping[str, Any]): What each depends on.
    folder (Path): Where the checkpoint is.
    """
    found = []
    for part in (CONFIG, FILES, VERSIONS):
        one, other = saved.get(part, {}), given[part]
        for name in sorted({*one, *other}):
            if name not in other or name not in one or one[name] != other[name]:
                found.append(_describe(part, name, one, other))
    if found:
        more = len(found) - MOST_NAMED
        named = "; ".join(found[:MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
        raise ValueError(Errors.TRAIN_CHANGED.format(folder=folder, differences=named))


def _describe(part: str, name: str, saved: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    if part == FILES:
        return f"the file {name} has changed"
    values = [repr(values[name]) if name in values else "nothing" for values in (saved, given)]
    return f"{name} was {values[0]} and is {values[1]}"


def _flatten(config: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            found += _flatten(value, f"{prefix}{name}.")
        else:
            found.append((prefix + name, value))
    return found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # A text too long for a name.
        return False


def _digest(path: Path) -> str:
    """RETURNS (str): A digest of a file, or of all files below a folder."""
    digest = hashlib.sha256()
    files = [path]
    if path.is_dir():
        # A corpus, or a pipeline.
        files = sorted(path.rglob("*.spacy")) or sorted(x for x in path.rglob("*") if x.is_file())
    for file_path in files:
        digest.update(str(file_path.relative_to(path)).encode("utf8"))
        with file_path.open("rb") as file:
            while block := file.read(BLOCK):
                digest.update(block)
    return digest.hexdigest()
