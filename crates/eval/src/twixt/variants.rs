//! Variants of the distance that count something beside it: links, or ways to choose from. Ours, as candidates for the "few
//! different heuristic functions" that the paper mentions.

use quintet_game::Player;
use quintet_game::twixt::{Position, Twixt};

use super::{cheapest, distances, lead};
use crate::{Features, Linear};

/// What counts beside the distance.
#[derive(Clone, Copy)]
pub enum Beside {
    /// Links on the board.
    Links,
    /// Empty holes on one's cheapest chains: the more of them, the harder to block.
    Choices,
}

/// The lead in distance, and the lead in what counts beside it.
struct Variant {
    names: [String; 2],
    beside: Beside,
}

/// The evaluation in which one more of what counts beside the distance is worth `w` pegs.
pub fn variant<const W: usize, const B: usize>(beside: Beside, w: f64) -> Linear<impl Features<Twixt<W, B>>> {
    let name = match beside {
        Beside::Links => "moreLinks",
        Beside::Choices => "moreChoices",
    };
    let names = ["lead", name].map(String::from);
    Linear::new::<Twixt<W, B>>(Variant { names, beside }, vec![1.0, w]).declared_antisymmetric()
}

impl<const W: usize, const B: usize> Features<Twixt<W, B>> for Variant {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn extract(&self, game: &Twixt<W, B>, pos: &Position<W, B>, view: Player, out: &mut [f64]) {
        let pegs = distances(game, pos).map(|pegs| pegs.map(f64::from));
        let [my, your] = [view, view.other()].map(|player| pegs[player.index()]);
        let count = |player| match self.beside {
            Beside::Links => links(game, pos, player),
            Beside::Choices => cheapest(game, pos, player).len() as f64,
        };
        out.copy_from_slice(&[lead(game.size(), my, your), count(view) - count(view.other())]);
    }
}

/// The player's links.
fn links<const W: usize, const B: usize>(game: &Twixt<W, B>, pos: &Position<W, B>, player: Player) -> f64 {
    let holes = (0..game.size()).flat_map(|y| (0..game.size()).map(move |x| (x, y)));
    let own = holes.filter(|&(x, y)| pos.peg(x, y) == Some(player));
    // Each link has two ends.
    f64::from(own.map(|(x, y)| pos.links(x, y).count_ones()).sum::<u32>() / 2)
}
