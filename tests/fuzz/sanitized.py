"""Builds the extensions for a sanitizer, beside the usual ones, and runs Python with them.

`python -m tests.fuzz.sanitized --minutes 10` fuzzes with AddressSanitizer and
UndefinedBehaviorSanitizer. Whatever else Python can run goes behind `--`:
`python -m tests.fuzz.sanitized -- -m pytest -n 0 tests/decode`. `--sanitizer thread` builds for
ThreadSanitizer instead, which is quiet about Python itself. Linux, GCC.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# The runtime to load before Python, and options for it. Python itself leaks on purpose.
RUNTIMES = {"address": "libasan.so", "thread": "libtsan.so"}
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "report_signal_unsafe=0:history_size=4",
}


def build(sanitizer: str) -> Path:
    """Compile what has changed since the last time.

    sanitizer (str): `address` or `thread`.
    RETURNS (Path): A folder with the package and the tests.
    """
    home = REPOSITORY / "build" / sanitizer
    package = home / "lib"
    command = [sys.executable, "setup.py", "-q", "build", "--build-base", str(home)]
    subprocess.run(
        [*command, "--build-lib", str(package), "egg_info", "--egg-base", str(home)],
        cwd=REPOSITORY,
        env={**os.environ, "SPACY_PERCEPTRON_SANITIZE": sanitizer},
        check=True,
    )
    # Away from the sources, or these would be imported.
    for name in ("tests", "configs", "docs", "pyproject.toml"):
        if not (package / name).exists():
            (package / name).symlink_to(REPOSITORY / name)
    return package


def find_runtime(sanitizer: str) -> str:
    """RETURNS (str): Where the compiler keeps the runtime of a sanitizer."""
    compiler = os.environ.get("CC", "cc")
    command = [compiler, f"-print-file-name={RUNTIMES[sanitizer]}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run(sanitizer: str, args: Sequence[str]) -> int:
    """Run Python on the sanitized build.

    sanitizer (str): `address` or `thread`.
    args (Sequence[str]): Arguments of Python.
    RETURNS (int): Its exit code.
    """
    package = build(sanitizer)
    environment = {
        **OPTIONS,
        **os.environ,
        "LD_PRELOAD": find_runtime(sanitizer),
        # Python's own allocator would hide the bounds of small blocks.
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": os.pathsep.join([str(package), str(package.parent)]),
    }
    return subprocess.run([sys.executable, *args], cwd=package, env=environment).returncode


def main() -> int:
    """RETURNS (int): The exit code of what was run."""
    parser = ArgumentParser(prog="python -m tests.fuzz.sanitized", description=__doc__)
    parser.add_argument("--sanitizer", choices=sorted(RUNTIMES), default="address")
    options, rest = parser.parse_known_args()
    args = rest[1:] if rest[:1] == ["--"] else ["-m", "tests.fuzz", *rest]
    return run(options.sanitizer, args)


if __name__ == "__main__":
    sys.exit(main())
