"""Trains an adapter: ``python -m training.train --pairs DIR --model-path DIR --to FILE``.

Contrastive: within a batch, a question's vector shall be nearer to its own chunk's than to any
other's (InfoNCE, https://arxiv.org/abs/1807.03748), and the other way round. Two processes share
each batch; every one of them sees the vectors of both.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
import torch.distributed as together
from torch import Tensor, multiprocessing
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from training.batches import batches, shown, varied
from training.model import AdaptedBert
from training.pairs import REPOSITORIES, Pair, file_of, read_pairs

RANK = 16
LEARNING_RATE = 4e-4
_WARM_UP = 15
#: Cosines are multiplied by it before the softmax; sentence-transformers' own value.
_SCALE = 20.0
#: The share of the loss from questions to chunks, which is the way a search goes.
_FORWARD = 0.7
#: Chunks are read in full by an index; 96 tokens are a quarter faster to learn from.
_CHUNK_TOKENS, _QUESTION_TOKENS = 96, 40
_PROCESSES = 2
_CHECK_EVERY = 100
_CHECKED = 400


def loss_of(batch: Sequence[Pair], questions: Sequence[str], q: Tensor, c: Tensor) -> Tensor:
    """The loss of vectors of questions and chunks, row by row of one pair.

    Pairs with one question or one place are not told apart.
    """
    cosines = q @ c.T * _SCALE
    keys = [question.lower() for question in questions]
    same = [
        [i != j and (keys[i] == keys[j] or a.place == b.place) for j, b in enumerate(batch)]
        for i, a in enumerate(batch)
    ]
    cosines = cosines.masked_fill(torch.tensor(same), -1e4)
    right = torch.arange(len(batch))
    forward = functional.cross_entropy(cosines, right)
    backward = functional.cross_entropy(cosines.T, right)
    return _FORWARD * forward + (1 - _FORWARD) * backward


def check(model: AdaptedBert, repositories: Mapping[str, Sequence[Pair]]) -> dict[str, float]:
    """Mean reciprocal rank of the right chunk in its repository, for comments and commits."""
    dice = random.Random(5)
    reciprocal: dict[str, list[float]] = {}
    for pairs in repositories.values():
        chosen = dice.sample(range(len(pairs)), min(_CHECKED, len(pairs)))
        some = [pairs[i] for i in sorted(chosen)]
        views = [shown(pair) for pair in some]
        with torch.no_grad():
            questions = model.encode([question for question, _ in views], 64)
            cosines = questions @ model.encode([text for _, text in views], 128).T
        ranks = 1 + (cosines > cosines.diagonal()[:, None]).sum(1)
        for pair, rank in zip(some, ranks.tolist(), strict=True):
            reciprocal.setdefault(pair.kind, []).append(1 / rank)
    return {kind: round(sum(values) / len(values), 4) for kind, values in reciprocal.items()}


def _share(rank: int, batch: list[Pair], views: list[tuple[str, str]]) -> tuple[list[int], slice]:
    """The order of a batch, halves of like length one after the other, and this process's part."""
    by_length = sorted(range(len(batch)), key=lambda i: len(views[i][1]))
    halves = [by_length[i::_PROCESSES] for i in range(_PROCESSES)]
    start = sum(len(half) for half in halves[:rank])
    return [i for half in halves for i in half], slice(start, start + len(halves[rank]))


def _gathered(own: Tensor, part: slice, rows: int) -> Tensor:
    """The rows of all processes; gradients flow through one's own."""
    everything = torch.zeros(rows, own.shape[1])
    everything[part] = own.detach()
    together.all_reduce(everything)
    return torch.cat([everything[: part.start], own, everything[part.stop :]])


def _work(rank: int, options: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(options.port))
    together.init_process_group("gloo", rank=rank, world_size=_PROCESSES)
    torch.manual_seed(options.seed)
    dice = random.Random(options.seed)
    learned, held_out = _read(options.pairs, options.repositories)
    model = AdaptedBert(options.model_path, RANK)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=LEARNING_RATE, weight_decay=0.01)
    steps = batches(learned, dice)
    begun = time.monotonic()
    for step, pairs in enumerate(steps):
        rate = 0.5 + 0.5 * math.cos(math.pi * step / len(steps))
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * min(1, (step + 1) / _WARM_UP) * rate
        views = [varied(pair, dice) for pair in pairs]
        order, part = _share(rank, pairs, views)
        batch, views = [pairs[i] for i in order], [views[i] for i in order]
        questions = [question for question, _ in views]
        q = model.encode(questions[part], _QUESTION_TOKENS)
        c = model.encode([text for _, text in views[part]], _CHUNK_TOKENS)
        vectors = _gathered(torch.cat([q, c], 1), part, len(batch))
        loss = loss_of(batch, questions, *vectors.tensor_split(2, dim=1))
        optimizer.zero_grad()
        loss.backward()
        for parameter in parameters:
            together.all_reduce(parameter.grad)
        clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        if rank == 0:
            print(f"{step + 1}/{len(steps)} {loss.item():.3f} {time.monotonic() - begun:.0f} s")
            if step % _CHECK_EVERY == 0 or step + 1 == len(steps):
                model.save(options.to)
                print(check(model, held_out), flush=True)
        together.barrier()


def _read(folder: Path, repositories: Path) -> tuple[dict[str, list[Pair]], dict[str, list[Pair]]]:
    """Pairs by repository: those learned from, and those held out to see what was learned."""
    learned: dict[str, list[Pair]] = {}
    held_out: dict[str, list[Pair]] = {}
    for entry in json.loads(repositories.read_text("utf-8")):
        name = entry["github"]
        pairs = read_pairs(file_of(folder, name))
        (held_out if entry.get("held_out") else learned)[name] = pairs
    return learned, held_out


def main() -> None:
    """Train and write an adapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True, help="what training.mine wrote")
    parser.add_argument("--model-path", type=Path, required=True, help="folder of the model")
    parser.add_argument("--to", type=Path, required=True, help="the adapter's file")
    parser.add_argument("--repositories", type=Path, default=REPOSITORIES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=29511, help="where the processes meet")
    multiprocessing.spawn(_work, (parser.parse_args(),), nprocs=_PROCESSES)


if __name__ == "__main__":
    main()
