"""Characters with a meaning in transformed labels, and how to write them in ordinary ones."""

import re

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def escape(label: str, special: str) -> str:
    """Write a backslash before each special character and each backslash.

    label (str): Any label.
    special (str): The special characters.
    RETURNS (str): The label, in which no special character stands without a backslash.
    """
    if not any(char in label for char in special + "\\"):
        return label
    return "".join("\\" + char if char in special or char == "\\" else char for char in label)


def unescape(label: str) -> str:
    """RETURNS (str): The label that was given to `escape`."""
    return _ESCAPED.sub(r"\1", label) if "\\" in label else label


def split(label: str, separator: str) -> list[str]:
    """Split a label at each separator that is not escaped.

    label (str): Escaped labels with separators between them.
    separator (str): One character.
    RETURNS (list[str]): The labels, still escaped.
    """
    if "\\" not in label:
        return label.split(separator)
    parts = [""]
    for piece in re.findall(r"\\.|.", label, re.DOTALL):
        if piece == separator:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
