"""The `easy_first_tagger` factory, and what can be set of it."""

from dataclasses import dataclass

from ...errors import Errors
from ...values import WIDTH
from .._sequences.settings import SequenceSettings
from .._shared.factory import register_factory
from .._shared.settings import setting, templates_setting

# What a tagger can predict, in the order of its answers.
ATTRIBUTES = ("tag", "pos", "morph")


@dataclass(frozen=True, kw_only=True)
class TaggerSettings(SequenceSettings):
    """What can be set of a tagger."""

    factory = "easy_first_tagger"

    templates: list[str] = templates_setting(
        ["spacy_perceptron.tagging.v1"], "[templates](concepts.md#features-as-data) of tags"
    )
    attribute: str = setting(
        "tag",
        "what to predict: `tag` for `token.tag`, `pos` for `token.pos`, `morph` for `token.morph`",
        choices=ATTRIBUTES,
    )
    attributes: list[str] | None = setting(
        None,
        'what to predict together, such as `["tag", "pos", "morph"]`; null for `attribute`',
    )
    refinement_templates: list[str] = templates_setting(
        ["spacy_perceptron.refinement.v1"],
        "templates of the second step, which chooses morphology, see "
        "[Several attributes](#several-attributes)",
    )
    beam_width: int = setting(
        3,
        "partial taggings to keep at each step, in training and prediction; time grows with it",
        **WIDTH.limits,
    )
    update: str = setting(
        "resume",
        "what training does after a mistake, see [Training](#training)",
        choices=("early", "resume"),
    )
    dictionary_min_count: int = setting(
        0,
        "tag words without search if training has them this often, with one tag in at least 99.8 % "
        "of cases; 0 for never",
        at_least=0,
    )
    overwrite: bool = setting(True, "overwrite existing tags")

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        super().__post_init__()
        value = self.attributes
        if value is not None and not (
            value and {*value} <= {*ATTRIBUTES} and len({*value}) == len(value)
        ):
            known = ", ".join(ATTRIBUTES)
            raise ValueError(Errors.TAGGER_ATTRIBUTES.format(known=known, value=value))

    @property
    def predicted(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): What to predict, always in the same order."""
        chosen = [self.attribute] if self.attributes is None else self.attributes
        return tuple(name for name in ATTRIBUTES if name in chosen)


make_easy_first_tagger = register_factory(
    TaggerSettings,
    "EasyFirstTagger",
    model="spacy_perceptron.LinearModel.v1",
    scorer="spacy_perceptron.tagger_scorer.v1",
    assigns=["token.tag"],
    default_score_weights={
        "tag_acc": 1.0,
        "pos_acc": None,
        "morph_acc": None,
        "morph_micro_f": None,
        "morph_per_feat": None,
    },
)
