//! Ways that are still open: which games nobody can win any more.

use super::{KNIGHT, PAD, Position, Twixt};
use crate::Player;
use crate::bits::each_bit;

impl<const W: usize, const B: usize> Twixt<W, B> {
    /// Could `player` still join the border lines if the opponent passed for ever? Links of the way that would cross each other are not
    /// seen, so there may be a way only in appearance.
    pub(super) fn has_way(&self, pos: &Position<W, B>, player: Player) -> bool {
        let (own, other) = (pos.peg_rows(player), pos.peg_rows(player.other()));
        let (open, crossed) = (self.open_rows(player), pos.crossed_rows(player));
        let last = PAD + self.size() - 1;
        // The holes that the player has or may still take, less those that were reached.
        let mut left: [u32; W] = std::array::from_fn(|y| own[y] | open[y] & !other[y]);
        let mut stack = [(0u8, 0u8); 24 * 24];
        let mut height = 0;
        for i in PAD..=last {
            let (x, y) = if player == Player::First { (i, PAD) } else { (PAD, i) };
            if left[y] >> x & 1 == 1 {
                left[y] &= !(1 << x);
                stack[height] = (x as u8, y as u8);
                height += 1;
            }
        }
        while height > 0 {
            height -= 1;
            let (x, y) = stack[height];
            if usize::from(if player == Player::First { y } else { x }) == last {
                return true;
            }
            each_bit(u64::from(!crossed[usize::from(y)][usize::from(x)]), |direction| {
                let (dx, dy) = KNIGHT[direction as usize];
                let (x, y) = ((i32::from(x) + dx) as usize, (i32::from(y) + dy) as usize);
                if left[y] >> x & 1 == 1 {
                    left[y] &= !(1 << x);
                    stack[height] = (x as u8, y as u8);
                    height += 1;
                }
            });
        }
        false
    }
}
