"""The weights of a span parser and of its pruner in one thinc model."""

from collections.abc import Callable

import numpy as np
from thinc.api import Model, NumpyOps

from ..errors import Errors
from .hashed import N_BITS, HashedModel, check_hashed
from .linear import FeatureIds

# The names of the model's parts, in the order of its layers.
PARTS = ("spans", "pruner")


def MaxMarginModel(  # noqa: N802
    n_bits: int = 24, pruner_bits: int = 22, min_weight: float = 0.0
) -> Model[FeatureIds, np.ndarray]:
    """Make an empty model of a span parser, with layers for trees and for pruning.

    n_bits (int): The table of the parser has 2 ** n_bits weights; 10 to 28. 24 bits take 32 MB.
    pruner_bits (int): The same for the pruner's table.
    min_weight (float): Weights of the parser smaller than this are not kept. Larger values make
        smaller models.
    RETURNS (Model): Lists of the parser's feature ids -> one score per list.
    """
    N_BITS.check("pruner_bits", pruner_bits)
    spans, pruner = HashedModel(n_bits, min_weight), HashedModel(pruner_bits)
    return Model(
        "max_margin",
        max_margin_forward,
        layers=[spans, pruner],
        refs={"spans": spans, "pruner": pruner},
        ops=NumpyOps(),
    )


def max_margin_forward(
    model: Model[FeatureIds, np.ndarray], features: FeatureIds, is_train: bool
) -> tuple[np.ndarray, Callable[[np.ndarray], FeatureIds]]:
    """Scores of feature lists. Training does not use backpropagation."""

    def backprop(gradient: np.ndarray) -> FeatureIds:
        raise ValueError(Errors.NO_BACKPROP)

    return get_table(model, "spans").predict(features), backprop


def get_table(model: Model, name: str) -> Model:
    """One of the models that the model of a span parser is made of.

    model (Model): The model.
    name (str): `spans` or `pruner`.
    RETURNS (Model): A hashed model.
    """
    if name not in model.ref_names:
        # A copy: thinc copies layers, but not refs.
        for ref, layer in zip(PARTS, model.layers, strict=True):
            model.set_ref(ref, layer)
    return model.get_ref(name)


def is_max_margin(model: Model) -> bool:
    """RETURNS (bool): Whether a model has the parts of a span parser's, and no others."""
    return len(model.layers) == len(PARTS) and all("n_bits" in x.attrs for x in model.layers)


def check_max_margin(model: Model) -> None:
    """Raise ValueError if loaded weights can't be used.

    model (Model): The model of a span parser, with weights.
    """
    for name, layer in zip(PARTS, model.layers, strict=True):
        if get_table(model, name) is not layer:
            raise ValueError(Errors.TABLE_DAMAGED)
        check_hashed(layer)
