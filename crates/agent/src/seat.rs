//! An agent bound to one game, with its type erased: takes a game in progress, returns a move as text.

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

/// An agent that plays one game. It is built for one game and seat, and dropped afterwards.
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
    /// Chooses a move in a game in progress. `progress` is called after every depth; `stop` ends the search early, with the best move
    /// so far.
    ///
    /// # Errors
    /// When the line belongs to another game or is over, or the agent fails: an outside engine, or a table that is damaged.
    fn think(
        &mut self,
        line: &dyn AnyLine,
        limit: &Limit,
        stop: &Stop,
        progress: &mut dyn FnMut(&Report<String>),
    ) -> Result<Choice<String>, ThinkError>;

    /// From now on `progress` is also called between depths, at most this often: with the current line, cut-offs, and the growing
    /// tree. Agents that cannot report this ignore it.
    fn watch_closely(&mut self, _every: Duration) {}

    /// Can it play with this limit for each move? Some agents have limits of their own that others would cut.
    ///
    /// # Errors
    /// Why not, and what to do.
    fn accepts(&self, _limit: &Limit) -> Result<(), Fault> {
        Ok(())
    }

    /// Does it think outside of this program, by a clock of its own?
    fn is_outside(&self) -> bool {
        false
    }

    /// Does it play the same moves within this limit on every machine, however busy? Not if it looks at a clock, searches with several threads, or is another program.
    fn is_repeatable(&self, _limit: &Limit) -> bool {
        false
    }

    /// Prepares for another game with other random choices; false if a new agent has to be built for it, as for all agents of ours.
    fn new_game(&mut self, _seed: u64) -> bool {
        false
    }

    /// Bytes kept from one move to the next: tables, trees.
    fn memory(&self) -> usize {
        0
    }

    /// Thinks, and records at most the first `most` steps of the search.
    ///
    /// # Errors
    /// As [`Seat::think`]; and when the agent does not look ahead move by move.
    fn trace(&mut self, _line: &dyn AnyLine, _limit: &Limit, _stop: &Stop, _most: usize) -> Result<Trace, ThinkError> {
        Err(ThinkError::NoSteps)
    }
}

/// Builds an agent for a game by its spec or by its name in the built-in catalogue; `seed` determines all its random choices.
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
/// When the spec is malformed or names something unknown; the error lists what is known.
pub fn seat(spec: &GameSpec, agent: &str, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Catalogue::embedded().seat(spec, agent, seed)
}

/// Builds an agent whose names are resolved.
pub(crate) fn seat_of(
    spec: &GameSpec,
    agent_spec: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Box<dyn Seat>, SpecError> {
    if agent_spec.kind == ENGINE {
        return engine(spec, agent_spec, seed);
    }
    with_game!(spec, |game| Ok(seat_for(spec, Arc::new(game), agent_spec, default, seed, store)?))
}

#[cfg(feature = "threads")]
fn engine(spec: &GameSpec, agent_spec: &Spec, seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Ok(Box::new(crate::ugi::Engine::new(*spec, agent_spec, seed)?))
}

#[cfg(not(feature = "threads"))]
fn engine(_spec: &GameSpec, agent_spec: &Spec, _seed: u64) -> Result<Box<dyn Seat>, SpecError> {
    Err(SpecError::Unusable {
        what: agent_spec.kind.clone(),
        why: "cannot be started here: this build has no threads.".into(),
    })
}

/// The same for a game whose type is known.
pub(crate) fn seat_for<G: AgentGame>(
    spec: &GameSpec,
    game: Arc<G>,
    agent_spec: &Spec,
    default: Option<Limit>,
    seed: u64,
    store: &WeightStore,
) -> Result<Box<dyn Seat>, SpecError> {
    let built = build(spec, &*game, agent_spec, default, seed, store)?;
    Ok(Box::new(Typed { spec: *spec, built, closely: None }))
}

struct Typed<G: AgentGame> {
    spec: GameSpec,
    built: Built<G>,
    closely: Option<Duration>,
}

impl<G: AgentGame> Typed<G> {
    /// The typed line, if it belongs to this agent's game and is not over.
    fn line<'a>(&self, line: &'a dyn AnyLine) -> Result<&'a Line<G>, Fault> {
        is_playable(line, &self.spec)?;
        line.typed().ok_or_else(|| Fault(format!("{} has other rules here.", self.spec)))
    }

    /// Thinks while `watch` listens.
    fn listened(
        &mut self,
        line: &Line<G>,
        limit: &Limit,
        watch: &mut dyn Watch<G>,
    ) -> Result<Choice<String>, ThinkError> {
        self.accepts(limit)?;
        let limit = self.built.limit(limit);
        let start = Instant::now();
        let choice = self.built.search.think(line, &limit, watch);
        match self.built.search.fault() {
            Some(why) => Err(ThinkError::Failed(why)),
            None => Ok(Choice { elapsed: start.elapsed(), ..choice.map(|mv| line.game().write_move(mv)) }),
        }
    }
}

/// Does the line belong to this game, and does it go on?
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
        self.listened(line, limit, &mut Listener::new(line.game(), stop, progress, self.closely))
    }

    fn watch_closely(&mut self, every: Duration) {
        self.closely = Some(every);
    }

    fn accepts(&self, limit: &Limit) -> Result<(), Fault> {
        self.built.accepts(limit)
    }

    fn is_repeatable(&self, limit: &Limit) -> bool {
        self.built.is_repeatable(limit)
    }

    fn memory(&self) -> usize {
        self.built.search.memory()
    }

    fn trace(&mut self, line: &dyn AnyLine, limit: &Limit, stop: &Stop, most: usize) -> Result<Trace, ThinkError> {
        let line = self.line(line)?;
        let mut recorder = Recorder::new(line.game(), stop, most);
        let choice = self.listened(line, limit, &mut recorder)?;
        let Recorder { steps, total, entered, cuts, .. } = recorder;
        if entered == 0 { Err(ThinkError::NoSteps) } else { Ok(Trace { steps, total, entered, cuts, choice }) }
    }
}
