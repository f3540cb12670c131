"""Cython extensions: one glob, one set of directives, two switches.

Everything else lives in pyproject.toml. `SPACY_PERCEPTRON_DEBUG=1` builds with bounds and
initialization checks on; the test suite must pass on that build too.
`SPACY_PERCEPTRON_SANITIZE=address` or `thread` builds for a sanitizer of GCC and Clang, for
`python -m tests.fuzz.sanitized`.
"""

import os
import sys
from pathlib import Path

# pip reads `requires-python`; running this file does not.
if not (3, 10) <= sys.version_info < (3, 14):
    sys.exit(f"spacy-perceptron needs Python 3.10 to 3.13; this is {sys.version.split()[0]}.")

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SPACY_PERCEPTRON_DEBUG", "0") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,
    "embedsignature": True,
    "emit_code_comments": False,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "cdivision": True,
}

if sys.platform == "win32":
    C_ARGS, CPP_ARGS = ["/O2"], ["/std:c++17"]
elif DEBUG:
    # Every access to a C++ vector is checked, too.
    C_ARGS, CPP_ARGS = ["-O0", "-g1"], ["-std=c++17", "-D_GLIBCXX_ASSERTIONS"]
else:
    # -g0: the -g of most interpreters would make the wheel ten times as large.
    C_ARGS, CPP_ARGS = ["-O3", "-g0"], ["-std=c++17"]

# Neither written by Cython nor with other directives: not among the settings below.
SANITIZERS = {"address": "address,undefined", "thread": "thread"}
SANITIZE = os.environ.get("SPACY_PERCEPTRON_SANITIZE", "")
if SANITIZE not in ("", *SANITIZERS):
    sys.exit(f"SPACY_PERCEPTRON_SANITIZE is {SANITIZE!r}; choose from {', '.join(SANITIZERS)}.")
LINK_ARGS = [f"-fsanitize={SANITIZERS[SANITIZE]}"] if SANITIZE else []
# The later ones of options that contradict each other count. Warnings are about Cython's code.
SANITIZE_ARGS = ["-O1", "-g1", "-w", "-fno-omit-frame-pointer", *LINK_ARGS] if SANITIZE else []

# Cython's code for memoryviews, compiled once and imported by all other modules. It is plain C;
# Cython 3.3 fails on this module if its language is given.
SHARED = "spacy_perceptron._cython_shared"

EXTENSIONS = [
    Extension(
        SHARED,
        [SHARED.replace(".", "/") + ".c"],
        extra_compile_args=C_ARGS + SANITIZE_ARGS,
        extra_link_args=LINK_ARGS,
    ),
    Extension(
        "*",
        ["spacy_perceptron/**/*.pyx"],
        language="c++",
        extra_compile_args=C_ARGS + CPP_ARGS + SANITIZE_ARGS,
        extra_link_args=LINK_ARGS,
    ),
]

# Cython compares dates only: changed settings must force it to write all modules again.
SETTINGS = repr((DIRECTIVES, C_ARGS, CPP_ARGS, SHARED))
LAST_SETTINGS = Path("build", "cython_settings")
WORKERS = os.cpu_count() or 1

MODULES = cythonize(
    EXTENSIONS,
    compiler_directives=DIRECTIVES,
    shared_utility_qualified_name=SHARED,
    force=not LAST_SETTINGS.is_file() or LAST_SETTINGS.read_text() != SETTINGS,
    quiet=True,
    nthreads=WORKERS if sys.platform == "linux" else 0,
)
LAST_SETTINGS.parent.mkdir(exist_ok=True)
LAST_SETTINGS.write_text(SETTINGS)

setup(ext_modules=MODULES, options={"build_ext": {"parallel": WORKERS}})
