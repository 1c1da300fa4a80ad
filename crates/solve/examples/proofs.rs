//! How many positions of a file of known values the forward proof search proves, by the number of marbles.
//!
//! `cargo run --release -p quintet-solve --example proofs -- FILE [SECONDS [FEWEST [MOST [MEMORY_MB]]]]`: each line of FILE
//! is a JSON object with `position`, `stones` and `value`. Seconds are CPU time. It ends at the first value that is disproved.

use std::collections::BTreeMap;

use cpu_time::ProcessTime;
use quintet_game::pentago::Pentago;
use quintet_game::{Game as _, Limit, Notation as _, Proof};
use quintet_solve::pentago::prove;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: f64| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let text = std::fs::read_to_string(&words[0]).expect("a file");
    let (seconds, memory) = (number(1, 10.0), number(4, 1024.0) as u64 * 1_000_000);
    let (fewest, most) = (number(2, 6.0) as u64, number(3, 17.0) as u64);
    let game = Pentago::standard();
    // Of wins, draws and losses: proven, and all.
    let mut counts: BTreeMap<u64, [(u32, u32); 3]> = BTreeMap::new();
    for line in text.lines() {
        let fact: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        let stones = fact["stones"].as_u64().expect("a number of stones");
        let position = game.read_position(fact["position"].as_str().expect("a text")).expect("a position");
        if !(fewest..=most).contains(&stones) || game.outcome(&position).is_some() {
            continue;
        }
        let names = ["win", "draw", "loss"];
        let right = names.iter().position(|name| fact["value"] == *name).expect("a value");
        let value = [Proof::Win, Proof::Draw, Proof::Loss][right];
        let began = ProcessTime::now();
        let stop = || began.elapsed().as_secs_f64() >= seconds;
        let proven = prove(&game, &position, &Limit::default(), memory, &stop);
        assert!(proven.least <= value && value <= proven.most, "{line}: {proven:?}");
        let count = &mut counts.entry(stones).or_default()[right];
        count.1 += 1;
        count.0 += u32::from(proven.value().is_some());
        let seconds = began.elapsed().as_secs_f64();
        let known = if proven.value().is_some() { "proven" } else { "open" };
        println!("{stones:2} {:4} {known:6} {:?} {} nodes {seconds:.2} s", names[right], proven.moves, proven.nodes);
    }
    println!("stones  wins    draws   losses");
    for (stones, count) in counts {
        let shown = count.map(|(proven, all)| format!("{proven}/{all}"));
        println!("{stones:6}  {:6}  {:6}  {}", shown[0], shown[1], shown[2]);
    }
}
