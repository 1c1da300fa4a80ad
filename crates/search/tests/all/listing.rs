//! Searches that leave moves out: equal positions, unpromising moves, holes that a sieve removes.

use std::collections::HashSet;
use std::sync::Arc;

use quintet_eval::{Evaluate, Sieve};
use quintet_game::bits::mix;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Playable, Player, Rng, SeedableRng, with_game};
use quintet_search::{Ends, Mcts, Minimax, NarrowMcts, Quiet, Report, Search, Watch};

use crate::common::{Noise, SPECS, late, line_is_legal};

/// The positions after all moves, in the order of the rules.
fn after<G: Game>(game: &G, pos: &G::Pos) -> Vec<(G::Move, G::Pos)> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let play = |mv: G::Move| {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        (mv, next)
    };
    moves.into_iter().map(play).collect()
}

/// The nodes of two plies, each position once below its parent, where no position repeats.
fn distinct_nodes<G: Game>(game: &G, pos: &G::Pos) -> u64 {
    let children: HashSet<G::Pos> = after(game, pos).into_iter().map(|(_, next)| next).collect();
    let replies = |child: &G::Pos| after(game, child).into_iter().map(|(_, next)| next).collect::<HashSet<_>>().len();
    children.len() as u64 + children.iter().map(|child| replies(child) as u64).sum::<u64>()
}

struct CountsOnce(&'static str);

impl CountsOnce {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(4);
        for line in [Line::new(game.clone()), late(game.clone(), &mut rng), late(game.clone(), &mut rng)] {
            if G::REPEATS && line.plies() > 0 {
                continue;
            }
            let mut search: Minimax<G> = Minimax::new(Box::new(Noise), Ends::default(), 2).without_duplicates();
            let choice = search.think(&line, &Limit::depth(2), &mut Quiet);
            assert_eq!(choice.nodes, distinct_nodes(&*game, line.position()), "{}", self.0);
        }
    }
}

#[test]
fn equal_positions_are_looked_at_once() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| CountsOnce(text).visit(game));
    }
    let nodes = |search: Minimax<_>| {
        let line = Line::new(Arc::new(quintet_game::pentago::Pentago::twist()));
        { search }.think(&line, &Limit::depth(1), &mut Quiet).nodes
    };
    let new = || Minimax::new(Box::new(Noise), Ends::default(), 1);
    assert_eq!([nodes(new()), nodes(new().without_duplicates())], [288, 36]);
}

/// Keeps two of three moves, by the position and the move's index.
struct Holes;

impl<G: Game> Sieve<G> for Holes {
    fn keep(&self, game: &G, pos: &G::Pos, moves: &mut Vec<G::Move>) {
        let key = game.key(pos);
        let mut at = 0;
        let first = moves[0];
        moves.retain(|_| {
            at += 1;
            !mix(key ^ at).is_multiple_of(3)
        });
        if moves.is_empty() {
            moves.push(first);
        }
    }
}

/// Minimax by definition over the moves that a sieve keeps.
fn sieved<G: Game>(line: &Line<G>, path: &mut Vec<G::Pos>, pos: &G::Pos, depth: u32, ply: u32) -> f64 {
    let (game, view) = (line.game(), line.to_move());
    let again = G::REPEATS && (path.contains(pos) || line.occurrences(pos) >= 2);
    match game.outcome(pos).or(again.then_some(Outcome::Draw)) {
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::Win(player)) => {
            let worth = Ends::default().utility - f64::from(ply);
            return if player == view { worth } else { -worth };
        }
        None if depth == 0 => return Noise.value(game, pos, view),
        None => {}
    }
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    Holes.keep(game, pos, &mut moves);
    path.push(pos.clone());
    let mut values = Vec::new();
    for mv in moves {
        let mut next = pos.clone();
        game.play(&mut next, mv);
        values.push(sieved(line, path, &next, depth - 1, ply + 1));
    }
    path.pop();
    let best = if game.to_move(pos) == view { f64::max } else { f64::min };
    values.into_iter().reduce(best).unwrap()
}

struct Sieves(&'static str);

impl Sieves {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(8);
        for round in 0..15 {
            let line = late(game.clone(), &mut rng);
            let depth = if line.count_moves() <= 40 { 3 } else { 2 };
            let wanted = sieved(&line, &mut Vec::new(), line.position(), depth, 0);
            let mut search: Minimax<G> =
                Minimax::new(Box::new(Noise), Ends::default(), 2).with_pruning().with_sieve(Box::new(Holes));
            let choice = search.think(&line, &Limit::depth(depth), &mut Quiet);
            let context = format!("{} {round}", self.0);
            assert_eq!((choice.value, choice.proof()), (wanted, None), "{context}");
            line_is_legal(&line, &choice, &context);
        }
    }
}

#[test]
fn searches_with_a_sieve_equal_brute_force_over_what_it_keeps() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| Sieves(text).visit(game));
    }
}

/// The root's moves in the last report.
struct Roots<G: Game>(Vec<G::Move>);

impl<G: Game> Watch<G> for Roots<G> {
    fn depth_done(&mut self, report: Report<G::Move>) {
        self.0 = report.roots.iter().map(|root| root.mv).collect();
    }
}

/// The ranking value of a move: a million for a win, the evaluation while the game goes on.
fn promise<G: Game>(game: &G, pos: &G::Pos, mover: Player) -> f64 {
    match game.outcome(pos) {
        Some(Outcome::Draw) => 0.0,
        Some(Outcome::Win(player)) => (if player == mover { 1.0 } else { -1.0 }) * (1e6 - 1.0),
        None => Noise.value(game, pos, mover),
    }
}

struct Narrows(&'static str);

impl Narrows {
    fn visit<G: Playable>(self, game: G) {
        let game = Arc::new(game);
        let mut rng = Rng::seed_from_u64(6);
        for round in 0..10 {
            let line = late(game.clone(), &mut rng);
            let mover = line.to_move();
            let distinct: HashSet<G::Pos> = after(&*game, line.position()).into_iter().map(|(_, next)| next).collect();
            let mut promises: Vec<f64> = distinct.iter().map(|next| promise(&*game, next, mover)).collect();
            promises.sort_by(|a, b| b.total_cmp(a));
            let width = 3.min(promises.len());
            let mut roots: Roots<G> = Roots(Vec::new());
            let mut search: NarrowMcts<G> = NarrowMcts::new(Mcts::new(round), Box::new(Noise), 3);
            let choice = search.think(&line, &Limit::nodes(500), &mut roots);
            let context = format!("{} {round}", self.0);
            line_is_legal(&line, &choice, &context);
            let mut looked_at = HashSet::new();
            for mv in roots.0 {
                let mut next = line.position().clone();
                game.play(&mut next, mv);
                // Repetition is not an ending of the position, so games with it may rank otherwise.
                assert!(G::REPEATS || promise(&*game, &next, mover) >= promises[width - 1], "{context}");
                assert!(looked_at.insert(next), "{context}: a position twice");
            }
            assert!(looked_at.len() <= width, "{context}");
            // Where nothing is proven early, all kept moves are searched.
            assert!(choice.proof().is_some() || looked_at.len() == width, "{context}");
        }
    }
}

#[test]
fn narrow_trees_have_the_best_moves_only() {
    for text in SPECS {
        with_game!(GameSpec::parse(text).unwrap(), |game| Narrows(text).visit(game));
    }
}
