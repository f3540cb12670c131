"""One list of settings for a component, its factory and the check of its config."""

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import spacy
from spacy.language import Language
from thinc.api import Model

from spacy_perceptron.components._dependencies.settings import ParserSettings, takes_settings
from spacy_perceptron.components.mira_parser import make_mira_parser
from spacy_perceptron.components.mira_settings import DEFAULT_CONFIG, MiraSettings

COMMON: dict[str, Any] = {
    "adaptive": False,
    "dropout": None,
    "guide": False,
    "guide_dropout": 0.5,
    "confidence": True,
    "nbest": 0,
    "seed": 0,
}


@dataclass(frozen=True, kw_only=True)
class WordSettings:
    words: list[str]
    limit: int | None


@Language.factory("test_settings", default_config={"words": ["a"], "limit": None})
@takes_settings(WordSettings)
def make_pipe(nlp: Language, name: str, **settings: Any) -> Callable:
    found = WordSettings(**settings)
    nlp.meta["found"] = dataclasses.asdict(found)
    return lambda doc: doc


def test_a_factory_takes_the_fields():
    assert list(inspect.signature(make_pipe).parameters) == ["nlp", "name", "words", "limit"]
    nlp = spacy.blank("en")
    nlp.add_pipe("test_settings", config={"limit": 3})
    assert nlp.meta["found"] == {"words": ["a"], "limit": 3}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"words": "abc"}, "words"),
        ({"limit": "many"}, "limit"),
        ({"limits": 3}, "limits"),
    ],
)
def test_configs_are_checked_against_the_fields(config: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        spacy.blank("en").add_pipe("test_settings", config=config)


def test_settings_of_the_mira_parser():
    """Every setting has a default in the config, and there are no others."""
    parameters = inspect.signature(make_mira_parser).parameters
    fields = {field.name: field.type for field in dataclasses.fields(MiraSettings)}
    others = {"nlp": Language, "name": str, "model": Model, "scorer": Callable | None}
    assert {name: p.annotation for name, p in parameters.items()} == {**fields, **others}
    assert all(p.default is p.empty for p in parameters.values())
    assert set(DEFAULT_CONFIG) == set(parameters) - {"nlp", "name"}


def test_settings_do_not_change():
    settings = ParserSettings(**COMMON)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.nbest = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="`nbest` must be 0 or more, not -1"):
        dataclasses.replace(settings, nbest=-1)
    with pytest.raises(TypeError, match="seed"):
        ParserSettings(**{name: value for name, value in COMMON.items() if name != "seed"})
