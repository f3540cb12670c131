"""Takes a tagger's decision apart into the weights of its features."""

from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc

from ..errors import Errors
from ..explanation import Explanation, FeatureWeight
from ..features.attributes import ATTRIBUTES
from ..features.templates import Atom, Template

if TYPE_CHECKING:
    from .easy_first_tagger import EasyFirstTagger

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
    trace = decoder.trace(rows, tagger.beam_width, fixed=fixed)
    step, (_, chosen, context, scores) = next(
        (step, action) for step, action in enumerate(trace, start=1) if action[0] == position
    )
    others = scores.copy()
    others[chosen] = -np.inf
    runner_up = int(others.argmax())
    features = []
    ids = decoder.scorer.feature_ids(rows, position, context)
    for template, feature_id in zip(tagger._program.templates, ids, strict=True):
        weights = decoder.scorer.weights.row(int(feature_id))
        if chosen in weights or runner_up in weights:
            value = _describe(template, texts, position, context, tagger.labels)
            features.append(
                FeatureWeight(
                    str(template), value, weights.get(chosen, 0.0), weights.get(runner_up, 0.0)
                )
            )
    features.sort(key=lambda feature: -feature.difference)
    return Explanation(
        doc[i].text,
        tagger.labels[chosen],
        tagger.labels[runner_up],
        float(scores[chosen]),
        float(scores[runner_up]),
        step,
        features,
    )


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
