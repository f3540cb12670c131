"""`python -m tests.fuzz --minutes 60`: a long run.

It prints its seed, how many Docs went through, and how to repeat what fails.
"""

import faulthandler
import os
import random
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from .actions import ACTIONS
from .campaign import Campaign
from .components import SUBJECTS

# Seconds after which a case counts as hanging.
LONGEST = 300
# Seconds between lines that say how far the run is.
REPORT_EVERY = 30


def find_subjects(names: Sequence[str]) -> list[str]:
    """Find components by their own name or by that of their factory.

    names (Sequence[str]): The names; none for all components.
    RETURNS (list[str]): The names of their own.
    """
    return [
        name
        for name, subject in SUBJECTS.items()
        if not names or name in names or subject.factory in names
    ]


def parse(args: Sequence[str] | None = None) -> Namespace:
    """RETURNS (Namespace): The arguments of the command line."""
    factories = {subject.factory for subject in SUBJECTS.values()}
    parser = ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long")
    parser.add_argument("--seed", type=int, help="seed of all cases; a new one if not given")
    parser.add_argument(
        "--component",
        action="append",
        default=[],
        choices=sorted({*SUBJECTS, *factories}),
        help="only this component; may be repeated",
    )
    parser.add_argument(
        "--action",
        action="append",
        default=[],
        choices=sorted(ACTIONS),
        help="only this action; may be repeated",
    )
    parser.add_argument("--case", type=int, help="only the case with this number")
    parser.add_argument("--max-failures", type=int, default=10, help="stop after this many")
    return parser.parse_args(args)


def main(args: Sequence[str] | None = None) -> int:
    """Run cases, and say what went wrong.

    args (Optional[Sequence[str]]): Arguments of the command line; None for those of the process.
    RETURNS (int): The exit code: 1 if anything failed.
    """
    options = parse(args)
    seed = random.randrange(2**32) if options.seed is None else options.seed
    actions = options.action or list(ACTIONS)
    again = " ".join(f"--action {name}" for name in options.action)
    campaign = Campaign(seed, find_subjects(options.component), actions)
    # After a crash, this is all that is left of the case.
    last_case = Path(tempfile.gettempdir()) / f"fuzz_{os.getpid()}.txt"
    started = reported = time.monotonic()

    def announce(subject: str, action: str, number: int) -> None:
        nonlocal reported
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        repeat = f"python -m tests.fuzz --seed {seed} --component {subject} {again} --case {number}"
        last_case.write_text(f"{action}: {' '.join(repeat.split())}\n")
        if time.monotonic() - reported > REPORT_EVERY:
            reported = time.monotonic()
            print(f"{campaign.n_docs} Docs in {reported - started:.0f} s", flush=True)

    faulthandler.enable()
    campaign.announce = announce
    print(f"Seed {seed}. If the process dies, {last_case} has its last case.", flush=True)
    if options.case is not None:
        for name in campaign.subjects:
            campaign.run_case(SUBJECTS[name], options.case)
    else:
        campaign.run(options.minutes * 60, max_failures=options.max_failures)
    faulthandler.cancel_dump_traceback_later()
    seconds, cpu_seconds = time.monotonic() - started, time.process_time()
    for failure in campaign.failures:
        repeat = f"--seed {seed} --component {failure.subject} {again} --case {failure.number}"
        print(f"\n{failure}\nAgain: python -m tests.fuzz {' '.join(repeat.split())}")
    print(
        f"\n{campaign.n_docs} Docs in {campaign.n_cases} cases, {seconds:.0f} s, "
        f"{campaign.n_docs / cpu_seconds:.0f} Docs per CPU second, seed {seed}: "
        f"{len(campaign.failures)} failures"
    )
    last_case.unlink(missing_ok=True)
    return int(bool(campaign.failures))


if __name__ == "__main__":
    sys.exit(main())
