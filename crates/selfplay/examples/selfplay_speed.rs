//! How many positions per second the trees ask for, with an evaluator that costs nothing: `selfplay_speed [SECONDS [THREADS [GAME…]]]`.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use quintet_game::GameSpec;
use quintet_game::bits::mix;
use quintet_selfplay::{Config, SelfPlay, SelfPlayError, Stats};

const GAMES: [&str; 8] = [
    "pathwayz",
    "pathwayz(rows=3,cols=4)",
    "pylos",
    "pentago",
    "pentago-twist",
    "twixt(size=8)",
    "twixt(size=12)",
    "twixt(size=24)",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds: f64 = arguments.first().map_or(Ok(2.0), |text| text.parse())?;
    let threads: usize = arguments.get(1).map_or(Ok(0), |text| text.parse())?;
    let threads = if threads == 0 { std::thread::available_parallelism()?.get() } else { threads };
    let named: Vec<&str> = arguments.iter().skip(2).map(String::as_str).collect();
    println!("{threads} threads, {seconds} s a game, 24 simulations, batches of 1024");
    println!(
        "{:<26}{:>14}{:>14}{:>10}{:>11}{:>8}",
        "game", "positions/s", "per CPU s", "games/s", "samples/s", "moves"
    );
    for text in if named.is_empty() { &GAMES[..] } else { &named } {
        let spec = GameSpec::parse(text)?;
        let config = Config { games: 1024, threads, simulations: 24, ..Config::default() };
        let (stats, time, cpu) = run(&spec, config, Duration::from_secs_f64(seconds))?;
        println!(
            "{text:<26}{:>14.0}{:>14.0}{:>10.1}{:>11.0}{:>8.1}",
            stats.positions as f64 / time,
            stats.positions as f64 / cpu,
            stats.games as f64 / time,
            stats.samples as f64 / time,
            stats.moves as f64 / stats.games.max(1) as f64
        );
    }
    Ok(())
}

/// Plays for some time after a warm-up: what was played, and the seconds and CPU seconds that it took.
fn run(spec: &GameSpec, config: Config, time: Duration) -> Result<(Stats, f64, f64), SelfPlayError> {
    let mut play = SelfPlay::new(spec, config, None)?;
    let mut words = vec![0; play.batch() * play.cells()];
    // Logits and values that look like those of a net: some actions stand out, no position is decided.
    let number = |i: usize| (mix(i as u64) >> 40) as f32 / (1 << 24) as f32;
    let logits: Vec<f32> = (0..play.batch() * play.actions()).map(|i| 6.0 * number(i) * number(i + 1)).collect();
    let values: Vec<f32> = (0..play.batch()).map(|i| 0.6 * number(i) - 0.3).collect();
    let mut begin = (Instant::now(), ProcessTime::now(), Stats::default());
    let mut warm = false;
    loop {
        play.step(&mut words)?;
        play.answer(&logits, &values)?;
        play.take(usize::MAX);
        if !warm && begin.0.elapsed() > time / 2 {
            begin = (Instant::now(), ProcessTime::now(), play.stats());
            warm = true;
        } else if warm && begin.0.elapsed() > time {
            let (now, before) = (play.stats(), begin.2);
            let stats = Stats {
                games: now.games - before.games,
                moves: now.moves - before.moves,
                positions: now.positions - before.positions,
                samples: now.samples - before.samples,
                ..now
            };
            return Ok((stats, begin.0.elapsed().as_secs_f64(), begin.1.elapsed().as_secs_f64()));
        }
    }
}
