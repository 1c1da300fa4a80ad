//! Nets of random numbers, against a slow evaluation by the definition.

use std::collections::HashMap;
use std::sync::Arc;

use quintet_data::Data;
use quintet_game::{GameSpec, Rng, SeedableRng, Symmetric, with_game};
use rand_core::Rng as _;

use super::random::{Size, Tensors};
use super::*;
use crate::encode::Encode;
use crate::{Batch, Evaluated, Guide, Spec, WeightStore};

const HEADER: [(&str, &str); 4] =
    [("format", "quintet-net 1"), ("game", "pentago"), ("planes", "mine\nyours\nempty"), ("made", "by a test")];

fn random_net(seed: u64) -> Tensors {
    Tensors::random(seed, Size { planes: 3, blocks: 2, channels: 16, policy: 9, extra: 2 })
}

/// One cell's or the whole board's channels.
type Rows = Vec<Vec<f32>>;

/// The definition, cell by cell, in the order of operations that the module documents.
struct Definition<'a> {
    tensors: &'a Tensors,
    height: i32,
    width: i32,
}

impl Definition<'_> {
    fn layer(&self, name: &str, input: &[Vec<u8>], dense: bool) -> Rows {
        let (shape, weights) = &self.tensors.weights[&format!("{name}.weights")];
        let [taps, inputs, outputs] = shape[..] else { panic!("a shape") };
        let scale = &self.tensors.numbers[&format!("{name}.scale")];
        let bias = &self.tensors.numbers[&format!("{name}.bias")];
        let reach = (f64::sqrt(taps as f64) as i32 - 1) / 2;
        let (height, width) = if dense { (1, 1) } else { (self.height, self.width) };
        let mut rows = Vec::new();
        for y in 0..height {
            for x in 0..width {
                let row = (0..outputs).map(|output| {
                    let mut sum = 0i64;
                    for (tap, (dy, dx)) in
                        (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dy, dx))).enumerate()
                    {
                        if (0..height).contains(&(y + dy)) && (0..width).contains(&(x + dx)) {
                            let cell = &input[((y + dy) * width + x + dx) as usize];
                            for (channel, value) in cell.iter().enumerate() {
                                sum +=
                                    i64::from(weights[(tap * inputs + channel) * outputs + output]) * i64::from(*value);
                            }
                        }
                    }
                    sum as f32 * scale[output] + bias[output]
                });
                rows.push(row.collect());
            }
        }
        rows
    }

    fn before(&self, name: &str, rows: &Rows) -> Vec<Vec<u8>> {
        let scale = &self.tensors.numbers[&format!("{name}.scale")];
        let bias = &self.tensors.numbers[&format!("{name}.bias")];
        rows.iter()
            .map(|row| row.iter().enumerate().map(|(c, value)| byte(value * scale[c] + bias[c])).collect())
            .collect()
    }

    fn pooled(&self, cells: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let channels = cells[0].len();
        let column = |c: usize| cells.iter().map(move |cell| cell[c]);
        let mean = |c| byte(column(c).map(u32::from).sum::<u32>() as f32 / cells.len() as f32);
        vec![(0..channels).map(mean).chain((0..channels).map(|c| column(c).max().unwrap())).collect()]
    }

    fn evaluate(&self, planes: &[u8]) -> (Rows, Vec<f32>, Vec<f32>) {
        let cells: Vec<Vec<u8>> = planes.chunks(3).map(<[u8]>::to_vec).collect();
        let mut stream = self.layer("stem", &cells, false);
        for block in 0..2 {
            let first = self.before(&format!("block{block}.before"), &stream);
            let second = bytes(&self.layer(&format!("block{block}.inner"), &first, false));
            let pool = (block == 1).then(|| self.layer("block1.pool", &self.pooled(&second), true));
            let added = self.layer(&format!("block{block}.outer"), &second, false);
            for (row, added) in stream.iter_mut().zip(added) {
                for (c, (value, added)) in row.iter_mut().zip(added).enumerate() {
                    *value += pool.as_ref().map_or(added, |pool| added + pool[0][c]);
                }
            }
        }
        let last = self.before("last", &stream);
        let pooled = self.pooled(&last);
        let more = self.layer("policy.pool", &pooled, true);
        let mut inner = self.layer("policy.inner", &last, false);
        inner.iter_mut().for_each(|row| row.iter_mut().zip(&more[0]).for_each(|(value, more)| *value += more));
        let policy = self.layer("policy", &bytes(&inner), false);
        let extra = self.layer("extra", &pooled, true).remove(0);
        let value = self.layer("value", &bytes(&self.layer("value.inner", &pooled, true)), true).remove(0);
        (policy, extra, value)
    }
}

fn byte(value: f32) -> u8 {
    value.round_ties_even().clamp(0.0, 127.0) as u8
}

fn bytes(rows: &Rows) -> Vec<Vec<u8>> {
    rows.iter().map(|row| row.iter().map(|value| byte(*value)).collect()).collect()
}

#[test]
fn every_instruction_set_gives_the_numbers_of_the_definition_bit_for_bit() {
    let tensors = random_net(5);
    let net = Net::read(&tensors.bytes(&HEADER).unwrap()).unwrap();
    let mut rng = Rng::seed_from_u64(9);
    let mut different = std::collections::HashSet::new();
    // Boards of several sizes with the same buffers.
    let mut scratch = Scratch::default();
    for (height, width) in [(6, 6), (8, 12), (6, 6), (1, 1), (5, 9)] {
        let planes: Vec<u8> = (0..height * width * 3).map(|_| (rng.next_u32() % 128) as u8).collect();
        let definition = Definition { tensors: &tensors, height: height as i32, width: width as i32 };
        let (policy, extra, value) = definition.evaluate(&planes);
        let wanted: Vec<u32> = policy.concat().iter().map(|value| value.to_bits()).collect();
        for with in Instructions::available() {
            net.clone().with_instructions(with).evaluate(&planes, height, width, &mut scratch);
            let found: Vec<u32> = scratch.policy().iter().map(|value| value.to_bits()).collect();
            assert_eq!(found, wanted, "{with:?} on {height}x{width}");
            assert_eq!(scratch.extra(), extra);
            assert_eq!(scratch.chances(), softmax([value[0], value[1], value[2]]));
        }
        different.extend(wanted);
    }
    assert!(different.len() > 500, "the numbers of a net that says something differ: {}", different.len());
}

#[test]
fn a_file_says_what_it_is() {
    let net = Net::read(&random_net(2).bytes(&HEADER).unwrap()).unwrap();
    let info = net.info();
    assert_eq!((info.game.as_str(), info.channels, info.blocks, info.policy, info.extra), ("pentago", 16, 2, 9, 2));
    assert_eq!(info.planes, ["mine", "yours", "empty"]);
    assert_eq!(net.products(36) / 36 / 1000, (25 * 4 * 16 + 4 * 9 * 16 * 16 + 16 * 32 + 32 * 16) / 1000);
}

#[test]
fn broken_files_say_what_is_wrong() {
    let error = |tensors: &Tensors, header: &[(&str, &str)]| {
        Net::read(&tensors.bytes(header).unwrap()).unwrap_err().to_string()
    };
    let good = random_net(3);
    assert!(Net::read(b"no net").unwrap_err().to_string().starts_with("not a safetensors file"));
    let bytes = good.bytes(&HEADER).unwrap();
    assert!(Net::read(&bytes[..bytes.len() - 1]).is_err());
    assert_eq!(error(&good, &HEADER[..3]), "the header lacks \"made\": a net has format, game, planes and made");
    assert_eq!(
        error(&good, &[("format", "quintet-net 9")]),
        "the format is \"quintet-net 9\", and what is asked for is \"quintet-net 1\""
    );
    let mut tensors = random_net(3);
    tensors.numbers.remove("last.bias");
    assert_eq!(error(&tensors, &HEADER), "tensor last.bias is missing");
    let mut tensors = random_net(3);
    tensors.weights.get_mut("value.weights").unwrap().1[7] = -128;
    assert_eq!(error(&tensors, &HEADER), "tensor value.weights has -128 at 7: weights are -127 to 127");
    let mut tensors = random_net(3);
    tensors.numbers.get_mut("stem.scale").unwrap()[2] = f32::NAN;
    assert_eq!(error(&tensors, &HEADER), "tensor stem.scale has NaN at 2: numbers are finite");
    let mut header = HEADER;
    header[2].1 = "mine\nyours";
    assert_eq!(error(&good, &header), "tensor stem.weights is I8 [25, 3, 16], and should be I8 [25, 2, 16]");
}

#[test]
fn exponentials_are_near_the_true_ones() {
    for step in -8600..=8000 {
        let x = step as f32 / 100.0;
        let (found, wanted) = (f64::from(exp(x)), f64::from(x).exp());
        assert!((found - wanted).abs() <= wanted * 4e-7, "{x}: {found} {wanted}");
    }
    assert_eq!(exp(f32::MIN), 0.0);
}

/// A net for a game.
fn net_for<G: Encode>(game: &G, name: &str, seed: u64) -> Net {
    Net::read(&random_file(game, name, 2, 16, seed).unwrap()).unwrap()
}

#[test]
fn a_net_guides_every_game() {
    for spec in ["pathwayz", "pylos(rules=expert)", "twixt(size=12)", "twixt(size=24)", "pentago", "pentago-twist"] {
        fn guides<G: Encode>(game: &G, name: &str) {
            let guide = NetGuide::new(Arc::new(net_for(game, name, 4)), game).unwrap();
            let mut rng = Rng::seed_from_u64(3);
            let mut batch = Batch::default();
            let mut pos = game.start();
            for _ in 0..20 {
                if game.outcome(&pos).is_some() {
                    break;
                }
                batch.push(game, pos.clone(), true);
                let mv = game.random_move(&pos, &mut rng);
                game.play(&mut pos, mv);
            }
            guide.guide(game, &mut batch);
            let mut priors = std::collections::HashSet::new();
            for leaf in batch.leaves() {
                assert!((leaf.priors.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{name}");
                assert!((leaf.chances.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{name}");
                priors.extend(leaf.priors.iter().map(|prior| prior.to_bits()));
            }
            assert!(priors.len() > 20, "{name}: priors differ from move to move");
        }
        let parsed = GameSpec::parse(spec).unwrap();
        with_game!(&parsed, |game| guides(&game, spec));
    }
}

#[test]
fn averaged_answers_have_the_symmetries_of_the_board() {
    fn check<G: Encode + Symmetric>(game: &G, name: &str) {
        let net = Arc::new(net_for(game, name, 5));
        let plain = NetGuide::new(net.clone(), game).unwrap();
        let averaged = NetGuide::new(net, game).unwrap().averaged(game);
        let mut rng = Rng::seed_from_u64(9);
        let mut pos = game.start();
        for _ in 0..5 {
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
        }
        let answer = |guide: &NetGuide, pos: &G::Pos| {
            let mut batch = Batch::default();
            batch.push(game, pos.clone(), true);
            guide.guide(game, &mut batch);
            let leaf = batch.leaves().next().unwrap();
            let priors: HashMap<G::Move, f32> = leaf.moves.iter().copied().zip(leaf.priors.iter().copied()).collect();
            (*leaf.chances, priors)
        };
        let (chances, priors) = answer(&averaged, &pos);
        let alone = answer(&plain, &pos);
        assert!((chances[0] - alone.0[0]).abs() > 1e-6, "{name}: the mean differs from one answer");
        let mut images = 0;
        for symmetry in game.symmetries(&pos) {
            let image = game.map_position(*symmetry, &pos);
            let here = answer(&averaged, &image);
            for (one, other) in here.0.iter().zip(chances) {
                assert!((one - other).abs() < 1e-5, "{name} {symmetry:?}");
            }
            for (mv, prior) in &priors {
                let there = here.1[&game.map_move(*symmetry, *mv)];
                assert!((there - prior).abs() < 1e-5, "{name} {symmetry:?} {}", game.write_move(*mv));
            }
            images += usize::from(game.key(&image) != game.key(&pos));
        }
        assert!(images > 0, "{name}");
    }
    for spec in ["pathwayz", "pylos", "twixt(size=8)", "pentago", "pentago-twist"] {
        let parsed = GameSpec::parse(spec).unwrap();
        with_game!(&parsed, |game| check(&game, spec));
    }
}

#[test]
fn a_net_of_another_game_is_refused() {
    let pentago = quintet_game::pentago::Pentago::standard();
    let pylos = quintet_game::pylos::Pylos::default();
    let error = NetGuide::new(Arc::new(net_for(&pentago, "pentago", 1)), &pylos).err().unwrap();
    assert_eq!(error.to_string(), "the net is for \"pentago\": this game has other planes or moves");
}

#[test]
fn nets_are_found_by_name() {
    let folder = std::env::temp_dir().join(format!("quintet-nets-{}", std::process::id()));
    let game = quintet_game::pentago::Pentago::standard();
    let bytes = random_file(&game, "pentago", 2, 16, 7).unwrap();
    let file = folder.join("weights/pentago/net.safetensors");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    let store = WeightStore::new(Data::with_directory(&folder));
    let spec = |text: &str| Spec::parse(text).unwrap();
    let quoted = format!("net(weights=\"{}\")", file.display());
    for named in ["net", "net(weights=pentago:net)", &quoted] {
        let net = store.net(&spec(named), "pentago").unwrap().unwrap();
        assert!(game.net_guide(net).is_ok(), "{named}");
    }
    let sums = store.checksums(&spec("puct(eval=net)"), "pentago").unwrap();
    assert_eq!(sums[0].0, "pentago:net");
    assert_eq!(sums[0].1.len(), 64);
    let error = |text: &str| store.net(&spec(text), "pylos").unwrap_err().to_string();
    let missing = error("net(weights=pylos:none)");
    assert!(missing.contains("net \"pylos:none\" was not found"), "{missing}");
    assert!(error("net(layers=3)").contains("layers"), "{}", error("net(layers=3)"));
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let error = error(&quoted.replace("net.safe", "../pentago/net.safe"));
    assert!(error.contains("cannot be used: not a safetensors file"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
