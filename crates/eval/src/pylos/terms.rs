//! `pylos-20`, a linear model of ours whose weights can be learned: balls by the kinds of their cells, and what matters for take-backs.
//!
//! The hand-set weights are those of the paper's `difference`: every ball on the board counts against its owner, nothing else
//! counts. A ball on the apex ends the game, so it is not a feature.

use quintet_game::Player;
use quintet_game::bits::each_bit;
use quintet_game::pylos::{CELLS, Position, Pylos};

use crate::Features;

/// The kinds of cells: corners, edges and inner cells of level 1, corners, edges and the middle of level 2, and level 3.
const KINDS: [&str; 7] = ["Corner1", "Edge1", "Inner1", "Corner2", "Edge2", "Middle2", "Level3"];

/// Also of each side: balls that carry no other; full squares of its colour; playable cells where one of its balls would complete
/// a pattern that allows a take-back.
const PATTERNS: [&str; 3] = ["Free", "Squares", "Earning"];

/// How many features a side has.
const SIDE: usize = KINDS.len() + PATTERNS.len();

/// The features of `pylos-20`: `myCorner1`, `yourCorner1`, `myEdge1`, … `yourEarning`.
pub(super) struct Terms {
    names: Vec<String>,
    /// The cells of each kind.
    kinds: [u64; KINDS.len()],
}

impl Terms {
    pub const KIND: &str = "pylos-20";

    pub fn new() -> Terms {
        let mut kinds = [0; KINDS.len()];
        each_bit(CELLS, |bit| {
            // The layout of the rules: sixteen bits per level, four per row.
            let (level, x, y) = (bit as usize / 16, bit as usize % 4, bit as usize % 16 / 4);
            match level {
                0 | 1 => kinds[3 * level + 2 - super::rims(level, x, y)] |= 1 << bit,
                2 => kinds[6] |= 1 << bit,
                _ => {}
            }
        });
        let both = |name: &&str| ["my", "your"].map(|whose| format!("{whose}{name}"));
        Terms { names: KINDS.iter().chain(&PATTERNS).flat_map(both).collect(), kinds }
    }

    /// The weights of `difference`.
    pub fn hand_set() -> Vec<f64> {
        let weight = |of: usize| if of < KINDS.len() { [-1.0, 1.0] } else { [0.0, 0.0] };
        (0..SIDE).flat_map(weight).collect()
    }

    fn of(&self, game: &Pylos, pos: &Position, player: Player) -> [u32; SIDE] {
        let own = pos.balls(player);
        let squares = own & own >> 1 & own >> 4 & own >> 5 & CELLS >> 16;
        let patterns = [pos.free(player), squares, game.completing(own) & pos.open()];
        std::array::from_fn(|of| match self.kinds.get(of) {
            Some(cells) => (own & cells).count_ones(),
            None => patterns[of - KINDS.len()].count_ones(),
        })
    }
}

impl Features<Pylos> for Terms {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Pylos, pos: &Position, view: Player, out: &mut [f64]) {
        let sides = [view, view.other()].map(|player| self.of(game, pos, player));
        for (place, value) in out.iter_mut().enumerate() {
            *value = f64::from(sides[place % 2][place / 2]);
        }
    }
}
