//! Weakened players: any search, but now and then another move; and what even they do not overlook.

use quintet_eval::{Batch, Guide};
use quintet_game::bits::mix;
use quintet_game::{Game, Limit, Line, Outcome, Rng, SeedableRng, Value};
use rand_core::Rng as _;

use crate::{Choice, RandomMove, Search, Watch};

/// Chooses as another search does, but with some probability otherwise: uniformly among all legal moves, or among those that look
/// good to a guide. Levels of play need it: a small budget alone gives weak players who still never overlook a win in one.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, pentago::Pentago};
/// use quintet_game::Limit;
/// use quintet_search::{Mcts, Quiet, Search, Slips};
/// let line = Line::new(Arc::new(Pentago::standard()));
/// let mut search = Slips::<Pentago>::new(Box::new(Mcts::new(1)), 1.0, 1);
/// assert_eq!(search.think(&line, &Limit::nodes(100), &mut Quiet).nodes, 0); // it always slips, and does not think
/// ```
pub struct Slips<G: Game> {
    search: Box<dyn Search<G>>,
    rate: f64,
    chance: Rng,
    slip: Box<dyn Search<G>>,
}

/// Separates the random numbers of slips from those of the search, which has the same seed.
const APART: u64 = 0x51_1b5;

impl<G: Game> Slips<G> {
    /// `rate` is the probability of a random move, from 0 to 1.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>, rate: f64, seed: u64) -> Slips<G> {
        let chance = Rng::seed_from_u64(mix(seed ^ APART));
        Slips { search, rate, chance, slip: Box::new(RandomMove::new(mix(mix(seed ^ APART)))) }
    }

    /// Slips as `slip` chooses, instead of uniformly.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use quintet_eval::PlayoutGuide;
    /// use quintet_game::{Limit, Line, pentago::Pentago};
    /// use quintet_search::{Mcts, PolicyMove, Quiet, Search, Slips};
    /// let line = Line::new(Arc::new(Pentago::standard()));
    /// let plausible = PolicyMove::new(Box::new(PlayoutGuide::new(1, 1)), 1.5, 1);
    /// let mut search = Slips::<Pentago>::new(Box::new(Mcts::new(1)), 0.5, 1).with_slip(Box::new(plausible));
    /// search.think(&line, &Limit::nodes(100), &mut Quiet);
    /// ```
    #[must_use]
    pub fn with_slip(self, slip: Box<dyn Search<G>>) -> Slips<G> {
        Slips { slip, ..self }
    }
}

impl<G: Game> Search<G> for Slips<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        if unit(&mut self.chance) < self.rate {
            self.slip.think(line, limit, watch)
        } else {
            self.search.think(line, limit, watch)
        }
    }

    crate::forward_to!(search);
}

/// A number from 0 to 1, with the 53 bits that a double has there.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A move drawn from a guide's priors at a temperature: each with the probability that its prior to the power of 1 / temperature has
/// among all. At 1 it follows the priors, near 0 it takes the best, and the higher it is, the closer it comes to a uniform choice.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::{EvalGuide, Spec, evaluation};
/// use quintet_game::{Game, Limit, Line, Notation, pentago::Pentago};
/// use quintet_search::{PolicyMove, Quiet, Search};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let guide = EvalGuide::new(evaluation(&*game, &Spec::parse("e3").unwrap()).unwrap(), &*game);
/// // Only the moves that win at once have a prior above 0.
/// let choice = PolicyMove::new(Box::new(guide), 2.0, 1).think(&Line::from_position(game.clone(), pos), &Limit::default(), &mut Quiet);
/// assert_eq!(game.write_move(choice.mv), "e1");
/// ```
pub struct PolicyMove<G: Game> {
    guide: Box<dyn Guide<G>>,
    temperature: f64,
    rng: Rng,
    batch: Batch<G>,
}

impl<G: Game> PolicyMove<G> {
    /// Moves of `guide` at a temperature above 0, by seed.
    #[must_use]
    pub fn new(guide: Box<dyn Guide<G>>, temperature: f64, seed: u64) -> PolicyMove<G> {
        PolicyMove { guide, temperature, rng: Rng::seed_from_u64(mix(seed ^ APART)), batch: Batch::default() }
    }
}

impl<G: Game> Search<G> for PolicyMove<G> {
    fn think(&mut self, line: &Line<G>, _limit: &Limit, _watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let game = line.game();
        self.batch.clear();
        self.batch.push(game, line.position().clone(), true);
        self.guide.guide(game, &mut self.batch);
        let drawn = unit(&mut self.rng);
        let chosen = self.batch.leaves().next().and_then(|leaf| {
            let best = leaf.priors.iter().copied().fold(0.0, f32::max);
            // Relative to the best, so that low temperatures do not round all of them to 0.
            let weight = |prior: f32| f64::from(prior / best).powf(1.0 / self.temperature);
            let mut left = drawn * leaf.priors.iter().map(|prior| weight(*prior)).sum::<f64>();
            let passed = leaf.priors.iter().position(|prior| {
                left -= weight(*prior);
                left < 0.0
            });
            passed.map(|number| leaf.moves[number])
        });
        // Rounding may pass over all of them, and a guide may give every move 0.
        Choice::plain(chosen.unwrap_or_else(|| game.random_move(line.position(), &mut self.rng)), 0.0)
    }
}

/// Plays a win in one where there is one, and leaves all else to another search.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Limit, Line, Notation, pentago::Pentago};
/// use quintet_search::{Quiet, RandomMove, Search, SeesWins};
/// let game = Arc::new(Pentago::standard());
/// let pos = game.read_position("xxxx../oooo../....../....../....../...... x").unwrap();
/// let mut search = SeesWins::<Pentago>::new(Box::new(RandomMove::new(1)));
/// let choice = search.think(&Line::from_position(game.clone(), pos), &Limit::default(), &mut Quiet);
/// assert_eq!((game.write_move(choice.mv).as_str(), choice.plies()), ("e1", Some(1)));
/// ```
pub struct SeesWins<G: Game> {
    search: Box<dyn Search<G>>,
    moves: Vec<G::Move>,
}

impl<G: Game> SeesWins<G> {
    /// `search`, which will miss no win in one.
    #[must_use]
    pub fn new(search: Box<dyn Search<G>>) -> SeesWins<G> {
        SeesWins { search, moves: Vec::new() }
    }
}

impl<G: Game> Search<G> for SeesWins<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        let (game, pos) = (line.game(), line.position());
        let won = Some(Outcome::Win(game.to_move(pos)));
        self.moves.clear();
        game.moves(pos, &mut self.moves);
        let wins = self.moves.iter().find(|mv| {
            let mut after = pos.clone();
            game.play(&mut after, **mv);
            game.outcome(&after) == won
        });
        match wins {
            Some(mv) => Choice { known: Some(Value::win_in(1)), ..Choice::plain(*mv, 1.0) },
            None => self.search.think(line, limit, watch),
        }
    }

    crate::forward_to!(search);
}
