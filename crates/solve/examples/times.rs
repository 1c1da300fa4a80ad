//! How long Pentago and Pentago-Twist take to solve, by the number of marbles: one random position each, all moves.
//!
//! `cargo run --release -p quintet-solve --example times [THREADS [PENTAGO_FROM [TWIST_FROM]]]`

use std::time::Instant;

use cpu_time::ProcessTime;
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game as _, Rng};
use quintet_solve::pentago::{bytes, solve};
use rand_core::SeedableRng as _;

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let threads = numbers.first().copied().unwrap_or(1) as usize;
    let from = [numbers.get(1).copied().unwrap_or(19), numbers.get(2).copied().unwrap_or(22)];
    println!("game           marbles    patterns      memory  seconds on {threads} thread(s), of CPU time");
    for ((name, game), from) in
        [("pentago", Pentago::standard()), ("pentago-twist", Pentago::twist())].into_iter().zip(from)
    {
        for marbles in (from..=26).rev() {
            let position = random(&game, marbles);
            let (began, busy) = (Instant::now(), ProcessTime::now());
            let solution = solve(&game, &position, threads, &|| false).expect("it is never stopped");
            let (megabytes, seconds) = (bytes(&game, 36 - marbles) as f64 / 1e6, began.elapsed().as_secs_f64());
            let busy = busy.elapsed().as_secs_f64();
            println!("{name:14} {marbles:7} {:11} {megabytes:8.1} MB  {seconds:.3} {busy:.3}", solution.patterns);
        }
    }
}

/// A position after random moves in which neither side has five.
fn random(game: &Pentago, marbles: u32) -> Position {
    let mut rng = Rng::seed_from_u64(u64::from(marbles));
    loop {
        let mut position = game.start();
        while game.pieces(&position) < marbles && game.outcome(&position).is_none() {
            let mv = game.random_move(&position, &mut rng);
            game.play(&mut position, mv);
        }
        if game.outcome(&position).is_none() {
            return position;
        }
    }
}
