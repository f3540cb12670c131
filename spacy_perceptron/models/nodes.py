"""What a thinc model consists of."""

from thinc.api import Model


def node_names(model: Model) -> str:
    """The names in a model, which loading takes from the file whatever they are.

    model (Model): A model.
    RETURNS (str): Its nodes with their parameters and attributes.
    """
    return ", ".join(
        f"{node.name} ({' '.join(sorted([*node.param_names, *node.attrs]))})"
        for node in model.walk()
    )
