"""The `kernel_reranker` factory, and what can be set of it."""

from dataclasses import dataclass

from ...values import WIDTH
from .._shared.factory import register_factory
from .._shared.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class RerankerSettings(Settings):
    """What can be set of a reranker."""

    factory = "kernel_reranker"

    base: str = setting(
        "parser",
        "name of the component whose answers to choose from; its setting `nbest` must be at least "
        "`k`",
    )
    k: int = setting(
        16, "number of answers to consider for each sentence", at_least=2, at_most=WIDTH.at_most
    )
    use_labels: bool = setting(True, "dependency trees: compare labels of arcs")
    use_words: bool = setting(False, "dependency trees: compare words, not only tags")
    coarse_tags: bool = setting(
        True,
        "dependency trees: compare coarse tags (`pos`, or the first two letters of `tag`) instead "
        "of fine ones",
    )
    typed: bool = setting(True, "entities: learn to get labels right, not only boundaries")
    passes: int = setting(
        2,
        "how many times to learn from each doc, however many epochs the other components need; 0 "
        "for every epoch",
        at_least=0,
    )
    margin: float = setting(
        0.0,
        "by how much, in units of the kernel, the target should win in training for each error of "
        "another answer; 0: winning is enough, as in the paper",
        at_least=0,
    )
    holdout: int = setting(
        10,
        "keep one in this many docs back in training to find the [mixture](#mixture); 0 for none",
        at_least=0,
    )


make_kernel_reranker = register_factory(
    RerankerSettings,
    "KernelReranker",
    model={
        "@architectures": "spacy_perceptron.KernelModel.v1",
        "kernel": "subset_tree",
        "decay": 0.3,
        "base_weight": 0.0,
    },
    scorer="spacy_perceptron.reranker_scorer.v1",
    default_score_weights={
        "rerank_score": 1.0,
        "rerank_base": None,
        "rerank_oracle": None,
        "rerank_error_reduction": None,
    },
)
