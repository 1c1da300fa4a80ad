//! An agent bound to one game, with its type erased: text in, text out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quintet_eval::{Call, CallError, Shelf};
use quintet_game::notation::{Fault, PositionError};
use quintet_game::{Game, GameSpec, Line, Outcome, Playable, Visitor};
use quintet_search::{Limit, Proof, Report, RootMove, Watch};

use crate::Catalogue;
use crate::build::{Built, build};
use crate::error::ThinkError;
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
}

/// How far an agent has come.
#[derive(Clone, Debug, PartialEq)]
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
        Ok(Box::new(Typed { game: Arc::new(game), built }))
    }
}

struct Typed<G: Playable> {
    game: Arc<G>,
    built: Built<G>,
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
        let limit = self.built.limit(limit);
        let start = Instant::now();
        let choice = self.built.search.think(&line, &limit, &mut Listener { game: &*self.game, progress });
        let write = |moves: &[G::Move]| moves.iter().map(|mv| self.game.write_move(*mv)).collect();
        Ok(Thought {
            mv: self.game.write_move(choice.mv),
            value: choice.value,
            proof: choice.proof,
            chances: choice.chances,
            line: write(&choice.line),
            nodes: choice.nodes,
            depth: choice.depth,
            elapsed: start.elapsed(),
        })
    }
}

/// Turns a search's reports into text.
struct Listener<'a, G> {
    game: &'a G,
    progress: &'a mut dyn FnMut(&Progress),
}

impl<G: Playable> Watch<G> for Listener<'_, G> {
    fn depth_done(&mut self, report: &Report<G>) {
        let write = |mv: &<G as Game>::Move| self.game.write_move(*mv);
        let told = |root: &RootMove<G::Move>| RootMove { mv: write(&root.mv), value: root.value, visits: root.visits };
        let mut roots: Vec<RootMove<String>> = report.roots.iter().map(told).collect();
        // The best first: by visits where they count, else by value.
        roots.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        (self.progress)(&Progress {
            depth: report.depth,
            nodes: report.nodes,
            elapsed: report.elapsed,
            value: report.value,
            line: report.line.iter().map(write).collect(),
            roots,
        });
    }
}
