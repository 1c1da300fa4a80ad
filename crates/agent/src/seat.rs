//! An agent bound to one game, with its type erased: a game in progress in, a move in text out.

use std::sync::Arc;
use std::time::Duration;

use quintet_eval::{Spec, SpecError, WeightStore};
use quintet_game::clock::Instant;
use quintet_game::notation::Fault;
use quintet_game::{AnyLine, GameSpec, Limit, Line, Stop, with_game};
use quintet_search::{Choice, Report, Watch};

use crate::Catalogue;
use crate::build::{Built, build};
use crate::error::ThinkError;
use crate::game::AgentGame;
use crate::kinds::ENGINE;
use crate::listen::Listener;
use crate::trace::{Recorder, Trace};

/// An agent that plays one game. It is built for one game and seat, and dropped after it.
///
/// ```
/// use quintet_agent::{Seat, ThinkError};
/// use quintet_game::{AnyLine, GameSpec, Limit, Stop};
/// use quintet_search::{Choice, Report};
///
/// /// Plays the last of the legal moves, whatever the game.
/// struct Last;
///
/// impl Seat for Last {
///     fn think(
///         &mut self,
///         line: &dyn AnyLine,
///         _limit: &Limit,
///         _stop: &Stop,
///         _progress: &mut dyn FnMut(&Report<String>),
///     ) -> Result<Choice<String>, ThinkError> {
///         let last = line.count_moves() - 1;
///         Ok(Choice::plain(last, 0.0).map(|at| line.legal_moves().swap_remove(at)))
///     }
/// }
///
/// let line = GameSpec::parse("pylos").unwrap().line();
/// let choice = Last.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
/// assert_eq!(choice.mv, "1d4");
/// ```
pub trait Seat: Send {
    /// Chooses a move in a game in progress. `progress` hears of every depth; `stop` ends the search early, with the best move so far.
    ///
    /// # Errors
    /// When the line is of another game or over, or the agent is an outside engine and fails.
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError>;

    /// From now on `progress` hears also between depths, at most this often: what is looked at, what is cut off, how the tree grows. Agents that
    /// cannot tell go on as before.
    fn watch_closely(&mut self, _every: Duration) {}

    /// Bytes that it keeps from one move to the next: tables, trees.
    fn memory(&self) -> usize {
        0
    }

    /// Thinks, and writes down at most `most` of the first steps of the search.
    ///
    /// # Errors
    /// As [`Seat::think`]; and when the agent does not look ahead move by move, so that there are no steps.
    fn trace(&mut self, _line: &dyn AnyLine, _limit: &Limit, _stop: &Stop, _most: usize) -> Result<Trace, ThinkError> {
        Err(ThinkError::NoSteps)
    }
}

/// Builds the agent that `agent` names for a game, by its spec or by its name in the catalogue that comes with the program; `seed` decides all its chances.
///
/// ```
/// use quintet_agent::seat;
/// use quintet_game::{GameSpec, Limit, Stop};
/// let spec = GameSpec::parse("pentago").unwrap();
/// let line = spec.line_at("xxxx../oooo../....../....../....../...... x").unwrap();
/// let choice = seat(&spec, "level:3", 1).unwrap().think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
/// let mut after = line.clone();
/// after.try_play(&choice.mv).unwrap();
/// assert!(after.end().is_some());
/// assert!(seat(&spec, "nobody", 1).is_err());
/// ```
///
/// # Errors
/// When the spec is malformed or names something that there is not; the error lists what there is.
pub fn seat(spec: &GameSpec, agent: &str, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Catalogue::embedded().seat(spec, agent, seed)
}

/// Builds an agent whose name has been looked up already.
pub(crate) fn seat_of(
    spec: &GameSpec,
    call: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Box<dyn Seat>, SpecError> {
    if call.kind == ENGINE {
        return engine(spec, call, seed);
    }
    with_game!(spec, |game| Ok(seat_for(spec, Arc::new(game), call, default, seed, store)?))
}

#[cfg(feature = "threads")]
fn engine(spec: &GameSpec, call: &Spec, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Ok(Box::new(crate::ugi::Engine::new(*spec, call, seed)?))
}

#[cfg(not(feature = "threads"))]
fn engine(_spec: &GameSpec, call: &Spec, _seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Err(SpecError::Unusable {
        what: call.kind.clone(),
        why: "cannot be started here: this build has no threads.".into(),
    })
}

/// The same for a game whose type is known.
pub(crate) fn seat_for<G: AgentGame>(
    spec: &GameSpec,
    game: Arc<G>,
    call: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Box<dyn Seat>, SpecError> {
    let built = build(spec, &*game, call, default, seed, store)?;
    Ok(Box::new(Typed { spec: *spec, built, closely: None }))
}

struct Typed<G: AgentGame> {
    spec: GameSpec,
    built: Built<G>,
    closely: Option<Duration>,
}

impl<G: AgentGame> Typed<G> {
    /// The line with its type, if it is of this agent's game and goes on.
    fn line<'a>(&self, line: &'a dyn AnyLine) -> Result<&'a Line<G>, Fault> {
        is_playable(line, &self.spec)?;
        line.typed().ok_or_else(|| Fault(format!("{} has other rules here.", self.spec)))
    }

    /// Thinks while `watch` listens.
    fn listened(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<String> {
        let limit = self.built.limit(limit);
        let start = Instant::now();
        let choice = self.built.search.think(line, &limit, watch);
        Choice { elapsed: start.elapsed(), ..choice.map(|mv| line.game().write_move(mv)) }
    }
}

/// Is it a line of this game that goes on?
pub(crate) fn is_playable(line: &dyn AnyLine, spec: &GameSpec) -> Result<(), Fault> {
    if line.spec() != *spec {
        return Err(Fault(format!("this agent plays {spec}, not {}.", line.spec())));
    }
    match line.end() {
        Some((outcome, reason)) => {
            Err(Fault(format!("the game is over: {outcome} ({reason}); there is nothing to choose.")))
        }
        None => Ok(()),
    }
}

impl<G: AgentGame> Seat for Typed<G> {
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError> {
        let line = self.line(line)?;
        Ok(self.listened(line, limit, &mut Listener::new(line.game(), stop, progress, self.closely)))
    }

    fn watch_closely(&mut self, every: Duration) {
        self.closely = Some(every);
    }

    fn memory(&self) -> usize {
        self.built.search.memory()
    }

    fn trace(&mut self, line: &dyn AnyLine, limit: &Limit, stop: &Stop, most: usize) -> Result<Trace, ThinkError> {
        let line = self.line(line)?;
        let mut recorder = Recorder::new(line.game(), stop, most);
        let choice = self.listened(line, limit, &mut recorder);
        let Recorder { steps, total, entered, cuts, .. } = recorder;
        if entered == 0 { Err(ThinkError::NoSteps) } else { Ok(Trace { steps, total, entered, cuts, choice }) }
    }
}
