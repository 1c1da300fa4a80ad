"""The games as PettingZoo environments.

>>> import quintet.pettingzoo
>>> env = quintet.pettingzoo.env("pylos(rules=expert)")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> int(observation["action_mask"].sum()), observation["observation"].shape
(16, (19, 7, 7))

The agents are ``player_0``, who moves first, and ``player_1``. An action is a number as in :meth:`quintet.State.play`; in Pylos a move can
take several actions of the same agent. Observations are those of :meth:`quintet.State.tensor`: each agent sees the board from its own side,
whoever is to move, and the action mask of the agent who waits is empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import quintet

try:
    import gymnasium
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"quintet.pettingzoo needs PettingZoo and Gymnasium, but {error.name} is missing: pip install pettingzoo gymnasium", name=error.name) from error

__all__ = ["env", "raw_env"]

Observation = dict[str, NDArray[Any]]

RENDER_MODES = ["human", "ansi", "svg"]


def env(game: str | quintet.Game = "pylos", render_mode: str | None = None) -> AECEnv:
    """The environment of a game, which refuses illegal actions and calls in the wrong order.

    >>> import quintet.pettingzoo
    >>> quintet.pettingzoo.env("twixt(size=8)").metadata["name"]
    'twixt_v0'
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):  # noqa: N801 (PettingZoo's own name for it)
    """The environment without wrappers."""

    def __init__(self, game: str | quintet.Game = "pylos", render_mode: str | None = None):
        EzPickle.__init__(self, game, render_mode)
        super().__init__()
        self.game = game if isinstance(game, quintet.Game) else quintet.load(game)
        self.metadata = {
            "name": f"{self.game.name.replace('-', '_')}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}.")
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        actions, shape = self.game.num_actions, self.game.tensor_shape
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0.0, 1.0, shape, np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.board = self.game.start()

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; ``options={"position": text}`` at another position. There is no chance in these games, so the seed has no effect."""
        position = (options or {}).get("position")
        self.board = self.game.start() if position is None else self.game.from_text(position)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.board.is_over())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.board.to_move]

    def observe(self, agent: str) -> Observation:
        player = self.possible_agents.index(agent)
        mask = self.board.legal_mask() if player == self.board.to_move else np.zeros(self.game.num_actions, bool)
        return {"observation": self.board.tensor(player), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        if action is None or self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.board.play(int(action))
        self.rewards = dict(zip(self.possible_agents, self.board.returns()))
        self.terminations = dict.fromkeys(self.agents, self.board.is_over())
        self.agent_selection = self.possible_agents[self.board.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board: printed (``human``), or given as text (``ansi``) or as a picture (``svg``)."""
        if self.render_mode == "svg":
            return self.board.svg()
        if self.render_mode == "ansi":
            return str(self.board)
        if self.render_mode == "human":
            print(self.board)
        else:
            gymnasium.logger.warn("There is nothing to render without a render_mode.")
        return None

    def close(self) -> None:
        """Nothing is open."""
