"""A component's decoder, for tests that compare its answers with what the decoder does."""

from typing import Any

from spacy.tokens import Doc

from spacy_perceptron.components._shared.base import StructuredPipe


def decoder_for(pipe: StructuredPipe, doc: Doc) -> tuple[Any, Any]:
    """A parser's decoder and the words of a doc, as it takes them."""
    assert hasattr(pipe, "_read_docs")
    assert hasattr(pipe, "_look_up")
    state = pipe._get_state()
    state, words = pipe._look_up(pipe._read_docs([doc], state), state)
    with state.decoders.borrow() as decoder:
        return decoder, words
