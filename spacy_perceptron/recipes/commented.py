"""Configs with comments. spaCy's own class drops them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Lists longer than this stand on several lines.
_WIDTH = 110
_HEADER = re.compile(r"\[(.+)\]")
_INDENT = "    "


@dataclass(frozen=True)
class Noted:
    """A value with a comment of its own.

    value (Any): The value.
    comment (str): The comment, of one or more lines. Empty for none.
    """

    value: Any
    comment: str


@dataclass
class _Entry:
    text: str
    comments: list[str]


@dataclass
class _Section:
    comments: list[str]
    entries: dict[str, _Entry] = field(default_factory=dict)


class CommentedConfig:
    """The sections of a config in their order, each setting with the comments above it.

    text (str): The config. Its settings stand on one line each. Comments at the top, with a blank
        line below, are its header.
    """

    def __init__(self, text: str = ""):
        self.header: list[str] = []
        self._sections: dict[str, _Section] = {}
        comments: list[str] = []
        for line in [*text.splitlines(), ""]:
            if not (line or self._sections):
                self.header, comments = comments, []
            elif line.startswith("#"):
                comments.append(line)
            elif header := _HEADER.fullmatch(line):
                self._sections[header[1]] = section = _Section(comments)
                comments = []
            elif line:
                key, _, value = line.partition(" = ")
                section.entries[key] = _Entry(value, comments)
                comments = []

    def change(self, changes: Mapping[str, Any], *, within: str = "") -> None:
        """Change settings that are there, and keep their comments or change these too.

        changes (Mapping[str, Any]): New values, or `Noted` ones, by `section.key`.
        within (str): A section that all of these are in or below.
        """
        for place, value in changes.items():
            entry = self._find(place, within)
            if isinstance(value, Noted):
                entry.comments = [f"# {line}" for line in value.comment.splitlines()]
                value = value.value
            entry.text = write_value(value)

    def extend(self, additions: Mapping[str, Sequence[Any]], *, within: str = "") -> None:
        """Add to lists that are there.

        additions (Mapping[str, Sequence[Any]]): What to add, by `section.key`.
        within (str): A section that all of these are in or below.
        """
        for place, items in additions.items():
            entry = self._find(place, within)
            entry.text = write_value([*json.loads(entry.text), *items])

    def _find(self, place: str, within: str) -> _Entry:
        section, _, key = (f"{within}.{place}" if within else place).rpartition(".")
        return self._sections[section].entries[key]

    def fill(self, section: str, values: Mapping[str, Any]) -> None:
        """Replace all settings of a section, or make it.

        section (str): The section.
        values (Mapping[str, Any]): Its settings: values, or `Noted` ones.
        """
        entries = {key: _Entry("", []) for key in values}
        self._sections.setdefault(section, _Section([])).entries = entries
        self.change(values, within=section)

    def drop(self, section: str, key: str) -> None:
        """Leave out a setting.

        section (str): Its section.
        key (str): Its name.
        """
        del self._sections[section].entries[key]

    def insert(self, other: "CommentedConfig", *, after: str) -> None:
        """Insert the sections of another config.

        other (CommentedConfig): The other one.
        after (str): The section to insert them after.
        """
        names = list(self._sections)
        place = names.index(after) + 1
        order = [*names[:place], *other._sections, *names[place:]]
        everything = {**self._sections, **other._sections}
        self._sections = {name: everything[name] for name in order}

    def overlay(self, other: "CommentedConfig") -> None:
        """Take over the header and the settings of another config, and those of its comments that
        there are.

        other (CommentedConfig): The other one.
        """
        self.header = other.header or self.header
        for name, section in other._sections.items():
            ours = self._sections[name]
            ours.comments = section.comments or ours.comments
            for key, entry in section.entries.items():
                known = ours.entries.setdefault(key, entry)
                known.text = entry.text
                known.comments = entry.comments or known.comments

    def to_text(self) -> str:
        """RETURNS (str): The config as text, with a blank line between sections."""
        sections = [list(self._lines(name)) for name in self._sections]
        parts = [self.header, *sections] if self.header else sections
        return "\n\n".join("\n".join(lines) for lines in parts) + "\n"

    def _lines(self, name: str) -> Iterator[str]:
        section = self._sections[name]
        yield from section.comments
        yield f"[{name}]"
        for key, entry in section.entries.items():
            yield from entry.comments
            yield f"{key} = {entry.text}"


def write_value(value: Any) -> str:
    """Write the value of a setting as spaCy's configs have it.

    value (Any): Plain data, or a reference to another setting, such as `${system.seed}`.
    RETURNS (str): The text. Long lists have several lines.
    """
    if isinstance(value, str) and value.startswith("${"):
        return value
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list | tuple) or len(text) <= _WIDTH:
        return text
    lines: list[str] = [""]
    for item in value:
        part = json.dumps(item, ensure_ascii=False)
        if lines[-1] and len(lines[-1]) + len(part) + 2 + len(_INDENT) > _WIDTH:
            lines.append("")
        lines[-1] += f", {part}" if lines[-1] else part
    # Lines that go on from the one before must be indented.
    return "\n".join(["[", *(f"{_INDENT}{line}," for line in lines)])[:-1] + f"\n{_INDENT}]"
