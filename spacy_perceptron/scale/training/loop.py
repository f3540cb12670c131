"""`spacy train` that can be interrupted: the same loop, config and results, and checkpoints from
which it goes on byte for byte.

The steps are spaCy's own (`train_while_improving`). What is around them follows `spacy.training.
loop.train`, whose place after an interruption nobody else can restore. Training on several machines
needs another loop, between the same preparation (`prepare`) and the same checkpoints.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.training.initialize import init_nlp
from spacy.training.loop import (
    DIR_MODEL_BEST,
    DIR_MODEL_LAST,
    clean_output_dir,
    create_before_to_disk_callback,
    create_evaluation_callback,
    create_train_batches,
    train_while_improving,
    update_meta,
)
from spacy.util import load_model_from_path, registry, resolve_dot_names
from thinc.api import Config, fix_random_seed
from wasabi import Printer

from ...components._shared.base import StructuredPipe
from ...errors import Errors
from ...files import replacing_folder
from .checkpoint import PIPELINE, Checkpoints, Progress, RandomStates
from .fingerprint import check_fingerprint, find_fingerprint
from .replay import Replay

STREAMED = -1


@dataclass
class Run:
    """A training that can begin, or go on.

    nlp (Language): The pipeline, initialized or as it was at the checkpoint.
    trained (list[str]): The components that learn.
    output_path (Optional[Path]): Where pipelines and checkpoints are saved.
    progress (Progress): How far it is.
    """

    nlp: Language
    trained: list[str]
    output_path: Path | None
    progress: Progress

    @property
    def checkpoints(self) -> Checkpoints | None:
        """RETURNS (Optional[Checkpoints]): Its checkpoint, if it has an output folder."""
        return None if self.output_path is None else Checkpoints(self.output_path)


def prepare(
    config: Config,
    output_path: Path | None,
    *,
    resume: bool = False,
    code_path: Path | None = None,
) -> Run:
    """Initialize a pipeline, or load the one of the checkpoint.

    config (Config): The training config, not interpolated.
    output_path (Optional[Path]): Where pipelines and checkpoints are saved.
    resume (bool): Whether to go on from the checkpoint, if there is one.
    code_path (Optional[Path]): A file with code that the config uses.
    RETURNS (Run): The training.
    """
    fingerprint = find_fingerprint(config, code_path)
    if resume and output_path is None:
        raise ValueError(Errors.TRAIN_NO_OUTPUT)
    saved = None
    if resume and output_path is not None:
        checkpoints = Checkpoints(output_path)
        saved = checkpoints.read_progress()
    if saved is None:
        nlp = init_nlp(config)
        return Run(nlp, find_trained(nlp), output_path, Progress(fingerprint))
    check_fingerprint(saved.fingerprint, fingerprint, checkpoints.path)
    if saved.is_finished:
        return Run(Language(), [], output_path, saved)
    best = checkpoints.path.with_name(DIR_MODEL_BEST)
    if not best.exists():
        raise ValueError(Errors.TRAIN_NO_BEST.format(path=best, folder=checkpoints.path))
    nlp = load_model_from_path(checkpoints.path / PIPELINE)
    return Run(nlp, find_trained(nlp), output_path, saved)


def find_trained(nlp: Language) -> list[str]:
    """Find the components that learn. Raises ValueError if the state of one can't be kept.

    nlp (Language): The pipeline.
    RETURNS (list[str]): Their names.
    """
    training = nlp.config.interpolate()["training"]
    frozen, annotating = training["frozen_components"], training["annotating_components"]
    trained = []
    for name, pipe in nlp.pipeline:
        is_trainable = getattr(pipe, "is_trainable", False)
        if (
            name in frozen
            or not is_trainable
            or getattr(pipe, "model", None) in (True, False, None)
        ):
            continue
        if not isinstance(pipe, StructuredPipe):
            factory = nlp.get_pipe_meta(name).factory
            raise ValueError(Errors.TRAIN_OTHERS.format(name=name, factory=factory))
        base = getattr(pipe, "base", None)
        # Otherwise its answers are in the corpus.
        if base in annotating and base not in frozen:
            raise ValueError(Errors.TRAIN_BASE.format(name=name, base=base))
        trained.append(name)
    return trained


def train(
    run: Run,
    *,
    every: int | None = None,
    stdout: IO | None = None,
    stderr: IO | None = None,
) -> None:
    """Train a pipeline to the end.

    run (Run): What `prepare` returned.
    every (Optional[int]): The number of steps between checkpoints; None: one at each evaluation.
    stdout, stderr (Optional[IO]): Where to write messages; None: as usual.
    """
    stdout, stderr = stdout or sys.stdout, stderr or sys.stderr
    if run.progress.is_finished:
        return
    loop = _Loop(run, every, Printer(no_print=True), stdout)
    loop.run(stdout, stderr)


class _Loop:
    """What is around the steps of spaCy's loop.

    run (Run): The training.
    every (Optional[int]): The number of steps between checkpoints; None: one at each evaluation.
    msg (Printer): Makes messages.
    stdout (IO): Where to write them.
    """

    def __init__(self, run: Run, every: int | None, msg: Printer, stdout: IO) -> None:
        self.nlp, self.output_path, self.every = run.nlp, run.output_path, every
        self.checkpoints, self.trained = run.checkpoints, run.trained
        self.msg, self.stdout = msg, stdout
        config = run.nlp.config.interpolate()
        if config["training"]["seed"] is not None:
            fix_random_seed(config["training"]["seed"])
        self.settings = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        names = [self.settings["train_corpus"], self.settings["dev_corpus"]]
        self.train_corpus, self.dev_corpus = resolve_dot_names(config, names)
        self.before_to_disk = create_before_to_disk_callback(self.settings["before_to_disk"])
        random_states = RandomStates()
        self.is_resumed = run.progress.step >= 0
        if self.checkpoints is not None and self.is_resumed:
            random_states = self.checkpoints.read_random_states()
        self.replay = Replay(run.nlp, run.progress, random_states)

    def run(self, stdout: IO, stderr: IO) -> None:
        """Train to the end."""
        frozen = self.settings["frozen_components"]
        self._begin()
        with self.nlp.select_pipes(disable=frozen):
            log_step, finalize_logger = self.settings["logger"](self.nlp, stdout, stderr)
        try:
            for _, info, is_best in self._steps():
                if not self.replay.is_repeating and not self.replay.is_at_checkpoint:
                    self._finish_step(info, is_best)
                elif is_best is not None and self.output_path is not None:
                    info["output_path"] = str(self.output_path / DIR_MODEL_LAST)
                log_step(info if is_best is not None else None)
                if self.replay.is_at_checkpoint and self.is_resumed:
                    self._restore()
        except Exception as error:
            if self.output_path is not None:
                self._say("warn", f"Aborting and saving the last model. Exception: {error!r}")
            raise
        finally:
            finalize_logger()
            # Before the checkpoint is reached, the models are still those of its time.
            if not self.replay.is_repeating:
                self._save(is_best=False)
        if self.checkpoints is not None and self.output_path is not None:
            self.checkpoints.finish(self.replay.progress)
            self._say("good", f"Saved pipeline to {self.output_path / DIR_MODEL_LAST}")

    def _begin(self) -> None:
        """Clean the output folder and say what is to be trained."""
        if not self.is_resumed:
            # The checkpoint goes first: it can't do without the models.
            if self.checkpoints is not None:
                self.checkpoints.remove()
            clean_output_dir(self.output_path)
        self._say("info", f"Pipeline: {self.nlp.pipe_names}")
        if frozen := self.settings["frozen_components"]:
            self._say("info", f"Frozen components: {frozen}")
        if annotating := self.settings["annotating_components"]:
            self._say("info", f"Set annotations on update for: {annotating}")
        if self.is_resumed:
            self._say("info", f"Going on after step {self.replay.progress.step}")

    def _steps(self) -> Iterator[tuple[Any, dict[str, Any], bool | None]]:
        """spaCy's steps, with those before the checkpoint repeated."""
        settings, replay = self.settings, self.replay
        before_update = settings["before_update"]
        is_streamed = settings["max_epochs"] == STREAMED
        corpus = (replay.streamed if is_streamed else replay.corpus)(self.train_corpus)
        batches = create_train_batches(
            replay,  # type: ignore[arg-type]
            corpus,
            replay.batcher(settings["batcher"]),
            settings["max_epochs"],
        )
        evaluate = create_evaluation_callback(self.nlp, self.dev_corpus, settings["score_weights"])
        return train_while_improving(
            replay,  # type: ignore[arg-type]
            settings["optimizer"],
            replay.steps(batches),
            replay.evaluation(evaluate),
            dropout=settings["dropout"],
            accumulate_gradient=settings["accumulate_gradient"],
            patience=settings["patience"],
            max_steps=settings["max_steps"],
            eval_frequency=settings["eval_frequency"],
            exclude=settings["frozen_components"],
            annotating_components=settings["annotating_components"],
            before_update=before_update and (lambda _, args: before_update(self.nlp, args)),
        )

    def _finish_step(self, info: dict[str, Any], is_best: bool | None) -> None:
        """Save what a new step has made."""
        is_evaluated = is_best is not None
        self.replay.note(info, is_evaluated=is_evaluated)
        if is_evaluated:
            with self.nlp.select_pipes(disable=self.settings["frozen_components"]):
                update_meta(self.settings, self.nlp, info)
            if self.output_path is not None:
                self._save(is_best=bool(is_best))
                info["output_path"] = str(self.output_path / DIR_MODEL_LAST)
        step = info["step"]
        is_due = is_evaluated if self.every is None else step > 0 and step % self.every == 0
        if self.checkpoints is not None and is_due:
            replay = self.replay
            self.checkpoints.save(
                self.nlp, self.trained, replay.progress, replay.random_states, replay.references
            )

    def _save(self, *, is_best: bool) -> None:
        """Save the pipeline as model-last and, if it is the best one, as model-best."""
        if self.output_path is None:
            return
        last = self.output_path / DIR_MODEL_LAST
        with self.nlp.use_params(self.settings["optimizer"].averages):
            self.before_to_disk(self.nlp).to_disk(last)
        if is_best:
            with replacing_folder(self.output_path / DIR_MODEL_BEST, keep_others=False) as folder:
                shutil.copytree(last, folder, dirs_exist_ok=True)

    def _restore(self) -> None:
        """The checkpoint is reached again: take over the states of that time."""
        self.is_resumed = False
        assert self.checkpoints is not None
        self.replay.go_on()
        self.checkpoints.restore(self.nlp, self.trained, self.replay.references)

    def _say(self, kind: str, text: str) -> None:
        """Print a message in the manner of spaCy's loop."""
        print(getattr(self.msg, kind)(text), file=self.stdout, flush=True)
