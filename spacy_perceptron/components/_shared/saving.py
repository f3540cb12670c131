"""Saving and loading of components and pipelines.

A component writes two files, the settings found in training (`cfg`) and the weights (`model`). The
model file carries a seal (`models.seal`) with checksums of both. Whatever is loaded is checked: the
checksums, if there are any, the settings that say what weights mean, and the numbers themselves.
"""

import errno
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from thinc.api import Model

from ...errors import Errors, Warnings
from ...files import UNFINISHED, replacing_folder, write_files
from ...models.nodes import node_names
from ...models.seal import RefusedError, Seal, check_seal, seal_model
from .company import CFG, MODEL, VOCAB, check_company, choose_cfg, find_company, read_cfg
from .threads import PipeLock, locked

_UNFINISHED_FILES = (CFG + UNFINISHED, MODEL + UNFINISHED)
# Why a folder can't be replaced though it can be written: it stands in one that can't, is a mount
# point, or comes from a layer of a container's image.
_NOT_REPLACEABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)


def save_pipeline(nlp: Language, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
    """Save a pipeline as `nlp.to_disk` does, but as a whole: whatever happens meanwhile, there is
    the old pipeline or the new one.

    nlp (Language): The pipeline.
    path (Union[str, Path]): The folder. Other files that are in it stay.
    exclude (Iterable[str]): Names of components or parts to leave out.
    """
    path, exclude = Path(path), [*exclude]
    try:
        with replacing_folder(path, leave_out=_UNFINISHED_FILES) as new:
            # Components note which others are beside them.
            for name in exclude:
                if name in nlp.component_names and (path / name).is_dir():
                    shutil.copytree(path / name, new / name, symlinks=True)
            nlp.to_disk(new, exclude=exclude)
    except OSError as error:
        if error.errno not in _NOT_REPLACEABLE or not path.exists():
            raise
        warnings.warn(Warnings.SAVED_IN_PLACE.format(path=path, error=error), stacklevel=2)
        nlp.to_disk(path, exclude=exclude)


class SavedPipe(TrainablePipe):
    """A pipe that checks what it loads. Its lock is held by all that changes or saves it."""

    cfg: dict[str, Any]
    model: Model
    n_threads: int
    _lock: PipeLock

    # --- What subclasses provide ------------------------------------------------------------

    def sync(self) -> None:
        """Put everything that is to be saved into the model."""
        raise NotImplementedError

    def _has_weights(self) -> bool:
        """Whether the model has been initialized."""
        raise NotImplementedError

    def _copy_model(self) -> Model:
        """A copy of the model with its present weights."""
        raise NotImplementedError

    def _forget_training(self) -> None:
        """Drop what training knows beside the model."""
        raise NotImplementedError

    def _weights_changed(self) -> None:
        """Called when weights or labels have changed: rebuild what is derived from them."""
        raise NotImplementedError

    def _get_state(self) -> Any:
        """Make what predicts, if it is not there."""
        raise NotImplementedError

    def _forget_clusters(self) -> None:
        """Drop the tables of word clusters: others may be there now."""
        raise NotImplementedError

    def _made_with(self) -> dict[str, Any]:
        """Settings that say what the weights mean, as plain data: with others, they are useless."""
        return {}

    def _check_cfg(self, cfg: Mapping[str, Any]) -> None:
        """Refuse saved settings that make no sense."""

    def _check_loaded(self) -> None:
        """Refuse loaded weights that make no sense or do not match the settings."""

    # --- Saving -----------------------------------------------------------------------------

    @locked
    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize, with the averages of training so far.

        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (bytes): The component.
        """
        self.sync()
        exclude = [*exclude]
        cfg = srsly.json_dumps(self.cfg)
        writers = {
            CFG: lambda: cfg,
            VOCAB: lambda: self.vocab.to_bytes(exclude=exclude),
            MODEL: lambda: self._seal(None if CFG in exclude else cfg.encode("utf8")),
        }
        return util.to_bytes(writers, exclude)

    @locked
    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save, with the averages of training so far. A kill leaves the old settings and weights
        or the new ones; the vocab is written as spaCy does it.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out. Without the vocab, which pipelines
            save themselves, the component counts as a part of the pipeline in the folder above.
        """
        self.sync()
        path, exclude = Path(path), [*exclude]
        path.mkdir(exist_ok=True)
        company = None
        if VOCAB in exclude:
            company = find_company(path)
        else:
            self.vocab.to_disk(path / VOCAB, exclude=exclude)
        # Once the model has its name, its `cfg` can be found.
        files: dict[str, bytes] = {}
        cfg = None if CFG in exclude else srsly.json_dumps(self.cfg, indent=2).encode("utf8")
        if MODEL not in exclude:
            files[MODEL] = self._seal(cfg, company)
        if cfg is not None:
            files[CFG] = cfg
        write_files(path, files)

    def _seal(self, cfg: bytes | None, company: Mapping[str, Seal] | None = None) -> bytes:
        """The model, sealed.

        cfg (Optional[bytes]): The settings saved with it.
        company (Optional[Mapping]): Seals of the components saved before it; None if it is saved
            alone.
        """
        together = None
        if company is not None:
            together = {name: seal.identity for name, seal in company.items()}
        made_with = self._made_with() if self._has_weights() else {}
        return seal_model(self.model.to_bytes(), cfg=cfg, made_with=made_with, together=together)

    # --- Loading ----------------------------------------------------------------------------

    @locked
    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "SavedPipe":
        """Load from bytes.

        bytes_data (bytes): What `to_bytes` gave.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (SavedPipe): The component itself.
        """
        exclude = [*exclude]
        with self._loading("bytes"):
            parts = srsly.msgpack_loads(bytes_data)
            unknown = {*parts} - {CFG, VOCAB, MODEL}
            if unknown:
                raise ValueError(Errors.MODEL_PARTS.format(names=", ".join(map(repr, unknown))))
            cfg = [parts[CFG].encode("utf8")] if CFG in parts else []
            self._load(
                None if CFG in exclude else cfg, None if MODEL in exclude else parts.get(MODEL)
            )
            if VOCAB in parts and VOCAB not in exclude:
                self.vocab.from_bytes(parts[VOCAB], exclude=exclude)
        return self

    @locked
    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SavedPipe":
        """Load from a folder.

        path (Union[str, Path]): A folder.
        exclude (Iterable[str]): Names of parts to leave out.
        RETURNS (SavedPipe): The component itself.
        """
        path, exclude = Path(path), [*exclude]
        with self._loading(path):
            self._load(
                None if CFG in exclude else read_cfg(path),
                None if MODEL in exclude else (path / MODEL).read_bytes(),
                # The vocab is left out only when a whole pipeline is loaded.
                path if VOCAB in exclude else None,
            )
            if VOCAB not in exclude:
                self.vocab.from_disk(path / VOCAB, exclude=exclude)
        return self

    def _load(
        self, cfg: Sequence[bytes] | None, model: bytes | None, folder: Path | None = None
    ) -> None:
        """Check what was read and take it over.

        cfg (Optional[Sequence[bytes]]): What the file `cfg` may be; None if it is not wanted.
        model (Optional[bytes]): The file `model`; None if it is not wanted.
        folder (Optional[Path]): The component's folder in a pipeline.
        """
        seal = None
        if model is not None:
            seal = check_seal(model)
            if folder is not None:
                check_company(folder, seal)
            if seal is not None:
                seal.check_settings(self._made_with())
        chosen = None if cfg is None else choose_cfg(seal, cfg)
        if chosen is not None:
            settings = {**self.cfg, **srsly.json_loads(chosen)}
            self._check_cfg(settings)
            self.cfg.update(settings)
        if model is not None:
            expected = node_names(self.model)
            self.model.from_bytes(model)
            found = node_names(self.model)
            if found != expected:
                raise ValueError(Errors.MODEL_ARCHITECTURE.format(saved=found, given=expected))

    @contextmanager
    def _loading(self, source: str | Path) -> Iterator[None]:
        """Check what is loaded. If it can't be used, say what it was and why, and leave the
        component as it was."""
        with self._saying_why(source), self._unchanged_by_errors():
            yield
            self._forget_clusters()
            if self._has_weights():
                self._check_loaded()
            self._weights_changed()
            if self._has_weights():
                self._get_state()
            self._forget_training()

    @contextmanager
    def _unchanged_by_errors(self) -> Iterator[None]:
        """Restore settings and model after an error: thinc changes a model while it reads."""
        self.sync()
        cfg, model = deepcopy(self.cfg), self._copy_model()
        try:
            yield
        except BaseException:
            self.cfg.clear()
            self.cfg.update(cfg)
            self.model = model
            self._weights_changed()
            raise

    @contextmanager
    def _saying_why(self, source: str | Path) -> Iterator[None]:
        """Name the component and what can't be loaded."""
        try:
            yield
        except OSError:
            raise
        except RefusedError as error:
            raise ValueError(
                Errors.MODEL_REFUSED.format(name=self.name, source=source, error=error)
            ) from error
        except Exception as error:
            raise ValueError(
                Errors.MODEL_DAMAGED.format(name=self.name, source=source, error=error)
            ) from error
