"""States of training with settings that keep more than the default ones do. The contract tests
those."""

import numpy as np
import pytest

from ..contract import CONTRACTS, NAME, incremental_model, kernel_model, max_margin_model, templates
from .checks import check_resuming

SMALL = max_margin_model(n_bits=14, pruner_bits=14)
CONTRACT_OF = {contract.id: contract for contract in CONTRACTS}
CHAINS = {"transitions": "chains", "learner": "perceptron", "update": "early", "margin": 0.0}
CHAINS |= {"loss_augmented": False, **incremental_model(n_bits=14)}
VARIANTS = {
    "tagger, adaptive": ("easy_first_tagger", {"adaptive": True}),
    "joint tagger, adaptive": ("joint_tagger", {"adaptive": True, "beam_width": 2}),
    "entities, easy-first": ("perceptron_ner", {"search": "easy_first", "update": "early"}),
    "mira, order 2": ("mira_parser", {"order": 2, "learner": "perceptron", "adaptive": True}),
    "mira, mst": ("mira_parser", {"decoder": "mst", "order": 1}),
    "mira, guided": ("mira_parser", {"guide": True, "guide_dropout": 0.5}),
    "easy-first, perceptron": ("easy_first_parser", {"learner": "perceptron", "beam_width": 3}),
    "incremental, cache": ("incremental_parser", {**CHAINS, "cache_passes": 2}),
    "incremental, small cache": (
        "incremental_parser",
        {**CHAINS, "cache_passes": 3, "cache_size": 4},
    ),
    "incremental, hybrid": (
        "incremental_parser",
        {**CHAINS, "log_weight": 10.0, "cache_passes": 2},
    ),
    "spans, smo": ("max_margin_parser", {**SMALL, "learner": "smo", "head_features": False}),
    "spans, generative": ("max_margin_parser", {**SMALL, "learner": "generative"}),
    "spans, without pruner epochs": ("max_margin_parser", {**SMALL, "pruner_epochs": 0}),
    "spans, auxiliary": (
        "max_margin_parser",
        {
            **max_margin_model(n_bits=14, pruner_bits=14, flat_bits=14),
            **templates(sets=["spacy_perceptron.spans.v1"], extra=["span.any span.flat"]),
        },
    ),
    "reranker, all that it keeps": (
        "kernel_reranker",
        {
            "passes": 2,
            "holdout": 3,
            **kernel_model(chunks=2, budget=4, combine="voted", base_weight=0.5),
        },
    ),
}

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
    pytest.mark.filterwarnings("ignore:.*nothing to guide"),
]


@pytest.mark.parametrize("name", VARIANTS)
def test_training_goes_on_from_a_state(name: str):
    factory, settings = VARIANTS[name]
    check_resuming(CONTRACT_OF[factory], 2, n_epochs=3, **settings)


KEEPING = ["incremental, cache", "spans, smo", "reranker, all that it keeps"]


@pytest.mark.parametrize("name", KEEPING)
def test_what_is_kept_of_sentences_needs_the_gold_docs(name: str):
    factory, settings = VARIANTS[name]
    nlp = CONTRACT_OF[factory].train(epochs=2, **settings)
    pipe = nlp.get_pipe(NAME)
    with pytest.raises(ValueError, match="Give the gold Docs"):
        pipe.get_state()
    examples = CONTRACT_OF[factory].examples(nlp)
    references = [example.reference for example in examples]
    state = pipe.get_state(references)
    with pytest.raises(ValueError, match="Give the gold Docs"):
        pipe.set_state(state)
    with pytest.raises(ValueError, match="numbers, not"):
        pipe.set_state(state, references[1:])


@pytest.mark.parametrize("name", ["incremental, small cache", "spans, smo", KEEPING[2]])
def test_damaged_states_are_refused(name: str):
    """Whatever number of whatever array is wrong: an error, or a component that still works."""
    factory, settings = VARIANTS[name]
    contract = CONTRACT_OF[factory]
    nlp = contract.blank(**settings)
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    for _ in range(2):
        nlp.update(examples)
    pipe, references = nlp.get_pipe(NAME), [example.reference for example in examples]
    state = pipe.get_state(references)
    n_refused = 0
    for name, array in state.items():
        if name in ("about", "grammar") or not array.size:
            continue
        for value in (-1, 2**31 - 1):
            broken = array.copy()
            with np.errstate(all="ignore"):
                broken.reshape(-1)[array.size // 2] = np.array(value).astype(array.dtype)
            try:
                pipe.set_state({**state, name: broken}, references)
            except ValueError:
                n_refused += 1
            else:
                pipe.to_bytes()
    assert n_refused > len(state) / 2
    pipe.set_state(state, references)
    assert pipe.get_state(references).keys() == state.keys()
