"""Each parser of the contract, trained."""

from typing import Any

import pytest
from spacy.language import Language

from ..parsers import NAME, PARSERS, Parser

# Docs of words alone, which many tests make, are less than parsers ask for.
IGNORED = ("The docs to parse have no tags", "Some docs to parse have no sentence boundaries")


def pytest_itemcollected(item: pytest.Item) -> None:
    for message in IGNORED:
        item.add_marker(pytest.mark.filterwarnings(f"ignore:{message}"))


@pytest.fixture(params=PARSERS, ids=lambda parser: parser.id)
def parser(request: pytest.FixtureRequest) -> Parser:
    return request.param


@pytest.fixture
def nlp(parser: Parser) -> Language:
    """A trained pipeline of the test's own."""
    return parser.load()


@pytest.fixture
def pipe(nlp: Language) -> Any:
    return nlp.get_pipe(NAME)
