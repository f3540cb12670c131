"""The generators of this folder as hypothesis strategies, which shrink what fails."""

from typing import Any

from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.components._shared.settings import Settings

from .damage import damage
from .docs import make_doc, make_example
from .settings import make_settings


def randoms(*, shrinks: bool = True) -> st.SearchStrategy[Any]:
    """Sources of chance.

    shrinks (bool): Whether hypothesis makes every choice. If not, it makes seeds, which is faster.
    """
    return st.randoms(use_true_random=not shrinks, note_method_calls=False)


def docs(vocab: Vocab) -> st.SearchStrategy[Doc]:
    """Docs with any annotation."""
    return randoms().map(lambda rng: make_doc(rng, vocab))


def examples(vocab: Vocab) -> st.SearchStrategy[Example]:
    """Examples: partial, misaligned, wrong or right."""
    return randoms().map(lambda rng: make_example(rng, vocab))


def configs(settings: type[Settings]) -> st.SearchStrategy[tuple[dict[str, Any], bool]]:
    """Settings, and whether each is within its range."""
    return randoms().map(lambda rng: make_settings(rng, settings))


def damaged(data: bytes) -> st.SearchStrategy[bytes]:
    """Bytes that are not what was saved, as a rule."""
    return randoms().map(lambda rng: damage(rng, data))
