"""Seals of model files."""

from pathlib import Path

import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.models.seal import RefusedError, Seal, check_seal, peek_seal, seal_model

DATA = srsly.msgpack_dumps({"nodes": [1, 2], "attrs": [{}], "params": [b"\x00" * 50], "shims": []})
CFG = b'{"labels": ["A", "B"]}'
MADE_WITH = {"order": 2, "templates": "3 templates, 00ff"}
SEALED = seal_model(DATA, cfg=CFG, made_with=MADE_WITH, together={"tagger": "0a"})


def test_what_is_sealed_is_found():
    seal = check_seal(SEALED)
    assert seal is not None
    assert (seal.made_with, seal.together, seal.format) == (MADE_WITH, {"tagger": "0a"}, 1)
    assert seal.has_cfg(CFG)
    assert not seal.has_cfg(CFG.replace(b"A", b"C"))
    assert srsly.msgpack_loads(SEALED).items() >= srsly.msgpack_loads(DATA).items()


def test_no_seal():
    assert check_seal(DATA) is None


@given(st.integers(0, 8 * len(SEALED) - 1))
def test_every_bit_counts(bit: int):
    changed = bytearray(SEALED)
    changed[bit // 8] ^= 1 << bit % 8
    # The first byte says whether there is a seal. Without it, there is too much for a model.
    if changed[:1] == DATA[:1]:
        assert check_seal(bytes(changed)) is None
        with pytest.raises(ValueError, match="extra data"):
            srsly.msgpack_loads(bytes(changed))
        return
    with pytest.raises(ValueError, match=r"checksum|does not start like a model"):
        check_seal(bytes(changed))


@given(st.binary(max_size=40), st.integers(0, len(SEALED)))
def test_other_bytes(data: bytes, n: int):
    """Cut off, or something else."""
    for found in (data, SEALED[:n], SEALED[:n] + data):
        if found != SEALED and found[:1] != DATA[:1]:
            with pytest.raises(ValueError, match=r"checksum|does not start like a model"):
                check_seal(found)


def test_identity_is_about_contents():
    def identity(
        data: bytes = DATA, cfg: bytes | None = CFG, order: int = 2, name: str = "x"
    ) -> str:
        sealed = seal_model(data, cfg=cfg, made_with={"order": order}, together={name: "0a"})
        seal = check_seal(sealed)
        assert seal is not None
        return seal.identity

    assert identity(order=1, name="y") == identity()
    assert len({identity(), identity(DATA + b"\x00"), identity(cfg=b"{}"), identity(cfg=None)}) == 4


def test_settings():
    seal = check_seal(SEALED)
    assert seal is not None
    seal.check_settings(MADE_WITH)
    # Settings that only one side knows: the other one is newer.
    seal.check_settings({"order": 2, "new": True})
    with pytest.raises(RefusedError, match=r"`order = 2`, but .* `order = 1`"):
        seal.check_settings({**MADE_WITH, "order": 1})


def test_peeking(tmp_path: Path):
    path = tmp_path / "model"
    assert peek_seal(path) is None
    for data in (b"", DATA, SEALED[:20], SEALED[:8]):
        path.write_bytes(data)
        assert peek_seal(path) is None
    path.write_bytes(SEALED)
    assert isinstance(peek_seal(path), Seal)
    assert peek_seal(path) == check_seal(SEALED)
