//! The `centre` variant of the distance: holes far from the board's centre cost a little more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quintet_game::Player;
use quintet_game::twixt::{KNIGHT, PAD, Position, Twixt};

use super::{LEAD, NAMES, lead, shown};
use crate::{Features, Linear};

/// Costs are multiples of this, so that sums are exact in any order and mirrored positions get equal values.
const GRAIN: f64 = (1u64 << 32) as f64;

/// The terms [`NAMES`], where a peg costs 1 + `w` times its hole's distance from the centre, in holes, over the board's size.
struct Centre {
    names: [String; 3],
    w: f64,
}

/// The evaluation for a weight of 0 to 1.
pub fn centre<const W: usize, const B: usize>(w: f64) -> Linear<impl Features<Twixt<W, B>>> {
    Linear::new::<Twixt<W, B>>(Centre { names: NAMES.map(String::from), w }, LEAD.to_vec()).declared_antisymmetric()
}

impl<const W: usize, const B: usize> Features<Twixt<W, B>> for Centre {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Twixt<W, B>, pos: &Position<W, B>, view: Player, out: &mut [f64]) {
        let [my, your] = [view, view.other()].map(|player| self.cost(game, pos, player));
        out.copy_from_slice(&[lead(game.size(), my, your), shown(game.size(), my), shown(game.size(), your)]);
    }
}

impl Centre {
    /// The cost of the player's cheapest way, if there is one: Dijkstra's search.
    fn cost<const W: usize, const B: usize>(
        &self,
        game: &Twixt<W, B>,
        pos: &Position<W, B>,
        player: Player,
    ) -> Option<f64> {
        let size = game.size();
        let (open, crossed) = (game.open_rows(player), pos.crossed_rows(player));
        let [own, other] = [player, player.other()].map(|player| pos.peg_rows(player));
        let has = |rows: &[u32; W], x: usize, y: usize| rows[y] >> x & 1 == 1;
        let middle = PAD as f64 + (size as f64 - 1.0) / 2.0;
        let enter = |x: usize, y: usize| {
            if has(own, x, y) {
                return 0.0;
            }
            let (dx, dy) = (x as f64 - middle, y as f64 - middle);
            let away = (dx * dx + dy * dy).sqrt();
            ((1.0 + self.w * away / size as f64) * GRAIN).round() / GRAIN
        };
        let mut best = [[f64::INFINITY; W]; W];
        let mut heap = BinaryHeap::new();
        // Positive numbers are ordered like their bits.
        let mut offer = |heap: &mut BinaryHeap<_>, x: usize, y: usize, so_far: f64| {
            if has(open, x, y) && !has(other, x, y) {
                let cost = so_far + enter(x, y);
                if cost < best[y][x] {
                    best[y][x] = cost;
                    heap.push(Reverse((cost.to_bits(), x, y)));
                }
            }
        };
        let along = |x: usize, y: usize| if player == Player::First { y - PAD } else { x - PAD };
        for i in PAD..PAD + size {
            let (x, y) = if player == Player::First { (i, PAD) } else { (PAD, i) };
            offer(&mut heap, x, y, 0.0);
        }
        while let Some(Reverse((bits, x, y))) = heap.pop() {
            let cost = f64::from_bits(bits);
            if along(x, y) == size - 1 {
                return Some(cost);
            }
            for (d, (dx, dy)) in KNIGHT.into_iter().enumerate() {
                if crossed[y][x] >> d & 1 == 0 {
                    offer(&mut heap, x.wrapping_add_signed(dx as isize), y.wrapping_add_signed(dy as isize), cost);
                }
            }
        }
        None
    }
}
