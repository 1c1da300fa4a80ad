//! Nets of random numbers: they play badly, but are as fast as trained ones of their size.

use std::collections::HashMap;

use quintet_game::bits::mix;
use safetensors::tensor::{Dtype, TensorView};

use super::file::{FORMAT, NetError};
use crate::encode::Encode;

/// The tensors of a net by name: shape and numbers.
#[derive(Default)]
pub(super) struct Tensors {
    pub weights: HashMap<String, (Vec<usize>, Vec<i8>)>,
    pub numbers: HashMap<String, Vec<f32>>,
}

/// The size of a net.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub planes: usize,
    pub blocks: usize,
    pub channels: usize,
    pub policy: usize,
    pub extra: usize,
}

impl Tensors {
    /// A net of random numbers; every second block has a pool.
    pub fn random(seed: u64, size: Size) -> Tensors {
        let Size { planes, blocks, channels: c, policy, extra } = size;
        let mut random = Random { next: mix(seed), tensors: Tensors::default() };
        random.layer("stem", 25, planes, c);
        for block in 0..blocks {
            random.affine(&format!("block{block}.before"), c, 3.0);
            random.layer(&format!("block{block}.inner"), 9, c, c);
            random.layer(&format!("block{block}.outer"), 9, c, c);
            if block % 2 == 1 {
                random.layer(&format!("block{block}.pool"), 1, 2 * c, c);
            }
        }
        random.affine("last", c, 3.0);
        random.layer("policy.pool", 1, 2 * c, 32);
        random.layer("policy.inner", 1, c, 32);
        random.layer("policy", 1, 32, policy);
        if extra > 0 {
            random.layer("extra", 1, 2 * c, extra);
        }
        random.layer("value.inner", 1, 2 * c, 24);
        random.layer("value", 1, 24, 3);
        // Logits that do not all say the same.
        random.tensors.numbers.insert("value.scale".into(), vec![1e-4; 3]);
        random.tensors.numbers.insert("value.bias".into(), vec![0.3, -0.2, 0.1]);
        random.tensors
    }

    /// The file.
    pub fn bytes(&self, header: &[(&str, &str)]) -> Result<Vec<u8>, NetError> {
        let failed = |why: safetensors::SafeTensorError| NetError::Format(why.to_string());
        let floats: Vec<(&String, Vec<u8>)> = self
            .numbers
            .iter()
            .map(|(name, numbers)| (name, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()))
            .collect();
        let bytes: Vec<(&String, &Vec<usize>, Vec<u8>)> = self
            .weights
            .iter()
            .map(|(name, (shape, weights))| (name, shape, weights.iter().map(|weight| *weight as u8).collect()))
            .collect();
        let mut views: Vec<(&String, TensorView)> = Vec::new();
        for (name, data) in &floats {
            views.push((name, TensorView::new(Dtype::F32, vec![data.len() / 4], data).map_err(failed)?));
        }
        for (name, shape, data) in &bytes {
            views.push((name, TensorView::new(Dtype::I8, (*shape).clone(), data).map_err(failed)?));
        }
        let header = header.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        safetensors::serialize(views, Some(header)).map_err(failed)
    }
}

/// Tensors that are being filled.
struct Random {
    next: u64,
    tensors: Tensors,
}

impl Random {
    /// From 0 to 1.
    fn share(&mut self) -> f32 {
        self.next = self.next.wrapping_add(1);
        (mix(self.next) >> 40) as f32 / (1 << 24) as f32
    }

    fn numbers(&mut self, count: usize, low: f32, high: f32) -> Vec<f32> {
        (0..count).map(|_| low + (high - low) * self.share()).collect()
    }

    fn affine(&mut self, name: &str, count: usize, scale: f32) {
        let (scales, biases) = (self.numbers(count, 0.5 * scale, scale), self.numbers(count, -4.0, 12.0));
        self.tensors.numbers.insert(format!("{name}.scale"), scales);
        self.tensors.numbers.insert(format!("{name}.bias"), biases);
    }

    fn layer(&mut self, name: &str, taps: usize, inputs: usize, outputs: usize) {
        let weights = self.numbers(taps * inputs * outputs, -127.49, 127.49).iter().map(|w| w.round() as i8).collect();
        self.tensors.weights.insert(format!("{name}.weights"), (vec![taps, inputs, outputs], weights));
        self.affine(name, outputs, 1.0 / (f32::sqrt((taps * inputs) as f32) * 60.0));
    }
}

/// The file of a net of random numbers for a game, to measure speed and to try out what needs a net.
///
/// ```
/// use std::sync::Arc;
/// use quintet_eval::net::{Net, NetGuide, random_file};
/// use quintet_game::pentago::Pentago;
/// let game = Pentago::standard();
/// let net = Net::read(&random_file(&game, "pentago", 2, 16, 1).unwrap()).unwrap();
/// assert_eq!((net.info().blocks, net.info().channels), (2, 16));
/// assert!(NetGuide::new(Arc::new(net), &game).is_ok());
/// ```
///
/// # Errors
/// If it is larger than a file can be.
pub fn random_file<G: Encode>(
    game: &G,
    name: &str,
    blocks: usize,
    channels: usize,
    seed: u64,
) -> Result<Vec<u8>, NetError> {
    let fixed = game.fixed();
    let planes: Vec<&str> =
        game.planes().iter().map(|plane| plane.name).chain(fixed.iter().map(|(name, _)| *name)).collect();
    let (policy, extra) = game.outputs();
    let tensors = Tensors::random(seed, Size { planes: planes.len(), blocks, channels, policy, extra });
    let planes = planes.join("\n");
    tensors.bytes(&[("format", FORMAT), ("game", name), ("planes", &planes), ("made", "of random numbers")])
}
