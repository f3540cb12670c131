"""How pages show doubt: a background that grows stronger, and a figure where doubt is large.

The strength is a class, `doubt-0` to `doubt-20`, and not an attribute `style`: pages under a strict
content security policy ignore such attributes.
"""

# At this doubt (1 - confidence) and above, the background has its full strength.
FULL_DOUBT = 0.6
# Classes that grow stronger in equal steps, besides `doubt-0`, which shows nothing.
N_STEPS = 20
# Confidences below this are printed, as footers say; the others show when pointed at.
PRINTED_BELOW = 0.95

# `--u` is the strength: backgrounds of pages and drawings use it.
DOUBT_STYLE = "\n".join(
    f".doubt-{step} {{ --u: {step / N_STEPS:.2f}; }}" for step in range(N_STEPS + 1)
)


def shade(confidence: float) -> str:
    """RETURNS (str): The class for the strength of the background."""
    strength = min(1.0, max(0.0, 1.0 - confidence) / FULL_DOUBT)
    return f"doubt-{round(strength * N_STEPS)}"


def printed(confidence: float | None) -> str:
    """RETURNS (str): The figure to print, empty if there is none."""
    return "" if confidence is None or confidence >= PRINTED_BELOW else f"{confidence:.0%}"
