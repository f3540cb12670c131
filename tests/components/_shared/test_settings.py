"""One declaration of a setting for a component, its factory, its config and the docs."""

import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.util import load_config, load_model_from_config
from thinc.api import Model

from spacy_perceptron.components._shared.settings import (
    Settings,
    default_config,
    setting,
    settings_table,
    takes_settings,
    templates_setting,
)
from spacy_perceptron.components.easy_first_parser import EasyFirstSettings
from spacy_perceptron.components.easy_first_tagger import TaggerSettings
from spacy_perceptron.components.kernel_reranker import RerankerSettings
from spacy_perceptron.components.mira_parser import MiraSettings
from spacy_perceptron.components.perceptron_ner import NerSettings

FACTORIES = [TaggerSettings, NerSettings, MiraSettings, EasyFirstSettings, RerankerSettings]
NAN = float("nan")


@dataclass(frozen=True, kw_only=True)
class SharedSettings(Settings):
    limit: int | None = setting(None, "the most words", at_least=1)
    kind: str


@dataclass(frozen=True, kw_only=True)
class WordSettings(SharedSettings):
    factory = "test_settings"

    words: list[str] = setting(["a"], "the words")
    kind: str = setting("short", "which words", choices=("short", "long"))
    sets: list[str] = templates_setting(["one.v1", "two.v1"], "features")


DEFAULTS = default_config(WordSettings, model="a.v1", scorer="b.v1")
OWN = {name: DEFAULTS[name] for name in ("words", "kind", "limit", "nbest", "n_threads", "seed")}


@Language.factory("test_settings", default_config={**OWN, "sets": []})
@takes_settings(WordSettings)
def make_pipe(nlp: Language, name: str, **settings: Any) -> Callable:
    found = WordSettings(**settings)
    nlp.meta["found"] = dataclasses.asdict(found)
    return lambda doc: doc


def test_a_factory_takes_the_fields():
    names = ["nlp", "name", "words", "kind", "sets", "limit", "nbest", "n_threads", "seed"]
    assert list(inspect.signature(make_pipe).parameters) == names
    nlp = spacy.blank("en")
    nlp.add_pipe("test_settings", config={"limit": 3})
    found = {"words": ["a"], "kind": "short", "sets": [], "limit": 3, "nbest": 0}
    assert nlp.meta["found"] == {**found, "n_threads": 1, "seed": 0}


def test_default_config():
    sets = {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["one.v1", "two.v1"],
        "extra": [],
        "without": [],
        "clusters": [],
    }
    assert {
        "model": {"@architectures": "a.v1"},
        "words": ["a"],
        "kind": "short",
        "sets": sets,
        "limit": None,
        "nbest": 0,
        "n_threads": 1,
        "seed": 0,
        "scorer": {"@scorers": "b.v1"},
    } == DEFAULTS
    block = {"@architectures": "a.v1", "size": 3}
    assert default_config(WordSettings, model=block, scorer="b.v1")["model"] == block


def test_table():
    assert settings_table(WordSettings).splitlines() == [
        "| setting | default | values | meaning |",
        "|---|---|---|---|",
        '| `words` | `["a"]` |  | the words |',
        '| `kind` | `"short"` | `"short"` or `"long"` | which words |',
        "| `sets` | `one.v1`, `two.v1` |  | features |",
        "| `limit` | `null` | 1 or more or `null` | the most words |",
        "| `nbest` | `0` | between 0 and 10000 | number of best answers to keep in "
        "`doc._.nbest[name]`; 0 for none |",
        "| `n_threads` | `1` | between 0 and 1024 | threads that work on a batch at once; 0 for "
        "one per core |",
        "| `seed` | `0` | between 0 and 4294967295 | seed of all that is random in training |",
    ]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"words": "abc"}, "words"),
        ({"limit": "many"}, "limit"),
        ({"limits": 3}, "limits"),
        ({"limit": 0}, "test_settings: `limit` must be 1 or more or None, not 0"),
    ],
)
def test_configs_are_checked_against_the_fields(config: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        spacy.blank("en").add_pipe("test_settings", config=config)


def test_settings_do_not_change():
    settings = WordSettings(sets=[])
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.nbest = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="`nbest` must be between 0 and 10000, not -1"):
        dataclasses.replace(settings, nbest=-1)
    settings.words.append("b")
    assert WordSettings(sets=[]).words == ["a"]
    with pytest.raises(TypeError, match="sets"):
        WordSettings()


# --- All components ---------------------------------------------------------------------------


def templates_of(settings: type[Settings]) -> dict[str, Any]:
    """What Python has to be told, as templates have no default there."""
    names = [item.name for item in dataclasses.fields(settings) if item.name.endswith("templates")]
    return {name: ["c.tag"] for name in names}


def bad_values(settings: type[Settings]) -> Iterator[tuple[str, Any]]:
    """Values just outside of what each setting may have, and of another type."""
    for item in dataclasses.fields(settings):
        limits = item.metadata.get("limits", {})
        yield item.name, object()
        if item.type in (int, float, float | None):
            assert "choices" in limits or "at_least" in limits
            yield from ((item.name, value) for value in (NAN, float("inf"), True, "1"))
        if "at_least" in limits:
            yield item.name, limits["at_least"] - 1
        if "at_most" in limits:
            yield item.name, limits["at_most"] + 1
        if "choices" in limits:
            yield item.name, "another"
        if item.type is int:
            yield item.name, 2.5
        if item.type is bool:
            yield item.name, 1


@pytest.mark.parametrize("settings", FACTORIES)
def test_bad_values_are_refused(settings: type[Settings]):
    for name, value in bad_values(settings):
        given = {**templates_of(settings), name: value}
        with pytest.raises(ValueError, match=rf"^{settings.factory}: `{name}` must be .*, not "):
            settings(**given)


@pytest.mark.parametrize("settings", FACTORIES)
def test_bounds_are_allowed(settings: type[Settings]):
    for item in dataclasses.fields(settings):
        limits = item.metadata.get("limits", {})
        ends = [limits[end] for end in ("at_least", "at_most") if end in limits]
        for value in [*ends, *limits.get("choices", ())]:
            # What MIRA does not go with.
            more = {"order": 1} if value == "mst" else {}
            more |= {"learner": "perceptron"} if (item.name, value) == ("margin", 0) else {}
            more = more if "learner" in {i.name for i in dataclasses.fields(settings)} else {}
            found = settings(**{**templates_of(settings), **more, item.name: value})
            assert getattr(found, item.name) == value


PARSERS = (MiraSettings, EasyFirstSettings)


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        *((settings, {"seed": -1}) for settings in FACTORIES),
        *((settings, {"dropout": share}) for settings in PARSERS for share in (-1.0, 2.0)),
        *((settings, {"guide_dropout": -0.5}) for settings in PARSERS),
    ],
)
def test_refused_in_configs(settings: type[Settings], changes: dict[str, Any], tmp_path: Path):
    """In Python and from a config file."""
    (name,) = changes
    nlp = spacy.blank("en")
    with pytest.raises(ValueError, match=f"{settings.factory}: `{name}` must be "):
        nlp.add_pipe(settings.factory, config=changes)
    nlp.add_pipe(settings.factory)
    config = nlp.config.copy()
    config["components"][settings.factory].update(changes)
    config.to_disk(tmp_path / "config.cfg")
    with pytest.raises(ValueError, match=f"{settings.factory}: `{name}` must be "):
        load_model_from_config(load_config(tmp_path / "config.cfg"))


@pytest.mark.parametrize("settings", FACTORIES)
def test_factories_take_these_settings(settings: type[Settings]):
    """Every setting is an argument of its factory with a default in the config, and there are no
    others."""
    nlp = spacy.blank("en")
    nlp.add_pipe(settings.factory)
    meta = nlp.get_factory_meta(settings.factory)
    factory = getattr(sys.modules[settings.__module__], f"make_{settings.factory}")
    parameters = inspect.signature(factory).parameters
    fields = {item.name: item.type for item in dataclasses.fields(settings)}
    others = {"nlp": Language, "name": str, "model": Model, "scorer": Callable | None}
    assert {name: p.annotation for name, p in parameters.items()} == {**fields, **others}
    assert all(p.default is p.empty for p in parameters.values())
    assert set(meta.default_config) == set(parameters) - {"nlp", "name"}


@pytest.mark.parametrize("settings", FACTORIES)
def test_the_defaults_of_python_and_configs_agree(settings: type[Settings]):
    nlp = spacy.blank("en")
    nlp.add_pipe(settings.factory)
    config = nlp.config["components"][settings.factory]
    found = dataclasses.asdict(settings(**templates_of(settings)))
    for name, value in found.items():
        assert name in templates_of(settings) or config[name] == value
