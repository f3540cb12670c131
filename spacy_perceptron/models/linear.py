"""The thinc model of taggers, recognizers and labels of arcs: a sparse linear layer.

Its parameter `weights` holds the averaged weights of hashed features, as float16; the attributes
`keys`, `lengths` and `labels` say which feature and class each of them belongs to. Exactly this
is written to disk, so a loaded model gives the same scores as the saved one.
"""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from thinc.api import Model, NumpyOps
from thinc.types import Floats1d

from ..errors import Errors
from ..learn.perceptron import SavedWeights
from ..learn.weights import WeightTable
from ..values import Values

FeatureIds = Sequence[np.ndarray]
MIN_WEIGHT = Values(float, at_least=0)


def LinearModel(min_weight: float = 0.0) -> Model[FeatureIds, np.ndarray]:  # noqa: N802
    """Make an empty linear model.

    min_weight (float): Averaged weights smaller than this are not kept. Larger values make smaller
        models.
    RETURNS (Model): Lists of feature ids -> one row of class scores per list.
    """
    MIN_WEIGHT.check("min_weight", min_weight)
    return Model(
        "linear",
        forward,
        params={"weights": None},
        attrs={
            "n_classes": 0,
            "min_weight": min_weight,
            "keys": np.zeros(0, np.uint64),
            "lengths": np.zeros(0, np.uint16),
            "labels": np.zeros(0, np.uint16),
        },
        ops=NumpyOps(),
    )


def add_refinement(model: Model) -> None:
    """Let a linear model have a second set of weights, those of a second step, as its only layer.
    Its attribute `n_labels` says how many labels they are for: they belong to parts of labels.

    model (Model): A linear model; changed in place.
    """
    if not model.layers:
        layer = LinearModel(model.attrs["min_weight"])
        layer.attrs["n_labels"] = 0
        model.layers.append(layer)


def refinement(model: Model) -> Model:
    """RETURNS (Model): The linear model of the second step."""
    return model.layers[0]


def forward(
    model: Model[FeatureIds, np.ndarray], features: FeatureIds, is_train: bool
) -> tuple[np.ndarray, Callable[[np.ndarray], FeatureIds]]:
    """Scores of feature lists. Training does not use backpropagation."""

    def backprop(gradient: np.ndarray) -> FeatureIds:
        raise ValueError(Errors.NO_BACKPROP)

    table = weight_table(model)
    scores = np.zeros((len(features), table.n_classes), dtype=np.float32)
    for row, ids in zip(scores, features, strict=True):
        row[:] = table.scores(ids)
    return scores, backprop


def weight_table(model: Model, *, trainable: bool = False) -> WeightTable:
    """Build the look-up table of the weights.

    model (Model): A linear model with weights.
    trainable (bool): Whether the table can be updated.
    RETURNS (WeightTable): The table.
    """
    return WeightTable.from_arrays(
        model.attrs["n_classes"], **saved_weights(model), trainable=trainable
    )


def check_linear(model: Model) -> None:
    """Raise ValueError if loaded weights can't be used.

    model (Model): A linear model with weights.
    """
    MIN_WEIGHT.check("min_weight", model.attrs["min_weight"])
    weight_table(model)


def saved_weights(model: Model) -> SavedWeights:
    """The model's weights as arrays.

    model (Model): A linear model with weights.
    RETURNS (SavedWeights): The arrays.
    """
    return {
        "keys": model.attrs["keys"],
        "lengths": model.attrs["lengths"],
        "labels": model.attrs["labels"],
        "values": cast(np.ndarray, model.get_param("weights")),
    }


def set_weights(model: Model, n_classes: int, weights: SavedWeights) -> None:
    """Put weights into the model, rounded to float16 and without those that round to 0.

    model (Model): A linear model.
    n_classes (int): Number of classes.
    weights (SavedWeights): The weights.
    """
    if np.isnan(weights["values"]).any():
        raise ValueError(Errors.WEIGHTS_NOT_FINITE)
    # Weights beyond the largest float16 would become infinite, and scores NaN.
    largest = float(np.finfo(np.float16).max)
    values = weights["values"].clip(-largest, largest).astype(np.float16)
    # Row lengths have the same type and go up to n_classes itself.
    labels = weights["labels"].astype(np.uint8 if n_classes <= 255 else np.uint16)
    lengths = weights["lengths"]
    keep = values != 0
    if not keep.all():
        owner = np.repeat(np.arange(len(lengths)), lengths)
        lengths = np.bincount(owner[keep], minlength=len(lengths))
        values, labels = values[keep], labels[keep]
    used = lengths > 0
    model.attrs["n_classes"] = n_classes
    model.attrs["keys"] = weights["keys"][used]
    model.attrs["lengths"] = lengths[used].astype(labels.dtype)
    model.attrs["labels"] = labels
    model.set_param("weights", cast(Floats1d, values))
