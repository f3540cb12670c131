"""The `max_margin_parser` factory, and what can be set of it."""

from .._constituents.settings import CONSTITUENCY_META
from .._constituents.spans.settings import MaxMarginSettings as MaxMarginSettings
from .._shared.factory import register_factory

make_max_margin_parser = register_factory(
    MaxMarginSettings,
    "MaxMarginParser",
    model="spacy_perceptron.MaxMarginModel.v1",
    scorer="spacy_perceptron.constituency_scorer.v1",
    **CONSTITUENCY_META,
)
