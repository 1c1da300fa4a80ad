//! Many games at once, with the same result as one after the other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use quintet_agent::Catalogue;
use quintet_eval::SpecError;
use quintet_game::notation::Fault;
use quintet_game::{EndReason, GameSpec, Stop};

use crate::arbiter::Played;
use crate::hands::{Hands, Missing, Threads};
use crate::openings::{Openings, OpeningsError};
use crate::plan::Plan;
use crate::results::{Results, add_pair, half_points};
use crate::stats::{Decision, Pairs, Sprt};

/// Why a run could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan names something unknown.
    #[error("{0}")]
    Plan(String),
    /// An agent cannot be built.
    #[error("{player}: {why}")]
    Agent {
        /// The player's name.
        player: String,
        /// Why not.
        why: SpecError,
    },
    /// It has no openings.
    #[error(transparent)]
    Openings(OpeningsError),
    /// The limit of every move would cut a limit within a player's spec.
    #[error("{player}: {why}")]
    Limit {
        /// The player's name.
        player: String,
        /// What to do.
        why: Fault,
    },
    /// A player has forfeited every game, so the games say nothing about strength.
    #[error(
        "{player} forfeited {} {}: {said} Such games say nothing about strength, so no more are played. \
         Repair it (an outside engine can be run by hand: docs/engine.md lists what it is asked), then start again.",
        all_of(*games),
        reason.fault()
    )]
    Forfeited {
        /// The player's name.
        player: String,
        /// How many games, the last one included.
        games: u64,
        /// The last fault.
        reason: EndReason,
        /// What happened then, as a sentence.
        said: String,
    },
    /// Those who play elsewhere could not play; why, and what to do.
    #[error("{0}")]
    Hands(String),
    /// A finished game could not be stored; why, and what to do.
    #[error("{0}")]
    Keep(String),
}

fn all_of(games: u64) -> String {
    if games == 1 { "its first game by".into() } else { format!("all of its {games} games, the last by") }
}

/// After this many games that one of two players has forfeited, and none that it has not, a match ends.
const ENOUGH: u64 = 4;

/// Plays the remaining games of a plan on some threads. `keep` gets every game as it ends, in any order, and must make it durable; when it fails, or `stop` is set, no new game starts
/// (those in play are lost). The number of threads does not change the games.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Length, Plan, run};
/// use quintet_game::Stop;
/// let plan = Plan { opening_plies: 2, ..Plan::duel("pylos", ["random", "random"], Length::Games(8)).unwrap() };
/// let (agents, stop, mut kept) = (Catalogue::embedded(), Stop::never(), Vec::new());
/// let whole = run(&plan, agents, Vec::new(), 2, &stop, &mut |played| {
///     kept.push(played.clone()); // in any order
///     Ok(())
/// });
/// // A run that ended early goes on with the games that were kept, to the same results.
/// kept.truncate(5);
/// let again = run(&plan, agents, kept, 1, &stop, &mut |_| Ok(()));
/// assert_eq!(whole.unwrap().wdl(0, 1), again.unwrap().wdl(0, 1));
/// ```
///
/// # Errors
/// When an agent cannot be built, or a game cannot be stored.
pub fn run(
    plan: &Plan,
    agents: &Catalogue,
    done: Vec<Played>,
    threads: usize,
    stop: &Stop,
    keep: &mut dyn FnMut(&Played) -> Result<(), RunError>,
) -> Result<Results, RunError> {
    check_players(plan, agents)?;
    run_by(plan, &Threads { agents, count: threads }, done, stop, keep)
}

/// The same by [`Hands`] of your own, such as the workers of a cluster. Each game counts once, and the results do not depend on who plays.
///
/// ```
/// use quintet_agent::Catalogue;
/// use quintet_arena::{Length, Plan, Threads, run, run_by};
/// use quintet_game::Stop;
/// let plan = Plan::duel("pylos", ["random", "random"], Length::Games(4)).unwrap();
/// let (agents, stop) = (Catalogue::embedded(), Stop::never());
/// let hands = Threads { agents, count: 2 };
/// let by_hands = run_by(&plan, &hands, Vec::new(), &stop, &mut |_| Ok(())).unwrap();
/// let alone = run(&plan, agents, Vec::new(), 1, &stop, &mut |_| Ok(())).unwrap();
/// assert_eq!(by_hands.wdl(0, 1), alone.wdl(0, 1));
/// ```
///
/// # Errors
/// When the hands fail, or a game cannot be stored.
pub fn run_by(
    plan: &Plan,
    hands: &dyn Hands,
    done: Vec<Played>,
    stop: &Stop,
    keep: &mut dyn FnMut(&Played) -> Result<(), RunError>,
) -> Result<Results, RunError> {
    let mut games: BTreeMap<u64, Played> = done.into_iter().map(|played| (played.number, played)).collect();
    let known: Vec<u64> = games.keys().copied().collect();
    let mut games_left = plan.fixtures().filter(|fixture| known.binary_search(&fixture.number).is_err());
    let mut test = Sequential::new(plan.test().map_err(|error| RunError::Plan(error.to_string()))?);
    if !test.advance(&games) {
        let missing = Missing { count: plan.games().saturating_sub(games.len() as u64), games: &mut games_left };
        let mut failure = None;
        let ended = hands.play(plan, missing, stop, &mut |played| {
            if games.contains_key(&played.number) {
                return ControlFlow::Continue(());
            }
            match is_sound(plan, &games, played).and_then(|played| keep(&played).map(|()| played)) {
                Ok(played) => {
                    games.insert(played.number, played);
                }
                Err(error) => failure = failure.take().or(Some(error)),
            }
            if failure.is_some() || test.advance(&games) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        failure.map_or(ended, Err)?;
    }
    let counting = games.into_values().filter(|played| played.number < test.length());
    Ok(Results::new(plan.clone(), counting.collect()))
}

/// Builds every agent once and looks for the first opening, so that a plan that cannot be played is found before the first game. Among more than two players, those
/// that cannot play this variant fail their own games only; two that can are needed.
///
/// # Errors
/// Which player cannot play, and why; or why there are no openings.
pub fn check_players(plan: &Plan, agents: &Catalogue) -> Result<(), RunError> {
    let spec = GameSpec::parse(&plan.game).map_err(|error| RunError::Plan(error.to_string()))?;
    Openings::of(plan, agents).map_err(RunError::Openings)?;
    let mut able = 0;
    let mut unable = None;
    for player in &plan.players {
        let name = || player.name.clone();
        match agents.seat(&spec, &player.agent, 0) {
            Ok(seat) => {
                seat.accepts(&plan.limit()).map_err(|why| RunError::Limit { player: name(), why })?;
                able += 1;
            }
            Err(why) if plan.is_open_to(&why) => unable = Some(RunError::Agent { player: name(), why }),
            Err(why) => return Err(RunError::Agent { player: name(), why }),
        }
    }
    unable.filter(|_| able < 2).map_or(Ok(()), Err)
}

/// The game, unless it shows that a player cannot be judged: an engine that does not start, or one of two that has forfeited every game.
fn is_sound(plan: &Plan, games: &BTreeMap<u64, Played>, played: Played) -> Result<Played, RunError> {
    for player in played.forfeiters() {
        let mut own = games.values().filter(|earlier| earlier.seats.contains(&player));
        let earlier = own.clone().count() as u64;
        if own.any(|earlier| !earlier.forfeiters().any(|other| other == player)) {
            continue;
        }
        let enough = plan.players.len() == 2 && earlier + 1 >= ENOUGH.min(plan.games());
        if enough || played.never_started() {
            return Err(RunError::Forfeited {
                player: plan.players[player].name.clone(),
                games: earlier + 1,
                reason: played.reason.clone(),
                said: played.fault.clone().unwrap_or_default(),
            });
        }
    }
    Ok(played)
}

/// A sequential test, applied pair by pair in the order of the plan, so that its decision does not depend on which game ended first.
struct Sequential {
    test: Option<Sprt>,
    pairs: Pairs,
    /// The first game not yet counted.
    next: u64,
    decided: bool,
}

impl Sequential {
    fn new(test: Option<Sprt>) -> Sequential {
        Sequential { test, pairs: Pairs::default(), next: 0, decided: false }
    }

    /// Counts the pairs that are complete; true once the test is decided.
    fn advance(&mut self, games: &BTreeMap<u64, Played>) -> bool {
        let Some(test) = self.test else { return false };
        while !self.decided
            && let (Some(one), Some(two)) = (games.get(&self.next), games.get(&(self.next + 1)))
        {
            add_pair(&mut self.pairs, half_points(one, 0), half_points(two, 0));
            self.next += 2;
            self.decided = self.pairs.summary().is_some_and(|pairs| test.decide(&pairs) != Decision::GoOn);
        }
        self.decided
    }

    /// The games that count: those up to the decision.
    fn length(&self) -> u64 {
        if self.decided { self.next } else { u64::MAX }
    }
}
