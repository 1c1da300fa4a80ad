//! Agents by their specs, in every game.

use quintet_agent::{KINDS, seat};
use quintet_eval::evaluations;
use quintet_game::{GAMES, GameSpec};
use quintet_search::Limit;

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

/// The kind with an evaluation if it needs one.
fn with_eval(kind: &str, game: &GameSpec) -> Option<String> {
    if ["random", "mcts", "middle-plan", "puct"].contains(&kind) {
        return Some(kind.to_owned());
    }
    Some(format!("{kind}(eval={})", evaluations(game).first()?.name))
}

#[test]
fn every_kind_plays_legal_games_of_every_game() {
    for info in GAMES {
        let spec = spec(info.name);
        // Outside engines have tests of their own.
        for kind in KINDS.iter().filter(|kind| kind.name != "ugi") {
            if kind.name == "middle-plan" && !info.name.starts_with("pentago") {
                continue;
            }
            let agent = with_eval(kind.name, &spec).unwrap_or_else(|| panic!("{} has no evaluation", info.name));
            let mut table = spec.table();
            let mut seat = seat(&spec, &agent, 5).unwrap();
            let limit = Limit { depth: Some(2), ..Limit::nodes(300) };
            while table.end().is_none() && table.plies() < 20 {
                let thought = seat.think(None, &table.moves(), &limit, &mut |_| {}).unwrap();
                assert_eq!(thought.line[0], thought.mv);
                table.try_play(&thought.mv).unwrap_or_else(|e| panic!("{agent} of {spec}: {e}"));
            }
        }
    }
}

#[test]
fn the_same_spec_and_seed_choose_the_same() {
    for agent in [
        "random",
        "mcts(nodes=500)",
        "puct(nodes=500,batch=3)",
        "puct(eval=height,nodes=500,c=2,temperature=1,scale=3,reuse=no,memory=1)",
        "greedy(eval=height)",
        "alphabeta(eval=difference,depth=2)",
    ] {
        let think =
            |seed| seat(&spec("pylos"), agent, seed).unwrap().think(None, &[], &Limit::default(), &mut |_| {}).unwrap();
        let (one, two) = (think(3), think(3));
        assert_eq!((&one.mv, one.value, one.nodes), (&two.mv, two.value, two.nodes), "{agent}");
    }
    // Ties: the first of equal moves, or one by seed.
    let first = |seed| {
        seat(&spec("pylos"), "greedy(eval=height,ties=first)", seed)
            .unwrap()
            .think(None, &[], &Limit::default(), &mut |_| {})
            .unwrap()
            .mv
    };
    assert_eq!([first(1), first(2)], ["1a1", "1a1"]);
}

#[test]
fn limits_of_spec_and_request_the_smaller_holds() {
    let nodes = |agent: &str, limit: &Limit| {
        seat(&spec("pylos"), agent, 1).unwrap().think(None, &[], limit, &mut |_| {}).unwrap().nodes
    };
    assert_eq!(nodes("mcts(nodes=700)", &Limit::default()), 700);
    assert_eq!(nodes("mcts(nodes=700)", &Limit::nodes(300)), 300);
    assert_eq!(nodes("mcts(nodes=200)", &Limit::nodes(300)), 200);
    assert_eq!(nodes("mcts", &Limit::default()), 10_000);
    assert_eq!(nodes("mcts(visits=50)", &Limit::default()), 50);
    assert_eq!(nodes("puct(threads=2)", &Limit::default()), 10_000);
    assert_eq!(nodes("puct(eval=difference,visits=50)", &Limit::depth(3)), 50);
    // A limit that means nothing to the agent leaves it its default.
    assert_eq!(nodes("mcts", &Limit::depth(3)), 10_000);
    assert!(nodes("alphabeta(eval=height)", &Limit { visits: Some(5), ..Limit::default() }) > 100);
}

#[test]
fn bad_specs_list_what_there_is() {
    for (agent, says) in [
        ("", "a word is wanted"),
        ("alphazero", "\"alphazero\" is no agent; there are random, greedy,"),
        ("greedy", "greedy(eval=: it must be the name of an evaluation"),
        ("greedy(eval=fast)", "is no evaluation of Pylos; there are difference, height, position."),
        ("greedy(eval=\"height\")", "it must be the name of an evaluation"),
        (
            "greedy(eval=height,deep=3)",
            "greedy takes no \"deep\"; it takes eval, ends, utility, ties, floor, time, nodes, depth, visits.",
        ),
        ("minimax(eval=height,depth=-1)", "depth=-1: it must be a whole number."),
        ("mcts(time=5)", "time=5: it must be a time such as 2s or 50ms."),
        ("puct(eval=fast)", "is no evaluation of Pylos"),
        ("puct(eval=height,scale=0)", "scale=0: it must be a number above 0."),
        ("puct(temperature=2)", "puct takes no \"temperature\"; it takes eval, c, threads,"),
        ("greedy(eval=height,ties=last)", "ties=last: it must be one of random, first."),
        ("ugi", "cmd=: it must be a command in double quotes, as in cmd=\"./engine --flag\"."),
        ("ugi(cmd=engine)", "cmd=engine: it must be a command in double quotes"),
        ("ugi(cmd=\" \")", "cmd= : it must be a command, as"),
        ("ugi(cmd=\"a 'b\")", "cmd=a 'b: it must be a command with a closing quote, as"),
        ("ugi(cmd=\"a\",speed=1)", "it takes cmd, start, grace, memory, time, nodes, depth, visits."),
    ] {
        let error = seat(&spec("pylos"), agent, 1).err().unwrap_or_else(|| panic!("{agent}")).to_string();
        assert!(error.contains(says), "{agent}: {error}");
    }
}

#[test]
fn bad_positions_are_refused_and_the_next_is_served() {
    let mut agent = seat(&spec("pylos"), "random", 1).unwrap();
    let mut think = |from: Option<&str>, moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(|mv| (*mv).to_owned()).collect();
        agent.think(from, &moves, &Limit::default(), &mut |_| {}).map(|thought| thought.mv).map_err(|e| e.to_string())
    };
    assert!(think(Some("nonsense"), &[]).unwrap_err().starts_with("position: "));
    assert!(think(None, &["1a1", "1a1"]).unwrap_err().starts_with("move 2 \"1a1\""));
    assert!(think(Some("DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l"), &[]).unwrap_err().contains("the game is over"));
    assert!(think(None, &["1a1"]).is_ok());
}
