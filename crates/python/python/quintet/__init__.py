"""Pathwayz, Pylos, TwixT, Pentago-Twist and Pentago at Rust speed: rules, agents, solvers, environments and batched self-play.

>>> import quintet
>>> state = quintet.load("pylos").start()
>>> state.play("1b2")
'1b2'
>>> choice = quintet.agent("level:3").think(state)
>>> choice.move in state.legal_moves()
True

``quintet.pettingzoo`` has environments for PettingZoo, and ``quintet.openspiel`` games with OpenSpiel's method names.
"""

from ._quintet import (
    Agent,
    Choice,
    Game,
    IllegalMove,
    MatchResult,
    PlayedGame,
    Report,
    Samples,
    SelfPlay,
    Solution,
    State,
    Statistics,
    Step,
    Symmetry,
    VectorEnv,
    agent,
    agents,
    from_record,
    games,
    load,
    match,
    perft,
    solve,
    statistics,
)

__all__ = [
    "Agent",
    "Choice",
    "Game",
    "IllegalMove",
    "MatchResult",
    "PlayedGame",
    "Report",
    "Samples",
    "SelfPlay",
    "Solution",
    "State",
    "Statistics",
    "Step",
    "Symmetry",
    "VectorEnv",
    "agent",
    "agents",
    "from_record",
    "games",
    "load",
    "match",
    "perft",
    "solve",
    "statistics",
]
