//! Pylos: a dictionary by the vector of cells, and one by a single number.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::hint::black_box;

use cpu_time::ThreadTime;
use quintet_arena::stats::{Interval, judge_ratio, ratio};
use quintet_game::bits::mix;
use quintet_game::pylos::{Position, Pylos};
use quintet_game::{Game, Player, Rng, SeedableRng};

use super::bootstrap::ends;
use super::{BY_THE_CLOCK, Effort, Follower, Measured, judged, row};

/// Each round times all three forms, one after the other, so that what slows the machine down slows all of them.
const ROUNDS: usize = 10;

/// How many times as fast the paper's key is.
const TEN_FOLD: f64 = 10.0;

/// The 30 cells, as bits of a side.
fn cells() -> impl Iterator<Item = usize> {
    (0..4).flat_map(|level| {
        let width = 4 - level;
        (0..width * width).map(move |i| 16 * level + 4 * (i / width) + i % width)
    })
}

/// The paper's vector: 0 for an empty cell, 1 and 2 for a ball of the first and the second player.
fn vector(pos: &Position) -> Vec<u8> {
    let at = |player: Player, cell: usize| (pos.balls(player) >> cell & 1) as u8;
    cells().map(|cell| at(Player::First, cell) + 2 * at(Player::Second, cell)).collect()
}

/// The same as 60 booleans: the first player's balls, then the second's.
fn booleans(pos: &Position) -> Vec<bool> {
    Player::BOTH.iter().flat_map(|player| cells().map(|cell| pos.balls(*player) >> cell & 1 == 1)).collect()
}

/// The booleans as one number.
fn key(pos: &Position) -> u64 {
    booleans(pos).into_iter().rev().fold(0, |key, bit| key << 1 | u64::from(bit))
}

/// Boards of random games, each once.
fn boards(effort: Effort, follower: &mut Follower) -> Vec<Position> {
    let game = Pylos::default();
    let (mut boards, mut seen) = (Vec::new(), HashSet::new());
    for number in 0.. {
        let mut rng = Rng::seed_from_u64(mix(effort.seed ^ mix(number)));
        let mut pos = game.start();
        while game.outcome(&pos).is_none() {
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
            if seen.insert(Player::BOTH.map(|player| pos.balls(player))) {
                boards.push(pos);
                if follower.sample() {
                    return Vec::new();
                }
            }
            if boards.len() as u64 >= effort.samples {
                return boards;
            }
        }
    }
    boards
}

/// Seconds to put all keys into a dictionary, and to find them all again.
fn seconds<K: Clone + Eq + Hash>(keys: &[K]) -> [f64; 2] {
    let mut dictionary: HashMap<K, usize> = HashMap::with_capacity(keys.len());
    let start = ThreadTime::now();
    for (number, key) in keys.iter().enumerate() {
        dictionary.insert(key.clone(), number);
    }
    let insert = start.elapsed().as_secs_f64();
    let start = ThreadTime::now();
    let sum: usize = keys.iter().filter_map(|key| dictionary.get(key)).sum();
    black_box(sum);
    [insert, start.elapsed().as_secs_f64()]
}

/// How many times as long one form takes as another, by the rounds of both: insertions, look-ups, and both together with the interval.
fn compared(slow: &[[f64; 2]], fast: &[[f64; 2]]) -> (Option<Interval>, String) {
    let of = |part: fn(&[f64; 2]) -> f64| {
        let rounds: Vec<(f64, f64)> = slow.iter().zip(fast).map(|(slow, fast)| (part(slow), part(fast))).collect();
        ratio(&rounds)
    };
    let Some(((both, interval), [insert, find])) =
        of(|round| round[0] + round[1]).zip(of(|round| round[0]).zip(of(|round| round[1])).map(|(a, b)| [a.0, b.0]))
    else {
        return (None, "too quick to be timed".into());
    };
    let ends = ends(Some(interval), 1);
    (Some(interval), format!("{both:.1} times {ends}; insertions {insert:.1}, look-ups {find:.1}"))
}

/// The time of the same insertions and look-ups by three forms of one board. All use the same dictionary and the same hash function; keys are
/// made beforehand, and a dictionary owns a copy of each.
pub fn speed(effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let boards = boards(effort, follower);
    let samples = boards.len() as u64;
    let vectors: Vec<Vec<u8>> = boards.iter().map(vector).collect();
    let flags: Vec<Vec<bool>> = boards.iter().map(booleans).collect();
    let keys: Vec<u64> = boards.iter().map(key).collect();
    let (mut by_vector, mut by_flags, mut by_key) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        by_vector.push(seconds(&vectors));
        by_flags.push(seconds(&flags));
        by_key.push(seconds(&keys));
    }
    let told_apart = [
        vectors.iter().collect::<HashSet<_>>().len(),
        flags.iter().collect::<HashSet<_>>().len(),
        keys.iter().collect::<HashSet<_>>().len(),
    ];
    let (interval, by_vector) = compared(&by_vector, &by_key);
    let (_, by_flags) = compared(&by_flags, &by_key);
    let (verdict, why) = judge_ratio(TEN_FOLD, 1.0, interval);
    vec![
        row(
            "boards that the three forms distinguish",
            "-",
            told_apart.map(|count| count.to_string()).join(", "),
            samples,
            None,
            "all three numbers must equal the number of boards",
        ),
        judged(
            "30 cells against one 64-bit key",
            "ten-fold",
            by_vector,
            samples,
            verdict,
            &format!("{BY_THE_CLOCK}, insertions and look-ups together: {why}, a factor of two from ten"),
        ),
        row("60 booleans against one 64-bit key", "-", by_flags, samples, None, BY_THE_CLOCK),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_compared_round_by_round() {
        let fast = [[1.0, 1.0]; 4];
        let (interval, text) = compared(&[[3.0, 1.0], [5.0, 1.0], [3.0, 1.0], [5.0, 1.0]], &fast);
        assert_eq!(text, "2.5 times (1.6 to 3.4); insertions 4.0, look-ups 1.0");
        assert!(interval.unwrap().contains(2.5));
        assert_eq!(compared(&[[1.0, 1.0]; 4], &[[0.0, 0.0]; 4]).0, None);
    }

    #[test]
    fn the_three_forms_of_a_board() {
        assert_eq!(cells().count(), 30);
        let game = Pylos::default();
        let mut pos = game.start();
        for _ in 0..2 {
            let mut moves = Vec::new();
            game.moves(&pos, &mut moves);
            game.play(&mut pos, moves[0]);
        }
        let cells = vector(&pos);
        assert_eq!((cells.len(), &cells[..3]), (30, &[1, 2, 0][..]));
        // The second player's cells begin at bit 30.
        assert_eq!(key(&pos), 1 | 1 << 31);
        let set: Vec<usize> = booleans(&pos).iter().enumerate().filter(|(_, bit)| **bit).map(|(i, _)| i).collect();
        assert_eq!(set, [0, 31]);
    }
}
