"""The weights of a span parser and of its pruner in one thinc model."""

from collections.abc import Callable

import numpy as np
from thinc.api import Model, NumpyOps

from ..errors import Errors
from .hashed import N_BITS, HashedModel, check_hashed
from .linear import FeatureIds

# The names of the model's parts, in the order of its layers. Not all models have the last one.
PARTS = ("spans", "pruner", "flat")


def MaxMarginModel(  # noqa: N802
    n_bits: int = 24, pruner_bits: int = 22, min_weight: float = 0.0, flat_bits: int = 0
) -> Model[FeatureIds, np.ndarray]:
    """Make an empty model of a span parser, with layers for trees and for pruning.

    n_bits (int): The table of the parser has 2 ** n_bits weights; 10 to 28. 24 bits take 32 MB.
    pruner_bits (int): The same for the pruner's table.
    min_weight (float): Weights of the parser smaller than this are not kept. Larger values make
        smaller models.
    flat_bits (int): The same as `n_bits` for the flat classifier of spans, whose answers templates
        such as those of `spacy_perceptron.span_auxiliary.v1` ask for; 0: there is none.
    RETURNS (Model): Lists of the parser's feature ids -> one score per list.
    """
    N_BITS.check("pruner_bits", pruner_bits)
    layers = [HashedModel(n_bits, min_weight), HashedModel(pruner_bits)]
    if flat_bits:
        N_BITS.check("flat_bits", flat_bits)
        layers.append(HashedModel(flat_bits))
    return Model(
        "max_margin",
        max_margin_forward,
        layers=layers,
        refs=dict(zip(PARTS, layers, strict=False)),
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
    name (str): `spans`, `pruner` or `flat`.
    RETURNS (Model): A hashed model.
    """
    if name not in model.ref_names:
        # A copy: thinc copies layers, but not refs.
        for ref, layer in zip(PARTS, model.layers, strict=False):
            model.set_ref(ref, layer)
    return model.get_ref(name)


def is_max_margin(model: Model) -> bool:
    """RETURNS (bool): Whether a model has the parts of a span parser's, and no others."""
    n_parts = len(model.layers)
    return n_parts in (2, len(PARTS)) and all("n_bits" in x.attrs for x in model.layers)


def has_flat(model: Model) -> bool:
    """RETURNS (bool): Whether the model of a span parser has a flat classifier."""
    return len(model.layers) == len(PARTS)


def check_max_margin(model: Model) -> None:
    """Raise ValueError if loaded weights can't be used.

    model (Model): The model of a span parser, with weights.
    """
    for name, layer in zip(PARTS, model.layers, strict=False):
        if get_table(model, name) is not layer:
            raise ValueError(Errors.TABLE_DAMAGED)
        check_hashed(layer)
