//! A number for every position of Pylos up to symmetry.
//!
//! The occupied cells without the apex form one of 141,119 sets, in 18,457 classes under the eight symmetries of the board. An
//! entry is a class, the number of balls of the side to move, and the rank of its balls among the occupied cells. Two entries
//! can be the same position where a class is symmetric itself; nothing else is counted twice.

use std::collections::HashMap;

use quintet_game::Symmetry;
use quintet_game::bits::{each_bit, gather, scatter};
use quintet_game::pylos::{APEX, BALLS, CELLS, supported};

/// All cells but the apex, in the layout of the game.
const BELOW: u64 = CELLS & !APEX;
/// The number of those cells.
const COUNT: usize = 29;
/// No entry: the number of balls is not possible.
pub const NOWHERE: u32 = u32::MAX;

/// Occupied cells up to symmetry.
pub struct Class {
    /// The cells, in the layout of the game.
    pub cells: u64,
    /// The same with the cells numbered from 0 to 28.
    pub packed: u32,
    /// Their number.
    pub balls: u32,
    /// The sum of their levels.
    pub height: u32,
    /// The first entry for each number of balls of the side to move.
    pub first: [u32; BALLS as usize + 1],
    /// Bit `s`: symmetry `s` leaves the cells as they are.
    pub stabiliser: u8,
}

/// A class, and all positions in it in which the side to move has a given number of balls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The index of the class.
    pub class: u32,
    /// Balls of the side to move.
    pub own: u32,
    /// Its first entry.
    pub first: u32,
    /// How many entries.
    pub len: u32,
}

/// The numbering. Building it takes about a tenth of a second.
///
/// ```no_run
/// use quintet_solve::pylos::Index;
/// let index = Index::new();
/// assert_eq!(index.entries(), 2_257_858_569);
/// assert_eq!(index.entry(0, 0), 0); // the empty board
/// ```
pub struct Index {
    classes: Vec<Class>,
    /// Packed cells to class and symmetry, open addressing; see [`Index::find`].
    places: Vec<[u32; 2]>,
    /// Images of eight packed cells under all eight symmetries at once.
    images: Vec<[[u32; 8]; 256]>,
    ranks: Ranks,
    blocks: Vec<Block>,
    entries: u32,
}

const SLOTS: usize = 1 << 19;
const EMPTY: u32 = u32::MAX;

fn slot(packed: u32) -> usize {
    (packed.wrapping_mul(0x9e37_79b1) >> (32 - SLOTS.trailing_zeros())) as usize
}

impl Default for Index {
    fn default() -> Index {
        Index::new()
    }
}

impl Index {
    /// Enumerates all sets of cells that can be occupied.
    #[must_use]
    pub fn new() -> Index {
        let images = images();
        let mut sets = Vec::new();
        for ground in 0..1 << 16 {
            grow(ground, supported(ground) & !0xffff & BELOW, &mut sets);
        }
        // The least image represents its class; classes are ordered by balls and height, so that layers are contiguous.
        let mut least: Vec<(u32, usize, u32)> = Vec::with_capacity(sets.len());
        for &set in &sets {
            let packed = pack(set);
            let all = image(&images, packed);
            let symmetry = (0..8).min_by_key(|&s| all[s]).expect("there are eight");
            least.push((all[symmetry], symmetry, packed));
        }
        let mut classes: Vec<Class> = least
            .iter()
            .filter(|(canonical, _, packed)| canonical == packed)
            .map(|&(canonical, ..)| class(&images, canonical))
            .collect();
        classes.sort_by_key(|class| (class.balls, class.height, class.packed));
        let mut blocks = Vec::new();
        let mut entries = 0u32;
        for (number, class) in classes.iter_mut().enumerate() {
            for own in class.balls.saturating_sub(BALLS)..=class.balls.min(BALLS) {
                let len = choose(class.balls, own);
                class.first[own as usize] = entries;
                blocks.push(Block { class: number as u32, own, first: entries, len });
                entries = entries.checked_add(len).expect("entries fit into 32 bits");
            }
        }
        let numbers: HashMap<u32, u32> =
            classes.iter().enumerate().map(|(number, class)| (class.packed, number as u32)).collect();
        let mut places = vec![[EMPTY, 0]; SLOTS];
        for (canonical, symmetry, packed) in least {
            let mut at = slot(packed);
            while places[at][0] != EMPTY {
                at = (at + 1) % SLOTS;
            }
            places[at] = [packed, numbers[&canonical] << 3 | symmetry as u32];
        }
        Index { classes, places, images, ranks: Ranks::new(), blocks, entries }
    }

    /// How many entries there are.
    #[must_use]
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// The classes of occupied cells, by balls and then by height.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// All entries in their order, cut into blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The entry of a position that is not over by the apex: the balls of the side to move and of the other one.
    #[must_use]
    pub fn entry(&self, own: u64, other: u64) -> u32 {
        let (class, symmetry) = self.find(pack(own | other));
        let class = &self.classes[class as usize];
        let own = self.images_of(own)[symmetry];
        class.first[own.count_ones() as usize] + self.ranks.of(gather(own.into(), class.packed.into()) as u32)
    }

    /// The least of the entries of a position's images under the symmetries, which is the same for all of them. A class that some
    /// symmetry maps to itself has several entries for what is one position to a player.
    #[must_use]
    pub fn least_entry(&self, own: u64, other: u64) -> u32 {
        let (class, symmetry) = self.find(pack(own | other));
        let class = &self.classes[class as usize];
        let own = self.images_of(own)[symmetry];
        let images = self.images_of_packed(own);
        let fixed = (0..8).filter(|s| class.stabiliser >> s & 1 == 1);
        let least = fixed.map(|s| gather(images[s].into(), class.packed.into()) as u32).min();
        class.first[own.count_ones() as usize] + self.ranks.of(least.expect("one symmetry changes nothing"))
    }

    /// The position of an entry: the balls of the side to move and of the other one.
    #[must_use]
    pub fn position(&self, entry: u32) -> (u64, u64) {
        let block = &self.blocks[self.blocks.partition_point(|block| block.first <= entry) - 1];
        let cells = self.classes[block.class as usize].cells;
        let own = scatter(unrank(entry - block.first, block.own).into(), cells);
        (own, cells ^ own)
    }

    /// The class of packed cells and the symmetry that maps them to it. They must be a set that can be occupied.
    #[inline]
    pub(super) fn find(&self, packed: u32) -> (u32, usize) {
        let mut at = slot(packed);
        loop {
            let [key, place] = self.places[at];
            if key == packed {
                return (place >> 3, (place & 7) as usize);
            }
            debug_assert_ne!(key, EMPTY, "balls without support");
            at = (at + 1) % SLOTS;
        }
    }

    /// The images of some balls under the eight symmetries, packed.
    #[inline]
    pub(super) fn images_of(&self, balls: u64) -> [u32; 8] {
        self.images_of_packed(pack(balls))
    }

    /// The same for balls on packed cells.
    #[inline]
    pub(super) fn images_of_packed(&self, balls: u32) -> [u32; 8] {
        image(&self.images, balls)
    }

    /// The rank of a set of numbers below 29 among those of its size.
    #[inline]
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.ranks.of(set)
    }
}

/// The cells below the apex, numbered from 0 to 28.
#[inline]
pub(super) fn pack(cells: u64) -> u32 {
    gather(cells, BELOW) as u32
}

/// All sets that contain `set`, some of the `open` cells, and what these carry; including `set` itself.
fn grow(set: u64, open: u64, sets: &mut Vec<u64>) {
    sets.push(set);
    let mut left = open;
    while left != 0 {
        let ball = left & left.wrapping_neg();
        left ^= ball;
        // Only later cells, so that every set is met once: the rest of this level, and what is carried from here on.
        let with = set | ball;
        let above = supported(with) & !supported(set) & BELOW & !((ball << 1) - 1);
        grow(with, left | above, sets);
    }
}

fn class(images: &[[[u32; 8]; 256]], packed: u32) -> Class {
    let all = image(images, packed);
    let cells = scatter(packed.into(), BELOW);
    let mut height = 0;
    each_bit(cells, |cell| height += cell / 16);
    let stabiliser = (0..8).fold(0, |set, s| set | u8::from(all[s] == packed) << s);
    Class { cells, packed, balls: packed.count_ones(), height, first: [NOWHERE; BALLS as usize + 1], stabiliser }
}

fn images() -> Vec<[[u32; 8]; 256]> {
    let mut cells = Vec::new();
    each_bit(BELOW, |cell| cells.push(cell));
    let number = |cell: u32| cells.iter().position(|&other| other == cell).expect("a cell below the apex") as u32;
    let moved = |symmetry: Symmetry, cell: u32| {
        let (level, x, y) = (cell / 16, cell % 4, cell % 16 / 4);
        let size = 4 - level as usize;
        let (x, y) = symmetry.cell((x as usize, y as usize), (size, size));
        number(16 * level + 4 * y as u32 + x as u32)
    };
    let mut images = vec![[[0; 8]; 256]; 4];
    for (at, &cell) in cells.iter().enumerate() {
        for (s, &symmetry) in Symmetry::SQUARE.iter().enumerate() {
            let bit = 1 << moved(symmetry, cell);
            for byte in (0..256).filter(|byte| byte >> (at % 8) & 1 == 1) {
                images[at / 8][byte][s] |= bit;
            }
        }
    }
    images
}

#[inline]
fn image(images: &[[[u32; 8]; 256]], packed: u32) -> [u32; 8] {
    let mut all = [0; 8];
    for (part, byte) in images.iter().zip(packed.to_le_bytes()) {
        for (image, part) in all.iter_mut().zip(part[usize::from(byte)]) {
            *image |= part;
        }
    }
    all
}

/// Binomial coefficients.
const CHOOSE: [[u32; BALLS as usize + 2]; COUNT + 2] = {
    let mut table = [[0; BALLS as usize + 2]; COUNT + 2];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k < table[0].len() && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

pub(super) fn choose(n: u32, k: u32) -> u32 {
    CHOOSE[n as usize][k as usize]
}

/// Ranks in the combinatorial number system: sets of one size in the order of their numbers as words. Three tables of ten
/// bits each, by the bits of a set and by the number of bits below them.
struct Ranks {
    parts: [Vec<[u32; 1024]>; 3],
}

impl Ranks {
    fn new() -> Ranks {
        let part = |start: usize| {
            let below = |k: usize| {
                let mut table = [0; 1024];
                for (set, rank) in table.iter_mut().enumerate() {
                    let mut at = k;
                    each_bit(set as u64, |bit| {
                        at += 1;
                        // More balls than a side has, or more than there are cells: never used.
                        let cell = start + bit as usize;
                        *rank += CHOOSE.get(cell).and_then(|row| row.get(at)).copied().unwrap_or(0);
                    });
                }
                table
            };
            (0..=start.min(BALLS as usize)).map(below).collect()
        };
        Ranks { parts: [part(0), part(10), part(20)] }
    }

    #[inline]
    fn of(&self, set: u32) -> u32 {
        let (low, middle, high) = ((set & 1023) as usize, (set >> 10 & 1023) as usize, (set >> 20 & 1023) as usize);
        let below = low.count_ones() as usize;
        self.parts[0][0][low] + self.parts[1][below][middle] + self.parts[2][below + middle.count_ones() as usize][high]
    }
}

/// The set of `size` numbers with this rank.
pub(super) fn unrank(mut rank: u32, size: u32) -> u32 {
    let mut set = 0;
    for k in (1..=size).rev() {
        let cell = (0..=COUNT as u32).rev().find(|&cell| choose(cell, k) <= rank).expect("C(0, k) is 0");
        rank -= choose(cell, k);
        set |= 1 << cell;
    }
    set
}

/// The next larger word with as many bits set.
#[inline]
pub(super) fn following(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let low = set & set.wrapping_neg();
    let carried = set + low;
    carried | ((carried ^ set) >> 2) >> low.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use quintet_game::bits::{mix, scale};
    use quintet_game::pylos::Position;
    use quintet_game::{Player, Symmetric as _};

    use super::*;

    #[test]
    fn sets_classes_and_entries_are_as_many_as_published() {
        let index = Index::new();
        // 141,120 with the apex, which only the full pyramid has.
        assert_eq!(index.places.iter().filter(|place| place[0] != EMPTY).count(), 141_119);
        assert_eq!(index.classes().len(), 18_457);
        assert_eq!(index.entries(), 2_257_858_569);
    }

    /// Colourings of a class up to its own symmetries, by Burnside's lemma: the mean number of colourings that a symmetry
    /// maps to themselves. Counts positions without enumerating any.
    #[test]
    fn positions_up_to_symmetry_are_as_many_as_published() {
        let index = Index::new();
        let mut positions = 0u64;
        for class in index.classes() {
            let (mut fixed, mut order) = (0u64, 0);
            for s in (0..8).filter(|s| class.stabiliser >> s & 1 == 1) {
                order += 1;
                // ways[k]: colourings of the cycles so far with k balls of the side to move.
                let mut ways = vec![1u64];
                let mut left = class.packed;
                while left != 0 {
                    let (mut cycle, mut ball) = (0u32, left & left.wrapping_neg());
                    while cycle & ball == 0 {
                        cycle |= ball;
                        ball = image(&index.images, ball)[s];
                    }
                    left &= !cycle;
                    let size = cycle.count_ones() as usize;
                    let mut more = vec![0; ways.len() + size];
                    for (k, count) in ways.iter().enumerate() {
                        more[k] += count;
                        more[k + size] += count;
                    }
                    ways = more;
                }
                let possible = class.balls.saturating_sub(BALLS)..=class.balls.min(BALLS);
                fixed += possible.map(|k| ways[k as usize]).sum::<u64>();
            }
            positions += fixed / order;
        }
        assert_eq!(positions, 1_545_122_239);
    }

    #[test]
    fn entries_and_positions_name_each_other_and_images_are_equal() {
        let index = Index::new();
        for sample in 0..100_000u64 {
            let entry = scale((mix(sample) >> 32) as u32, index.entries());
            let (own, other) = index.position(entry);
            let position = Position::new([own, other], Player::First).expect("balls with support");
            let again = index.entry(own, other);
            let game = quintet_game::pylos::Pylos::default();
            // A symmetric class may name a position by the entry of an image.
            let block = index.blocks().partition_point(|block| block.first <= entry) - 1;
            let alone = index.classes()[index.blocks()[block].class as usize].stabiliser == 1;
            assert!(again == entry || !alone, "{entry}");
            for symmetry in Symmetry::SQUARE.into_iter().filter(|_| alone) {
                let image = game.map_position(symmetry, &position);
                assert_eq!(index.entry(image.balls(Player::First), image.balls(Player::Second)), entry);
            }
        }
    }

    #[test]
    fn ranks_count_the_sets_of_a_size() {
        let ranks = Ranks::new();
        for size in 0..=BALLS {
            let mut set = unrank(0, size);
            for rank in 0..choose(COUNT as u32, size).min(5000) {
                assert_eq!(ranks.of(set), rank);
                assert_eq!(unrank(rank, size), set);
                set = following(set);
            }
        }
    }
}
