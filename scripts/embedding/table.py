"""The table of word vectors: its file, and how a text becomes a vector. `vectors.rs` of the core does the same."""

from __future__ import annotations

import re
import struct
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC, VERSION = b"ATWV", 1
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words(text: str) -> list[str]:
    """Split at whatever is no letter or digit and at the humps of a name; lower case, no accents."""
    folded = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", _HUMPS.sub(" ", folded).lower())


@dataclass
class Table:
    names: list[str]
    weights: np.ndarray
    rows: np.ndarray

    def __post_init__(self) -> None:
        self.index = {name: i for i, name in enumerate(self.names)}

    def rows_of(self, word: str) -> list[int]:
        """The word itself, in whatever language, else its longest pieces."""
        whole = [self.index[name] for name in (f" {word}", word) if name in self.index]
        return whole or self.pieces(word)

    def pieces(self, word: str) -> list[int]:
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                name = word[start:end] if start == 0 else f"##{word[start:end]}"
                if name in self.index:
                    found.append(self.index[name])
                    start = end
                    break
            else:
                start += 1
        return found

    def mean(self, weighted: list[tuple[str, float]]) -> np.ndarray:
        """The unit vector of words with a weight each; zero when none is known."""
        total = np.zeros(self.rows.shape[1], np.float32)
        for word, weight in weighted:
            for row in self.rows_of(word):
                total += weight * self.weights[row] * self.rows[row]
        norm = np.linalg.norm(total)
        return total / norm if norm > 0 else total

    def write(self, path: Path) -> None:
        scales = np.abs(self.rows).max(1) / 127
        scales[scales == 0] = 1
        values = np.round(self.rows / scales[:, None]).astype(np.int8)
        names = "".join(f"{name}\n" for name in self.names).encode()
        count, dimensions = values.shape
        header = MAGIC + struct.pack("<4I", VERSION, count, dimensions, len(names))
        numbers = self.weights.astype("<f4").tobytes() + scales.astype("<f4").tobytes()
        path.write_bytes(header + names + numbers + values.tobytes())

    @classmethod
    def read(cls, path: Path) -> Table:
        data = path.read_bytes()
        version, count, dimensions, length = struct.unpack_from("<4I", data, 4)
        if data[:4] != MAGIC or version != VERSION:
            raise ValueError(f"{path} is no table of version {VERSION}")
        names = data[20 : 20 + length].decode().splitlines()
        numbers = np.frombuffer(data, "<f4", 2 * count, 20 + length)
        values = np.frombuffer(data, np.int8, count * dimensions, 20 + length + 8 * count).reshape(count, dimensions)
        return cls(names, numbers[:count].copy(), values * numbers[count:, None])
