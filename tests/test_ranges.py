"""Every number that a registered function takes has a range, and what lies outside is refused with
its name."""

import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spacy_perceptron.corpus.jackknife.reader import create_jackknifed_reader
from spacy_perceptron.corpus.reader import create_gold_token_reader
from spacy_perceptron.corpus.sample import create_sample_treebank_reader
from spacy_perceptron.models.hashed import HashedModel
from spacy_perceptron.models.kernel import KernelModel
from spacy_perceptron.models.linear import LinearModel
from spacy_perceptron.models.parser import EasyFirstModel, ParserModel

# What each of them needs beside its defaults.
FUNCTIONS: dict[Callable, dict[str, Any]] = {
    LinearModel: {},
    ParserModel: {},
    EasyFirstModel: {},
    HashedModel: {},
    KernelModel: {"kernel": "tagging", "decay": 0.5, "base_weight": 0.0},
    create_gold_token_reader: {"path": Path(__file__)},
    create_sample_treebank_reader: {},
    create_jackknifed_reader: {"path": Path(__file__), "components": ["tagger"]},
}
NUMBERS = (int, float, int | dict[str, int] | None)


def numbers(function: Callable) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.annotation in NUMBERS:
            yield name


CASES = [(function, name) for function in FUNCTIONS for name in numbers(function)]


def test_there_are_numbers():
    assert len(CASES) >= 19


@pytest.mark.parametrize("value", [-1, math.nan, math.inf, True, "1"])
@pytest.mark.parametrize(("function", "name"), CASES)
def test_numbers_out_of_range(function: Callable, name: str, value: Any):
    with pytest.raises(ValueError, match=rf"^`{name}` must be .*, not "):
        function(**{**FUNCTIONS[function], name: value})
