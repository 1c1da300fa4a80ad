//! Layers: integer sums by the kernel, then one multiplication and one addition per output.

use super::kernel::{Instructions, Packed};

/// Rounds to the nearest integer, ties to even, and cuts to the range of an activation.
#[inline]
pub(super) fn quantise(value: f32) -> u8 {
    value.round_ties_even().clamp(0.0, 127.0) as u8
}

/// A layer of weights: a convolution, or a dense one, which is a convolution of one cell.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    packed: Packed,
    scale: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// The weights come by tap, input and output; scale and bias have one number per output.
    pub fn new(weights: &[i8], taps: usize, inputs: usize, mut scale: Vec<f32>, mut bias: Vec<f32>) -> Layer {
        let packed = Packed::new(weights, taps, inputs, scale.len());
        scale.resize(packed.outputs, 0.0);
        bias.resize(packed.outputs, 0.0);
        Layer { packed, scale, bias }
    }

    /// Bytes per place that it reads: a multiple of four.
    pub fn inputs(&self) -> usize {
        self.packed.inputs
    }

    /// Numbers per cell that it computes: a multiple of 16.
    pub fn outputs(&self) -> usize {
        self.packed.outputs
    }

    pub fn products(&self) -> usize {
        self.packed.taps * self.packed.inputs * self.packed.outputs
    }

    /// The integer sums of all cells.
    pub fn sums(&self, with: Instructions, activations: &[u8], places: &[u32], reach: &[i32], sums: &mut Vec<i32>) {
        sums.resize(places.len() * self.outputs(), 0);
        self.packed.sums(with, activations, places, reach, sums);
    }

    /// Gives `write` every output of a cell: `into` may have fewer than the layer has.
    #[inline]
    pub fn each<T>(&self, into: &mut [T], sums: &[i32], write: impl Fn(&T, usize, f32) -> T) {
        for (output, (((into, sum), scale), bias)) in
            into.iter_mut().zip(sums).zip(&self.scale).zip(&self.bias).enumerate()
        {
            *into = write(into, output, *sum as f32 * scale + bias);
        }
    }

    /// Writes the quantised outputs of all cells to their places.
    pub fn quantise(&self, sums: &[i32], more: Option<&[f32]>, places: &[u32], into: &mut [u8]) {
        let outputs = self.outputs();
        for (sums, &place) in sums.chunks_exact(outputs).zip(places) {
            let row = &mut into[place as usize * outputs..(place as usize + 1) * outputs];
            match more {
                None => self.each(row, sums, |_, _, value| quantise(value)),
                Some(more) => {
                    let more = &more[..outputs];
                    self.each(row, sums, |_, output, value| quantise(value + more[output]));
                }
            }
        }
    }

    /// Adds the outputs of all cells to the stream.
    pub fn add(&self, sums: &[i32], more: Option<&[f32]>, stream: &mut [f32]) {
        let outputs = self.outputs();
        for (row, sums) in stream.chunks_exact_mut(outputs).zip(sums.chunks_exact(outputs)) {
            match more {
                None => self.each(row, sums, |old, _, value| old + value),
                Some(more) => {
                    let more = &more[..outputs];
                    self.each(row, sums, |old, output, value| old + (value + more[output]));
                }
            }
        }
    }

    /// The outputs of a dense layer. `padded` and `sums` are buffers.
    pub fn dense(
        &self,
        with: Instructions,
        inputs: &[u8],
        padded: &mut Vec<u8>,
        sums: &mut Vec<i32>,
        outputs: &mut Vec<f32>,
    ) {
        padded.clear();
        padded.extend_from_slice(&inputs[..inputs.len().min(self.inputs())]);
        padded.resize(self.inputs(), 0);
        self.sums(with, padded, &[0], &[0], sums);
        outputs.resize(self.outputs(), 0.0);
        self.each(outputs, sums, |_, _, value| value);
    }
}

/// One multiplication and one addition per channel, before a layer.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    pub scale: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Affine {
    /// Writes the quantised channels of all cells to their places.
    pub fn quantise(&self, stream: &[f32], places: &[u32], into: &mut [u8]) {
        let channels = self.scale.len();
        for (row, &place) in stream.chunks_exact(channels).zip(places) {
            let into = &mut into[place as usize * channels..(place as usize + 1) * channels];
            for (((into, value), scale), bias) in into.iter_mut().zip(row).zip(&self.scale).zip(&self.bias) {
                *into = quantise(value * scale + bias);
            }
        }
    }
}
