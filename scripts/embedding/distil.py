"""Makes the English rows of `runtime/assets/words.vectors` from a sentence model. See README.md."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from corpus import aws, debian, google, sample, wordnet
from encoder import Encoder
from scipy.sparse import csr_matrix
from table import Table

DIMENSIONS = 128
SIF = 1e-3
# The vocabulary begins with markers and single characters of many scripts.
FIRST_PIECE = 999


def pieces(encoder: Encoder) -> list[tuple[int, str]]:
    """The ASCII pieces of the vocabulary, the frequent ones first, as the vocabulary has them."""
    vocabulary = encoder.tokenizer.get_vocab()
    return sorted((row, piece) for piece, row in vocabulary.items() if piece.isascii() and row >= FIRST_PIECE)


def sif_weights(count: int) -> np.ndarray:
    """Rare words say more. Frequencies are taken from the rank (Zipf), so that no list of counts is needed."""
    rank = np.arange(1, count + 1)
    frequency = 1 / (rank * np.log(count))
    return (SIF / (SIF + frequency)).astype(np.float32)


def corpora(packages: Path) -> list[list[str]]:
    return [
        sample(aws(packages / "botocore/botocore/data"), 9_000),
        sample(google(packages / "google_api_python_client/googleapiclient/discovery_cache/documents"), 6_000),
        sample(wordnet(packages / "wn/usr/share/wordnet"), 30_000),
        sample(debian(packages / "available.txt"), 10_000),
    ]


def basis(sentences: np.ndarray, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and principal axes of sentence vectors."""
    mean = sentences.mean(0)
    _, vectors = np.linalg.eigh(np.cov((sentences - mean).T))
    return mean, vectors[:, ::-1][:, :dimensions]


def taught(start: np.ndarray, weights: np.ndarray, texts: list[list[int]], wanted: np.ndarray, loyalty: float) -> np.ndarray:
    """Rows whose weighted means over the texts come near the model's own vectors, and which stay near `start`.

    Minimises |M V - wanted|^2 + loyalty |V - start|^2, M being the means: one sparse system for all dimensions.
    """
    rows, columns, values = [], [], []
    for text, ids in enumerate(texts):
        total = weights[ids].sum()
        rows += [text] * len(ids)
        columns += ids
        values += list(weights[ids] / total)
    means = csr_matrix((values, (rows, columns)), shape=(len(texts), len(start)))
    return start + solved(means, loyalty, means.T @ (wanted - means @ start))


def solved(means: csr_matrix, loyalty: float, right: np.ndarray, steps: int = 60) -> np.ndarray:
    """(M^T M + loyalty) X = right, by conjugate gradients for all columns at once."""
    x = np.zeros_like(right)
    residual, direction = right.copy(), right.copy()
    size = (residual * residual).sum(0)
    for _ in range(steps):
        image = means.T @ (means @ direction) + loyalty * direction
        step = size / (direction * image).sum(0)
        x += step * direction
        residual -= step * image
        before, size = size, (residual * residual).sum(0)
        direction = residual + (size / before) * direction
    return x


def distil(model: Path, packages: Path, cache: Path, loyalty: float, dimensions: int = DIMENSIONS) -> Table:
    encoder = Encoder(model)
    vocabulary = pieces(encoder)
    place = {row: i for i, (row, _) in enumerate(vocabulary)}
    start = encoder.sequences([[101, row, 102] for row, _ in vocabulary], cache)
    texts, vectors = [], []
    for corpus in corpora(packages):
        texts += [[place[i] for i in encoder.ids(text) if i in place] for text in corpus]
        vectors.append(encoder.texts(corpus, cache))
    sentences = np.vstack(vectors)
    kept = [i for i, ids in enumerate(texts) if ids]
    mean, axes = basis(sentences, dimensions)
    weights = sif_weights(len(vocabulary))
    wanted = (sentences[kept] - mean) @ axes
    rows = taught((start - mean) @ axes, weights, [texts[i] for i in kept], wanted, loyalty)
    return Table([piece for _, piece in vocabulary], weights, rows.astype(np.float32))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder of the sentence model")
    parser.add_argument("--packages", type=Path, required=True, help="folder with the unpacked packages of texts")
    parser.add_argument("--cache", type=Path, required=True, help="folder for what the model has answered")
    parser.add_argument("--loyalty", type=float, default=0.1, help="how much a row stays what the model says of it alone")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    distil(options.model, options.packages, options.cache, options.loyalty).write(options.out)
