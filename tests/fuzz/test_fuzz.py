"""A short run of the fuzzing in this folder. `python -m tests.fuzz` is the long one."""

import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from .actions import ACTIONS
from .campaign import Campaign
from .components import SUBJECTS
from .strategies import randoms

CAMPAIGN = Campaign(seed=0)
SLOW = [HealthCheck.too_slow]


@pytest.mark.parametrize("name", SUBJECTS)
@given(rng=randoms(shrinks=False), action=st.sampled_from(sorted(ACTIONS)))
@settings(max_examples=12, deadline=None, phases=[Phase.generate], suppress_health_check=SLOW)
def test_anything_may_happen(name: str, rng: random.Random, action: str):
    CAMPAIGN.take(action, CAMPAIGN.start_case(rng, SUBJECTS[name], n_docs=2))
