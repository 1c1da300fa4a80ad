//! The model of one seat: where boards of each bucket led, and what each bucket is worth.
//!
//! V(s) = R(s) + gamma sum P(s, s') V(s'), by value iteration until the largest change is below a tolerance. Two things keep that
//! fast enough to be done after every game, and leave its meaning as it is:
//!
//! * **What would change is known.** The model keeps how much a sweep would change each value. A game changes a dozen rows; only
//!   rows whose change reaches the tolerance are touched, and then those that lead to them. When none is left, the largest change
//!   of a sweep over all rows is below the tolerance, which is where value iteration stops.
//! * **Unseen rows are uniform.** All of them have one value u = gamma (S + n u) / B, where S is the sum of the other values and n
//!   their number: an equation that is solved. No seen row leads to an unseen bucket, since a board that was reached was also left.

use std::collections::VecDeque;

use quintet_eval::pentago::END_BUCKETS;
use serde::{Deserialize, Serialize};

/// One seat's transitions and values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Of games that the first and the second player won.
    rewards: [f64; END_BUCKETS],
    gamma: f64,
    tau: f64,
    rows: Vec<Row>,
    /// Those of unseen buckets mean nothing.
    values: Vec<f64>,
    /// What unseen buckets are worth.
    unseen: f64,
    #[serde(skip)]
    work: Work,
}

/// Where boards of one bucket led.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Row {
    /// How often the bucket was left, including into a draw, which is not a bucket and worth nothing.
    total: u32,
    /// Counts by next bucket.
    next: Vec<(u32, u32)>,
}

/// What follows from the rest of a model.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Which buckets lead to each, sorted.
    before: Vec<Vec<u32>>,
    /// How much a sweep would change each value.
    change: Vec<f64>,
    /// Rows that would change by the tolerance or more, and whether a row is among them.
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    /// Values that were changed, ever since.
    updates: u64,
}

/// A game as one seat has seen it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The buckets after own moves; that of the end is the last if someone won.
    pub buckets: Vec<u32>,
    /// Nobody won.
    pub drawn: bool,
}

impl Row {
    fn count(&self, to: u32) -> u32 {
        self.next.binary_search_by_key(&to, |(bucket, _)| *bucket).map_or(0, |at| self.next[at].1)
    }

    /// One more transition; true if it is new.
    fn add(&mut self, to: u32) -> bool {
        match self.next.binary_search_by_key(&to, |(bucket, _)| *bucket) {
            Ok(at) => {
                self.next[at].1 += 1;
                false
            }
            Err(at) => {
                self.next.insert(at, (to, 1));
                true
            }
        }
    }
}

impl Model {
    /// Nothing is known yet: all rows are uniform.
    pub fn new(buckets: usize, rewards: [f64; END_BUCKETS], gamma: f64, tau: f64) -> Model {
        let mut values = vec![0.0; buckets];
        values[..END_BUCKETS].copy_from_slice(&rewards);
        let rows = vec![Row::default(); buckets];
        let mut model = Model { rewards, gamma, tau, rows, values, unseen: 0.0, work: Work::default() };
        model.unseen = model.worth_of_unseen();
        model
    }

    /// What a bucket is worth.
    #[inline]
    pub fn value(&self, bucket: usize) -> f64 {
        if self.has_value(bucket) { self.values[bucket] } else { self.unseen }
    }

    /// Whether it has a value of its own: ends do, and so do buckets that were left at least once.
    #[inline]
    fn has_value(&self, bucket: usize) -> bool {
        bucket < END_BUCKETS || self.rows[bucket].total > 0
    }

    /// Buckets of boards that were seen.
    pub fn seen(&self) -> usize {
        self.rows.iter().filter(|row| row.total > 0).count()
    }

    /// Different transitions.
    pub fn transitions(&self) -> usize {
        self.rows.iter().map(|row| row.next.len()).sum()
    }

    /// How often a value was changed since [`Model::prepare`].
    pub fn updates(&self) -> u64 {
        self.work.updates
    }

    /// The memory it takes, by the lengths of its lists, not their capacities.
    pub fn bytes(&self) -> usize {
        let bucket = size_of::<Row>() + size_of::<Vec<u32>>() + 2 * size_of::<f64>() + size_of::<bool>();
        // A transition stands in the row of its origin and in the list of its end.
        size_of::<Model>()
            + self.rows.len() * bucket
            + self.transitions() * (size_of::<(u32, u32)>() + size_of::<u32>())
    }

    /// Computes again what follows from transitions and values. Call it before the first game of a step, so that it makes no
    /// difference whether the model was saved and read in between.
    pub fn prepare(&mut self) {
        let buckets = self.rows.len();
        self.work = Work {
            before: vec![Vec::new(); buckets],
            change: vec![0.0; buckets],
            queue: VecDeque::new(),
            queued: vec![false; buckets],
            updates: 0,
        };
        for (from, row) in (0..).zip(&self.rows) {
            row.next.iter().for_each(|(to, _)| self.work.before[*to as usize].push(from));
        }
        for bucket in 0..buckets {
            self.look_at(bucket);
        }
        self.settle();
    }

    /// Counts the transitions of a game, and settles what they change.
    pub fn learn(&mut self, path: &Path) {
        for pair in path.buckets.windows(2) {
            self.leave(pair[0], Some(pair[1]));
        }
        if let (true, Some(&last)) = (path.drawn, path.buckets.last()) {
            self.leave(last, None);
        }
        for &bucket in &path.buckets {
            self.look_at(bucket as usize);
        }
        self.settle();
        self.unseen = self.worth_of_unseen();
    }

    fn leave(&mut self, from: u32, to: Option<u32>) {
        let bucket = from as usize;
        if !self.has_value(bucket) {
            // Iteration goes on from the present value.
            self.values[bucket] = self.unseen;
        }
        self.rows[bucket].total += 1;
        let Some(to) = to else { return };
        if self.rows[bucket].add(to) {
            let before = &mut self.work.before[to as usize];
            let at = before.partition_point(|known| *known < from);
            before.insert(at, from);
        }
    }

    /// The value that a sweep would give a row. The bucket of a won game leads nowhere unless an unfinished board hashed into it too.
    fn swept(&self, bucket: usize) -> f64 {
        let row = &self.rows[bucket];
        let reward = self.rewards.get(bucket).copied().unwrap_or(0.0);
        let sum: f64 = row.next.iter().map(|(to, count)| f64::from(*count) * self.value(*to as usize)).sum();
        reward + self.gamma * sum / f64::from(row.total.max(1))
    }

    fn look_at(&mut self, bucket: usize) {
        if self.has_value(bucket) {
            self.work.change[bucket] = self.swept(bucket) - self.values[bucket];
            self.enqueue(bucket);
        }
    }

    #[inline]
    fn enqueue(&mut self, bucket: usize) {
        if self.work.change[bucket].abs() >= self.tau && !self.work.queued[bucket] {
            self.work.queued[bucket] = true;
            self.work.queue.push_back(bucket as u32);
        }
    }

    fn settle(&mut self) {
        while let Some(bucket) = self.work.queue.pop_front() {
            let at = bucket as usize;
            self.work.queued[at] = false;
            let change = std::mem::take(&mut self.work.change[at]);
            self.values[at] += change;
            self.work.updates += 1;
            for i in 0..self.work.before[at].len() {
                let before = self.work.before[at][i] as usize;
                let row = &self.rows[before];
                let chance = f64::from(row.count(bucket)) / f64::from(row.total);
                self.work.change[before] += self.gamma * chance * change;
                self.enqueue(before);
            }
        }
    }

    /// The one value of all unseen buckets.
    fn worth_of_unseen(&self) -> f64 {
        let (mut sum, mut unseen) = (0.0, 0.0);
        for bucket in 0..self.rows.len() {
            if self.has_value(bucket) {
                sum += self.values[bucket];
            } else {
                unseen += 1.0;
            }
        }
        self.gamma * sum / (self.rows.len() as f64 - self.gamma * unseen)
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::{Rng, SeedableRng, bits};
    use rand_core::Rng as _;

    use super::*;

    /// The text's own words: a matrix of chances, uniform rows where nothing was seen, and sweeps over all rows.
    fn by_definition(buckets: usize, rewards: [f64; 2], gamma: f64, paths: &[Path], tau: f64) -> Vec<f64> {
        let mut counts = vec![vec![0.0; buckets + 1]; buckets];
        for path in paths {
            let draw = path.drawn.then_some(buckets);
            let states: Vec<usize> = path.buckets.iter().map(|bucket| *bucket as usize).chain(draw).collect();
            states.windows(2).for_each(|pair| counts[pair[0]][pair[1]] += 1.0);
        }
        for (bucket, row) in counts.iter_mut().enumerate() {
            let total: f64 = row.iter().sum();
            match total {
                // A game that is over leads nowhere.
                0.0 if bucket < 2 => {}
                0.0 => row[..buckets].fill(1.0 / buckets as f64),
                total => row.iter_mut().for_each(|count| *count /= total),
            }
        }
        let mut values = vec![0.0; buckets];
        loop {
            let swept: Vec<f64> = (0..buckets)
                .map(|s| {
                    let sum: f64 = (0..buckets).map(|to| counts[s][to] * values[to]).sum();
                    rewards.get(s).copied().unwrap_or(0.0) + gamma * sum
                })
                .collect();
            let largest = swept.iter().zip(&values).map(|(a, b)| f64::abs(a - b)).fold(0.0, f64::max);
            values = swept;
            if largest < tau {
                return values;
            }
        }
    }

    /// Games over few buckets; with `mixed`, boards that go on may be in the buckets of won games.
    fn paths(seed: u64, buckets: u32, games: usize, mixed: bool) -> Vec<Path> {
        let mut rng = Rng::seed_from_u64(seed);
        let mut below = |n: u32| bits::scale(rng.next_u32(), n);
        let first = if mixed { 0 } else { 2 };
        let game = |_| {
            let mut path = Path::default();
            for _ in 0..2 + below(8) {
                // The upper half is never reached.
                path.buckets.push(first + below((buckets - first) / 2));
            }
            match below(3) {
                2 => path.drawn = true,
                winner => path.buckets.push(winner),
            }
            path
        };
        (0..games).map(game).collect()
    }

    #[test]
    fn values_are_those_of_the_definition() {
        for (seed, mixed) in [(1, false), (2, false), (3, true), (4, true)] {
            let rewards = if seed % 2 == 0 { [-10.0, 10.0] } else { [10.0, -10.0] };
            let games = paths(seed, 40, 30, mixed);
            let (gamma, tau) = (0.9, 1e-3);
            let mut model = Model::new(40, rewards, gamma, tau);
            model.prepare();
            for (number, game) in games.iter().enumerate() {
                model.learn(game);
                let slow = by_definition(40, rewards, gamma, &games[..=number], 1e-13);
                // What is left to change in a sweep is below tau, so the values are this near.
                let near = tau / (1.0 - gamma);
                for (bucket, slow) in slow.iter().enumerate() {
                    let fast = model.value(bucket);
                    assert!((fast - slow).abs() <= near, "game {number}, bucket {bucket}: {fast}, slow {slow}");
                }
                let change = |bucket: usize| (model.swept(bucket) - model.values[bucket]).abs();
                assert!((0..40).filter(|bucket| model.has_value(*bucket)).all(|bucket| change(bucket) < 1.01 * tau));
            }
            assert!((1..38).contains(&model.seen()));
        }
    }

    /// Kept and read after every game it goes on to the same values, bit by bit.
    #[test]
    fn a_model_that_was_kept_goes_on() {
        let games = paths(9, 30, 50, false);
        let mut one = Model::new(30, [10.0, -10.0], 0.95, 1e-4);
        let mut other = one.clone();
        for game in &games {
            one.prepare();
            one.learn(game);
            other = serde_json::from_str(&serde_json::to_string(&other).unwrap()).unwrap();
            other.prepare();
            other.learn(game);
        }
        for bucket in 0..30 {
            assert_eq!(one.value(bucket).to_bits(), other.value(bucket).to_bits());
        }
    }

    /// Three boards in a line to a win: 10, 9, 8.1; and the mean over all buckets for unseen ones.
    #[test]
    fn a_game_by_hand() {
        let mut model = Model::new(6, [10.0, -10.0], 0.9, 1e-9);
        model.prepare();
        model.learn(&Path { buckets: vec![3, 2, 0], drawn: false });
        let near = |bucket: usize, wanted: f64| (model.value(bucket) - wanted).abs() < 1e-6;
        assert!(near(0, 10.0) && near(1, -10.0) && near(2, 9.0) && near(3, 8.1));
        // u = 0.9 (10 - 10 + 9 + 8.1 + 2 u) / 6.
        assert!(near(4, 0.9 * 17.1 / (6.0 - 1.8)) && near(5, model.value(4)));
        assert_eq!((model.seen(), model.transitions()), (2, 2));
    }
}
