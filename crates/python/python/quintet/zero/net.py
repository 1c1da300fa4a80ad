"""The net: a small residual net of any board size, in a form that the program can run with 8-bit integers.

Activations are cut to 0..4 from the beginning, so that they have 128 steps of known size, and weights are rounded to 8 bits in the last part of a
training (:func:`round_weights`); so what is exported (:mod:`quintet.zero.export`) plays as what was trained.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import quintet

#: The largest activation. 127 steps lead there.
MOST = 4.0
STEP = MOST / 127


def rounded(numbers: torch.Tensor) -> torch.Tensor:
    """Rounds, and lets gradients through."""
    return numbers + (numbers.round() - numbers).detach()


def activation(numbers: torch.Tensor, in_steps: bool) -> torch.Tensor:
    """The one non-linearity: cut to 0..MOST, and rounded to a step if the net is trained for integers."""
    numbers = numbers.clamp(0, MOST)
    return rounded(numbers / STEP) * STEP if in_steps else numbers


def scale_of(weight: torch.Tensor) -> torch.Tensor:
    """The size of a step of the weights of each output: the largest has 127."""
    return weight.detach().abs().flatten(1).amax(1).clamp(min=1e-8) / 127


def rounded_weight(weight: torch.Tensor) -> torch.Tensor:
    """Weights as 8-bit integers would have them."""
    scale = scale_of(weight).reshape(-1, *[1] * (weight.dim() - 1))
    return rounded(weight / scale) * scale


class Conv(nn.Conv2d):
    """A convolution whose weights can be rounded."""

    rounded = False

    def forward(self, numbers):
        weight = rounded_weight(self.weight) if self.rounded else self.weight
        return F.conv2d(numbers, weight, self.bias, padding=self.padding)


class Dense(nn.Linear):
    """A dense layer whose weights can be rounded."""

    rounded = False

    def forward(self, numbers):
        return F.linear(numbers, rounded_weight(self.weight) if self.rounded else self.weight, self.bias)


def pooled(numbers: torch.Tensor, in_steps: bool) -> torch.Tensor:
    """The mean and the maximum of each channel over the board."""
    mean = numbers.mean((2, 3))
    mean = activation(mean, True) if in_steps else mean
    return torch.cat([mean, numbers.amax((2, 3))], 1)


class Block(nn.Module):
    """Two convolutions, added to what came in; with ``pool`` the second knows the whole board."""

    def __init__(self, channels: int, pool: bool):
        super().__init__()
        self.before = nn.BatchNorm2d(channels)
        self.inner = Conv(channels, channels, 3, padding=1, bias=False)
        self.between = nn.BatchNorm2d(channels)
        self.outer = Conv(channels, channels, 3, padding=1)
        self.pool = Dense(2 * channels, channels) if pool else None

    def forward(self, stream, in_steps):
        numbers = activation(self.before(stream), in_steps)
        numbers = activation(self.between(self.inner(numbers)), in_steps)
        added = self.outer(numbers)
        if self.pool is not None:
            added = added + self.pool(pooled(numbers, in_steps))[:, :, None, None]
        return stream + added


class Net(nn.Module):
    """Reads planes (batch, planes, rows, columns); gives the logits of all actions, of win, draw and loss, and the moves left / 100.

    >>> net = Net.for_game(quintet.load("pentago"), channels=16, blocks=1)
    >>> logits, outcome, left = net(torch.zeros(2, net.planes, 6, 6))
    >>> logits.shape, outcome.shape, left.shape
    (torch.Size([2, 324]), torch.Size([2, 3]), torch.Size([2]))
    """

    def __init__(self, planes: int, policy: int, extra: int, channels: int, blocks: int, hidden: int = 64):
        super().__init__()
        self.planes, self.channels = planes, channels
        self.rounded = False
        # The numbers of the actions, of each game that was set.
        self.numbered: dict[str, torch.Tensor] = {}
        self.stem = Conv(planes, channels, 5, padding=2)
        self.blocks = nn.ModuleList(Block(channels, number % 2 == 1) for number in range(blocks))
        self.last = nn.BatchNorm2d(channels)
        self.policy_pool = Dense(2 * channels, channels)
        self.policy_inner = Conv(channels, channels, 1)
        self.policy = Conv(channels, policy, 1)
        self.extra = Dense(2 * channels, extra) if extra else None
        self.value_inner = Dense(2 * channels, hidden)
        self.value = Dense(hidden, 3)
        # Learned beside the rest because it helps the trunk; not exported.
        self.left = nn.Linear(hidden, 1)
        # The net begins with even chances, and each block with adding nothing.
        for layer in [self.value, self.policy, *(block.outer for block in self.blocks)]:
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.normal_(self.policy.weight, std=0.01)
        nn.init.normal_(self.value.weight, std=0.01)

    @staticmethod
    def for_game(game: quintet.Game, channels: int = 32, blocks: int = 6) -> Net:
        """A new net for a game. Its parameters fit boards of all sizes: see :meth:`set_game`."""
        policy, extra, _ = game.net_outputs()
        net = Net(len(game.planes) + len(game.fixed_planes), policy, extra, channels, blocks)
        net.set_game(game)
        return net

    def set_game(self, game: quintet.Game) -> None:
        """From now on it plays this game: the same one on a board of another size."""
        _, _, actions = game.net_outputs()
        device = self.stem.weight.device
        if game.spec not in self.numbered or self.numbered[game.spec].device != device:
            self.numbered[game.spec] = torch.from_numpy(actions.astype(np.int64)).to(device)
        self.actions = self.numbered[game.spec]

    def round_weights(self, rounded: bool = True) -> None:
        """Trains on with weights and activations as they will be exported."""
        self.rounded = rounded
        for module in self.modules():
            if isinstance(module, (Conv, Dense)):
                module.rounded = rounded

    def numbers(self, planes):
        """What :mod:`quintet.zero.export` exports: numbers per cell (batch, channels, rows, columns), without a cell, of the outcome; and moves left."""
        in_steps = self.rounded
        stream = self.stem(planes)
        for block in self.blocks:
            stream = block(stream, in_steps)
        top = activation(self.last(stream), in_steps)
        board = pooled(top, in_steps)
        inner = activation(self.policy_inner(top) + self.policy_pool(board)[:, :, None, None], in_steps)
        hidden = activation(self.value_inner(board), in_steps)
        extra = self.extra(board) if self.extra is not None else None
        return self.policy(inner), extra, self.value(hidden), self.left(hidden)[:, 0]

    def forward(self, planes):
        policy, extra, outcome, left = self.numbers(planes)
        # The last number is 0, for actions that have one number and not two.
        nothing = outcome.new_zeros(len(outcome), 1)
        numbers = torch.cat([policy.flatten(1), nothing] if extra is None else [policy.flatten(1), extra, nothing], 1)
        return numbers[:, self.actions[:, 0]] + numbers[:, self.actions[:, 1]], outcome, left


def settle(net: Net, planes: torch.Tensor) -> None:
    """Gives the normalisations of a net that was read from a file the statistics of these positions. What it computes stays the same."""
    inputs = {}
    norms = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(lambda norm, given: inputs.update({norm: given[0]})) for norm in norms]
    training = net.training
    with torch.no_grad():
        net.eval()(planes)
        for norm in norms:
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            bias = norm.bias - norm.running_mean * scale
            mean, variance = inputs[norm].mean((0, 2, 3)), inputs[norm].var((0, 2, 3), unbiased=False)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
            norm.bias.copy_(bias + mean * scale)
    for hook in hooks:
        hook.remove()
    net.train(training)


class Planes:
    """Unpacks positions on the device of the net.

    >>> game = quintet.load("pentago")
    >>> planes = Planes(game, "cpu")
    >>> packed = np.zeros((1, 6, 6), np.uint32)
    >>> bool((planes(torch.from_numpy(packed.view(np.int32))).numpy() == game.unpack(packed)).all())
    True
    """

    def __init__(self, game: quintet.Game, device: str, dtype: torch.dtype = torch.float32):
        column = lambda numbers: torch.from_numpy(np.array(numbers, np.uint32).view(np.int32)).to(device).view(1, -1, 1, 1)
        self.masks = column([mask for _, mask, _ in game.planes])
        self.values = column([mask if value is None else value for _, mask, value in game.planes])
        # A plane without a value is a number: its share of the mask.
        self.shares = torch.tensor([value is None for _, _, value in game.planes], device=device).view(1, -1, 1, 1)
        self.has_shares = any(value is None for _, _, value in game.planes)
        fixed = [numbers for _, numbers in game.fixed_planes]
        _, rows, columns = game.tensor_shape
        self.fixed = torch.tensor(np.array(fixed, np.float32).reshape(1, -1, rows, columns), device=device, dtype=dtype)
        self.dtype = dtype

    def __call__(self, words: torch.Tensor) -> torch.Tensor:
        """Planes of packed positions, which come as int32 (batch, rows, columns)."""
        masked = words[:, None] & self.masks
        planes = (masked == self.values).to(self.dtype)
        if self.has_shares:
            planes = torch.where(self.shares, (masked / self.masks).to(self.dtype), planes)
        return torch.cat([planes, self.fixed.expand(len(words), -1, -1, -1)], 1)
