"""Components load beside those that they were saved with, or that were put there on purpose."""

import errno
import shutil
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

from spacy_perceptron import save_pipeline

from .files import unseal
from .pipelines import NAMES, answers, train

Pair = tuple[Path, Path]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """Two pipelines that were trained on different sentences."""
    folder = tmp_path_factory.mktemp("pair")
    for split in ("train", "dev"):
        train(split).to_disk(folder / split)
    return folder / "train", folder / "dev"


@pytest.fixture
def old(pair: Pair, tmp_path: Path) -> Path:
    """A copy of the first one."""
    return Path(shutil.copytree(pair[0], tmp_path / "model"))


def put(name: str, source: Path, target: Path) -> None:
    """Copy a component by hand."""
    shutil.rmtree(target / name)
    shutil.copytree(source / name, target / name)


def test_pipelines_differ(pair: Pair):
    first, second = (answers(spacy.load(path)) for path in pair)
    for component in range(len(NAMES)):
        assert [token[component] for token in first] != [token[component] for token in second]


@pytest.mark.parametrize("n", [1, 2])
def test_an_interrupted_save(pair: Pair, old: Path, n: int):
    for name in NAMES[:n]:
        put(name, pair[1], old)
    message = (
        f"(?s)Can't load '{NAMES[n]}' from .*{NAMES[n]}: it was not saved together with "
        f"'({'|'.join(NAMES[:n])})'.*interrupted"
    )
    with pytest.raises(ValueError, match=message):
        spacy.load(old)
    # The components that belong together are not lost.
    nlp = spacy.load(old, exclude=NAMES[n:])
    assert nlp.pipe_names == ["sentencizer", *NAMES[:n]]
    put(NAMES[n], pair[1], old)
    for name in NAMES[n + 1 :]:
        put(name, pair[1], old)
    assert answers(spacy.load(old)) == answers(spacy.load(pair[1]))


def test_a_save_over_an_old_version_interrupted(pair: Pair, old: Path):
    for name in NAMES:
        unseal(old / name / "model")
    assert answers(spacy.load(old)) == answers(spacy.load(pair[0]))
    put("tagger", pair[1], old)
    with pytest.raises(ValueError, match=r"'parser' .*not saved together with 'tagger'"):
        spacy.load(old)


def test_a_save_with_one_more_component_interrupted(pair: Pair, tmp_path: Path):
    """The old parser knows of no tagger, but there is one."""
    nlp = spacy.load(pair[0], exclude=["tagger", "ner"])
    nlp.to_disk(tmp_path / "model")
    for name in ("tagger", "meta.json", "config.cfg"):
        copy = shutil.copytree if name == "tagger" else shutil.copy
        copy(pair[1] / name, tmp_path / "model" / name)
    with pytest.raises(ValueError, match=r"'parser' .*not saved together with 'tagger'"):
        spacy.load(tmp_path / "model", exclude=["ner"])


def test_equal_components_are_no_mixture(pair: Pair, old: Path, tmp_path: Path):
    """A pipeline with another parser after the same tagger."""
    new = spacy.load(old)
    new.remove_pipe("parser")
    new.remove_pipe("ner")
    for name in ("parser", "ner"):
        new.add_pipe(name, source=spacy.load(pair[1]))
    new.to_disk(tmp_path / "new")
    put("tagger", tmp_path / "new", old)
    assert answers(spacy.load(old)) == answers(spacy.load(pair[0]))


@pytest.mark.parametrize("name", NAMES)
def test_one_component_saved_into_a_pipeline(pair: Pair, old: Path, name: str):
    """As a user does: the component alone, over the old one."""
    other = spacy.load(pair[1])
    other.get_pipe(name).to_disk(old / name)
    nlp, expected = spacy.load(old), combine(pair, name)
    assert answers(nlp) == answers(expected)
    # Saved as a whole, all of them belong together again.
    nlp.to_disk(old)
    assert answers(spacy.load(old)) == answers(expected)
    put(NAMES[1] if name == NAMES[0] else NAMES[0], pair[1], old)
    with pytest.raises(ValueError, match="not saved together"):
        spacy.load(old)


def combine(pair: Pair, name: str) -> Language:
    """The first pipeline with one component of the second one."""
    nlp, other = spacy.load(pair[0]), spacy.load(pair[1])
    nlp.get_pipe(name).from_bytes(other.get_pipe(name).to_bytes())
    return nlp


def test_components_from_two_pipelines(pair: Pair, tmp_path: Path):
    nlp = spacy.load(pair[0])
    nlp.remove_pipe("tagger")
    nlp.add_pipe("tagger", source=spacy.load(pair[1]), before="parser")
    expected = answers(nlp)
    nlp.to_disk(tmp_path)
    assert answers(spacy.load(tmp_path)) == expected == answers(combine(pair, "tagger"))


def test_assembled(pair: Pair, tmp_path: Path):
    """`spacy assemble` sources components from two pipelines."""
    config = spacy.load(pair[0]).config.copy()
    for name, path in (("tagger", pair[1]), ("parser", pair[0]), ("ner", pair[0])):
        config["components"][name] = {"source": str(path)}
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    nlp.to_disk(tmp_path)
    assert answers(spacy.load(tmp_path)) == answers(combine(pair, "tagger"))


def test_components_left_out_or_loaded_alone(pair: Pair, old: Path, tmp_path: Path):
    expected = answers(spacy.load(old))
    nlp = spacy.load(old, exclude=["tagger"])
    assert nlp.pipe_names == ["sentencizer", "parser", "ner"]
    shutil.rmtree(old / "tagger")
    assert spacy.load(old, exclude=["tagger"]).pipe_names == nlp.pipe_names
    # In other company, or none, a component can still be read.
    put("parser", pair[1], old)
    shutil.copytree(old / "parser", tmp_path / "parser")
    nlp.get_pipe("parser").from_disk(tmp_path / "parser", exclude=["vocab"])
    whole = spacy.load(pair[0])
    whole.to_disk(tmp_path / "part", exclude=["ner"])
    part = spacy.load(tmp_path / "part", exclude=["ner"])
    assert [token[:2] for token in answers(part)] == [token[:2] for token in expected]


def test_the_same_pipeline_gives_the_same_files(pair: Pair, tmp_path: Path):
    nlp = spacy.load(pair[0])
    for _ in range(2):
        nlp.to_disk(tmp_path / "again")
        for name in NAMES:
            for file in ("cfg", "model"):
                found, expected = (p / name / file for p in (tmp_path / "again", pair[0]))
                assert found.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_saved_as_a_whole_without_a_component(pair: Pair, old: Path, name: str):
    """The old one stays, and belongs to the others."""
    nlp = spacy.load(old)
    save_pipeline(nlp, old, exclude=[name])
    assert answers(spacy.load(old)) == answers(nlp)


@pytest.mark.parametrize(
    ("method", "code"), [("mkdir", errno.EACCES), ("rename", errno.EBUSY), ("rename", errno.EXDEV)]
)
def test_a_folder_that_cannot_be_replaced(
    pair: Pair, old: Path, method: str, code: int, monkeypatch: pytest.MonkeyPatch
):
    """In a folder without the right to write, at a mount point, in an image of a container."""
    original = getattr(Path, method)

    def refuse(path: Path, *args: object, **kwargs: object) -> object:
        if path.parent == old.parent:
            raise OSError(code, "refused", str(path))
        return original(path, *args, **kwargs)

    monkeypatch.setattr(Path, method, refuse)
    monkeypatch.setattr("spacy_perceptron.files._exchange", lambda one, other: False)
    nlp = spacy.load(pair[1])
    with pytest.warns(UserWarning, match="refused.*replaced one by one"):
        save_pipeline(nlp, old)
    assert answers(spacy.load(old)) == answers(nlp)
    assert [path.name for path in old.parent.iterdir()] == ["model"]
