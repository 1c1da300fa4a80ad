//! Runs: the same games whatever the threads, resumed to the same results, and faults that are losses.

use quintet_agent::Catalogue;
use quintet_arena::{Length, Openings, Plan, Played, Results, RunError, run};
use quintet_game::{GameSpec, Outcome, Player, Stop};

fn play_all(plan: &Plan, done: Vec<Played>, threads: usize) -> Results {
    run(plan, Catalogue::embedded(), done, threads, &Stop::never(), &mut |_| Ok(())).unwrap()
}

fn records(results: &Results) -> Vec<String> {
    results.games.iter().map(|played| format!("{} {:?} {}", played.number, played.seats, played.record)).collect()
}

fn plan(game: &str, agents: [&str; 2], length: Length) -> Plan {
    let mut plan = Plan::duel(game, agents, length).unwrap();
    plan.opening_plies = 2;
    plan.seed = 5;
    plan
}

#[test]
fn the_same_games_whatever_the_threads() {
    for (game, agents) in [
        ("pylos", ["mcts(visits=30)", "pylos:ordered(nodes=300)"]),
        ("pentago", ["puct(visits=20)", "random"]),
        ("twixt(size=6)", ["pvs(eval=distance,nodes=200)", "twixt:greedy"]),
        ("pathwayz(rows=3,cols=4)", ["pathwayz:mcs(games=5)", "pathwayz:baseline"]),
    ] {
        let plan = plan(game, agents, Length::Games(21));
        let one = play_all(&plan, Vec::new(), 1);
        assert_eq!(one.games.len(), 21, "{game}");
        assert!(one.is_complete());
        for threads in [2, 5] {
            assert_eq!(records(&play_all(&plan, Vec::new(), threads)), records(&one), "{game}, {threads} threads");
        }
        // Half of it done before: the rest is the same.
        let half = one.games.iter().filter(|played| played.number % 3 != 0).cloned().collect();
        assert_eq!(records(&play_all(&plan, half, 2)), records(&one), "{game}, resumed");
        let other = Plan { seed: 6, ..plan };
        assert_ne!(records(&play_all(&other, Vec::new(), 2)), records(&one), "{game}: another seed, other games");
    }
}

#[test]
fn a_sequential_test_ends_at_the_same_game() {
    let plan = plan("pentago", ["pentago:greedy", "random"], Length::Sprt { elo0: 0.0, elo1: 100.0, most: 1000 });
    let one = play_all(&plan, Vec::new(), 1);
    assert!(one.is_complete() && one.games.len() < 200 && one.games.len().is_multiple_of(2), "{}", one.games.len());
    assert_eq!(records(&play_all(&plan, Vec::new(), 4)), records(&one));
    // Never decided: it stops at the most games.
    let plan = Plan { length: Length::Sprt { elo0: 0.0, elo1: 1.0, most: 10 }, ..plan };
    assert_eq!(play_all(&plan, Vec::new(), 2).games.len(), 10);
    let wrong = Plan { length: Length::Sprt { elo0: 5.0, elo1: 1.0, most: 10 }, ..plan };
    let error = run(&wrong, Catalogue::embedded(), Vec::new(), 1, &Stop::never(), &mut |_| Ok(()));
    assert!(matches!(error, Err(RunError::Plan(_))));
}

#[test]
fn games_come_in_pairs_from_one_opening() {
    let plan = plan("pylos", ["random", "mcts(visits=5)"], Length::Games(20));
    let results = play_all(&plan, Vec::new(), 2);
    let opening = |played: &Played| {
        let record = quintet_game::record::Record::read(&played.record).unwrap();
        record.moves[..2].to_vec()
    };
    for pair in results.games.chunks(2) {
        assert_eq!((pair[0].seats, pair[1].seats), ([0, 1], [1, 0]));
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
    let pairs = results.pairs(0, 1);
    assert_eq!(pairs.n(), 10);
    assert_eq!(pairs.games(), results.wdl(0, 1));
    assert_eq!(results.wdl(0, 1), results.wdl(1, 0).swapped());
    assert_eq!(results.first_seat().n(), 20);
    assert_eq!(results.forfeits().len(), 0);
}

#[test]
fn openings_are_distinct_up_to_symmetry() {
    // Sixteen first moves of Pylos are three up to symmetry, and Pentago's 288 (36 boards) are six.
    for (game, plies, distinct) in [("pylos", 1, 3), ("pentago", 1, 6), ("pathwayz(rows=2,cols=2)", 1, 2)] {
        let openings = Openings::new(GameSpec::parse(game).unwrap(), plies, 3);
        let all: Vec<_> = (0..distinct + 1).map(|n| openings.get(n)).collect();
        assert_eq!(all[distinct as usize], all[0], "{game}: after {distinct} they come again");
        for a in 0..distinct as usize {
            for b in 0..a {
                assert_ne!(all[a], all[b], "{game}");
            }
        }
    }
    // Without plies there is no opening; and the n-th does not depend on what was asked for before.
    let spec = GameSpec::parse("twixt(size=8)").unwrap();
    assert!(Openings::new(spec, 0, 1).get(7).is_empty());
    let (one, two) = (Openings::new(spec, 4, 9), Openings::new(spec, 4, 9));
    let late = one.get(20);
    assert_eq!((two.get(3), two.get(20)), (one.get(3), late));
}

#[test]
fn a_long_game_is_a_draw_by_the_cap() {
    let mut plan = plan("pylos", ["random", "random"], Length::Games(2));
    plan.max_plies = 10;
    for played in play_all(&plan, Vec::new(), 1).games {
        assert_eq!((played.outcome(), played.reason.as_str(), played.plies), (Outcome::Draw, "cap", 10));
    }
}

#[test]
fn agents_that_cannot_be_had_are_known_before_the_first_game() {
    let untrained = ("ordered(eval=pylos-svr(weights=pylos:nobody))", "quintet train pylos:nobody");
    for (agent, says) in [("alphazero", "is not an agent"), untrained, ("greedy", "eval")] {
        let plan = plan("pylos", ["random", agent], Length::Games(2));
        let result =
            run(&plan, Catalogue::embedded(), Vec::new(), 2, &Stop::never(), &mut |_| panic!("no game is played"));
        assert!(result.unwrap_err().to_string().contains(says), "{agent}");
    }
}

#[test]
fn a_stop_ends_a_run_after_the_games_in_play() {
    let plan = plan("pylos", ["mcts(visits=20)", "random"], Length::Games(100));
    let stop = Stop::new();
    let mut kept = 0;
    let results = run(&plan, Catalogue::embedded(), Vec::new(), 2, &stop, &mut |_| {
        kept += 1;
        if kept >= 5 {
            stop.stop();
        }
        Ok(())
    })
    .unwrap();
    assert!((5..20).contains(&results.games.len()) && !results.is_complete());
    assert_eq!(records(&play_all(&plan, results.games, 2)), records(&play_all(&plan, Vec::new(), 2)));
}

/// A tournament's games are counted once each, from both sides.
#[test]
fn cross_tables_add_up() {
    let mut plan = plan("pentago", ["random", "mcts(visits=10)"], Length::Games(4));
    plan.players.push(quintet_arena::Contestant { name: "third".into(), agent: "pentago:greedy".into() });
    let results = play_all(&plan, Vec::new(), 2);
    assert_eq!(results.games.len(), 12);
    let table = results.cross_table();
    for (a, row) in table.iter().enumerate() {
        for (b, wdl) in row.iter().enumerate() {
            assert_eq!(wdl.n(), if a == b { 0 } else { 4 });
            assert_eq!(*wdl, table[b][a].swapped());
        }
        assert_eq!(results.total(a).n(), 8);
    }
    plan.format = quintet_arena::Format::Gauntlet;
    assert_eq!(play_all(&plan, Vec::new(), 2).games.len(), 8);
    assert!(plan.pairings().iter().all(|pair| pair[0] == 0));
}

#[cfg(unix)]
mod guests {
    use super::*;

    /// Outside engines that fail in every way: each loses with its reason, and the match goes on.
    #[test]
    fn every_fault_of_an_engine_is_a_loss_with_its_reason() {
        let hello = r#"while read line; do case "$line" in ugi) echo ugiok;; isready) echo readyok;; go*) "#;
        for (name, answer, reason) in [
            ("crash", "exit 3", "crash"),
            ("early end", "exec >&-; sleep 5", "crash"),
            ("illegal", "echo bestmove 4a1", "illegal-move"),
            ("no move", "echo bestmove zz9", "garbage"),
            ("garbage", "echo bestmove", "garbage"),
            ("hang", "sleep 60", "time-out"),
            (
                "flood",
                "while :; do echo info string aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done",
                "too-much-output",
            ),
        ] {
            let script = format!("{hello}{answer};; esac; done");
            let cmd = format!("sh -c '{}'", script.replace('\'', "'\\''"));
            let agent = format!("ugi(cmd=\"{}\",time=20000ms)", cmd.replace('\\', "\\\\").replace('"', "\\\""));
            let agent = if name == "hang" { agent.replace("20000ms", "50ms") } else { agent };
            let results = play_all(&plan("pylos", [&agent, "random"], Length::Games(2)), Vec::new(), 2);
            for played in &results.games {
                assert_eq!(played.reason, format!("forfeit: {reason}"), "{name}");
                let guest = if played.seats[0] == 0 { Player::First } else { Player::Second };
                assert_eq!(played.outcome(), Outcome::Win(guest.other()), "{name}");
                assert!(played.is_forfeit());
            }
            assert_eq!(results.forfeits().into_iter().collect::<Vec<_>>(), [((0, format!("forfeit: {reason}")), 2)]);
        }
    }
}
