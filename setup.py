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
    COMPILE_ARGS = ["-std=c++17", "-Wno-unused-function"]
    # The debug build also checks every access to a C++ vector, and compiles in half the time.
    COMPILE_ARGS += ["-O0", "-D_GLIBCXX_ASSERTIONS"] if DEBUG else ["-O3"]

EXTENSIONS = [
    Extension(
        "*",
        ["spacy_perceptron/**/*.pyx"],
        language="c++",
        extra_compile_args=COMPILE_ARGS,
    )
]

# Directives are not part of what cythonize compares: switching builds needs --force.
FORCE = DEBUG or "--force" in sys.argv

WORKERS = os.cpu_count() or 1

setup(
    ext_modules=cythonize(
        EXTENSIONS,
        compiler_directives=DIRECTIVES,
        force=FORCE,
        quiet=True,
        nthreads=WORKERS if sys.platform == "linux" else 0,
    ),
    options={"build_ext": {"parallel": WORKERS}},
)
