"""The seal of a saved model: checksums of all that a component writes, and what its weights were
made with.

A model file is the msgpack map that thinc writes with one more entry in front, which thinc itself,
and versions of this package without seals, pass over:

    85              a map of five entries
    a4 "seal"       the first key
    c5 and 2 bytes  how long the seal is
    JSON            `Seal`, without its checksum
    4 bytes         the CRC-32 of this JSON
    ...             thinc's four entries

A file without a seal comes from a version before 0.4.0. CRC-32 finds every change that spans
32 bits or less, and misses one in four billion of others. It is for accidents, not for attacks.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import Errors

FORMAT = 1
# The first byte of thinc's map, and all that comes before the length of a seal.
PLAIN = b"\x84"
SEALED = b"\x85\xa4seal\xc5"
_LENGTH = struct.Struct(">H")
_CHECKSUM = struct.Struct(">I")
_START = len(SEALED) + _LENGTH.size


class RefusedError(ValueError):
    """Files are whole but can't be used here. The message says what to do."""


@dataclass(frozen=True, kw_only=True)
class Seal:
    """What is known of the files of a component.

    model (int): Checksum of thinc's entries.
    cfg (Optional[int]): Checksum of the file `cfg`; None if it was not saved.
    made_with (dict): Settings that say what the weights mean.
    together (Optional[dict]): The components before this one in the same save of a pipeline, and
        their identities; None for a component that was saved alone.
    format (int): The version of this format.
    """

    model: int
    cfg: int | None
    made_with: dict[str, Any]
    together: dict[str, str] | None
    format: int = FORMAT

    @property
    def identity(self) -> str:
        """RETURNS (str): Tells what is saved here from what other components save."""
        return f"{self.model:08x}" if self.cfg is None else f"{self.model:08x}{self.cfg:08x}"

    def has_cfg(self, data: bytes) -> bool:
        """RETURNS (bool): Whether these are the bytes of the file `cfg`."""
        return self.cfg is None or self.cfg == zlib.crc32(data)

    def check_settings(self, given: Mapping[str, Any]) -> None:
        """Refuse weights that were made with other settings.

        given (Mapping[str, Any]): The settings of the component, as `made_with` has them.
        """
        for name, saved in self.made_with.items():
            if name in given and given[name] != saved:
                # As configs write them.
                saved, other = json.dumps(saved), json.dumps(given[name])
                raise RefusedError(Errors.MODEL_SETTING.format(name=name, saved=saved, given=other))


def seal_model(
    data: bytes, *, cfg: bytes | None, made_with: dict[str, Any], together: dict[str, str] | None
) -> bytes:
    """Put a seal on a model.

    data (bytes): What thinc wrote.
    cfg (Optional[bytes]): The file `cfg` that goes with it.
    made_with (dict): As in `Seal`.
    together (Optional[dict]): As in `Seal`.
    RETURNS (bytes): The model file.
    """
    assert data[:1] == PLAIN
    entries = memoryview(data)[1:]
    seal = Seal(
        model=zlib.crc32(entries),
        cfg=None if cfg is None else zlib.crc32(cfg),
        made_with=made_with,
        together=together,
    )
    text = json.dumps(asdict(seal), sort_keys=True).encode("utf8")
    length = _LENGTH.pack(len(text) + _CHECKSUM.size)
    return b"".join([SEALED, length, text, _CHECKSUM.pack(zlib.crc32(text)), entries])


def check_seal(data: bytes) -> Seal | None:
    """Check a model file against its seal.

    data (bytes): The file.
    RETURNS (Optional[Seal]): The seal; None if the file was written without one.
    """
    if data[:1] == PLAIN:
        return None
    seal, end = _read_seal(data)
    if zlib.crc32(memoryview(data)[end:]) != seal.model:
        raise ValueError(Errors.MODEL_CHECKSUM)
    return seal


def peek_seal(path: Path) -> Seal | None:
    """The seal of a model file, without reading the model.

    path (Path): The file.
    RETURNS (Optional[Seal]): The seal; None if there is no file, or none with a whole seal.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_START)
            return _read_seal(start + file.read(_seal_length(start)))[0]
    except (OSError, ValueError):
        return None


def _seal_length(start: bytes) -> int:
    if start[: len(SEALED)] != SEALED or len(start) < _START:
        raise ValueError(Errors.MODEL_NO_SEAL)
    return int(_LENGTH.unpack_from(start, len(SEALED))[0])


def _read_seal(data: bytes) -> tuple[Seal, int]:
    """A seal and where it ends."""
    end = _START + _seal_length(data)
    text, checksum = data[_START : end - _CHECKSUM.size], data[end - _CHECKSUM.size : end]
    if checksum != _CHECKSUM.pack(zlib.crc32(text)):
        raise ValueError(Errors.MODEL_CHECKSUM)
    found = json.loads(text)
    if found["format"] > FORMAT:
        raise RefusedError(Errors.MODEL_FORMAT.format(found=found["format"], known=FORMAT))
    return Seal(**{field.name: found[field.name] for field in fields(Seal)}), end
