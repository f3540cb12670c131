"""Every public method of every component from several threads at once: none crashes, readers get
what they get alone, and next to a writer each answer is that of some moment between its steps.

`SPACY_PERCEPTRON_THREAD_CALLS=2000` makes as many calls of each method, for a long run.
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spacy.tokens import Doc
from spacy.training import Example

import spacy_perceptron
from spacy_perceptron.answers.calibration import Calibration
from spacy_perceptron.components._shared import decoders, threads
from spacy_perceptron.components._shared.decoders import Decoders, cut_sentences

from ..contract import CONTRACTS, NAME, Contract

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]
N_CALLS = int(os.environ.get("SPACY_PERCEPTRON_THREAD_CALLS", "60"))
N_THREADS = [2, 6]
N_EXAMPLES = 6
BY_NAME = {contract.name or contract.factory: contract for contract in CONTRACTS}
# Components, each with all of its decoders.
VARIANTS: dict[str, tuple[Contract, dict[str, Any]]] = {
    **{name: (contract, {}) for name, contract in BY_NAME.items()},
    "mira_parser-1": (BY_NAME["mira_parser"], {"order": 1}),
    "mira_parser-3": (BY_NAME["mira_parser"], {"order": 3}),
    "mira_parser-mst": (BY_NAME["mira_parser"], {"order": 1, "decoder": "mst"}),
    "easy_first_parser-greedy": (BY_NAME["easy_first_parser"], {"beam_width": 1}),
    "perceptron_ner-easy_first": (BY_NAME["perceptron_ner"], {"search": "easy_first"}),
}
Read = Callable[[Contract, Any, Example], Any]


def as_data(value: Any) -> Any:
    """An answer as plain data that can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [as_data(item) for item in value]
    return getattr(value, "__dict__", value)


def call(contract: Contract, pipe: Any, example: Example) -> Any:
    return contract.snapshot(pipe(example.predicted.copy()))


def stream(contract: Contract, pipe: Any, example: Example) -> Any:
    docs = [example.predicted.copy() for _ in range(3)]
    return [contract.snapshot(doc) for doc in pipe.pipe(docs, batch_size=2)]


def explain(contract: Contract, pipe: Any, example: Example) -> Any:
    try:
        explanation = pipe.explain(example.predicted, 0)
    except ValueError as error:  # There is no other answer. That must not depend on threads either.
        return str(error)
    return as_data(explanation) | {"features": as_data(explanation.features)}


def raw_confidences(contract: Contract, pipe: Any, example: Example) -> Any:
    return as_data(pipe.raw_confidences([example], 1.5)) if contract.confidence else None


def oracle_recall(contract: Contract, pipe: Any, example: Example) -> Any:
    return pipe.oracle_recall([example]) if hasattr(pipe, "oracle_recall") else None


def unpickled(contract: Contract, pipe: Any, example: Example) -> Any:
    return call(contract, pickle.loads(pickle.dumps(pipe)), example)


READERS: dict[str, Read] = {
    "call": call,
    "pipe": stream,
    "nbest": lambda contract, pipe, example: as_data(pipe.nbest(example.predicted, 5)),
    "sentence_nbest": lambda contract, pipe, example: as_data(
        pipe.sentence_nbest(example.predicted, 4)
    ),
    "explain": explain,
    "raw_confidences": raw_confidences,
    "oracle_recall": oracle_recall,
    "to_bytes": lambda contract, pipe, example: pipe.to_bytes(),
    "pickle": unpickled,
    "labels": lambda contract, pipe, example: getattr(pipe, "labels", None),
}


def train(name: str) -> tuple[Contract, Any, list[Example]]:
    contract, settings = VARIANTS[name]
    nlp = contract.blank(**settings)
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    # Too little to get everything right: there is something left to learn.
    nlp.update(examples[:2])
    return contract, nlp.get_pipe(NAME), contract.examples(nlp, limit=N_EXAMPLES)


@pytest.fixture(scope="module", params=VARIANTS)
def trained(request: pytest.FixtureRequest) -> tuple[Contract, Any, list[Example]]:
    return train(request.param)


@pytest.fixture(autouse=True)
def eager_switches() -> Iterator[None]:
    """Let threads take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def in_threads(work: Callable[[int], Any], n_calls: int, n_threads: int) -> list[Any]:
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, range(n_calls)))


@pytest.mark.parametrize("n_threads", N_THREADS)
@pytest.mark.parametrize("reader", READERS)
def test_readers(trained: tuple, reader: str, n_threads: int):
    contract, pipe, examples = trained
    read = READERS[reader]
    expected = [read(contract, pipe, example) for example in examples]

    def work(i: int) -> bool:
        i %= len(examples)
        return read(contract, pipe, examples[i]) == expected[i]

    assert all(in_threads(work, N_CALLS, n_threads))


@pytest.mark.parametrize("n_threads", N_THREADS)
def test_all_readers_at_once(trained: tuple, n_threads: int):
    contract, pipe, examples = trained
    reads = list(READERS.values())
    expected = [[read(contract, pipe, example) for read in reads] for example in examples]

    def work(i: int) -> bool:
        example, read = i % len(examples), i // len(examples) % len(reads)
        return reads[read](contract, pipe, examples[example]) == expected[example][read]

    assert all(in_threads(work, 4 * N_CALLS, n_threads))


# --- Writers ----------------------------------------------------------------------------------


def update(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.update(examples[step % 2 :: 2])


def correct(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.correct(examples[step % len(examples)])


def add_label(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.add_label(contract.new_label(f"NEW{step}"))


def calibrate(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.calibration = Calibration(1.5 + step)


def reload(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.from_bytes(pipe.to_bytes())


def forget_texts(contract: Contract, pipe: Any, examples: Sequence[Example], step: int) -> None:
    pipe.forget_texts()


WRITERS = [update, correct, add_label, calibrate, reload, forget_texts]
N_STEPS = 8
# What readers see of the state: one answer each, and the weights.
WATCHED = ["call", "nbest", "explain", "to_bytes", "pickle"]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", VARIANTS)
def test_readers_next_to_a_writer(name: str, write: Callable):
    contract, pipe, examples = train(name)
    needs = {
        correct: contract.can_be_corrected,
        calibrate: contract.confidence,
        add_label: contract.has_labels,
        forget_texts: contract.has_labels,
    }
    if not needs.get(write, True):
        pytest.skip(f"{contract.factory} has no such method")
    example = examples[0]
    known = {reader: [READERS[reader](contract, pipe, example)] for reader in WATCHED}
    for step in range(N_STEPS):
        write(contract, pipe, examples, step)
        for reader in WATCHED:
            known[reader].append(READERS[reader](contract, pipe, example))

    contract, pipe, examples = train(name)
    example = examples[0]
    done = threading.Event()

    def read(thread: int) -> list[tuple[str, Any]]:
        found = []
        while not done.is_set() or not found:
            reader = WATCHED[(thread + len(found)) % len(WATCHED)]
            found.append((reader, READERS[reader](contract, pipe, example)))
        return found

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(read, thread) for thread in range(4)]
        try:
            for step in range(N_STEPS):
                write(contract, pipe, examples, step)
        finally:
            done.set()
        found = [answer for future in futures for answer in future.result()]
    assert len(found) >= 4
    if write in (update, correct):
        assert known["to_bytes"][0] != known["to_bytes"][-1]
    for reader, answer in found:
        assert answer in known[reader], reader
    last = {reader: READERS[reader](contract, pipe, example) for reader in WATCHED}
    assert last == {reader: answers[-1] for reader, answers in known.items()}


# --- Threads of a component -------------------------------------------------------------------


def long_docs(contract: Contract, pipe: Any, n_docs: int) -> list[Doc]:
    """Docs of several sentences."""
    nlp = contract.blank()
    sentences = [example.predicted for example in contract.examples(nlp, "dev", limit=40)]
    docs = []
    for i in range(n_docs):
        doc = Doc.from_docs([sentences[(i + k) % len(sentences)].copy() for k in range(10)])
        assert doc is not None
        docs.append(doc)
    return docs


@pytest.mark.parametrize("n_threads", [0, 2, 3, 16])
def test_the_number_of_threads_does_not_matter(trained: tuple, n_threads: int):
    contract, pipe, examples = trained
    assert pipe.n_threads == 1
    docs = [example.predicted for example in examples]
    if contract.has_labels:
        docs = long_docs(contract, pipe, 5)

    def answers() -> list[Any]:
        found = [contract.snapshot(doc) for doc in pipe.pipe([d.copy() for d in docs])]
        return [found, [as_data(pipe.nbest(doc, 4)) for doc in docs]]

    expected = answers()
    pipe.n_threads = n_threads
    try:
        assert answers() == expected
    finally:
        pipe.n_threads = 1


def test_set_threads():
    contract = CONTRACTS[0]
    nlp = contract.train(epochs=1)
    nlp.add_pipe("sentencizer")
    spacy_perceptron.set_threads(nlp, 3)
    assert nlp.get_pipe(NAME).n_threads == 3
    assert nlp.config["components"][NAME]["n_threads"] == 3
    for value in (-1, 1025, 1.5, True, "all"):
        with pytest.raises(ValueError, match="`n_threads` must be"):
            spacy_perceptron.set_threads(nlp, value)


@pytest.mark.parametrize("n_threads", [1, 2, 7])
@pytest.mark.parametrize("lengths", [[], [0], [5], [1] * 1000, [900, 3, 3], [3, 3, 900], [70, 60]])
def test_sentences_are_cut_into_parts(lengths: list[int], n_threads: int):
    starts = np.cumsum([0, *lengths]).astype(np.int32)
    parts = cut_sentences(starts, n_threads)
    assert parts[0][0] == 0
    assert parts[-1][1] == len(lengths)
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert all(first < last for first, last in parts) or not lengths
    sizes = [int(starts[last] - starts[first]) for first, last in parts]
    assert len(parts) <= (1 if n_threads == 1 else decoders.PARTS_PER_THREAD * n_threads)
    share = max(sum(lengths) / (decoders.PARTS_PER_THREAD * n_threads), decoders.MIN_WORDS)
    if n_threads > 1:
        assert max(sizes) <= 2 * share + max(lengths, default=0)


class Slow:
    """A decoder that works until it is stopped."""

    def __init__(self, lexemes: Any):
        self.control = self
        self.longest = 0
        self.asked = threading.Event()

    def stop(self) -> None:
        self.asked.set()


def test_an_error_in_one_thread_stops_the_others():
    pool: Decoders[Any] = Decoders(Slow, 1, longest=9)

    def work(decoder: Slow, part: int) -> None:
        if part == 0:
            raise ValueError("part 0")
        assert decoder.asked.wait(20)
        raise RuntimeError("stopped")

    start = time.monotonic()
    with pytest.raises(ValueError, match="part 0"):
        pool.run(work, [0, 1], 2)
    assert time.monotonic() - start < 10


def test_decoders_are_no_more_than_cores():
    made: list[Slow] = []

    def make(lexemes: Any) -> Slow:
        made.append(Slow(lexemes))
        return made[-1]

    pool: Decoders[Any] = Decoders(make, 1, longest=9)

    def work(i: int) -> None:
        with pool.borrow():
            time.sleep(0.001)

    in_threads(work, 200, 16)
    assert 1 <= len(made) <= threads.n_cores()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_forks_while_all_decoders_are_at_work():
    pool: Decoders[Any] = Decoders(Slow, 1, longest=9)
    lock = threads.PipeLock()
    busy, done = threading.Barrier(threads.n_cores() + 1), threading.Event()

    def hold(i: int) -> None:
        with pool.borrow(), lock if i == 0 else nullcontext():
            busy.wait()
            done.wait()

    workers = [threading.Thread(target=hold, args=[i]) for i in range(threads.n_cores())]
    for worker in workers:
        worker.start()
    busy.wait()
    child = os.fork()
    if child == 0:
        with pool.borrow(), lock:
            os._exit(0)
    deadline = time.monotonic() + 10
    status = (0, 0)
    while status[0] == 0 and time.monotonic() < deadline:
        status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if status[0] == 0:
        os.kill(child, signal.SIGKILL)
    done.set()
    for worker in workers:
        worker.join()
    assert status == (child, 0)


def test_scratch_memory_of_long_sentences_is_not_kept():
    contract = BY_NAME["mira_parser"]
    nlp = contract.train(epochs=1, order=1)
    pipe: Any = nlp.get_pipe(NAME)
    pool = pipe._get_state().decoders
    for n_words in (pool.longest, pool.longest + 1):
        pipe(Doc(nlp.vocab, words=["word"] * n_words))
        assert len(pool._free) == (n_words <= pool.longest)


def test_disabled_components_get_threads_too():
    nlp = CONTRACTS[0].train(epochs=1)
    nlp.disable_pipe(NAME)
    spacy_perceptron.set_threads(nlp, 2)
    nlp.enable_pipe(NAME)
    assert nlp.get_pipe(NAME).n_threads == 2


def test_no_half_learned_batch_is_seen():
    """A recognizer reads new examples in the middle of a batch, and does not show what it has
    learned so far."""
    contract = BY_NAME["perceptron_ner"]
    nlp = contract.blank()
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    pipe: Any = nlp.get_pipe(NAME)
    pipe.update(examples[:2])
    pipe.update([*examples[:2], examples[2]])
    assert pipe._stale
    assert pipe._state is None


def test_no_half_made_correction_is_seen(monkeypatch: pytest.MonkeyPatch):
    """A corrected word has left the dictionary before the weights are right."""
    contract = BY_NAME["easy_first_tagger"]
    nlp = contract.train(epochs=1, dictionary_min_count=1)
    pipe: Any = nlp.get_pipe(NAME)
    example = contract.examples(nlp)[0]
    wrong = next(label for label in pipe.labels if label != example.reference[0].tag_)
    example.reference[0].tag_ = wrong
    states = []
    make = type(pipe)._make_decoder

    def watch(self: Any, *args: Any, **settings: Any) -> Any:
        states.append(self._state)
        return make(self, *args, **settings)

    monkeypatch.setattr(type(pipe), "_make_decoder", watch)
    assert pipe.correct(example) > 0
    assert states == [None]
    assert pipe(example.predicted.copy())[0].tag_ == wrong


PROCESSES = """
import sys, spacy
from spacy.tokens import Doc

if __name__ == "__main__":
    nlp = spacy.load(sys.argv[1])
    texts = [" ".join(["The dog sleeps"] * 40)] * 6
    # Threads of this process are at hand when others are forked from it.
    alone = [[token.tag_ for token in doc] for doc in nlp.pipe(texts)]
    together = [[token.tag_ for token in doc] for doc in nlp.pipe(texts, n_process=2, batch_size=2)]
    assert len(alone) == 6 and together == alone
    print("same")
"""


def test_threads_in_processes(tmp_path: Path):
    nlp = BY_NAME["easy_first_tagger"].train(epochs=1, n_threads=2)
    nlp.to_disk(tmp_path / "model")
    script = tmp_path / "script.py"
    script.write_text(PROCESSES)
    command = [sys.executable, "-W", "ignore", script, tmp_path / "model"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.stdout.split() == ["same"], result.stderr


# --- Signals ----------------------------------------------------------------------------------


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as in a terminal: processes in the background ignore it."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_wide_search_can_be_interrupted(n_threads: int):
    contract = BY_NAME["easy_first_tagger"]
    nlp = contract.train(epochs=1, nbest=0)
    pipe: Any = nlp.get_pipe(NAME)
    pipe.beam_width, pipe.n_threads = 3000, n_threads
    docs = [Doc(nlp.vocab, words=["word"] * 2000) for _ in range(2)]
    timer = threading.Timer(1.0, os.kill, [os.getpid(), signal.SIGINT])
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        pipe.predict(docs)
    assert time.monotonic() - start < 30
    pipe.beam_width = 3
    assert len(pipe.predict(docs).tags) == 4000
