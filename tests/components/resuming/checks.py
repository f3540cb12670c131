"""Training that stops and goes on from a state."""

from typing import Any

import numpy as np
from spacy.language import Language
from spacy.training import Example

from ..contract import BASE, NAME, Contract

BATCH = 5


def read_again(examples: list[Example]) -> list[Example]:
    """The same corpus in other Docs, as another process reads it."""
    return [Example(example.predicted.copy(), example.reference.copy()) for example in examples]


def component_bytes(nlp: Language) -> bytes:
    return nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])


def check_resuming(
    contract: Contract, n_before: int, *, n_epochs: int = 2, **settings: Any
) -> None:
    """Loaded from bytes, with the state of training, a component ends as it would have without a
    break. Some sentences occur twice.

    contract (Contract): The component.
    n_before (int): How many batches come before the break.
    n_epochs (int): How often it goes over all batches.
    settings (Any): Settings of the component.
    """
    nlp = contract.blank(**settings)
    examples = contract.examples(nlp)
    examples += read_again(examples[::2])
    nlp.initialize(lambda: examples)

    def learn(pipeline: Language, examples: list[Example], first: int, last: int) -> None:
        batches = [examples[i : i + BATCH] for i in range(0, len(examples), BATCH)] * n_epochs
        for batch in batches[first:last]:
            pipeline.update(batch, drop=0.2, exclude=[BASE])

    learn(nlp, examples, 0, n_before)
    state = nlp.get_pipe(NAME).get_state([example.reference for example in examples])
    assert all(isinstance(array, np.ndarray) for array in state.values())
    again = read_again(examples)
    other = contract.blank(**settings).from_bytes(nlp.to_bytes())
    other.get_pipe(NAME).set_state(state, [example.reference for example in again])
    assert component_bytes(other) == component_bytes(nlp)
    # Saved in the middle of an interval as well.
    for first, last in ((n_before, n_before + 1), (n_before + 1, None)):
        learn(nlp, examples, first, last)
        learn(other, again, first, last)
        assert component_bytes(other) == component_bytes(nlp)
    ends = [
        pipeline.get_pipe(NAME).get_state([example.reference for example in own])
        for pipeline, own in ((nlp, examples), (other, again))
    ]
    assert ends[0].keys() == ends[1].keys()
    assert [x for x in ends[0] if ends[0][x].tobytes() != ends[1][x].tobytes()] == []
    assert ends[0]["random"].tobytes() != state["random"].tobytes()
