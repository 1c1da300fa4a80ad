//! A game looked at again: what each move gave away.

use quintet_eval::CallError;
use quintet_game::notation::Fault;
use quintet_game::record::Record;
use quintet_game::{Outcome, Player, Table};
use quintet_search::{Limit, Proof};

use crate::{Catalogue, Seat, ThinkError};

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Less than 0.05 of a win was given away.
    Fine,
    /// Less than 0.15.
    Inaccuracy,
    /// Less than 0.3.
    Mistake,
    /// More.
    Blunder,
    /// A win that was proven is proven no more: the move allows a draw, or loses.
    WinThrownAway,
}

impl Class {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Fine => "fine",
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
            Class::WinThrownAway => "win thrown away",
        }
    }

    fn of(loss: f64) -> Class {
        match loss {
            loss if loss < 0.05 => Class::Fine,
            loss if loss < 0.15 => Class::Inaccuracy,
            loss if loss < 0.3 => Class::Mistake,
            _ => Class::Blunder,
        }
    }
}

/// How a position stands for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Chances of a win, and half of those of a draw.
    pub score: f64,
    /// The truth, where it is known.
    pub proof: Option<Proof>,
    /// The move to make; none when the game is over.
    pub best: Option<String>,
    /// The line expected.
    pub line: Vec<String>,
}

/// A move looked at again.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Who made it.
    pub player: Player,
    /// The move.
    pub mv: String,
    /// How it stood before, for who made it.
    pub before: Standing,
    /// How it stood afterwards, for who made it.
    pub after: f64,
    /// What it gave away, from 0 to 1.
    pub loss: f64,
    /// How bad that is.
    pub class: Class,
}

/// A game looked at again.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Its moves.
    pub plies: Vec<Ply>,
    /// What is wrong with the record after them, if anything.
    pub fault: Option<String>,
}

impl Review {
    /// How exact a player was: 100 less the mean loss of their moves in per cent. None without moves.
    #[must_use]
    pub fn accuracy(&self, player: Player) -> Option<f64> {
        let losses: Vec<f64> = self.plies.iter().filter(|ply| ply.player == player).map(|ply| ply.loss).collect();
        (!losses.is_empty()).then(|| 100.0 * (1.0 - losses.iter().sum::<f64>() / losses.len() as f64))
    }
}

/// Why a game cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The analyst cannot be had.
    #[error(transparent)]
    Spec(#[from] CallError),
    /// The record makes no sense.
    #[error("{0}")]
    Record(#[from] Fault),
    /// The analyst failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// The analyst does not say how likely a win is.
    #[error("{0} counts no wins, so nothing can be said about chances; mcts and puct do")]
    NoChances(String),
}

/// Looks at every position of a game again with one analyst. `progress` hears of the moves that have been judged, as they are, and of how many there are: first of
/// none, then of one more each time. When it says no, the review ends without the move it was told of last, since a search that was stopped has judged it too soon.
///
/// ```
/// use quintet_agent::{Catalogue, Class, review};
/// use quintet_game::record::Record;
/// use quintet_search::Limit;
/// // White could have ended with b1: on two columns a path is two pieces long.
/// let record = Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap();
/// let analyst = "mcts(visits=2000)";
/// let review = review(Catalogue::embedded(), &record, analyst, &Limit::default(), 1, &mut |_, _| true).unwrap();
/// assert_eq!(review.plies[2].class, Class::WinThrownAway);
/// assert_eq!(review.plies[2].before.line.len(), 1);
/// ```
///
/// # Errors
/// When the record or the analyst is of no use, or the analyst fails.
pub fn review(
    agents: &Catalogue,
    record: &Record,
    analyst: &str,
    limit: &Limit,
    seed: u64,
    progress: &mut dyn FnMut(&[Ply], usize) -> bool,
) -> Result<Review, ReviewError> {
    let (end, fault) = record.replay()?;
    let moves = end.moves();
    let mut table = match &record.from {
        Some(position) => record.spec.table_at(position).map_err(|error| Fault(error.to_string()))?,
        None => record.spec.table(),
    };
    let mut seat = agents.seat(&record.spec, analyst, seed)?;
    let mut plies = Vec::new();
    let fault = fault.map(|fault| fault.to_string());
    if !progress(&plies, moves.len()) {
        return Ok(Review { plies, fault });
    }
    let mut before = stands(&mut *seat, &*table, analyst, limit)?;
    for mv in &moves {
        let player = table.to_move();
        table.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let next = stands(&mut *seat, &*table, analyst, limit)?;
        let own = table.to_move() == player;
        plies.push(judged(player, mv, before, &next, own));
        before = next;
        if !progress(&plies, moves.len()) {
            plies.pop();
            break;
        }
    }
    Ok(Review { plies, fault })
}

/// `next` is how it stands afterwards; `own` if that is seen by the player himself.
fn judged(player: Player, mv: &str, before: Standing, next: &Standing, own: bool) -> Ply {
    let after = if own { next.score } else { 1.0 - next.score };
    // The analyst's own first choice gives nothing away, whatever it finds out later.
    let loss = if before.best.as_deref() == Some(mv) { 0.0 } else { (before.score - after).clamp(0.0, 1.0) };
    let still_won = if own { Proof::Win } else { Proof::Loss };
    let thrown = before.proof == Some(Proof::Win) && next.proof.is_some_and(|proof| proof != still_won);
    let class = if thrown { Class::WinThrownAway } else { Class::of(loss) };
    Ply { player, mv: mv.to_owned(), before, after, loss, class }
}

/// How a position stands for the side to move. A finished game is seen by the side that would be to move.
fn stands(seat: &mut dyn Seat, table: &dyn Table, analyst: &str, limit: &Limit) -> Result<Standing, ReviewError> {
    if let Some((outcome, _)) = table.end() {
        let proof = match outcome {
            Outcome::Draw => Proof::Draw,
            Outcome::Win(player) if player == table.to_move() => Proof::Win,
            Outcome::Win(_) => Proof::Loss,
        };
        return Ok(Standing { score: score(proof), proof: Some(proof), best: None, line: Vec::new() });
    }
    let thought = seat.think(table.begun_from().as_deref(), &table.moves(), limit, &mut |_| {})?;
    let chances = || thought.chances.map(|[win, draw]| win + draw / 2.0);
    // A search that was stopped at once has counted nothing; nobody will hear of it.
    let score = thought.proof.map(score).or_else(chances).or_else(|| limit.stopped().then_some(0.5));
    let score = score.ok_or_else(|| ReviewError::NoChances(analyst.to_owned()))?;
    Ok(Standing { score, proof: thought.proof, best: Some(thought.mv), line: thought.line })
}

fn score(proof: Proof) -> f64 {
    match proof {
        Proof::Win => 1.0,
        Proof::Draw => 0.5,
        Proof::Loss => 0.0,
    }
}
