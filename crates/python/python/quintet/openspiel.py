"""The games with OpenSpiel's method names, so that its algorithms in Python play them. OpenSpiel itself is needed only by those.

>>> import quintet.openspiel
>>> game = quintet.openspiel.load_game("pylos")
>>> state = game.new_initial_state()
>>> state.apply_action(5)
>>> state.current_player(), state.action_to_string(1, 6), len(state.legal_actions())
(1, '1c2', 15)

A search of OpenSpiel::

    import numpy as np
    from open_spiel.python.algorithms import mcts

    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 100, evaluator, random_state=np.random.RandomState(1))
    action = bot.step(state)

Actions are those of :meth:`quintet.State.play`. In Pylos a move can take several of them, the same player going on.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import quintet

__all__ = ["Game", "State", "load_game"]

#: The player number of a finished game, as OpenSpiel has it.
TERMINAL_PLAYER = -4


def load_game(spec: str | quintet.Game) -> Game:
    """The game that a spec names."""
    return Game(spec if isinstance(spec, quintet.Game) else quintet.load(spec))


class Game:
    """A game, as ``pyspiel.Game``."""

    def __init__(self, game: quintet.Game):
        self.game = game

    def new_initial_state(self) -> State:
        return State(self, self.game.start(), [[]])

    def deserialize_state(self, text: str) -> State:
        """The state that :meth:`State.serialize` has written."""
        state = self.new_initial_state()
        for action in text.split():
            state.apply_action(int(action))
        return state

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return self.game.num_actions

    def max_chance_outcomes(self) -> int:
        return 0

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def utility_sum(self) -> float:
        return 0.0

    def max_game_length(self) -> int:
        """More actions than any game takes, where no cell is used twice. In Pylos, where balls come back, 10,000 is far more than games
        take, but no bound."""
        return 10_000 if self.game.name == "pylos" else self.game.num_actions

    def observation_tensor_shape(self) -> list[int]:
        return list(self.game.tensor_shape)

    def observation_tensor_size(self) -> int:
        channels, rows, columns = self.game.tensor_shape
        return channels * rows * columns

    def get_parameters(self) -> dict[str, Any]:
        return self.game.options

    def get_type(self) -> Any:
        """What kind of game it is, with the constants of ``pyspiel`` where that is installed, and their names elsewhere."""
        return SimpleNamespace(
            short_name=self.game.spec,
            long_name=self.game.title,
            dynamics=_constant("Dynamics", "SEQUENTIAL"),
            chance_mode=_constant("ChanceMode", "DETERMINISTIC"),
            information=_constant("Information", "PERFECT_INFORMATION"),
            utility=_constant("Utility", "ZERO_SUM"),
            reward_model=_constant("RewardModel", "TERMINAL"),
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
        )

    def __str__(self) -> str:
        return self.game.spec

    def __repr__(self) -> str:
        return f"quintet.openspiel.load_game({self.game.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.game)


class State:
    """A game in progress, as ``pyspiel.State``."""

    def __init__(self, game: Game, state: quintet.State, actions: list[list[int]]):
        self._game = game
        self.state = state
        #: The actions of each move; those of a half-made one, or none, at the end.
        self._actions = actions

    def get_game(self) -> Game:
        return self._game

    def num_players(self) -> int:
        return 2

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def current_player(self) -> int:
        return TERMINAL_PLAYER if self.is_terminal() else self.state.to_move

    def is_terminal(self) -> bool:
        return self.state.is_over()

    def is_chance_node(self) -> bool:
        return False

    def is_simultaneous_node(self) -> bool:
        return False

    def is_player_node(self) -> bool:
        return not self.is_terminal()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of the player to move; the other one has none."""
        if player is not None and player != self.state.to_move:
            return []
        return sorted(self.state.legal_actions())

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        complete = self.state.play(int(action)) is not None
        self._actions[-1].append(int(action))
        if complete:
            self._actions.append([])

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back, which must be that one, by that player."""
        if self.history()[-1:] != [action]:
            raise ValueError(f"{action} is not the last action.")
        if not self._actions[-1]:
            self._actions.pop()
            self.state.undo()
            for earlier in self._actions[-1][:-1]:
                self.state.play(earlier)
        else:
            self.state.undo()
        self._actions[-1].pop()

    def clone(self) -> State:
        return State(self._game, self.state.copy(), [move[:] for move in self._actions])

    def child(self, action: int) -> State:
        child = self.clone()
        child.apply_action(action)
        return child

    def returns(self) -> list[float]:
        return list(self.state.returns())

    def rewards(self) -> list[float]:
        """What the last action brought; in these games only the last one of all brings something."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> list[int]:
        return [action for move in self._actions for action in move]

    def full_history(self) -> list[Any]:
        """Every action with its player."""
        walked, entries = self._game.new_initial_state(), []
        for action in self.history():
            entries.append(SimpleNamespace(player=walked.current_player(), action=action))
            walked.apply_action(action)
        return entries

    def history_str(self) -> str:
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        return len(self.history())

    def action_to_string(self, *arguments: int) -> str:
        """The text of an action; a player may stand before it."""
        return self.state.action_text(arguments[-1])

    def string_to_action(self, *arguments: Any) -> int:
        """The action of a text; a player may stand before it."""
        for action in self.legal_actions():
            if self.state.action_text(action) == arguments[-1]:
                return action
        raise ValueError(f"{arguments[-1]!r} is not a legal action here.")

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """All numbers of :meth:`quintet.State.tensor`, in one list, as a player sees them; by default the one to move."""
        return self.state.tensor(player).reshape(-1).tolist()

    def observation_string(self, player: int | None = None) -> str:
        return f"{self.state.to_text()} {self.state.pending}" if self.state.pending else self.state.to_text()

    def information_state_string(self, player: int | None = None) -> str:
        return self.history_str()

    def serialize(self) -> str:
        """The actions, one per line, which :meth:`Game.deserialize_state` reads."""
        return "\n".join(str(action) for action in self.history())

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return repr(self.state)


def _constant(kind: str, name: str) -> Any:
    """A constant of ``pyspiel.GameType``."""
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        return name
    return getattr(getattr(pyspiel.GameType, kind), name)
