"""Nets as files that the program reads: 8-bit integers in the safetensors format."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import torch

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


def safetensors(tensors: dict[str, np.ndarray], header: dict[str, str]) -> bytes:
    """A file in the safetensors format: the length of a JSON header, the header, and the numbers of all tensors."""
    entries, data = {"__metadata__": header}, bytearray()
    for name, tensor in sorted(tensors.items()):
        kind = {"int8": "I8", "float32": "F32"}[tensor.dtype.name]
        entries[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + tensor.nbytes]}
        data += tensor.tobytes()
    text = json.dumps(entries).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(data)
