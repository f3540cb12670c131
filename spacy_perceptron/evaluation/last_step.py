"""A logger for [training] that evaluates the last step and keeps it if it is the best. It also sees
to it that models are saved with the scores that were measured, and no others (`model_card`).

spaCy's loop evaluates step 0 and then every `eval_frequency`th. What is learned after the last of
these is only ever saved as model-last, and where a training is shorter than `eval_frequency`,
model-best has seen a single batch. The logger is the one part of a config that is called when the
loop is over, however it ended (`max_epochs`, `max_steps`, `patience`), with the pipeline as
training left it. It changes nothing in between: neither the steps nor the order of examples.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from spacy.language import Language
from spacy.schemas import ConfigSchemaTraining
from spacy.training.loop import (
    DIR_MODEL_BEST,
    create_before_to_disk_callback,
    create_evaluation_callback,
    update_meta,
)
from spacy.util import registry, resolve_dot_names
from wasabi import Printer

from ..errors import Warnings
from ..files import replacing_folder
from .model_card import clean_performance, clean_saved

LOGGER_NAME = "spacy_perceptron.last_step.v1"

LogStep = Callable[[dict[str, Any] | None], None]
Logger = Callable[[Language, IO, IO], tuple[LogStep, Callable[[], None]]]


def create_last_step_logger(logger: Logger | None = None) -> Logger:
    """Create a logger that also evaluates the last step.

    logger (Optional[Callable]): The logger that shows the other steps; None for spaCy's table.
    RETURNS (Callable): The logger.
    """
    show = logger or registry.get("loggers", "spacy.ConsoleLogger.v3")()

    def setup(
        nlp: Language, stdout: IO = sys.stdout, stderr: IO = sys.stderr
    ) -> tuple[LogStep, Callable[[], None]]:
        show_step, close = show(nlp, stdout, stderr)
        last_step = LastStep(nlp, stdout)

        def log_step(info: dict[str, Any] | None) -> None:
            show_step(info)
            last_step.note(info)

        def finalize() -> None:
            close()
            # After an error or Ctrl-C, the models that are there should be left alone.
            if sys.exc_info()[0] is None:
                last_step.try_to_evaluate()

        return log_step, finalize

    return setup


class LastStep:
    """Knows whether the last step was evaluated, and makes up for it.

    nlp (Language): The pipeline in training.
    stdout (IO): Where to say how good the last step is.
    """

    def __init__(self, nlp: Language, stdout: IO) -> None:
        self.nlp, self.stdout = nlp, stdout
        self.step = -1
        self.is_evaluated = True
        self.checkpoints: list[tuple[float, int]] = []
        self.output_path: Path | None = None
        self.best_scores: dict[str, Any] = {}

    def note(self, info: dict[str, Any] | None) -> None:
        """Take note of a step.

        info (Optional[dict]): What spaCy's loop says about it; None if it was not evaluated.
        """
        self.step += 1
        self.is_evaluated = info is not None
        if info is not None:
            self.checkpoints = info["checkpoints"]
            if info["score"] >= max(self.checkpoints)[0]:
                self.best_scores = info["other_scores"]
            self._clean(info["other_scores"])
            if "output_path" in info:
                self.output_path = Path(info["output_path"]).parent

    def try_to_evaluate(self) -> None:
        """Evaluate the last step. An error would keep spaCy from saving model-last."""
        try:
            if self.output_path is not None:
                clean_saved(self.output_path / DIR_MODEL_BEST, self.best_scores)
            self.evaluate()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            self._say("warn", Warnings.LAST_STEP_FAILED.format(error=reason))

    def evaluate(self) -> None:
        """Evaluate the last step, unless that was done, and save it if no other is better."""
        if self.is_evaluated or self.output_path is None:
            return
        config = self.nlp.config.interpolate()
        training = registry.resolve(config["training"], schema=ConfigSchemaTraining)
        if training["optimizer"].averages is not None:
            # The averages belong to the loop's own optimizer, which nobody else can reach.
            self._say("warn", Warnings.LAST_STEP_AVERAGES)
            return
        (dev_corpus,) = resolve_dot_names(config, [training["dev_corpus"]])
        weights = training["score_weights"]
        score, scores = create_evaluation_callback(self.nlp, dev_corpus, weights)()
        with self.nlp.select_pipes(disable=training["frozen_components"]):
            update_meta(training, self.nlp, {"other_scores": scores, "losses": {}})
        self._clean(scores)
        # As in the loop, the later one of two equal checkpoints is kept.
        best, best_step = max(self.checkpoints)
        shown = [name for name, weight in weights.items() if weight is not None]
        figures = ", ".join(f"{name} {_percent(name, scores.get(name)):.2f}" for name in shown)
        self._say("info", f"Step {self.step}, the last one: score {score:.2f} ({figures})")
        if score < best:
            self._say("info", f"Step {best_step} was better, and stays in {DIR_MODEL_BEST}")
            return
        path = self.output_path / DIR_MODEL_BEST
        best_nlp = create_before_to_disk_callback(training["before_to_disk"])(self.nlp)
        with replacing_folder(path, keep_others=False) as folder:
            best_nlp.to_disk(folder)
        self._say("info", f"No other step was better: saved to {DIR_MODEL_BEST}")

    def _clean(self, scores: dict[str, Any]) -> None:
        performance = self.nlp.meta.get("performance", {})
        self.nlp.meta["performance"] = clean_performance(performance, scores)

    def _say(self, kind: str, text: str) -> None:
        """Print a message in the manner of spaCy's loop.

        kind (str): Name of the kind of message.
        text (str): The message.
        """
        print(getattr(Printer(no_print=True), kind)(text), file=self.stdout, flush=True)


def _percent(name: str, score: float | None) -> float:
    """A score as spaCy's table shows it: only the speed is no share of anything.

    name (str): Name of the score.
    score (Optional[float]): The score.
    RETURNS (float): The number to show.
    """
    return (score or 0.0) * (1 if name == "speed" else 100)
