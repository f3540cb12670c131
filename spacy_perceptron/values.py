"""Which values a setting may have, said once: the check, its message and the words of the docs all
come from here."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from .errors import Errors

WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a finite number",
    str: "a string",
    Path: "a path",
    list: "a list of strings",
    dict: "a dictionary",
}


@dataclass(frozen=True)
class Values:
    """The values that a setting may have.

    type (Any): What annotates it. Numbers are finite, and true is not a number.
    at_least (Optional[float]): The smallest number.
    above (Optional[float]): A number that is just too small, in place of the smallest one.
    at_most (Optional[float]): The largest number, beside one of these.
    choices (Sequence): All values, where they can be listed.
    """

    type: Any
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    choices: Sequence[Any] = ()

    @property
    def limits(self) -> dict[str, Any]:
        """RETURNS (dict): The range by itself, for settings of the same kind."""
        ends = {"at_least": self.at_least, "above": self.above, "at_most": self.at_most}
        return {name: end for name, end in ends.items() if end is not None}

    def check(self, name: str, value: Any, *, of: str = "") -> None:
        """Raise ValueError if a setting may not have this value.

        name (str): The setting.
        value (Any): What it was set to.
        of (str): Whose setting it is.
        """
        has_type = _has_type(value, self.type)
        if has_type and (value is None or self._is_within(value)):
            return
        expected = self.describe()
        if not (has_type or self.choices):
            words = join_words([WORDS[kind] for kind in _members(self.type)])
            expected = f"{words}, {expected}" if expected else words
        message = Errors.SETTING.format(name=name, expected=expected, value=repr(value))
        raise ValueError(f"{of}: {message}" if of else message)

    def describe(self, write: Callable[[Any], str] = repr) -> str:
        """RETURNS (str): What narrows the type: the choices or the range; empty if nothing does.

        write (Callable): Writes a choice.
        """
        words = [write(choice) for choice in self.choices]
        if self.above is not None:
            most = "" if self.at_most is None else f" and at most {self.at_most}"
            words.append(f"above {self.above}{most}")
        elif self.at_least is not None:
            between = f"between {self.at_least} and {self.at_most}"
            words.append(f"{self.at_least} or more" if self.at_most is None else between)
        if NoneType in get_args(self.type):
            words.append(write(None))
        return join_words(words)

    def _is_within(self, value: Any) -> bool:
        return (
            (not self.choices or value in self.choices)
            and (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
        )


def join_words(words: Sequence[str]) -> str:
    """RETURNS (str): Words as a list of alternatives: "a, b or c"."""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} or {last}" if first else last


def _members(annotation: Any) -> list[Any]:
    """The plain types of an annotation, without None."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else [annotation]
    return [get_origin(kind) or kind for kind in kinds if kind is not NoneType]


def _has_type(value: Any, annotation: Any) -> bool:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return any(_has_type(value, kind) for kind in args)
    if annotation in (int, float):
        kind = Integral if annotation is int else Real
        return isinstance(value, kind) and not isinstance(value, bool) and _is_finite(value)
    if origin is list:
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        return is_list and all(_has_type(item, args[0]) for item in value)
    return isinstance(value, origin or annotation)


def _is_finite(value: Any) -> bool:
    # A whole number can be too large to be compared as a float.
    return isinstance(value, Integral) or math.isfinite(value)


# Ranges of what settings, arguments of methods and options of commands share.
LIMIT = Values(int, at_least=0)
COUNT = Values(int, at_least=1)
SEED = Values(int, at_least=0, at_most=2**32 - 1)
N_THREADS = Values(int, at_least=0, at_most=1024)
SHARE = Values(float, at_least=0, at_most=1)
# Beams take memory and time of their width, and hold the answers of a list.
WIDTH = Values(int, at_least=1, at_most=10_000)
# A margin that dwarfs all scores would leave nothing of what was learned before.
MARGIN = Values(float, at_least=0, at_most=1000)
TEMPERATURE = Values(float, at_least=0.001, at_most=1000)
