//! A small board of TwixT for exact search: sets of holes, and the links that are still possible.
//!
//! A link is named by its upper hole and one of four directions down, so that every step is a shift to the left:
//!
//! ```text
//!       . . o . .
//!       0 . . . 1
//!       . 2 . 3 .
//! ```
//!
//! Pegs and crossed links determine everything. An existing link is never crossed, and a missing link between two own pegs a
//! knight's move apart always is; so the links that a side has, or may still make, are all those on the board that are not
//! crossed for it.

use quintet_game::Player;
use quintet_game::twixt::{KNIGHT, PAD, Position, Twixt, cross};

use super::set::HoleSet;

/// The directions down: the last four of the knight's moves in reading order.
pub(super) const WAYS: usize = 4;

/// For each direction down, a set of upper holes.
pub(super) type Links<S> = [S; WAYS];

/// What follows from size and rules.
#[derive(Debug)]
pub struct Board<S> {
    size: usize,
    /// May a side's own links cross each other?
    pub(super) own_cross: bool,
    /// The holes of an empty board that each side may use.
    pub(super) open: [S; 2],
    /// The two border lines of each side.
    pub(super) borders: [[S; 2]; 2],
    /// Each direction down, as a difference of holes.
    pub(super) steps: [u32; WAYS],
    /// The links that lie on the board.
    links: Links<S>,
    /// The links that a link crosses, by its upper hole and direction.
    pub(super) crossed: Vec<[Links<S>; WAYS]>,
}

/// Pegs, and the links that each side's links cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardState<S> {
    pub(super) pegs: [S; 2],
    pub(super) crossed: [Links<S>; 2],
}

/// Chains of this many new pegs or more are not distinguished.
pub const LAYERS: usize = 24;

/// No chain is possible any more.
pub const NEVER: u8 = u8::MAX;

impl<S: HoleSet> Board<S> {
    /// The board of these rules; at most 8 holes per side in one word, 11 in two.
    pub fn new<const W: usize, const B: usize>(game: &Twixt<W, B>) -> Board<S> {
        let size = game.size();
        let open = Player::BOTH.map(|player| read(size, game.open_rows(player)));
        let line = |on: &dyn Fn(usize, usize) -> bool| {
            (0..size * size).filter(|hole| on(hole % size, hole / size)).fold(S::EMPTY, |set, hole| set | S::one(hole))
        };
        let last = size - 1;
        let borders = [
            [line(&|_, y| y == 0) & open[0], line(&|_, y| y == last) & open[0]],
            [line(&|x, _| x == 0) & open[1], line(&|x, _| x == last) & open[1]],
        ];
        let down = |way: usize| KNIGHT[WAYS + way];
        let ends = |hole: usize, way: usize| {
            let (x, y) = ((hole % size) as i32, (hole / size) as i32);
            let end = (x + down(way).0, y + down(way).1);
            ((0..size as i32).contains(&end.0) && end.1 < size as i32).then_some([(x, y), end])
        };
        let on_board = |way| {
            let holes = (0..size * size).filter(|hole| ends(*hole, way).is_some());
            holes.fold(S::EMPTY, |set, hole| set | S::one(hole))
        };
        let crossed_by = |hole, way| {
            let mut sets = [S::EMPTY; WAYS];
            for (other, set) in sets.iter_mut().enumerate() {
                for upper in 0..size * size {
                    if let (Some(a), Some(b)) = (ends(hole, way), ends(upper, other))
                        && cross(a, b)
                    {
                        *set |= S::one(upper);
                    }
                }
            }
            sets
        };
        Board {
            size,
            own_cross: B == 2,
            open,
            borders,
            steps: [0, 1, 2, 3].map(|way| (down(way).1 * size as i32 + down(way).0) as u32),
            links: [0, 1, 2, 3].map(on_board),
            crossed: (0..size * size).map(|hole| [0, 1, 2, 3].map(|way| crossed_by(hole, way))).collect(),
        }
    }

    /// Holes per side.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A position of the game.
    pub fn read<const W: usize, const B: usize>(&self, pos: &Position<W, B>) -> BoardState<S> {
        let mut state = BoardState { pegs: [S::EMPTY; 2], crossed: [[S::EMPTY; WAYS]; 2] };
        for player in Player::BOTH {
            let own = read(self.size, pos.peg_rows(player));
            state.pegs[player.index()] = own;
            for hole in own.holes() {
                let marks = pos.crossed_rows(player)[hole / self.size + PAD][hole % self.size + PAD];
                for way in 0..WAYS {
                    let linked = ((S::one(hole) & self.links[way]) << self.steps[way]).meets(own);
                    if linked && marks >> (WAYS + way) & 1 == 0 {
                        self.cross(&mut state, player, hole, way);
                    }
                }
            }
        }
        state
    }

    /// Marks what a link of this side crosses.
    #[inline(always)]
    fn cross(&self, state: &mut BoardState<S>, player: Player, upper: usize, way: usize) {
        for (set, crossed) in state.crossed[player.index()].iter_mut().zip(&self.crossed[upper][way]) {
            *set |= *crossed;
        }
    }

    /// The empty holes that a side may use.
    #[inline(always)]
    pub fn empty(&self, state: &BoardState<S>, player: Player) -> S {
        self.open[player.index()] & !(state.pegs[0] | state.pegs[1])
    }

    /// Links that a side has or may still make.
    #[inline(always)]
    pub(super) fn usable(&self, state: &BoardState<S>, player: Player) -> Links<S> {
        let [own, other] = [player, player.other()].map(|player| &state.crossed[player.index()]);
        let mut links = self.links;
        for way in 0..WAYS {
            links[way] = links[way] & !other[way];
            if !self.own_cross {
                links[way] = links[way] & !own[way];
            }
        }
        links
    }

    /// Sets a peg and makes its links.
    #[inline]
    pub fn put(&self, state: &mut BoardState<S>, player: Player, hole: usize) {
        let made = self.made(state, player, hole);
        state.pegs[player.index()] |= S::one(hole);
        for (upper, way) in made {
            self.cross(state, player, upper, way);
        }
    }

    /// The links that a peg of this side would make, by upper hole and direction. No two links of one peg cross.
    #[inline(always)]
    pub(super) fn made(
        &self,
        state: &BoardState<S>,
        player: Player,
        hole: usize,
    ) -> impl Iterator<Item = (usize, usize)> + use<S> {
        let (usable, steps) = (self.usable(state, player), self.steps);
        let (one, own) = (S::one(hole), state.pegs[player.index()]);
        (0..WAYS).flat_map(move |way| {
            let down = ((one & usable[way]) << steps[way]).meets(own).then_some((hole, way));
            let up = (one >> steps[way] & usable[way]).meets(own).then(|| (hole - steps[way] as usize, way));
            [down, up].into_iter().flatten()
        })
    }

    /// The empty holes where a peg of this side would make a link.
    pub fn linking(&self, state: &BoardState<S>, player: Player) -> S {
        self.spread(&self.usable(state, player), state.pegs[player.index()]) & self.empty(state, player)
    }

    /// All holes one usable link away from these.
    #[inline(always)]
    pub(super) fn spread(&self, usable: &Links<S>, from: S) -> S {
        let mut all = S::EMPTY;
        for (usable, step) in usable.iter().zip(self.steps) {
            all |= (from & *usable) << step | (from >> step) & *usable;
        }
        all
    }

    /// The fewest pegs with which a side could connect its border lines if the other passed, ignoring crossings among future
    /// links: a lower bound on what it needs. [`NEVER`] if no way is left.
    pub fn distance(&self, state: &BoardState<S>, player: Player) -> u8 {
        let goal = self.borders[player.index()][1];
        let mut found = NEVER;
        self.wave(state, player, 0, |pegs, reached| {
            let there = reached.meets(goal);
            if there {
                found = pegs;
            }
            there
        });
        found
    }

    /// The empty holes on a chain of exactly this many new pegs, fewer than [`LAYERS`], if none is shorter.
    pub fn chains(&self, state: &BoardState<S>, player: Player, pegs: u8) -> S {
        let [near, far] = [0, 1].map(|border| self.layers(state, player, border));
        let pegs = usize::from(pegs);
        (1..=pegs).fold(S::EMPTY, |holes, there| holes | near[there] & far[pegs + 1 - there])
    }

    /// The empty holes by how many pegs the side needs to reach them from one of its border lines, including their own.
    fn layers(&self, state: &BoardState<S>, player: Player, border: usize) -> [S; LAYERS] {
        let own = state.pegs[player.index()];
        let mut sets = [S::EMPTY; LAYERS];
        self.wave(state, player, border, |pegs, reached| {
            let set = sets.get_mut(usize::from(pegs));
            set.map(|set| *set |= reached & !own).is_none()
        });
        sets
    }

    /// Walks from a border line over empty holes (one peg each) and own pegs (which cost nothing), and reports what is reached
    /// with how many pegs, until the listener returns.
    #[inline(always)]
    fn wave(&self, state: &BoardState<S>, player: Player, border: usize, mut reached: impl FnMut(u8, S) -> bool) {
        let usable = self.usable(state, player);
        let (own, empty) = (state.pegs[player.index()], self.empty(state, player));
        let start = self.borders[player.index()][border];
        let mut unseen = own | empty;
        let mut next = start & empty;
        let mut joined = start & own;
        let mut pegs = 0;
        loop {
            // Own pegs belong to the layer from which they are reached.
            while !joined.is_empty() {
                if reached(pegs, joined) {
                    return;
                }
                unseen = unseen & !joined;
                let around = self.spread(&usable, joined) & unseen;
                next |= around & empty;
                joined = around & own;
            }
            let layer = next & unseen;
            pegs += 1;
            if layer.is_empty() || reached(pegs, layer) {
                return;
            }
            unseen = unseen & !layer;
            let around = self.spread(&usable, layer) & unseen;
            next = around & empty;
            joined = around & own;
        }
    }

    /// What distinguishes the position from all others with the same pegs, if that fits into a word: which own pegs a knight's move apart are
    /// linked.
    pub fn links(&self, state: &BoardState<S>) -> Option<u64> {
        let (mut bits, mut used) = (0, 0);
        for player in Player::BOTH {
            let (own, usable) = (state.pegs[player.index()], self.usable(state, player));
            for (way, usable) in usable.into_iter().enumerate() {
                let near = own & own >> self.steps[way] & self.links[way];
                let pairs = near.count();
                if used + pairs > 64 {
                    return None;
                }
                if pairs > 0 {
                    bits |= usable.gathered(near) << used;
                    used += pairs;
                }
            }
        }
        Some(bits)
    }
}

impl<S: HoleSet> BoardState<S> {
    /// A side's pegs.
    pub fn pegs(&self) -> [S; 2] {
        self.pegs
    }
}

/// Rows with a margin as a set.
fn read<S: HoleSet, const W: usize>(size: usize, rows: &[u32; W]) -> S {
    let holes = (0..size * size).filter(|hole| rows[hole / size + PAD] >> (hole % size + PAD) & 1 == 1);
    holes.fold(S::EMPTY, |set, hole| set | S::one(hole))
}

#[cfg(test)]
mod tests {
    use quintet_game::twixt::Swap;
    use quintet_game::{Game as _, Rng, SeedableRng as _};

    use super::*;

    /// The distance by its definition: hole by hole, over links that no existing one crosses, until nothing gets shorter.
    fn slow<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, player: Player) -> u8 {
        let size = game.size() as i32;
        let cost = |(x, y): (i32, i32)| match pos.peg(x as usize, y as usize) {
            Some(owner) => (owner == player).then_some(0u8),
            None => (game.open_rows(player)[y as usize + PAD] >> (x as usize + PAD) & 1 == 1).then_some(1),
        };
        let along = |(x, y): (i32, i32)| if player == Player::First { y } else { x };
        let holes: Vec<(i32, i32)> = (0..size * size).map(|hole| (hole % size, hole / size)).collect();
        let index = |(x, y): (i32, i32)| (y * size + x) as usize;
        let mut best: Vec<Option<u8>> = holes.iter().map(|hole| cost(*hole).filter(|_| along(*hole) == 0)).collect();
        loop {
            let mut changed = false;
            for &(x, y) in &holes {
                let Some(here) = best[index((x, y))] else { continue };
                for (d, (dx, dy)) in KNIGHT.into_iter().enumerate() {
                    let next = (x + dx, y + dy);
                    let crossed = pos.crossed_rows(player)[y as usize + PAD][x as usize + PAD] >> d & 1 == 1;
                    if crossed || !(0..size).contains(&next.0) || !(0..size).contains(&next.1) {
                        continue;
                    }
                    let Some(there) = cost(next).map(|cost| here + cost) else { continue };
                    if best[index(next)].is_none_or(|old| there < old) {
                        best[index(next)] = Some(there);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        holes
            .iter()
            .filter(|hole| along(**hole) == size - 1)
            .filter_map(|hole| best[index(*hole)])
            .min()
            .unwrap_or(NEVER)
    }

    /// Random games: pegs and crossed links as in the game, and distances by definition.
    fn follow<S: HoleSet + std::fmt::Debug, const W: usize, const B: usize>(game: &Twixt<W, B>, seed: u64) {
        let board: Board<S> = Board::new(game);
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..20 {
            let mut pos = game.start();
            let mut state = board.read(&pos);
            while game.outcome(&pos).is_none() {
                for player in Player::BOTH {
                    let distance = board.distance(&state, player);
                    assert_eq!(distance, slow(game, &pos, player), "{pos:?}");
                    if usize::from(distance) < LAYERS {
                        // A peg on a shortest chain saves one peg; any other saves none.
                        let chains = board.chains(&state, player, distance);
                        for hole in board.empty(&state, player).holes() {
                            let mut next = state;
                            board.put(&mut next, player, hole);
                            let nearer = board.distance(&next, player) < distance;
                            assert!(!nearer || chains.meets(S::one(hole)), "{pos:?} {hole}");
                        }
                    }
                }
                let mv = game.random_move(&pos, &mut rng);
                let (x, y) = mv.hole().expect("no swap in this game");
                board.put(&mut state, game.to_move(&pos), y * game.size() + x);
                game.play(&mut pos, mv);
                assert_eq!(state, board.read(&pos), "{pos:?}");
            }
        }
    }

    #[test]
    fn boards_follow_the_game_and_know_its_distances() {
        for size in 3..=8 {
            follow::<u64, 16, 1>(&Twixt::new(size, false, Swap::Off), 1);
            follow::<u64, 16, 1>(&Twixt::new(size, true, Swap::Off), 2);
            follow::<u64, 16, 2>(&Twixt::new(size, false, Swap::Off), 3);
            follow::<u128, 20, 1>(&Twixt::new(size + 3, size % 2 == 0, Swap::Off), 4);
        }
    }
}
