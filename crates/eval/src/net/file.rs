//! Reading nets.

use std::collections::HashMap;

use safetensors::{Dtype, SafeTensors};

use super::layer::{Affine, Layer};
use super::{Block, Instructions, MARGIN, Net};

/// What a net is for, and how it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetInfo {
    /// The game, as `pentago-twist`.
    pub game: String,
    /// The names of the planes that it reads, in order.
    pub planes: Vec<String>,
    /// Channels of the trunk.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Numbers per cell of the policy.
    pub policy: usize,
    /// Numbers of the policy that have no cell.
    pub extra: usize,
    /// All weights and biases.
    pub parameters: usize,
    /// How it was made, in words.
    pub made: String,
}

/// Why a file is not a net.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// Not a safetensors file.
    #[error("not a safetensors file: {0}")]
    Format(String),
    /// An entry of the header is missing.
    #[error("the header lacks {0:?}: a net has format, game, planes and made")]
    Header(&'static str),
    /// Another version, or another kind of net.
    #[error("the format is {found:?}, and what is asked for is {wanted:?}")]
    Version {
        /// The file's.
        found: String,
        /// What this program reads here.
        wanted: &'static str,
    },
    /// A tensor is missing.
    #[error("tensor {0} is missing")]
    Missing(String),
    /// A tensor has another shape or type.
    #[error("tensor {name} is {found}, and should be {wanted}")]
    Shape {
        /// Its name.
        name: String,
        /// What it is.
        found: String,
        /// What it should be.
        wanted: String,
    },
    /// The game has no encoder.
    #[error("this game has no nets")]
    NoNets,
    /// The net reads or answers something else.
    #[error("the net is for {game:?}: this game has other planes or moves")]
    OtherGame {
        /// What the net is for.
        game: String,
    },
    /// A number that a net cannot have.
    #[error("tensor {name} has {value} at {at}: {wanted}")]
    Number {
        /// Its name.
        name: String,
        /// Where.
        at: usize,
        /// The number.
        value: String,
        /// What is allowed.
        wanted: &'static str,
    },
}

/// The version of the format.
pub(super) const FORMAT: &str = "quintet-net 1";

/// No game has more planes, and no net more channels.
const MOST_PLANES: usize = 64;
const MOST_CHANNELS: usize = 512;

impl Net {
    /// Reads a net from a safetensors file.
    ///
    /// The header has `format` (`quintet-net 1`), `game`, `planes` (names, one per line) and `made`. Each layer NAME has
    /// `NAME.weights` (8-bit integers from -127 to 127 by tap, input and output), `NAME.scale` and `NAME.bias`. The layers are `stem`
    /// (25 taps), `blockN.inner` and `blockN.outer` (9 taps), `blockN.pool` (optional), `policy.pool`, `policy.inner`, `policy`, `extra`
    /// (optional), `value.inner` and `value` (1 tap); `blockN.before` and `last` have only scale and bias.
    ///
    /// # Errors
    /// If it is not such a file, says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Net, NetError> {
        let (header, parts) = Parts::read(bytes, FORMAT)?;
        let entry = |name: &'static str| header.get(name).cloned().ok_or(NetError::Header(name));
        let planes: Vec<String> = entry("planes")?.lines().map(str::to_owned).collect();
        let side = 2 * MARGIN + 1;
        if planes.is_empty() || planes.len() > MOST_PLANES {
            return Err(NetError::Shape {
                name: "planes".into(),
                found: format!("a list of {}", planes.len()),
                wanted: format!("a list of 1 to {MOST_PLANES}"),
            });
        }
        let stem = parts.layer("stem", side * side, planes.len(), None)?;
        let channels = stem.outputs();
        let exact = parts.width("stem")?;
        if exact != channels || channels > MOST_CHANNELS {
            return Err(NetError::Shape {
                name: "stem.weights".into(),
                found: format!("of {exact} channels"),
                wanted: format!("of a multiple of 16 channels, at most {MOST_CHANNELS}"),
            });
        }
        let mut blocks = Vec::new();
        while parts.has(&format!("block{}.inner", blocks.len())) {
            let name = format!("block{}", blocks.len());
            let pool = format!("{name}.pool");
            blocks.push(Block {
                before: parts.affine(&format!("{name}.before"), channels)?,
                inner: parts.layer(&format!("{name}.inner"), 9, channels, Some(channels))?,
                pool: parts.has(&pool).then(|| parts.layer(&pool, 1, 2 * channels, Some(channels))).transpose()?,
                outer: parts.layer(&format!("{name}.outer"), 9, channels, Some(channels))?,
            });
        }
        let inner = parts.width("policy.inner")?;
        let extra = parts.has("extra").then(|| parts.layer("extra", 1, 2 * channels, None)).transpose()?;
        let value_inner = parts.layer("value.inner", 1, 2 * channels, None)?;
        let value_width = parts.width("value.inner")?;
        Ok(Net {
            with: Instructions::best(),
            last: parts.affine("last", channels)?,
            policy_pool: parts.layer("policy.pool", 1, 2 * channels, Some(inner))?,
            policy_inner: parts.layer("policy.inner", 1, channels, Some(inner))?,
            policy: parts.layer("policy", 1, inner, None)?,
            value: parts.layer("value", 1, value_width, Some(3))?,
            value_inner,
            info: NetInfo {
                game: entry("game")?,
                planes,
                channels,
                blocks: blocks.len(),
                policy: parts.width("policy")?,
                extra: if extra.is_some() { parts.width("extra")? } else { 0 },
                parameters: parts.tensors.iter().map(|(_, tensor)| tensor.shape().iter().product::<usize>()).sum(),
                made: entry("made")?,
            },
            extra,
            stem,
            blocks,
        })
    }
}

/// The tensors of a file by name.
pub(super) struct Parts<'a> {
    pub tensors: SafeTensors<'a>,
}

impl Parts<'_> {
    /// The header and the tensors of a file of this format.
    pub fn read<'a>(bytes: &'a [u8], format: &'static str) -> Result<(HashMap<String, String>, Parts<'a>), NetError> {
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| NetError::Format(error.to_string()))?;
        let header: HashMap<_, _> = header.metadata().clone().unwrap_or_default().into_iter().collect();
        let found = header.get("format").cloned().ok_or(NetError::Header("format"))?;
        if found != format {
            return Err(NetError::Version { found, wanted: format });
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| NetError::Format(error.to_string()))?;
        Ok((header, Parts { tensors }))
    }

    fn has(&self, layer: &str) -> bool {
        self.tensors.tensor(&format!("{layer}.weights")).is_ok()
    }

    /// How many outputs a layer has.
    fn width(&self, layer: &str) -> Result<usize, NetError> {
        let name = format!("{layer}.scale");
        let tensor = self.tensors.tensor(&name).map_err(|_| NetError::Missing(name))?;
        Ok(tensor.shape().iter().product())
    }

    /// The bytes of a tensor with this type and shape.
    pub fn bytes(&self, name: &str, kind: Dtype, shape: &[usize]) -> Result<&[u8], NetError> {
        let tensor = self.tensors.tensor(name).map_err(|_| NetError::Missing(name.to_owned()))?;
        if tensor.dtype() != kind || tensor.shape() != shape {
            return Err(NetError::Shape {
                name: name.to_owned(),
                found: format!("{:?} {:?}", tensor.dtype(), tensor.shape()),
                wanted: format!("{kind:?} {shape:?}"),
            });
        }
        Ok(self.tensors.tensor(name).expect("it was found").data())
    }

    fn numbers(&self, name: &str, count: usize) -> Result<Vec<f32>, NetError> {
        let (bytes, _) = self.bytes(name, Dtype::F32, &[count])?.as_chunks::<4>();
        let numbers: Vec<f32> = bytes.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match numbers.iter().position(|number| !number.is_finite()) {
            None => Ok(numbers),
            Some(at) => Err(NetError::Number {
                name: name.to_owned(),
                at,
                value: numbers[at].to_string(),
                wanted: "numbers are finite",
            }),
        }
    }

    fn affine(&self, name: &str, channels: usize) -> Result<Affine, NetError> {
        Ok(Affine {
            scale: self.numbers(&format!("{name}.scale"), channels)?,
            bias: self.numbers(&format!("{name}.bias"), channels)?,
        })
    }

    /// A layer; its number of outputs is that of its scale where none is given.
    fn layer(&self, name: &str, taps: usize, inputs: usize, outputs: Option<usize>) -> Result<Layer, NetError> {
        let outputs = match outputs {
            Some(outputs) => outputs,
            None => self.width(name)?,
        };
        let weights = format!("{name}.weights");
        let bytes = self.bytes(&weights, Dtype::I8, &[taps, inputs, outputs])?;
        let numbers: Vec<i8> = bytes.iter().map(|byte| *byte as i8).collect();
        if let Some(at) = numbers.iter().position(|weight| *weight == i8::MIN) {
            return Err(NetError::Number {
                name: weights,
                at,
                value: i8::MIN.to_string(),
                wanted: "weights are -127 to 127",
            });
        }
        let Affine { scale, bias } = self.affine(name, outputs)?;
        Ok(Layer::new(&numbers, taps, inputs, scale, bias))
    }
}
