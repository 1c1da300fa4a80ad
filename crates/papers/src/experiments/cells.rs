//! Timed games by depth or size, and what follows from their means.

use quintet_arena::Played;
use quintet_arena::stats::{Interval, middle, resample};
use quintet_game::EndReason;
use quintet_game::bits::mix;

use super::file::Unit;
use super::perform::Games;
use super::schedule::Schedule;

/// Fewer games than this give no interval: drawing so few again says too little about others.
const FEWEST: u64 = 20;

/// Means of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Means {
    pub ms: f64,
    pub nodes: f64,
    pub plies: f64,
}

impl Means {
    pub fn of(&self, unit: Unit) -> f64 {
        match unit {
            Unit::Ms => self.ms,
            Unit::Nodes => self.nodes,
        }
    }

    pub fn nodes_per_move(&self) -> f64 {
        self.nodes / self.plies
    }
}

impl From<[f64; 3]> for Means {
    fn from([ms, nodes, plies]: [f64; 3]) -> Means {
        Means { ms, nodes, plies }
    }
}

/// What was measured of one series at one depth or size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub series: String,
    pub at: u32,
    /// The paper's milliseconds.
    pub paper: Option<f64>,
    /// The milliseconds after which the paper gave up.
    pub over: Option<f64>,
    pub means: Means,
    /// The means of games drawn again.
    pub again: Vec<Means>,
    pub games: u64,
    /// The least and the most milliseconds of a game.
    pub range: [f64; 2],
    /// A game was given up, or there is none.
    pub cut: bool,
}

/// A number with its 95 % interval, if there are games enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Derived {
    pub value: f64,
    pub interval: Option<Interval>,
}

impl Cell {
    /// The cell of some games, each with its milliseconds, nodes and plies.
    pub fn new(series: &str, at: u32, games: &[[f64; 3]]) -> Cell {
        let n = games.len().max(1) as f64;
        let mean = |of: usize| games.iter().map(|game| game[of]).sum::<f64>() / n;
        let seed = series.bytes().fold(u64::from(at), |seed, byte| mix(seed ^ u64::from(byte)));
        let ms = || games.iter().map(|game| game[0]);
        Cell {
            series: series.to_owned(),
            at,
            paper: None,
            over: None,
            means: [0, 1, 2].map(mean).into(),
            again: resample(games, seed).into_iter().map(Means::from).collect(),
            games: games.len() as u64,
            range: [ms().fold(f64::INFINITY, f64::min), ms().fold(0.0, f64::max)],
            cut: games.is_empty(),
        }
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.series, self.at)
    }

    pub fn mean(&self, unit: Unit) -> Derived {
        derive(&[self], |means| means[0].of(unit))
    }
}

/// A cell for everything that the paper or we measure; what the design leaves out counts as cut off.
pub(super) fn cells(schedule: &Schedule, games: &Games) -> Vec<Cell> {
    let mut cells = Vec::new();
    for series in &schedule.experiment.series {
        for (place, at) in series.at.iter().enumerate() {
            let played = games.get(&format!("{} {at}", series.name)).map(Vec::as_slice).unwrap_or_default();
            let cost = |played: &Played| {
                [played.cost.ms.iter().sum(), played.cost.nodes.iter().sum::<u64>() as f64, played.plies as f64]
            };
            let mut cell = Cell::new(&series.name, *at, &played.iter().map(cost).collect::<Vec<_>>());
            cell.paper = series.ms.get(place).map(|ms| *ms as f64);
            cell.over = schedule.experiment.paper_cut_ms.filter(|_| cell.paper.is_none()).map(|ms| ms as f64);
            cell.cut |= played.iter().any(|played| played.reason == EndReason::Cut);
            cells.push(cell);
        }
    }
    cells
}

/// What follows from the means of some cells, with the interval that it has when the games of each are drawn again.
pub(super) fn derive(cells: &[&Cell], of: impl Fn(&[Means]) -> f64) -> Derived {
    let value = of(&cells.iter().map(|cell| cell.means).collect::<Vec<_>>());
    let enough = cells.iter().all(|cell| cell.games >= FEWEST);
    let draws = cells.iter().map(|cell| cell.again.len()).min().filter(|_| enough).unwrap_or(0);
    let drawn = |draw: usize| of(&cells.iter().map(|cell| cell.again[draw]).collect::<Vec<_>>());
    Derived { value, interval: middle((0..draws).map(drawn).collect()) }
}

/// `slow` over `fast`.
pub(super) fn quotient(slow: &Cell, fast: &Cell, unit: Unit) -> Derived {
    derive(&[slow, fast], |means| means[0].of(unit) / means[1].of(unit).max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_need_games() {
        let games: Vec<[f64; 3]> = (0..40).map(|i| [f64::from(90 + i % 21), 1000.0, 20.0]).collect();
        let [many, few] = [&games[..], &games[..19]].map(|games| Cell::new("a", 3, games));
        let mean = many.mean(Unit::Ms);
        let interval = mean.interval.unwrap();
        assert!(interval.contains(mean.value) && interval.half_width() < 3.0 && interval.half_width() > 1.0);
        assert_eq!(few.mean(Unit::Ms).interval, None);
        assert_eq!(quotient(&many, &few, Unit::Ms).interval, None);
        // A constant has no spread.
        let nodes = quotient(&many, &many, Unit::Nodes);
        assert_eq!((nodes.value, nodes.interval), (1.0, Some(Interval { low: 1.0, high: 1.0 })));
        assert!(Cell::new("a", 3, &[]).cut);
    }
}
