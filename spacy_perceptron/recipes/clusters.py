"""What configs call word clusters: one file has no name, several are named after their files."""

import re
from collections.abc import Sequence
from pathlib import Path

from ..errors import Errors

UNNAMED = ""
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
