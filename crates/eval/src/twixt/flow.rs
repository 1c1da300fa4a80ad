//! The number of pegs that a side still needs, by layers of bitboards.
//!
//! The first layer is what can be reached without a peg, each further one what takes one peg more; own pegs join the layer that
//! reaches them. A link may be used unless an existing one crosses it. The map of crossed links is enough for that: own links are
//! never crossed, and a missing link between two own pegs a knight's move apart always is.

use quintet_game::Player;
use quintet_game::twixt::{Position, Twixt};

use super::set::{Bitboard, Holes, MOST, array};

/// A position as sets.
pub struct Frame<S, const B: usize> {
    /// Per map of crossed links and direction, the holes whose link in that direction can be used.
    ways: [[S; 8]; B],
    sides: [Side<S>; 2],
}

struct Side<S> {
    /// The player's pegs.
    own: S,
    /// Empty holes open to the player.
    empty: S,
    /// The two border lines.
    lines: [S; 2],
}

impl<S: Bitboard> Side<S> {
    #[inline(always)]
    fn new<const W: usize, const B: usize>(game: &Twixt<W, B>, player: Player, own: S, taken: S) -> Self {
        let line = |at| S::line(game.size(), player == Player::First, at);
        Side { own, empty: S::load(game.open_rows(player)).minus(taken), lines: [line(0), line(game.size() - 1)] }
    }
}

/// Per hole, row by row, the pegs that a side needs for a way through it; [`NO_WAY`] where there is none.
pub type Costs = [[u16; MOST]; MOST];

/// More than any cost.
pub const NO_WAY: u16 = u16::MAX;

impl<S: Bitboard, const B: usize> Frame<S, B> {
    #[inline(always)]
    pub fn new<const W: usize>(game: &Twixt<W, B>, pos: &Position<W, B>) -> Self {
        let [first, second] = Player::BOTH;
        let pegs = [S::load(pos.peg_rows(first)), S::load(pos.peg_rows(second))];
        let taken = pegs[0].or(pegs[1]);
        Frame {
            ways: array([S::EMPTY; 8], |map| S::ways(pos.crossed_rows(Player::BOTH[map]), game.size())),
            sides: [Side::new(game, first, pegs[0], taken), Side::new(game, second, pegs[1], taken)],
        }
    }

    /// The fewest pegs that the player still needs to connect the border lines, if there is a way.
    #[inline(always)]
    pub fn distance(&self, player: Player) -> Option<u32> {
        let Side { own, empty, lines: [start, end] } = &self.sides[player.index()];
        let ways = &self.ways[player.index() % B];
        let mut near = *start;
        let mut reached = S::EMPTY;
        let mut pegs = 0;
        loop {
            let new = near.minus(reached);
            let joined = new.and(*own);
            let closed = joined.is_empty();
            let add = if closed { new.and(*empty) } else { joined };
            pegs += u32::from(closed);
            if !add.and(*end).is_empty() {
                return Some(pegs);
            }
            if add.is_empty() {
                return None;
            }
            reached = reached.or(add);
            near = reached.step(ways).or(*start);
        }
    }

    /// The player's layers from both border lines: all, or only as many as the cheapest chains have.
    pub fn layers(&self, player: Player, all: bool) -> Layers<S> {
        let pegs = self.distance(player);
        let most = if all { usize::MAX } else { pegs.unwrap_or(0) as usize };
        Layers { pegs, from: [0, 1].map(|line| self.layers_from(player, line, most)) }
    }

    fn layers_from(&self, player: Player, line: usize, most: usize) -> Vec<S> {
        let Side { own, empty, lines } = &self.sides[player.index()];
        let ways = &self.ways[player.index() % B];
        let mut near = lines[line];
        let mut reached = S::EMPTY;
        let mut layers = Vec::new();
        while layers.len() < most {
            let new = near.minus(reached);
            let joined = new.and(*own);
            let fresh = new.and(*empty);
            if !joined.is_empty() {
                reached = reached.or(joined);
            } else if fresh.is_empty() {
                break;
            } else {
                reached = reached.or(fresh);
                layers.push(fresh);
            }
            near = reached.step(ways).or(lines[line]);
        }
        layers
    }

    /// The empty holes open to either player.
    pub fn empty(&self) -> Holes {
        self.sides[0].empty.or(self.sides[1].empty).holes()
    }
}

/// The empty holes by the number of pegs that they need from each border line.
pub struct Layers<S> {
    /// The player's distance.
    pub pegs: Option<u32>,
    /// For each of the two lines, at `i` the holes that need `i` + 1 pegs, including their own.
    from: [Vec<S>; 2],
}

impl<S: Bitboard> Layers<S> {
    /// The empty holes on the cheapest chains, by their place in the chain. `None` if there is no way, or no peg is needed.
    fn stages(&self) -> impl Iterator<Item = S> + '_ {
        let pegs = self.pegs.unwrap_or(0) as usize;
        let [ahead, back] = [0, 1].map(|line| self.from[line].iter().take(pegs));
        ahead.zip(back.rev()).map(|(a, b)| a.and(*b))
    }

    /// The empty holes on the cheapest chains.
    pub fn cheapest(&self) -> Holes {
        self.stages().fold(S::EMPTY, S::or).holes()
    }

    /// The empty holes that are on every cheapest chain. A cheapest chain has exactly one hole of each layer, so these are the
    /// holes that are alone in theirs.
    pub fn bottlenecks(&self) -> Holes {
        self.stages().filter(|stage| stage.holes().len() == 1).fold(S::EMPTY, S::or).holes()
    }

    /// The cost of a way through each empty hole, the hole's own peg counted once.
    pub fn costs(&self) -> Costs {
        let mut from = [[[NO_WAY; MOST]; MOST]; 2];
        for (costs, layers) in from.iter_mut().zip(&self.from) {
            for (i, layer) in layers.iter().enumerate() {
                layer.holes().iter().for_each(|(x, y)| costs[y][x] = i as u16 + 1);
            }
        }
        let [mut costs, back] = from;
        for (cost, back) in costs.as_flattened_mut().iter_mut().zip(back.as_flattened()) {
            *cost = if *cost == NO_WAY || *back == NO_WAY { NO_WAY } else { *cost + back - 1 };
        }
        costs
    }
}
