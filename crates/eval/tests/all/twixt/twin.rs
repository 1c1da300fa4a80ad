//! TwixT's distances by definition.

use std::collections::BTreeSet;

use quintet_game::Player;
use quintet_game::twixt::{KNIGHT, Position, Twixt};

pub type Cell = (usize, usize);

/// Do two links cross between holes? By orientations of triangles.
fn cross([a, b]: [Cell; 2], [c, d]: [Cell; 2]) -> bool {
    let turn = |p: Cell, q: Cell, r: Cell| {
        let [p, q, r] = [p, q, r].map(|(x, y)| (x as i64, y as i64));
        ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum()
    };
    turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
}

/// The plain twin: one side's holes and usable links, from pegs and links alone, searched with Dijkstra's algorithm.
pub struct Twin {
    size: usize,
    player: Player,
    /// `None`: closed to the player; otherwise, does an own peg stand there?
    pub holes: Vec<Option<bool>>,
    usable: Vec<Vec<usize>>,
}

impl Twin {
    pub fn new<const W: usize, const B: usize>(
        game: &Twixt<W, B>,
        corners: bool,
        pos: &Position<W, B>,
        player: Player,
    ) -> Twin {
        let size = game.size();
        let cells: Vec<Cell> = (0..size * size).map(|i| (i % size, i / size)).collect();
        let edge = |c: usize| c == 0 || c == size - 1;
        let open = |(x, y): Cell| match (edge(x), edge(y)) {
            (true, true) => corners,
            (x, y) => !(if player == Player::First { x } else { y }),
        };
        let holes = cells.iter().map(|&cell| match pos.peg(cell.0, cell.1) {
            Some(owner) => (owner == player).then_some(true),
            None => open(cell).then_some(false),
        });
        let holes: Vec<_> = holes.collect();
        let step = |(x, y): Cell, d: usize| {
            let to = (x.checked_add_signed(KNIGHT[d].0 as isize)?, y.checked_add_signed(KNIGHT[d].1 as isize)?);
            (to.0 < size && to.1 < size).then_some(to)
        };
        let made = |cell: Cell, d: usize| pos.links(cell.0, cell.1) >> d & 1 == 1;
        let mut standing = Vec::new();
        for &cell in &cells {
            let counts = B == 1 || pos.peg(cell.0, cell.1) == Some(player.other());
            for d in (0..8).filter(|d| counts && made(cell, *d)) {
                standing.push([cell, step(cell, d).unwrap()]);
            }
        }
        let far = |a: Cell, b: Cell| a.0.abs_diff(b.0) > 4 || a.1.abs_diff(b.1) > 4;
        let usable = |(from, &cell): (usize, &Cell)| {
            let ways = (0..8).filter_map(|d| {
                let to = step(cell, d)?;
                let at = to.1 * size + to.0;
                let ends = [holes[from]?, holes[at]?];
                let free = || standing.iter().all(|link| far(link[0], cell) || !cross(*link, [cell, to]));
                let joined = if ends == [true, true] { made(cell, d) } else { free() };
                joined.then_some(at)
            });
            ways.collect()
        };
        let usable = cells.iter().enumerate().map(usable).collect();
        Twin { size, player, holes, usable }
    }

    pub fn on_line(&self, at: usize, line: usize) -> bool {
        (if self.player == Player::First { at / self.size } else { at % self.size }) == line
    }

    /// The cost of every hole from a border line, including its own.
    pub fn costs(&self, line: usize, cost: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let enter = |at: usize| match self.holes[at] {
            None => f64::INFINITY,
            Some(true) => 0.0,
            Some(false) => cost(at),
        };
        let mut best = vec![f64::INFINITY; self.holes.len()];
        let mut queue = BTreeSet::new();
        for at in (0..best.len()).filter(|at| self.on_line(*at, line) && enter(*at) < f64::INFINITY) {
            best[at] = enter(at);
            queue.insert((best[at].to_bits(), at));
        }
        while let Some((bits, at)) = queue.pop_first() {
            for &to in &self.usable[at] {
                let cost = f64::from_bits(bits) + enter(to);
                if cost < best[to] {
                    queue.remove(&(best[to].to_bits(), to));
                    best[to] = cost;
                    queue.insert((cost.to_bits(), to));
                }
            }
        }
        best
    }

    pub fn cost(&self, cost: &dyn Fn(usize) -> f64) -> f64 {
        let costs = self.costs(0, cost);
        let ends = (0..costs.len()).filter(|at| self.on_line(*at, self.size - 1));
        ends.map(|at| costs[at]).fold(f64::INFINITY, f64::min)
    }

    pub fn distance(&self) -> f64 {
        self.cost(&|_| 1.0)
    }

    /// Pegs for a way through each hole, empty ones only.
    pub fn through(&self) -> Vec<f64> {
        let [ahead, back] = [0, self.size - 1].map(|line| self.costs(line, &|_| 1.0));
        ahead.iter().zip(back).map(|(a, b)| a + b - 1.0).collect()
    }

    /// The empty holes for which a cost of `cost` instead of 1 changes the distance in a way that satisfies `holds`.
    pub fn holes_where(&self, cost: f64, holds: impl Fn(f64, f64) -> bool) -> Vec<Cell> {
        let before = self.distance();
        let empty = (0..self.holes.len()).filter(|at| self.holes[*at] == Some(false));
        let found = empty.filter(|hole| holds(before, self.cost(&|at| if at == *hole { cost } else { 1.0 })));
        found.map(|at| (at % self.size, at / self.size)).collect()
    }
}
