//! Flat Monte Carlo: random games after the most promising moves.

use quintet_eval::Evaluate;
use quintet_game::playout::{Playouts, move_by_move};
use quintet_game::{Game, Limit, Line, Outcome, Rng, SeedableRng};

use crate::ends::end;
use crate::order::{keep_best, shuffle};
use crate::{Choice, Clock, Ends, RootMove, Search, Watch};

/// The value of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// 1 for a win, else 0.
    Win,
    /// The evaluation of its last position, with the value of the result.
    Value,
}

/// Plays the same number of random games after each of the most promising moves; chooses the move whose games had the highest
/// values.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{Spec, evaluation};
/// use quintet_game::{Line, Notation, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{Ends, MonteCarlo, Quiet, Search, Worth};
/// let game = Arc::new(Pentago::standard());
/// let eval = evaluation(&*game, &Spec::parse("e3").unwrap()).unwrap();
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let mut search = MonteCarlo::new(eval, Ends::default(), 10, 50, Worth::Win, 1);
/// let choice = search.think(&Line::from_position(game.clone(), pos), &Limit::default(), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.value), ("e1", 1.0));
/// ```
pub struct MonteCarlo<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    ends: Ends,
    top: usize,
    games: u64,
    worth: Worth,
    rng: Rng,
    shuffled: bool,
}

impl<G: Game> MonteCarlo<G> {
    /// Plays `games` random games after each of the `top` moves; 0 for all moves.
    #[must_use]
    pub fn new(
        eval: Box<dyn Evaluate<G>>,
        ends: Ends,
        top: usize,
        games: u64,
        worth: Worth,
        seed: u64,
    ) -> MonteCarlo<G> {
        MonteCarlo { eval, ends, top, games: games.max(1), worth, rng: Rng::seed_from_u64(seed), shuffled: true }
    }

    /// Of equally promising moves, takes the first in the order of the rules instead of random ones.
    #[must_use]
    pub fn with_first_of_equals(mut self) -> MonteCarlo<G> {
        self.shuffled = false;
        self
    }

    /// The moves to try, each with the position after it.
    fn promising(&mut self, line: &Line<G>) -> Vec<(G::Move, G::Pos, f64)> {
        let game = line.game();
        let mut moves = Vec::new();
        game.moves(line.position(), &mut moves);
        if self.shuffled {
            shuffle(&mut moves, &mut self.rng);
        }
        let ranked = |mv: G::Move| {
            let mut next = line.position().clone();
            game.play(&mut next, mv);
            let end = end(line, &[], &next);
            let value = self.ends.value(&*self.eval, game, &next, line.to_move(), end, 1);
            (mv, next, value)
        };
        let mut ranked: Vec<(G::Move, G::Pos, f64)> = moves.into_iter().map(ranked).collect();
        keep_best(&mut ranked, if self.top == 0 { usize::MAX } else { self.top }, |(.., value)| *value);
        ranked
    }

    /// Plays one random game: its result and its value.
    fn play(&mut self, line: &Line<G>, mut pos: G::Pos) -> (Outcome, f64) {
        let game = line.game();
        let view = line.to_move();
        let over = |outcome: Option<Outcome>| outcome.unwrap_or(Outcome::Draw);
        match self.worth {
            Worth::Win => {
                let outcome = over(Playouts::new(game).run(pos, &mut self.rng).0);
                (outcome, if outcome == Outcome::Win(view) { 1.0 } else { 0.0 })
            }
            Worth::Value => {
                let outcome = over(move_by_move(game, &mut pos, &mut self.rng, &mut Vec::new()).0);
                (outcome, self.ends.value(&*self.eval, game, &pos, view, Some(outcome), 1))
            }
        }
    }
}

/// The results of the games after one move.
struct Tally<G: Game> {
    mv: G::Move,
    pos: G::Pos,
    games: u64,
    wins: u64,
    draws: u64,
    sum: f64,
}

impl<G: Game> Tally<G> {
    fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64
    }
}

impl<G: Game> Search<G> for MonteCarlo<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let mut clock = Clock::start(limit, watch.stop());
        let view = line.to_move();
        let promising = self.promising(line);
        let tally = |(mv, pos, _)| Tally { mv, pos, games: 0, wins: 0, draws: 0, sum: 0.0 };
        let mut tallies: Vec<Tally<G>> = promising.into_iter().map(tally).collect();
        let most = limit.visits.map_or(u64::MAX, |visits| visits.div_ceil(tallies.len() as u64));
        // Round by round, so that whenever time is up, the numbers of games differ by at most one.
        'rounds: for _ in 0..self.games.min(most) {
            for tally in &mut tallies {
                if !clock.tick() {
                    break 'rounds;
                }
                watch.looking_at(&tally.pos, 1);
                let (outcome, worth) = self.play(line, tally.pos.clone());
                tally.games += 1;
                tally.wins += u64::from(outcome == Outcome::Win(view));
                tally.draws += u64::from(outcome == Outcome::Draw);
                tally.sum += worth;
            }
        }
        let mut best = 0;
        for at in 1..tallies.len() {
            if tallies[at].mean() > tallies[best].mean() {
                best = at;
            }
        }
        let told =
            |tally: &Tally<G>| RootMove { visits: Some(tally.games), ..RootMove::valued(tally.mv, tally.mean()) };
        let roots: Vec<RootMove<G::Move>> = tallies.iter().map(told).collect();
        let best = &tallies[best];
        let (mv, value, nodes) = (best.mv, best.mean(), clock.nodes());
        let elapsed = clock.elapsed();
        let share = |count: u64| count as f64 / best.games.max(1) as f64;
        let chances = Some([share(best.wins), share(best.draws)]);
        let choice = Choice { chances, nodes, depth: 1, elapsed, ..Choice::plain(mv, value) };
        watch.depth_done(choice.report(roots));
        choice
    }
}
