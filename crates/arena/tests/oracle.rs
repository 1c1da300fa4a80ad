//! The champion of Pentago against exact values from an independent solution, in the folder `shared/oracle` beside the project.
//! Ignored by default, because it fails without it; `scripts/test` runs it if the folder is there. The bars were set before anything was measured.

use std::path::Path;

use quintet_agent::Catalogue;
use quintet_arena::{KnownPosition, ValueKept};
use quintet_game::Limit;
use serde_json::Value;

/// Positions of a file with this many stones, those over left out.
fn positions(file: &str, stones: std::ops::RangeInclusive<u64>) -> Vec<KnownPosition> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let among = |line: &&str| {
        let read: Value = serde_json::from_str(line).unwrap();
        stones.contains(&read["stones"].as_u64().unwrap())
    };
    text.lines().filter(among).map(|line| KnownPosition::read(line).unwrap()).collect()
}

fn measured(visits: u64, known: &[KnownPosition]) -> ValueKept {
    ValueKept::measure(Catalogue::embedded(), "pentago:champion", &Limit::visits(visits), 1, known).unwrap()
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn the_champion_keeps_the_value_of_openings() {
    let mut known = positions("pentago_opening_values.jsonl", 0..=5);
    known.retain(KnownPosition::is_contested);
    let kept = measured(300, &known);
    println!("{kept:?}");
    assert_eq!((kept.wins.of, kept.draws.of), (113, 118));
    assert!(kept.wins.share() >= 0.9 && kept.draws.share() >= 0.75, "{} wins, {} draws", kept.wins, kept.draws);
    let start = positions("pentago_opening_values.jsonl", 0..=0);
    assert_eq!(measured(300, &start).wins.right, 1, "the first move does not win");
}

/// A quarter of a second per move on one core.
#[test]
#[ignore = "needs ../shared/oracle"]
fn the_champion_expects_the_right_result_in_middle_games() {
    let kept = measured(1500, &positions("pentago_values.jsonl", 6..=15));
    println!("{kept:?}");
    assert_eq!(kept.guesses.of, 177);
    assert!(kept.guesses.share() >= 0.85, "{}", kept.guesses);
}
