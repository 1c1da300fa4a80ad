//! Tiny nets of integers: an evaluation that is fast enough for alpha-beta.
//!
//! Where a plane of the position is 1 in a cell, a row of weights is added; two small layers make one number of the sums. All is seen by the side to
//! move, and all numbers are integers, so the value is the same on every machine:
//!
//! ```text
//! first  = quantised(bias + sum of the rows of the planes and cells that are 1)      rows of 16 bits
//! second = quantised(bias + weights . first)                                         weights of 8 bits
//! value  = (bias + weights . second) / 8128                                          weights of 16 bits
//! ```
//!
//! `quantised(x)` is `x / 64` rounded to the nearest integer, halves up, and cut to 0..=127. The value is the logarithm of the odds to win.

use std::sync::Arc;

use quintet_game::Player;
use safetensors::Dtype;

use super::NetError;
use super::file::Parts;
use crate::encode::{Encode, Partial, cells};
use crate::{Evaluate, Term};

/// The version of the format.
const FORMAT: &str = "quintet-tiny 1";

/// What 1 is in the sums: 127 steps of an activation, each of 64.
const ONE: i32 = 127 << SHIFT;
const SHIFT: u32 = 6;

/// Numbers of the first layer: the loops over them are compiled for each.
const WIDTHS: [usize; 4] = [32, 64, 128, 256];
/// The most numbers of the second layer.
const MOST_HIDDEN: usize = 64;
/// Cells of the largest board.
const MOST_CELLS: usize = 24 * 24;
const MOST_PLANES: usize = 64;
/// The largest bias: no sum overflows.
const MOST_BIAS: i32 = 1 << 24;

/// A tiny net that was read from a file.
#[derive(Clone, Debug)]
pub struct TinyNet {
    game: String,
    planes: Vec<String>,
    grid: (usize, usize),
    made: String,
    width: usize,
    /// By plane, cell and number of the first layer.
    rows: Vec<i16>,
    rows_bias: Vec<i32>,
    /// By number of the second layer and of the first. Wider than in the file, because products of 16 bits are added fastest.
    inner: Vec<i16>,
    inner_bias: Vec<i32>,
    value: Vec<i16>,
    value_bias: i32,
}

impl TinyNet {
    /// Reads a net from a safetensors file.
    ///
    /// The header has `format` (`quintet-tiny 1`), `game`, `planes` (names, one per line), `grid` (rows and columns, as `6 6`) and `made`. The tensors are
    /// `rows.weights` (16-bit integers by plane and cell, and by number of the first layer), `inner.weights` (8-bit integers by number of the
    /// second layer and of the first), `value.weights` (16-bit integers) and their `bias` (32-bit integers).
    ///
    /// # Errors
    /// If it is not such a file, says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<TinyNet, NetError> {
        let (header, parts) = Parts::read(bytes, FORMAT)?;
        let entry = |name: &'static str| header.get(name).cloned().ok_or(NetError::Header(name));
        let wrong = |name: &str, found: String, wanted: String| NetError::Shape { name: name.into(), found, wanted };
        let planes: Vec<String> = entry("planes")?.lines().map(str::to_owned).collect();
        if planes.is_empty() || planes.len() > MOST_PLANES {
            return Err(wrong(
                "planes",
                format!("a list of {}", planes.len()),
                format!("a list of 1 to {MOST_PLANES}"),
            ));
        }
        let text = entry("grid")?;
        let sides: Vec<usize> = text.split(' ').filter_map(|side| side.parse().ok()).collect();
        let grid = match sides[..] {
            [rows, columns] if (1..=MOST_CELLS).contains(&rows.saturating_mul(columns)) => (rows, columns),
            _ => return Err(wrong("grid", text, format!("rows and columns, at most {MOST_CELLS} cells"))),
        };
        let (width, hidden) = (parts.count("rows.bias")?, parts.count("inner.bias")?);
        if !WIDTHS.contains(&width) || !(1..=MOST_HIDDEN).contains(&hidden) {
            let wanted = format!("of {WIDTHS:?} and 1 to {MOST_HIDDEN} numbers");
            return Err(wrong("bias", format!("of {width} and {hidden} numbers"), wanted));
        }
        let features = planes.len() * grid.0 * grid.1;
        Ok(TinyNet {
            rows: parts.shorts("rows.weights", &[features, width])?,
            rows_bias: parts.biases("rows.bias", width)?,
            inner: parts
                .bytes("inner.weights", Dtype::I8, &[hidden, width])?
                .iter()
                .map(|byte| (*byte as i8).into())
                .collect(),
            inner_bias: parts.biases("inner.bias", hidden)?,
            value: parts.shorts("value.weights", &[hidden])?,
            value_bias: parts.biases("value.bias", 1)?[0],
            game: entry("game")?,
            made: entry("made")?,
            planes,
            grid,
            width,
        })
    }

    /// The game that it is for.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// How it was made, in words.
    #[must_use]
    pub fn made(&self) -> &str {
        &self.made
    }

    /// The value, in 8128ths, of a position in which these planes and cells are 1: of each cell, its number and its word. `W` is the net's width.
    #[inline]
    fn value<const W: usize>(&self, words: &[u32], planes: &[(u32, u32)], any: u32) -> i32 {
        let rows = self.rows.as_chunks::<W>().0;
        let mut sums = [0; W];
        sums.copy_from_slice(&self.rows_bias);
        for (cell, word) in words.iter().enumerate().filter(|(_, word)| **word & any != 0) {
            for (plane, (mask, value)) in planes.iter().enumerate() {
                if word & mask == *value {
                    for (sum, weight) in sums.iter_mut().zip(&rows[plane * words.len() + cell]) {
                        *sum += i32::from(*weight);
                    }
                }
            }
        }
        let first = sums.map(|sum| quantised(sum) as i16);
        let inner = self.inner.as_chunks::<W>().0.iter().zip(&self.inner_bias).zip(&self.value);
        inner.fold(self.value_bias, |value, ((weights, bias), out)| {
            let products = first.iter().zip(weights).map(|(number, weight)| i32::from(*number) * i32::from(*weight));
            value + quantised(bias + products.sum::<i32>()) * i32::from(*out)
        })
    }
}

/// A sum as an activation.
#[inline]
fn quantised(sum: i32) -> i32 {
    ((sum + (1 << (SHIFT - 1))) >> SHIFT).clamp(0, 127)
}

impl Parts<'_> {
    /// How many numbers a tensor of one dimension has.
    fn count(&self, name: &str) -> Result<usize, NetError> {
        let tensor = self.tensors.tensor(name).map_err(|_| NetError::Missing(name.to_owned()))?;
        Ok(tensor.shape().iter().product())
    }

    fn shorts(&self, name: &str, shape: &[usize]) -> Result<Vec<i16>, NetError> {
        let (bytes, _) = self.bytes(name, Dtype::I16, shape)?.as_chunks::<2>();
        Ok(bytes.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect())
    }

    fn biases(&self, name: &str, count: usize) -> Result<Vec<i32>, NetError> {
        let (bytes, _) = self.bytes(name, Dtype::I32, &[count])?.as_chunks::<4>();
        let biases: Vec<i32> = bytes.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect();
        match biases.iter().position(|bias| bias.unsigned_abs() > MOST_BIAS.unsigned_abs()) {
            None => Ok(biases),
            Some(at) => Err(NetError::Number {
                name: name.to_owned(),
                at,
                value: biases[at].to_string(),
                wanted: "biases are at most 2^24",
            }),
        }
    }
}

/// A tiny net as the evaluation of a game: the logarithm of the odds to win.
#[derive(Debug)]
pub struct TinyEval {
    net: Arc<TinyNet>,
    /// Mask and value of each plane, and the bits that one of them needs.
    planes: Vec<(u32, u32)>,
    any: u32,
}

impl TinyEval {
    /// An evaluation of a game by a net that was made for it.
    ///
    /// # Errors
    /// When the net reads other planes than the game has, or is for a board of another size.
    pub fn new<G: Encode>(net: Arc<TinyNet>, game: &G, name: &str) -> Result<TinyEval, NetError> {
        let named = |wanted: &String| {
            let plane = game.planes().iter().find(|plane| plane.name == wanted)?;
            // A plane that is 1 where no bit is set would have to be looked for everywhere.
            plane.value.filter(|value| *value != 0).map(|value| (plane.mask, value))
        };
        let planes: Vec<(u32, u32)> = net.planes.iter().map_while(named).collect();
        if planes.len() < net.planes.len() || net.grid != game.grid() || net.game != name {
            let (rows, columns) = net.grid;
            return Err(NetError::OtherGame { game: format!("{} on {rows}x{columns}", net.game) });
        }
        let any = planes.iter().fold(0, |any, (_, value)| any | value);
        Ok(TinyEval { net, planes, any })
    }

    /// The value for the side to move, in 8128ths.
    fn count<G: Encode>(&self, game: &G, pos: &G::Pos) -> i32 {
        let mut words = [0; MOST_CELLS];
        let words = &mut words[..cells(game)];
        game.pack(pos, Partial::NONE, words);
        let Self { net, planes, any } = self;
        match net.width {
            32 => net.value::<32>(words, planes, *any),
            64 => net.value::<64>(words, planes, *any),
            128 => net.value::<128>(words, planes, *any),
            _ => net.value::<256>(words, planes, *any),
        }
    }
}

impl<G: Encode> Evaluate<G> for TinyEval {
    fn value(&self, game: &G, pos: &G::Pos, view: Player) -> f64 {
        let value = f64::from(self.count(game, pos)) / f64::from(ONE);
        if game.to_move(pos) == view { value } else { -value }
    }

    fn terms(&self, game: &G, pos: &G::Pos, view: Player) -> Vec<Term> {
        vec![Term { name: "log odds".into(), value: self.value(game, pos, view), weight: 1.0 }]
    }

    fn antisymmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use quintet_game::{Game, GameSpec, Rng, SeedableRng, with_game};
    use rand_core::Rng as _;
    use safetensors::tensor::TensorView;

    use super::*;
    use crate::Evaluated;

    /// A net of random numbers, as large as they may be.
    struct Random {
        planes: Vec<&'static str>,
        grid: (usize, usize),
        width: usize,
        hidden: usize,
        rows: Vec<i16>,
        rows_bias: Vec<i32>,
        inner: Vec<i8>,
        inner_bias: Vec<i32>,
        value: Vec<i16>,
        value_bias: Vec<i32>,
    }

    impl Random {
        fn new<G: Encode>(game: &G, seed: u64, [width, hidden]: [usize; 2]) -> Random {
            let mut rng = Rng::seed_from_u64(seed);
            let mut number = |most: i32| (rng.next_u32() % (2 * most as u32 + 1)) as i32 - most;
            let planes: Vec<&str> =
                game.planes().iter().filter(|plane| plane.value.is_some()).map(|plane| plane.name).collect();
            let features = planes.len() * cells(game);
            Random {
                rows: (0..features * width).map(|_| number(3000) as i16).collect(),
                rows_bias: (0..width).map(|_| number(8000)).collect(),
                inner: (0..hidden * width).map(|_| number(127) as i8).collect(),
                inner_bias: (0..hidden).map(|_| number(8000)).collect(),
                value: (0..hidden).map(|_| number(32767) as i16).collect(),
                value_bias: vec![number(MOST_BIAS)],
                planes,
                grid: game.grid(),
                width,
                hidden,
            }
        }

        fn file(&self, game: &str, format: &str) -> Vec<u8> {
            let wide = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
            let short = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
            let (width, hidden) = (self.width, self.hidden);
            let tensors = [
                ("rows.weights", Dtype::I16, vec![self.rows.len() / width, width], short(&self.rows)),
                ("rows.bias", Dtype::I32, vec![width], wide(&self.rows_bias)),
                ("inner.weights", Dtype::I8, vec![hidden, width], self.inner.iter().map(|w| *w as u8).collect()),
                ("inner.bias", Dtype::I32, vec![hidden], wide(&self.inner_bias)),
                ("value.weights", Dtype::I16, vec![hidden], short(&self.value)),
                ("value.bias", Dtype::I32, vec![1], wide(&self.value_bias)),
            ];
            let views = tensors.iter().map(|(name, kind, shape, data)| {
                (*name, TensorView::new(*kind, shape.clone(), data).expect("the shape fits"))
            });
            let (planes, grid) = (self.planes.join("\n"), format!("{} {}", self.grid.0, self.grid.1));
            let header =
                [("format", format), ("game", game), ("planes", &planes), ("grid", &grid), ("made", "by a test")];
            let header = header.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            safetensors::serialize(views, Some(header)).expect("it is a file")
        }

        /// The definition, number by number.
        fn value<G: Encode>(&self, game: &G, pos: &G::Pos) -> i64 {
            let mut words = vec![0; cells(game)];
            game.pack(pos, Partial::NONE, &mut words);
            let quantised = |sum: i64| (sum + 32).div_euclid(64).clamp(0, 127);
            let first: Vec<i64> = (0..self.width)
                .map(|number| {
                    let mut sum = i64::from(self.rows_bias[number]);
                    for (plane, name) in self.planes.iter().enumerate() {
                        let plane_of = game.planes().iter().find(|plane| plane.name == *name).unwrap();
                        for (cell, word) in words.iter().enumerate() {
                            let feature = plane * words.len() + cell;
                            sum += plane_of.read(*word) as i64 * i64::from(self.rows[feature * self.width + number]);
                        }
                    }
                    quantised(sum)
                })
                .collect();
            let mut value = i64::from(self.value_bias[0]);
            for (second, out) in self.value.iter().enumerate() {
                let weights = &self.inner[second * self.width..(second + 1) * self.width];
                let sum: i64 = first.iter().zip(weights).map(|(number, weight)| number * i64::from(*weight)).sum();
                value += quantised(sum + i64::from(self.inner_bias[second])) * i64::from(*out);
            }
            value
        }
    }

    #[test]
    fn values_are_those_of_the_definition() {
        fn check<G: Encode>(game: &G, name: &str, seed: u64, size: [usize; 2]) {
            let random = Random::new(game, seed, size);
            let net = TinyNet::read(&random.file(name, FORMAT)).unwrap();
            assert_eq!((net.game(), net.made()), (name, "by a test"));
            let eval = TinyEval::new(Arc::new(net), game, name).unwrap();
            assert!(Evaluate::<G>::antisymmetric(&eval));
            let mut rng = Rng::seed_from_u64(seed);
            let (mut pos, mut seen) = (game.start(), Vec::new());
            while game.outcome(&pos).is_none() && seen.len() < 60 {
                let value = random.value(game, &pos);
                assert_eq!(i64::from(eval.count(game, &pos)), value);
                let mover = game.to_move(&pos);
                assert_eq!(eval.value(game, &pos, mover), value as f64 / 8128.0);
                assert_eq!(eval.value(game, &pos, mover.other()), value as f64 / -8128.0);
                seen.push(value);
                let mv = game.random_move(&pos, &mut rng);
                game.play(&mut pos, mv);
            }
            seen.dedup();
            // A single number of the second layer may be at an end of its range.
            assert!(size[1] == 1 || seen.len() > 5, "{name}: the values differ");
        }
        let games = ["pathwayz", "pylos", "twixt(size=8)", "twixt(size=24)", "pentago", "pentago-twist"];
        for (seed, spec) in games.into_iter().enumerate() {
            for size in [[32, 1], [64, 32], [128, 5], [256, 64]] {
                let spec = GameSpec::parse(spec).unwrap();
                with_game!(&spec, |game| check(&game, spec.info().name, seed as u64, size));
            }
        }
    }

    #[test]
    fn a_net_of_another_game_or_board_is_refused() {
        let small = GameSpec::parse("pathwayz(rows=3,cols=4)").unwrap();
        let refused = |spec: &str, name: &str, net: &TinyNet| {
            let spec = GameSpec::parse(spec).unwrap();
            let made = with_game!(&spec, |game| TinyEval::new(Arc::new(net.clone()), &game, name).map(|_| ()));
            made.unwrap_err().to_string()
        };
        let net = with_game!(&small, |game| {
            TinyNet::read(&Random::new(&game, 1, [32, 2]).file("pathwayz", FORMAT)).unwrap()
        });
        let why = "the net is for \"pathwayz on 3x4\": this game has other planes or moves";
        assert_eq!(refused("pathwayz", "pathwayz", &net), why);
        assert_eq!(refused("pylos", "pylos", &net), why);
        assert_eq!(refused("pathwayz(rows=3,cols=4)", "other", &net), why);
    }

    #[test]
    fn nets_that_come_with_the_program_are_found_by_name() {
        let (store, tiny) = (crate::WeightStore::embedded(), crate::Spec::parse("tiny").unwrap());
        for text in ["pentago", "pentago-twist"] {
            let spec = GameSpec::parse(text).unwrap();
            let (value, other) = with_game!(&spec, |game| {
                let (eval, start) = (store.evaluation(&game, &tiny).unwrap(), game.start());
                let terms = eval.terms(&game, &start, Player::First);
                assert_eq!((terms.len(), terms[0].value), (1, eval.value(&game, &start, Player::First)));
                (eval.value(&game, &start, Player::First), eval.value(&game, &start, Player::Second))
            });
            assert!(value == -other && value.abs() < 3.0, "{text}: {value}");
            assert_eq!(store.checksums(&tiny, text).unwrap()[0].0, format!("{text}:tiny"));
        }
        let refused = |text: &str| {
            let spec = GameSpec::parse(text).unwrap();
            with_game!(&spec, |game| store.evaluation(&game, &tiny).err().unwrap().to_string())
        };
        assert!(refused("twixt").starts_with("net \"twixt:tiny\" was not found"));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let game = quintet_game::pentago::Pentago::standard();
        let wrong = |change: &dyn Fn(&mut Random), format: &str| {
            let mut random = Random::new(&game, 1, [32, 2]);
            change(&mut random);
            TinyNet::read(&random.file("pentago", format)).unwrap_err().to_string()
        };
        let version = "the format is \"quintet-net 1\", and what is asked for is \"quintet-tiny 1\"";
        assert_eq!(wrong(&|_| (), "quintet-net 1"), version);
        let bias = "tensor inner.bias has 16777217 at 1: biases are at most 2^24";
        assert_eq!(wrong(&|net| net.inner_bias[1] = MOST_BIAS + 1, FORMAT), bias);
        let rows = "tensor rows.weights is I16 [252, 32], and should be I16 [294, 32]";
        assert_eq!(wrong(&|net| net.grid = (7, 6), FORMAT), rows);
        let grid = "tensor grid is 25 24, and should be rows and columns, at most 576 cells";
        assert_eq!(wrong(&|net| net.grid = (25, 24), FORMAT), grid);
        let planes = "tensor planes is a list of 0, and should be a list of 1 to 64";
        assert_eq!(wrong(&|net| net.planes.clear(), FORMAT), planes);
        assert!(TinyNet::read(b"nothing").is_err());
        let none = crate::Spec::parse("tiny(weights=pentago:none)").unwrap();
        let error = game.tiny(&none, crate::WeightStore::embedded()).err().unwrap().to_string();
        assert!(error.starts_with("net \"pentago:none\" was not found; the known ones are"), "{error}");
        assert!(error.ends_with("Train one with: python -m quintet.zero.tiny"), "{error}");
    }
}
