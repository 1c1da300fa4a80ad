//! A game looked at again: what each move gave away.

use quintet_game::notation::Fault;
use quintet_game::record::Record;
use quintet_game::{AnyLine, Limit, Player, Proof, Stop};
use quintet_search::Report;

use crate::{Seat, ThinkError};

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
    /// Chances of a draw, where the analyst counts them or knows.
    pub draw: Option<f64>,
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
    /// How it would have stood after the analyst's own move, measured as `after` is.
    pub could: f64,
    /// What it gave away, from 0 to 1: `could` less `after`.
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
/// A move is compared with the analyst's own by the positions after them, both looked at with the same budget and weighed alike: a search thinks better of the move it has just
/// chosen than a search of the position after it does, so that any other measure would find a fault with every move, the analyst's own among them. The page's review has the same definition.
///
/// ```
/// use quintet_agent::{Class, review, seat};
/// use quintet_game::{Limit, Stop, record::Record};
/// // White could have ended with b1: on two columns a path is two pieces long.
/// let record = Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap();
/// let analyst = "mcts(visits=2000)";
/// let mut seat = seat(&record.spec, analyst, 1).unwrap();
/// let review = review(&mut *seat, analyst, &record, &Limit::default(), &Stop::never(), &mut |_, _| true).unwrap();
/// assert_eq!(review.plies[2].class, Class::WinThrownAway);
/// assert_eq!(review.plies[2].before.line.len(), 1);
/// ```
///
/// # Errors
/// When the record or the analyst is of no use, or the analyst fails.
pub fn review(
    seat: &mut dyn Seat,
    analyst: &str,
    record: &Record,
    limit: &Limit,
    stop: &Stop,
    progress: &mut dyn FnMut(&[Ply], usize) -> bool,
) -> Result<Review, ReviewError> {
    let (end, fault) = record.replay()?;
    let moves = end.moves();
    let mut table = match &record.from {
        Some(position) => record.spec.line_at(position).map_err(|error| Fault(error.to_string()))?,
        None => record.spec.line(),
    };
    let mut plies = Vec::new();
    let fault = fault.map(|fault| fault.to_string());
    if !progress(&plies, moves.len()) {
        return Ok(Review { plies, fault });
    }
    let mut analyst = Analyst { seat, name: analyst, limit, stop };
    let mut before = analyst.look(&*table)?;
    for mv in &moves {
        let player = table.to_move();
        table.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let next = analyst.look(&*table)?;
        let after = worth(&next, &*table, player);
        table.undo();
        let could = analyst.could(&mut *table, mv, &before, next.standing.proof, after)?;
        table.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let own = table.to_move() == player;
        plies.push(judged(player, mv, before.standing, [could, after], next.standing.proof, own));
        before = next;
        if !progress(&plies, moves.len()) {
            plies.pop();
            break;
        }
    }
    Ok(Review { plies, fault })
}

/// `next` is what is proven afterwards; `own` if that is seen by the player himself.
fn judged(player: Player, mv: &str, before: Standing, [could, after]: [f64; 2], next: Option<Proof>, own: bool) -> Ply {
    let loss = (could - after).clamp(0.0, 1.0);
    let still_won = if own { Proof::Win } else { Proof::Loss };
    let thrown = before.proof == Some(Proof::Win) && next.is_some_and(|proof| proof != still_won);
    let class = if thrown { Class::WinThrownAway } else { Class::of(loss) };
    Ply { player, mv: mv.to_owned(), before, after, could, loss, class }
}

/// A position that was looked at.
struct Looked {
    standing: Standing,
    /// The mean over all replies, by how often each was looked at: what the search before it counted for the move that led here.
    mean: f64,
}

/// What a position that was looked at is worth to a player.
fn worth(looked: &Looked, table: &dyn AnyLine, player: Player) -> f64 {
    if table.to_move() == player { looked.mean } else { 1.0 - looked.mean }
}

/// Who looks at positions, and with what budget.
struct Analyst<'a> {
    seat: &'a mut dyn Seat,
    name: &'a str,
    limit: &'a Limit,
    stop: &'a Stop,
}

impl Analyst<'_> {
    /// How a position stands for the side to move. A finished game is seen by the side that would be to move.
    fn look(&mut self, table: &dyn AnyLine) -> Result<Looked, ReviewError> {
        if let Some((outcome, _)) = table.end() {
            let proof = outcome.proof_for(table.to_move());
            let standing = Standing {
                score: score(proof),
                draw: Some(draw(proof)),
                proof: Some(proof),
                best: None,
                line: Vec::new(),
            };
            return Ok(Looked { standing, mean: score(proof) });
        }
        let mut last = None;
        let mut listen = |progress: &Report<String>| last = mean(progress);
        let choice = self.seat.think(table, self.limit, self.stop, &mut listen)?;
        let proof = choice.proof();
        let chances = || choice.chances.map(|[win, draw]| win + draw / 2.0);
        // A search that was stopped at once has counted nothing; nobody will hear of it.
        let found = proof.map(score).or_else(chances).or_else(|| self.stop.stopped().then_some(0.5));
        let found = found.ok_or_else(|| ReviewError::NoChances(self.name.to_owned()))?;
        let mean = last.filter(|_| proof.is_none()).unwrap_or(found);
        let draw = proof.map(draw).or(choice.chances.map(|[_, draw]| draw));
        let standing = Standing { score: found, draw, proof, best: Some(choice.mv), line: choice.line };
        Ok(Looked { standing, mean })
    }

    /// What the analyst's own move is worth to the side to move at the table, where `mv` was played, is worth `after` and leads to what is proven in `next`.
    fn could(
        &mut self,
        table: &mut dyn AnyLine,
        mv: &str,
        before: &Looked,
        next: Option<Proof>,
        after: f64,
    ) -> Result<f64, ReviewError> {
        let Standing { score, proof, best, .. } = &before.standing;
        let own = match best {
            Some(best) if proof.is_none() => best,
            _ => return Ok(*score),
        };
        // What is proven needs no comparison, even if the analyst would have played the same.
        if next.is_some() || (own != mv && Class::of(score - after) == Class::Fine) {
            return Ok(*score);
        }
        if own == mv {
            return Ok(after);
        }
        let player = table.to_move();
        table.try_play(own).map_err(|error| Fault(error.to_string()))?;
        let looked = self.look(table);
        let could = looked.map(|looked| worth(&looked, table, player));
        table.undo();
        could
    }
}

/// The mean over the root's moves by their visits; none from searches that count no visits.
fn mean(progress: &Report<String>) -> Option<f64> {
    let visits: u64 = progress.roots.iter().map(|root| root.visits).sum::<Option<u64>>()?;
    let sum: f64 = progress.roots.iter().map(|root| root.value * root.visits.unwrap_or(0) as f64).sum();
    (visits > 0).then(|| sum / visits as f64)
}

fn score(proof: Proof) -> f64 {
    match proof {
        Proof::Win => 1.0,
        Proof::Draw => 0.5,
        Proof::Loss => 0.0,
    }
}

fn draw(proof: Proof) -> f64 {
    f64::from(u8::from(proof == Proof::Draw))
}
