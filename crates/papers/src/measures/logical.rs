//! Pentago-Twist: whether the moves of the report's player look logical, and whether they are right.

use std::cmp::Ordering;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, judge_claim, ratio};
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::record::Record;
use quintet_game::{Game, GameSpec, Line, Player};

use super::costs::games_of;
use super::{Effort, Follower, Measured, judged, truth, twist};

const GAME: &str = "pentago-twist";

/// The report's player, by a clock of nodes that it never reaches.
const PLAYERS: [(&str, &str); 2] = [
    ("printed", "pentago-twist:paper(nodes=50000000)"),
    ("as-programmed", "pentago-twist:paper(mode=as-programmed,nodes=50000000)"),
];

/// Marbles on the boards that are solved.
const MARBLES: [u32; 7] = [24, 25, 26, 27, 28, 29, 30];

/// Random plies before the players take over.
const OPENING: u32 = 2;

/// The lines whose runs the report counts: rows, columns, and each of the long diagonals.
struct Lines([Vec<Vec<(i32, i32)>>; 4]);

impl Lines {
    fn new() -> Lines {
        let mut whole = twist::lines();
        whole.retain(|line| line.len() == 6);
        let mut part = |count: usize| whole.drain(..count).collect();
        Lines([part(6), part(6), part(1), part(1)])
    }

    /// The longest run of a side in each of the four.
    fn longest(&self, pos: &Position, player: Player) -> [usize; 4] {
        let longest = |line: &Vec<(i32, i32)>| {
            let own = |(x, y): &(i32, i32)| pos.at(*x as usize, *y as usize) == Some(player);
            line.split(|cell| !own(cell)).map(<[_]>::len).max().unwrap_or(0)
        };
        self.0.each_ref().map(|lines| lines.iter().map(longest).max().unwrap_or(0))
    }

    /// Does a move lengthen an own run, and does it shorten one of the opponent's?
    fn effect(&self, game: &Pentago, pos: &Position, mv: Move) -> [bool; 2] {
        let mover = game.to_move(pos);
        let mut next = *pos;
        game.play(&mut next, mv);
        let pairs = |player| self.longest(pos, player).into_iter().zip(self.longest(&next, player));
        [pairs(mover).any(|(was, is)| is > was), pairs(mover.other()).any(|(was, is)| is < was)]
    }
}

/// Moves by what they do: all of them, those that lengthen or shorten, those that do both.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    all: u64,
    either: u64,
    both: u64,
    /// The chances of a random move in the same positions, added up.
    either_by_chance: f64,
    both_by_chance: f64,
}

impl Counts {
    fn count(&mut self, lines: &Lines, game: &Pentago, pos: &Position, mv: Move) {
        let mut moves = Vec::new();
        game.moves(pos, &mut moves);
        let effects: Vec<[bool; 2]> = moves.iter().map(|mv| lines.effect(game, pos, *mv)).collect();
        let share = |does: fn(&&[bool; 2]) -> bool| effects.iter().filter(does).count() as f64 / effects.len() as f64;
        self.either_by_chance += share(|[longer, shorter]| *longer || *shorter);
        self.both_by_chance += share(|[longer, shorter]| *longer && *shorter);
        let [longer, shorter] = lines.effect(game, pos, mv);
        self.all += 1;
        self.either += u64::from(longer || shorter);
        self.both += u64::from(longer && shorter);
    }
}

/// What the moves of each game do; those that the opening drew do not count.
fn counts(records: impl Iterator<Item = Record>) -> Vec<Counts> {
    let (game, lines) = (Arc::new(Pentago::twist()), Lines::new());
    let of_game = |record: Record| {
        let mut counts = Counts::default();
        let mut line = Line::new(game.clone());
        for (ply, text) in record.moves.iter().enumerate() {
            let before = *line.position();
            let Ok(mv) = line.try_play(text) else { break };
            if ply >= OPENING as usize {
                counts.count(&lines, &game, &before, mv);
            }
        }
        counts
    };
    records.map(of_game).collect()
}

/// The interval of a share of moves. Those of one game resemble each other, so a game is a sample.
fn interval(games: &[Counts], does: fn(&Counts) -> u64) -> Option<Interval> {
    let samples: Vec<(f64, f64)> = games.iter().map(|counts| (does(counts) as f64, counts.all as f64)).collect();
    let (_, Interval { low, high }) = ratio(&samples)?;
    Some(Interval { low: low.max(0.0), high: high.min(1.0) })
}

/// How many moves are logical in the report's sense, and how many lose value.
pub fn logical(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Ok(spec) = GameSpec::parse(GAME) else { return Vec::new() };
    let mut rows = Vec::new();
    for (mode, agent) in PLAYERS {
        let Some(results) = games_of(agents, GAME, [agent, agent], OPENING, effort, follower) else {
            return Vec::new();
        };
        let games = counts(results.games.iter().filter_map(|played| Record::read(&played.record).ok()));
        let all: u64 = games.iter().map(|counts| counts.all).sum();
        let mut row = |what: &str, paper: &str, does: fn(&Counts) -> u64, chance: fn(&Counts) -> f64, often: bool| {
            let interval = interval(&games, does);
            let (verdict, held) = if often {
                judge_claim(Ordering::Greater, 0.5, interval)
            } else {
                (Verdict::OursOnly, "the report defines no logical move".into())
            };
            let chance = 100.0 * games.iter().map(chance).sum::<f64>() / all.max(1) as f64;
            let reason = format!(
                "{held}; a random move in the same positions does in {chance:.0} %; the interval is over games"
            );
            let ours = format!("{} of {all} moves", games.iter().map(does).sum::<u64>());
            let row = judged(format!("{mode}: {what}"), paper, ours, all, verdict, &reason);
            rows.push(Measured { interval, ..row });
        };
        let what = "moves that lengthen an own run or shorten one of the opponent's";
        row(what, "every move appears logical", |counts| counts.either, |counts| counts.either_by_chance, false);
        let what = "moves that do both";
        row(what, "often", |counts| counts.both, |counts| counts.both_by_chance, true);
    }
    let players = PLAYERS.map(|(_, agent)| agent);
    rows.extend(truth::losses(agents, &spec, Pentago::twist(), &MARBLES, &players, effort, follower));
    rows
}

#[cfg(test)]
mod tests {
    use quintet_game::Notation;

    use super::*;

    #[test]
    fn often_is_judged_over_games() {
        let game = |both| Counts { all: 20, both, ..Counts::default() };
        // Six of ten moves, in every game; and as many in all, but by half of the games.
        let even = interval(&[12; 20].map(game), |counts| counts.both);
        let uneven: Vec<Counts> = (0..20).map(|number| game(if number % 2 == 0 { 20 } else { 4 })).collect();
        let uneven = interval(&uneven, |counts| counts.both);
        let verdict = |interval| judge_claim(Ordering::Greater, 0.5, interval).0;
        assert_eq!([even, uneven].map(verdict), [Verdict::SameDirection, Verdict::NotShown]);
        assert_eq!(interval(&[], |counts| counts.both), None);
    }

    #[test]
    fn moves_lengthen_and_shorten_runs() {
        let (game, lines) = (Pentago::twist(), Lines::new());
        assert_eq!(lines.0.each_ref().map(Vec::len), [6, 6, 1, 1]);
        let pos = game.read_position("xx..../....../ooo.../....../....../...x.. x").unwrap();
        assert_eq!(lines.longest(&pos, Player::First), [2, 1, 1, 0]);
        assert_eq!(lines.longest(&pos, Player::Second), [3, 1, 1, 0]);
        let effect = |mv: &str| lines.effect(&game, &pos, game.read_move(mv).unwrap());
        // A third marble beside the two; a marble far from any other.
        assert_eq!(effect("c1q4r"), [true, false]);
        assert_eq!(effect("f6q3r"), [false, false]);
        // Turning the first quadrant stands both runs upright: a row of two becomes a column of two.
        assert_eq!(effect("f6q1r"), [true, true]);
    }
}
