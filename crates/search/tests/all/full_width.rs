//! Searches that leave nothing out: minimax and its family, tree search.

use std::sync::Arc;
use std::time::Duration;

use quintet_game::{Game, GameSpec, Limit, Line, Playable, Proof, Rng, SeedableRng, Stop, can_win_now, with_game};
use quintet_search::{
    Branch, Ends, Greedy, Mcts, Minimax, NarrowMcts, Order, Quiet, RandomMove, Report, RootMove, Search, Watch,
};

use crate::common::{Log, Noise, SPECS, brute_roots, late, line_is_legal, proof_holds, solved, specs_without_loops};

fn family<G: Game>() -> Vec<(&'static str, Minimax<G>)> {
    let new = || Minimax::new(Box::new(Noise), Ends::default(), 2);
    vec![
        ("minimax", new()),
        ("alphabeta", new().with_pruning()),
        ("id-minimax", new().with_deepening(false)),
        ("id-alphabeta", new().with_pruning().with_deepening(false)),
        ("best-first", new().with_pruning().with_deepening(false).with_best_first()),
        ("seeded", new().with_pruning().with_seed(7)),
        ("ordered", new().with_pruning().with_deepening(false).with_memory(100_000)),
        ("random order", new().with_pruning().with_order(Order::Random, 3)),
        ("best order", new().with_pruning().with_order(Order::Best, 3)),
        ("no duplicates", new().with_pruning().without_duplicates()),
    ]
}

struct EqualsBrute(&'static str);

impl EqualsBrute {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(3);
        for round in 0..25 {
            let line = late(game.clone(), &mut rng);
            let depth = match line.count_moves() {
                0..=12 => 4,
                13..=40 => 3,
                _ => 2,
            };
            let roots = brute_roots(&line, &Noise, depth);
            let best = roots.iter().map(|root| root.1).reduce(f64::max).unwrap();
            for (name, mut search) in family::<G>() {
                let choice = search.think(&line, &Limit::depth(depth), &mut Quiet);
                let context =
                    format!("{} {name} round {round} depth {depth}: {}", self.0, game.write_position(line.position()));
                assert_eq!(choice.value, best, "{context}");
                let own = roots.iter().find(|root| root.0 == choice.mv).unwrap().1;
                assert_eq!(own, best, "{context}: {}", game.write_move(choice.mv));
                if !["seeded", "best-first", "ordered", "random order", "best order"].contains(&name) {
                    assert_eq!(
                        choice.mv,
                        roots.iter().find(|root| root.1 == best).unwrap().0,
                        "{context}: the first best"
                    );
                }
                line_is_legal(&line, &choice, &context);
            }
            let mut greedy: Greedy<G> = Greedy::new(Box::new(Noise), Ends::default(), None);
            let one = brute_roots(&line, &Noise, 1);
            let best = one.iter().map(|root| root.1).reduce(f64::max).unwrap();
            let choice = greedy.think(&line, &Limit::default(), &mut Quiet);
            assert_eq!((choice.value, choice.nodes), (best, one.len() as u64), "{}", self.0);
            assert_eq!(choice.mv, one.iter().find(|root| root.1 == best).unwrap().0, "{}", self.0);
        }
    }
}

#[test]
fn minimax_and_its_family_equal_brute_force() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| EqualsBrute(text).visit(game));
    }
}

struct ProofsAreTrue(&'static str);

impl ProofsAreTrue {
    fn visit<G: Playable>(self, game: G) -> u32 {
        let mut proofs = 0;
        for (round, (line, outcome)) in solved(&Arc::new(game), 30).into_iter().enumerate() {
            let mut minimax: Minimax<G> =
                Minimax::new(Box::new(Noise), Ends::default(), 1).with_pruning().with_deepening(true);
            let mut narrow: NarrowMcts<G> = NarrowMcts::new(Mcts::new(round as u64), Box::new(Noise), 2);
            for (name, choice) in [
                ("narrow mcts", narrow.think(&line, &Limit::nodes(3000), &mut Quiet)),
                ("mcts", Mcts::new(round as u64).think(&line, &Limit::nodes(30_000), &mut Quiet)),
                ("id-alphabeta", minimax.think(&line, &Limit::nodes(30_000), &mut Quiet)),
            ] {
                proofs += u32::from(proof_holds(&line, outcome, &choice, &format!("{} {name}", self.0)));
            }
        }
        proofs
    }
}

#[test]
fn proofs_are_true() {
    for text in specs_without_loops() {
        let proofs = with_game!(GameSpec::parse(text).unwrap(), |game| ProofsAreTrue(text).visit(game));
        assert!(proofs >= 10, "{text}: {proofs}");
    }
}

struct PlainProvesNothing(&'static str);

impl PlainProvesNothing {
    /// The number of positions with a win in one.
    fn visit<G: Playable>(self, game: G) -> u32 {
        let (game, mut rng) = (Arc::new(game), Rng::seed_from_u64(9));
        let mut won = 0;
        for round in 0..20 {
            let line = late(game.clone(), &mut rng);
            let plain = || Mcts::new(round).without_proofs();
            let mut narrow: NarrowMcts<G> = NarrowMcts::new(plain(), Box::new(Noise), 2);
            let mut whole = plain();
            let searches: [(&str, &mut dyn Search<G>); 2] = [("whole", &mut whole), ("narrow", &mut narrow)];
            for (name, search) in searches {
                let context = format!("{} {name} {}", self.0, game.write_position(line.position()));
                let mut heard = Unproven(Vec::new());
                let choice = search.think(&line, &Limit::nodes(3000), &mut heard);
                assert_eq!((choice.known, choice.nodes), (None, 3000), "{context}");
                line_is_legal(&line, &choice, &context);
                // The most visited move is played.
                let most = heard.0.iter().map(|root| root.visits).max();
                assert_eq!(heard.0.iter().find(|root| root.mv == choice.mv).map(|root| root.visits), most, "{context}");
            }
            let visited = plain().think(&line, &Limit::visits(500), &mut Quiet);
            assert_eq!((visited.known, visited.nodes), (None, 500), "{}", self.0);
            won += u32::from(can_win_now(&*game, line.position()));
        }
        won
    }
}

/// Hears no proof, and keeps the last report's moves.
struct Unproven<M>(Vec<RootMove<M>>);

impl<G: Game> Watch<G> for Unproven<G::Move> {
    fn depth_done(&mut self, report: Report<G::Move>) {
        fn check<M>(branches: &[Branch<M>]) {
            for branch in branches {
                assert_eq!(branch.proof, None);
                check(&branch.children);
            }
        }
        assert_eq!(report.roots.iter().filter_map(|root| root.visits).sum::<u64>(), report.nodes);
        check(&report.tree);
        self.0 = report.roots;
    }
}

#[test]
fn without_proofs_a_tree_search_goes_on_to_its_limit_even_where_the_game_is_won() {
    let won =
        |text: &&'static str| with_game!(GameSpec::parse(text).unwrap(), |game| PlainProvesNothing(text).visit(game));
    let won: u32 = SPECS.iter().map(won).sum();
    assert!(won >= 30, "only {won} won positions");
}

struct Behaves(&'static str);

impl Behaves {
    fn visit<G: Playable>(self, game: G) {
        let line = Line::new(Arc::new(game));
        let searches = || -> Vec<Box<dyn Search<G>>> {
            let new = || Minimax::new(Box::new(Noise), Ends::default(), 2);
            vec![
                Box::new(RandomMove::new(5)),
                Box::new(Greedy::new(Box::new(Noise), Ends::default(), Some(5))),
                Box::new(new().with_seed(5)),
                Box::new(new().with_pruning().with_deepening(true).with_best_first().with_seed(5).with_time_rule(0.5)),
                Box::new(Mcts::new(5).with_exploration(1.0).with_memory(200_000)),
                Box::new(new().with_pruning().with_deepening(false).with_order(Order::Best, 5).without_duplicates()),
                Box::new(new().with_pruning().with_deepening(false).with_order(Order::Random, 5)),
                Box::new(NarrowMcts::new(Mcts::new(5), Box::new(Noise), 3)),
            ]
        };
        for (number, mut search) in searches().into_iter().enumerate() {
            let context = format!("{} search {number}", self.0);
            // The same seed and node limit: the same move, value and count.
            let limit = Limit::nodes(3000);
            let one = search.think(&line, &limit, &mut Quiet);
            let two = searches()[number].think(&line, &limit, &mut Quiet);
            assert_eq!((one.mv, one.value, one.nodes), (two.mv, two.value, two.nodes), "{context}");
            assert!(one.nodes <= 3000, "{context}");
            line_is_legal(&line, &one, &context);
            // No nodes allowed, or stopped before the start: still a legal move.
            let stop = Stop::new();
            stop.stop();
            line_is_legal(&line, &search.think(&line, &Limit::default(), &mut stop.clone()), &context);
            for limit in [Limit::nodes(0), Limit::depth(0), Limit::time(Duration::ZERO)] {
                if limit.depth.is_none() || ![4, 7].contains(&number) {
                    line_is_legal(&line, &search.think(&line, &limit, &mut Quiet), &context);
                }
            }
            // Without a deadline this depth would never be reached.
            let limit = Limit { depth: Some(30), ..Limit::time(Duration::from_millis(30)) };
            line_is_legal(&line, &search.think(&line, &limit, &mut Quiet), &context);
        }
        let mut log = Log::default();
        let mut search: Minimax<G> =
            Minimax::new(Box::new(Noise), Ends::default(), 1).with_pruning().with_deepening(false);
        let choice = search.think(&line, &Limit { depth: Some(3), ..Limit::nodes(20_000) }, &mut log);
        assert!(choice.nodes == log.looks || choice.nodes == 20_000, "{}: {} {}", self.0, choice.nodes, log.looks);
        assert!(log.depths.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1) && log.cuts > 0);
    }
}

#[test]
fn searches_obey_their_limits_and_repeat() {
    for text in ["pathwayz", "pylos", "twixt(size=6)", "twixt(size=24)", "pentago"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| Behaves(text).visit(game));
    }
}

/// A known mate is found and no search is needed after it: the early stop of iterative deepening.
#[test]
fn deepening_stops_at_a_known_result() {
    let game = Arc::new(quintet_game::pentago::Pentago::standard());
    let pos = quintet_game::Notation::read_position(&*game, "xxxx../oooo../....../....../....../...... x").unwrap();
    let line = Line::from_position(game, pos);
    let new = || Minimax::new(Box::new(Noise), Ends::default(), 1).with_pruning();
    let early = new().with_deepening(true).think(&line, &Limit::depth(3), &mut Quiet);
    let late = new().with_deepening(false).think(&line, &Limit::depth(3), &mut Quiet);
    assert_eq!((early.depth, late.depth), (1, 3));
    assert_eq!((early.mv, early.proof()), (late.mv, Some(Proof::Win)));
    assert!(early.nodes * 10 < late.nodes);
}

/// Records the scores of all searched nodes.
struct Scores<G: Game>(Vec<(G::Pos, u32, f64)>);

impl<G: Game> Watch<G> for Scores<G> {
    fn scored(&mut self, pos: &G::Pos, depth: u32, value: f64) {
        self.0.push((pos.clone(), depth, value));
    }
}

struct ScoresAreTold(&'static str);

impl ScoresAreTold {
    /// One ply below the root, and at the root: the reported scores are those of brute force, in the order of the moves.
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(5);
        for _ in 0..10 {
            let line = late(game.clone(), &mut rng);
            let mut heard: Scores<G> = Scores(Vec::new());
            let choice = Minimax::new(Box::new(Noise), Ends::default(), 3).think(&line, &Limit::depth(3), &mut heard);
            let below = brute_roots(&line, &Noise, 3).into_iter().filter_map(|(mv, value)| {
                let mut next = line.position().clone();
                game.play(&mut next, mv);
                game.outcome(&next).is_none().then_some((next, 2, value))
            });
            let told: Vec<_> = heard.0.iter().filter(|score| score.1 == 2).cloned().collect();
            assert_eq!(told, below.collect::<Vec<_>>(), "{}", self.0);
            assert_eq!(heard.0.pop(), Some((line.position().clone(), 3, choice.value)), "{}", self.0);
            assert!(heard.0.iter().all(|score| (1..=2).contains(&score.1)), "{}", self.0);
            // A search that runs out of nodes reports nothing that it has not finished.
            let mut few: Scores<G> = Scores(Vec::new());
            let mut cut = Minimax::new(Box::new(Noise), Ends::default(), 3);
            cut.think(&line, &Limit { nodes: Some(choice.nodes / 2), ..Limit::depth(3) }, &mut few);
            assert_eq!(few.0, heard.0[..few.0.len()], "{}", self.0);
        }
    }
}

#[test]
fn scores_of_searched_nodes_are_told() {
    for text in specs_without_loops() {
        with_game!(GameSpec::parse(text).unwrap(), |game| ScoresAreTold(text).visit(game));
    }
}
