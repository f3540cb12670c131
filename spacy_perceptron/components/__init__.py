"""spaCy components, one public file per factory."""

import sys

from ._shared import gold, threads

# Pickles of version 0.4 and before look for these modules here.
sys.modules.update({f"{__name__}.gold": gold, f"{__name__}.threads": threads})
