"""Damage to saved files, and files as older versions wrote them."""

import os
import random
from pathlib import Path

from spacy_perceptron.models.seal import PLAIN, check_seal

# How many times each of the two files of a component gets each kind of damage;
# `SPACY_PERCEPTRON_FLIPS=500` for 2,000 times in all.
N_FLIPS = int(os.environ.get("SPACY_PERCEPTRON_FLIPS", "15"))


def unseal(path: Path) -> None:
    """Write a model file as versions without seals did."""
    path.write_bytes(unsealed(path.read_bytes()))


def unsealed(data: bytes) -> bytes:
    """RETURNS (bytes): What thinc wrote."""
    assert check_seal(data) is not None
    # 7 bytes, 2 with the length of what follows, and that.
    return PLAIN + data[9 + int.from_bytes(data[7:9], "big") :]


def flip_bit(data: bytes, rng: random.Random) -> bytes:
    """RETURNS (bytes): The same with one other bit."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def overwrite(data: bytes, rng: random.Random) -> bytes:
    """RETURNS (bytes): The same with two other bytes beside each other."""
    place = rng.randrange(len(data) - 1)
    changed = data
    while changed == data:
        changed = data[:place] + rng.randbytes(2) + data[place + 2 :]
    return changed


DAMAGES = [flip_bit, overwrite]
