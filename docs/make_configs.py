"""Write the configs in `configs/`: `python docs/make_configs.py`."""

from pathlib import Path

from spacy_perceptron.recipes.shipped import SHIPPED, shipped_config

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


def main() -> None:
    """Write all of them."""
    for name in SHIPPED:
        (CONFIGS / f"{name}.cfg").write_text(shipped_config(name), encoding="utf-8")


if __name__ == "__main__":
    main()
