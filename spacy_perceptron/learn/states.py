"""The state of a learner as plain arrays: all that it takes to go on with training exactly.

A state is flat; slashes in names say what belongs together. A weight table named T is `T/keys`,
`T/lengths`, `T/labels`, `T/values`, `T/totals` and, with adaptive steps, `T/squares`; a hashed one
is `T/indices`, `T/values`, `T/totals` and `T/squares`. No other name ends in `/keys` or `/indices`.
"""

import json
import random
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..errors import Errors

LearnerState = dict[str, np.ndarray]

# The bytes of a digest that stands for a sentence.
DIGEST_SIZE = 8
# The words of the Mersenne Twister, and the place in them.
_RANDOM_SIZE = 625
_VERSION = 3


def put_under(name: str, state: Mapping[str, np.ndarray]) -> LearnerState:
    """RETURNS (LearnerState): A state as a part of another one."""
    return {f"{name}/{key}": array for key, array in state.items()}


def part_of(state: Mapping[str, np.ndarray], name: str) -> LearnerState:
    """RETURNS (LearnerState): The part of a state with this name."""
    start = f"{name}/"
    return {key.removeprefix(start): x for key, x in state.items() if key.startswith(start)}


def read_numbers(
    state: Mapping[str, np.ndarray], name: str, dtype: DTypeLike, *, n: int | None = None
) -> np.ndarray:
    """Take a list of numbers from a state. Raises ValueError if it is something else: no number is
    converted, so that none can become another one.

    state (Mapping): The state.
    name (str): The name of the array.
    dtype (DTypeLike): Its type.
    n (Optional[int]): Its length; None for any.
    RETURNS (np.ndarray): The array.
    """
    array = state.get(name)
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype != np.dtype(dtype):
        raise ValueError(Errors.STATE_ARRAY.format(name=name, dtype=np.dtype(dtype)))
    if n is not None and len(array) != n:
        raise ValueError(Errors.STATE_LENGTH.format(name=name, found=len(array), n=n))
    return np.ascontiguousarray(array)


def read_number(state: Mapping[str, np.ndarray], name: str, dtype: DTypeLike = np.int64) -> int:
    """Take a count from a state.

    state (Mapping): The state.
    name (str): The name of an array without dimensions.
    dtype (DTypeLike): Its type.
    RETURNS (int): The count, at least 0.
    """
    array = state.get(name)
    if not isinstance(array, np.ndarray) or array.ndim or array.dtype != np.dtype(dtype):
        raise ValueError(Errors.STATE_NUMBER.format(name=name, dtype=np.dtype(dtype)))
    if array < 0:
        raise ValueError(Errors.STATE_NEGATIVE.format(name=name, value=int(array)))
    return int(array)


def read_sums(
    state: Mapping[str, np.ndarray], n: int, *, adaptive: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Take the running sums of a weight table from its state.

    state (Mapping): The state.
    n (int): The number of weights.
    adaptive (bool): Whether steps get smaller the more a weight has moved.
    RETURNS (tuple[np.ndarray, np.ndarray]): Totals, and squares; none without `adaptive`.
    """
    if adaptive != ("squares" in state):
        raise ValueError(Errors.STATE_ADAPTIVE.format(given=str(adaptive).lower()))
    totals = read_numbers(state, "totals", np.float64, n=n)
    squares = np.zeros(0, np.float32)
    if adaptive:
        squares = read_numbers(state, "squares", np.float32, n=n)
    # The square of a very large step can be infinite: its weight does not move any more.
    if not np.isfinite(totals).all() or not (squares >= 0).all():
        raise ValueError(Errors.TABLE_DAMAGED)
    return totals, squares


def random_state(source: random.Random) -> LearnerState:
    """RETURNS (LearnerState): The state of a source of random numbers, under `random`: whole
    numbers. What it keeps for `gauss` is left out."""
    return {"random": np.array(source.getstate()[1], np.int64)}


def restore_random(source: random.Random, state: Mapping[str, np.ndarray]) -> None:
    """Let a source of random numbers go on where another one was.

    source (random.Random): The source.
    state (Mapping): What `random_state` returned, among others.
    """
    numbers = read_numbers(state, "random", np.int64, n=_RANDOM_SIZE)
    words, place = numbers[:-1], int(numbers[-1])
    if words.min() < 0 or words.max() >> 32 or not words.any() or not 0 <= place < _RANDOM_SIZE:
        raise ValueError(Errors.STATE_RANDOM)
    source.setstate((_VERSION, tuple(numbers.tolist()), None))


def text_state(value: Any) -> np.ndarray:
    """RETURNS (uint8 array): Plain data as JSON."""
    return np.frombuffer(json.dumps(value).encode("utf8"), np.uint8)


def read_text(state: Mapping[str, np.ndarray], name: str) -> Any:
    """Take plain data from a state.

    state (Mapping): The state.
    name (str): The name of an array that `text_state` returned.
    RETURNS (Any): The data.
    """
    try:
        return json.loads(read_numbers(state, name, np.uint8).tobytes())
    except ValueError as error:
        raise ValueError(Errors.STATE_TEXT.format(name=name)) from error


def digest_state(digests: Iterable[bytes]) -> np.ndarray:
    """RETURNS (uint8 array): Digests of `DIGEST_SIZE` bytes, in order."""
    return np.frombuffer(b"".join(sorted(digests)), np.uint8)


def read_digests(state: Mapping[str, np.ndarray], name: str) -> set[bytes]:
    """RETURNS (set[bytes]): What `digest_state` has written under a name."""
    digests = read_numbers(state, name, np.uint8).tobytes()
    if len(digests) % DIGEST_SIZE:
        raise ValueError(Errors.STATE_SENTENCES)
    return {digests[i : i + DIGEST_SIZE] for i in range(0, len(digests), DIGEST_SIZE)}
