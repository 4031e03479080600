"""The ranking of the core in a page of Python, to measure a table before it is shipped: words, meaning, and both."""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import snowballstemmer
from table import Table, words

FIELDS = ("server", "name", "description", "parameters", "texts")
WEIGHT = {"server": 1.5, "name": 3.0, "description": 0.6, "parameters": 0.7, "texts": 0.5}
DISCOUNT = {"server": 0.3}
K1, MEANING = 1.6, 2.0
STOP = set(
    "a about all also am an and any are as at be been being but by can could did do does for from get give had has have her him his how i if in "
    "into is it its just let like may me might more most my need no not of on one or our out please so some such tell than that the their them "
    "then there these they this those to us use using want was we were what when where which who why will with would you your "
    "el la los las un una unos unas de del al a en y o que por para con sin mi tu su mis sus me te se lo le es son esta este esto como cual "
    "cuales donde cuando quiero necesito puedes hay algun alguna todos todas mas".split()
)
_english = snowballstemmer.stemmer("english")


def stems(text: str) -> list[str]:
    return _english.stemWords(words(text))


def content(text: str) -> list[str]:
    found = [word for word in words(text) if word not in STOP]
    return list(dict.fromkeys(found or words(text)))


def schema_texts(schema: dict | None) -> tuple[list[str], list[str]]:
    names, texts = [], []
    for name, part in ((schema or {}).get("properties") or {}).items():
        names.append(name)
        if isinstance(part, dict) and isinstance(part.get("description"), str):
            texts.append(part["description"])
    return names, texts


def field_texts(tool: dict) -> dict[str, str]:
    """What stands in each of a tool's fields."""
    names, texts = schema_texts(tool.get("inputSchema"))
    return {
        "server": tool["server"],
        "name": tool["name"],
        "description": tool["description"] or "",
        "parameters": " ".join(names),
        "texts": " ".join(texts),
    }


class Ranking:
    def __init__(self, tools: list[dict], table: Table):
        self.tools, self.table = tools, table
        fields = []
        vectors = []
        for tool in tools:
            parts = field_texts(tool)
            fields.append({f: Counter(stems(parts[f])) for f in FIELDS})
            described = [w for w in words(parts["description"]) if w not in STOP][:30]
            weighted = [(w, 1.0) for w in words(tool["server"])]
            weighted += [(w, 2.0) for w in words(tool["name"])]
            weighted += [(w, 1.0) for w in described + words(parts["parameters"])[:10]]
            vectors.append(table.mean(weighted))
        self.vectors = np.array(vectors)
        mean = {f: max(1.0, sum(sum(t[f].values()) for t in fields) / len(fields)) for f in FIELDS}
        self.postings: dict[str, list[tuple[int, float]]] = {}
        for i, tool in enumerate(fields):
            total: Counter = Counter()
            for f in FIELDS:
                b = DISCOUNT.get(f, 0.5)
                length = 1 - b + b * sum(tool[f].values()) / mean[f]
                for word, count in tool[f].items():
                    total[word] += WEIGHT[f] * count / length
            for word, frequency in total.items():
                self.postings.setdefault(word, []).append((i, frequency))

    def lexical(self, query: str) -> np.ndarray:
        scores, count = np.zeros(len(self.tools)), len(self.tools)
        for word in dict.fromkeys(_english.stemWords(content(query))):
            held = self.postings.get(word, [])
            rarity = math.log(1 + (count - len(held) + 0.5) / (len(held) + 0.5))
            for i, frequency in held:
                scores[i] += rarity * frequency / (frequency + K1)
        return scores

    def meaning(self, query: str) -> np.ndarray:
        return self.vectors @ self.table.mean([(w, 1.0) for w in content(query)])

    def both(self, query: str) -> np.ndarray:
        def standard(scores: np.ndarray) -> np.ndarray:
            return (scores - scores.mean()) / (scores.std() or 1)

        return standard(self.lexical(query)) + MEANING * standard(self.meaning(query))


def read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def recall(ranking: Ranking, queries: list[dict], way: str, limit: int = 5) -> float:
    total = 0.0
    for query in queries:
        best = np.argsort(-getattr(ranking, way)(query["query"]), kind="stable")[:limit]
        found = {ranking.tools[i]["id"] for i in best}
        groups = query.get("groups") or [[i] for i in query["relevant"]]
        total += sum(bool(found & set(group)) for group in groups) / len(groups)
    return total / len(queries)


def sets(data: Path) -> dict[str, tuple[list[dict], list[dict]]]:
    """Name: tools and queries, from `bench/retrieval`."""
    live, meta, bfcl = (read(data / name / "tools.jsonl") for name in ("livemcp", "metatool", "bfcl"))
    more = read(data / "distractors/tools.jsonl")
    return {
        "step": (live, read(data / "livemcp/step.jsonl")),
        "task": (live, read(data / "livemcp/task.jsonl")),
        "single": (meta, read(data / "metatool/single.jsonl")),
        "multi": (meta, read(data / "metatool/multi.jsonl")),
        "bfcl": (bfcl, read(data / "bfcl/queries.jsonl")),
        "step +755": (live + more, read(data / "livemcp/step.jsonl")),
        "spanish": (live, read(data / "spanish/queries.jsonl")),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="bench/retrieval")
    parser.add_argument("tables", type=Path, nargs="+")
    options = parser.parse_args()
    data = sets(options.data)
    print("R@5".ljust(34), *(name.rjust(9) for name in data))
    for path in options.tables:
        table = Table.read(path)
        rankings = {id(tools): Ranking(tools, table) for tools, _ in data.values()}
        for way in ("lexical", "meaning", "both"):
            figures = (recall(rankings[id(tools)], queries, way) for tools, queries in data.values())
            print(f"{path.name[-24:]} {way}".ljust(34), *(f"{figure:9.3f}" for figure in figures), flush=True)
