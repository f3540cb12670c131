"""Rounds of shards in this process."""

import io
import re
import time
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp

from spacy_perceptron.errors import Errors
from spacy_perceptron.scale.training.mixing import LocalShards, MixedTraining, Progress
from spacy_perceptron.scale.training.rounds import RoundCheckpoint
from spacy_perceptron.scale.training.shard import NO_DOCS, PipelineState, RoundReport, trained_pipes

from ...components.contract import CONTRACTS, NAME, Contract
from .shards import TAGGER, equal, make_config, make_shards, start_of

N_TRAIN, N_DEV = 11, 8
MIXABLE = [contract for contract in CONTRACTS if contract.base is None]
FINGERPRINT = {"config": {"--workers": 2}, "files": {}, "versions": {}}


def run(
    nlp: Language, shards: LocalShards, output: Path, progress: Progress | None = None
) -> tuple[MixedTraining, str]:
    """Train to the end. RETURNS: The training, and what it has shown."""
    checkpoint = RoundCheckpoint(output, FINGERPRINT)
    shown = io.StringIO()
    training = MixedTraining(
        nlp, shards, output, keep=checkpoint.save, progress=progress, stdout=shown, stderr=shown
    )
    training.run()
    return training, shown.getvalue()


@pytest.mark.parametrize("contract", MIXABLE, ids=lambda contract: contract.id)
def test_a_repeated_round_ends_the_same(contract: Contract, sample_folder: Path, tmp_path: Path):
    """In the same shards, and in new ones, as after the death of a worker."""
    nlp = init_nlp(make_config(contract, sample_folder, tmp_path))
    shards = make_shards(nlp, 2)
    shards.take(start_of(nlp))
    _, first = shards.run(0)
    report, second = shards.run(1)
    for other in (shards, make_shards(nlp, 2)):
        other.take(first)
        again, state = other.run(1)
        assert equal(state[NAME], second[NAME])
        assert again.losses == report.losses
    # Every shard has learned from its own examples, once in each round.
    assert int(first[NAME]["n_examples"]) >= N_TRAIN
    assert int(second[NAME]["n_examples"]) == 2 * int(first[NAME]["n_examples"])
    assert not equal(first[NAME], second[NAME])


def test_a_single_shard_is_left_alone(sample_folder: Path, tmp_path: Path):
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    shards = make_shards(nlp, 1)
    shards.take(start_of(nlp))
    report, state = shards.run(0)
    assert report.n_steps == 6
    assert int(state[NAME]["n_examples"]) == N_TRAIN
    # Not a mean of anything: the state that the shard's own component is in.
    own = shards._shards[0]._pipes[NAME].get_state(NO_DOCS)
    assert equal(state[NAME], own)


def test_training_saves_the_best_and_the_last(sample_folder: Path, tmp_path: Path):
    config = make_config(TAGGER, sample_folder, tmp_path, max_epochs=6)
    nlp = init_nlp(config)
    shards = make_shards(nlp, 2)
    shards.take(start_of(nlp))
    training, shown = run(nlp, shards, tmp_path / "out")
    progress = training.progress
    assert progress.n_rounds == 6
    # Eleven examples in batches of two: three in each shard.
    assert [step for _, step in progress.results] == [6, 12, 18, 24, 30, 36]
    assert progress.n_words == 6 * sum(len(doc.reference) for doc in TAGGER.examples(nlp, limit=11))
    scores = [score for score, _ in progress.results]
    assert scores[-1] > scores[0]
    for name, score in (("model-best", max(scores)), ("model-last", scores[-1])):
        saved = spacy.load(tmp_path / "out" / name)
        examples = TAGGER.examples(saved, "dev", limit=N_DEV)
        assert saved.evaluate(examples)[TAGGER.score] == pytest.approx(score)
        assert saved.meta["performance"][TAGGER.score] == pytest.approx(score)
    rows = [line.split() for line in shown.splitlines() if line.strip()[:1].isdigit()]
    assert [(row[0], row[1]) for row in rows] == [(str(i), str(6 * i + 6)) for i in range(6)]


def test_going_on_after_a_round(sample_folder: Path, tmp_path: Path):
    """As if there had been no break: model, scores and weights."""
    whole = init_nlp(make_config(TAGGER, sample_folder, tmp_path, max_epochs=4))
    shards = make_shards(whole, 2)
    shards.take(start_of(whole))
    expected, _ = run(whole, shards, tmp_path / "whole")

    class Interrupted(LocalShards):
        def run(self, round_: int) -> tuple[RoundReport, PipelineState]:
            if round_ == 2:
                raise KeyboardInterrupt
            return super().run(round_)

    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path, max_epochs=4))
    shards = make_shards(nlp, 2)
    shards.__class__ = Interrupted
    shards.take(start_of(nlp))
    with pytest.raises(KeyboardInterrupt):
        run(nlp, shards, tmp_path / "broken")
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path, max_epochs=4))
    state, progress = RoundCheckpoint(tmp_path / "broken", FINGERPRINT).load()
    assert progress.n_rounds == 2
    shards = make_shards(nlp, 2)
    shards.take(state)
    resumed, _ = run(nlp, shards, tmp_path / "broken", progress)
    assert resumed.progress.results == expected.progress.results
    for model in ("model-best", "model-last"):
        files = [path for path in (tmp_path / "whole" / model).rglob("*") if path.is_file()]
        for path in files:
            other = tmp_path / "broken" / path.relative_to(tmp_path / "whole")
            assert path.read_bytes() == other.read_bytes()


def test_checkpoints_of_other_trainings_are_refused(sample_folder: Path, tmp_path: Path):
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    checkpoint = RoundCheckpoint(tmp_path, FINGERPRINT)
    assert not checkpoint.exists
    checkpoint.save(start_of(nlp), Progress())
    assert checkpoint.exists
    other = {**FINGERPRINT, "config": {"--workers": 3}}
    with pytest.raises(ValueError, match="--workers was 2 and is 3"):
        RoundCheckpoint(tmp_path, other).load()
    (checkpoint.path / "0.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="can't be read"):
        checkpoint.load()


@pytest.mark.parametrize(
    ("limits", "n_rounds"),
    [
        ({"max_epochs": 3}, 3),
        ({"max_steps": 15}, 2),
        ({"max_epochs": 3, "max_steps": 100}, 3),
        # The best score is that of 20 steps: 30 more are waited for.
        ({"patience": 30}, 5),
        ({"patience": 30, "max_epochs": 4}, 4),
    ],
)
def test_when_training_ends(limits: dict[str, int], n_rounds: int):
    training = {"max_epochs": 0, "max_steps": 0, "patience": 0, **limits}
    progress = Progress()
    for score in (0.5, 0.75, 0.75, 0.5, 0.75, 0.5):
        if progress.is_over(training):
            break
        progress.add(RoundReport(n_steps=10), score)
    assert progress.n_rounds == n_rounds


def test_what_cannot_be_mixed_is_refused(sample_folder: Path, tmp_path: Path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("tagger", name="foreign")
    with pytest.raises(ValueError, match="foreign"):
        trained_pipes(nlp)
    nlp.config["training"]["frozen_components"] = ["foreign"]
    with pytest.raises(ValueError, match=re.escape(Errors.MIXING_NOTHING)):
        trained_pipes(nlp)
    for contract in CONTRACTS:
        if contract.base is not None:
            nlp = contract.blank()
            nlp.config["training"]["frozen_components"] = ["base"]
            with pytest.raises(ValueError, match=f"'{NAME}' can't be trained by several workers"):
                trained_pipes(nlp)
    nlp = spacy.blank("xx")
    nlp.add_pipe("max_margin_parser", config={"learner": "smo"})
    with pytest.raises(ValueError, match="made of the examples"):
        trained_pipes(nlp)


def test_more_shards_than_examples(sample_folder: Path, tmp_path: Path):
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    with pytest.raises(ValueError, match=r"for shard 12 of 12\. Use fewer workers"):
        make_shards(nlp, 12)


def test_a_round_learns_as_long_as_its_slowest_shard(sample_folder: Path, tmp_path: Path):
    """What is left of the round is for mixing."""
    reports = [RoundReport(n_steps=1, learn_seconds=seconds) for seconds in (1.0, 3.0, 2.0)]
    assert RoundReport.sum(reports).learn_seconds == 3.0
    nlp = init_nlp(make_config(TAGGER, sample_folder, tmp_path))
    shards = make_shards(nlp, 2)
    shards.take(start_of(nlp))
    began = time.perf_counter()
    report, _ = shards.run(0)
    assert 0 < report.learn_seconds < time.perf_counter() - began
