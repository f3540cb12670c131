"""Runs a component where pytest can't: in fresh processes, with workers, under another hash seed.

`python -m tests.components.in_process workers <factory> <model> <start method>` prints predictions;
`... digest <factory>` trains and prints the digest of the component.
"""

import hashlib
import json
import multiprocessing
import sys

import spacy

from .contract import CONTRACTS, NAME


def main(task: str, factory: str, *args: str) -> None:
    contract = next(contract for contract in CONTRACTS if contract.factory == factory)
    if task == "workers":
        model, method = args
        multiprocessing.set_start_method(method)
        nlp = spacy.load(model)
        docs = [example.predicted for example in contract.examples(nlp, "dev", limit=20)]
        predicted = nlp.pipe(docs, n_process=2, batch_size=4)
        print(json.dumps([contract.snapshot(doc) for doc in predicted]))
    else:
        nlp = contract.train(epochs=2, drop=0.3)
        print(hashlib.sha256(nlp.get_pipe(NAME).to_bytes(exclude=["vocab"])).hexdigest())


if __name__ == "__main__":
    main(*sys.argv[1:])
