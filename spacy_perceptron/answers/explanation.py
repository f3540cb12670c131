"""Why a component chose one answer and not another: the weights that spoke, feature by feature."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wasabi import table

from ..values import Values
from .bars import render_explanation

# Templates of a parser are long; wasabi would lose the alignment of wider columns.
MAX_COLUMN = 100
# How many features are shown one by one, and how many may be asked for.
ROWS = 15
N_ROWS = Values(int | None, at_least=1)
# Differences below what is shown are due to rounding.
SHOWN = 0.005
# The name of what a root hangs on.
ROOT_NAME = "<root>"


def token_names(words: Sequence[str]) -> list[str]:
    """Names by which words are told apart: `saw`, or `the-3` for one of several.

    words (Sequence[str]): The texts of all tokens.
    RETURNS (list[str]): A name per token; numbers count from 0.
    """
    counts = Counter(words)
    return [
        word if counts[word] == 1 or word.isspace() else f"{word}-{i}"
        for i, word in enumerate(words)
    ]


@dataclass(frozen=True)
class FeatureWeight:
    """One feature's part in a decision.

    template (str): The template's text.
    value (str): What the template saw here.
    chosen (float): The feature's weight for the chosen answer.
    runner_up (float): Its weight for the runner-up.
    runner_up_value (Optional[str]): What the template saw for the runner-up, where that is
        something else: for a head, the features of another arc.
    """

    template: str
    value: str
    chosen: float
    runner_up: float
    runner_up_value: str | None = None

    @property
    def difference(self) -> float:
        """How much the feature spoke for the chosen answer."""
        return self.chosen - self.runner_up

    @property
    def values(self) -> str:
        """What the template saw, for both answers."""
        if self.runner_up_value in (None, self.value):
            return self.value
        return f"{self.value} | {self.runner_up_value}"

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict): The feature as plain data."""
        same = self.runner_up_value is None
        return {
            "template": self.template,
            "value": self.value,
            "runner_up_value": self.value if same else self.runner_up_value,
            "chosen": float(self.chosen),
            "runner_up": float(self.runner_up),
            "difference": float(self.difference),
        }


@dataclass(frozen=True)
class Explanation:
    """A decision, taken apart.

    word (str): The word decided on.
    chosen, runner_up (str): The chosen answer and the best other one: labels, or names of heads.
    chosen_score, runner_up_score (float): Their scores, the sums of the features' weights.
    step (Optional[int]): When the decision was taken: 1 is the first, the easiest of the sentence;
        0 means it was given; None, that all were taken at once.
    features (list[FeatureWeight]): Features with weight for either answer, what spoke most for the
        chosen one first.
    subject (str): What was decided, if that is not the word's label: `head`.
    rows (Optional[int]): How many features `print` and notebooks show one by one; None for all.
    """

    word: str
    chosen: str
    runner_up: str
    chosen_score: float
    runner_up_score: float
    step: int | None
    features: list[FeatureWeight]
    subject: str = ""
    rows: int | None = ROWS

    def __post_init__(self) -> None:
        """Refuse a number of rows that makes no sense."""
        N_ROWS.check("rows", self.rows)

    @property
    def title(self) -> str:
        """The decision in one line."""
        subject = f"{self.subject} " if self.subject else ""
        when = "" if self.step is None else f" (decision {self.step})"
        return f"{self.word!r}: {subject}{self.chosen} rather than {self.runner_up}{when}"

    @property
    def shown(self) -> list[FeatureWeight]:
        """The strongest features, what spoke most for the chosen answer first. The others are
        summed up in one, so that weights still add up to the scores, unless all are asked for.
        """
        if self.rows is None:
            return self.features
        strongest = sorted(self.features, key=lambda feature: -abs(feature.difference))
        kept = sorted(strongest[: self.rows], key=lambda feature: -feature.difference)
        n_rest = len(self.features) - len(kept)
        chosen = self.chosen_score - sum(feature.chosen for feature in kept)
        runner_up = self.runner_up_score - sum(feature.runner_up for feature in kept)
        # A reranker has more fragments than can be listed.
        if n_rest or max(abs(chosen), abs(runner_up)) >= SHOWN:
            name = f"{n_rest} others" if n_rest else "others"
            kept.append(FeatureWeight(name, "", chosen, runner_up))
        return kept

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict): The explanation as plain data, for JSON: `word`, `subject`, `chosen`,
        `runner_up`, `step`, `total` with the scores of both answers and their difference, and
        `features`, all of them, each with `template`, `value`, `runner_up_value`, `chosen`,
        `runner_up` and `difference`.
        """
        return {
            "word": self.word,
            "subject": self.subject,
            "chosen": self.chosen,
            "runner_up": self.runner_up,
            "step": self.step,
            "total": {
                "chosen": float(self.chosen_score),
                "runner_up": float(self.runner_up_score),
                "difference": float(self.chosen_score - self.runner_up_score),
            },
            "features": [feature.to_dict() for feature in self.features],
        }

    def __str__(self) -> str:
        rows = [
            (
                f.template,
                f.values,
                f"{f.chosen:+.2f}",
                f"{f.runner_up:+.2f}",
                f"{f.difference:+.2f}",
            )
            for f in self.shown
        ]
        margin = self.chosen_score - self.runner_up_score
        total = (
            "total",
            "",
            f"{self.chosen_score:+.2f}",
            f"{self.runner_up_score:+.2f}",
            f"{margin:+.2f}",
        )
        header = ("feature", "value", self.chosen, self.runner_up, "for " + self.chosen)
        body = table(
            rows,
            header=header,
            footer=total,
            divider=True,
            aligns=("l", "l", "r", "r", "r"),
            max_col=MAX_COLUMN,
        )
        return f"{self.title}\n{body}"

    def _repr_html_(self) -> str:
        """RETURNS (str): The explanation as HTML, which notebooks show in place of its text."""
        return render_explanation(self)
