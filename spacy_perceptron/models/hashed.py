"""Hashed weights in a thinc model.

The parameter `weights` holds the averaged weights that are not zero, as float16.
They are divided by 2 ** exponent, so that the largest lies between 2 ** 14 and 2 ** 15. No weight
is too large for float16, and however small the learner's steps were, a weight keeps 11 significant
bits down to 2 ** -28 of the largest.

The attribute `indices` gives their positions in the table, in the shorter of two forms. If at least
an eighth of the table is used, it has one bit per weight of the table. Otherwise it has one byte
per gap between two used weights, preceded by a 0 for every 255 that the gap is longer. A weight
takes 2.2 to 3.5 bytes on disk; with full indices it would take 6. Exactly this is written to disk,
so a loaded model gives the same scores as the saved one.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from thinc.api import Model, NumpyOps
from thinc.types import Floats1d

from ..errors import Errors
from ..learn.hashed import (
    BITS,
    HashedWeights,
    SavedHashedWeights,
    bit_indices,
    check_weights,
)
from ..values import Values
from .linear import MIN_WEIGHT, FeatureIds

N_BITS = Values(int, at_least=BITS[0], at_most=BITS[-1])
LARGEST_EXPONENT = 15
# Exponents that float32 weights can need and for which both powers of two are float32 numbers.
EXPONENTS = range(-126, 114)


def HashedModel(  # noqa: N802
    n_bits: int = 22, min_weight: float = 0.0
) -> Model[FeatureIds, np.ndarray]:
    """Make an empty hashed model.

    n_bits (int): The table has 2 ** n_bits weights; 10 to 28.
    min_weight (float): Averaged weights smaller than this are not kept.
    RETURNS (Model): Lists of feature ids -> one score per list.
    """
    N_BITS.check("n_bits", n_bits)
    MIN_WEIGHT.check("min_weight", min_weight)
    return Model(
        "hashed_linear",
        hashed_forward,
        params={"weights": None},
        attrs={
            "n_bits": n_bits,
            "min_weight": min_weight,
            "exponent": 0,
            "indices": np.zeros(0, np.uint8),
        },
        ops=NumpyOps(),
    )


def hashed_forward(
    model: Model[FeatureIds, np.ndarray], features: FeatureIds, is_train: bool
) -> tuple[np.ndarray, Callable[[np.ndarray], FeatureIds]]:
    """Scores of feature lists. Training does not use backpropagation."""

    def backprop(gradient: np.ndarray) -> FeatureIds:
        raise ValueError(Errors.NO_BACKPROP)

    table = hashed_table(model)
    return np.array([table.scores(ids) for ids in features], dtype=np.float32), backprop


def hashed_table(
    model: Model, *, trainable: bool = False, adaptive: bool = False, compact: bool = False
) -> HashedWeights:
    """Build the look-up table of the weights.

    model (Model): A hashed model with weights.
    trainable (bool): Whether the table can be updated.
    adaptive (bool): Whether steps get smaller the more a weight has moved.
    compact (bool): Whether to round weights to 16 bits, for faster predictions.
    RETURNS (HashedWeights): The table.
    """
    return HashedWeights.from_arrays(
        model.attrs["n_bits"],
        **saved_hashed_weights(model),
        trainable=trainable,
        adaptive=adaptive,
        compact=compact,
    )


def check_hashed(model: Model) -> None:
    """Raise ValueError if the weights of a hashed model can't be used.

    model (Model): A hashed model with weights.
    """
    N_BITS.check("n_bits", model.attrs["n_bits"])
    MIN_WEIGHT.check("min_weight", model.attrs["min_weight"])
    check_weights(model.attrs["n_bits"], **saved_hashed_weights(model))


def saved_hashed_weights(model: Model) -> SavedHashedWeights:
    """The model's weights as arrays.

    model (Model): A hashed model with weights.
    RETURNS (SavedHashedWeights): The arrays.
    """
    values = cast(np.ndarray, model.get_param("weights"))
    n_bits, exponent = model.attrs["n_bits"], model.attrs["exponent"]
    is_sound = isinstance(exponent, int) and exponent in EXPONENTS
    if values.dtype != np.float16 or values.ndim != 1 or not is_sound:
        raise ValueError(Errors.TABLE_DAMAGED)
    indices = unpack_indices(model.attrs["indices"], len(values), n_bits)
    values = values.astype(np.float32)
    # Numbers that are not finite are refused with all others that can't be weights.
    with np.errstate(all="ignore"):
        values *= np.float32(2.0**exponent)
    return {"indices": indices, "values": values}


def set_hashed_weights(model: Model, weights: SavedHashedWeights) -> None:
    """Put weights into the model, rounded to float16 and without those that round to 0.

    model (Model): A hashed model.
    weights (SavedHashedWeights): The weights.
    """
    indices, values = weights["indices"], weights["values"]
    largest = float(np.abs(values).max(initial=0.0))
    if not np.isfinite(largest):
        raise ValueError(Errors.WEIGHTS_NOT_FINITE)
    # The exponent after rounding, so that rounding the same weights again changes nothing.
    fraction, exponent = np.frexp(largest)
    exponent += int(np.frexp(np.float16(fraction))[1]) - LARGEST_EXPONENT
    exponent = int(np.clip(exponent, EXPONENTS[0], EXPONENTS[-1]))
    rounded = (values * np.float32(2.0**-exponent)).astype(np.float16)
    keep = rounded != 0
    if not keep.all():
        indices, rounded = indices[keep], rounded[keep]
    model.attrs["exponent"] = exponent
    model.attrs["indices"] = pack_indices(indices, model.attrs["n_bits"])
    model.set_param("weights", cast(Floats1d, rounded))


def _as_bits(n_indices: int, n_bits: int) -> bool:
    return 8 * n_indices >= 1 << n_bits


def pack_indices(indices: np.ndarray, n_bits: int) -> np.ndarray:
    """Pack ascending indices.

    indices (uint32 array): The indices.
    n_bits (int): They are below 2 ** n_bits.
    RETURNS (uint8 array): The packed form.
    """
    if _as_bits(len(indices), n_bits):
        used = np.zeros(1 << n_bits, bool)
        used[indices] = True
        return np.packbits(used)
    # Counted from just before the table, gaps are at least 1: skips of 255, then 1 to 255.
    gaps = np.diff(indices.astype(np.int64), prepend=-1)
    skips = (gaps - 1) // 255
    ends = np.cumsum(skips + 1)
    packed = np.zeros(ends[-1] if len(ends) else 0, np.uint8)
    packed[ends - 1] = gaps - 255 * skips
    return packed


def unpack_indices(packed: np.ndarray, n_indices: int, n_bits: int) -> np.ndarray:
    """Unpack indices.

    packed (uint8 array): The packed form.
    n_indices (int): How many there are.
    n_bits (int): They are below 2 ** n_bits.
    RETURNS (uint32 array): The indices.
    """
    as_bits = _as_bits(n_indices, n_bits)
    is_array = isinstance(packed, np.ndarray) and packed.dtype == np.uint8 and packed.ndim == 1
    if not is_array or (as_bits and len(packed) != (1 << n_bits) // 8):
        raise ValueError(Errors.TABLE_DAMAGED)
    if as_bits:
        indices = bit_indices(packed)
    else:
        steps = np.where(packed == 0, np.uint8(255), packed)
        indices = np.cumsum(steps, dtype=np.uint32)[packed != 0] - np.uint32(1)
    if len(indices) != n_indices:
        raise ValueError(Errors.TABLE_DAMAGED)
    return indices
