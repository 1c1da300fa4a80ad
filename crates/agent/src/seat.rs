//! An agent bound to one game, with its type erased: text in, text out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quintet_eval::{Call, CallError, Shelf};
use quintet_game::notation::{Fault, PositionError};
use quintet_game::{GameSpec, Line, Outcome, Playable, Visitor};
use quintet_search::{Branch, Limit, Proof, RootMove, Watch};

use crate::Catalogue;
use crate::build::{Built, build};
use crate::error::ThinkError;
use crate::listen::Listener;
use crate::trace::{Recorder, Trace};
use crate::ugi;

/// An agent that plays one game. It is built for one game and seat, and dropped after it.
pub trait Seat: Send {
    /// Chooses a move in the game that began `from` a position (or at the start) and went on with `moves`. `progress` hears of every depth.
    ///
    /// # Errors
    /// When the position or a move is refused, the game is over, or the agent is an outside engine and fails.
    fn think(
        &mut self,
        from: Option<&str>,
        moves: &[String],
        limit: &Limit,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Thought, ThinkError>;

    /// From now on `progress` hears also between depths, so often at most: what is looked at, what is cut off, how the tree grows. Agents that
    /// cannot tell go on as before.
    fn watch_closely(&mut self, _every: Duration) {}

    /// Thinks, and writes down the first steps of the search, so many at most.
    ///
    /// # Errors
    /// As [`Seat::think`]; and when the agent does not look ahead move by move, so that there are no steps.
    fn trace(
        &mut self,
        _from: Option<&str>,
        _moves: &[String],
        _limit: &Limit,
        _most: usize,
    ) -> Result<Trace, ThinkError> {
        Err(ThinkError::NoSteps)
    }
}

/// How far an agent has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// The search's own number for the side to move.
    pub value: f64,
    /// The line expected.
    pub line: Vec<String>,
    /// The root's moves with their values, best first. With pruning the values of moves behind the best are bounds.
    pub roots: Vec<RootMove<String>>,
    /// The line that is being looked at, between two depths.
    pub now: Vec<String>,
    /// The last line whose end made other moves needless, if there was one since the last word.
    pub cut: Vec<String>,
    /// Cut-offs so far, where they are counted: see [`Seat::watch_closely`].
    pub cuts: u64,
    /// The part of its table that the search uses, if it has one.
    pub fill: Option<f64>,
    /// The top of its tree, if it has one.
    pub tree: Vec<Branch<String>>,
}

/// What an agent has chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub mv: String,
    /// The search's own number for the side to move.
    pub value: f64,
    /// The truth, where it is known.
    pub proof: Option<Proof>,
    /// Plies to the end with best play of both sides, where they are known.
    pub plies: Option<u32>,
    /// Shares of wins and draws for the side to move, from searches that count them.
    pub chances: Option<[f64; 2]>,
    /// The line expected, the move first.
    pub line: Vec<String>,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Time used.
    pub elapsed: Duration,
}

/// Builds the agent that `agent` names for a game, by its spec or by its name in the catalogue that comes with the program; `seed` decides all its chances.
///
/// # Errors
/// When the spec is malformed or names something that there is not; the error lists what there is.
pub fn seat(spec: &GameSpec, agent: &str, seed: u64) -> Result<Box<dyn Seat>, CallError> {
    Catalogue::embedded().seat(spec, agent, seed)
}

/// Builds an agent whose name has been looked up already.
pub(crate) fn seat_of(
    spec: &GameSpec,
    call: &Call,
    default: Option<Limit>,
    seed: u64,
    shelf: &Shelf,
) -> Result<Box<dyn Seat>, CallError> {
    if call.kind == ugi::KIND {
        return Ok(Box::new(ugi::Engine::new(*spec, call, seed)?));
    }
    spec.visit(Sit { spec, call, default, seed, shelf })
}

struct Sit<'a> {
    spec: &'a GameSpec,
    call: &'a Call,
    default: Option<Limit>,
    seed: u64,
    shelf: &'a Shelf,
}

impl Visitor for Sit<'_> {
    type Output = Result<Box<dyn Seat>, CallError>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        let built = build(self.spec, &game, self.call, self.default, self.seed, self.shelf)?;
        Ok(Box::new(Typed { game: Arc::new(game), built, closely: None }))
    }
}

struct Typed<G: Playable> {
    game: Arc<G>,
    built: Built<G>,
    closely: Option<Duration>,
}

impl<G: Playable> Typed<G> {
    /// Thinks, with whoever listens.
    fn listened(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Thought {
        let limit = self.built.limit(limit);
        let start = Instant::now();
        let choice = self.built.search.think(line, &limit, watch);
        Thought {
            mv: self.game.write_move(choice.mv),
            value: choice.value,
            proof: choice.proof,
            plies: choice.plies,
            chances: choice.chances,
            line: choice.line.iter().map(|mv| self.game.write_move(*mv)).collect(),
            nodes: choice.nodes,
            depth: choice.depth,
            elapsed: start.elapsed(),
        }
    }
}

/// The game that began `from` a position (or at the start) and went on with `moves`; it must not be over.
pub(crate) fn line<G: Playable>(game: &Arc<G>, from: Option<&str>, moves: &[String]) -> Result<Line<G>, Fault> {
    let mut line = match from {
        Some(text) => {
            let pos = game.read_position(text).map_err(|fault| Fault(PositionError(fault).to_string()))?;
            Line::from_position(game.clone(), pos)
        }
        None => Line::new(game.clone()),
    };
    for mv in moves {
        line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
    }
    match line.end() {
        Some(end) => Err(over(end)),
        None => Ok(line),
    }
}

/// What a finished game is answered with.
pub(crate) fn over((outcome, reason): (Outcome, &str)) -> Fault {
    Fault(format!("the game is over: {outcome} ({reason}); there is nothing to choose."))
}

impl<G: Playable> Seat for Typed<G> {
    fn think(
        &mut self,
        from: Option<&str>,
        moves: &[String],
        limit: &Limit,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Thought, ThinkError> {
        let line = line(&self.game, from, moves)?;
        let game = Arc::clone(&self.game);
        Ok(self.listened(&line, limit, &mut Listener::new(&*game, progress, self.closely)))
    }

    fn watch_closely(&mut self, every: Duration) {
        self.closely = Some(every);
    }

    fn trace(&mut self, from: Option<&str>, moves: &[String], limit: &Limit, most: usize) -> Result<Trace, ThinkError> {
        let line = line(&self.game, from, moves)?;
        let game = Arc::clone(&self.game);
        let mut recorder = Recorder::new(&*game, most);
        let thought = self.listened(&line, limit, &mut recorder);
        let Recorder { steps, total, entered, cuts, .. } = recorder;
        if entered == 0 { Err(ThinkError::NoSteps) } else { Ok(Trace { steps, total, entered, cuts, thought }) }
    }
}
