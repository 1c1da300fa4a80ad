//! How often an agent keeps the value of a position, and guesses it.
//!
//! `cargo run --release -p quintet-arena --no-default-features --example accuracy -- FILE AGENT LIMIT [LEAST MOST]`
//! asks about positions whose values are known: JSON lines with `game`, `position`, `value` (win, draw or loss for the side to move) and, where they are known,
//! `moves` (every legal move to 1, 0 or -1). `LEAST` and `MOST` choose the positions by their `stones`.
//!
//! `… -- GAME AGENT LIMIT GAMES [RANDOM PLIES]` lets the agent play against itself and asks the provers about every position; for Pylos, with the tables of
//! `$QUINTET_DATA`.
//!
//! `LIMIT` is a number of visits, as in `300`, or a time on one core, as in `1s`.

use std::error::Error;
use std::path::Path;

use quintet_agent::Catalogue;
use quintet_arena::{KnownPosition, OwnGames, ValueKept};
use quintet_game::clock::ClockKind;
use quintet_game::{GameSpec, Limit};

/// The most positions that a prover may search for one answer.
const PROOF: u64 = 300_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subject, agent, limit, numbers @ ..] = arguments.as_slice() else {
        println!(
            "Usage: accuracy FILE AGENT LIMIT [LEAST MOST]\n       accuracy GAME AGENT LIMIT GAMES [RANDOM PLIES]"
        );
        return Ok(());
    };
    let numbers: Vec<u64> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
    let limit = match limit.strip_suffix('s') {
        Some(seconds) => {
            Limit { clock: ClockKind::Cpu, ..Limit::time(std::time::Duration::try_from_secs_f64(seconds.parse()?)?) }
        }
        None => Limit::visits(limit.parse()?),
    };
    let data = std::env::var_os("QUINTET_DATA");
    let agents =
        data.map_or_else(|| Ok(Catalogue::embedded().clone()), |data| Catalogue::with_folder(Path::new(&data)))?;
    let kept = if Path::new(subject).exists() {
        let text = std::fs::read_to_string(subject)?;
        let (least, most) = (numbers.first().copied().unwrap_or(0), numbers.get(1).copied().unwrap_or(u64::MAX));
        let mut known = Vec::new();
        for line in text.lines() {
            let stones = serde_json::from_str::<serde_json::Value>(line)?["stones"].as_u64();
            if stones.is_none_or(|stones| (least..=most).contains(&stones)) {
                known.push(KnownPosition::read(line)?);
            }
        }
        ValueKept::measure(&agents, agent, &limit, 1, &known)?
    } else {
        let games = numbers.first().copied().unwrap_or(10);
        let random_plies = numbers.get(1).map_or(2, |plies| *plies as u32);
        let own =
            OwnGames { spec: GameSpec::parse(subject)?, games, random_plies, proof: Limit::nodes(PROOF), seed: 1 };
        ValueKept::in_own_games(&agents, agent, &limit, &own)?
    };
    for (what, part) in [("wins kept", kept.wins), ("draws kept", kept.draws), ("values guessed", kept.guesses)] {
        println!("{what}: {part}");
        if part.of > 0 && part.by_chance > 0.0 {
            println!("  by chance: {:.1} %", 100.0 * part.by_chance / part.of as f64);
        }
    }
    if kept.unknown > 0 {
        println!("left out, because no prover knew: {}", kept.unknown);
    }
    Ok(())
}
