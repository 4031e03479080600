"""Writes what some texts become under the table, so that the reader in the core can be compared with this one."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from table import Table, words

TEXTS = (
    # English
    "file",
    "delete a file",
    "list the open issues of a repository",
    "weather forecast for tomorrow",
    "Send an e-mail to the whole team!",
    "convert 10 EUR to USD",
    "play some music",
    "the the the",
    "screenshot",
    "unsubscribeable webhooks",
    "kubernetes pods",
    "internationalization",
    "what is the meaning of life",
    "cafe CAFÉ café",
    # Spanish
    "borrar un archivo",
    "buscar vuelos baratos",
    "criptomoneda",
    "vulnerabilidades del servidor",
    "¿qué tiempo hará mañana?",
    "tarea pendiente",
    "año",
    "traducir el documento al inglés",
    "crear una rama nueva en el repositorio",
    "impresora",
    # Words of both languages
    "general",
    "red",
    "error",
    "real time",
    # Code
    "listOpenIssues",
    "get_repo-name.v2",
    "SELECT id FROM users WHERE age > 21",
    "HTTPServer",
    "git push --force origin/main",
    "s3://bucket/key.json",
    "a1b2c3d4e5f6",
    # Other scripts, mixtures, nothing
    "使用必应搜索",
    "погода",
    "天气 weather",
    "日本語file",
    "🙂",
    "… -- _",
    "",
)
SHOWN = 8


def golden(table: Table, text: str) -> dict:
    """`length` is that of the weighted sum before it is brought to 1; `vector` is the beginning of the unit vector."""
    split = words(text)
    total = np.zeros(table.rows.shape[1])
    for word in split:
        for row in table.rows_of(word):
            total += table.weights[row].astype(float) * table.rows[row]
    length = np.linalg.norm(total)
    unit = total / length if length > 0 else total
    return {"text": text, "words": split, "length": round(float(length), 6), "vector": [round(float(x), 6) for x in unit[:SHOWN]]}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, required=True, help="runtime/assets/words.vectors")
    parser.add_argument("--out", type=Path, required=True, help="runtime/tests/embedding/golden.jsonl")
    options = parser.parse_args()
    table = Table.read(options.table)
    lines = (json.dumps(golden(table, text), ensure_ascii=False) for text in TEXTS)
    options.out.write_text("".join(f"{line}\n" for line in lines))
