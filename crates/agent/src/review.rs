//! Analyses a finished game: what each move gave away.

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
    /// A proven win is no longer proven: the move allows a draw, or loses.
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

/// The assessment of a position for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The probability of a win plus half that of a draw.
    pub score: f64,
    /// The probability of a draw, if the analyst counts or knows it.
    pub draw: Option<f64>,
    /// The proven result, if known.
    pub proof: Option<Proof>,
    /// The move to make; `None` if the game is over.
    pub best: Option<String>,
    /// The expected line.
    pub line: Vec<String>,
}

/// The analysis of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Who made it.
    pub player: Player,
    /// The move.
    pub mv: String,
    /// The assessment before it, for the player who made it.
    pub before: Standing,
    /// The assessment after it, for the player who made it.
    pub after: f64,
    /// The assessment after the analyst's own move, measured like `after`.
    pub could: f64,
    /// What it gave away, from 0 to 1: `could` minus `after`.
    pub loss: f64,
    /// How bad that is.
    pub class: Class,
}

/// The analysis of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Its moves.
    pub plies: Vec<Ply>,
    /// What is wrong with the rest of the record, if anything.
    pub fault: Option<String>,
}

impl Review {
    /// A player's accuracy.
    #[must_use]
    pub fn accuracy(&self, player: Player) -> Option<f64> {
        accuracy(&self.plies, player)
    }
}

/// A player's accuracy: 100 minus the mean loss of their moves in per cent. `None` without moves.
#[must_use]
pub fn accuracy(plies: &[Ply], player: Player) -> Option<f64> {
    let losses: Vec<f64> = plies.iter().filter(|ply| ply.player == player).map(|ply| ply.loss).collect();
    (!losses.is_empty()).then(|| 100.0 * (1.0 - losses.iter().sum::<f64>() / losses.len() as f64))
}

/// Why a game cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The record is invalid.
    #[error("{0}")]
    Record(#[from] Fault),
    /// The analyst failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// The analyst does not estimate the probability of a win.
    #[error("{0} counts no wins, so it cannot estimate chances; mcts and puct can")]
    NoChances(String),
}

/// Analyses every position of a game with one analyst. `progress` is called with the moves analysed so far and their total
/// number: first with none, then with one more each time. If it returns false, the review ends without the last move, because a
/// stopped search has judged it too early.
///
/// A move is compared with the analyst's own by the positions after them, both searched with the same budget and weighed alike: a
/// search rates the move it has just chosen better than a search of the position after it does, so any other measure would find a
/// fault with every move, including the analyst's own. The page's review has the same definition.
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
/// When the record or the analyst is invalid, or the analyst fails.
pub fn review(
    seat: &mut dyn Seat,
    analyst: &str,
    record: &Record,
    limit: &Limit,
    stop: &Stop,
    progress: &mut dyn FnMut(&[Ply], usize) -> bool,
) -> Result<Review, ReviewError> {
    let mut reviewing = Reviewing::new(record)?;
    if progress(&[], reviewing.moves.len()) {
        while reviewing.step(seat, analyst, limit, stop)?.is_some() {
            if !progress(&reviewing.plies, reviewing.moves.len()) {
                reviewing.plies.pop();
                break;
            }
        }
    }
    Ok(reviewing.into_review())
}

/// A review that goes on one move at a time, so that other work can be done in between. [`review`] does all of it at once.
///
/// ```
/// use quintet_agent::{Reviewing, seat};
/// use quintet_game::{Limit, Stop, record::Record};
/// let record = Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap();
/// let mut seat = seat(&record.spec, "mcts(visits=200)", 1).unwrap();
/// let mut reviewing = Reviewing::new(&record).unwrap();
/// while let Some(ply) = reviewing.step(&mut *seat, "mcts", &Limit::default(), &Stop::never()).unwrap() {
///     println!("{} {}", ply.mv, ply.class.name());
/// }
/// assert_eq!(reviewing.into_review().plies.len(), 4);
/// ```
#[derive(Debug)]
pub struct Reviewing {
    line: Box<dyn AnyLine>,
    moves: Vec<String>,
    /// The assessment of the position that has been reached.
    before: Option<Looked>,
    plies: Vec<Ply>,
    fault: Option<String>,
}

impl Reviewing {
    /// Begins at the start of a game.
    ///
    /// # Errors
    /// When the record is invalid.
    pub fn new(record: &Record) -> Result<Reviewing, ReviewError> {
        let (end, fault) = record.replay()?;
        let line = match &record.from {
            Some(position) => record.spec.line_at(position).map_err(|error| Fault(error.to_string()))?,
            None => record.spec.line(),
        };
        let fault = fault.map(|fault| fault.to_string());
        Ok(Reviewing { line, moves: end.moves(), before: None, plies: Vec::new(), fault })
    }

    /// Analyses the next move, if there is one. If the search was stopped, the result came too early to be of use.
    ///
    /// # Errors
    /// When the analyst fails, or gives no winning chances.
    pub fn step(
        &mut self,
        seat: &mut dyn Seat,
        analyst: &str,
        limit: &Limit,
        stop: &Stop,
    ) -> Result<Option<&Ply>, ReviewError> {
        let Some(mv) = self.moves.get(self.plies.len()) else { return Ok(None) };
        let (line, mut analyst) = (&mut *self.line, Analyst { seat, name: analyst, limit, stop });
        let before = match self.before.take() {
            Some(before) => before,
            None => analyst.look(line)?,
        };
        let player = line.to_move();
        line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let next = analyst.look(line)?;
        let after = worth(&next, line, player);
        line.undo();
        let could = analyst.could(line, mv, &before, next.standing.proof, after)?;
        line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let own = line.to_move() == player;
        self.plies.push(judged(player, mv, before.standing, [could, after], next.standing.proof, own));
        self.before = Some(next);
        Ok(self.plies.last())
    }

    /// The moves analysed so far.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The analysis so far.
    #[must_use]
    pub fn into_review(self) -> Review {
        Review { plies: self.plies, fault: self.fault }
    }
}

/// `next` is what is proven afterwards; `own` if it is seen from the player's own side.
fn judged(player: Player, mv: &str, before: Standing, [could, after]: [f64; 2], next: Option<Proof>, own: bool) -> Ply {
    let loss = (could - after).clamp(0.0, 1.0);
    let still_won = if own { Proof::Win } else { Proof::Loss };
    let thrown = before.proof == Some(Proof::Win) && next.is_some_and(|proof| proof != still_won);
    let class = if thrown { Class::WinThrownAway } else { Class::of(loss) };
    Ply { player, mv: mv.to_owned(), before, after, could, loss, class }
}

/// An analysed position.
#[derive(Debug)]
struct Looked {
    standing: Standing,
    /// The mean over all replies, weighted by their visits: what the search before counted for the move that led here.
    mean: f64,
}

/// The value of an analysed position for a player.
fn worth(looked: &Looked, line: &dyn AnyLine, player: Player) -> f64 {
    if line.to_move() == player { looked.mean } else { 1.0 - looked.mean }
}

/// The analyst and its budget.
struct Analyst<'a> {
    seat: &'a mut dyn Seat,
    name: &'a str,
    limit: &'a Limit,
    stop: &'a Stop,
}

impl Analyst<'_> {
    /// The assessment of a position for the side to move. A finished game is seen from the side that would be to move.
    fn look(&mut self, line: &dyn AnyLine) -> Result<Looked, ReviewError> {
        if let Some((outcome, _)) = line.end() {
            let proof = outcome.proof_for(line.to_move());
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
        let choice = self.seat.think(line, self.limit, self.stop, &mut listen)?;
        let proof = choice.proof();
        let chances = || choice.chances.map(|[win, draw]| win + draw / 2.0);
        // A search that was stopped at once has counted nothing; its result is never reported.
        let found = proof.map(score).or_else(chances).or_else(|| self.stop.stopped().then_some(0.5));
        let found = found.ok_or_else(|| ReviewError::NoChances(self.name.to_owned()))?;
        let mean = last.filter(|_| proof.is_none()).unwrap_or(found);
        let draw = proof.map(draw).or(choice.chances.map(|[_, draw]| draw));
        let standing = Standing { score: found, draw, proof, best: Some(choice.mv), line: choice.line };
        Ok(Looked { standing, mean })
    }

    /// The value of the analyst's own move for the side to move of this line, where `mv` was played, has the value `after` and leads to what is proven in
    /// `next`.
    fn could(
        &mut self,
        line: &mut dyn AnyLine,
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
        // A proven result needs no comparison, even if the analyst would have played the same.
        if next.is_some() || (own != mv && Class::of(score - after) == Class::Fine) {
            return Ok(*score);
        }
        if own == mv {
            return Ok(after);
        }
        let player = line.to_move();
        line.try_play(own).map_err(|error| Fault(error.to_string()))?;
        let looked = self.look(line);
        let could = looked.map(|looked| worth(&looked, line, player));
        line.undo();
        could
    }
}

/// The mean over the root's moves by their visits; `None` if the search counts no visits.
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
