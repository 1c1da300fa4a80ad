//! Small residual nets of 8-bit integers: a policy and the chances of a position.
//!
//! Products and sums of layers are integers ([`Instructions`] all give the same), and what is between the layers uses only single
//! IEEE operations in a fixed order. So a net gives the same numbers, bit for bit, on every machine.
//!
//! The board is a rectangle of any size with some planes of numbers; a layer's input are bytes from 0 to 127, its output numbers
//! `sum * scale + bias`:
//!
//! ```text
//! x  = stem(planes)                                            5x5
//! x += b(quantised(a(quantised(x * scale + bias)))) [+ pool]   3x3 each, once per block
//! t  = quantised(x * scale + bias)
//! policy = b(quantised(a(t) + pool(t)))                        1x1 each: numbers per cell
//! extra  = dense(pooled(t))                                    numbers of moves that have no cell
//! chances = softmax(dense(quantised(dense(pooled(t)))))        win, draw, loss of the side to move
//! ```
//!
//! `quantised` rounds to the nearest integer, ties to even, and cuts to 0..=127; `pooled` is the rounded mean and the maximum over all
//! cells. Files are in the safetensors format: see [`Net::read`].
//!
//! [`TinyNet`]s are of another kind: they have no policy, and are fast enough to be the evaluation ([`TinyEval`]) of alpha-beta.

mod file;
mod guide;
mod kernel;
mod layer;
mod random;
pub(crate) mod store;
mod tiny;

pub use file::{NetError, NetInfo};
pub use guide::{NetChoice, NetGuide};
pub use kernel::Instructions;
pub use random::random_file;
pub use tiny::{TinyEval, TinyNet};

use layer::{Affine, Layer, quantise};

/// A net that was read from a file.
#[derive(Clone, Debug)]
pub struct Net {
    info: NetInfo,
    with: Instructions,
    stem: Layer,
    blocks: Vec<Block>,
    last: Affine,
    policy_pool: Layer,
    policy_inner: Layer,
    policy: Layer,
    extra: Option<Layer>,
    value_inner: Layer,
    value: Layer,
}

#[derive(Clone, Debug)]
struct Block {
    before: Affine,
    inner: Layer,
    pool: Option<Layer>,
    outer: Layer,
}

/// Rows and columns around the board that the widest layer looks at.
const MARGIN: usize = 2;

/// Buffers of an evaluation, and its results. They are kept from one position to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Height and width of the board, planes, channels and channels of the policy for which the buffers are laid out.
    shape: [usize; 5],
    /// The places of the cells on the padded board.
    places: Vec<u32>,
    /// Where the taps of a 3x3 and of a 5x5 layer are.
    near: Vec<i32>,
    far: Vec<i32>,
    planes: Vec<u8>,
    stream: Vec<f32>,
    first: Vec<u8>,
    second: Vec<u8>,
    third: Vec<u8>,
    sums: Vec<i32>,
    counts: Vec<u32>,
    pooled: Vec<u8>,
    hidden: Vec<u8>,
    bias: Vec<f32>,
    policy: Vec<f32>,
    extra: Vec<f32>,
    chances: [f32; 3],
}

impl Scratch {
    /// The policy's numbers: for each cell, row by row, one per [`NetInfo::policy`] channel.
    #[must_use]
    pub fn policy(&self) -> &[f32] {
        &self.policy
    }

    /// The policy's numbers of moves that have no cell.
    #[must_use]
    pub fn extra(&self) -> &[f32] {
        &self.extra
    }

    /// The chances of the side to move to win, draw and lose. They sum to 1.
    #[must_use]
    pub fn chances(&self) -> [f32; 3] {
        self.chances
    }

    /// Prepares the buffers for a board. Margins stay 0 from then on.
    fn lay_out(&mut self, height: usize, width: usize, net: &Net) {
        let channels = net.stem.outputs();
        let shape = [height, width, net.stem.inputs(), channels, net.policy_inner.outputs()];
        if self.shape == shape {
            return;
        }
        self.shape = shape;
        // The margin at the end of a row is the margin at the beginning of the next one.
        let stride = width + MARGIN;
        let count = (height + 2 * MARGIN) * stride + MARGIN;
        let place = |row: usize, column: usize| ((row + MARGIN) * stride + MARGIN + column) as u32;
        self.places = (0..height).flat_map(|row| (0..width).map(move |column| place(row, column))).collect();
        let taps = |reach: i32| -> Vec<i32> {
            (-reach..=reach).flat_map(|row| (-reach..=reach).map(move |column| row * stride as i32 + column)).collect()
        };
        self.near = taps(1);
        self.far = taps(MARGIN as i32);
        self.planes = vec![0; count * net.stem.inputs()];
        self.first = vec![0; count * channels];
        self.second = vec![0; count * channels];
        self.third = vec![0; count * net.policy_inner.outputs()];
        self.stream = vec![0.0; height * width * channels];
    }
}

impl Net {
    /// What the file says about the net.
    #[must_use]
    pub fn info(&self) -> &NetInfo {
        &self.info
    }

    /// Uses these instructions in place of the fastest ones. The results are the same.
    #[must_use]
    pub fn with_instructions(mut self, with: Instructions) -> Net {
        self.with = with;
        self
    }

    /// Multiplications of weights and activations in one evaluation of a board with this many cells.
    #[must_use]
    pub fn products(&self, cells: usize) -> usize {
        let blocks = self.blocks.iter().map(|block| block.inner.products() + block.outer.products()).sum::<usize>();
        let dense = self.blocks.iter().filter_map(|block| block.pool.as_ref()).chain(&self.extra);
        let dense =
            dense.chain([&self.policy_pool, &self.value_inner, &self.value]).map(Layer::products).sum::<usize>();
        (self.stem.products() + blocks + self.policy_inner.products() + self.policy.products()) * cells + dense
    }

    /// Evaluates a position: the results are in `scratch`. `planes` has the planes of each cell, row by row, as bytes from 0 to 127.
    ///
    /// # Panics
    /// If there are not as many bytes as cells and planes.
    pub fn evaluate(&self, planes: &[u8], height: usize, width: usize, scratch: &mut Scratch) {
        let given = self.info.planes.len();
        assert_eq!(planes.len(), height * width * given, "one byte per cell and plane");
        scratch.lay_out(height, width, self);
        let Scratch {
            places,
            near,
            far,
            planes: padded,
            stream,
            first,
            second,
            third,
            sums,
            counts,
            pooled,
            hidden,
            bias,
            ..
        } = scratch;
        let (with, cells) = (self.with, places.len());
        let inputs = self.stem.inputs();
        for (cell, &place) in planes.chunks_exact(given).zip(&*places) {
            let place = place as usize * inputs;
            padded[place..place + given].copy_from_slice(cell);
        }
        self.stem.sums(with, padded, places, far, sums);
        for (stream, sums) in stream.chunks_exact_mut(self.stem.outputs()).zip(sums.chunks_exact(self.stem.outputs())) {
            self.stem.each(stream, sums, |_, _, value| value);
        }

        for block in &self.blocks {
            block.before.quantise(stream, places, first);
            block.inner.sums(with, first, places, near, sums);
            block.inner.quantise(sums, None, places, second);
            let pool = block.pool.as_ref().map(|pool| {
                pooled_over(second, places, block.inner.outputs(), counts, pooled);
                pool.dense(with, pooled, hidden, sums, bias);
                &bias[..]
            });
            // The pooled part has used the sums, so the second layer's come after it.
            block.outer.sums(with, second, places, near, sums);
            block.outer.add(sums, pool, stream);
        }

        self.last.quantise(stream, places, first);
        pooled_over(first, places, self.stem.outputs(), counts, pooled);
        self.policy_pool.dense(with, pooled, hidden, sums, bias);
        self.policy_inner.sums(with, first, places, &[0], sums);
        self.policy_inner.quantise(sums, Some(&bias[..]), places, third);
        self.policy.sums(with, third, places, &[0], sums);
        scratch.policy.resize(cells * self.info.policy, 0.0);
        for (row, sums) in
            scratch.policy.chunks_exact_mut(self.info.policy).zip(sums.chunks_exact(self.policy.outputs()))
        {
            self.policy.each(row, sums, |_, _, value| value);
        }
        scratch.extra.clear();
        if let Some(extra) = &self.extra {
            extra.dense(with, pooled, hidden, sums, bias);
            scratch.extra.extend_from_slice(&bias[..self.info.extra]);
        }
        self.value_inner.dense(with, pooled, hidden, sums, bias);
        pooled.clear();
        pooled.extend(bias.iter().map(|value| quantise(*value)));
        self.value.dense(with, pooled, hidden, sums, bias);
        scratch.chances = softmax([bias[0], bias[1], bias[2]]);
    }
}

/// The rounded mean of each channel over all places, then the maximum of each.
fn pooled_over(activations: &[u8], places: &[u32], channels: usize, counts: &mut Vec<u32>, pooled: &mut Vec<u8>) {
    counts.clear();
    counts.resize(channels, 0);
    pooled.clear();
    pooled.resize(2 * channels, 0);
    let (means, most) = pooled.split_at_mut(channels);
    for &place in places {
        let row = &activations[place as usize * channels..(place as usize + 1) * channels];
        for ((count, most), value) in counts.iter_mut().zip(&mut *most).zip(row) {
            *count += u32::from(*value);
            *most = (*most).max(*value);
        }
    }
    for (mean, count) in means.iter_mut().zip(counts) {
        *mean = quantise(*count as f32 / places.len() as f32);
    }
}

/// e to the power of `x`, by basic operations alone, so that it is the same everywhere. For `x` up to 80; far below 0 it is 0.
///
/// ```
/// use quintet_eval::net::exp;
/// assert_eq!(exp(0.0), 1.0);
/// assert!((exp(1.0) - std::f32::consts::E).abs() < 1e-6);
/// ```
#[must_use]
pub fn exp(x: f32) -> f32 {
    if x < -86.0 {
        return 0.0;
    }
    let x = x.min(80.0);
    let power = (x * std::f32::consts::LOG2_E).round_ties_even();
    // ln 2 in two parts, of which the first has few bits, so that the product is exact.
    let rest = x - power * 0.693_359_4 + power * 2.121_944_4e-4;
    let mut series = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + factor;
    }
    series * f32::from_bits(((power as i32 + 127) as u32) << 23)
}

/// Numbers in proportion to their exponentials, with sum 1.
fn softmax(numbers: [f32; 3]) -> [f32; 3] {
    let most = numbers.iter().copied().fold(f32::MIN, f32::max);
    let shares = numbers.map(|number| exp(number - most));
    let sum = shares[0] + shares[1] + shares[2];
    shares.map(|share| share / sum)
}

#[cfg(test)]
mod tests;
