"""The components that a component was saved with, and the files that belong to its model.

spaCy saves a pipeline component by component. A kill in between leaves some of a new pipeline
beside some of an old one. Each component therefore notes the checksums of the components before it,
which have just been written to the same folder. When it is loaded, they must still be the same. The
notes follow from what is saved and from nothing else: the same pipeline gives the same files.
"""

from collections.abc import Sequence
from pathlib import Path

import srsly

from ...errors import Errors
from ...files import unfinished_path
from ...models.seal import RefusedError, Seal, peek_seal

CFG = "cfg"
VOCAB = "vocab"
MODEL = "model"


def read_cfg(folder: Path) -> list[bytes]:
    """What the file `cfg` may be.

    folder (Path): The folder of a component.
    RETURNS (list[bytes]): The file itself, and the one left by a save that was killed before its
        last rename.
    """
    path = folder / CFG
    return [p.read_bytes() for p in (path, unfinished_path(path)) if p.exists()]


def choose_cfg(seal: Seal | None, found: Sequence[bytes]) -> bytes | None:
    """Find the `cfg` that belongs to a model.

    seal (Optional[Seal]): The model's seal, if it has one.
    found (Sequence[bytes]): What may be it.
    RETURNS (Optional[bytes]): The first that belongs to it; None if there is nothing to find.
    """
    if seal is None or seal.cfg is None:
        return found[0] if found else None
    for data in found:
        if seal.has_cfg(data):
            return data
    raise ValueError(Errors.MODEL_CFG)


def find_company(folder: Path) -> dict[str, Seal] | None:
    """The sealed components that come before one in its pipeline, as they are on disk.

    folder (Path): The folder of the component.
    RETURNS (Optional[dict]): Their seals by name; None if this is no part of a pipeline.
    """
    names = _component_names(folder.parent)
    if folder.name not in names:
        return None
    before = names[: names.index(folder.name)]
    seals = {name: peek_seal(folder.parent / name / MODEL) for name in before}
    return {name: seal for name, seal in seals.items() if seal is not None}


def check_company(folder: Path, seal: Seal | None) -> None:
    """Refuse a component that stands beside others than those it was saved with. Others that were
    saved alone are welcome: this is how one component of a pipeline is replaced.

    folder (Path): The folder of the component.
    seal (Optional[Seal]): The seal of its model, if it has one.
    """
    known: dict[str, str] = {}
    if seal is None:
        # Versions without seals leave no component beside sealed ones, before or after it.
        names = _component_names(folder.parent)
    elif seal.together is None:
        return
    else:
        known = seal.together
        names = [*{**known, **(find_company(folder) or {})}]
    for name in names:
        other = peek_seal(folder.parent / name / MODEL)
        if other is None or other.together is None:
            continue
        if other.identity != known.get(name):
            raise RefusedError(Errors.MODEL_MIXED.format(other=name))


def _component_names(folder: Path) -> list[str]:
    """The components of a pipeline in their order, by what spaCy writes before it saves them."""
    try:
        return [*srsly.read_json(folder / "meta.json")["components"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
