"""Write the tables of settings on the component pages: python docs/make_settings.py

They stand between the lines `<!-- settings:FACTORY -->` and `<!-- /settings -->`.
"""

import re
from importlib import import_module
from pathlib import Path

from spacy_perceptron.components._shared.settings import Settings, settings_table

DOCS = Path(__file__).parent
MARKED = re.compile(r"(<!-- settings:(\w+) -->\n).*?(<!-- /settings -->)", re.DOTALL)


def find_settings(factory: str) -> type[Settings]:
    """RETURNS (type[Settings]): The settings of a factory, from the factory's file."""
    values = vars(import_module(f"spacy_perceptron.components.{factory}")).values()
    classes = [value for value in values if isinstance(value, type) and issubclass(value, Settings)]
    return next(found for found in classes if vars(found).get("factory") == factory)


def fill(text: str) -> str:
    """RETURNS (str): A page with its tables as they should be."""
    return MARKED.sub(
        lambda match: f"{match[1]}\n{settings_table(find_settings(match[2]))}\n\n{match[3]}", text
    )


if __name__ == "__main__":
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf8")
        page.write_text(fill(text), encoding="utf8")
