"""What a component knows at a moment, to go back to.

Arrays of weights are replaced as a whole and never changed in place, so a memento refers to them.
The settings found in training are changed in place, and copied.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from thinc.api import Model

from ...errors import Errors
from ...models.nodes import node_names


@dataclass(frozen=True)
class Memento:
    """What `StructuredPipe.remember` returns.

    architecture (str): The nodes of the model.
    params, attrs (list[dict[str, Any]]): Parameters and attributes of each node.
    cfg (dict[str, Any]): The saved settings.
    """

    architecture: str
    params: list[dict[str, Any]]
    attrs: list[dict[str, Any]]
    cfg: dict[str, Any]


def take_memento(model: Model, cfg: dict[str, Any]) -> Memento:
    """RETURNS (Memento): What a model and settings are now."""
    nodes = [*model.walk()]
    params = [
        {name: node.get_param(name) if node.has_param(name) else None for name in node.param_names}
        for node in nodes
    ]
    attrs = [dict(node.attrs) for node in nodes]
    return Memento(node_names(model), params, attrs, deepcopy(cfg))


def recall(memento: Memento, model: Model, cfg: dict[str, Any], *, name: str) -> None:
    """Let a model and settings be again what they were.

    memento (Memento): What they were.
    model (Model): The model; changed in place.
    cfg (dict[str, Any]): The settings; changed in place.
    name (str): The component they belong to.
    """
    if node_names(model) != memento.architecture:
        raise ValueError(Errors.MEMENTO_OTHER.format(name=name))
    for node, params, attrs in zip(model.walk(), memento.params, memento.attrs, strict=True):
        for key, value in params.items():
            node.set_param(key, value)
        node.attrs.clear()
        node.attrs.update(attrs)
    cfg.clear()
    cfg.update(deepcopy(memento.cfg))
