"""Adds Spanish words to the table: each is a mixture of the English words that a multilingual model puts nearest.

The words are those of the model's own vocabulary that a Spanish dictionary accepts, and those of `spanish.txt`, which says
better than the model what they mean in the trade.
"""

from __future__ import annotations

import argparse
import subprocess
import unicodedata
from pathlib import Path

import numpy as np
from e5 import E5
from table import Table

ENGLISH_WORDS = 12_000
SHARES = 5
# How much nearer the nearest must be to have the mixture for itself.
SHARPNESS = 0.03
# English words that a word is compared with to find out how near it is to everything.
NEIGHBOURS = 10


def folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def accepted(words: list[str], dictionary: str) -> list[str]:
    """Those that hunspell knows."""
    done = subprocess.run(["hunspell", "-d", dictionary, "-i", "utf-8", "-l"], input="\n".join(words), text=True, capture_output=True, check=True)
    unknown = set(done.stdout.split("\n"))
    return [word for word in words if word not in unknown]


def glossary(path: Path) -> dict[str, list[str]]:
    lines = (line.split("=") for line in path.read_text().splitlines() if "=" in line and not line.startswith("#"))
    return {word.strip(): english.split() for word, english in lines}


def nearest(spanish: np.ndarray, english: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places and shares of the nearest English words of each Spanish one.

    Nearness is corrected by how near each is to everything (CSLS), or a few English words would be next to all.
    """
    spanish = spanish - spanish.mean(0)
    english = english - english.mean(0)
    spanish /= np.linalg.norm(spanish, axis=1, keepdims=True)
    english /= np.linalg.norm(english, axis=1, keepdims=True)
    near = spanish @ english.T
    crowd = np.sort(near, 0)[-NEIGHBOURS:].mean(0)
    score = 2 * near - crowd
    places = np.argsort(-score, 1)[:, :SHARES]
    best = np.take_along_axis(score, places, 1)
    shares = np.exp((best - best[:, :1]) / SHARPNESS / 2)
    return places, shares / shares.sum(1, keepdims=True)


def extended(table: Table, model: E5, words: dict[str, list[str]]) -> tuple[Table, dict[str, str]]:
    """The table with Spanish rows, and for each word of the model's the nearest English one, to look at."""
    whole = [name for name in table.names if name.isalpha() and len(name) > 2][:ENGLISH_WORDS]
    english = accepted(whole, "en_US")
    candidates = [w for w in dict.fromkeys(w.lower() for w in model.whole_words()) if w.isalpha() and len(w) > 2]
    latin = [w for w in candidates if folded(w).isascii()]
    taken = set(table.names)
    spanish = [w for w in accepted(latin, "es_ES") if folded(w) not in taken and folded(w) not in words]
    places, shares = nearest(model.vectors(spanish), model.vectors(english))
    names, weights, rows, looks = [], [], [], {}

    def add(word: str, meanings: list[str], shares: np.ndarray) -> None:
        parts = [np.array(table.rows_of(meaning)) for meaning in meanings]
        weight = np.array([table.weights[p].max() for p in parts])
        vectors = np.array([(table.weights[p, None] * table.rows[p]).sum(0) / table.weights[p].sum() for p in parts])
        names.append(f" {word}")
        weights.append((shares * weight).sum())
        rows.append((shares[:, None] * vectors).sum(0))

    for word, meanings in sorted(words.items()):
        meanings = [m for m in meanings if table.rows_of(m)]
        if meanings:
            add(word, meanings, np.full(len(meanings), 1 / len(meanings)))
    for word, place, share in zip(spanish, places, shares):
        if f" {folded(word)}" not in names[-1:] and folded(word) not in looks:
            add(folded(word), [english[i] for i in place], share)
            looks[folded(word)] = english[place[0]]
    joined = Table(table.names + names, np.append(table.weights, weights).astype(np.float32), np.vstack([table.rows, rows]).astype(np.float32))
    return joined, looks


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True, help="e5-small-q4.bin")
    parser.add_argument("--library", type=Path, required=True, help="libe5.so")
    parser.add_argument("--glossary", type=Path, required=True)
    parser.add_argument("--look", type=Path, help="where to write what each word was taken for")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    table, looks = extended(Table.read(options.table), E5(options.model, options.library), glossary(options.glossary))
    table.write(options.out)
    if options.look:
        options.look.write_text("".join(f"{word} {english}\n" for word, english in sorted(looks.items())))
