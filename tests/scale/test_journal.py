"""What attempts leave behind when they die, and what later ones make of it."""

from pathlib import Path

import pytest

from spacy_perceptron.scale.journal import Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".unit.tried"


def die_with(path: Path, *batches: tuple[int, int]) -> None:
    """An attempt that gets to some batches, and dies in the last one."""
    journal = Journal(path)
    for first, last in batches:
        journal.take(first, last)
    journal._close()


def test_a_clean_attempt_leaves_nothing(path: Path):
    journal = Journal(path)
    journal.withdraw()
    assert not path.exists()
    journal.take(0, 10)
    assert path.exists()
    journal.withdraw()
    assert not path.exists()


def test_suspects(path: Path):
    die_with(path, (0, 10), (12, 1_000_000))
    journal = Journal(path)
    assert journal.n_deaths == 1
    assert [journal.is_suspect(p) for p in (0, 10, 12, 500, 1_000_000, 1_000_001)] == [
        *(False, False),
        *(True, True, True),
        False,
    ]
    assert not journal.is_fatal(12)


def test_two_deaths_alone(path: Path):
    die_with(path, (0, 10))
    die_with(path, (3, 3))
    assert not Journal(path).is_fatal(3)
    die_with(path, (4, 4), (3, 3))
    journal = Journal(path)
    assert journal.n_deaths == 3
    assert journal.is_fatal(3)
    assert not journal.is_fatal(4)


def test_withdrawing_keeps_earlier_deaths(path: Path):
    die_with(path, (0, 10))
    journal = Journal(path)
    journal.take(5, 5)
    journal.withdraw()
    again = Journal(path)
    assert again.n_deaths == 1
    assert again.is_suspect(7)
    again.end()
    assert not path.exists()
