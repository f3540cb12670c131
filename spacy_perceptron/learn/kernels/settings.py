"""What a kernel counts, and how much larger fragments count (Collins & Duffy 2002)."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import Errors
from ...values import Values
from .structures import Sequences, Structures, Trees

# The position of a kind is the number by which the compiled code knows it.
KINDS = ("subset_tree", "tagging", "smoothed_tagging")
KIND = Values(str, choices=KINDS)
DECAY = Values(float, above=0, at_most=1)
BASE_WEIGHT = Values(float, at_least=0)
MAX_LENGTH = Values(int, at_least=0)


@dataclass(frozen=True)
class KernelSettings:
    """The settings of a kernel.

    kind (str): "subset_tree" compares trees by all fragments they share; "tagging" compares tagged
        sequences by all runs of tags with or without their words; "smoothed_tagging" also by the
        words' shapes.
    decay (float): Above 0, at most 1: a tree fragment of n productions counts decay ** n, a run of
        n tags decay ** (n - 1). λ in the paper.
    base_weight (float): How much the base model's score counts, 0 or more; β in the paper, where
        K'(x, y) = β L(x) L(y) + K(x, y).
    normalize (bool): Compare by K(x, y) / sqrt(K(x, x) K(y, y)), which is 0 for a structure without
        fragments. The base model's score is not normalized.
    max_length (int): The longest run of tags that counts; 0 for any length, as in the paper. Not
        for trees.
    """

    kind: str
    decay: float
    base_weight: float
    normalize: bool
    max_length: int = 0

    def __post_init__(self) -> None:
        KIND.check("kernel", self.kind)
        DECAY.check("decay", self.decay)
        BASE_WEIGHT.check("base_weight", self.base_weight)
        MAX_LENGTH.check("max_length", self.max_length)
        if self.max_length and self.kind == "subset_tree":
            raise ValueError(Errors.KERNEL_LENGTH.format(value=self.max_length))

    @property
    def number(self) -> int:
        """The number of the kind in compiled code."""
        return KINDS.index(self.kind)

    def check(self, structures: Structures) -> None:
        """Raise ValueError if these settings are about another sort of structures."""
        expected = Trees if self.kind == "subset_tree" else Sequences
        if not isinstance(structures, expected):
            raise ValueError(
                Errors.KERNEL_STRUCTURES.format(
                    kind=self.kind,
                    expected=expected.__name__,
                    given=type(structures).__name__,
                )
            )
