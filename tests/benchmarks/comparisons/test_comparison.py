"""The choice of systems and the scale."""

from __future__ import annotations

import pytest

from benchmarks.comparisons.comparison import QUICK, Scale, choose_systems, is_installed
from benchmarks.parser import GROUPS
from benchmarks.systems.peers.udpipe import UdpipeSystem


def test_missing_library_is_named() -> None:
    assert is_installed("spacy.tokens")
    assert not is_installed("no_such_package.module")
    system = UdpipeSystem(library="no_such_package.module")
    with pytest.raises(ImportError, match="UDPipe 1, beam 5 needs no_such_package"):
        choose_systems([system], ["udpipe"], GROUPS)


def test_small_scale_fits() -> None:
    assert Scale(**QUICK).repetitions < Scale().repetitions
