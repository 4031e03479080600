"""Short public texts that the distillation is fitted on: none of them is redistributed, none comes from a benchmark."""

from __future__ import annotations

import gzip
import html
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

MAX_WORDS = 24


def _clean(text: str) -> str:
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = re.sub(r"https?://\S+|`", " ", text)
    sentence = re.split(r"(?<=[a-z)])[.;:]\s", re.sub(r"\s+", " ", text).strip())[0]
    return " ".join(sentence.split()[:MAX_WORDS]).strip(" .")


def _split_name(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.-]", " ", name).lower()


def wordnet(folder: Path) -> Iterator[str]:
    """Definitions, quoted examples, and single entries with their definition."""
    for part in ("verb", "noun", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text("latin-1").splitlines():
            if line.startswith(" ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            fields = head.split()
            lemma = fields[4].replace("_", " ").split("(")[0]
            definition = _clean(re.split(r'; *"', gloss)[0])
            yield definition
            yield f"{lemma}: {definition}"
            for example in re.findall(r'"([^"]+)"', gloss):
                yield _clean(example)


def aws(folder: Path) -> Iterator[str]:
    """Operations of the AWS services (botocore): names as words, and the first sentence about each."""
    newest = {p.parent.parent.name: p for p in sorted(folder.glob("*/*/service-2.json.gz"))}
    for _, path in sorted(newest.items()):
        service = json.loads(gzip.decompress(path.read_bytes()))
        for name, operation in sorted(service["operations"].items()):
            yield _split_name(name)
            yield _clean(operation.get("documentation", ""))


def google(folder: Path) -> Iterator[str]:
    """Methods of the Google services (discovery documents)."""

    def methods(node: dict) -> Iterator[dict]:
        yield from node.get("methods", {}).values()
        for child in node.get("resources", {}).values():
            yield from methods(child)

    for path in sorted(folder.glob("*.json")):
        for method in methods(json.loads(path.read_text())):
            yield _split_name(" ".join(method["id"].split(".")[1:]))
            yield _clean(method.get("description", ""))


def debian(available: Path) -> Iterator[str]:
    """One-line descriptions in the output of `apt-cache dumpavail`."""
    for line in available.read_text(errors="replace").splitlines():
        if line.startswith(("Description:", "Description-en:")) and not re.search(r"dummy|transitional|development|debug", line):
            yield _clean(line.split(":", 1)[1])


def sample(texts: Iterator[str], count: int, seed: int = 7) -> list[str]:
    """`count` different texts of two words or more, in an order that depends on the seed alone."""
    chosen = sorted({t for t in texts if t.isascii() and len(t.split()) >= 2})
    random.Random(seed).shuffle(chosen)
    return chosen[:count]
