"""Which scores go to `meta.json`, and so to the README that `spacy package` writes.

spaCy saves every score that [training.score_weights] names, as 0 where nothing has measured it: the
morphology of a tagger that predicts tags alone, or labels of a corpus without them. And it saves no
other score, such as the share of trees without a mistake.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import srsly

from ..files import write_files

META = "meta.json"
# What our scorers measure beyond the scores that configs name.
MORE_SCORES = (
    *("dep_uas_all", "dep_las_all", "dep_exact", "dep_exact_labelled"),
    *("ents_boundary_p", "ents_boundary_r", "ents_boundary_f"),
    *("const_crossing", "const_no_crossing"),
)


def clean_performance(performance: Mapping[str, Any], scores: Mapping[str, Any]) -> dict[str, Any]:
    """The scores of a model, as they should be saved.

    performance (Mapping[str, Any]): What spaCy would save: scores and losses.
    scores (Mapping[str, Any]): What the scorers measured; None or empty: nothing.
    RETURNS (dict): Losses and scores that were measured.
    """
    kept = {
        name: value
        for name, value in performance.items()
        if name.endswith("_loss") or _is_measured(scores.get(name))
    }
    more = {name: scores[name] for name in MORE_SCORES if _is_measured(scores.get(name))}
    return {**kept, **more}


def clean_saved(path: Path, scores: Mapping[str, Any]) -> None:
    """Clean the scores of a saved pipeline.

    path (Path): Its folder.
    scores (Mapping[str, Any]): What was measured of it.
    """
    meta = srsly.read_json(path / META)
    performance = clean_performance(meta.get("performance", {}), scores)
    if performance != meta.get("performance"):
        text = srsly.json_dumps({**meta, "performance": performance}, indent=2)
        write_files(path, {META: text.encode("utf8")})


def _is_measured(value: Any) -> bool:
    return value is not None and value != {}
