//! Puzzles: positions with one right move, made of seeded games and of what a [`Prover`] knows.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use quintet_eval::CallError;
use quintet_game::bits::mix;
use quintet_game::notation::Fault;
use quintet_game::{GameSpec, Table};
use quintet_search::{Limit, Proof, Verdict};
use serde::{Deserialize, Serialize};

use crate::prove::canonical;
use crate::{Catalogue, Exact, Prover, Provers, ThinkError, exact};

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PuzzleKind {
    /// The only move that wins, however slowly.
    #[serde(rename = "only-win")]
    OnlyWin,
    /// The only move that does not lose.
    #[serde(rename = "only-draw")]
    OnlyDraw,
    /// The move after which the other side loses because it must move.
    #[serde(rename = "zugzwang")]
    Zugzwang,
    /// The one quickest win: two moves of one's own.
    #[serde(rename = "win-in-2")]
    WinInTwo,
    /// TwixT: the one peg that wins quickest.
    #[serde(rename = "one-peg")]
    OnePeg,
}

impl PuzzleKind {
    /// Every kind.
    pub const ALL: [PuzzleKind; 5] =
        [PuzzleKind::OnlyWin, PuzzleKind::OnlyDraw, PuzzleKind::Zugzwang, PuzzleKind::WinInTwo, PuzzleKind::OnePeg];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PuzzleKind::OnlyWin => "only-win",
            PuzzleKind::OnlyDraw => "only-draw",
            PuzzleKind::Zugzwang => "zugzwang",
            PuzzleKind::WinInTwo => "win-in-2",
            PuzzleKind::OnePeg => "one-peg",
        }
    }
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PuzzleKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PuzzleKind, String> {
        let known = || PuzzleKind::ALL.map(PuzzleKind::name).join(", ");
        let found = PuzzleKind::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("there is no such kind of puzzle; there are {}.", known()))
    }
}

/// A puzzle, as its file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Its name, such as `pylos-1`.
    pub id: String,
    /// The game.
    pub game: String,
    /// Where it begins, if not at the game's own start.
    pub from: Option<String>,
    /// The moves that lead to it.
    pub moves: Vec<String>,
    /// What is to be found.
    pub kind: PuzzleKind,
    /// That in a sentence.
    pub title: String,
    /// Plies to the end, for a win.
    pub distance: Option<u32>,
}

/// The files that come with the program.
const EMBEDDED: [&str; 5] = [
    include_str!("../../../puzzles/pathwayz.jsonl"),
    include_str!("../../../puzzles/pylos.jsonl"),
    include_str!("../../../puzzles/twixt.jsonl"),
    include_str!("../../../puzzles/pentago-twist.jsonl"),
    include_str!("../../../puzzles/pentago.jsonl"),
];

/// The puzzles that come with the program, game by game.
///
/// ```
/// assert!(quintet_agent::puzzles().iter().any(|puzzle| puzzle.game == "pylos"));
/// ```
#[must_use]
pub fn puzzles() -> Vec<Puzzle> {
    let lines = EMBEDDED.iter().flat_map(|text| text.lines());
    lines.map(|line| serde_json::from_str(line).expect("a test reads every file that is embedded")).collect()
}

impl Puzzle {
    /// The table with the puzzle on it.
    ///
    /// # Errors
    /// When the game, the position or a move makes no sense.
    pub fn table(&self) -> Result<Box<dyn Table>, Fault> {
        let spec = GameSpec::parse(&self.game).map_err(|error| Fault(error.to_string()))?;
        let mut table = match &self.from {
            Some(position) => spec.table_at(position).map_err(|error| Fault(error.to_string()))?,
            None => spec.table(),
        };
        for mv in &self.moves {
            table.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        }
        Ok(table)
    }

    /// What is wrong with it, by what provers know: nothing, if it is what it says.
    #[must_use]
    pub fn complaint(&self, provers: &Provers) -> Option<String> {
        let table = match self.table() {
            Ok(table) => table,
            Err(fault) => return Some(fault.to_string()),
        };
        match exact(provers, &*table, &Limit::default()) {
            Err(why) => Some(why.to_string()),
            Ok(known) if kind_of(&known, &*table, provers) != Some(self.kind) => {
                Some(format!("it is no {} puzzle", self.kind))
            }
            Ok(known) if known.verdict.plies != self.distance => Some(format!("it ends in {:?}", known.verdict.plies)),
            Ok(_) => None,
        }
    }

    fn new(table: &dyn Table, kind: PuzzleKind, distance: Option<u32>) -> Puzzle {
        let info = table.spec().info();
        let sides = [table.to_move(), table.to_move().other()].map(|player| info.sides[player.index()]);
        Puzzle {
            id: String::new(),
            game: table.spec().to_string(),
            from: Some(table.position()),
            moves: Vec::new(),
            kind,
            title: title(kind, sides, distance.map_or(0, |plies| plies.div_ceil(2))),
            distance,
        }
    }
}

fn title(kind: PuzzleKind, [own, other]: [&str; 2], moves: u32) -> String {
    match kind {
        PuzzleKind::OnlyWin => format!("One move of {own} wins, in {moves} moves; every other gives the win away."),
        PuzzleKind::OnlyDraw => format!("One move of {own} holds the draw; every other loses."),
        PuzzleKind::Zugzwang => {
            format!("After one move of {own}, {other} loses for having to move; {own} wins in {moves} moves.")
        }
        PuzzleKind::WinInTwo => format!("A win in two moves for {own}; one first move does it."),
        PuzzleKind::OnePeg => format!("One peg of {own} wins in {moves} moves; no other is as quick."),
    }
}

/// Is a move as good as the best? As good a result, and a win no later than the quickest.
#[must_use]
pub fn is_right(known: &Exact, mv: &str) -> bool {
    let best = known.verdict;
    known.moves.iter().any(|(own, verdict)| {
        own == mv && verdict.proof == best.proof && (best.proof != Proof::Win || verdict.plies == best.plies)
    })
}

/// Fewer moves than this are no choice.
const FEWEST_MOVES: usize = 3;

/// What kind of puzzle a position is; none when it is no good as one.
fn kind_of(known: &Exact, table: &dyn Table, provers: &Provers) -> Option<PuzzleKind> {
    let mut right = known.moves.iter().filter(|(mv, _)| is_right(known, mv));
    let (best, verdict) = right.next()?;
    if right.next().is_some() || table.count_moves() < FEWEST_MOVES {
        return None;
    }
    let wins = || known.moves.iter().filter(|(_, verdict)| verdict.proof == Proof::Win).count();
    match verdict {
        Verdict { proof: Proof::Draw, .. } => Some(PuzzleKind::OnlyDraw),
        Verdict { proof: Proof::Win, plies: Some(3..) } if squeezes(table, best, provers) => Some(PuzzleKind::Zugzwang),
        Verdict { proof: Proof::Win, plies: Some(3..) } if table.spec().info().name == "twixt" => {
            Some(PuzzleKind::OnePeg)
        }
        Verdict { proof: Proof::Win, plies: Some(3) } => Some(PuzzleKind::WinInTwo),
        Verdict { proof: Proof::Win, plies: Some(4..) } if known.complete && wins() == 1 => Some(PuzzleKind::OnlyWin),
        _ => None,
    }
}

/// Would the other side not lose after this move if it could pass? Only where the rules allow the same board with the other side to move.
fn squeezes(table: &dyn Table, mv: &str, provers: &Provers) -> bool {
    let passed = || {
        let before = table.position();
        let mut after = table.spec().table_at(&before).ok()?;
        after.try_play(mv).ok()?;
        let (_, side) = before.rsplit_once(' ')?;
        let position = after.position();
        let (board, _) = position.rsplit_once(' ')?;
        table.spec().table_at(&format!("{board} {side}")).ok().filter(|passed| passed.end().is_none())
    };
    let known = passed().and_then(|passed| exact(provers, &*passed, &Limit::default()).ok());
    known.is_some_and(|known| known.verdict.proof != Proof::Win)
}

/// How puzzles are made.
#[derive(Clone, Debug)]
pub struct Making<'a> {
    /// The game.
    pub spec: GameSpec,
    /// Of this kind alone.
    pub kind: Option<PuzzleKind>,
    /// How many.
    pub count: usize,
    /// Decides all games.
    pub seed: u64,
    /// Who plays them.
    pub agent: &'a str,
    /// Who knows.
    pub prover: Arc<dyn Prover>,
}

/// Why no puzzles could be made.
#[derive(Debug, thiserror::Error)]
pub enum MakingError {
    /// The player cannot be had.
    #[error(transparent)]
    Spec(#[from] CallError),
    /// The player failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// A position was refused.
    #[error(transparent)]
    Position(#[from] Fault),
}

/// Plies before the end of a game that are looked at.
const LATEST: usize = 14;

/// Games that are played for each puzzle that is wanted, at most.
const GAMES_EACH: u64 = 100;

/// Makes puzzles that are not among the `known` ones, nor images of each other or of those: seeded games are played, and walked back from their ends as far as the prover knows. At
/// most one of a kind comes of a game, the one furthest from the end. `found` hears of each, and whether it wants more. The same seed gives the same puzzles.
///
/// # Errors
/// When the player is of no use.
pub fn make_puzzles(
    agents: &Catalogue,
    making: &Making,
    known: &[Puzzle],
    found: &mut dyn FnMut(&Puzzle) -> bool,
) -> Result<Vec<Puzzle>, MakingError> {
    let provers: Provers = vec![Arc::clone(&making.prover)];
    let ours = |puzzle: &&Puzzle| puzzle.game == making.spec.to_string();
    let mut seen = BTreeSet::new();
    for puzzle in known.iter().filter(ours) {
        seen.insert(canonical(&making.spec, &puzzle.table()?.position()));
    }
    let (mut made, mut number) = (Vec::new(), highest(making.spec.info().name, known));
    for game in 0..GAMES_EACH * making.count as u64 {
        for mut puzzle in of_game(agents, making, &provers, game)? {
            if made.len() < making.count && seen.insert(canonical(&making.spec, &puzzle.table()?.position())) {
                number += 1;
                puzzle.id = format!("{}-{number}", making.spec.info().name);
                let more = found(&puzzle);
                made.push(puzzle);
                if !more {
                    return Ok(made);
                }
            }
        }
        if made.len() >= making.count {
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

/// The puzzles of one game.
fn of_game(agents: &Catalogue, making: &Making, provers: &Provers, game: u64) -> Result<Vec<Puzzle>, MakingError> {
    let mut table = play(agents, making, mix(making.seed ^ mix(game)))?;
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for _ in 0..LATEST {
        if table.undo().is_none() {
            break;
        }
        // By itself, as it is written: without the history.
        let alone = making.spec.table_at(&table.position()).map_err(|error| Fault(error.to_string()))?;
        let Ok(known) = exact(provers, &*alone, &Limit::default()) else { break };
        let kind = kind_of(&known, &*alone, provers).filter(|kind| making.kind.is_none_or(|wanted| wanted == *kind));
        if let Some(kind) = kind {
            puzzles.retain(|puzzle| puzzle.kind != kind);
            puzzles.push(Puzzle::new(&*alone, kind, known.verdict.plies));
        }
    }
    Ok(puzzles)
}

/// A finished game of the player against itself.
fn play(agents: &Catalogue, making: &Making, seed: u64) -> Result<Box<dyn Table>, MakingError> {
    let mut seats =
        [agents.seat(&making.spec, making.agent, seed)?, agents.seat(&making.spec, making.agent, mix(seed))?];
    let mut table = making.spec.table();
    while table.end().is_none() {
        let seat = &mut seats[table.to_move().index()];
        let thought = seat.think(None, &table.moves(), &Limit::default(), &mut |_| {})?;
        table.try_play(&thought.mv).map_err(|error| Fault(error.to_string()))?;
    }
    Ok(table)
}
