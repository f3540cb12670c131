"""Whatever is set, a parser learns some sentences by heart, and something about others."""

from typing import Any

import pytest

from spacy_perceptron.features.sets.fast_arcs import FAST_ARCS, FAST_TREE_LABELS

from ..parsers import EASY_FIRST, EISNER2, NAME, UNPRUNED, UPDATES, Parser, templates
from ..sentences import read

MIRA_SETTINGS: list[dict[str, Any]] = [
    {"order": 1},
    {"order": 2},
    {"order": 3},
    {"order": 1, "decoder": "mst"},
    {"learner": "perceptron"},
    {"learner": "perceptron", "loss_augmented": False},
    {"k": 5, "loss_augmented": False},
    {"k": 3},
    {"order": 1, "decoder": "mst", "k": 5, "loss_augmented": False},
    {"adaptive": True, "max_step": 1.0},
    {**UNPRUNED},
    {"pruning": 0.0, "max_heads": 3},
    {"narrowing": 0.03},
    {"order": 3, "narrowing": 1.0},
    {
        "order": 1,
        "templates": templates(FAST_ARCS),
        "tree_label_templates": templates(FAST_TREE_LABELS),
    },
    {"confidence": False},
    {"tree_label_templates": templates(())},
]
EASY_FIRST_SETTINGS: list[dict[str, Any]] = [
    *UPDATES,
    *({**update, "beam_width": 1} for update in UPDATES),
    {"learner": "perceptron", "margin": 0.0},
    {"beam_width": 2, "adaptive": True, "max_step": 1.0},
    {"dropout": 0.1},
    {"confidence": False},
]


def name_of(settings: dict[str, Any]) -> str:
    return "-".join(f"{k}={'...' if isinstance(v, dict) else v}" for k, v in settings.items())


# Epochs, and the least accuracy on known sentences after them.
CASES = [
    pytest.param(parser, settings, n_epochs, accuracy, id=f"{parser.factory}-{name_of(settings)}")
    for parser, choices, n_epochs, accuracy in (
        (EISNER2, MIRA_SETTINGS, 10, 0.98),
        (EASY_FIRST, EASY_FIRST_SETTINGS, 20, 0.96),
    )
    for settings in choices
]


@pytest.mark.parametrize(("parser", "settings", "n_epochs", "accuracy"), CASES)
def test_settings(parser: Parser, settings: dict[str, Any], n_epochs: int, accuracy: float):
    nlp = parser.make(**settings)
    examples = read(nlp, "train", 25)
    nlp.initialize(lambda: examples)
    losses = [nlp.update(examples)[NAME] for _ in range(n_epochs)]
    assert losses[0] > losses[1]
    assert losses[0] / 4 > losses[-1] >= 0
    assert nlp.evaluate(read(nlp, "train", 25))["dep_las_all"] > accuracy
    assert nlp.evaluate(read(nlp, limit=20))["dep_uas_all"] > 0.5
    doc = nlp(read(nlp, limit=1)[0].predicted)
    confidence = settings.get("confidence", True)
    assert all((token._.head_confidence is not None) == confidence for token in doc)
    assert nlp.get_pipe(NAME).labels == tuple(sorted({t.dep_ for e in examples for t in e.y}))
