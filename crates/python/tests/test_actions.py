import pickle
import random

import numpy as np
import pytest
from conftest import random_states

import quintet


def test_moves_and_indices_are_inverse(spec):
    for number, state in enumerate(random_states(spec, 1, games=3)):
        if state.pending or number % (5 if state.game.num_actions < 400 else 60):
            continue
        for mv in state.legal_moves():
            index = state.move_to_index(mv)
            assert state.index_to_move(index) == mv
            assert all(0 <= action < state.game.num_actions for action in index)
        whole = [action for action in state.legal_actions() if is_whole(state, action)]
        for action in whole:
            assert state.move_to_index(state.index_to_move(action)) == (action,)
            assert state.action_text(action) == state.index_to_move(action)


def is_whole(state, action):
    twin = state.copy()
    return twin.play(action) is not None


def test_the_numbers_of_actions():
    numbers = {spec: quintet.load(spec).num_actions for spec in ["pathwayz", "pylos", "twixt(size=8)", "pentago", "pentago-twist"]}
    assert numbers == {"pathwayz": 192, "pylos": 304, "twixt(size=8)": 65, "pentago": 324, "pentago-twist": 288}


def test_masks_and_tensors(spec):
    game = quintet.load(spec)
    shape = game.tensor_shape
    names = [name for name, _, _ in game.planes] + [name for name, _ in game.fixed_planes]
    assert len(names) == shape[0] == len(set(names))
    for state in random_states(spec, 4):
        mask, tensor, packed = state.legal_mask(), state.tensor(), state.packed()
        assert mask.dtype == bool and np.flatnonzero(mask).tolist() == sorted(state.legal_actions())
        assert tensor.dtype == np.float32 and tensor.shape == shape and packed.shape == shape[1:] and packed.dtype == np.uint32
        assert tensor.min() >= 0 and tensor.max() <= 1
        assert np.array_equal(game.unpack(packed[None]), tensor[None])
        # By the definition of the planes.
        planes = [(packed & mask == value) if value is not None else (packed & mask) / mask for _, mask, value in game.planes]
        assert np.allclose(tensor[: len(planes)], np.array(planes, np.float32))


def test_unpack_refuses_other_shapes():
    with pytest.raises(ValueError, match="6 rows and 6 columns"):
        quintet.load("pentago").unpack(np.zeros((1, 8, 8), np.uint32))


def test_symmetries_of_tensors_and_policies(spec):
    game = quintet.load(spec)
    symmetries = game.symmetries()
    assert np.array_equal(symmetries[0].actions, np.arange(game.num_actions))
    for number, state in enumerate(random_states(spec, 5)):
        if number % 9 or state.pending or state.is_over():
            continue
        # The images of the position are among the images of its tensor, each with its own legal moves.
        tensor, mask = state.tensor(), state.legal_mask().astype(np.float32)
        images = {symmetry.map_tensor(tensor).tobytes(): symmetry.map_policy(mask) for symmetry in symmetries}
        for image in state.symmetries():
            assert np.array_equal(images[image.tensor().tobytes()], image.legal_mask())
        for symmetry in symmetries:
            mapped = game.unpack(symmetry.map_packed(state.packed())[None])[0]
            assert np.array_equal(mapped, symmetry.map_tensor(tensor))
            assert np.array_equal(tensor[symmetry.channels].reshape(len(tensor), -1)[:, symmetry.cells].reshape(tensor.shape), mapped)


def half_made():
    """Light completes a square and has not taken a ball back yet."""
    state = quintet.load("pylos").from_text("LL..L......DDD../........./..../. l")
    assert state.play(5) is None
    return state


def test_half_made_moves():
    state = half_made()
    assert (state.pending, state.to_move, state.plies) == ([5], 0, 0)
    assert state.legal_actions() == [0, 1, 4, 5]
    assert len(state.legal_moves()) > 4 and all(mv.startswith("1b2-") for mv in state.legal_moves())
    for refused in [lambda: state.play("1c1"), lambda: state.move_to_index("1c1"), lambda: quintet.agent("random").think(state)]:
        with pytest.raises(ValueError, match="half made"):
            refused()
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state and twin.pending == [5]
    assert state.play(0) is None and state.pending == [5, 0] and state != twin
    assert state.undo() is None and state == twin
    assert state.undo() is None and state.pending == [] and state.plies == 0
    assert twin.copy().index_to_move([0, 303]) == "1b2-1a1"
    with pytest.raises(quintet.IllegalMove, match="more must follow"):
        twin.index_to_move(0)
    with pytest.raises(quintet.IllegalMove, match="leaves 1 actions over"):
        twin.index_to_move([0, 303, 303])
    twin.play(0)
    assert twin.play(303) == "1b2-1a1" and twin.pending == [] and twin.to_move == 1


def test_random_games_by_actions_are_random_games_by_moves(spec):
    rng = random.Random(7)
    by_action = quintet.load(spec).start()
    while not by_action.is_over():
        by_action.play(rng.choice(by_action.legal_actions()))
    by_move = by_action.game.start()
    for mv in by_action.moves:
        assert not by_move.is_over()
        by_move.play(mv)
    assert by_move == by_action and by_move.outcome() == by_action.outcome()
