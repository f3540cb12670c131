"""What a kernel counts, and how much larger fragments count (Collins & Duffy 2002)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...errors import Errors
from .structures import Sequences, Structures, Trees

# The position of a kind is the number by which the compiled code knows it.
KINDS = ("subset_tree", "tagging", "smoothed_tagging")


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
        if self.kind not in KINDS:
            raise ValueError(Errors.KERNEL_KIND.format(kind=self.kind, known=", ".join(KINDS)))
        if not 0 < self.decay <= 1:
            raise ValueError(Errors.KERNEL_DECAY.format(value=self.decay))
        if not 0 <= self.base_weight < math.inf:
            raise ValueError(Errors.KERNEL_BASE_WEIGHT.format(value=self.base_weight))
        if self.max_length < 0 or (self.max_length and self.kind == "subset_tree"):
            raise ValueError(Errors.KERNEL_LENGTH.format(value=self.max_length, kind=self.kind))

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
