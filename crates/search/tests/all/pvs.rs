//! Principal variation search against brute force, on small positions of every game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Log, Noise, SPECS, brute_roots, late, line_is_legal, proof_holds, solved, specs_without_loops};
use quintet_eval::{Evaluate, Spec, Term, evaluation};
use quintet_game::pentago::Pentago;
use quintet_game::{Game, GameSpec, Limit, Line, Notation, Playable, Player, Proof, Rng, SeedableRng, Stop, with_game};
use quintet_search::{Pvs, Quiet, Search};

/// As [`Noise`], but one side's value is the negative of the other's.
struct Fair;

impl<G: Game> Evaluate<G> for Fair {
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        let value = Noise.value(game, pos, Player::First);
        if view == Player::First { value } else { -value }
    }

    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term> {
        vec![Term { name: "noise".into(), value: Evaluate::<G>::value(self, game, pos, view), weight: 1.0 }]
    }

    fn antisymmetric(&self) -> bool {
        true
    }
}

/// Every combination of switches under which the value is that of minimax.
fn family<G: Game>(fair: bool) -> Vec<(String, Pvs<G>)> {
    let mut family = Vec::new();
    for (threads, table) in [(1, 1 << 20), (1, 0), (2, 1 << 20)] {
        for seed in [None, Some(7)] {
            let eval: Box<dyn Evaluate<G>> = if fair { Box::new(Fair) } else { Box::new(Noise) };
            let search = Pvs::new(eval).exact().with_threads(threads).with_table(table);
            let search = if let Some(seed) = seed { search.with_seed(seed) } else { search };
            family.push((format!("threads {threads} table {table} seed {seed:?} fair {fair}"), search));
        }
    }
    family
}

struct EqualsBrute(&'static str);

impl EqualsBrute {
    fn check<G: Playable>(&self, line: &Line<G>, fair: bool, depth: u32, searches: &mut [(String, Pvs<G>)]) {
        let game = line.game();
        let eval: &dyn Evaluate<G> = if fair { &Fair } else { &Noise };
        let roots = brute_roots(line, eval, depth);
        let best = roots.iter().map(|root| root.1).reduce(f64::max).unwrap();
        for (name, search) in searches {
            let choice = search.think(line, &Limit::depth(depth), &mut Quiet);
            let context = format!("{} {name} depth {depth}: {}", self.0, game.write_position(line.position()));
            assert_eq!(choice.value, best, "{context}");
            let own = roots.iter().find(|root| root.0 == choice.mv).unwrap().1;
            assert_eq!(own, best, "{context}: {}", game.write_move(choice.mv));
            line_is_legal(line, &choice, &context);
        }
    }
}

impl EqualsBrute {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(3);
        for round in 0..16 {
            let fair = round % 2 == 0;
            let mut line = late(game.clone(), &mut rng);
            // The same searches go on with the game, so that their tables hold both sides' values from other plies.
            let mut searches = family(fair);
            for _ in 0..3 {
                let depth = match line.count_moves() {
                    0 => break,
                    1..=12 => 4,
                    13..=40 => 3,
                    _ => 2,
                };
                self.check(&line, fair, depth, &mut searches);
                line.play(game.random_move(line.position(), &mut rng));
            }
        }
    }
}

#[test]
fn exact_search_equals_brute_force() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| EqualsBrute(text).visit(game));
    }
}

/// Early positions of Pentago-Twist: many moves lead to equal positions, and depth 3 meets many transpositions.
#[test]
fn equal_positions_are_searched_once() {
    let game = Arc::new(Pentago::twist());
    let mut line = Line::new(game.clone());
    let first = Pvs::new(Box::new(Noise)).exact().think(&line, &Limit::depth(1), &mut Quiet);
    assert_eq!(first.nodes, 36);
    let mut rng = Rng::seed_from_u64(5);
    for _ in 0..30 {
        line.play(game.random_move(line.position(), &mut rng));
    }
    if line.outcome().is_none() {
        EqualsBrute("twist, 30 marbles").check(&line, true, 3, &mut family(true));
    }
}

/// Long enough for the helper threads to take part.
#[test]
fn threads_agree_on_the_exact_value() {
    let game = Arc::new(Pentago::twist());
    let mut rng = Rng::seed_from_u64(8);
    for plies in [3, 5, 8] {
        let mut line = Line::new(game.clone());
        for _ in 0..plies {
            line.play(game.random_move(line.position(), &mut rng));
        }
        let search = |threads| {
            let eval = evaluation(&*game, &Spec::parse("e3").unwrap()).unwrap();
            Pvs::new(eval).exact().with_threads(threads).think(&line, &Limit::depth(4), &mut Quiet)
        };
        let [one, two, three] = [1, 2, 3].map(search);
        assert_eq!([two.value, three.value], [one.value; 2], "{plies}");
        assert!(one.nodes > 40_000, "{plies}: {}", one.nodes);
        line_is_legal(&line, &three, "three threads");
    }
}

struct ProofsAreTrue(&'static str);

impl ProofsAreTrue {
    fn visit<G: Playable>(self, game: G) -> u32 {
        let mut proofs = 0;
        for (round, (line, outcome)) in solved(&Arc::new(game), 60).into_iter().enumerate() {
            let mut search: Pvs<G> = Pvs::new(Box::new(Noise)).with_seed(round as u64).with_table(1 << 20);
            search = match round % 3 {
                0 => search.exact(),
                1 => search.with_reductions(),
                _ => search,
            };
            let choice = search.think(&line, &Limit::nodes(30_000), &mut Quiet);
            proofs += u32::from(proof_holds(&line, outcome, &choice, self.0));
        }
        proofs
    }
}

#[test]
fn proofs_are_true() {
    for text in specs_without_loops() {
        let proofs = with_game!(GameSpec::parse(text).unwrap(), |game| ProofsAreTrue(text).visit(game));
        println!("{text}: {proofs} proofs");
        assert!(proofs >= 10, "{text}: {proofs}");
    }
}

struct Behaves(&'static str);

impl Behaves {
    fn visit<G: Playable>(self, game: G) {
        let line = Line::new(Arc::new(game));
        let new = || Pvs::new(Box::new(Noise)).with_seed(5).with_table(1 << 20);
        for (number, make) in [|pvs: Pvs<G>| pvs, Pvs::exact, Pvs::with_reductions, |pvs: Pvs<G>| pvs.with_threads(2)]
            .into_iter()
            .enumerate()
        {
            let context = format!("{} search {number}", self.0);
            let mut search = make(new());
            for nodes in [1, 100, 3000, 30_000] {
                let one = search.think(&line, &Limit::nodes(nodes), &mut Quiet);
                assert!(one.nodes <= nodes, "{context}: {} of {nodes}", one.nodes);
                line_is_legal(&line, &one, &context);
            }
            // The same seed and node limit: the same move, value and count, with one thread.
            if number < 3 {
                let mut choices = [(); 2].map(|()| make(new()).think(&line, &Limit::nodes(3000), &mut Quiet));
                let [one, two] = choices.each_mut();
                assert_eq!((one.mv, one.value, one.nodes), (two.mv, two.value, two.nodes), "{context}");
                assert_eq!((one.depth, &one.line, one.proof()), (two.depth, &two.line, two.proof()), "{context}");
            }
            // No nodes allowed, or stopped before the start: still a legal move.
            let stop = Stop::new();
            stop.stop();
            line_is_legal(&line, &search.think(&line, &Limit::default(), &mut stop.clone()), &context);
            for limit in [Limit::nodes(0), Limit::depth(0), Limit::time(Duration::ZERO)] {
                line_is_legal(&line, &search.think(&line, &limit, &mut Quiet), &context);
            }
            // Without a deadline this depth would never be reached.
            let start = Instant::now();
            let limit = Limit { depth: Some(30), ..Limit::time(Duration::from_millis(30)) };
            line_is_legal(&line, &search.think(&line, &limit, &mut Quiet), &context);
            println!("{context}: 30 ms were {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        }
        let mut log = Log::default();
        let choice = new().think(&line, &Limit { depth: Some(3), ..Limit::nodes(20_000) }, &mut log);
        assert!(log.looks == choice.nodes && log.cuts > 0, "{}: {} {}", self.0, choice.nodes, log.looks);
        assert!(log.depths.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0 && pair[0].1 < pair[1].1), "{}", self.0);
        assert_eq!(log.depths.last().map(|depth| depth.0), Some(choice.depth), "{}", self.0);
    }
}

#[test]
fn limits_are_obeyed_and_one_thread_repeats() {
    for text in ["pathwayz", "pylos", "twixt(size=6)", "twixt(size=24)", "pentago"] {
        with_game!(GameSpec::parse(text).unwrap(), |game| Behaves(text).visit(game));
    }
}

/// A known mate is found and proven, and no search is needed after it.
#[test]
fn deepening_stops_at_a_known_result() {
    let game = Arc::new(Pentago::standard());
    let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
    let line = Line::from_position(game.clone(), pos);
    let choice = Pvs::new(Box::new(Noise)).think(&line, &Limit::depth(5), &mut Quiet);
    assert_eq!((game.write_move(choice.mv).as_str(), choice.depth, choice.proof()), ("e1", 1, Some(Proof::Win)));
}
