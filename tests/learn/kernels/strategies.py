"""Random small structures, kernels and training sets, for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from spacy_perceptron.learn.kernels.settings import KINDS, KernelSettings

# Values of the decay and of base scores that floating point holds exactly: ties stay ties.
EXACT_DECAYS = (0.25, 0.5, 1.0)
BASE_SCORES = st.integers(-3, 3).map(lambda n: n / 2)


@st.composite
def kernel_settings(draw: st.DrawFn, *, normalize: bool | None = None) -> KernelSettings:
    kind = draw(st.sampled_from(KINDS))
    return KernelSettings(
        kind,
        decay=draw(st.sampled_from(EXACT_DECAYS)),
        base_weight=draw(st.sampled_from([0.0, 0.5])),
        normalize=draw(st.booleans()) if normalize is None else normalize,
        max_length=0 if kind == "subset_tree" else draw(st.integers(0, 3)),
    )


def trees() -> st.SearchStrategy[Any]:
    """Trees with few labels, so that they share fragments; words and labels may look alike."""
    words = st.tuples(st.integers(1, 3), st.just([]))

    def phrases(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.tuples(st.integers(1, 3), st.lists(children, min_size=1, max_size=2))

    whole = st.recursive(phrases(words), phrases, max_leaves=5)
    return whole | st.just(()) | words


def sequences() -> st.SearchStrategy[Any]:
    word = st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(1, 2))
    return st.lists(word, max_size=4)


def structures(settings: KernelSettings) -> st.SearchStrategy[Any]:
    return trees() if settings.kind == "subset_tree" else sequences()


@st.composite
def candidate_lists(draw: st.DrawFn, settings: KernelSettings) -> tuple[list[Any], list[float]]:
    candidates = draw(st.lists(structures(settings), min_size=1, max_size=4))
    n = len(candidates)
    return candidates, draw(st.lists(BASE_SCORES, min_size=n, max_size=n))


@st.composite
def training_sets(draw: st.DrawFn, settings: KernelSettings) -> list[Any]:
    """Lists of candidates, base scores, target."""
    lists = draw(st.lists(candidate_lists(settings), min_size=1, max_size=6))
    return [(c, b, draw(st.integers(0, len(c) - 1))) for c, b in lists]
