//! Guides: what a tree search asks about the positions at its leaves.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use quintet_game::bits::mix;
use quintet_game::playout::Playouts;
use quintet_game::{Game, Outcome, Rng, SeedableRng};

use crate::Evaluate;

/// Says how likely the side to move is to win a position, and which moves look best. Positions come in batches, because a net
/// handles many as fast as one.
pub trait Guide<G: Game>: Send + Sync {
    /// Evaluates every leaf of the batch: [`Leaf::chances`] always, [`Leaf::priors`] where moves are listed. Each sums to 1.
    fn guide(&self, game: &G, batch: &mut Batch<G>);

    /// Do priors come with the chances at no cost, as from a net? If not, a search asks for them only at a position's second visit.
    fn gives_priors_at_once(&self) -> bool {
        true
    }

    /// How much priors weigh against values by default: the c of PUCT. It depends on how far apart the chances of good and bad
    /// moves are.
    fn exploration(&self) -> f64 {
        1.5
    }
}

/// Positions to evaluate, and the results. The buffers are kept from batch to batch.
///
/// ```
/// use quintet_eval::{Batch, Guide, PlayoutGuide};
/// use quintet_game::{Game, pentago::Pentago};
/// let game = Pentago::standard();
/// let mut batch = Batch::default();
/// batch.push(&game, game.start(), true);
/// PlayoutGuide::new(100, 1).guide(&game, &mut batch);
/// let leaf = batch.leaves().next().unwrap();
/// assert_eq!((leaf.moves.len(), leaf.priors.len()), (288, 288));
/// let [win, draw, loss] = *leaf.chances;
/// assert!((win + draw + loss - 1.0).abs() < 1e-5);
/// ```
pub struct Batch<G: Game> {
    positions: Vec<G::Pos>,
    /// The moves of all leaves, one leaf after the other, and where those of each leaf end.
    moves: Vec<G::Move>,
    ends: Vec<usize>,
    priors: Vec<f32>,
    chances: Vec<[f32; 3]>,
}

/// One position of a batch.
pub struct Leaf<'a, G: Game> {
    /// The position; its game is not over.
    pub pos: &'a G::Pos,
    /// Its legal moves; empty if no priors are requested.
    pub moves: &'a [G::Move],
    /// For each of the moves, how much of the search's attention it deserves.
    pub priors: &'a mut [f32],
    /// Probabilities of win, draw and loss, for the side to move.
    pub chances: &'a mut [f32; 3],
}

// Written by hand because the rules need not be `Default` or `Debug`.
impl<G: Game> Default for Batch<G> {
    fn default() -> Batch<G> {
        Batch { positions: Vec::new(), moves: Vec::new(), ends: Vec::new(), priors: Vec::new(), chances: Vec::new() }
    }
}

impl<G: Game> fmt::Debug for Batch<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Batch").field("positions", &self.positions).finish_non_exhaustive()
    }
}

impl<G: Game> Batch<G> {
    /// Forgets all leaves.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.moves.clear();
        self.ends.clear();
        self.priors.clear();
        self.chances.clear();
    }

    /// Adds a position whose game goes on. Its moves are listed if priors are requested.
    pub fn push(&mut self, game: &G, pos: G::Pos, wants_priors: bool) {
        if wants_priors {
            game.moves(&pos, &mut self.moves);
        }
        self.positions.push(pos);
        self.ends.push(self.moves.len());
        self.priors.resize(self.moves.len(), 0.0);
        self.chances.push([0.0; 3]);
    }

    /// How many leaves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The positions, for a net that evaluates them all at once.
    #[must_use]
    pub fn positions(&self) -> &[G::Pos] {
        &self.positions
    }

    /// Every leaf in turn.
    pub fn leaves(&mut self) -> impl Iterator<Item = Leaf<'_, G>> {
        let (mut moves, mut priors) = (&self.moves[..], &mut self.priors[..]);
        let mut start = 0;
        let leaves = self.positions.iter().zip(&self.ends).zip(&mut self.chances);
        leaves.map(move |((pos, &end), chances)| {
            let (own_moves, rest) = moves.split_at(end - start);
            let (own_priors, other_priors) = std::mem::take(&mut priors).split_at_mut(end - start);
            (moves, priors, start) = (rest, other_priors, end);
            Leaf { pos, moves: own_moves, priors: own_priors, chances }
        })
    }
}

/// Random games: all moves have the same prior, and the chances are the shares of wins and draws among the games.
#[derive(Debug)]
pub struct PlayoutGuide {
    games: u32,
    seed: u64,
    /// Batches so far: each draws from its own random stream.
    batches: AtomicU64,
}

impl PlayoutGuide {
    /// A guide that plays this many random games per leaf.
    #[must_use]
    pub fn new(games: u32, seed: u64) -> PlayoutGuide {
        PlayoutGuide { games: games.max(1), seed: mix(seed), batches: AtomicU64::new(0) }
    }
}

impl<G: Game> Guide<G> for PlayoutGuide {
    fn guide(&self, game: &G, batch: &mut Batch<G>) {
        let number = self.batches.fetch_add(1, Ordering::Relaxed);
        let mut rng = Rng::seed_from_u64(self.seed.wrapping_add(number));
        let mut playouts = Playouts::new(game);
        let share = 1.0 / self.games as f32;
        for leaf in batch.leaves() {
            let mover = game.to_move(leaf.pos);
            *leaf.chances = [0.0; 3];
            for _ in 0..self.games {
                let result = match playouts.run(leaf.pos.clone(), &mut rng).0 {
                    Some(Outcome::Win(player)) if player == mover => 0,
                    Some(Outcome::Win(_)) => 2,
                    Some(Outcome::Draw) | None => 1,
                };
                leaf.chances[result] += share;
            }
            uniform(leaf.priors);
        }
    }

    fn gives_priors_at_once(&self) -> bool {
        false
    }
}

/// An evaluation as a guide: moves are rated by the positions after them, and a lead is turned into a chance to win. Where the
/// moves are rated, half of what the best one gains is added to the lead, and an immediate win is seen.
///
/// Evaluations have very different scales. Both constants are therefore in units of the evaluation's own spread: how much the
/// values of a position's moves typically differ, measured on random positions of the game.
///
/// ```
/// use quintet_eval::{Batch, Spec, EvalGuide, Guide, evaluation};
/// use quintet_game::{Game, Notation, pentago::Pentago};
/// let game = Pentago::standard();
/// let eval = evaluation(&game, &Spec::parse("e3").unwrap()).unwrap();
/// let mut batch = Batch::default();
/// batch.push(&game, game.read_position("xxxx../oooo../....../....../....../...... x").unwrap(), true);
/// EvalGuide::new(eval, &game).guide(&game, &mut batch);
/// assert_eq!(*batch.leaves().next().unwrap().chances, [1.0, 0.0, 0.0]); // a win at once is seen
/// ```
pub struct EvalGuide<G: Game> {
    eval: Box<dyn Evaluate<G>>,
    spread: f64,
    temperature: f64,
    scale: f64,
}

impl<G: Game> EvalGuide<G> {
    /// By how many spreads a move must be better to get e times the attention, by default.
    pub const TEMPERATURE: f64 = 2.0;
    /// How many spreads a lead of tanh 1 takes, by default.
    pub const SCALE: f64 = 4.0;

    /// A guide by `eval`, whose spread is measured on random games.
    #[must_use]
    pub fn new(eval: Box<dyn Evaluate<G>>, game: &G) -> EvalGuide<G> {
        let spread = spread(&*eval, game);
        EvalGuide { eval, spread, temperature: Self::TEMPERATURE, scale: Self::SCALE }
    }

    /// Sets the temperature of the priors, in spreads: the higher, the more equal the moves.
    #[must_use]
    pub fn with_temperature(mut self, spreads: f64) -> EvalGuide<G> {
        self.temperature = spreads;
        self
    }

    /// Sets the scale of the chances, in spreads: the higher, the less a lead counts.
    #[must_use]
    pub fn with_scale(mut self, spreads: f64) -> EvalGuide<G> {
        self.scale = spreads;
        self
    }

    /// The lead of the side to move: half the difference of the two sides' values, because an evaluation may weigh the sides
    /// unequally, and one side's lead must be the other side's deficit.
    fn lead(&self, game: &G, pos: &G::Pos) -> f64 {
        let mover = game.to_move(pos);
        let mine = self.eval.value(game, pos, mover);
        if self.eval.antisymmetric() { mine } else { (mine - self.eval.value(game, pos, mover.other())) / 2.0 }
    }

    /// What a side with this lead may expect, from 0 for a loss to 1 for a win.
    #[must_use]
    pub fn expectation(&self, lead: f64) -> f64 {
        0.5 + 0.5 * (lead / (self.scale * self.spread)).tanh()
    }

    fn chances(&self, lead: f64) -> [f32; 3] {
        let win = self.expectation(lead) as f32;
        [win, 0.0, 1.0 - win]
    }

    /// Replaces the priors by what each move gains for the mover: infinite if it wins at once. Returns the largest gain.
    fn gains(&self, game: &G, leaf: &mut Leaf<G>) -> f32 {
        let mover = game.to_move(leaf.pos);
        let before = self.eval.value(game, leaf.pos, mover);
        let mut best = f32::NEG_INFINITY;
        for (mv, gain) in leaf.moves.iter().zip(leaf.priors.iter_mut()) {
            let mut next = leaf.pos.clone();
            game.play(&mut next, *mv);
            *gain = match game.outcome(&next) {
                None => (self.eval.value(game, &next, mover) - before) as f32,
                Some(Outcome::Draw) => 0.0,
                Some(Outcome::Win(player)) if player == mover => f32::INFINITY,
                Some(Outcome::Win(_)) => f32::NEG_INFINITY,
            };
            best = best.max(*gain);
        }
        best
    }
}

impl<G: Game> Guide<G> for EvalGuide<G> {
    fn guide(&self, game: &G, batch: &mut Batch<G>) {
        for mut leaf in batch.leaves() {
            let lead = self.lead(game, leaf.pos);
            *leaf.chances = self.chances(lead);
            if leaf.moves.is_empty() {
                continue;
            }
            let best = self.gains(game, &mut leaf);
            if best.is_finite() {
                // The opponent has just moved: adding half of the best answer makes up for it.
                *leaf.chances = self.chances(lead + f64::from(best) / 2.0);
                let temperature = (self.temperature * self.spread) as f32;
                leaf.priors.iter_mut().for_each(|gain| *gain = ((*gain - best) / temperature).exp());
            } else {
                // Every move loses at once, or some win.
                *leaf.chances = if best > 0.0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
                leaf.priors.iter_mut().for_each(|gain| *gain = f32::from(*gain == best));
            }
            let sum: f32 = leaf.priors.iter().sum();
            leaf.priors.iter_mut().for_each(|prior| *prior /= sum);
        }
    }

    fn gives_priors_at_once(&self) -> bool {
        false
    }

    fn exploration(&self) -> f64 {
        0.75
    }
}

#[inline]
fn uniform(priors: &mut [f32]) {
    let share = 1.0 / priors.len() as f32;
    priors.fill(share);
}

/// How many random positions are sampled, and how many moves of each.
const SAMPLES: u64 = 48;
const MOVES: usize = 12;

/// How much the values of a position's moves typically differ: the median of their standard deviation over random positions.
/// Positions whose moves are all equal are ignored; if there are no others, the result is 1.
fn spread<G: Game>(eval: &dyn Evaluate<G>, game: &G) -> f64 {
    let mut positions = Vec::new();
    let mut spreads: Vec<f64> = (0..SAMPLES)
        .filter_map(|sample| {
            let mut rng = Rng::seed_from_u64(sample);
            positions.clear();
            let mut pos = game.start();
            while game.outcome(&pos).is_none() && positions.len() < quintet_game::playout::MOST_PLIES {
                let mv = game.random_move(&pos, &mut rng);
                positions.push(pos.clone());
                game.play(&mut pos, mv);
            }
            // Spread evenly over the course of a game.
            let pos = &positions[(positions.len() as u64 * sample / SAMPLES) as usize];
            let value = |_| {
                let mut next = pos.clone();
                game.play(&mut next, game.random_move(pos, &mut rng));
                game.outcome(&next).is_none().then(|| eval.value(game, &next, game.to_move(pos)))
            };
            deviation(&(0..MOVES).filter_map(value).collect::<Vec<f64>>()).filter(|spread| *spread > 0.0)
        })
        .collect();
    spreads.sort_unstable_by(f64::total_cmp);
    spreads.get(spreads.len() / 2).copied().unwrap_or(1.0)
}

/// The standard deviation of two or more values.
#[inline]
fn deviation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / count).sqrt())
}
