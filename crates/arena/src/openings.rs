//! Random openings, distinct up to the symmetries of the board, and near even on request.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use quintet_agent::Catalogue;
use quintet_eval::net::NetChoice;
use quintet_eval::{Batch, Evaluated, Guide, Spec, SpecError};
use quintet_game::bits::mix;
use quintet_game::{Game, GameSpec, GameSpecError, Line, Rng, SeedableRng, canonical, with_game};

use crate::plan::Plan;

/// The openings of a run, generated in order: the n-th is the same however many are asked for, on every machine.
///
/// ```
/// use quintet_arena::Openings;
/// use quintet_game::GameSpec;
/// let openings = Openings::new(GameSpec::parse("pylos").unwrap(), 1, 7);
/// let firsts: Vec<_> = (0..4).map(|n| openings.get(n)).collect();
/// // Three cells of the board differ up to symmetry; after that openings come again.
/// assert_eq!(firsts[3], firsts[0]);
/// ```
pub struct Openings {
    found: Mutex<OpeningList>,
}

struct OpeningList {
    spec: GameSpec,
    plies: u32,
    seed: u64,
    /// The net that must hold them for near even, if one must.
    judge: Option<NetChoice>,
    /// The number of the next attempt.
    attempt: u64,
    openings: Vec<Vec<String>>,
    /// Every position that an attempt has led to.
    seen: HashSet<String>,
    /// There are no more.
    exhausted: bool,
}

/// After this many attempts in a row without a new opening, there are no more.
const PATIENCE: u64 = 1000;

/// What the side to move may expect of an opening that is near even, draws counted half.
const EVEN: RangeInclusive<f64> = 0.35..=0.65;

/// Why a plan has no openings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OpeningsError {
    /// Its game cannot be read.
    #[error(transparent)]
    Game(#[from] GameSpecError),
    /// No net says what is even.
    #[error("even openings are those that the game's net holds for near even, and {spec} has no net here: {why}")]
    NoNet {
        /// The game.
        spec: String,
        /// Why not.
        why: String,
    },
    /// None is near even.
    #[error(
        "no opening of {plies} random plies of {spec} is near even by the game's net, in {PATIENCE} attempts in a row: \
         take another number of plies, or openings that need not be even."
    )]
    NoneIsEven {
        /// The game.
        spec: String,
        /// Of how many plies.
        plies: u32,
    },
}

impl Openings {
    /// Openings of `plies` random plies.
    #[must_use]
    pub fn new(spec: GameSpec, plies: u32, seed: u64) -> Openings {
        Openings::judged(spec, plies, seed, None)
    }

    /// The openings of a plan. If they are to be even, the side to move expects 35 to 65 % of each by the game's net in the catalogue, draws counted half;
    /// no plies at all are an opening that nobody judges.
    ///
    /// ```
    /// use quintet_agent::Catalogue;
    /// use quintet_arena::{Length, Openings, Plan};
    /// let plan = Plan::duel("twixt(size=12)", ["twixt:greedy", "mcts"], Length::Games(2)).unwrap();
    /// let plan = Plan { opening_plies: 2, even: true, ..plan };
    /// assert_eq!(Openings::of(&plan, Catalogue::embedded()).unwrap().get(0).len(), 2);
    /// ```
    ///
    /// # Errors
    /// When they are to be even, and there is no net, or no such opening is found.
    pub fn of(plan: &Plan, agents: &Catalogue) -> Result<Openings, OpeningsError> {
        let spec = GameSpec::parse(&plan.game)?;
        let plies = plan.opening_plies;
        let judge = (plan.even && plies > 0).then(|| judge(&spec, agents)).transpose()?;
        let openings = Openings::judged(spec, plies, plan.seed, judge);
        if plan.even && openings.get(0).len() < plies as usize {
            return Err(OpeningsError::NoneIsEven { spec: plan.game.clone(), plies });
        }
        Ok(openings)
    }

    fn judged(spec: GameSpec, plies: u32, seed: u64, judge: Option<NetChoice>) -> Openings {
        let (openings, seen) = (Vec::new(), HashSet::new());
        let list = OpeningList { spec, plies, seed, judge, attempt: 0, openings, seen, exhausted: false };
        Openings { found: Mutex::new(list) }
    }

    /// The n-th opening. When there are fewer, they repeat from the first.
    pub fn get(&self, n: u64) -> Vec<String> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        while found.openings.len() as u64 <= n && !found.exhausted {
            found.find_another();
        }
        let count = found.openings.len().max(1) as u64;
        found.openings.get((n % count) as usize).cloned().unwrap_or_default()
    }
}

impl OpeningList {
    fn find_another(&mut self) {
        for _ in 0..PATIENCE {
            let seed = mix(self.seed ^ mix(self.attempt)) ^ OPENING_STREAM;
            self.attempt += 1;
            if let Some(moves) = with_game!(self.spec, |game| self.attempt(game, seed)) {
                self.openings.push(moves);
                return;
            }
        }
        self.exhausted = true;
    }

    /// The moves of an opening; none if the game ended during them, its position was seen before in some orientation, or it is not near even and should be.
    fn attempt<G: Evaluated>(&mut self, game: G, seed: u64) -> Option<Vec<String>> {
        let mut line = Line::new(Arc::new(game));
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..self.plies {
            line.play(line.game().random_move(line.position(), &mut rng));
            if line.outcome().is_some() {
                return None;
            }
        }
        let (game, pos) = (line.game(), line.position());
        if !self.seen.insert(canonical(game, pos).0) {
            return None;
        }
        if let Some(net) = &self.judge {
            let guide = game.net_guide(net.clone()).ok()?;
            if !EVEN.contains(&expectation(game, &*guide, pos)) {
                return None;
            }
        }
        Some(line.moves().map(|mv| game.write_move(mv)).collect())
    }
}

/// A random stream of its own, apart from the players'.
const OPENING_STREAM: u64 = 0x6f70_656e_696e_6773;

/// The net that says which openings are near even.
fn judge(spec: &GameSpec, agents: &Catalogue) -> Result<NetChoice, OpeningsError> {
    let missing = |why: &dyn std::fmt::Display| OpeningsError::NoNet { spec: spec.to_string(), why: why.to_string() };
    let named = || -> Result<Option<NetChoice>, SpecError> {
        agents.weight_store().net(&Spec::parse("net")?, spec.info().name)
    };
    let net = named().map_err(|why| missing(&why))?.ok_or_else(|| missing(&"nobody has trained one."))?;
    with_game!(spec, |game| game.net_guide(net.clone()).map(drop)).map_err(|why| missing(&why))?;
    Ok(net)
}

/// What the side to move may expect by a guide, draws counted half.
fn expectation<G: Game>(game: &G, guide: &dyn Guide<G>, pos: &G::Pos) -> f64 {
    let mut batch = Batch::default();
    batch.push(game, pos.clone(), false);
    guide.guide(game, &mut batch);
    batch.leaves().map(|leaf| f64::from(leaf.chances[0]) + f64::from(leaf.chances[1]) / 2.0).sum()
}
