import copy
import pickle
import random
import xml.etree.ElementTree as xml

import pytest
from conftest import random_states

import quintet


def test_games():
    assert [quintet.load(name).name for name in quintet.games()] == quintet.games()
    game = quintet.load("pylos(rules=expert)")
    assert game.options == {"rules": "expert", "end": "stuck", "takeback": "forced"}
    assert game.sides == ("light", "dark") and game.about
    assert pickle.loads(pickle.dumps(game)) == game and hash(game) == hash(quintet.load(game.spec))
    assert game != quintet.load("pylos") and game != "pylos"
    with pytest.raises(ValueError, match="rows=9: Pathwayz has 2 to 8 rows."):
        quintet.load("pathwayz(rows=9)")


def test_two_sizes_live_side_by_side():
    small, large = quintet.load("twixt(size=5)").start(), quintet.load("twixt(size=12)").start()
    small.play("c3")
    large.play("k6")
    assert small.game.tensor_shape[1:] == (5, 5) and large.game.tensor_shape[1:] == (12, 12)
    assert "c3" not in small.legal_moves() and "c3" in large.legal_moves()


def test_text_and_undo(spec):
    rng = random.Random(1)
    state = quintet.load(spec).start()
    texts = [state.to_text()]
    while not state.is_over() and state.plies < 60:
        again = state.game.from_text(state.to_text())
        assert again.to_text() == state.to_text() and again.key() == state.key()
        state.play(rng.choice(state.legal_moves()))
        texts.append(state.to_text())
    assert quintet.from_record(state.record()) == state
    moves = state.moves
    while state.plies:
        texts.pop()
        assert state.undo() == moves.pop() and state.to_text() == texts[-1]
    assert state.undo() is None and state == state.game.start()


def test_refusals_change_nothing():
    state = quintet.load("pathwayz").start()
    state.play("e5")
    for bad, sentence in [("E5P", 'move 2 "E5P": e5 is taken'), ("z99", "z99"), (4 * 12 + 4, "not legal"), (-1, "0 to 191"), (10**30, "0 to 191"), (-(10**60), "0 to 191")]:
        with pytest.raises(quintet.IllegalMove, match=sentence):
            state.play(bad)
    assert state.moves == ["e5"] and issubclass(quintet.IllegalMove, ValueError)
    for refused in [state.action_text, state.index_to_move, lambda action: state.index_to_move([action])]:
        for bad in [-1, 10**30]:
            with pytest.raises(quintet.IllegalMove, match=f"action {bad}: this game has the actions 0 to 191"):
                refused(bad)
    for bad in [-1, 2, 10**30]:
        with pytest.raises(ValueError, match=f"player {bad}: the players are 0"):
            state.tensor(bad)
    with pytest.raises(TypeError):
        state.play(1.5)
    with pytest.raises(TypeError):
        quintet.load(3)
    with pytest.raises(ValueError, match="position"):
        state.game.from_text("nonsense")
    with pytest.raises(quintet.IllegalMove, match="move 2"):
        quintet.from_record("pathwayz; e5 e5")


def test_the_end():
    state = quintet.load("pentago").from_text("xxxx../oooo../....../....../....../...... x")
    assert state.outcome() is None and state.reason() is None and state.returns() == (0, 0)
    state.play("e1")
    assert (state.outcome(), state.reason(), state.returns()) == ("first", "five", (1, -1))
    assert state.is_over() and state.legal_moves() == [] and state.legal_actions() == [] and not state.legal_mask().any()
    with pytest.raises(quintet.IllegalMove, match="the game is over"):
        state.play("f1")
    with pytest.raises(quintet.IllegalMove, match="the game is over"):
        state.play(0)


def test_copies_and_pickles_keep_the_history():
    state = quintet.load("pylos").start()
    # Both complete a square and take the same ball back: a turn that changes nothing.
    for mv in ["1a1", "1c1", "1b1", "1d1", "1a2", "1c2", "1b2-1b2", "1d2-1d2", "1b2-1b2"]:
        state.play(mv)
    for twin in [state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]:
        assert twin == state and not twin.is_over()
        twin.play("1d2-1d2")
        assert (twin.outcome(), twin.reason()) == ("draw", "third repetition") and not state.is_over()
    forgetful = state.game.from_text(state.to_text())
    forgetful.play("1d2-1d2")
    assert not forgetful.is_over()


def test_pickles_begin_where_the_game_did():
    state = quintet.load("twixt(size=6)").from_text("#....#/..b.../....../....../....../#....# - r")
    state.play("b2")
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.undo() == "b2" and again.undo() is None


def test_symmetries(spec):
    for seed, state in enumerate(random_states(spec, 2)):
        if seed % 7 or state.pending:
            continue
        images = state.symmetries()
        assert images[0].to_text() == state.to_text()
        assert len({image.canonical() for image in images}) == 1
        for image in images:
            assert len(image.legal_moves()) == len(state.legal_moves()) or state.reason() == "third repetition"


def test_pictures(spec):
    for state in random_states(spec, 3):
        pass
    for state in (state, state.game.start()):
        picture = xml.fromstring(state.svg())
        assert picture.tag.endswith("svg") and state._repr_svg_() == state.svg()
        assert str(state) and state.game.spec in repr(state)


def test_perft():
    assert [quintet.perft(quintet.load("pylos").start(), depth) for depth in range(6)] == [1, 16, 240, 3360, 43680, 524376]
    line = quintet.load("twixt(size=6,swap=turn)").start()
    line.play("c3")
    by_hand = 0
    for mv in line.legal_moves():
        line.play(mv)
        by_hand += quintet.perft(line, 2)
        line.undo()
    assert quintet.perft(line, 3) == by_hand
    # Deeper than what is counted without a look at the keyboard.
    small = quintet.load("pathwayz(rows=2,cols=3)").start()
    assert quintet.perft(small, 5) == sum(quintet.perft(after(small, mv), 4) for mv in small.legal_moves())


def test_perft_refuses_numbers_that_are_no_depths():
    for bad in [-1, 2**32, 10**30]:
        with pytest.raises(ValueError, match=f"^depth is {bad}: it must be from 0 to 4294967295.$"):
            quintet.perft(quintet.load("pylos").start(), bad)
    with pytest.raises(ValueError, match=r"^depth is above 10\^38: "):
        quintet.perft(quintet.load("pylos").start(), 10**5000)


def after(state, mv):
    state = state.copy()
    state.play(mv)
    return state
