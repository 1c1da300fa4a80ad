import random

import numpy as np
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, tabular_qlearner

import quintet.openspiel


def test_a_walk(spec):
    game = quintet.openspiel.load_game(spec)
    rng, state = random.Random(1), game.new_initial_state()
    seen = []
    while not state.is_terminal() and state.move_number() < 60:
        actions = state.legal_actions()
        assert actions == sorted(actions) == [action for action, legal in enumerate(state.legal_actions_mask()) if legal]
        assert state.legal_actions(1 - state.current_player()) == []
        assert len(state.observation_tensor()) == game.observation_tensor_size()
        action = rng.choice(actions)
        assert state.string_to_action(state.action_to_string(action)) == action
        assert str(state.child(action)) != "" and state.returns() == [0, 0]
        seen.append((state.observation_string(), state.current_player(), action))
        state.apply_action(action)
    assert [(entry.player, entry.action) for entry in state.full_history()] == [(player, action) for _, player, action in seen]
    twin = state.clone()
    while seen:
        text, player, action = seen.pop()
        state.undo_action(player, action)
        assert (state.observation_string(), state.current_player()) == (text, player)
    assert state.history() == [] and len(twin.history()) > 0
    again = game.deserialize_state(twin.serialize())
    assert (again.history(), again.observation_string()) == (twin.history(), twin.observation_string())
    with pytest.raises(ValueError):
        state.undo_action(0, 0)


def test_each_player_sees_its_own_side():
    # With the other side to move, the board is what the player who waits has seen.
    for spec, text in [("pylos", "LL..D.....LDDD../........./..../. {}"), ("twixt(size=6)", "#....#/..r.../....b./...r../.b..../#....# c2d4 {}")]:
        game = quintet.openspiel.load_game(spec)
        letters = "ld" if spec == "pylos" else "rb"
        states = [game.new_initial_state() for _ in letters]
        for state, letter in zip(states, letters):
            state.state = quintet.load(spec).from_text(text.format(letter))
        for player in (0, 1):
            assert states[0].observation_tensor(player) == states[1].observation_tensor(player)
        assert states[0].observation_tensor() != states[1].observation_tensor()
    with pytest.raises(ValueError, match="player 2"):
        states[0].observation_tensor(2)


def test_the_end():
    state = quintet.openspiel.load_game("pathwayz(rows=2,cols=2)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == -4 and sum(state.returns()) == 0 and state.rewards() == state.returns()
    assert state.legal_actions() == [] and state.player_return(0) == -state.player_return(1)


def test_observations_differ_as_text():
    # Tabular learners of OpenSpiel keep their tables by this text.
    states = [quintet.openspiel.load_game("twixt(size=24)").new_initial_state() for _ in range(2)]
    for state, action in zip(states, [200, 201]):
        state.apply_action(action)
    texts = {str(state.observation_tensor(player)) for state in states for player in (0, 1)}
    assert len(texts) == 4


def test_openspiels_tabular_learner_learns_pylos():
    game = quintet.openspiel.load_game("pylos")
    environment = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    actions = environment.action_spec()["num_actions"]
    learners = [tabular_qlearner.QLearner(player, actions) for player in (0, 1)]
    for _ in range(5):
        step = environment.reset()
        seen = 0
        while not step.last():
            player = step.observations["current_player"]
            step = environment.step([learners[player].step(step).action])
            seen += 1
        for learner in learners:
            learner.step(step)
        assert seen > 20 and sorted(step.rewards) in ([-1, 1], [0, 0])
    # A row for each position that was seen, not for a few that look alike.
    assert all(len(learner._q_values) > 50 for learner in learners)


def test_openspiels_tree_search_beats_chance_at_pylos():
    game = quintet.openspiel.load_game("pylos")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=rng), None]
    state = game.new_initial_state()
    while not state.is_terminal():
        bot = bots[state.current_player()]
        state.apply_action(bot.step(state) if bot else rng.choice(state.legal_actions()))
    assert state.returns() == [1, -1]
