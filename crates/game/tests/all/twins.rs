//! Every game against a slow, plain second implementation of its rules, ply by ply on random games.

use crate::common::{rng, specs};
use quintet_game::GameSpec;

/// Plays one random game on both implementations and compares everything observable.
fn compare(spec: GameSpec, seed: u64) -> usize {
    let mut rng = rng(seed);
    let mut line = spec.line();
    let mut twin = crate::naive::naive(&full_text(spec));
    loop {
        let at = || format!("{spec} seed {seed}: {:?}", line.moves());
        let mut ours = line.legal_moves();
        let mut theirs = twin.legal();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{}", at());
        assert_eq!(line.count_moves(), ours.len(), "{}", at());
        assert_eq!(line.end().map(|(outcome, _)| outcome.name()), twin.outcome(), "{}", at());
        assert_eq!(line.position(), twin.position(), "{}", at());
        let Some(mv) = line.random_move(&mut rng) else { return line.plies() };
        assert!(ours.binary_search(&mv).is_ok(), "{mv} {}", at());
        line.try_play(&mv).unwrap();
        twin.play(&mv);
    }
}

/// The spec with every option spelled out, because the twins parse it on their own.
fn full_text(spec: GameSpec) -> String {
    let options: Vec<String> = spec.info().options.iter().map(|o| format!("{}={}", o.key, spec.word(o.key))).collect();
    format!("{}({})", spec.info().name, options.join(","))
}

/// About `plies` plies for each spec of a game.
fn many(game: &str, plies: usize) {
    for spec in specs().into_iter().filter(|spec| spec.info().name == game) {
        let (mut played, mut seed) = (0, 0);
        while played < plies {
            played += compare(spec, seed).max(1);
            seed += 1;
        }
    }
}

#[test]
fn pentago() {
    many("pentago", 10_000);
    many("pentago-twist", 10_000);
}

#[test]
fn pathwayz() {
    many("pathwayz", 12_000);
}

#[test]
fn pylos() {
    many("pylos", 6_000);
}

#[test]
fn twixt() {
    many("twixt", 1_500);
}
