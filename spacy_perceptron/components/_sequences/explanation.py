"""Takes a tagger's decision apart into the weights of its features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc

from ...answers.explanation import Explanation, FeatureWeight
from ...decode.sequences.tagging import Tagging
from ...errors import Errors
from ...features.attributes import ATTRIBUTES
from ...features.templates import Atom, Template

if TYPE_CHECKING:
    from ..easy_first_tagger import EasyFirstTagger

# Places of the context codes.
CONTEXT_OFFSETS = (-2, -1, 1, 2)


def explain_tag(tagger: "EasyFirstTagger", doc: Doc, i: int) -> Explanation:
    """Explain the tag of one token, in the context of tags in which it was chosen.

    tagger (EasyFirstTagger): The tagger.
    doc (Doc): The doc.
    i (int): Index of the token.
    RETURNS (Explanation): The decision, feature by feature.
    """
    if not -len(doc) <= i < len(doc):
        raise IndexError(Errors.EXPLAIN_INDEX.format(i=i, n=len(doc)))
    i %= len(doc)
    words = tagger._read_words([doc])
    if not words.is_word[i]:
        raise ValueError(Errors.EXPLAIN_SPACE.format(i=i))
    decoder = tagger._get_decoder()
    index = int(words.is_word[:i].sum())
    sentence = int(np.searchsorted(words.starts, index, side="right")) - 1
    rows, fixed = list(tagger._sentences(words))[sentence]
    position = index - int(words.starts[sentence])
    tokens = [token.text for token in doc if words.is_word[token.i]]
    texts = tokens[words.starts[sentence] : words.starts[sentence + 1]]
    if fixed is not None and fixed[position] != -1:
        label = tagger.labels[fixed[position]]
        return Explanation(doc[i].text, label, label, 0.0, 0.0, 0, [])
    found = take_apart(
        decoder,
        tagger._program.templates,
        rows,
        position,
        tagger.beam_width,
        fixed,
        lambda template, context: _describe(template, texts, position, context, tagger.labels),
    )
    return found.explain(doc[i].text, tagger.labels)


@dataclass(frozen=True)
class Decision:
    """A search's decision about one word.

    chosen, runner_up (int): The tags.
    scores (np.ndarray): Scores of all tags when it was taken.
    step (int): When it was taken.
    features (list[FeatureWeight]): What spoke for and against it.
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
    describe: Callable[[Template, tuple[int, ...]], str],
) -> Decision:
    """Take the decision about one word apart into features.

    decoder (Tagging): The decoder.
    templates (Sequence[Template]): Its templates, in the order of feature ids.
    rows (np.ndarray): Lexeme rows of the sentence.
    position (int): The word.
    width (int): Beam width.
    fixed (Optional[np.ndarray]): Tags given in advance.
    describe (Callable): Says what a template saw in a context of tags.
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
            features.append(FeatureWeight(str(template), describe(template, context), *pair))
    features.sort(key=lambda feature: -feature.difference)
    return Decision(chosen, runner_up, scores, step, features)


def _describe(
    template: Template,
    texts: list[str],
    position: int,
    context: tuple[int, ...],
    labels: tuple[str, ...],
) -> str:
    """What a template saw, as text."""

    def describe(atom: Atom) -> str:
        at = position + atom.offset
        if not 0 <= at < len(texts):
            return "<outside>"
        if atom.attribute == "tag":
            code = context[CONTEXT_OFFSETS.index(atom.offset)]
            return labels[code - 1] if code else "<untagged>"
        return str(ATTRIBUTES[atom.attribute](texts[at]))

    return " ".join(describe(atom) for atom in template.atoms)
