"""Takes a lemmatizer's decision apart into the weights of its features."""

from collections.abc import Callable, Sequence

import numpy as np
from spacy.tokens import Token

from ...answers.explanation import Explanation, FeatureWeight
from ...decode.choices.choosing import Choosing
from ...features.templates import Template
from .rules import Rules


def explain_lemma(
    token: Token,
    row: int,
    rules: Rules,
    decoder: Choosing,
    templates: Sequence[Template],
    describe: Callable[[str, Token], str],
) -> Explanation:
    """Take the decision about one word apart into features.

    token (Token): The word.
    row (int): Its row of the lexeme table.
    rules (Rules): The rules.
    decoder (Choosing): What has chosen one.
    templates (Sequence[Template]): Its templates, in the order of feature ids.
    describe (Callable): Attribute and token -> what a template sees, beyond the text.
    RETURNS (Explanation): The decision. The runner-up is the best rule that gives another lemma; if
        there is none, the decision itself.
    """
    _, candidates = rules.candidates([token.text])
    scores = decoder.score(row, candidates)
    order = np.argsort(-scores, kind="stable").tolist()
    lemmas = [rules.apply(rule, token.text) for rule in candidates.tolist()]
    chosen = order[0]
    runner_up = next((i for i in order if lemmas[i] != lemmas[chosen]), chosen)
    features = []
    for template, feature_id in zip(templates, decoder.feature_ids(row), strict=True):
        weights = decoder.weights.row(int(feature_id))
        pair = (
            weights.get(int(candidates[chosen]), 0.0),
            weights.get(int(candidates[runner_up]), 0.0),
        )
        if any(pair):
            seen = " ".join(describe(atom.attribute, token) for atom in template.atoms)
            features.append(FeatureWeight(str(template), seen, *pair))
    features.sort(key=lambda feature: -feature.difference)
    return Explanation(
        token.text,
        lemmas[chosen],
        lemmas[runner_up],
        float(scores[chosen]),
        float(scores[runner_up]),
        None,
        features,
        "lemma",
    )
