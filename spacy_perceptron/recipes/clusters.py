"""Word clusters in configs: one file has no name, several are named after their files."""

import re
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import Errors
from .kinds import FAST, KINDS

UNNAMED = ""
READER = "spacy_perceptron.clusters.v1"
# Names of tables are parts of templates, such as `w.web.cluster6`.
_NOT_IN_NAMES = re.compile("[^a-z]+")


def name_clusters(paths: Sequence[Path]) -> dict[str, Path]:
    """Name files with word clusters.

    paths (Sequence[Path]): The files.
    RETURNS (dict[str, Path]): The files by name: a single one has none; others have those of their
        files up to the first dot, in letters and underscores.
    """
    if len(paths) == 1:
        return {UNNAMED: paths[0]}
    named: dict[str, Path] = {}
    for path in paths:
        name = _NOT_IN_NAMES.sub("_", path.name.split(".")[0].lower()).strip("_")
        if not name:
            raise ValueError(Errors.INIT_CLUSTERS_NAME.format(path=path))
        if name in named:
            raise ValueError(
                Errors.INIT_CLUSTERS_SAME.format(path=path, other=named[name], name=name)
            )
        named[name] = path
    return named


def add_clusters(config: MutableMapping[str, Any], tables: Mapping[str, str]) -> None:
    """Give a finished config word clusters, in place: the sets of templates that `init-config` adds
    to its components, and the block that reads the files.

    config (MutableMapping[str, Any]): The config, not interpolated.
    tables (Mapping[str, str]): Paths of word clusters by name, see `name_clusters`.
    """
    kinds = {kind.factory: kind for kind in KINDS.values()}
    for pipe in config["components"].values():
        kind = kinds.get(pipe.get("factory"))
        if kind is None:
            continue
        # Without parts of the second order, their templates would be of no use.
        style = FAST if pipe.get("order") == 1 else ""
        for setting, sets in kind.cluster_sets(style).items():
            pipe[setting]["sets"] += sets
            pipe[setting]["clusters"] = kind.cluster_tables(tables)
    config["initialize"]["lookups"] = {
        "@misc": READER,
        "path": tables.get(UNNAMED),
        "tables": {name: path for name, path in tables.items() if name},
        "lang": "${nlp.lang}",
    }
