"""The thinc models of dependency parsers: hashed weights for the parts of trees or the actions that
build them, rows of class weights for the labels of arcs, and in some hashed weights for a pruner.
"""

from collections.abc import Callable
from itertools import zip_longest

import numpy as np
from thinc.api import Model, NumpyOps

from ..errors import Errors
from ..learn.parser_weights import ParserTables, SavedParserWeights, no_weights
from .hashed import (
    N_BITS,
    HashedModel,
    check_hashed,
    hashed_table,
    saved_hashed_weights,
    set_hashed_weights,
)
from .linear import (
    FeatureIds,
    LinearModel,
    check_linear,
    saved_weights,
    set_weights,
    weight_table,
)

# The names of a parser model's parts, in the order of its layers.
PARTS = ("parts", "labels", "pruner")
ParserFeatures = tuple[FeatureIds, FeatureIds]
ParserScores = tuple[np.ndarray, np.ndarray]


def ParserModel(  # noqa: N802
    n_bits: int = 22, pruner_bits: int = 18, min_weight: float = 0.0
) -> Model[ParserFeatures, ParserScores]:
    """Make an empty parser model, with layers for parts of trees, for labels and for pruning.

    n_bits (int): The table of parts has 2 ** n_bits weights; 10 to 28. 22 bits take 8 MB.
    pruner_bits (int): The same for the pruner's table.
    min_weight (float): Averaged weights of parts and labels smaller than this are not kept. Larger
        values make smaller models.
    RETURNS (Model): Feature ids of parts, feature ids of arcs to label -> a score for each part, a
        row of label scores for each arc.
    """
    N_BITS.check("pruner_bits", pruner_bits)
    parts, labels = HashedModel(n_bits, min_weight), LinearModel(min_weight)
    pruner = HashedModel(pruner_bits)
    return Model(
        "parser",
        parser_forward,
        layers=[parts, labels, pruner],
        refs={"parts": parts, "labels": labels, "pruner": pruner},
        ops=NumpyOps(),
    )


def EasyFirstModel(  # noqa: N802
    n_bits: int = 22, min_weight: float = 0.0
) -> Model[ParserFeatures, ParserScores]:
    """Make an empty model of a parser without a pruner, with layers for actions and for labels.

    n_bits (int): The table of actions has 2 ** n_bits weights; 10 to 28. 22 bits take 8 MB.
    min_weight (float): Averaged weights smaller than this are not kept. Larger values make smaller
        models.
    RETURNS (Model): Feature ids of actions, feature ids of arcs to label -> a score for each
        action, a row of label scores for each arc.
    """
    parts, labels = HashedModel(n_bits, min_weight), LinearModel(min_weight)
    return Model(
        "easy_first_parser",
        parser_forward,
        layers=[parts, labels],
        refs={"parts": parts, "labels": labels, "pruner": None},
        ops=NumpyOps(),
    )


def parser_forward(
    model: Model[ParserFeatures, ParserScores], features: ParserFeatures, is_train: bool
) -> tuple[ParserScores, Callable[[ParserScores], ParserFeatures]]:
    """Scores of parts and labels. Training does not use backpropagation."""

    def backprop(gradient: ParserScores) -> ParserFeatures:
        raise ValueError(Errors.NO_BACKPROP)

    parts, labels = get_part(model, "parts"), get_part(model, "labels")
    return (parts.predict(features[0]), labels.predict(features[1])), backprop


def find_part(model: Model, name: str) -> Model | None:
    """One of the models that a parser model is made of.

    model (Model): A parser model.
    name (str): `parts`, `labels` or `pruner`.
    RETURNS (Optional[Model]): The part; None for the pruner of a model without one.
    """
    if name not in model.ref_names:
        # A copy: thinc copies layers, but not refs.
        for ref, layer in zip_longest(PARTS, model.layers):
            model.set_ref(ref, layer)
    return model.maybe_get_ref(name)


def get_part(model: Model, name: str) -> Model:
    """RETURNS (Model): A part that every parser model has: `parts` or `labels`."""
    part = find_part(model, name)
    assert part is not None
    return part


def has_weights(model: Model) -> bool:
    """RETURNS (bool): Whether a parser model has been initialized."""
    return all(layer.has_param("weights") for layer in model.layers)


def parser_tables(model: Model, *, trainable: bool = False) -> ParserTables:
    """Build the look-up tables of the weights.

    model (Model): A parser model with weights.
    trainable (bool): Whether the tables can be updated. If not, hashed weights have 16 bits.
    RETURNS (ParserTables): The tables.
    """
    pruner = find_part(model, "pruner")
    how = {"trainable": trainable, "compact": not trainable}
    return ParserTables(
        hashed_table(get_part(model, "parts"), **how),
        weight_table(get_part(model, "labels"), trainable=trainable),
        None if pruner is None else hashed_table(pruner, **how),
    )


def check_parser(model: Model) -> None:
    """Raise ValueError if loaded weights can't be used.

    model (Model): A parser model with weights.
    """
    for name, layer in zip_longest(PARTS, model.layers):
        if find_part(model, name) is not layer:
            raise ValueError(Errors.TABLE_DAMAGED)
    check_hashed(get_part(model, "parts"))
    check_linear(get_part(model, "labels"))
    pruner = find_part(model, "pruner")
    if pruner is not None:
        check_hashed(pruner)


def table_bits(model: Model) -> tuple[int, int | None]:
    """The sizes of a parser model's hashed tables.

    model (Model): A parser model.
    RETURNS (tuple[int, Optional[int]]): The bits of parts and, if there is one, of the pruner.
    """
    pruner = find_part(model, "pruner")
    return (
        get_part(model, "parts").attrs["n_bits"],
        None if pruner is None else pruner.attrs["n_bits"],
    )


def saved_parser_weights(model: Model) -> SavedParserWeights:
    """All weights of a parser model as arrays.

    model (Model): A parser model with weights.
    RETURNS (SavedParserWeights): The arrays.
    """
    pruner = find_part(model, "pruner")
    return {
        "parts": saved_hashed_weights(get_part(model, "parts")),
        "labels": saved_weights(get_part(model, "labels")),
        "pruner": None if pruner is None else saved_hashed_weights(pruner),
    }


def set_parser_weights(model: Model, n_labels: int, weights: SavedParserWeights) -> None:
    """Put weights into all layers of a parser model.

    model (Model): A parser model.
    n_labels (int): Number of labels.
    weights (SavedParserWeights): The weights; a model without a pruner ignores a pruner's.
    """
    set_hashed_weights(get_part(model, "parts"), weights["parts"])
    set_weights(get_part(model, "labels"), n_labels, weights["labels"])
    pruner = find_part(model, "pruner")
    if pruner is not None:
        set_hashed_weights(pruner, weights["pruner"] or no_weights())
