"""Which units a run has: the files of a folder, large ones in parts.

The parts are written down in the folder of the outputs (`plan.json`), so that another run finds the
same ones, whatever its number of workers, and adds files that are new.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..corpus.clusters.opening import kind_of
from ..errors import Errors
from ..files import write_files
from ..values import COUNT
from .outputs import sweep
from .sources import BIN, SUFFIXES, Source, UnreadableError, read_sample
from .targets import check_format

PLAN = "plan.json"
UNIT_WORDS = 1_000_000
# Each worker gets at least this many units, if they have this many words.
_UNITS_PER_WORKER = 8
_LEAST_WORDS = 20_000
# Where words are not between spaces, they are taken for this long.
_CHARACTERS_PER_WORD = 8


@dataclass(frozen=True)
class Unit:
    """What to annotate, and where to put it.

    source (Source): What to annotate.
    target (str): The output.
    n_words (int): About how many words the source has.
    """

    source: Source
    target: str
    n_words: int


@dataclass
class Plan:
    """The outputs of a folder.

    pipeline (str): The pipeline that makes them.
    format (str): Their format.
    nbest (Optional[int]): How many n-best answers they have; None: as the pipeline says.
    texts (dict): For each file its size in bytes (-1: it was not there), about how many words it
        has, and the size of its parts; 0: all in one.
    """

    pipeline: str
    format: str
    nbest: int | None = None
    texts: dict[str, dict[str, int]] = field(default_factory=dict)

    def units(self, root: Path, out: Path) -> Iterator[Unit]:
        """All units, in the order of the files.

        root (Path): The folder that the names of files start from.
        out (Path): The folder of the outputs.
        YIELDS (Unit): The units.
        """
        for name, text in self.texts.items():
            n_bytes = max(text["bytes"], 0)
            part = text["part"] or max(n_bytes, 1)
            n_parts = max(-(-n_bytes // part), 1)
            for i in range(n_parts):
                start, end = i * part, min((i + 1) * part, n_bytes)
                number = f".{i + 1:0{len(str(n_parts))}d}-of-{n_parts}" if n_parts > 1 else ""
                source = Source(str(root / name))
                if n_parts > 1:
                    source = Source(source.path, start, end)
                n_words = text["words"] * (end - start) // max(n_bytes, 1)
                yield Unit(source, str(out / f"{name}{number}.{self.format}"), n_words)


def make_plan(
    source: Path,
    out: Path,
    *,
    pipeline: str,
    file_format: str,
    unit_words: int = UNIT_WORDS,
    nbest: int | None = None,
    n_workers: int = 1,
) -> list[Unit]:
    """Plan a run, or the continuation of one, and remove what a dead one has left unfinished.

    source (Path): A file, or a folder to search with all folders in it.
    out (Path): The folder of the outputs; it is made.
    pipeline (str): The pipeline.
    file_format (str): The format of the outputs.
    unit_words (int): About how many words a unit has at most.
    nbest (Optional[int]): How many n-best answers to keep; None: as the pipeline says.
    n_workers (int): How many workers there are: units are smaller if they would not get enough.
    RETURNS (list[Unit]): All units, also those that are done.
    """
    check_format(file_format)
    COUNT.check("unit_words", unit_words)
    root, paths = _find(source)
    if out.resolve() == root.resolve() or (source.is_dir() and _is_in(out, source)):
        raise ValueError(Errors.SCALE_OUT_IN.format(path=out))
    plan = Plan(pipeline, file_format, nbest)
    known = _read_plan(out / PLAN)
    if known is not None:
        for name in ("pipeline", "format", "nbest"):
            if getattr(known, name) != getattr(plan, name):
                values = {"old": getattr(known, name), "new": getattr(plan, name)}
                raise ValueError(Errors.SCALE_PLAN.format(path=out, name=name, **values))
        plan.texts = known.texts
    _add_texts(plan, root, paths, unit_words, n_workers)
    out.mkdir(parents=True, exist_ok=True)
    plan.texts = dict(sorted(plan.texts.items()))
    write_files(out, {PLAN: json.dumps(asdict(plan), indent=1).encode("utf-8")})
    for folder in {(out / name).parent for name in plan.texts}:
        sweep(folder)
    present = {path.relative_to(root).as_posix() for path in paths}
    plan.texts = {name: text for name, text in plan.texts.items() if name in present}
    return list(plan.units(root, out))


def _find(source: Path) -> tuple[Path, list[Path]]:
    """The folder that names start from, and the files to annotate."""
    if not source.is_dir():
        if not source.exists():
            raise ValueError(Errors.CLUSTERS_NO_FILE.format(path=source))
        if kind_of(source) not in SUFFIXES:
            options = " ".join(SUFFIXES)
            raise ValueError(Errors.SCALE_SUFFIX.format(path=source, options=options))
        return source.parent, [source]
    found = [path for path in sorted(source.rglob("*")) if _is_text(path)]
    if not found:
        options = " ".join(SUFFIXES)
        raise ValueError(Errors.CLUSTERS_NO_FILES.format(path=source, options=options))
    return source, found


def _is_text(path: Path) -> bool:
    """Whether a file is to be annotated. A link that leads nowhere is: it fails on its own."""
    hidden = path.name.startswith(".")
    return not hidden and kind_of(path) in SUFFIXES and not path.is_dir()


def _is_in(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _read_plan(path: Path) -> Plan | None:
    try:
        value: Any = json.loads(path.read_bytes())
        return Plan(**value)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise ValueError(Errors.SCALE_PLAN_DAMAGED.format(path=path, error=error)) from error


def _add_texts(
    plan: Plan, root: Path, paths: Sequence[Path], unit_words: int, n_workers: int
) -> None:
    """Add files that are new to a plan; files that it has must be as they were."""
    new: dict[str, tuple[Path, int]] = {}
    for path in paths:
        name = path.relative_to(root).as_posix()
        n_bytes = path.stat().st_size if path.exists() else -1
        if name not in plan.texts or plan.texts[name]["bytes"] < 0:
            new[name] = path, n_bytes
        elif plan.texts[name]["bytes"] != n_bytes:
            raise ValueError(Errors.SCALE_CHANGED.format(path=path))
    rates = {name: _bytes_per_word(path) for name, (path, _) in new.items()}
    n_words = {name: int(max(n_bytes, 0) / rates[name]) for name, (_, n_bytes) in new.items()}
    share = max(sum(n_words.values()) / (_UNITS_PER_WORKER * n_workers), _LEAST_WORDS)
    most_words = min(unit_words, share) if n_workers > 1 else unit_words
    for name, (path, n_bytes) in new.items():
        part = max(int(most_words * rates[name]), 1)
        if path.suffix == ".gz" or kind_of(path) == BIN or n_bytes <= part:
            part = 0
        plan.texts[name] = {"bytes": n_bytes, "words": n_words[name], "part": part}


def _bytes_per_word(path: Path) -> float:
    """How many bytes of a file a word takes, estimated from its beginning."""
    try:
        n_bytes, text = read_sample(path)
    except UnreadableError:
        return float(_CHARACTERS_PER_WORD)
    n_words = max(len(text.split()), len(text) / _CHARACTERS_PER_WORD)
    return n_bytes / n_words if n_words else float(_CHARACTERS_PER_WORD)
