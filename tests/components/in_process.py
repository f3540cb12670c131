"""Runs a component where pytest can't: in a fresh process, with workers of two kinds.

`python -m tests.components.in_process <factory> <model>` prints, as JSON, what workers predict for
each start method, and the digest of a component that is trained here.
"""

import hashlib
import json
import multiprocessing
import sys
from typing import Any

import spacy

from .contract import CONTRACTS, NAME, Contract


def predict(contract: Contract, model: str, method: str) -> list[dict[str, Any]]:
    """RETURNS (list[dict]): Snapshots of docs that two workers have predicted."""
    multiprocessing.set_start_method(method, force=True)
    nlp = spacy.load(model)
    docs = [example.predicted for example in contract.examples(nlp, "dev", limit=20)]
    return [contract.snapshot(doc) for doc in nlp.pipe(docs, n_process=2, batch_size=4)]


def main(factory: str, model: str) -> None:
    contract = next(contract for contract in CONTRACTS if contract.id == factory)
    found: dict[str, Any] = {
        method: predict(contract, model, method) for method in ("fork", "spawn")
    }
    trained = contract.train(epochs=2, drop=0.3).get_pipe(NAME).to_bytes(exclude=["vocab"])
    print(json.dumps({**found, "digest": hashlib.sha256(trained).hexdigest()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
