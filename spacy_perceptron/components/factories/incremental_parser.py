"""The `incremental_parser` factory, and what can be set of it."""

from .._constituents.incremental.settings import IncrementalSettings as IncrementalSettings
from .._constituents.settings import CONSTITUENCY_META
from .._shared.factory import register_factory

make_incremental_parser = register_factory(
    IncrementalSettings,
    "IncrementalParser",
    model="spacy_perceptron.IncrementalModel.v1",
    scorer="spacy_perceptron.constituency_scorer.v1",
    **CONSTITUENCY_META,
)
