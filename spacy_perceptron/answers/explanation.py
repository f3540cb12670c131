"""Why a component chose one answer and not another: the weights that spoke, feature by feature."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wasabi import table

# Templates of a parser are long; wasabi would lose the alignment of wider columns.
MAX_COLUMN = 100
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
    """

    word: str
    chosen: str
    runner_up: str
    chosen_score: float
    runner_up_score: float
    step: int | None
    features: list[FeatureWeight]
    subject: str = ""

    @property
    def title(self) -> str:
        """The decision in one line."""
        subject = f"{self.subject} " if self.subject else ""
        when = "" if self.step is None else f" (decision {self.step})"
        return f"{self.word!r}: {subject}{self.chosen} rather than {self.runner_up}{when}"

    def __str__(self) -> str:
        rows = [
            (
                f.template,
                f.values,
                f"{f.chosen:+.2f}",
                f"{f.runner_up:+.2f}",
                f"{f.difference:+.2f}",
            )
            for f in self.features
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
