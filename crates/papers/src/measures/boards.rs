//! How Pylos' support vector machine scores boards: a ball on each cell, squares and lines.

use std::collections::BTreeMap;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict};
use quintet_eval::pylos::Svr;
use quintet_game::bits::mix;

use super::bootstrap::bootstrap;
use super::machine::machine;
use super::{Effort, Follower, Measured, judged, larger, row};

/// A cell: level from 1, column and row from 0.
#[derive(Clone, Copy)]
struct Cell {
    level: usize,
    x: usize,
    y: usize,
}

/// All thirty cells in the order of the machine's inputs: level by level from below, row by row.
fn cells() -> Vec<Cell> {
    let of_level = |level: usize| {
        let size = 5 - level;
        (0..size * size).map(move |n| Cell { level, x: n % size, y: n / size })
    };
    (1..=4).flat_map(of_level).collect()
}

impl Cell {
    /// Its name in moves: `2b1`.
    fn name(self) -> String {
        format!("{}{}{}", self.level, (b'a' + self.x as u8) as char, self.y + 1)
    }

    /// Whether it lies on no side of its level.
    fn is_inner(self) -> bool {
        [self.x, self.y].iter().all(|c| *c > 0 && *c < 4 - self.level)
    }

    /// How many of its two coordinates lie on the rim of level 1: 2 for a corner, 0 inside.
    fn rims(self) -> usize {
        [self.x, self.y].iter().filter(|c| **c == 0 || **c == 3).count()
    }
}

/// A claim of the paper about the maps.
struct Claim {
    what: &'static str,
    /// Cells of one kind, which may stand for each other.
    group: fn(Cell) -> usize,
    /// Whether the first of two cells is said to be better for one's own ball.
    better: fn(Cell, Cell) -> bool,
}

const CLAIMS: [Claim; 2] = [
    Claim {
        what: "the upper of two cells on different levels",
        group: |cell| cell.level,
        better: |upper, lower| upper.level > lower.level,
    },
    Claim {
        what: "the inner of two cells of level 1 or of level 2",
        group: |cell| 2 * cell.level + usize::from(cell.is_inner()),
        better: |inner, outer| inner.level == outer.level && inner.level <= 2 && inner.is_inner() && !outer.is_inner(),
    },
];

/// Scores with one ball on the board: the rows of the maps, cell by cell, and the paper's claims about them.
pub fn maps(agents: &Catalogue, follower: &mut Follower) -> Vec<Measured> {
    let Some(machine) = machine(agents) else { return Vec::new() };
    let cells = cells();
    let mut rows = Vec::new();
    for (whose, shift, better) in [("own", 0, 1.0), ("opponent's", 30, -1.0)] {
        let scores: Vec<f64> = (0..cells.len()).map(|n| better * machine.predict(1 << (n + shift))).collect();
        let paper = if better > 0.0 { "better" } else { "worse" };
        rows.extend(CLAIMS.iter().map(|claim| {
            let what = format!("one {whose} ball: {} is {paper}", claim.what);
            pairs_in_order(what, paper, &scores, claim)
        }));
        for (cell, score) in cells.iter().zip(&scores) {
            let what = format!("one {whose} ball on {}", cell.name());
            rows.push(row(what, "-", format!("{:.3}", better * score), 1, None, "the machine's score"));
            if follower.sample() {
                return Vec::new();
            }
        }
    }
    rows
}

/// The share of pairs of cells whose scores are in the claimed order.
fn pairs_in_order(what: String, paper: &str, scores: &[f64], claim: &Claim) -> Measured {
    let cells = cells();
    let count = |drawn: &[usize]| {
        let pairs = drawn.iter().flat_map(|&a| drawn.iter().map(move |&b| (a, b)));
        let claimed = pairs.filter(|&(a, b)| (claim.better)(cells[a], cells[b]));
        claimed.fold((0, 0), |(kept, all), (a, b)| (kept + u64::from(scores[a] > scores[b]), all + 1))
    };
    let share = |(kept, all): (u64, u64)| kept as f64 / all as f64;
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..cells.len()).for_each(|n| groups.entry((claim.group)(cells[n])).or_default().push(n));
    let groups: Vec<Vec<usize>> = groups.into_values().collect();
    let interval = bootstrap(&groups, |drawn| share(count(drawn)));
    let (kept, all) = count(&groups.concat());
    let verdict = interval.map_or(Verdict::CannotBeCompared, |Interval { low, high }| {
        larger(Interval { low: low - 0.5, high: high - 0.5 })
    });
    let reason = "the share of pairs in the claimed order must be above one half with its whole interval, for which cells are drawn again within their groups; a lone ball above level 1 is not a legal position";
    let ours = format!("{:.1} % ({kept} of {all} pairs)", 100.0 * share((kept, all)));
    Measured { interval, ..judged(what, paper, ours, all, verdict, reason) }
}

/// A stream of numbers below a bound.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.thrown += 1;
        (mix(self.seed ^ mix(self.thrown)) % bound as u64) as usize
    }

    /// One of the cells of a set that is not empty.
    fn one_of(&mut self, cells: u64) -> u64 {
        let skip = self.below(cells.count_ones() as usize);
        let rest = (0..skip).fold(cells, |rest, _| rest & (rest - 1));
        rest & rest.wrapping_neg()
    }
}

/// The sixteen cells of level 1.
const FLOOR: u64 = 0xffff;

/// The squares of level 1, as sets of its cells.
fn squares() -> Vec<u64> {
    (0..9).map(|n| 0b11_0011 << (n / 3 * 4 + n % 3)).collect()
}

/// Its rows, columns and diagonals.
fn lines() -> Vec<u64> {
    let along = (0..4).flat_map(|n| [0b1111 << (4 * n), 0x1111 << n]);
    along.chain([0x8421, 0x1248]).collect()
}

/// How many patterns have exactly `balls` of their four cells in `own` and the rest in `free`.
fn count(patterns: &[u64], own: u64, free: u64, balls: u32) -> usize {
    let has = |pattern: &&u64| (*pattern & own).count_ones() == balls && *pattern & !own & !free == 0;
    patterns.iter().filter(has).count()
}

/// A board with a pattern of own balls, and the same board with one of them elsewhere on a cell of the same kind (corner, edge, inner),
/// so that there is no such pattern. `None` when the random draw gives no such pair.
fn pair(dice: &mut Dice, patterns: &[u64], balls: u32) -> Option<[u64; 2]> {
    let mut pattern = patterns[dice.below(patterns.len())];
    let whole = pattern;
    if balls == 3 {
        pattern &= !dice.one_of(pattern);
    }
    let (mut own, mut other) = (pattern, 0u64);
    let more = dice.below(3) as u32;
    // With three of four the last cell stays free.
    while own.count_ones() < balls + more {
        own |= dice.one_of(FLOOR & !own & !whole);
    }
    while other.count_ones() < own.count_ones() {
        other |= dice.one_of(FLOOR & !own & !other & !whole);
    }
    let ball = dice.one_of(pattern);
    let free = FLOOR & !own & !other;
    let kind = |cell: u64| cells()[cell.trailing_zeros() as usize].rims();
    let targets = (0..16).map(|n| 1 << n).filter(|to| to & free & !whole != 0 && kind(*to) == kind(ball));
    let without: Vec<u64> = targets
        .map(|to| own ^ ball | to)
        .filter(|moved| {
            let free = FLOOR & !moved & !other;
            // No new pattern of either kind in place of the old one.
            let fewer =
                |of: &[u64], balls| count(of, *moved, free, balls) < count(of, own, FLOOR & !own & !other, balls);
            fewer(patterns, balls) && [squares(), lines()].iter().all(|of| count(of, *moved, free, 4) == 0)
        })
        .collect();
    if without.is_empty() {
        return None;
    }
    let moved = without[dice.below(without.len())];
    Some([own, moved].map(|own| own | other << 30))
}

/// Whether the machine prefers squares and lines, complete or with one ball missing.
pub fn patterns(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Some(machine) = machine(agents) else { return Vec::new() };
    let kinds = [("an own square", squares(), 4), ("an own line", lines(), 4)];
    let open = [("three of an own square", squares(), 3), ("three of an own line", lines(), 3)];
    let mut rows = Vec::new();
    for (number, (what, patterns, balls)) in kinds.into_iter().chain(open).enumerate() {
        let mut dice = Dice { seed: mix(effort.seed ^ number as u64), thrown: 0 };
        let mut gains = Vec::new();
        while (gains.len() as u64) < effort.samples {
            if let Some(boards) = pair(&mut dice, &patterns, balls) {
                gains.push(gain(&machine, boards));
                if follower.sample() {
                    return Vec::new();
                }
            }
        }
        let (mean, error) = mean_and_error(&gains);
        let ours = format!("{mean:+.3} ({:+.3} to {:+.3})", mean - error, mean + error);
        let paper = if balls == 4 { "wanted" } else { "-" };
        let gained = larger(Interval { low: mean - error, high: mean + error });
        let verdict = if balls == 4 { gained } else { Verdict::OursOnly };
        let reason = "the mean gain over the same board with one ball on another cell of its kind; the whole 95 % interval must be above 0";
        rows.push(judged(what, paper, ours, gains.len() as u64, verdict, reason));
    }
    rows
}

fn gain(machine: &Svr, [with, without]: [u64; 2]) -> f64 {
    machine.predict(with) - machine.predict(without)
}

/// The mean, and half of its 95 % interval.
pub(super) fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit n of a board is the n-th cell: names and levels by hand.
    #[test]
    fn cells_are_in_the_machines_order() {
        let names: Vec<String> = cells().into_iter().map(Cell::name).collect();
        assert_eq!(names.len(), 30);
        assert_eq!([&names[0], &names[7], &names[16], &names[25], &names[29]], ["1a1", "1d2", "2a1", "3a1", "4a1"]);
        assert_eq!(cells().iter().filter(|cell| cell.level == 1 && cell.rims() == 0).count(), 4);
    }

    /// By hand: scores that follow the level, the distance from the rim, or nothing.
    #[test]
    fn pairs_of_cells_are_judged_not_means() {
        let judge = |claim: usize, scores: &dyn Fn(Cell) -> f64| {
            let scores: Vec<f64> = cells().into_iter().map(scores).collect();
            pairs_in_order(String::new(), "", &scores, &CLAIMS[claim])
        };
        let by_level = judge(0, &|cell| cell.level as f64);
        assert_eq!((by_level.ours.as_str(), by_level.verdict), ("100.0 % (273 of 273 pairs)", Verdict::SameDirection));
        assert_eq!(judge(0, &|cell| -(cell.level as f64)).verdict, Verdict::Differs);
        let inner = judge(1, &|cell| f64::from(u8::from(cell.is_inner())));
        assert_eq!((inner.ours.as_str(), inner.samples), ("100.0 % (56 of 56 pairs)", 56));
        // One cell far above the others lifts the mean of its level, and shows nothing.
        let one = judge(0, &|cell| {
            if cell.name() == "2b2" {
                100.0
            } else {
                (mix(cell.x as u64 + 7 * cell.y as u64 + 31 * cell.level as u64) % 97) as f64
            }
        });
        assert_eq!(one.verdict, Verdict::NotShown, "{one:?}");
        assert!(one.interval.unwrap().contains(0.5));
    }

    #[test]
    fn pairs_differ_by_the_pattern_alone() {
        for (patterns, balls) in [(squares(), 4), (lines(), 4), (squares(), 3), (lines(), 3)] {
            assert_eq!(patterns.iter().filter(|pattern| pattern.count_ones() == 4).count(), patterns.len());
            let mut dice = Dice { seed: 5, thrown: 0 };
            let pairs: Vec<[u64; 2]> = (0..400).filter_map(|_| pair(&mut dice, &patterns, balls)).collect();
            assert!(pairs.len() > 100);
            for [with, without] in pairs {
                let own = |board: u64| board & FLOOR;
                let free = |board: u64| FLOOR & !board & !(board >> 30);
                assert_eq!(with >> 30, without >> 30);
                assert_eq!(own(with).count_ones(), own(without).count_ones());
                assert_eq!((own(with) ^ own(without)).count_ones(), 2);
                assert_eq!(with & with >> 30 & FLOOR, 0);
                let counts = [with, without].map(|board| count(&patterns, own(board), free(board), balls));
                assert!(counts[0] > counts[1], "{with:b} {without:b}");
            }
        }
    }
}
