"""Lets griffe, which mkdocstrings reads code with, understand the docstrings of this package.

Parameters are lines `name (Type): What.`, results are `RETURNS (Type): What.` or `YIELDS ...`, each
with further lines indented. Docstrings of compiled modules are not in their stubs, from which
the signatures come: they are taken from the modules themselves.
"""

import inspect
import re
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from typing import Any

from griffe import (
    Docstring,
    DocstringParameter,
    DocstringReturn,
    DocstringSection,
    DocstringSectionParameters,
    DocstringSectionReturns,
    DocstringSectionText,
    DocstringSectionYields,
    DocstringYield,
    Extension,
    Module,
    Object,
)

_ENTRY = re.compile(
    r"(?P<names>\*{0,2}[a-z]\w*(?:, \*{0,2}\w+)*)(?: \((?P<type>.*?)\))?: (?P<text>.*)"
)
_SIGNATURE = re.compile(r"\A[\w.]+\(.*\)(?: -> .*)?\n*")
_RESULT = re.compile(r"(?P<kind>RETURNS|YIELDS) \((?P<type>.*?)\):\s*(?P<text>.*)")


class SpacyDocstring(Docstring):
    """A docstring whose parsing does not depend on the style that mkdocstrings asks for."""

    def parse(self, parser: Any = None, **options: Any) -> list[DocstringSection]:
        """RETURNS (list[DocstringSection]): Its text, its parameters and its result."""
        text: list[str] = []
        parameters: list[DocstringParameter] = []
        results: list[DocstringSection] = []
        for entry in _entries(self.value):
            if match := _RESULT.fullmatch(entry):
                results.append(self._read_result(**match.groupdict()))
            elif (match := _ENTRY.fullmatch(entry)) and (match["type"] or match["names"][0] == "*"):
                parameters += self._read_parameters(**match.groupdict())
            else:
                text.append(entry)
        sections: list[DocstringSection] = [DocstringSectionText("\n".join(text).strip())]
        if parameters:
            sections.append(DocstringSectionParameters(parameters))
        return sections + results

    def _read_parameters(self, names: str, type: str | None, text: str) -> Iterator[Any]:
        signature = {item.name: item for item in getattr(self.parent, "parameters", ())}
        for name in names.split(", "):
            known = signature.get(name.lstrip("*"))
            yield DocstringParameter(
                name,
                annotation=(known and known.annotation) or type,
                description=text,
                value=known and known.default,
            )

    def _read_result(self, kind: str, type: str, text: str) -> DocstringSection:
        if kind == "YIELDS":
            return DocstringSectionYields([DocstringYield("", annotation=type, description=text)])
        annotation = getattr(self.parent, "annotation", None) or type
        return DocstringSectionReturns(
            [DocstringReturn("", annotation=annotation, description=text)]
        )


def _entries(text: str) -> Iterator[str]:
    """The lines of a docstring; one that starts an entry comes with its further lines."""
    entry: str | None = None
    for line in text.split("\n"):
        if entry is not None and line.startswith("    "):
            entry += f" {line.strip()}"
            continue
        if entry is not None:
            yield entry
        starts = _ENTRY.fullmatch(line) or _RESULT.fullmatch(line)
        entry = line if starts else None
        if entry is None:
            yield line
    if entry is not None:
        yield entry


class SpacyDocstrings(Extension):
    """Gives every object of a package a docstring of this kind."""

    def on_package(self, *, pkg: Module, **kwargs: Any) -> None:
        """Called when a package has been read."""
        for item in _walk(pkg):
            value = item.docstring.value if item.docstring else _compiled_docstring(item)
            if value:
                item.docstring = SpacyDocstring(value, parent=item)


def _walk(item: Object) -> Iterator[Object]:
    yield item
    for member in item.members.values():
        if not member.is_alias:
            yield from _walk(member)


def _compiled_docstring(item: Object) -> str | None:
    if getattr(item.filepath, "suffix", "") != ".pyi" or item.is_attribute:
        return None
    found: Any = import_module(item.module.path)
    if not item.is_module:
        # Some types are only in the stub.
        names = item.path.removeprefix(f"{item.module.path}.").split(".")
        found = reduce(lambda holder, name: getattr(holder, name, None), names, found)
    # A compiled `__init__` has no docstring of its own.
    if found is None or not found.__doc__ or item.name == "__init__":
        return None
    # Cython puts the signature first.
    return _SIGNATURE.sub("", inspect.cleandoc(found.__doc__))
