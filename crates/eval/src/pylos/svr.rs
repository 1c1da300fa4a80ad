//! A support vector machine's score: a weighted sum of kernels between the board and boards of the training.
//!
//! A board is the paper's 60 booleans: one's own balls on the 30 cells, then the opponent's. The paper says "player 1's, then
//! player 2's"; here player 1 is the player for whom the score is, so that one machine serves both seats **(ours)**. The side to
//! move is not an input, as in the paper.
//!
//! All kernels of such boards depend on a single count of bits: those in which two boards differ (the Gaussian one), or that both
//! have (the others). So a kernel is a table of 61 numbers, and a prediction is one count and one lookup per support vector.
//! There are still thousands of them, and a search reaches most boards by several orders of moves, so [`Scorer`] caches its scores.

use std::sync::atomic::{AtomicU64, Ordering};

use quintet_game::Player;
use quintet_game::bits::{gather, mix};
use quintet_game::pylos::{CELLS, Position, Pylos};

use crate::{Evaluate, Made, Term, Weights};

/// The similarity of two boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// The scalar product: the balls that both boards have.
    Linear,
    /// The third power of gamma times that.
    Cubic,
    /// `exp(-gamma d)` for `d` cells that differ: a Gaussian, because d is the squared distance.
    Gauss,
    /// The hyperbolic tangent of gamma times the scalar product.
    Sigmoid,
}

/// A kernel by its count. 60 inputs make 61 counts; 65 entries let the compiler drop the bounds check, since it knows only
/// that a word has 64 bits.
type Table = [f64; 65];

impl Kernel {
    /// All kernels, in the order of libsvm's `-t`; the index is their number in a file of weights.
    pub const ALL: [Kernel; 4] = [Kernel::Linear, Kernel::Cubic, Kernel::Gauss, Kernel::Sigmoid];

    /// The name in recipes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Linear => "linear",
            Kernel::Cubic => "cubic",
            Kernel::Gauss => "gauss",
            Kernel::Sigmoid => "sigmoid",
        }
    }

    /// The count that determines the kernel of two boards.
    #[inline(always)]
    const fn count(self, a: u64, b: u64) -> usize {
        match self {
            Kernel::Gauss => (a ^ b).count_ones() as usize,
            Kernel::Linear | Kernel::Cubic | Kernel::Sigmoid => (a & b).count_ones() as usize,
        }
    }

    /// The similarity of any two boards at this scale.
    ///
    /// ```
    /// use quintet_eval::pylos::Kernel;
    /// let similar = Kernel::Sigmoid.similarity(0.5);
    /// assert_eq!(similar(0b0111, 0b1110), 1f64.tanh());
    /// ```
    pub fn similarity(self, gamma: f64) -> impl Fn(u64, u64) -> f64 {
        let table = self.table(gamma);
        move |a, b| table[self.count(a, b)]
    }

    /// The kernel by its count.
    fn table(self, gamma: f64) -> Table {
        std::array::from_fn(|count| {
            let scaled = gamma * count as f64;
            match self {
                Kernel::Linear => count as f64,
                Kernel::Cubic => scaled.powi(3),
                Kernel::Gauss => (-scaled).exp(),
                Kernel::Sigmoid => scaled.tanh(),
            }
        })
    }
}

/// A trained machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Svr {
    kernel: Kernel,
    gamma: f64,
    bias: f64,
    /// The support vectors with their coefficients.
    vectors: Vec<(u64, f64)>,
    table: Table,
}

impl Svr {
    /// Its name as an evaluation.
    pub const KIND: &str = "pylos-svr";

    /// The machine with these boards and coefficients.
    #[must_use]
    pub fn new(kernel: Kernel, gamma: f64, bias: f64, vectors: Vec<(u64, f64)>) -> Svr {
        Svr { kernel, gamma, bias, vectors, table: kernel.table(gamma) }
    }

    /// A position as the machine sees it for a player: bit n is an own ball on cell n, bit 30 + n an opponent's. Cells are
    /// counted level by level from the bottom, row by row, column by column.
    ///
    /// ```
    /// use quintet_eval::pylos::Svr;
    /// use quintet_game::{Notation, Player, pylos::Pylos};
    /// let pos = Pylos::default().read_position("DD..DL.........L/L......../..../. d").unwrap();
    /// assert_eq!(Svr::board(&pos, Player::First), 1 << 5 | 1 << 15 | 1 << 16 | (1 | 1 << 1 | 1 << 4) << 30);
    /// ```
    #[inline]
    #[must_use]
    pub fn board(pos: &Position, view: Player) -> u64 {
        gather(pos.balls(view), CELLS) | gather(pos.balls(view.other()), CELLS) << 30
    }

    /// The score of a board.
    #[must_use]
    pub fn predict(&self, board: u64) -> f64 {
        // The kernel is chosen outside of the loop.
        let sum = match self.kernel {
            Kernel::Gauss => self.sum(|vector| Kernel::Gauss.count(board, vector)),
            other => self.sum(|vector| other.count(board, vector)),
        };
        sum + self.bias
    }

    #[inline(always)]
    fn sum(&self, count: impl Fn(u64) -> usize) -> f64 {
        // Four sums in parallel, because a single one waits for each addition.
        let mut sums = [0.0; 4];
        let quads = self.vectors.chunks_exact(4);
        for (vector, coefficient) in quads.remainder() {
            sums[0] += coefficient * self.table[count(*vector)];
        }
        for quad in quads {
            for (sum, (vector, coefficient)) in sums.iter_mut().zip(quad) {
                *sum += coefficient * self.table[count(*vector)];
            }
        }
        sums[0] + sums[1] + (sums[2] + sums[3])
    }

    /// The support vectors with their coefficients.
    #[must_use]
    pub fn vectors(&self) -> &[(u64, f64)] {
        &self.vectors
    }

    /// The score of a board unlike all support vectors.
    #[must_use]
    pub fn bias(&self) -> f64 {
        self.bias
    }

    /// The form of a file: two numbers of 30 bits and a coefficient per support vector.
    #[must_use]
    pub fn weights(&self) -> Weights {
        let mut weights = Weights::new(Svr::KIND, Made::default());
        let mut put = |name: &str, values: Vec<f64>| weights.values.insert(name.into(), values);
        let kernel = Kernel::ALL.iter().position(|kernel| *kernel == self.kernel).unwrap_or_default();
        put("kernel", vec![kernel as f64]);
        put("gamma", vec![self.gamma]);
        put("bias", vec![self.bias]);
        put("mine", self.vectors.iter().map(|(board, _)| (board & HALF) as f64).collect());
        put("yours", self.vectors.iter().map(|(board, _)| (board >> 30) as f64).collect());
        put("coefficients", self.vectors.iter().map(|(_, coefficient)| *coefficient).collect());
        weights
    }

    /// Reads the machine from a file.
    ///
    /// # Errors
    /// When something is missing, superfluous, or not a board.
    pub fn read(weights: &Weights) -> Result<Svr, String> {
        let kernel = weights.number("kernel")?;
        let known = Kernel::ALL.iter().enumerate().find(|(number, _)| *number as f64 == kernel);
        let (_, kernel) = known.ok_or_else(|| format!("kernel {kernel} is unknown; 0 to 3 are known."))?;
        let [mine, yours, coefficients] = ["mine", "yours", "coefficients"].map(|name| weights.list(name));
        let (mine, yours, coefficients) = (mine?, yours?, coefficients?);
        if mine.len() != yours.len() || mine.len() != coefficients.len() {
            return Err("\"mine\", \"yours\" and \"coefficients\" do not have one length.".into());
        }
        let half = |number: f64| {
            let bits = number as u64;
            let whole = bits as f64 == number && bits <= HALF;
            whole.then_some(bits).ok_or_else(|| format!("{number} is not a set of 30 cells."))
        };
        let vector = |((mine, yours), coefficient): ((&f64, &f64), &f64)| -> Result<(u64, f64), String> {
            Ok((half(*mine)? | half(*yours)? << 30, *coefficient))
        };
        let vectors: Result<Vec<_>, String> = mine.iter().zip(yours).zip(coefficients).map(vector).collect();
        Ok(Svr::new(*kernel, weights.number("gamma")?, weights.number("bias")?, vectors?))
    }
}

/// One side's thirty bits.
const HALF: u64 = (1 << 30) - 1;

/// A machine as an evaluation, with a cache of its scores.
#[derive(Debug)]
pub struct Scorer {
    machine: Svr,
    /// The scores by a hash of the board. Threads share them without locks: the first word is the exclusive or of the board's
    /// mark and the score's bits, so that a slot half written by each of two threads matches no board.
    slots: Box<[[AtomicU64; 2]]>,
}

/// Two MiB of slots: enough for the boards around a move, and small enough for a processor's cache.
const SLOTS_BITS: u32 = 17;

/// Distinguishes the empty board from an empty slot.
const MARK: u64 = 1 << 63;

impl Scorer {
    /// An empty cache.
    #[must_use]
    pub fn new(machine: Svr) -> Scorer {
        Scorer { machine, slots: (0..1 << SLOTS_BITS).map(|_| Default::default()).collect() }
    }

    fn score(&self, board: u64) -> f64 {
        let [mark, bits] = &self.slots[(mix(board) >> (64 - SLOTS_BITS)) as usize];
        let known = bits.load(Ordering::Relaxed);
        if mark.load(Ordering::Relaxed) ^ known == board | MARK {
            return f64::from_bits(known);
        }
        let score = self.machine.predict(board);
        bits.store(score.to_bits(), Ordering::Relaxed);
        mark.store((board | MARK) ^ score.to_bits(), Ordering::Relaxed);
        score
    }
}

impl Evaluate<Pylos> for Scorer {
    fn value(&self, _game: &Pylos, pos: &Position, view: Player) -> f64 {
        self.score(Svr::board(pos, view))
    }

    /// Listing thousands of support vectors is useless, so their sum is split by the sign of their coefficients.
    fn terms(&self, _game: &Pylos, pos: &Position, view: Player) -> Vec<Term> {
        let Svr { kernel, bias, vectors, table, .. } = &self.machine;
        let board = Svr::board(pos, view);
        let sum = |good: bool| {
            let of_sign = vectors.iter().filter(|(_, coefficient)| (*coefficient > 0.0) == good);
            of_sign.map(|(vector, coefficient)| coefficient * table[kernel.count(board, *vector)]).sum()
        };
        let term = |name: &str, value: f64| Term { name: name.into(), value, weight: 1.0 };
        vec![
            term("likeGoodBoards", sum(true)),
            term("likeBadBoards", sum(false)),
            Term { name: "bias".into(), value: 1.0, weight: *bias },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quintet_game::{Game, Line, Notation, Rng, SeedableRng};
    use std::sync::Arc;

    /// Boards and coefficients without a pattern.
    fn machine(kernel: Kernel, count: u64) -> Svr {
        let bits = mix;
        let vectors = (1..=count).map(|n| {
            let board = bits(n) & bits(n ^ 99) & ((1 << 60) - 1);
            // Most have the largest coefficient, as after training.
            let coefficient = (bits(n ^ 7) % 5001) as f64 / 1000.0 - 2.5;
            (board, coefficient.clamp(-1.0, 1.0))
        });
        Svr::new(kernel, 1.0 / 60.0, 0.25, vectors.collect())
    }

    /// The formula over sixty numbers 0 or 1, read off the text of the position.
    fn plain(machine: &Svr, game: &Pylos, pos: &Position, view: Player) -> f64 {
        let text = game.write_position(pos);
        let own = ['L', 'D'][view.index()];
        let cells: Vec<char> = text.split(' ').next().unwrap().chars().filter(|cell| *cell != '/').collect();
        assert_eq!(cells.len(), 30);
        let mine = cells.iter().map(|cell| f64::from(u8::from(*cell == own)));
        let yours = cells.iter().map(|cell| f64::from(u8::from(*cell != own && *cell != '.')));
        let x: Vec<f64> = mine.chain(yours).collect();
        let kernel = |board: u64| {
            let s: Vec<f64> = (0..60).map(|bit| (board >> bit & 1) as f64).collect();
            let product: f64 = x.iter().zip(&s).map(|(x, s)| x * s).sum();
            let distance: f64 = x.iter().zip(&s).map(|(x, s)| (x - s).powi(2)).sum();
            match machine.kernel {
                Kernel::Linear => product,
                Kernel::Cubic => (product / 60.0).powi(3),
                Kernel::Gauss => (-distance / 60.0).exp(),
                Kernel::Sigmoid => (product / 60.0).tanh(),
            }
        };
        machine.vectors.iter().map(|(board, coefficient)| coefficient * kernel(*board)).sum::<f64>() + machine.bias
    }

    #[test]
    fn predictions_are_the_formula() {
        let game = Arc::new(Pylos::default());
        let mut rng = Rng::seed_from_u64(3);
        for kernel in Kernel::ALL {
            for count in [0, 1, 6, 203] {
                let machine = machine(kernel, count);
                let scorer = Scorer::new(machine.clone());
                let mut line = Line::new(game.clone());
                while line.outcome().is_none() {
                    for view in Player::BOTH {
                        let plain = plain(&machine, &game, line.position(), view);
                        let value = machine.predict(Svr::board(line.position(), view));
                        assert!((value - plain).abs() < 1e-9, "{kernel:?}: {value} {plain}");
                        // The second time, the score comes from the cache.
                        for _ in 0..2 {
                            assert_eq!(scorer.value(&game, line.position(), view), value);
                        }
                        let terms = scorer.terms(&game, line.position(), view);
                        let sum: f64 = terms.iter().map(|term| term.value * term.weight).sum();
                        assert!((sum - plain).abs() < 1e-9, "{kernel:?}: {sum} {plain}");
                    }
                    line.play(game.random_move(line.position(), &mut rng));
                }
            }
        }
    }

    /// More boards than slots, asked by several threads at once: a score is always that of its board.
    #[test]
    fn remembered_scores_are_right() {
        let machine = machine(Kernel::Gauss, 3);
        let scorer = Scorer::new(machine.clone());
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (machine, scorer) = (&machine, &scorer);
                scope.spawn(move || {
                    for n in 0..1u64 << 18 {
                        let board = (n ^ thread) & 0xffff | n >> 4 << 40;
                        assert_eq!(scorer.score(board), machine.predict(board));
                    }
                });
            }
        });
        assert_eq!(scorer.score(0), machine.predict(0));
    }

    #[test]
    fn files_are_read_as_they_were_written_or_refused() {
        for kernel in Kernel::ALL {
            let machine = machine(kernel, 20);
            assert_eq!(Svr::read(&machine.weights()).unwrap(), machine);
        }
        let refused = |name: &str, values: &[f64]| {
            let mut weights = machine(Kernel::Gauss, 2).weights();
            weights.values.insert(name.into(), values.into());
            Svr::read(&weights).unwrap_err()
        };
        assert!(refused("kernel", &[4.0]).contains("0 to 3"));
        assert!(refused("gamma", &[1.0, 2.0]).contains("gamma"));
        assert!(refused("coefficients", &[1.0]).contains("one length"));
        for wrong in [-1.0, 0.5, (1u64 << 30) as f64, f64::NAN] {
            assert!(refused("mine", &[wrong, 0.0]).contains("30 cells"), "{wrong}");
        }
    }
}
