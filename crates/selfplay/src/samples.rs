//! What is learned from.

use quintet_eval::encode::View;

/// Positions to learn from, one after another in each list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The packed positions: [`SelfPlay::cells`](crate::SelfPlay::cells) words each.
    pub words: Vec<u32>,
    /// The policies to learn: a share for each of the [`SelfPlay::actions`](crate::SelfPlay::actions), which sum to 1.
    pub policies: Vec<f32>,
    /// Which actions are legal.
    pub legal: Vec<bool>,
    /// How the game ended for the side to move: 1, 0 or -1.
    pub results: Vec<f32>,
    /// What the search found, from -1 to 1, for the side to move.
    pub values: Vec<f32>,
    /// How many moves the game still took, a half-made one included.
    pub moves_left: Vec<f32>,
}

impl Samples {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

/// What belongs to one sample beside its position and policy. In a game that goes on, the result is 1 if the first player is to move, else -1,
/// and the moves left are those played before.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub result: f32,
    pub value: f32,
    pub moves_left: f32,
}

/// Samples with the shares of legal actions alone.
#[derive(Debug, Default)]
pub struct Store {
    pub words: Vec<u32>,
    pub shares: Vec<(u16, f32)>,
    /// Where the shares of each sample end.
    pub ends: Vec<usize>,
    pub targets: Vec<Target>,
}

impl Store {
    pub fn clear(&mut self) {
        self.words.clear();
        self.shares.clear();
        self.ends.clear();
        self.targets.clear();
    }

    /// Adds the image of one sample of another store.
    pub fn push_image(&mut self, other: &Store, number: usize, target: Target, view: &View) {
        let cells = view.cells.len();
        let start = self.words.len();
        self.words.resize(start + cells, 0);
        view.map_words(&other.words[number * cells..][..cells], &mut self.words[start..]);
        let first = if number == 0 { 0 } else { other.ends[number - 1] };
        let image = |(action, share): &(u16, f32)| (view.map_action(*action), *share);
        self.shares.extend(other.shares[first..other.ends[number]].iter().map(image));
        self.ends.push(self.shares.len());
        self.targets.push(target);
    }

    /// Moves all samples of another store to the end of this one.
    pub fn append(&mut self, other: &mut Store) {
        let before = self.shares.len();
        self.words.append(&mut other.words);
        self.shares.append(&mut other.shares);
        self.ends.extend(other.ends.drain(..).map(|end| before + end));
        self.targets.append(&mut other.targets);
    }

    /// Takes the first samples out, at most this many.
    pub fn take(&mut self, most: usize, cells: usize, actions: usize) -> Samples {
        let count = most.min(self.targets.len());
        let shares = if count == 0 { 0 } else { self.ends[count - 1] };
        let mut samples = Samples {
            words: self.words.drain(..count * cells).collect(),
            policies: vec![0.0; count * actions],
            legal: vec![false; count * actions],
            ..Samples::default()
        };
        let mut taken = self.shares.drain(..shares);
        let mut before = 0;
        for (number, end) in self.ends.drain(..count).enumerate() {
            for (action, share) in taken.by_ref().take(end - before) {
                let at = number * actions + usize::from(action);
                samples.policies[at] = share;
                samples.legal[at] = true;
            }
            before = end;
        }
        drop(taken);
        self.ends.iter_mut().for_each(|end| *end -= shares);
        for target in self.targets.drain(..count) {
            samples.results.push(target.result);
            samples.values.push(target.value);
            samples.moves_left.push(target.moves_left);
        }
        samples
    }
}
