"""A net while it is trained: its weights, their average and its optimiser."""

from __future__ import annotations

import copy

import torch
import torch.nn.functional as F

import quintet

from .net import Net, Planes, settle


class TrainState:
    """A net while it is trained, be it the main net of a run or a student.

    On a GPU a step is a graph, one for each board and each way to round. All of them run one after the other, so they share the memory ``pool``.
    """

    def __init__(self, net: Net, rate: float, decay: float, device: str, from_scratch: bool = True, compiled: bool = False, pool=None):
        self.cuda, self.kind = device.startswith("cuda"), device.split(":")[0]
        self.net = net.to(device)
        if self.cuda:
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net)
        self.highest_rate, self.from_scratch, self.pool = rate, from_scratch, pool
        #: Do the normalisations know positions? Those of a net that was read from a file do not.
        self.settled = from_scratch
        self.steps = 0
        # Numbers that change from step to step, where a graph reads them.
        self.rate, self.share = (torch.zeros((), device=device) for _ in range(2))
        weights = [parameter for parameter in self.net.parameters() if parameter.dim() > 1]
        others = [parameter for parameter in self.net.parameters() if parameter.dim() <= 1]
        groups = [{"params": weights, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=self.rate, fused=True, capturable=True) if self.cuda else torch.optim.AdamW(groups)
        self.loss = torch.compile(self._loss, dynamic=False) if compiled else self._loss
        self.graphs: dict[tuple[str, bool], tuple[torch.cuda.CUDAGraph, torch.Tensor]] = {}

    def learn(self, game: quintet.Game, planes: Planes, batch: list[torch.Tensor], progress: float) -> torch.Tensor:
        """One step, at this part of the training. Gives the losses of policy and value. On a GPU, the batches of a game must always be the same tensors."""
        self.net.set_game(game)
        if not self.settled:
            settle(self.net, planes(batch[0]))
            self.average.load_state_dict(self.net.state_dict())
            self.settled = True
        self.steps += 1
        rate = self.highest_rate * min(1, self.steps / 200) * min(1, (1 - progress) / 0.4 + 0.02)
        # From scratch, the first averages must soon forget how the net began.
        self.share.fill_(1 - (min(0.998, self.steps / (self.steps + 10)) if self.from_scratch else 0.998))
        rounded = progress >= 0.8
        if rounded != self.net.rounded:
            self.round_weights(rounded)
        if not self.cuda:
            for group in self.optimiser.param_groups:
                group["lr"] = rate
            return self._step(planes, batch)
        self.rate.fill_(rate)
        key = (game.spec, rounded)
        if key not in self.graphs:
            self.graphs[key] = self._capture(planes, batch)
        graph, losses = self.graphs[key]
        graph.replay()
        return losses.clone()

    def round_weights(self, rounded: bool) -> None:
        self.net.round_weights(rounded)
        self.average.round_weights(rounded)

    def _loss(self, planes: Planes, words, policies, outcomes, left):
        with torch.autocast(self.kind, torch.bfloat16, enabled=self.cuda):
            logits, outcome, moves = self.net(planes(words))
        policies, outcomes, left = policies.float(), outcomes.float(), left.float()
        logits = logits.float().masked_fill(policies < 0, -1e9)
        policy_loss = -(policies.clamp(min=0) * F.log_softmax(logits, 1)).sum(1).mean()
        value_loss = -(outcomes * F.log_softmax(outcome.float(), 1)).sum(1).mean()
        return policy_loss, value_loss, F.smooth_l1_loss(moves.float(), left)

    def _step(self, planes: Planes, batch: list[torch.Tensor]) -> torch.Tensor:
        self.net.train()
        if self.net.rounded:
            # The statistics of the normalisations are kept from now on: as in the net that will be played.
            for module in self.net.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.eval()
        # The last part is too short to be worth another compilation.
        loss = self._loss if self.net.rounded else self.loss
        policy_loss, value_loss, left_loss = loss(planes, *batch)
        self.optimiser.zero_grad(set_to_none=True)
        (policy_loss + value_loss + 0.1 * left_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        with torch.no_grad():
            new = self.net.state_dict()
            for name, value in self.average.state_dict().items():
                if value.dtype.is_floating_point:
                    value.lerp_(new[name], self.share)
                else:
                    value.copy_(new[name])
        return torch.stack([policy_loss.detach(), value_loss.detach()])

    def _capture(self, planes: Planes, batch: list[torch.Tensor]):
        """A step as a graph, with the losses that it gives. Some steps are made before, as CUDA demands."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._step(planes, batch)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        self.optimiser.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            losses = self._step(planes, batch)
        return graph, losses

    def state(self) -> dict:
        """What a checkpoint keeps."""
        return {
            "net": self.net.state_dict(), "average": self.average.state_dict(), "optimiser": self.optimiser.state_dict(), "rounded": self.net.rounded,
            "steps": self.steps, "settled": self.settled,
        }

    def restore(self, state: dict) -> None:
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        if self.cuda:
            for group in self.optimiser.param_groups:
                group["lr"] = self.rate
        # Older checkpoints are of nets that began from scratch.
        self.steps, self.settled = state["steps"], state.get("settled", True)
        self.round_weights(state["rounded"])
