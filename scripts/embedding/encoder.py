"""A sentence model (BERT or MPNet) in numpy: enough to run MiniLM or all-mpnet-base once, offline."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer


class Encoder:
    """Loads `config.json`, `tokenizer.json` and `model.safetensors` of a sentence-transformers model with mean pooling."""

    def __init__(self, folder: Path):
        config = json.loads((folder / "config.json").read_text())
        weights = load_file(folder / "model.safetensors")
        prefix = next((p for p in ("bert.", "mpnet.") if any(k.startswith(p) for k in weights)), "")
        self.weights = {k.removeprefix(prefix): v.astype(np.float32) for k, v in weights.items() if v.dtype.kind == "f"}
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        self.mpnet = config["model_type"] == "mpnet"
        self.buckets = config.get("relative_attention_num_buckets", 32)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(64)

    def ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).ids

    def texts(self, texts: list[str], cache: Path) -> np.ndarray:
        """Unit sentence vectors; kept in `cache`, keyed by the texts."""
        return self.sequences([self.ids(t) for t in texts], cache)

    def sequences(self, sequences: list[list[int]], cache: Path, batch_tokens: int = 4096) -> np.ndarray:
        key = hashlib.sha256(json.dumps([self.layers, sequences]).encode()).hexdigest()[:16]
        kept = cache / f"{key}-{self.weights['embeddings.word_embeddings.weight'].shape[1]}.npy"
        if kept.exists():
            return np.load(kept)
        out = np.zeros((len(sequences), self.weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        by_length: dict[int, list[int]] = {}
        for i, s in enumerate(sequences):
            by_length.setdefault(len(s), []).append(i)
        # Sequences of one length go together, so that no padding or mask is needed.
        for length, members in sorted(by_length.items()):
            step = max(1, batch_tokens // length)
            for start in range(0, len(members), step):
                part = members[start : start + step]
                out[part] = self._forward(np.array([sequences[i] for i in part]))
        cache.mkdir(parents=True, exist_ok=True)
        np.save(kept, out)
        return out

    def _dense(self, x: np.ndarray, name: str) -> np.ndarray:
        # One large product: numpy would do a small one per sequence.
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T
        return (flat + self.weights[f"{name}.bias"]).reshape(*x.shape[:-1], -1)

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + self.epsilon)
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _position_bias(self, length: int) -> np.ndarray | float:
        """MPNet's relative position bias, as T5 buckets it (bidirectional, distance up to 128)."""
        if not self.mpnet:
            return 0.0
        distance = np.arange(length)[:, None] - np.arange(length)[None, :]
        half = self.buckets // 2
        bucket = (distance < 0) * half
        distance = np.abs(distance)
        exact = half // 2
        far = exact + (np.log(np.maximum(distance, 1) / exact) / np.log(128 / exact) * (half - exact)).astype(int)
        bucket = bucket + np.where(distance < exact, distance, np.minimum(far, half - 1))
        return self.weights["encoder.relative_attention_bias.weight"][bucket].transpose(2, 0, 1)

    def _forward(self, ids: np.ndarray) -> np.ndarray:
        w, (rows, length) = self.weights, ids.shape
        # MPNet counts positions from 2, the padding index plus one.
        offset = 2 if self.mpnet else 0
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][offset : offset + length]
        if not self.mpnet:
            x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        names = (
            ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm")
            if self.mpnet
            else (
                "attention.self.query",
                "attention.self.key",
                "attention.self.value",
                "attention.output.dense",
                "attention.output.LayerNorm",
            )
        )
        bias = self._position_bias(length)
        width = x.shape[-1] // self.heads
        for layer in range(self.layers):
            at = f"encoder.layer.{layer}."
            q, k, v = (self._dense(x, at + n).reshape(rows, length, self.heads, width).transpose(0, 2, 1, 3) for n in names[:3])
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width)) + bias
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(rows, length, -1)
            x = self._norm(x + self._dense(mixed, at + names[3]), at + names[4])
            inner = self._dense(x, at + "intermediate.dense")
            inner *= 0.5 * (1 + erf(inner * np.float32(0.5**0.5)))
            x = self._norm(x + self._dense(inner, at + "output.dense"), at + "output.LayerNorm")
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)
