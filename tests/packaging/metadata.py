"""What pyproject.toml says."""

import re
import sys
from typing import Any

from ..real_data import REPOSITORY

if sys.version_info >= (3, 11):
    import tomllib
else:
    # Comes with pytest there.
    import tomli as tomllib

PYPROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]


def supported_pythons() -> list[str]:
    """RETURNS (list[str]): Versions of Python by `requires-python`, such as 3.10."""
    bounds = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"])
    assert bounds is not None
    return [f"3.{minor}" for minor in range(int(bounds[1]), int(bounds[2]))]
