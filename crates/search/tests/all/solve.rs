//! Exact values against minimax by definition and the truth by exhaustive search.

use std::sync::Arc;

use quintet_eval::{Evaluate, Term};
use quintet_game::{
    Game, GameSpec, Limit, Line, Outcome, Playable, Player, Proof, Rng, SeedableRng, Stop, Value, with_game,
};
use quintet_search::{Ends, solve};

use crate::common::{SPECS, brute_roots, late, truth};

/// A constant evaluation, so that minimax sees only endings.
struct Nothing;

impl<G: Game> Evaluate<G> for Nothing {
    fn value(&self, _: &G, _: &G::Pos, _: Player) -> f64 {
        0.0
    }

    fn terms(&self, _: &G, _: &G::Pos, _: Player) -> Vec<Term> {
        Vec::new()
    }
}

/// What a value of minimax proves.
fn known(value: f64) -> Option<Value> {
    let plies = Some((Ends::default().utility - value.abs()) as u32);
    match value {
        0.0 => None,
        value if value > 0.0 => Some(Value { proof: Proof::Win, plies }),
        _ => Some(Value { proof: Proof::Loss, plies }),
    }
}

/// Counts of compared wins, losses and draws.
struct Compare(u32, &'static str);

impl Compare {
    fn visit<G: Playable>(self, game: G) -> [u32; 3] {
        let Compare(depth, name) = self;
        let (game, mut rng, mut seen) = (Arc::new(game), Rng::seed_from_u64(3), [0; 3]);
        for round in 0..30 {
            let line = late(game.clone(), &mut rng);
            let context = format!("{name}, round {round}: {}", game.write_position(line.position()));
            let solved = solve(&line, &Limit::depth(depth), &Stop::never());
            let found = |mv: G::Move| solved.moves.iter().find(|(known, _)| *known == mv).map(|(_, value)| *value);
            let roots = brute_roots(&line, &Nothing, depth);
            for (mv, value) in &roots {
                match (known(*value), found(*mv)) {
                    (None, Some(Value { proof: Proof::Draw, plies: None })) => {
                        seen[2] += u32::from(is_draw(&line, *mv, &context));
                    }
                    (wanted, value) => {
                        assert_eq!(value, wanted, "{context} {}", game.write_move(*mv));
                        seen[0] += u32::from(wanted.is_some_and(|value| value.proof == Proof::Win));
                        seen[1] += u32::from(wanted.is_some_and(|value| value.proof == Proof::Loss));
                    }
                }
            }
            let best = roots.iter().map(|(_, value)| *value).fold(f64::MIN, f64::max);
            match solved.whole {
                Some(Value { proof: Proof::Draw, .. }) => assert_eq!(best, 0.0, "{context}"),
                whole => assert_eq!(whole, known(best), "{context}"),
            }
        }
        seen
    }
}

/// A draw is checked by exhaustive search, where possible.
fn is_draw<G: Playable>(line: &Line<G>, mv: G::Move, context: &str) -> bool {
    let mut next = line.position().clone();
    line.game().play(&mut next, mv);
    let truth = truth(line.game(), &next, &mut 200_000).filter(|_| !G::REPEATS);
    assert!(truth.is_none_or(|truth| truth == Outcome::Draw), "{context}");
    truth.is_some()
}

#[test]
fn moves_are_worth_what_minimax_says_and_as_far_away() {
    let mut all = [0; 3];
    for name in SPECS {
        let depth = if name.starts_with("twixt") || name.starts_with("pathwayz") { 4 } else { 3 };
        let seen = with_game!(GameSpec::parse(name).unwrap(), |game| Compare(depth, name).visit(game));
        all = [0, 1, 2].map(|kind| all[kind] + seen[kind]);
    }
    assert!(all.iter().all(|count| *count > 100), "{all:?}");
}

/// With too small a limit, what is returned is still true, and wins are listed all or not at all.
struct Starved(&'static str);

impl Starved {
    fn visit<G: Playable>(self, game: G) {
        let (game, mut rng) = (Arc::new(game), Rng::seed_from_u64(4));
        for _ in 0..10 {
            let line = late(game.clone(), &mut rng);
            let full = solve(&line, &Limit { nodes: Some(3_000_000), ..Limit::depth(3) }, &Stop::never());
            for nodes in [0, 1, 10, 100, 1000] {
                let part = solve(&line, &Limit { nodes: Some(nodes), ..Limit::depth(3) }, &Stop::never());
                assert!(part.nodes <= nodes, "{}", self.0);
                assert!(part.moves.iter().all(|known| full.moves.contains(known)), "{}", self.0);
                if part.whole.is_some_and(|whole| whole.proof == Proof::Win) {
                    let quickest = |solved: &quintet_search::Solved<G::Move>| {
                        solved.moves.iter().filter(|(_, value)| Some(*value) == solved.whole).count()
                    };
                    assert_eq!((part.whole, quickest(&part)), (full.whole, quickest(&full)), "{}", self.0);
                }
            }
        }
    }
}

#[test]
fn a_small_budget_hides_things_and_invents_none() {
    for name in SPECS {
        with_game!(GameSpec::parse(name).unwrap(), |game| Starved(name).visit(game));
    }
}
