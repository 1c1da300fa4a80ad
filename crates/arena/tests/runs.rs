//! Runs: the same games whatever the threads, resumed to the same results, and faults that are losses.

use quintet_agent::Catalogue;
use quintet_arena::{
    Adjudication, Contestant, Format, Length, Openings, OpeningsError, Plan, Played, Results, RunError, TournamentFile,
    play, run, verify,
};
use quintet_eval::{Spec, explain};
use quintet_game::record::Record;
use quintet_game::{EndReason, Forfeit, GameSpec, Limit, Outcome, Player, Stop};

fn play_all(plan: &Plan, done: Vec<Played>, threads: usize) -> Results {
    run(plan, Catalogue::embedded(), done, threads, &Stop::never(), &mut |_| Ok(())).unwrap()
}

fn failure(plan: &Plan) -> RunError {
    run(plan, Catalogue::embedded(), Vec::new(), 2, &Stop::never(), &mut |_| Ok(())).unwrap_err()
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

/// What the net expects is asked for here by way of the texts of positions.
#[test]
fn even_openings_are_near_even_by_the_net() {
    let agents = Catalogue::embedded();
    let (net, count) = (Spec::parse("net").unwrap(), 8);
    for (game, plies) in [("twixt(size=9)", 2), ("pathwayz", 3), ("pylos", 2), ("pentago-twist", 1)] {
        let plan = Plan { opening_plies: plies, even: true, ..plan(game, ["random", "random"], Length::Games(16)) };
        let spec = GameSpec::parse(game).unwrap();
        let drawn = |openings: &Openings| (0..count).map(|n| openings.get(n)).collect::<Vec<_>>();
        let expected = |opening: &Vec<String>| {
            let mut line = spec.line();
            opening.iter().for_each(|mv| assert!(line.try_play(mv).is_ok()));
            explain(&spec, &line.position(), &net, None, agents.weight_store()).unwrap().value
        };
        let even = drawn(&Openings::of(&plan, agents).unwrap());
        for opening in &even {
            let expected = expected(opening);
            assert!(opening.len() == plies as usize && (0.35..=0.65).contains(&expected), "{game}: {expected}");
        }
        assert_eq!(drawn(&Openings::of(&plan, agents).unwrap()), even, "{game}");
        assert_ne!(drawn(&Openings::of(&Plan { seed: 6, ..plan.clone() }, agents).unwrap()), even, "{game}");
        // Without `even` they are those of chance alone, among which some are not near even.
        let any = Openings::of(&Plan { even: false, ..plan.clone() }, agents).unwrap();
        assert_eq!(drawn(&any), drawn(&Openings::new(spec, plies, plan.seed)));
        let uneven = (0..40).map(|n| any.get(n)).filter(|opening| !(0.35..=0.65).contains(&expected(opening))).count();
        assert!(uneven > 0 || game != "twixt(size=9)");
    }
}

#[test]
fn a_run_with_even_openings_is_resumed_with_the_same() {
    let written =
        r#"{"game": "twixt(size=6)", "players": ["random", "twixt:greedy"], "games": 12, "openings": 2, "even": true}"#;
    let plan = serde_json::from_str::<TournamentFile>(written).unwrap().plan().unwrap();
    assert!(plan.even);
    let whole = play_all(&plan, Vec::new(), 3);
    let half = whole.games.iter().filter(|played| played.number % 3 != 0).cloned().collect();
    let again: Plan = serde_json::from_value(serde_json::to_value(&plan).unwrap()).unwrap();
    assert_eq!(records(&play_all(&again, half, 1)), records(&whole));
    assert_ne!(records(&play_all(&Plan { even: false, ..plan }, Vec::new(), 1)), records(&whole));
}

#[test]
fn even_openings_that_cannot_be_had_are_refused() {
    let even = |plies| Plan {
        opening_plies: plies,
        even: true,
        ..plan("pathwayz(rows=2,cols=2)", ["random", "random"], Length::Games(2))
    };
    // Whoever moves first on this board loses, and the net knows.
    let error = failure(&even(1));
    assert!(matches!(error, RunError::Openings(OpeningsError::NoneIsEven { plies: 1, .. })), "{error}");
    assert!(error.to_string().contains("is near even by the game's net"), "{error}");
    assert_eq!(play_all(&even(0), Vec::new(), 1).games.len(), 2);
    let data = std::env::temp_dir().join(format!("quintet-even-{}", std::process::id()));
    std::fs::create_dir_all(data.join("weights/pathwayz")).unwrap();
    std::fs::write(data.join("weights/pathwayz/net.safetensors"), "no net").unwrap();
    let agents = Catalogue::with_folder(&data).unwrap();
    let error = Openings::of(&even(3), &agents).err().unwrap();
    assert!(matches!(error, OpeningsError::NoNet { .. }) && error.to_string().contains("has no net here"), "{error}");
    assert!(Openings::of(&Plan { even: false, ..even(3) }, &agents).is_ok());
    std::fs::remove_dir_all(data).unwrap();
}

#[test]
fn a_long_game_is_a_draw_by_the_cap() {
    let mut plan = plan("pylos", ["random", "random"], Length::Games(2));
    plan.max_plies = 10;
    for played in play_all(&plan, Vec::new(), 1).games {
        assert_eq!((played.outcome(), played.reason, played.plies), (Outcome::Draw, EndReason::Cap, 10));
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

/// Among several players, one that cannot play the variant fails its own games; a match of two needs both.
#[test]
fn a_player_that_cannot_play_the_variant_fails_its_own_games() {
    // No strategy is known for these rules, and no table is here.
    let exact = "exact";
    let duel = plan("pylos(end=spent)", ["random", exact], Length::Games(4));
    assert!(matches!(failure(&duel), RunError::Agent { .. }));
    let mut many = duel;
    many.players.push(Contestant { name: "third".into(), agent: "mcts(visits=10)".into() });
    let results = play_all(&many, Vec::new(), 2);
    assert_eq!(results.games.len(), 12);
    assert_eq!(results.forfeits().into_values().sum::<u64>(), 8);
    assert_eq!((results.total(1).losses, results.on_board(0, 1).n(), results.on_board(0, 2).n()), (8, 0, 4));
    let lost = results.games.iter().find(|played| played.is_forfeit()).unwrap();
    assert_eq!(lost.reason.as_str(), "forfeit: cannot play this variant");
    assert!(lost.fault.as_ref().unwrap().contains("exact"), "{lost:?}");
    // It is not the tournament's fault, and changes nobody's rating.
    assert!(results.broken().is_empty() && results.ratings().players[1].is_none());
    // Nobody is left to play against.
    many.players[0].agent = exact.into();
    assert!(matches!(failure(&many), RunError::Agent { .. }));
}

#[test]
fn a_limit_within_a_spec_is_not_cut_by_the_budget() {
    let inner = plan("twixt(size=6)", ["exact(agent=mcts(visits=50))", "random"], Length::Games(2));
    assert_eq!(play_all(&inner, Vec::new(), 2).games.len(), 2);
    let error = failure(&Plan { budget: Limit::nodes(100), ..inner });
    assert!(error.to_string().contains("mcts(visits=50) has a limit of its own"), "{error}");
}

#[test]
fn settled_games_are_adjudicated_and_say_so() {
    let whole = plan("pathwayz(rows=4,cols=2)", ["mcts(visits=3000)", "random"], Length::Games(6));
    assert!(play_all(&whole, Vec::new(), 2).endings().is_empty());
    let proven = Plan { adjudicate: vec![Adjudication::Proof], ..whole.clone() };
    let results = play_all(&proven, Vec::new(), 2);
    assert!(results.endings()[&EndReason::AdjudicatedByProof] > 0, "{:?}", results.endings());
    for played in results.games.iter().filter(|played| played.reason == EndReason::AdjudicatedByProof) {
        let record = Record::read(&played.record).unwrap();
        assert_eq!((&record.reason, record.result), (&Some(EndReason::AdjudicatedByProof), played.result));
        assert!(record.replay().unwrap().0.end().is_none());
    }
    assert_eq!(results.summary()["endings"]["adjudicated: proof"], results.endings()[&EndReason::AdjudicatedByProof]);
    let agreed = Plan {
        players: ["mcts(visits=300)", "puct(visits=300)"]
            .map(|agent| Contestant { name: agent.into(), agent: agent.into() })
            .into(),
        adjudicate: vec!["score(share=0.55,moves=1)".parse().unwrap()],
        game: "twixt(size=6)".into(),
        ..whole
    };
    assert!(play_all(&agreed, Vec::new(), 2).endings()[&EndReason::AdjudicatedByScore] > 0);
    // Plans of runs that began before these options are read as before.
    let mut old = serde_json::to_value(&proven).unwrap();
    assert!(old.get("clock").is_none());
    old.as_object_mut().unwrap().remove("adjudicate");
    assert_eq!(serde_json::from_value::<Plan>(old).unwrap().adjudicate, []);
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
    plan.players.push(Contestant { name: "third".into(), agent: "pentago:greedy".into() });
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

    /// A spec of an engine that does this when it is asked for a move.
    fn engine(go: &str, arguments: &str) -> String {
        let hello = r#"while read line; do case "$line" in ugi) echo ugiok;; isready) echo readyok;; go*) "#;
        script(&format!("{hello}{go};; esac; done"), arguments)
    }

    fn script(script: &str, arguments: &str) -> String {
        let cmd = format!("sh -c '{}'", script.replace('\'', "'\\''"));
        format!("ugi(cmd=\"{}\"{arguments})", cmd.replace('\\', "\\\\").replace('"', "\\\""))
    }

    /// Outside engines that fail in every way: each loses with its reason and what it did.
    #[test]
    fn every_fault_of_an_engine_is_a_loss_with_its_reason() {
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
            let agent = engine(answer, if name == "hang" { ",time=50ms" } else { ",time=20s" });
            let plan = plan("pylos", [&agent, "random"], Length::Games(2));
            let spec = GameSpec::parse("pylos").unwrap();
            let games =
                plan.fixtures().map(|fixture| play(&plan, &spec, Catalogue::embedded(), &fixture, &[]).unwrap());
            let results = Results::new(plan.clone(), games.collect());
            for played in &results.games {
                assert_eq!(played.reason.as_str(), format!("forfeit: {reason}"), "{name}");
                let guest = if played.seats[0] == 0 { Player::First } else { Player::Second };
                assert_eq!(played.outcome(), Outcome::Win(guest.other()), "{name}");
                assert!(played.is_forfeit() && played.fault.as_ref().unwrap().contains("sh -c"), "{played:?}");
            }
            assert_eq!(
                results.forfeits().into_iter().collect::<Vec<_>>(),
                [((0, EndReason::from(&*format!("forfeit: {reason}"))), 2)]
            );
            assert_eq!((results.wdl(0, 1).losses, results.on_board(0, 1).n(), results.broken().len()), (2, 0, 1));
        }
    }

    #[test]
    fn a_match_ends_with_a_player_that_forfeits_every_game() {
        let missing = "ugi(cmd=\"no-such-engine-at-all\")".to_owned();
        for (agent, games, says) in [
            (missing.clone(), 100, "its first game by not-started: \"no-such-engine-at-all\" cannot be run"),
            (engine("echo boom >&2; exit 3", ""), 100, "all of its 4 games, the last by crash: "),
            (engine("echo bestmove zz9", ""), 2, "all of its 2 games, the last by garbage: "),
        ] {
            let plan = plan("pylos", ["random", &agent], Length::Games(games));
            let mut kept = 0;
            let count = &mut |_: &Played| {
                kept += 1;
                Ok(())
            };
            let error = run(&plan, Catalogue::embedded(), Vec::new(), 1, &Stop::never(), count).unwrap_err();
            let (error, kept) = (error.to_string(), kept);
            assert!(error.starts_with(&agent) && error.contains(says) && error.contains("start again"), "{error}");
            assert!(kept < 4);
        }
        // A tournament goes on without it, unless it does not even start.
        let crashing = engine("exit 3", "");
        let mut cup = plan("pylos", ["random", &crashing], Length::Games(4));
        cup.players.push(Contestant { name: "third".into(), agent: "mcts(visits=10)".into() });
        let results = play_all(&cup, Vec::new(), 2);
        assert_eq!(results.games.len(), 12);
        assert_eq!(results.broken().iter().map(|(player, _)| *player).collect::<Vec<_>>(), [1]);
        assert!(results.ratings().players[1].is_none());
        cup.players[1].agent = missing;
        assert!(matches!(failure(&cup), RunError::Forfeited { .. }));
    }

    /// One that fails now and then only loses those games.
    #[test]
    fn a_crash_now_and_then_ends_nothing() {
        let agent = engine("n=$((n+1)); [ $n -gt 3 ] && exit 1; echo bestmove resign", "");
        let plan = plan("pylos", [&agent, "random"], Length::Games(12));
        let results = play_all(&plan, Vec::new(), 1);
        assert_eq!((results.games.len(), results.endings()[&EndReason::Resigned]), (12, 9));
        assert_eq!(results.forfeits().into_iter().collect::<Vec<_>>(), [((0, EndReason::Forfeit(Forfeit::Crash)), 3)]);
        assert_eq!((results.on_board(0, 1).losses, results.wdl(0, 1).losses), (9, 12));
        assert_eq!(results.summary()["pairings"][0]["on_board"]["losses"], 9);
    }

    #[test]
    fn an_engine_serves_all_games_of_a_thread() {
        let log = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("starts.log");
        for (arguments, starts) in [("", 1), (",keep=no", 6)] {
            let _ = std::fs::remove_file(&log);
            let text = format!(
                "echo start >> {}; while read line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove resign;; esac; done",
                log.display()
            );
            let plan = plan("pylos", [&script(&text, arguments), "random"], Length::Games(6));
            assert_eq!(play_all(&plan, Vec::new(), 1).endings()[&EndReason::Resigned], 6);
            assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), starts, "{arguments}");
        }
    }
}

/// A game by its number is the same as in the list.
#[test]
fn a_game_can_be_found_by_its_number() {
    for format in [Format::RoundRobin, Format::Gauntlet] {
        for (players, games) in [(2, 1), (2, 4), (2, 5), (4, 2), (4, 7)] {
            let contestant = |n| Contestant { name: format!("p{n}"), agent: "random".into() };
            let plan = Plan::duel("pylos", ["random", "random"], Length::Games(games)).unwrap();
            let plan = Plan { players: (0..players).map(contestant).collect(), format, ..plan };
            let listed: Vec<_> = plan.fixtures().collect();
            let found: Vec<_> = (0..plan.games()).filter_map(|number| plan.fixture(number)).collect();
            assert_eq!(listed, found, "{players} players, {games} games");
            assert_eq!(plan.fixture(plan.games()), None);
        }
    }
}

/// What another process has played counts only if it is that game of the plan, by the rules.
#[test]
fn a_game_from_elsewhere_is_replayed() {
    let plan = Plan { max_plies: 30, ..plan("pentago", ["mcts(visits=20)", "random"], Length::Games(2)) };
    let spec = GameSpec::parse(&plan.game).unwrap();
    let (fixture, opening) = (plan.fixture(1).unwrap(), Openings::new(spec, plan.opening_plies, plan.seed).get(0));
    let right = play(&plan, &spec, Catalogue::embedded(), &fixture, &opening).unwrap();
    assert_eq!(verify(&plan, &spec, &fixture, &opening, &right), Ok(()));
    let other = Openings::new(spec, plan.opening_plies, plan.seed).get(1);
    assert!(verify(&plan, &spec, &fixture, &other, &right).unwrap_err().contains("opening"));
    type Change = fn(&mut Played);
    let wrong: [(Change, &str); 8] = [
        (|played| played.number = 0, "not the game"),
        (|played| played.seats = [0, 1], "other players"),
        (|played| played.record = played.record.replace("pentago", "pylos"), "game of pylos"),
        (|played| played.record = played.record.replace("3.", "3.z9 4."), "illegal"),
        (|played| played.result = Some(Outcome::Draw), "does not end"),
        (|played| played.reason = EndReason::Resigned, "does not end"),
        (|played| played.record += " ", "not written"),
        (|played| played.cost.ms[0] = f64::NAN, "time"),
    ];
    for (change, says) in wrong {
        let mut played = right.clone();
        change(&mut played);
        let said = verify(&plan, &spec, &fixture, &opening, &played).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
}
