"""The configs in `configs/` are what the recipes make."""

import pytest
from spacy.util import load_config, load_model_from_config

from spacy_perceptron.recipes.shipped import SHIPPED, shipped_config

from ..real_data import REPOSITORY

CONFIGS = REPOSITORY / "configs"


def test_all_configs_have_a_recipe():
    assert {path.stem for path in CONFIGS.glob("*.cfg")} == set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_configs_are_made_by_recipes(name: str):
    text = (CONFIGS / f"{name}.cfg").read_text(encoding="utf-8")
    assert text == shipped_config(name), "run python docs/make_configs.py"


@pytest.mark.parametrize("name", SHIPPED)
def test_configs_are_complete(name: str):
    """spaCy has nothing to fill in."""
    config = load_config(CONFIGS / f"{name}.cfg")
    nlp = load_model_from_config(config, auto_fill=True)
    assert nlp.pipe_names == config["nlp"]["pipeline"]
    for pipe in nlp.pipe_names:
        assert nlp.config["components"][pipe] == config["components"][pipe]
    assert nlp.config["training"].keys() == config["training"].keys()
