"""Damaged files are refused when they are loaded; messages name the component and its folder."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
import srsly
from spacy.language import Language
from thinc.api import Model

from spacy_perceptron.models.seal import PLAIN

from ..contract import CONTRACTS, NAME, Contract
from .files import DAMAGES, N_FLIPS, unseal, unsealed

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
    pytest.mark.filterwarnings("ignore:.*finds no n-best answers"),
]
Damage = Callable[[bytes, random.Random], bytes]
labelled = pytest.mark.parametrize(
    "contract",
    [contract for contract in CONTRACTS if contract.has_labels],
    ids=lambda contract: contract.factory,
    indirect=True,
)


@pytest.fixture(scope="module", params=CONTRACTS, ids=lambda contract: contract.factory)
def contract(request: pytest.FixtureRequest) -> Contract:
    return request.param


@pytest.fixture(scope="module")
def saved(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained pipeline."""
    path = tmp_path_factory.mktemp(contract.factory) / "model"
    contract.train().to_disk(path)
    return path


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    """A copy of the component's folder."""
    path = tmp_path / NAME
    path.mkdir()
    for name in ("cfg", "model"):
        (path / name).write_bytes((saved / NAME / name).read_bytes())
    return path


def load(contract: Contract, folder: Path) -> Language:
    nlp = contract.blank()
    nlp.get_pipe(NAME).from_disk(folder, exclude=["vocab"])
    return nlp


def try_to_load(contract: Contract, folder: Path) -> tuple[Language | None, str]:
    try:
        return load(contract, folder), ""
    except ValueError as error:
        return None, str(error)


def refusal(folder: Path, message: str = "") -> Any:
    return pytest.raises(
        ValueError, match=rf"(?s)^Can't load '{NAME}' from {re.escape(str(folder))}: .*{message}"
    )


@pytest.mark.parametrize("file", ["cfg", "model"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files(contract: Contract, folder: Path, file: str, damage: Damage):
    rng = random.Random(13)
    path = folder / file
    good = path.read_bytes()
    pipe = contract.blank().get_pipe(NAME)
    for _ in range(N_FLIPS):
        path.write_bytes(damage(good, rng))
        with refusal(folder, "train the pipeline again"):
            pipe.from_disk(folder, exclude=["vocab"])
    path.write_bytes(good)
    pipe.from_disk(folder, exclude=["vocab"])


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_bytes(contract: Contract, folder: Path, damage: Damage):
    rng = random.Random(13)
    good = load(contract, folder).get_pipe(NAME).to_bytes(exclude=["vocab"])
    pipe = contract.blank().get_pipe(NAME)
    for _ in range(N_FLIPS):
        with refusal(Path("bytes")):
            pipe.from_bytes(damage(good, rng))
    pipe.from_bytes(good)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_of_old_versions(contract: Contract, folder: Path, damage: Damage):
    """Nothing shows that a weight has another value. What loads can be used."""
    unseal(folder / "model")
    good = (folder / "model").read_bytes()
    rng = random.Random(13)
    for _ in range(N_FLIPS):
        (folder / "model").write_bytes(damage(good, rng))
        nlp, error = try_to_load(contract, folder)
        if nlp is None:
            assert error.startswith(f"Can't load '{NAME}' from {folder}: ")
        else:
            assert len(contract.predict(nlp)) == len(contract.examples(nlp, "dev", limit=20))
    # Whether a flip shows is a matter of chance; that half of a file is missing does.
    (folder / "model").write_bytes(good[: len(good) // 2])
    with refusal(folder):
        load(contract, folder)
    (folder / "model").write_bytes(good)
    assert contract.predict(load(contract, folder))


def test_a_damaged_name_in_an_old_file(contract: Contract, folder: Path):
    """Weights under another name are not taken for a model without weights."""
    unseal(folder / "model")
    name = b"n_examples" if contract.base else b"weights"
    good = (folder / "model").read_bytes()
    assert name in good
    (folder / "model").write_bytes(good.replace(name, name.upper()))
    with refusal(folder, "it holds the model"):
        load(contract, folder)


def test_old_and_new_files_say_the_same(contract: Contract, folder: Path):
    expected = contract.predict(load(contract, folder))
    model = (folder / "model").read_bytes()
    unseal(folder / "model")
    old = load(contract, folder)
    assert contract.predict(old) == expected
    old.get_pipe(NAME).to_disk(folder)
    assert unsealed((folder / "model").read_bytes()) == unsealed(model)


def weights_of(model: Model) -> list[Model]:
    return [node for node in model.walk() if node.has_param("weights")]


@labelled
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers(contract: Contract, folder: Path, value: float):
    """In every table, with and without a seal."""
    nlp = load(contract, folder)
    pipe: Any = nlp.get_pipe(NAME)
    assert weights_of(pipe.model)
    for node in weights_of(pipe.model):
        good = node.get_param("weights")
        bad = good.copy()
        bad[len(bad) // 2] = value
        node.set_param("weights", bad)
        pipe.to_disk(folder, exclude=["vocab"])
        node.set_param("weights", good)
        with refusal(folder, "weights contradict themselves"):
            load(contract, folder)
        unseal(folder / "model")
        with refusal(folder, "weights contradict themselves"):
            load(contract, folder)


@labelled
def test_attributes_of_another_type(contract: Contract, folder: Path):
    """They used to load, and fail at the first doc with the error of whoever needed them."""
    nlp = load(contract, folder)
    pipe: Any = nlp.get_pipe(NAME)
    for node in weights_of(pipe.model):
        for name, good in {**node.attrs}.items():
            for bad in ("text", None, [1, 2], -(2**40)):
                node.attrs[name] = bad
                pipe.to_disk(folder, exclude=["vocab"])
                with refusal(folder):
                    load(contract, folder)
            node.attrs[name] = good
    pipe.to_disk(folder, exclude=["vocab"])
    assert contract.predict(load(contract, folder)) == contract.predict(nlp)


@labelled
def test_labels_on_disk_are_those_of_the_weights(contract: Contract, folder: Path):
    cfg = srsly.read_json(folder / "cfg")
    first, second, *others = cfg["labels"]
    reordered, repeated = [second, first, *others], [first, first, *others]
    for labels in (reordered, repeated):
        srsly.write_json(folder / "cfg", {**cfg, "labels": labels})
        with refusal(folder, "`cfg` is not the file that was saved with `model`"):
            load(contract, folder)
    # Older files: nothing tells that labels have another order, but each is there once.
    unseal(folder / "model")
    for wrong in (repeated, "NN VB", [1, *others], None):
        srsly.write_json(folder / "cfg", {**cfg, "labels": wrong})
        with refusal(folder, "labels must be a list of different strings"):
            load(contract, folder)


def test_a_missing_cfg(contract: Contract, folder: Path):
    (folder / "cfg").unlink()
    with refusal(folder, "`cfg` is not the file that was saved with `model`"):
        load(contract, folder)


def test_a_newer_format(contract: Contract, folder: Path):
    # The seal is checked by its own checksum, so it is made anew.
    from spacy_perceptron.models import seal

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seal.Seal.__init__, "__kwdefaults__", {"format": 2})
        load(contract, folder).get_pipe(NAME).to_disk(folder)
    with refusal(folder, r"format 2, .* reads formats up to 1\. Install a newer version"):
        load(contract, folder)


def test_killed_between_two_renames(contract: Contract, folder: Path):
    """The new model has its name, its `cfg` not yet."""
    nlp = load(contract, folder)
    pipe: Any = nlp.get_pipe(NAME)
    old = (folder / "cfg").read_bytes()
    name = "labels" if contract.has_labels else "mixture"
    pipe.cfg[name] = [*reversed(pipe.cfg[name])] if contract.has_labels else 0.75
    pipe.to_disk(folder, exclude=["vocab"])
    (folder / "cfg").rename(folder / "cfg.unfinished")
    (folder / "cfg").write_bytes(old)
    assert load(contract, folder).get_pipe(NAME).cfg == pipe.cfg
    # The next save leaves nothing behind.
    pipe.to_disk(folder, exclude=["vocab"])
    assert {path.name for path in folder.iterdir()} == {"cfg", "model"}
    # Killed before any rename: the old files count.
    (folder / "cfg.unfinished").write_bytes(old)
    assert load(contract, folder).get_pipe(NAME).cfg == pipe.cfg


def test_damage_changes_nothing_in_a_loaded_component(contract: Contract, folder: Path):
    nlp = load(contract, folder)
    expected = contract.predict(nlp)
    good = (folder / "model").read_bytes()
    (folder / "model").write_bytes(good[:-2] + b"\x00\x01")
    with refusal(folder):
        nlp.get_pipe(NAME).from_disk(folder, exclude=["vocab"])
    assert contract.predict(nlp) == expected


def other_architecture(model: bytes, cfg: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    return model.replace(b"weights", b"WEIGHTS"), cfg


def fewer_labels(model: bytes, cfg: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    return model, {**cfg, "labels": cfg["labels"][1:]}


def cut_weights(model: bytes, cfg: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    parts = srsly.msgpack_loads(model)
    for params in parts["params"]:
        if params.get("weights") is not None:
            params["weights"] = params["weights"][:-1]
    return srsly.msgpack_dumps(parts), cfg


@labelled
@pytest.mark.parametrize("spoil", [other_architecture, fewer_labels, cut_weights])
@pytest.mark.parametrize("is_training", [False, True])
def test_a_refusal_changes_nothing(
    contract: Contract, folder: Path, tmp_path: Path, spoil: Any, is_training: bool
):
    """Files without a seal are found out when they are half loaded."""
    nlp = load(contract, folder)
    pipe: Any = nlp.get_pipe(NAME)
    if is_training:
        pipe.update(contract.examples(nlp, "dev", limit=5))
    expected, labels, saved = contract.predict(nlp), pipe.labels, pipe.to_bytes()
    bad = tmp_path / "bad"
    bad.mkdir()
    model, cfg = (folder / "model").read_bytes(), srsly.read_json(folder / "cfg")
    model, cfg = spoil(unsealed(model), cfg)
    (bad / "model").write_bytes(model)
    srsly.write_json(bad / "cfg", cfg)
    # The same file is refused again, and a good one is not.
    for _ in range(2):
        with refusal(bad):
            pipe.from_disk(bad, exclude=["vocab"])
        assert pipe.labels == labels
        assert contract.predict(nlp) == expected
    assert pipe.to_bytes() == saved
    pipe.from_disk(folder, exclude=["vocab"])
    assert contract.predict(nlp) == contract.predict(load(contract, folder))


def test_a_missing_vocab_changes_nothing(contract: Contract, folder: Path):
    nlp = contract.blank()
    pipe: Any = nlp.get_pipe(NAME)
    cfg = srsly.json_dumps(pipe.cfg)
    with refusal(folder, "vocab"):
        pipe.from_disk(folder)
    assert srsly.json_dumps(pipe.cfg) == cfg
    assert not pipe._has_weights()


def test_thinc_can_read_a_sealed_model(contract: Contract, folder: Path):
    """So can versions without seals."""
    data = (folder / "model").read_bytes()
    assert data[:1] != PLAIN
    model = contract.blank().get_pipe(NAME).model.from_bytes(data)
    assert model.to_bytes() == unsealed(data)


OTHER_SETTINGS: list[tuple[str, dict[str, Any], str]] = [
    ("easy_first_tagger", {"attribute": "pos"}, "attribute"),
    ("easy_first_tagger", {"templates": ["w.lower", "w-1.tag"]}, "templates"),
    ("perceptron_ner", {"search": "easy_first"}, "search"),
    ("perceptron_ner", {"scheme": "biluo"}, "scheme"),
    ("perceptron_ner", {"templates": ["w.lower"]}, "templates"),
    ("mira_parser", {"order": 1}, "templates"),
    ("mira_parser", {"templates": ["p.tag c.tag"]}, "templates"),
    ("mira_parser", {"label_templates": ["p.tag c.tag"]}, "label_templates"),
    ("mira_parser", {"pruner_templates": ["p.tag c.tag"]}, "pruner_templates"),
    ("easy_first_parser", {"templates": ["p.tag c.tag"]}, "templates"),
    ("easy_first_parser", {"tree_label_templates": ["p.tag c.tag"]}, "tree_label_templates"),
]


@pytest.mark.parametrize(("factory", "settings", "name"), OTHER_SETTINGS)
def test_weights_made_with_other_settings(
    factory: str, settings: dict[str, Any], name: str, tmp_path: Path
):
    contract = next(contract for contract in CONTRACTS if contract.factory == factory)
    nlp = contract.train(epochs=1)
    nlp.to_disk(tmp_path)
    message = rf"trained with `{name} = .*`{name} = .*Load it with the settings of its training"
    with refusal(tmp_path / NAME, message):
        spacy.load(tmp_path, config={"components": {NAME: settings}})
    with refusal(Path("bytes"), message):
        contract.blank(**settings).get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    # Without weights there is nothing that could mean something else.
    contract.blank().to_disk(tmp_path)
    spacy.load(tmp_path, config={"components": {NAME: settings}})


@pytest.mark.parametrize("order", [2, 3])
def test_a_parser_of_a_higher_order(order: int, tmp_path: Path):
    """Weights of arcs alone, and templates of siblings and grandparents without any."""
    contract = next(contract for contract in CONTRACTS if contract.factory == "mira_parser")
    contract.train(epochs=1, order=1).to_disk(tmp_path)
    message = r"`templates = \"\d+ templates, \w+, order 1\"`, .*order 2\"`"
    with refusal(tmp_path / NAME, message):
        spacy.load(tmp_path, config={"components": {NAME: {"order": order}}})


def test_settings_of_the_search_can_change(tmp_path: Path):
    contract = next(contract for contract in CONTRACTS if contract.factory == "mira_parser")
    contract.train(epochs=1, order=1).to_disk(tmp_path)
    settings = {"decoder": "mst", "max_heads": 3, "pruning": 0.1, "nbest": 7}
    nlp = spacy.load(tmp_path, config={"components": {NAME: settings}})
    assert contract.predict(nlp)
