"""How pages show doubt: a background that grows stronger, and a figure where doubt is large."""

# At this doubt (1 - confidence) and above, the background has its full strength.
FULL_DOUBT = 0.6
# Confidences below this are printed, as footers say; the others show when pointed at.
PRINTED_BELOW = 0.95


def shade(confidence: float) -> str:
    """RETURNS (str): The strength of the background, for an attribute `style`."""
    return f"--u:{min(1.0, (1.0 - confidence) / FULL_DOUBT):.3f}"


def printed(confidence: float | None) -> str:
    """RETURNS (str): The figure to print, empty if there is none."""
    return "" if confidence is None or confidence >= PRINTED_BELOW else f"{confidence:.0%}"
