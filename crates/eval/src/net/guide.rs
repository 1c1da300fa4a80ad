//! Nets as guides of a tree search.

use std::sync::{Arc, Mutex, PoisonError};

use super::layer::quantise;
use super::{Net, NetError, Scratch, exp};
use crate::encode::{Encode, Output, Partial, Plane, cells};
use crate::{Batch, Guide};

/// A net that answers a tree search with one evaluation of each position. The prior of a move is that of its first action; moves that
/// begin with the same one share it.
pub struct NetGuide {
    net: Arc<Net>,
    /// The planes that the net reads.
    planes: Vec<Plane>,
    /// The fixed planes of each cell as bytes.
    fixed: Vec<u8>,
    /// Buffers that no thread is using.
    idle: Mutex<Vec<Buffers>>,
}

/// What one thread needs.
#[derive(Default)]
struct Buffers {
    words: Vec<u32>,
    planes: Vec<u8>,
    actions: Vec<u16>,
    /// Of each move, its first action; of each action, the moves that begin with it.
    firsts: Vec<u16>,
    sharing: Vec<f32>,
    scratch: Scratch,
}

impl NetGuide {
    /// A guide for a game by a net that was made for it. It may read fewer planes than the game has, as those of TwixT where links of one
    /// side may not cross do for rules where they may.
    ///
    /// # Errors
    /// When the net reads other planes than the game has, or answers other numbers than it needs.
    pub fn new<G: Encode>(net: Arc<Net>, game: &G) -> Result<NetGuide, NetError> {
        let fixed = game.fixed();
        let info = net.info();
        let other = || NetError::OtherGame { game: info.game.clone() };
        let own = info.planes.len().checked_sub(fixed.len()).ok_or_else(other)?;
        let named = |name: &String| game.planes().iter().find(|plane| plane.name == name).copied();
        let planes: Vec<Plane> = info.planes[..own].iter().map_while(named).collect();
        let names = fixed.iter().map(|(name, _)| *name);
        if planes.len() < own
            || !info.planes[own..].iter().map(String::as_str).eq(names)
            || (info.policy, info.extra) != game.outputs()
        {
            return Err(other());
        }
        let count = cells(game);
        let bytes =
            (0..count).flat_map(|cell| fixed.iter().map(move |(_, numbers)| quantise(127.0 * numbers[cell]))).collect();
        Ok(NetGuide { net, planes, fixed: bytes, idle: Mutex::default() })
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Evaluates one position.
    fn evaluate<G: Encode>(&self, game: &G, pos: &G::Pos, buffers: &mut Buffers) {
        let Buffers { words, planes, scratch, .. } = buffers;
        let count = cells(game);
        words.resize(count, 0);
        game.pack(pos, Partial::NONE, words);
        planes.clear();
        let fixed = self.fixed.len() / count;
        for (cell, word) in words.iter().enumerate() {
            planes.extend(self.planes.iter().map(|plane| quantise(127.0 * plane.read(*word))));
            planes.extend_from_slice(&self.fixed[cell * fixed..(cell + 1) * fixed]);
        }
        let (rows, columns) = game.grid();
        self.net.evaluate(planes, rows, columns, scratch);
    }
}

impl<G: Encode> Guide<G> for NetGuide {
    fn guide(&self, game: &G, batch: &mut Batch<G>) {
        let taken = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffers = taken.unwrap_or_default();
        let channels = self.net.info().policy;
        for leaf in batch.leaves() {
            self.evaluate(game, leaf.pos, &mut buffers);
            let Buffers { actions, firsts, sharing, scratch, .. } = &mut buffers;
            *leaf.chances = scratch.chances();
            let number = |output| match output {
                Output::Cell { channel, cell } => scratch.policy()[cell * channels + channel],
                Output::Extra(number) => scratch.extra()[number],
            };
            let mut most = f32::MIN;
            firsts.clear();
            sharing.clear();
            sharing.resize(game.actions(), 0.0);
            for (mv, prior) in leaf.moves.iter().zip(&mut *leaf.priors) {
                actions.clear();
                game.sequence(leaf.pos, *mv, actions);
                firsts.push(actions[0]);
                sharing[usize::from(actions[0])] += 1.0;
                let (first, second) = game.output(actions[0]);
                *prior = number(first) + second.map_or(0.0, number);
                most = most.max(*prior);
            }
            for (prior, first) in leaf.priors.iter_mut().zip(&*firsts) {
                *prior = exp(*prior - most) / sharing[usize::from(*first)];
            }
            let sum: f32 = leaf.priors.iter().sum();
            leaf.priors.iter_mut().for_each(|prior| *prior /= sum);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
    }
}
