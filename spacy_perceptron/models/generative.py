"""A generative model in a thinc model: the attribute `generative`, empty if there is none."""

import srsly
from thinc.api import Model

from ..decode.constituents.incremental.generative import GenerativeModel
from ..errors import Errors
from ..features.known_words import KnownWords

_NAME = "generative"


def make_room(model: Model) -> None:
    """Let a model have a generative one: saved models must have the same attributes.

    model (Model): The model.
    """
    model.attrs.setdefault(_NAME, b"")


def set_generative(model: Model, known: KnownWords, generative: GenerativeModel) -> None:
    """Store a generative model.

    model (Model): The model to store it in.
    known (KnownWords): The words that it knows.
    generative (GenerativeModel): The probabilities.
    """
    model.attrs[_NAME] = generative_to_bytes(known, generative)


def generative_to_bytes(known: KnownWords, generative: GenerativeModel) -> bytes:
    """RETURNS (bytes): A generative model and the words that it knows."""
    return srsly.msgpack_dumps({"known": known.to_dict(), **generative.to_dict()})


def generative_from_bytes(stored: bytes) -> tuple[KnownWords, GenerativeModel]:
    """RETURNS (tuple): What `generative_to_bytes` has written."""
    try:
        data = srsly.msgpack_loads(stored)
        return KnownWords.from_dict(data["known"]), GenerativeModel.from_dict(data)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(Errors.BACKOFF_DAMAGED) from error


def generative_bytes(model: Model) -> bytes:
    """RETURNS (bytes): What is stored in a model."""
    return bytes(model.attrs.get(_NAME, b""))


def saved_generative(model: Model) -> tuple[KnownWords, GenerativeModel] | None:
    """RETURNS (Optional[tuple]): What `set_generative` has stored."""
    stored = generative_bytes(model)
    return generative_from_bytes(stored) if stored else None
