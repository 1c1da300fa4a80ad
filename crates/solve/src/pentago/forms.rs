//! Patterns that are images of each other, and how their sets of ways are mapped.
//!
//! The orientation of the quadrants is kept apart from the pattern, so a pattern may be replaced by one whose quadrants are
//! spun individually, as long as the ways are counted from there. Together with the symmetries of the board, that gives up
//! to 8 * 4^4 = 2048 images in Pentago and 2 * 8^4 = 8192 in Pentago-Twist, with one representative for all.

use quintet_game::Symmetry;
use quintet_game::pentago::Pentago;

use super::fives::stands;
use super::ways::{Ways, all_states};

/// Where each of the nine cells of a quadrant goes.
type Shuffle = [usize; 9];

/// A board symmetry.
struct Image {
    /// Where each quadrant goes.
    to: [usize; 4],
    /// For each quadrant, by the code of its nine cells: the least code among its spun images, times eight, plus the state
    /// that gives it.
    least: Vec<u32>,
    /// By that state and the state of the quadrant: the state of the image.
    states: Vec<[u8; 8]>,
}

/// Finds the representative of all images of a pattern.
pub(super) struct Forms {
    images: Vec<Image>,
    /// The digits of a quadrant's cells in base 3.
    digits: Vec<u32>,
    /// The states of four quadrants, by parity.
    live: [Vec<[usize; 4]>; 2],
}

/// The mapping from a pattern to its representative.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    to: [usize; 4],
    states: [[u8; 8]; 4],
    /// The parity of the pattern's own sets.
    evenness: usize,
}

const fn codes(cells: u32) -> u32 {
    3u32.pow(cells)
}

impl Forms {
    pub fn new<W: Ways>(game: &Pentago, symmetries: &[Symmetry]) -> Forms {
        let states = states::<W>(game);
        let digits = (0..512u32).map(|set| (0..9).filter(|cell| set >> cell & 1 == 1).map(codes).sum()).collect();
        let images = symmetries.iter().map(|symmetry| image(*symmetry, &states)).collect();
        let evenness = |all: &[usize; 4]| all.iter().filter(|&&state| W::odd(state)).count() % 2;
        let live = [0, 1].map(|wanted| all_states(W::STATES).filter(|all| evenness(all) == wanted).collect());
        Forms { images, digits, live }
    }

    /// The key of a pattern's representative, which determines all of its cells, and the mapping there. Sets of the pattern
    /// have the given parity; that of the image's sets is the key's highest bit.
    pub fn of<W: Ways>(&self, own: u64, other: u64, evenness: usize) -> (u64, Carry) {
        let quadrant = |side: u64, at: usize| self.digits[(side >> (16 * at) & 0x1ff) as usize];
        let codes: [usize; 4] = std::array::from_fn(|at| (quadrant(own, at) + 2 * quadrant(other, at)) as usize);
        let key = |image: &Image| {
            (0..4).fold(0, |key, at| key | u64::from(image.least[codes[at]] >> 3) << (15 * image.to[at]))
        };
        let least = self.images.iter().map(|image| (key(image), image)).min_by_key(|(key, _)| *key);
        let (key, image) = least.expect("the identity is a symmetry");
        let states = codes.map(|code| image.states[(image.least[code] & 7) as usize]);
        let carry = Carry { to: image.to, states, evenness };
        let odd = carry.carried(self.live[evenness][0]).into_iter().filter(|&state| W::odd(state)).count() % 2;
        (key | (odd as u64) << 63, carry)
    }

    /// Maps a set of the pattern to one of its image.
    pub fn there<W: Ways>(&self, carry: &Carry, set: W) -> W {
        if set == W::NONE || set == W::ALL {
            return set;
        }
        let mut image = W::NONE;
        for &states in self.live[carry.evenness].iter().filter(|states| set.has(**states)) {
            image.set(carry.carried(states));
        }
        image
    }

    /// Maps a set of the image to one of the pattern.
    pub fn back<W: Ways>(&self, carry: &Carry, image: W) -> W {
        if image == W::NONE || image == W::ALL {
            return image;
        }
        let mut set = W::NONE;
        for &states in self.live[carry.evenness].iter().filter(|states| image.has(carry.carried(**states))) {
            set.set(states);
        }
        set
    }
}

impl Carry {
    fn carried(&self, states: [usize; 4]) -> [usize; 4] {
        let mut image = [0; 4];
        for at in 0..4 {
            image[self.to[at]] = self.states[at][states[at]].into();
        }
        image
    }
}

/// What each state of a quadrant does to its cells.
pub(super) fn states<W: Ways>(game: &Pentago) -> Vec<Shuffle> {
    let goes: Vec<Vec<u64>> = (0..9).map(|cell| stands::<W>(game, 1 << cell)).collect();
    (0..W::STATES).map(|state| std::array::from_fn(|cell| goes[cell][state].trailing_zeros() as usize)).collect()
}

fn then(first: &Shuffle, second: &Shuffle) -> Shuffle {
    first.map(|cell| second[cell])
}

fn undone(shuffle: &Shuffle) -> Shuffle {
    let mut back = [0; 9];
    for (from, &to) in shuffle.iter().enumerate() {
        back[to] = from;
    }
    back
}

fn image(symmetry: Symmetry, states: &[Shuffle]) -> Image {
    let place = |at: usize, side: usize| {
        let (x, y) = symmetry.cell((at % side, at / side), (side, side));
        x + side * y
    };
    let board: Shuffle = std::array::from_fn(|cell| place(cell, 3));
    let shown: Vec<Shuffle> = states.iter().map(|state| then(&board, state)).collect();
    let least = (0..codes(9)).map(|code| {
        let cells: [u32; 9] = std::array::from_fn(|cell| code / codes(cell as u32) % 3);
        let seen = |by: &Shuffle| (0..9).map(|cell| cells[cell] * codes(by[cell] as u32)).sum::<u32>();
        shown.iter().enumerate().map(|(state, by)| seen(by) << 3 | state as u32).min().expect("there are states")
    });
    // A quadrant in a state, then the symmetry: the same as the image's quadrant in the state that is searched for.
    let found = |spun: &Shuffle, state: &Shuffle| {
        let all = then(&then(&undone(spun), &undone(&board)), &then(state, &board));
        states.iter().position(|known| *known == all).expect("the states are a group") as u8
    };
    Image {
        to: std::array::from_fn(|quadrant| place(quadrant, 2)),
        least: least.collect(),
        states: states
            .iter()
            .map(|spun| std::array::from_fn(|state| states.get(state).map_or(0, |state| found(spun, state))))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::bits::{each_bit, mix};
    use quintet_game::pentago::CELLS;
    use quintet_game::{Game as _, Symmetric as _};

    use super::super::{Turns, Twists};
    use super::*;

    /// The two sides of the pattern with this key.
    fn read(key: u64) -> [u64; 2] {
        let mut sides = [0; 2];
        for cell in 0..36 {
            let code = key >> (15 * (cell / 9)) & 0x7fff;
            match code / 3u64.pow(cell % 9) % 3 {
                0 => {}
                colour => sides[colour as usize - 1] |= 1 << (16 * (cell / 9) + cell % 9),
            }
        }
        sides
    }

    /// A representative has the fives of the pattern, way by way; and all images have the same representative.
    fn forms_keep_what_they_stand_for<W: Ways>(game: &Pentago) {
        let symmetries = game.symmetries(&game.start());
        let forms = Forms::new::<W>(game, symmetries);
        for round in 0..200u64 {
            let (own, all) = (mix(round) & CELLS, (mix(!round) | mix(round ^ 1 << 40)) & CELLS);
            let (own, other) = (own & all, all & !own);
            for evenness in 0..2 {
                let (key, carry) = forms.of::<W>(own, other, evenness);
                let [own_image, other_image] = read(key);
                for (side, image) in [(own, own_image), (other, other_image)] {
                    let set = W::fives().of(side)[evenness];
                    assert_eq!(forms.there(&carry, set), W::fives().of(image)[(key >> 63) as usize]);
                    assert_eq!(forms.back(&carry, forms.there(&carry, set)), set);
                }
            }
            let (key, _) = forms.of::<W>(own, other, 0);
            let (mut spun, mut spins) = ([own, other], mix(round << 8));
            for _ in 0..6 {
                spun = spun.map(|side| game.spins(side)[spins as usize % 8]);
                spins >>= 3;
            }
            let symmetry = symmetries[spins as usize % symmetries.len()];
            let [own, other] = spun.map(|side| {
                let mut image = 0;
                each_bit(side, |bit| {
                    let (quadrant, cell) = (bit as usize / 16, bit as usize % 16);
                    let at = (3 * (quadrant % 2) + cell % 3, 3 * (quadrant / 2) + cell / 3);
                    let (x, y) = symmetry.cell(at, (6, 6));
                    image |= 1 << (16 * (x / 3 + 2 * (y / 3)) + x % 3 + 3 * (y % 3));
                });
                image
            });
            assert_eq!(forms.of::<W>(own, other, 0).0 & (u64::MAX >> 1), key & (u64::MAX >> 1));
        }
    }

    #[test]
    fn one_pattern_stands_for_all_images() {
        forms_keep_what_they_stand_for::<Turns>(&Pentago::standard());
        forms_keep_what_they_stand_for::<Twists>(&Pentago::twist());
    }
}
