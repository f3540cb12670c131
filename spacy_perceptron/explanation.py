"""Why a component chose one label and not another: the weights that spoke, feature by feature."""

from dataclasses import dataclass

from wasabi import table


@dataclass(frozen=True)
class FeatureWeight:
    """One feature's part in a decision.

    template (str): The template's text.
    value (str): What the template saw here.
    chosen (float): The feature's weight for the chosen label.
    runner_up (float): Its weight for the runner-up.
    """

    template: str
    value: str
    chosen: float
    runner_up: float

    @property
    def difference(self) -> float:
        """How much the feature spoke for the chosen label."""
        return self.chosen - self.runner_up


@dataclass(frozen=True)
class Explanation:
    """A decision, taken apart.

    word (str): The word decided on.
    chosen, runner_up (str): The chosen label and the best other one.
    chosen_score, runner_up_score (float): Their scores, the sums of the features' weights.
    step (int): When the decision was taken: 1 is the first, the easiest of the sentence; 0 means it
        was given.
    features (list[FeatureWeight]): Features with weight for either label, what spoke most for the
        chosen one first.
    """

    word: str
    chosen: str
    runner_up: str
    chosen_score: float
    runner_up_score: float
    step: int
    features: list[FeatureWeight]

    def __str__(self) -> str:
        rows = [
            (f.template, f.value, f"{f.chosen:+.2f}", f"{f.runner_up:+.2f}", f"{f.difference:+.2f}")
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
        title = (
            f"{self.word!r}: {self.chosen} rather than {self.runner_up} (decision {self.step})\n"
        )
        return title + table(
            rows, header=header, footer=total, divider=True, aligns=("l", "l", "r", "r", "r")
        )
