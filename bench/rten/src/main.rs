//! Evaluations per second of nets of one shape: our kernels of 8-bit integers beside rten, by floating point and by 8-bit integers.
//!
//! `cargo run --release [BLOCKS CHANNELS]` in this folder. One thread, one position at a time, the median of five rounds in turns.

mod onnx;

use std::error::Error;
use std::sync::Arc;

use cpu_time::ProcessTime;
use quintet_eval::encode::Encode;
use quintet_eval::net::{Instructions, Net, Scratch, random_file};
use quintet_game::{GameSpec, with_game};
use rten::{Model, RunOptions, ThreadPool};
use rten_tensor::{AsView as _, NdTensor};

const GAMES: [&str; 6] = ["pathwayz", "pylos", "twixt(size=12)", "twixt(size=24)", "pentago-twist", "pentago"];
const ROUNDS: usize = 5;
const SECONDS: f64 = 0.5;

/// How often something can be done per second of CPU time.
fn rate(mut act: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let start = ProcessTime::now();
    let mut times = 0;
    loop {
        act()?;
        times += 1;
        let took = start.elapsed().as_secs_f64();
        if took >= SECONDS {
            return Ok(f64::from(times) / took);
        }
    }
}

fn measure<G: Encode>(game: &G, name: &str, blocks: usize, channels: usize) -> Result<(), Box<dyn Error>> {
    let net = Net::read(&random_file(game, name, blocks, channels, 1)?)?;
    let planes = net.info().planes.len();
    let (height, width) = game.grid();
    let bytes: Vec<u8> = (0..height * width * planes).map(|i| (i * 31 % 128) as u8).collect();
    let floats: Vec<f32> = bytes.iter().map(|byte| f32::from(*byte) / 127.0).collect();
    let input = NdTensor::from_data([1, planes, height, width], floats);
    let policy = net.info().policy;
    let shape = onnx::Shape { planes, blocks, channels, policy, height, width };
    let models = [Model::load(onnx::file(shape, false))?, Model::load(onnx::file(shape, true))?];
    let pool = Arc::new(ThreadPool::with_num_threads(1));
    let mut scratch = Scratch::default();
    let mut rates = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        rates[0].push(rate(|| {
            net.evaluate(&bytes, height, width, &mut scratch);
            Ok(())
        })?);
        for (model, rates) in models.iter().zip(&mut rates[1..]) {
            rates.push(rate(|| {
                let options = RunOptions::default().with_thread_pool(Some(pool.clone()));
                model.run(vec![(model.input_ids()[0], input.view().into())], model.output_ids(), Some(options))?;
                Ok(())
            })?);
        }
    }
    let [ours, float, integer] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2]
    });
    println!("| {name} | {ours:.0} | {float:.0} | {:.1} | {integer:.0} | {:.1} |", ours / float, ours / integer);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let sizes = std::env::args().skip(1).map(|size| size.parse()).collect::<Result<Vec<usize>, _>>()?;
    let [blocks, channels] = sizes[..].try_into().unwrap_or([6, 64]);
    println!("{blocks} blocks of {channels} channels, {} instructions\n", Instructions::best().name());
    println!("| net for | ours | rten, floating point | ratio | rten, 8-bit integers | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for name in GAMES {
        with_game!(GameSpec::parse(name)?, |game| measure(&game, name, blocks, channels))?;
    }
    Ok(())
}
