//! How fast a solved table of Pylos answers: `cargo run --release -p quintet-solve --example lookups -- FOLDER GAME`

use std::path::Path;
use std::time::Instant;

use quintet_game::{Game as _, GameSpec, Rng, SeedableRng as _, pylos::Pylos};
use quintet_solve::pylos::{Table, TableError};

fn main() -> Result<(), TableError> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(Ok(spec))) = (arguments.next(), arguments.next().map(|game| GameSpec::parse(&game))) else {
        eprintln!("usage: lookups FOLDER GAME, as in: lookups tables 'pylos(rules=children)'");
        return Ok(());
    };
    let (game, mut rng) = (Pylos::of(&spec), Rng::seed_from_u64(1));
    let mut asked = Vec::new();
    for plies in (0..20_000).map(|game| game % 40) {
        let mut position = game.start();
        for _ in 0..plies {
            if game.outcome(&position).is_none() {
                let mv = game.random_move(&position, &mut rng);
                game.play(&mut position, mv);
            }
        }
        let mut moves = Vec::new();
        if game.outcome(&position).is_none() {
            game.moves(&position, &mut moves);
        }
        asked.extend(moves.into_iter().map(|mv| {
            let mut after = position;
            game.play(&mut after, mv);
            after
        }));
    }
    for all in [false, true] {
        let start = Instant::now();
        let table = Table::open(Path::new(&folder), &spec)?;
        let table = if all { table.keeping_all() } else { table };
        println!(
            "{}: opened in {:.3} s",
            if all { "keeping all" } else { "as in play" },
            start.elapsed().as_secs_f64()
        );
        for round in 1..=2 {
            let start = Instant::now();
            for position in &asked {
                table.value(position)?;
            }
            let speed = asked.len() as f64 / start.elapsed().as_secs_f64();
            println!("  round {round}: {} lookups, {speed:.0} per second", asked.len());
        }
    }
    Ok(())
}
