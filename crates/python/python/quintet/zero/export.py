"""Nets as files that the program reads: 8-bit integers in the safetensors format. They can be read again, to train on."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import torch
from torch import nn

import quintet

from .net import STEP, Net, scale_of


def export(net: Net, game: quintet.Game, path: str | Path, made: str) -> None:
    """Writes a trained net. ``made`` says how it was made.

    The program reads it with ``puct(eval=net)``; see the documentation of the crate ``quintet-eval``, module ``net``, for the format.
    """
    tensors: dict[str, np.ndarray] = {}

    def norm(layer):
        """Scale and bias of a batch normalisation after training."""
        scale = layer.weight / torch.sqrt(layer.running_var + layer.eps)
        return scale, layer.bias - layer.running_mean * scale

    def pair(name, scale, bias):
        tensors[f"{name}.scale"] = scale.detach().float().cpu().numpy()
        tensors[f"{name}.bias"] = bias.detach().float().cpu().numpy()

    def layer(name, module, step_in, after=None, step_out=1.0):
        """A layer: inputs in steps, the normalisation that follows it, outputs in steps."""
        weight = module.weight.detach()
        scale = scale_of(weight)
        weight = weight.reshape(weight.shape[0], weight.shape[1], -1)
        integers = (weight / scale[:, None, None]).round().to(torch.int8)
        # Output, input, tap -> tap, input, output.
        tensors[f"{name}.weights"] = integers.permute(2, 1, 0).contiguous().cpu().numpy()
        bias = module.bias if module.bias is not None else torch.zeros_like(scale)
        times, plus = after if after is not None else (torch.ones_like(scale), torch.zeros_like(scale))
        pair(name, scale * step_in * times / step_out, (bias * times + plus) / step_out)

    layer("stem", net.stem, 1 / 127)
    for number, block in enumerate(net.blocks):
        name = f"block{number}"
        times, plus = norm(block.before)
        pair(f"{name}.before", times / STEP, plus / STEP)
        layer(f"{name}.inner", block.inner, STEP, norm(block.between), STEP)
        layer(f"{name}.outer", block.outer, STEP)
        if block.pool is not None:
            layer(f"{name}.pool", block.pool, STEP)
    times, plus = norm(net.last)
    pair("last", times / STEP, plus / STEP)
    layer("policy.pool", net.policy_pool, STEP, step_out=STEP)
    layer("policy.inner", net.policy_inner, STEP, step_out=STEP)
    layer("policy", net.policy, STEP)
    if net.extra is not None:
        layer("extra", net.extra, STEP)
    layer("value.inner", net.value_inner, STEP, step_out=STEP)
    layer("value", net.value, STEP)

    planes = [name for name, _, _ in game.planes] + [name for name, _ in game.fixed_planes]
    header = {"format": "quintet-net 1", "game": game.name, "planes": "\n".join(planes), "made": made}
    Path(path).write_bytes(safetensors(tensors, header))


def read(path: str | Path, game: quintet.Game) -> Net:
    """A net that was exported, as one that can be trained; it computes what the file computes. Moves left, which no file has, begin anew.

    Its normalisations know nothing of the positions yet: see :func:`quintet.zero.net.settle`.
    """
    tensors, header = tensors_of(Path(path).read_bytes())
    planes = [name for name, _, _ in game.planes] + [name for name, _ in game.fixed_planes]
    if header.get("format") != "quintet-net 1" or header.get("game") != game.name or header.get("planes") != "\n".join(planes):
        raise ValueError(f"{path} is not a net of this version for {game.name}")
    blocks = sum(name.endswith(".inner.weights") and name.startswith("block") for name in tensors)
    net = Net.for_game(game, channels=tensors["stem.weights"].shape[2], blocks=blocks)

    def norm(layer, scale, bias):
        """A normalisation that multiplies and adds these numbers, whatever comes in."""
        layer.weight.copy_(scale)
        layer.bias.copy_(bias)
        layer.running_mean.zero_()
        layer.running_var.fill_(1 - layer.eps)

    def layer(name, module, step_in, after=None, step_out=1.0):
        scale, bias = tensors[f"{name}.scale"] * step_out / step_in, tensors[f"{name}.bias"] * step_out
        weight = tensors[f"{name}.weights"].float() * scale
        module.weight.copy_(weight.permute(2, 1, 0).reshape(module.weight.shape))
        if after is None:
            module.bias.copy_(bias)
        else:
            norm(after, torch.ones_like(bias), bias)

    with torch.no_grad():
        layer("stem", net.stem, 1 / 127)
        for number, block in enumerate(net.blocks):
            name = f"block{number}"
            norm(block.before, tensors[f"{name}.before.scale"] * STEP, tensors[f"{name}.before.bias"] * STEP)
            layer(f"{name}.inner", block.inner, STEP, block.between, STEP)
            layer(f"{name}.outer", block.outer, STEP)
            if block.pool is not None:
                layer(f"{name}.pool", block.pool, STEP)
        norm(net.last, tensors["last.scale"] * STEP, tensors["last.bias"] * STEP)
        layer("policy.pool", net.policy_pool, STEP, step_out=STEP)
        layer("policy.inner", net.policy_inner, STEP, step_out=STEP)
        layer("policy", net.policy, STEP)
        if net.extra is not None:
            layer("extra", net.extra, STEP)
        layer("value.inner", net.value_inner, STEP, step_out=STEP)
        layer("value", net.value, STEP)
    return net


def tensors_of(data: bytes) -> tuple[dict[str, torch.Tensor], dict[str, str]]:
    """The tensors and the header of a file that :func:`safetensors` made.

    >>> tensors, header = tensors_of(safetensors({"one": np.ones(3, np.int8)}, {"format": "an example"}))
    >>> tensors["one"], header
    (tensor([1, 1, 1], dtype=torch.int8), {'format': 'an example'})
    """
    try:
        start = 8 + struct.unpack_from("<Q", data)[0]
        entries = json.loads(data[8:start])
        header = entries.pop("__metadata__")
        kinds = {kind: np.dtype(name) for name, kind in KINDS.items()}
        part = lambda entry: np.frombuffer(data[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]], kinds[entry["dtype"]])
        return {name: torch.from_numpy(part(entry).reshape(entry["shape"]).copy()) for name, entry in entries.items()}, header
    except (struct.error, KeyError, TypeError, ValueError) as why:
        raise ValueError(f"the file of a net cannot be read: {why}") from None


#: The types of tensors that our files have.
KINDS = {"int8": "I8", "int16": "I16", "int32": "I32", "float32": "F32"}


def safetensors(tensors: dict[str, np.ndarray], header: dict[str, str]) -> bytes:
    """A file in the safetensors format: the length of a JSON header, the header, and the numbers of all tensors."""
    entries, data = {"__metadata__": header}, bytearray()
    for name, tensor in sorted(tensors.items()):
        kind = KINDS[tensor.dtype.name]
        entries[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + tensor.nbytes]}
        data += tensor.tobytes()
    text = json.dumps(entries).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(data)
