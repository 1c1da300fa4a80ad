//! Makes new puzzles from seeded games with the help of provers.

use std::collections::BTreeSet;

use quintet_eval::SpecError;
use quintet_game::bits::mix;
use quintet_game::notation::Fault;
use quintet_game::{AnyLine, GameSpec, Limit, Stop};

use super::kind::Sole;
use super::{Puzzle, PuzzleKind};
use crate::prove::canonical;
use crate::{Catalogue, Provers, ThinkError, exact, provers};

/// How puzzles are made.
#[derive(Clone, Debug)]
pub struct Making<'a> {
    /// The game.
    pub spec: GameSpec,
    /// Only this kind; otherwise all, but only wins in few moves.
    pub kind: Option<PuzzleKind>,
    /// The number of puzzles.
    pub count: usize,
    /// Determines all games.
    pub seed: u64,
    /// The agent that plays them.
    pub agent: &'a str,
    /// The most games.
    pub games: u64,
    /// Plies before the end of a game that are examined.
    pub back: usize,
    /// The provers.
    pub provers: Provers,
    /// Stops the work.
    pub stop: Stop,
}

/// Progress of making puzzles.
#[derive(Debug)]
pub enum MakingProgress<'a> {
    /// This many games have been examined.
    Games(u64),
    /// A puzzle was found.
    Found(&'a Puzzle),
}

/// Why no puzzles could be made.
#[derive(Debug, thiserror::Error)]
pub enum MakingError {
    /// The player cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The player failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// A position was refused.
    #[error(transparent)]
    Position(#[from] Fault),
}

/// Wins in more moves are made only on request.
const USUAL_MOVES: u32 = 3;

/// Makes puzzles that are not among the `known` ones, nor images of each other or of those: seeded games are played, and walked
/// back from their ends as far as the provers know. At most one of each kind is taken from a game, the one furthest from the end.
/// A puzzle that cannot be proven again without files carries its answer. `hear` returns whether to continue. The same seed and
/// the same provers give the same puzzles.
///
/// # Errors
/// When the player is invalid or fails.
pub fn make_puzzles(
    agents: &Catalogue,
    making: &Making,
    known: &[Puzzle],
    hear: &mut dyn FnMut(MakingProgress) -> bool,
) -> Result<Vec<Puzzle>, MakingError> {
    let ours = |puzzle: &&Puzzle| puzzle.game == making.spec.to_string();
    let mut seen = BTreeSet::new();
    for puzzle in known.iter().filter(ours) {
        seen.insert(canonical(&making.spec, &puzzle.line()?.position()));
    }
    let (mut made, mut number) = (Vec::new(), highest(making.spec.info().name, known));
    for game in 0..making.games {
        if made.len() >= making.count {
            break;
        }
        let found = of_game(agents, making, game)?;
        // A game that was broken off is ignored.
        if making.stop.stopped() {
            break;
        }
        for puzzle in found {
            if made.len() < making.count && seen.insert(canonical(&making.spec, &puzzle.line()?.position())) {
                number += 1;
                let puzzle = Puzzle { id: format!("{}-{number}", making.spec.info().name), ..plain(puzzle) };
                let more = hear(MakingProgress::Found(&puzzle));
                made.push(puzzle);
                if !more {
                    return Ok(made);
                }
            }
        }
        if !hear(MakingProgress::Games(game + 1)) {
            break;
        }
    }
    Ok(made)
}

/// The highest number of a game's puzzles.
fn highest(game: &str, known: &[Puzzle]) -> u32 {
    let numbers = known.iter().filter_map(|puzzle| puzzle.id.strip_prefix(game)?.strip_prefix('-')?.parse().ok());
    numbers.max().unwrap_or(0)
}

/// Removes the answer if it can be proven without files.
fn plain(puzzle: Puzzle) -> Puzzle {
    let plain = Puzzle { answer: None, ..puzzle.clone() };
    if plain.complaint(&provers()).is_none() { plain } else { puzzle }
}

/// The puzzles of one game, each with its answer.
fn of_game(agents: &Catalogue, making: &Making, game: u64) -> Result<Vec<Puzzle>, MakingError> {
    let mut line = play(agents, making, mix(making.seed ^ mix(game)))?;
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for _ in 0..making.back {
        if line.undo().is_none() {
            break;
        }
        // Without the history, as it is written.
        let alone = making.spec.line_at(&line.position()).map_err(|error| Fault(error.to_string()))?;
        let Ok(known) = exact(&making.provers, &*alone, &Limit::default(), &making.stop) else { break };
        let Some(sole) = Sole::of(&known, &*alone) else { continue };
        if let Some(kind) = wanted(&sole, making) {
            puzzles.retain(|puzzle| puzzle.kind != kind);
            puzzles.push(Puzzle::new(&*alone, kind, known.value.plies, sole.best));
        }
    }
    Ok(puzzles)
}

/// The kind of a position, if it is requested.
fn wanted(sole: &Sole, making: &Making) -> Option<PuzzleKind> {
    match making.kind {
        Some(kind) => sole.is(kind, &making.provers, &making.stop).is_ok_and(|is| is).then_some(kind),
        None => sole.kind(&making.provers, &making.stop).filter(|kind| match kind {
            PuzzleKind::WinIn(moves) => *moves <= USUAL_MOVES,
            _ => true,
        }),
    }
}

/// A finished game of the player against itself; a shorter one if it is stopped.
fn play(agents: &Catalogue, making: &Making, seed: u64) -> Result<Box<dyn AnyLine>, MakingError> {
    let mut seats =
        [agents.seat(&making.spec, making.agent, seed)?, agents.seat(&making.spec, making.agent, mix(seed))?];
    let mut line = making.spec.line();
    while line.end().is_none() && !making.stop.stopped() {
        let seat = &mut seats[line.to_move().index()];
        let choice = seat.think(&*line, &Limit::default(), &making.stop, &mut |_| {})?;
        line.try_play(&choice.mv).map_err(|error| Fault(error.to_string()))?;
    }
    Ok(line)
}
