//! Nets as guides of a tree search.

use std::sync::{Arc, Mutex, PoisonError};

use super::layer::quantise;
use super::{Net, NetError, Scratch, exp};
use crate::encode::{Encode, Output, Partial, Plane, View, cells, views};
use crate::{Batch, Guide};

/// A net that answers a tree search with one evaluation of each position. The prior of a move is that of its first action; moves that
/// begin with the same one share it.
pub struct NetGuide {
    net: Arc<Net>,
    /// The symmetries that a position is shown in; none if only as it is.
    views: Vec<View>,
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
    turned: Vec<u32>,
    planes: Vec<u8>,
    actions: Vec<u16>,
    /// Of each move, its first action; of each action, the moves that begin with it.
    firsts: Vec<u16>,
    sharing: Vec<f32>,
    scratch: Scratch,
}

/// A net, and how it is asked.
#[derive(Clone, Debug)]
pub struct NetChoice {
    /// The net.
    pub net: Arc<Net>,
    /// Is every position shown in all its symmetric images?
    pub averaged: bool,
}

impl Buffers {
    /// Lists the first actions of the moves.
    fn list<G: Encode>(&mut self, game: &G, pos: &G::Pos, moves: &[G::Move]) {
        self.firsts.clear();
        self.sharing.clear();
        self.sharing.resize(game.actions(), 0.0);
        for mv in moves {
            self.actions.clear();
            game.sequence(pos, *mv, &mut self.actions);
            self.firsts.push(self.actions[0]);
            self.sharing[usize::from(self.actions[0])] += 1.0;
        }
    }
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
        Ok(NetGuide { net, views: Vec::new(), planes, fixed: bytes, idle: Mutex::default() })
    }

    /// The guide that was chosen, for a game.
    pub(crate) fn chosen<G: Encode>(choice: NetChoice, game: &G) -> Result<NetGuide, NetError> {
        let guide = NetGuide::new(choice.net, game)?;
        Ok(if choice.averaged { guide.averaged(game) } else { guide })
    }

    /// Shows every position in all its symmetric images, and takes the mean of the answers. It takes as many times as long, and equal positions in
    /// other orientations get equal answers.
    #[must_use]
    pub fn averaged<G: Encode>(self, game: &G) -> NetGuide {
        NetGuide { views: views(game), ..self }
    }

    /// The net.
    #[must_use]
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Evaluates a packed position, as it is or in one of its images.
    fn evaluate<G: Encode>(&self, game: &G, view: Option<&View>, buffers: &mut Buffers) {
        let Buffers { words, turned, planes, scratch, .. } = buffers;
        let count = cells(game);
        let words = match view {
            None => words,
            Some(view) => {
                turned.resize(count, 0);
                view.map_words(words, turned);
                turned
            }
        };
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
            buffers.words.resize(cells(game), 0);
            game.pack(leaf.pos, Partial::NONE, &mut buffers.words);
            buffers.list(game, leaf.pos, leaf.moves);
            leaf.priors.fill(0.0);
            *leaf.chances = [0.0; 3];
            let images = self.views.len().max(1);
            let share = 1.0 / images as f32;
            for image in 0..images {
                let view = self.views.get(image);
                self.evaluate(game, view, &mut buffers);
                let scratch = &buffers.scratch;
                let number = |output| match output {
                    Output::Cell { channel, cell } => scratch.policy()[cell * channels + channel],
                    Output::Extra(number) => scratch.extra()[number],
                };
                for (prior, first) in leaf.priors.iter_mut().zip(&buffers.firsts) {
                    let (one, other) = game.output(view.map_or(*first, |view| view.map_action(*first)));
                    *prior += share * (number(one) + other.map_or(0.0, number));
                }
                for (mean, chance) in leaf.chances.iter_mut().zip(scratch.chances()) {
                    *mean += share * chance;
                }
            }
            let most = leaf.priors.iter().copied().fold(f32::MIN, f32::max);
            for (prior, first) in leaf.priors.iter_mut().zip(&buffers.firsts) {
                *prior = exp(*prior - most) / buffers.sharing[usize::from(*first)];
            }
            let sum: f32 = leaf.priors.iter().sum();
            leaf.priors.iter_mut().for_each(|prior| *prior /= sum);
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
    }
}
