"""Factories: what spaCy imports for every pipeline, and what it makes of it."""

import subprocess
import sys

import pytest
import spacy
from spacy.language import Language

from spacy_perceptron.components._constituents.incremental.settings import IncrementalSettings
from spacy_perceptron.components._sequences.tag_labels import TOKEN_ATTRIBUTES
from spacy_perceptron.components._shared.settings import Settings, own_first, values_of
from spacy_perceptron.components.factories.easy_first_tagger import ATTRIBUTES, TaggerSettings
from spacy_perceptron.components.factories.perceptron_ner import NerSettings
from spacy_perceptron.components.perceptron_ner import SEARCHES
from spacy_perceptron.decode.sequences.entities import SCHEMES
from spacy_perceptron.trees.incremental_grammar import TRANSITIONS

FACTORIES = {
    "easy_first_parser": "EasyFirstParser",
    "easy_first_tagger": "EasyFirstTagger",
    "incremental_parser": "IncrementalParser",
    "kernel_reranker": "KernelReranker",
    "max_margin_parser": "MaxMarginParser",
    "mira_parser": "MiraParser",
    "perceptron_lemmatizer": "PerceptronLemmatizer",
    "perceptron_ner": "PerceptronNer",
    "perceptron_senter": "PerceptronSenter",
}
# With the package itself, its messages and the tools of settings.
AT_MOST = 40
CODE = f"""
import sys
import spacy
nlp = spacy.blank("en")
ours = [name.split(".") for name in sys.modules if name.startswith("spacy_perceptron")]
floors = {{name[1] for name in ours if len(name) > 1}}
slow = floors & {{"answers", "decode", "display", "features", "learn", "models", "trees"}}
assert "components" in floors and not slow, slow
assert len(ours) < {AT_MOST}, len(ours)
nlp.add_pipe("mira_parser")
assert "spacy_perceptron.components.mira_parser" in sys.modules
assert "spacy_perceptron.components.perceptron_ner" not in sys.modules
"""


def test_components_are_imported_when_they_are_made():
    subprocess.run([sys.executable, "-c", CODE], check=True)


@pytest.mark.parametrize(("factory", "component"), FACTORIES.items())
def test_components_are_made(factory: str, component: str):
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe(factory, name="made", config={"seed": 7})
    assert type(pipe).__name__ == component
    assert type(pipe).__module__ == f"spacy_perceptron.components.{factory}"
    assert pipe.name == "made"
    assert Language.get_factory_meta(factory).default_config["seed"] == 0


@pytest.mark.parametrize(
    ("settings", "name", "choices"),
    [
        (IncrementalSettings, "transitions", TRANSITIONS),
        (NerSettings, "scheme", tuple(SCHEMES)),
        (NerSettings, "search", tuple(SEARCHES)),
        (TaggerSettings, "attribute", tuple(TOKEN_ATTRIBUTES)),
    ],
)
def test_choices_are_those_of_decoders(
    settings: type[Settings], name: str, choices: tuple[str, ...]
):
    (item,) = [item for item in own_first(settings) if item.name == name]
    assert values_of(item).choices == choices
    assert tuple(TOKEN_ATTRIBUTES) == ATTRIBUTES
