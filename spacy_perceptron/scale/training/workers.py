"""Training of a config by several workers."""

import sys
from pathlib import Path
from typing import IO

from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import clean_output_dir
from thinc.api import Config

from ...corpus.jackknife.engines import folds_run_by
from ..cluster import connected, require_ray
from .fingerprint import CONFIG, find_fingerprint
from .jackknife import RayFolds
from .mixing import MixedTraining, Progress
from .ray_training import RayShards, Setup
from .rounds import RoundCheckpoint
from .shard import NO_DOCS, PipelineState, trained_pipes


def train_on_workers(
    config: Config,
    output_path: Path,
    *,
    n_workers: int,
    address: str | None = None,
    code: Path | None = None,
    resume: bool = False,
    stdout: IO = sys.stdout,
    stderr: IO = sys.stderr,
) -> Language:
    """Train a pipeline on Ray, by iterative parameter mixing. Folds of jackknifed corpora are
    trained on Ray, too.

    config (Config): The config, not interpolated.
    output_path (Path): Where pipelines and the checkpoint go.
    n_workers (int): How many workers there are, each with a shard of the corpus.
    address (Optional[str]): Address of a cluster; None to start Ray on this machine.
    code (Optional[Path]): A Python file that workers import first.
    resume (bool): Go on after the last complete round, if there is one.
    stdout, stderr (IO): Where the logger writes.
    RETURNS (Language): The pipeline, with the weights after the last round.
    """
    require_ray()
    fingerprint = find_fingerprint(config, code)
    fingerprint[CONFIG]["--workers"] = n_workers
    checkpoint = RoundCheckpoint(output_path, fingerprint)
    with connected(address, n_workers) as ray:
        with folds_run_by(RayFolds(ray)):
            nlp = init_nlp(config)
        state, progress = _start(nlp), Progress()
        if resume and checkpoint.exists:
            state, progress = checkpoint.load()
        else:
            clean_output_dir(output_path)
            checkpoint.remove()
        if progress.is_over(nlp.config["training"]):
            return nlp
        shards = RayShards(ray, Setup(nlp.config.to_str(), nlp.to_bytes(), n_workers, code))
        shards.take(state)
        training = MixedTraining(
            nlp,
            shards,
            output_path,
            keep=checkpoint.save,
            progress=progress,
            stdout=stdout,
            stderr=stderr,
        )
        return training.run()


def _start(nlp: Language) -> PipelineState:
    """What training starts from, with what `initialize` has counted."""
    return {name: pipe.get_state(NO_DOCS) for name, pipe in trained_pipes(nlp).items()}
