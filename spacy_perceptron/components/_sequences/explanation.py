"""Takes a tagger's decision apart into the weights of its features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...answers.explanation import Explanation, FeatureWeight
from ...decode.sequences.tagging import Tagging
from ...features.templates import Atom, Template

# Offsets of the context codes.
CONTEXT_OFFSETS = (-2, -1, 1, 2)


@dataclass(frozen=True)
class Decision:
    """A search's decision about one word.

    chosen, runner_up (int): The tags.
    scores (np.ndarray): Scores of all tags when it was taken.
    step (int): When it was taken.
    features (list[FeatureWeight]): Features for and against it.
    """

    chosen: int
    runner_up: int
    scores: np.ndarray
    step: int
    features: list[FeatureWeight]

    def explain(self, word: str, names: Sequence[str]) -> Explanation:
        """The decision as an explanation, with the names of the tags."""
        return Explanation(
            word,
            names[self.chosen],
            names[self.runner_up],
            float(self.scores[self.chosen]),
            float(self.scores[self.runner_up]),
            self.step,
            self.features,
        )


def take_apart(
    decoder: Tagging,
    templates: Sequence[Template],
    rows: np.ndarray,
    position: int,
    width: int,
    fixed: np.ndarray | None,
    describe: Callable[[Atom, tuple[int, ...]], str],
) -> Decision:
    """Take the decision about one word apart into features.

    decoder (Tagging): The decoder.
    templates (Sequence[Template]): Its templates, in the order of feature ids.
    rows (np.ndarray): Lexeme rows of the sentence.
    position (int): The word.
    width (int): Beam width.
    fixed (Optional[np.ndarray]): Tags given in advance.
    describe (Callable): Says what an atom saw in a context of tags.
    RETURNS (Decision): The decision.
    """
    trace = decoder.trace(rows, width, fixed=fixed)
    step, (_, chosen, context, scores) = next(
        (step, action) for step, action in enumerate(trace, start=1) if action[0] == position
    )
    others = scores.copy()
    others[chosen] = -np.inf
    runner_up = int(others.argmax())
    features = []
    ids = decoder.scorer.feature_ids(rows, position, context)
    for template, feature_id in zip(templates, ids, strict=True):
        weights = decoder.scorer.weights.row(int(feature_id))
        if chosen in weights or runner_up in weights:
            pair = weights.get(chosen, 0.0), weights.get(runner_up, 0.0)
            seen = " ".join(describe(atom, context) for atom in template.atoms)
            features.append(FeatureWeight(str(template), seen, *pair))
    features.sort(key=lambda feature: -feature.difference)
    return Decision(chosen, runner_up, scores, step, features)
