"""Shows what each value of each weight of the ranking does, one at a time, for all queries and for two halves of them.

The halves are split by a hash. A gain that only one of them has is chance.
"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from reference import FIELDS, STOP, content, field_texts, read, sets, stems
from table import Table, words

VECTOR_FIELDS = ("server", "name", "description", "parameters")


@dataclass(frozen=True)
class Weights:
    """As the core has them: fields, BM25, the name in a tool's vector, meaning beside words, synonyms."""

    server: float = 1.5
    name: float = 2.5
    description: float = 1.0
    parameters: float = 0.8
    texts: float = 0.6
    k1: float = 1.2
    b: float = 0.5
    b_server: float = 0.3
    named: float = 1.5
    server_vector: float = 1.0
    parameters_vector: float = 1.0
    meaning: float = 2.0
    synonym: float = 0.3


CHOICES: dict[str, tuple[float, ...]] = {
    "server": (1.0, 1.5, 2.0),
    "name": (2.0, 2.5, 3.0, 4.0),
    "description": (0.6, 0.8, 1.0, 1.3),
    "parameters": (0.5, 0.8, 1.2),
    "texts": (0.3, 0.6, 0.9),
    "k1": (0.8, 1.2, 1.6, 2.2),
    "b": (0.3, 0.5, 0.7),
    "b_server": (0.0, 0.3, 0.6),
    "named": (1.0, 1.5, 2.0, 3.0),
    "server_vector": (0.5, 1.0, 1.5),
    "parameters_vector": (0.3, 0.6, 1.0),
    "meaning": (1.2, 1.6, 2.0, 2.5),
    "synonym": (0.0, 0.15, 0.3, 0.5),
}


@dataclass
class Catalogue:
    """Everything about tools that does not depend on weights."""

    counts: list[dict[str, Counter]]
    lengths: np.ndarray
    sums: dict[str, np.ndarray]
    ids: list[str]
    holders: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, tools: list[dict], table: Table) -> Catalogue:
        counts, sums = [], {f: np.zeros((len(tools), table.rows.shape[1])) for f in VECTOR_FIELDS}
        for i, tool in enumerate(tools):
            parts = field_texts(tool)
            counts.append({f: Counter(stems(parts[f])) for f in FIELDS})
            limits = {"description": 30, "parameters": 10}
            for f in VECTOR_FIELDS:
                for word in [w for w in words(parts[f]) if w not in STOP][: limits.get(f)]:
                    for row in table.rows_of(word):
                        sums[f][i] += table.weights[row] * table.rows[row]
        lengths = np.array([[sum(c[f].values()) for f in FIELDS] for c in counts], float)
        made = cls(counts, lengths / np.maximum(lengths.mean(0), 1), sums, [t["id"] for t in tools])
        for i, tool in enumerate(counts):
            for word in {w for f in FIELDS for w in tool[f]}:
                made.holders.setdefault(word, []).append(i)
        return made


class Trial:
    """One set of queries over one catalogue, flattened so that a change of weights costs a few array operations."""

    def __init__(self, catalogue: Catalogue, queries: list[dict], table: Table, synonyms: dict[str, set[str]]):
        self.catalogue = catalogue
        self.shape = (len(queries), len(catalogue.ids))
        place = {name: i for i, name in enumerate(catalogue.ids)}
        counts, tools, rarities, cells, alternative = [], [], [], [], []
        word_number = 0
        self.word_query = []
        for q, query in enumerate(queries):
            for word in dict.fromkeys(stems(" ".join(content(query["query"])))):
                for term in [word, *sorted(synonyms.get(word, ()))]:
                    held = catalogue.holders.get(term, [])
                    rarity = math.log(1 + (self.shape[1] - len(held) + 0.5) / (len(held) + 0.5))
                    for i in held:
                        counts.append([catalogue.counts[i][f][term] for f in FIELDS])
                        tools.append(i)
                        rarities.append(rarity)
                        cells.append(word_number * self.shape[1] + i)
                        alternative.append(term != word)
                self.word_query.append(q)
                word_number += 1
        order = np.argsort(cells, kind="stable")
        self.counts, self.tools = np.array(counts, float)[order], np.array(tools)[order]
        self.rarities, self.alternative = np.array(rarities)[order], np.array(alternative)[order]
        cells = np.array(cells)[order]
        self.starts = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
        self.at = (np.array(self.word_query)[cells[self.starts] // self.shape[1]], cells[self.starts] % self.shape[1])
        self.vectors = np.array([table.mean([(w, 1.0) for w in content(q["query"])]) for q in queries])
        groups = [q.get("groups") or [[i] for i in q["relevant"]] for q in queries]
        self.groups = [[[place[i] for i in group if i in place] for group in wanted] for wanted in groups]
        self.first_half = np.array([hashlib.sha256(q["query"].encode()).digest()[0] % 2 == 0 for q in queries])

    def scores(self, w: Weights) -> np.ndarray:
        discount = np.array([w.b_server if f == "server" else w.b for f in FIELDS])
        weight = np.array([getattr(w, f) for f in FIELDS])
        per_tool = weight / (1 - discount + discount * self.catalogue.lengths)
        frequency = (self.counts * per_tool[self.tools]).sum(1)
        value = self.rarities * frequency / (frequency + w.k1) * np.where(self.alternative, w.synonym, 1.0)
        lexical = np.zeros(self.shape)
        np.add.at(lexical, self.at, np.maximum.reduceat(value, self.starts))
        share = {"server": w.server_vector, "name": w.named, "description": 1.0, "parameters": w.parameters_vector}
        tools = sum(share[f] * self.catalogue.sums[f] for f in VECTOR_FIELDS)
        tools = tools / np.maximum(np.linalg.norm(tools, axis=1, keepdims=True), 1e-9)
        return standard(lexical) + w.meaning * standard(self.vectors @ tools.T)

    def quality(self, w: Weights) -> np.ndarray:
        """By query: the share of needed tools among the first five."""
        best = np.argsort(-self.scores(w), 1, kind="stable")[:, :5]
        return np.array([np.mean([bool(set(group) & set(row)) for group in groups]) for row, groups in zip(best.tolist(), self.groups, strict=True)])


def standard(scores: np.ndarray) -> np.ndarray:
    spread = scores.std(1, keepdims=True)
    return (scores - scores.mean(1, keepdims=True)) / np.where(spread > 0, spread, 1)


def measured(trials: dict[str, Trial], w: Weights) -> dict[str, tuple[float, float, float]]:
    """For each set: all queries, the first half, the second half."""
    done = {}
    for name, trial in trials.items():
        quality = trial.quality(w)
        done[name] = (quality.mean(), quality[trial.first_half].mean(), quality[~trial.first_half].mean())
    return done


def mean(done: dict[str, tuple[float, float, float]], part: int) -> float:
    return float(np.mean([figures[part] for figures in done.values()]))


def synonym_groups(path: Path) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            group = set(stems(line))
            for word in group:
                groups.setdefault(word, set()).update(group - {word})
    return groups


def all_trials(data: Path, table: Table, synonyms: dict[str, set[str]]) -> dict[str, Trial]:
    """Every set but the Spanish one, which nothing may be tuned to, and the keywords of three of them."""
    known = sets(data)
    del known["spanish"]
    for name, of in (("livemcp", "step"), ("metatool", "single"), ("bfcl", "bfcl")):
        known[f"{of} keywords"] = (known[of][0], read(data / f"keywords/{name}.jsonl"))
    catalogues: dict[int, Catalogue] = {}
    for tools, _ in known.values():
        catalogues.setdefault(id(tools), Catalogue.of(tools, table))
    return {name: Trial(catalogues[id(tools)], queries, table, synonyms) for name, (tools, queries) in known.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="bench/retrieval")
    parser.add_argument("--assets", type=Path, required=True, help="runtime/assets")
    options = parser.parse_args()
    table = Table.read(options.assets / "words.vectors")
    trials = all_trials(options.data, table, synonym_groups(options.assets / "synonyms.txt"))

    def show(label: str, w: Weights) -> None:
        done = measured(trials, w)
        figures = "".join(f"{figures[0]:10.3f}" for figures in done.values())
        print(f"{label:28}{figures}{mean(done, 0):9.4f}{mean(done, 1):9.4f}{mean(done, 2):9.4f}", flush=True)

    print(" " * 28 + "".join(f"{name[:9]:>10}" for name in trials) + "     mean    first   second")
    show("as in the core", Weights())
    for name, values in CHOICES.items():
        for value in values:
            show(f"{name} {value}", replace(Weights(), **{name: value}))


if __name__ == "__main__":
    main()
