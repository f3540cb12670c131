"""Saved bytes as they come back from a bad disk, a broken download or a careless tool."""

import random


def damage(rng: random.Random, data: bytes) -> bytes:
    """Damage some bytes.

    rng (random.Random): Where chance comes from.
    data (bytes): The bytes.
    RETURNS (bytes): Others, as a rule: with bits turned over, bytes overwritten, left out or added,
        or the end cut off.
    """
    damaged = bytearray(data)
    place = rng.randrange(len(data))
    kind = rng.randrange(5)
    if kind == 0:
        for _ in range(rng.choice([1, 1, 1, 8])):
            damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:
        n_bytes = rng.choice([1, 2, 4, 64])
        damaged[place : place + n_bytes] = rng.randbytes(min(n_bytes, len(data) - place))
    elif kind == 2:
        # What numbers should never be: NaN, infinite, -1 and the largest ones.
        odd = rng.choice(
            [b"\x00\x00\xc0\x7f", b"\x00\x00\x80\x7f", b"\xff" * 4, b"\xff\xff\xff\x7f"]
        )
        damaged[place : place + 4] = odd[: len(data) - place]
    elif kind == 3:
        del damaged[place : place + rng.choice([1, 4, len(data)])]
    else:
        damaged[place:place] = rng.randbytes(rng.choice([1, 4, 64]))
    return bytes(damaged)
