//! One game, and what is learned from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintet_game::record::Record;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Playable, Player, Rng};
use quintet_search::{Quiet, Search};
use rand_core::Rng as _;

use super::recipe::{Boards, Mode, Parameters};
use super::student::{Features, Student, worth};

/// A game of more plies is a draw.
const MAX_PLIES: usize = 400;

/// Who sits opposite.
pub(super) enum Rival<'a, G: Game> {
    /// An agent, and how long it thinks.
    Agent(Box<dyn Search<G>>, Limit),
    /// The student as it was.
    Twin(&'a dyn Student<G>),
}

/// A game from which a student learns.
pub(super) struct Lesson<'a, G: Playable> {
    game: Arc<G>,
    parameters: &'a Parameters,
    eta: f64,
    student: &'a mut dyn Student<G>,
    /// The features of the last board that it learned from.
    before: Option<Features>,
    /// The sum of those of all its turns, decayed by lambda per turn.
    trace: BTreeMap<u32, f64>,
    turns: u64,
    errors: f64,
}

impl<'a, G: Playable> Lesson<'a, G> {
    pub fn new(game: Arc<G>, parameters: &'a Parameters, eta: f64, student: &'a mut dyn Student<G>) -> Lesson<'a, G> {
        let trace = BTreeMap::new();
        Lesson { game, parameters, eta, student, before: None, trace, turns: 0, errors: 0.0 }
    }

    /// Changes made, and the sum of their absolute errors.
    pub fn errors(&self) -> (u64, f64) {
        (self.turns, self.errors)
    }

    /// Plays a game from this seat and learns from it. True if the student won.
    pub fn play(&mut self, seat: Player, top: u32, mut rival: Rival<G>, rng: &mut Rng) -> bool {
        let mut line = Line::new(self.game.clone());
        loop {
            let end = match line.outcome() {
                Some(outcome) => Some(self.as_counted(line.position(), outcome)),
                None => (line.plies() >= MAX_PLIES).then_some(Outcome::Draw),
            };
            if end.is_some() || self.counts(line.to_move(), seat, line.plies()) {
                self.turn(line.position(), seat, end);
            }
            if let Some(outcome) = end {
                return outcome == Outcome::Win(seat);
            }
            let mv = match &mut rival {
                _ if line.to_move() == seat => self.choose(&*self.student, line.position(), rank(top, rng), rng),
                Rival::Twin(twin) => self.choose(*twin, line.position(), 0, rng),
                Rival::Agent(search, limit) => search.think(&line, limit, &mut Quiet).mv,
            };
            line.play(mv);
        }
    }

    /// Learns from both sides of a record.
    pub fn read(&mut self, spec: &GameSpec, record: &str) -> Result<(), String> {
        let record = Record::read(record).map_err(|fault| fault.to_string())?;
        if record.spec != *spec {
            return Err(format!("it is a game of {}, not of {spec}.", record.spec));
        }
        let outcome = record.result.ok_or("it has no result.")?;
        let mut line = match &record.from {
            None => Line::new(self.game.clone()),
            Some(text) => {
                let pos = self.game.read_position(text).map_err(|error| error.to_string())?;
                Line::from_position(self.game.clone(), pos)
            }
        };
        let mut positions = vec![line.position().clone()];
        for mv in &record.moves {
            line.try_play(mv).map_err(|error| error.to_string())?;
            positions.push(line.position().clone());
        }
        let (last, others) = positions.split_last().expect("there is a first one");
        let outcome = self.as_counted(last, outcome);
        for view in Player::BOTH {
            (self.before, self.trace) = (None, BTreeMap::new());
            for (ply, pos) in others.iter().enumerate() {
                if self.counts(self.game.to_move(pos), view, ply) {
                    self.turn(pos, view, None);
                }
            }
            self.turn(last, view, Some(outcome));
        }
        Ok(())
    }

    /// Whether it learns from a board with this side to move. Nobody has moved before the first.
    fn counts(&self, to_move: Player, view: Player, ply: usize) -> bool {
        match self.parameters.boards() {
            Boards::Before => to_move == view,
            Boards::After => to_move != view && ply > 0,
        }
    }

    /// The result that counts: as programmed, a full board is a draw, whatever lies on it.
    fn as_counted(&self, pos: &G::Pos, outcome: Outcome) -> Outcome {
        let full = self.game.pieces(pos) == self.game.cells();
        if full && self.parameters.mode == Mode::AsProgrammed { Outcome::Draw } else { outcome }
    }

    /// The utility of an ending.
    fn utility(&self, outcome: Outcome, view: Player) -> f64 {
        outcome.winner().map_or(
            0.0,
            |winner| {
                if winner == view { self.parameters.utility } else { -self.parameters.utility }
            },
        )
    }

    /// The student's next turn, or the end: moves the weights towards what it is worth.
    fn turn(&mut self, pos: &G::Pos, view: Player, end: Option<Outcome>) {
        let now = self.student.look(&self.game, pos, view);
        if let Some(before) = self.before.take() {
            // The value of the last board contains its utility; the program adds that once more.
            let times = if self.parameters.mode == Mode::AsProgrammed { 2.0 } else { 1.0 };
            let utility = end.map_or(0.0, |outcome| times * self.utility(outcome, view));
            let counts = end.is_none() || self.parameters.end_value();
            let value = if counts { worth(&*self.student, &now) } else { 0.0 };
            let error = value + utility - worth(&*self.student, &before);
            self.learn(&before, self.eta * error);
            self.turns += 1;
            self.errors += error.abs();
        }
        self.before = Some(now);
    }

    fn learn(&mut self, before: &Features, step: f64) {
        if self.parameters.lambda == 0.0 {
            before.iter().for_each(|(feature, value)| self.student.add(*feature, step * value));
            return;
        }
        self.trace.values_mut().for_each(|value| *value *= self.parameters.lambda);
        for (feature, value) in before {
            *self.trace.entry(*feature).or_insert(0.0) += value;
        }
        self.trace.iter().for_each(|(feature, value)| self.student.add(*feature, step * value));
    }

    /// The move of this rank by the value of the board after it; equals are in random order.
    fn choose(&self, player: &dyn Student<G>, pos: &G::Pos, rank: usize, rng: &mut Rng) -> G::Move {
        let view = self.game.to_move(pos);
        let mut moves = Vec::new();
        self.game.moves(pos, &mut moves);
        let mut scored: Vec<(f64, u64, G::Move)> = moves
            .into_iter()
            .map(|mv| {
                let mut next = pos.clone();
                self.game.play(&mut next, mv);
                let end = self.game.outcome(&next).map(|outcome| self.as_counted(&next, outcome));
                let utility = end.map_or(0.0, |outcome| self.utility(outcome, view));
                (player.value(&self.game, &next, view) + utility, rng.next_u64(), mv)
            })
            .collect();
        // As many moves as there are: beyond them it is the best.
        let rank = if rank < scored.len() { rank } else { 0 };
        scored.select_nth_unstable_by(rank, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))).1.2
    }
}

/// Which of its best moves the student plays: the best with probability 1/2, the second with 1/4, and so on among the `top` best, then
/// the best again.
fn rank(top: u32, rng: &mut Rng) -> usize {
    let rank = rng.next_u64().leading_ones();
    if rank < top { rank as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::SeedableRng;

    /// A half, a quarter, an eighth, and what is left to the best.
    #[test]
    fn ranks_halve() {
        let mut rng = Rng::seed_from_u64(1);
        let mut counts = [0.0; 4];
        let draws = 80_000;
        (0..draws).for_each(|_| counts[rank(3, &mut rng)] += 1.0);
        for (count, wanted) in counts.into_iter().zip([0.5 + 0.125, 0.25, 0.125, 0.0]) {
            assert!((count / f64::from(draws) - wanted).abs() < 0.01, "{counts:?}");
        }
        assert!((0..100).all(|_| rank(1, &mut rng) == 0));
    }
}
