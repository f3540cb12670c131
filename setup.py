"""Cython extensions: one glob, one set of directives, one debug switch.

Everything else lives in pyproject.toml. `SPACY_PERCEPTRON_DEBUG=1` builds with bounds and
initialization checks on; the test suite must pass on that build too.
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SPACY_PERCEPTRON_DEBUG", "0") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "embedsignature": True,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "cdivision": True,
}

if sys.platform == "win32":
    COMPILE_ARGS = ["/O2", "/std:c++17"]
else:
    COMPILE_ARGS = ["-O1" if DEBUG else "-O3", "-std=c++17", "-Wno-unused-function"]

EXTENSIONS = [
    Extension(
        "spacy_perceptron.*.*",
        ["spacy_perceptron/*/*.pyx"],
        language="c++",
        extra_compile_args=COMPILE_ARGS,
    )
]

setup(ext_modules=cythonize(EXTENSIONS, compiler_directives=DIRECTIVES, force=DEBUG, quiet=True))
