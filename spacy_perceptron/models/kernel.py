"""The thinc model behind the reranker: kernel perceptrons, each for a part of the corpus.

The attribute `chunks` holds the arrays of each perceptron's support candidates. The parameter
`n_examples` says how many examples each has seen; a model without it has not been trained.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
from thinc.api import Model, NumpyOps
from thinc.types import Floats1d

from ..errors import Errors
from ..learn.kernels.perceptron import BUDGET, COMBINE, KernelPerceptron
from ..learn.kernels.settings import KernelSettings
from ..values import Values

CHUNKS = Values(int, at_least=1, at_most=1000)


def KernelModel(  # noqa: N802
    kernel: str,
    decay: float,
    base_weight: float,
    normalize: bool = False,
    max_length: int = 0,
    combine: str = "averaged",
    chunks: int = 1,
    budget: int = 0,
) -> Model:
    """Make an empty model.

    kernel (str): `subset_tree` for trees; `tagging` or `smoothed_tagging` for tags and entities.
    decay (float): Factor by which each further part of a fragment scales it down: λ of the paper.
    base_weight (float): How much the base model's scores count: β of the paper.
    normalize (bool): Normalize the kernel by the sizes of what it compares.
    max_length (int): Tagging kernels: the longest fragment, in words; 0 for no limit.
    combine (str): How to combine the hypotheses of training: `averaged` (the sum of their scores),
        `voted` (each has one vote) or `final` (the last one alone).
    chunks (int): Number of perceptrons, each of which learns from its own part of the corpus.
    budget (int): Maximum number of mistakes that a perceptron keeps; 0 for no limit.
    RETURNS (Model): The model.
    """
    settings = KernelSettings(kernel, decay, base_weight, normalize, max_length)
    COMBINE.check("combine", combine)
    CHUNKS.check("chunks", chunks)
    BUDGET.check("budget", budget)
    return Model(
        "kernel_perceptron",
        _forward,
        params={"n_examples": None},
        attrs={
            "settings": {
                "kind": settings.kind,
                "decay": settings.decay,
                "base_weight": settings.base_weight,
                "normalize": settings.normalize,
                "max_length": settings.max_length,
            },
            "how": {"combine": combine, "budget": budget},
            "n_chunks": chunks,
            "chunks": [],
        },
        ops=NumpyOps(),
    )


def _forward(model: Model, candidates: object, is_train: bool) -> tuple:
    """Candidate lists go to the perceptrons themselves."""
    raise ValueError(Errors.NO_FORWARD.format(name=model.name))


def kernel_settings(model: Model) -> KernelSettings:
    """RETURNS (KernelSettings): The kernel of a model."""
    return KernelSettings(**model.attrs["settings"])


def make_perceptrons(model: Model) -> list[KernelPerceptron]:
    """The model's perceptrons, ready to predict and to learn more.

    model (Model): A kernel model.
    RETURNS (list[KernelPerceptron]): The perceptrons; new ones if the model is untrained.
    """
    settings, how = kernel_settings(model), model.attrs["how"]
    if not model.attrs["chunks"]:
        return [KernelPerceptron(settings, **how) for _ in range(model.attrs["n_chunks"])]
    return [
        KernelPerceptron.from_state(settings, dict(state), **how) for state in model.attrs["chunks"]
    ]


def check_kernel(model: Model) -> None:
    """Raise ValueError if the parts of a trained model do not fit each other. The perceptrons are
    checked when they are made.

    model (Model): A kernel model.
    """
    kernel_settings(model)
    CHUNKS.check("chunks", model.attrs["n_chunks"])
    n_chunks = len(model.attrs["chunks"])
    n_examples = cast(np.ndarray, model.get_param("n_examples"))
    if n_chunks != model.attrs["n_chunks"] or n_examples.shape != (n_chunks,):
        raise ValueError(Errors.KERNEL_STATE.format(why="perceptrons are missing"))


def store_perceptrons(model: Model, perceptrons: Sequence[KernelPerceptron]) -> None:
    """Store perceptrons in the model.

    model (Model): A kernel model.
    perceptrons (Sequence[KernelPerceptron]): The perceptrons.
    """
    model.attrs["chunks"] = [perceptron.state() for perceptron in perceptrons]
    n_examples = np.array([perceptron.n_examples for perceptron in perceptrons], np.float32)
    model.set_param("n_examples", cast(Floats1d, n_examples))
