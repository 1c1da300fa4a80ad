//! Analyses a finished game: what each move gave away.

use quintet_game::notation::Fault;
use quintet_game::record::Record;
use quintet_game::{AnyLine, Limit, Player, Proof, Stop, Value};
use quintet_search::Report;

use crate::advice::{chances, share};
use crate::{Adviser, Exact, ThinkError};

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Less than 0.05 of a win was given away.
    Fine,
    /// Less than 0.15.
    Inaccuracy,
    /// Less than 0.3.
    Mistake,
    /// More; or the game is proven lost now, and was not before.
    Blunder,
    /// The position before was proven won, the one after it is proven not to be: the move allows a draw, or loses.
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
    /// The probability of a draw, if the reviewing agent counts or knows it.
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
    /// The assessment after the reviewing agent's own move, measured like `after`.
    pub could: f64,
    /// What it gave away, from 0 to 1: `could` minus `after`.
    pub loss: f64,
    /// How bad that is.
    pub class: Class,
}

/// The analysis of a game.
///
/// ```
/// use quintet_agent::{Catalogue, review};
/// use quintet_game::{Limit, Player, Stop, record::Record};
/// let record = Record::read("pylos; 1.1b2 2.1c3; *").unwrap();
/// let mut adviser = Catalogue::embedded().adviser(&record.spec, Some("mcts"), 1).unwrap();
/// let review = review(&mut adviser, "mcts", &record, &Limit::visits(50), &Stop::never(), &mut |_, _| true).unwrap();
/// assert_eq!((review.plies.len(), review.fault.as_deref()), (2, None));
/// assert!(review.accuracy(Player::First).is_some());
/// ```
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

/// How fast the accuracy of a move falls with what it gave away. Measured on games between levels: see docs/review.md.
const STEEPNESS: f64 = 4.0;

/// The accuracy of a move that gave away this much of a win, in per cent.
fn move_accuracy(loss: f64) -> f64 {
    100.0 * (-STEEPNESS * loss).exp()
}

/// A player's accuracy in per cent: the mean of the arithmetic and the harmonic mean of their moves' accuracies, so that one decisive mistake counts also among
/// many good moves. `None` without moves.
#[must_use]
pub fn accuracy(plies: &[Ply], player: Player) -> Option<f64> {
    let own = || plies.iter().filter(|ply| ply.player == player).map(|ply| move_accuracy(ply.loss));
    let count = own().count() as f64;
    let (sum, inverse) = own().fold((0.0, 0.0), |(sum, inverse), of| (sum + of, inverse + 1.0 / of));
    (count > 0.0).then(|| f64::midpoint(sum / count, count / inverse))
}

/// Why a game cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The record is invalid.
    #[error("{0}")]
    Record(#[from] Fault),
    /// The reviewing agent failed.
    #[error(transparent)]
    Think(#[from] ThinkError),
    /// The reviewing agent does not estimate the probability of a win.
    #[error("{0} counts no wins, so it cannot estimate chances; mcts and puct can")]
    NoChances(String),
}

/// Analyses every position of a game: first what the adviser's provers know, from the end to the start, then the moves. `progress` is called with the moves analysed so far and their total
/// number: first with none, then with one more each time. If it returns false, the review ends without the last move, because a
/// stopped search has judged it too early.
///
/// A move is compared with the reviewing agent's own by the positions after them, both searched with the same budget and weighed alike: a
/// search rates the move it has just chosen better than a search of the position after it does, so any other measure would find a
/// fault with every move, including the reviewing agent's own. The page's review has the same definition.
///
/// What is proven counts before any estimate, and is backed up: a position from which a move was made into a lost one is won. A move that turns a proven win or draw
/// into less is a blunder, or a win thrown away.
///
/// ```
/// use quintet_agent::{Catalogue, Class, review};
/// use quintet_game::{Limit, Stop, record::Record};
/// // White could have ended with b1: on two columns a path is two pieces long.
/// let record = Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap();
/// let analyst = "mcts(visits=2000)";
/// let mut adviser = Catalogue::embedded().adviser(&record.spec, Some(analyst), 1).unwrap();
/// let review = review(&mut adviser, analyst, &record, &Limit::default(), &Stop::never(), &mut |_, _| true).unwrap();
/// assert_eq!(review.plies[2].class, Class::WinThrownAway);
/// assert_eq!(review.plies[2].before.line.len(), 1);
/// ```
///
/// # Errors
/// When the record or the reviewing agent is invalid, or the reviewing agent fails.
pub fn review(
    adviser: &mut Adviser,
    analyst: &str,
    record: &Record,
    limit: &Limit,
    stop: &Stop,
    progress: &mut dyn FnMut(&[Ply], usize) -> bool,
) -> Result<Review, ReviewError> {
    let mut reviewing = Reviewing::new(record)?;
    if progress(&[], reviewing.moves.len()) {
        while reviewing.prove(adviser, limit, stop)? {}
        while reviewing.step(adviser, analyst, limit, stop)?.is_some() {
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
/// use quintet_agent::{Catalogue, Reviewing};
/// use quintet_game::{Limit, Stop, record::Record};
/// let record = Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap();
/// let mut adviser = Catalogue::embedded().adviser(&record.spec, Some("mcts(visits=200)"), 1).unwrap();
/// let mut reviewing = Reviewing::new(&record).unwrap();
/// while reviewing.prove(&adviser, &Limit::default(), &Stop::never()).unwrap() {}
/// while let Some(ply) = reviewing.step(&mut adviser, "mcts", &Limit::default(), &Stop::never()).unwrap() {
///     println!("{} {}", ply.mv, ply.class.name());
/// }
/// assert_eq!(reviewing.into_review().plies.len(), 4);
/// ```
#[derive(Debug)]
pub struct Reviewing {
    line: Box<dyn AnyLine>,
    moves: Vec<String>,
    /// What is proven of the last positions, from the end backwards.
    proven: Vec<Option<Exact>>,
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
        Ok(Reviewing { line, moves: end.moves(), proven: Vec::new(), before: None, plies: Vec::new(), fault })
    }

    /// Proves one more position, from the end of the game to its start; false once all have been looked at. Without it, moves are judged by the reviewing agent alone.
    ///
    /// # Errors
    /// When a move cannot be played.
    pub fn prove(&mut self, adviser: &Adviser, limit: &Limit, stop: &Stop) -> Result<bool, ReviewError> {
        let Some(left) = self.moves.len().checked_sub(self.proven.len()) else { return Ok(false) };
        let mut line = self.line.boxed_clone();
        for mv in &self.moves[self.plies.len().min(left)..left] {
            line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        }
        let known = adviser.proof(&*line, limit, stop).or_else(|| {
            let (mv, after) = (self.moves.get(left)?, self.proven.last()?.as_ref()?);
            let player = line.to_move();
            line.try_play(mv).ok()?;
            let value = value_for(after.value, line.to_move() == player);
            let moves = vec![(mv.clone(), value)];
            value.is_win().then(|| Exact { value, by: after.by.clone(), moves, complete: false, all_best: false })
        });
        self.proven.push(known);
        Ok(true)
    }

    /// What is proven of the position after this many moves.
    fn proof(&self, plies: usize) -> Option<&Exact> {
        self.proven.get(self.moves.len().checked_sub(plies)?)?.as_ref()
    }

    /// Analyses the next move, if there is one. If the search was stopped, the result came too early to be of use.
    ///
    /// # Errors
    /// When the reviewing agent fails, or gives no winning chances.
    pub fn step(
        &mut self,
        adviser: &mut Adviser,
        analyst: &str,
        limit: &Limit,
        stop: &Stop,
    ) -> Result<Option<&Ply>, ReviewError> {
        let at = self.plies.len();
        let known = [at, at + 1].map(|plies| self.proof(plies).cloned());
        let Some(mv) = self.moves.get(at) else { return Ok(None) };
        let (line, mut analyst) = (&mut *self.line, Analyst { adviser, name: analyst, limit, stop });
        let before = match self.before.take() {
            Some(before) => before,
            None => analyst.look(line, known[0].as_ref())?,
        };
        let player = line.to_move();
        line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
        let own = line.to_move() == player;
        let mut next = analyst.look(line, known[1].as_ref())?;
        // What is proven of a move is proven of the position after it.
        let listed = known[0].as_ref().and_then(|known| known.moves.iter().find(|(of, _)| of == mv));
        if let Some((_, value)) = listed.filter(|_| next.standing.proof.is_none()) {
            next.prove(value_for(*value, own).proof);
        }
        let after = worth(&next, line, player);
        line.undo();
        let could = analyst.could(line, mv, &before, next.standing.proof, after)?;
        line.try_play(mv).map_err(|error| Fault(error.to_string()))?;
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

/// A value for a player, who is to move in the position if it is their `own`.
fn value_for(value: Value, own: bool) -> Value {
    if own { Value { plies: value.plies.map(|plies| plies + 1), ..value } } else { value.before() }
}

/// `next` is what is proven afterwards; `own` if it is seen from the player's own side.
fn judged(player: Player, mv: &str, before: Standing, [could, after]: [f64; 2], next: Option<Proof>, own: bool) -> Ply {
    let loss = (could - after).clamp(0.0, 1.0);
    let next = next.map(|proof| value_for(proof.into(), own).proof);
    let class = match (before.proof, next) {
        (Some(Proof::Win), Some(Proof::Draw | Proof::Loss)) => Class::WinThrownAway,
        (Some(Proof::Draw), Some(Proof::Loss)) => Class::Blunder,
        // The last chance is gone, however small the reviewing agent thought it was.
        (None, Some(Proof::Loss)) if Class::of(loss) > Class::Fine => Class::Blunder,
        _ => Class::of(loss),
    };
    Ply { player, mv: mv.to_owned(), before, after, could, loss, class }
}

/// An analysed position.
#[derive(Debug)]
struct Looked {
    standing: Standing,
    /// The mean over all replies, weighted by their visits: what the search before counted for the move that led here.
    mean: f64,
}

impl Looked {
    /// The same with a proof.
    fn prove(&mut self, proof: Proof) {
        self.mean = share(proof);
        self.standing =
            Standing { score: self.mean, draw: Some(chances(proof)[1]), proof: Some(proof), ..self.standing.clone() };
    }
}

/// The value of an analysed position for a player.
fn worth(looked: &Looked, line: &dyn AnyLine, player: Player) -> f64 {
    if line.to_move() == player { looked.mean } else { 1.0 - looked.mean }
}

/// The reviewing agent and its budget.
struct Analyst<'a> {
    adviser: &'a mut Adviser,
    name: &'a str,
    limit: &'a Limit,
    stop: &'a Stop,
}

impl Analyst<'_> {
    /// The assessment of a position, of which `known` is proven, for the side to move. A finished game is seen from the side that would be to move.
    fn look(&mut self, line: &dyn AnyLine, known: Option<&Exact>) -> Result<Looked, ReviewError> {
        if let Some((outcome, _)) = line.end() {
            let proof = outcome.proof_for(line.to_move());
            let standing = Standing {
                score: share(proof),
                draw: Some(chances(proof)[1]),
                proof: Some(proof),
                best: None,
                line: Vec::new(),
            };
            return Ok(Looked { standing, mean: share(proof) });
        }
        let mut last = None;
        let mut listen = |progress: &Report<String>| last = mean(progress);
        let choice = self.adviser.think_with(line, known, self.limit, self.stop, &mut listen)?;
        let proof = choice.proof();
        let estimate = || choice.chances.map(|[win, draw]| win + draw / 2.0);
        // A search that was stopped at once has counted nothing; its result is never reported.
        let found = proof.map(share).or_else(estimate).or_else(|| self.stop.stopped().then_some(0.5));
        let found = found.ok_or_else(|| ReviewError::NoChances(self.name.to_owned()))?;
        let mean = last.filter(|_| proof.is_none()).unwrap_or(found);
        let draw = proof.map(|proof| chances(proof)[1]).or(choice.chances.map(|[_, draw]| draw));
        let standing = Standing { score: found, draw, proof, best: Some(choice.mv), line: choice.line };
        Ok(Looked { standing, mean })
    }

    /// The value of the reviewing agent's own move for the side to move of this line, where `mv` was played, has the value `after` and leads to what is proven in
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
        // A proven result needs no comparison, even if the reviewing agent would have played the same.
        if next.is_some() || (own != mv && Class::of(score - after) == Class::Fine) {
            return Ok(*score);
        }
        if own == mv {
            return Ok(after);
        }
        let player = line.to_move();
        line.try_play(own).map_err(|error| Fault(error.to_string()))?;
        let known = self.adviser.proof(line, self.limit, self.stop);
        let looked = self.look(line, known.as_ref());
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
