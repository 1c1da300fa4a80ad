import pickle

import pytest

import quintet


def test_a_match():
    heard = []
    result = quintet.match("pylos", "mcts", "random", games=6, visits=50, openings=2, on_game=heard.append)
    assert sum(result.wdl()) == 6 and result.wdl(1, 0) == result.wdl()[::-1]
    assert sorted(game.number for game in heard) == [game.number for game in result.games] == list(range(6))
    game = result.games[0]
    state = quintet.from_record(game.record)
    assert state.outcome() == game.result and state.plies == game.plies and state.reason() == game.reason
    assert game.seats == (0, 1) and result.games[1].seats == (1, 0) and game.record in repr(game)
    statistics = result.statistics()
    assert statistics.score > 0.5 and statistics.interval[0] <= statistics.score <= statistics.interval[1]
    summary = result.summary()
    assert summary["games"] == 6 and summary["pairings"][0]["wdl"]["wins"] == result.wdl()[0]
    again = quintet.match(quintet.load("pylos"), "mcts", "random", games=6, visits=50, openings=2, threads=1)
    assert [game.record for game in again.games] == [game.record for game in result.games]


def test_a_tournament_and_a_sequential_test():
    result = quintet.match("twixt(size=6)", "mcts(visits=200)", "mcts(visits=20)", "random", games=4, openings=2)
    assert len(result.games) == 12 and len(result.summary()["players"]) == 3
    assert sum(result.wdl(1, 2)) == 4
    for bad in [3, -1, 10**30]:
        for refused in [result.wdl, result.statistics]:
            with pytest.raises(ValueError, match=f"^there is no player {bad}; they are numbered from 0 to 2.$"):
                refused(bad, 0)
    result = quintet.match("pylos", "mcts(visits=50)", "random", sprt=(0, 200), openings=2)
    assert result.summary()["pairings"][0]["sprt"]["decision"] == "accept H1" and len(result.games) < 200


def test_clocks_and_settled_games():
    players = ("pylos", "mcts(visits=400)", "random")
    settled = quintet.match(*players, games=4, adjudicate=["proof", "score(share=0.9,moves=1)"])
    assert any(game.reason.startswith("adjudicated: ") for game in settled.games)
    assert not any(game.reason.startswith("adjudicated") for game in quintet.match(*players, games=4).games)
    assert len(quintet.match("pylos", "mcts", "random", games=2, time=0.01, clock="cpu").games) == 2
    with pytest.raises(ValueError, match="clock is wall or cpu"):
        quintet.match(*players, games=2, clock="sun")
    with pytest.raises(ValueError, match="by proof or by score"):
        quintet.match(*players, games=2, adjudicate="taste")


def test_what_is_wrong_is_said():
    for arguments, sentence in [
        (("pylos", "mcts"), "two players"),
        (("chess", "mcts", "random"), "is not a game"),
        (("pylos", "mcts", "nobody"), "nobody"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            quintet.match(*arguments, games=2)
    with pytest.raises(TypeError, match="spec"):
        quintet.match(3, "mcts", "random")
    for option, most in [("games", 10_000_000), ("openings", 2**32 - 1), ("max_plies", 2**32 - 1), ("threads", 1024), ("seed", 2**64 - 1)]:
        for bad in [-1, most + 1, 10**30]:
            with pytest.raises(ValueError, match=f"^{option} is {bad}: it must be from [01] to {most}.$"):
                quintet.match("pylos", "random", "random", **{option: bad})
    with pytest.raises(ValueError):
        quintet.match("pylos", "random", "random", sprt=(20, 0))
    with pytest.raises(ValueError, match="^a number of wdl is -1: "):
        quintet.statistics(wdl=(3, -1, 2))


def test_openings_may_be_even():
    even = quintet.match("twixt(size=6)", "random", "random", games=8, openings=2, even=True)
    assert [game.record for game in even.games] != [game.record for game in quintet.match("twixt(size=6)", "random", "random", games=8, openings=2).games]
    with pytest.raises(ValueError, match="near even by the game's net"):
        quintet.match("pathwayz(rows=2,cols=2)", "random", "random", games=2, openings=1, even=True)


def test_results_survive_a_pickle():
    result = quintet.match("pylos", "mcts(visits=20)", "random", games=4, openings=2, adjudicate="proof", time=1.0)
    again = pickle.loads(pickle.dumps(result))
    assert again.summary() == result.summary() and repr(again) == repr(result)
    fields = ["number", "seats", "result", "reason", "plies", "record"]
    for game, twin in zip(result.games, [pickle.loads(pickle.dumps(game)) for game in again.games], strict=True):
        assert all(getattr(game, name) == getattr(twin, name) for name in fields)


def test_statistics_are_those_of_the_library():
    statistics = quintet.statistics(wdl=(136, 111, 96))
    assert [round(number, 2) for number in statistics.elo] == [40.70, 30.43]
    assert [round(number, 2) for number in statistics.normalized_elo] == [49.77, 36.77]
    assert round(statistics.los, 4) == 0.9960 and 0 < statistics.p_value < 0.05
    pairs = quintet.statistics(pairs=(34, 54, 31, 32, 64, 75))
    assert [round(number, 2) for number in pairs.elo] == [55.58, 27.65]
    won = quintet.statistics(wdl=(5, 0, 0))
    assert won.elo is None and won.normalized_elo is None and won.elo_interval[1] is None
    assert "inf" not in repr(won)
    for bad in [{}, {"wdl": (1, 1, 1), "pairs": (1, 1, 1, 1, 1, 1)}, {"wdl": (0, 0, 0)}]:
        with pytest.raises(ValueError):
            quintet.statistics(**bad)
    test = quintet.statistics(wdl=(36433, 68692, 36027)).sprt(0, 2, normalized=True)
    assert test["bounds"][0] < test["llr"] < test["bounds"][1] and test["decision"]


def test_solutions():
    state = quintet.load("pathwayz(rows=2,cols=2)").start()
    state.play("a1")
    solution = quintet.solve(state)
    assert (solution.value, solution.distance) == ("loss", 2) and solution.complete and solution.by
    assert {mv for mv, _, _ in solution.moves} <= set(state.legal_moves()) and "loss in 2" in repr(solution)
    with pytest.raises(ValueError, match="far from the end|not known|no prover"):
        quintet.solve(quintet.load("pathwayz").start(), nodes=100, time=0.1)
