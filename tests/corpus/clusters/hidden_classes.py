"""Texts from a bigram model of hidden classes, for tests."""

import numpy as np

N_CLASSES = 6
WORDS_OF_CLASS = 8


def make_text(n_sentences: int, seed: int = 0) -> list[list[str]]:
    """Sentences of 12 words. The classes of a sentence mostly follow a fixed cycle; the words of a
    class are drawn by Zipf's law. A word is named by its class and its rank.
    """
    random = np.random.default_rng(seed)
    zipf = 1 / np.arange(1, WORDS_OF_CLASS + 1)
    sentences = []
    for _ in range(n_sentences):
        current = random.integers(N_CLASSES)
        words = []
        for _ in range(12):
            words.append(f"{'abcdef'[current]}{'stuvwxyz'[random.choice(8, p=zipf / zipf.sum())]}")
            follows = random.random() < 0.8
            current = (current + 1) % N_CLASSES if follows else random.integers(N_CLASSES)
        sentences.append(words)
    return sentences
