//! The opening book by self-play.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{after, repeats};
use quintet_eval::Book;
use quintet_game::pentago::Pentago;
use quintet_game::{GameSpec, Notation, Symmetric, with_game};
use quintet_learn::{Product, Recipe, Recipes};
use serde_json::Value;

/// The recipe with quick players.
fn quick(changes: &[(&str, &str)]) -> Recipe {
    let mut recipe = Recipes::embedded().find("pentago-twist:book").unwrap().clone();
    let small = [("games", "60"), ("players", "[\"random\", \"greedy(eval=e3)\"]"), ("block", "20"), ("least", "2")];
    for (key, value) in small.iter().chain(changes) {
        recipe = recipe.with(key, value).unwrap();
    }
    recipe
}

fn text(product: Product) -> String {
    match product {
        Product::File { ending: "csv", text } => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_seed_makes_the_same_book() {
    let text = text(repeats(&quick(&[]), 7, 9));
    let spec = GameSpec::parse("pentago-twist").unwrap();
    let book = Book::parse(&spec, &Pentago::twist(), &text).unwrap();
    assert!(book.len() > 10, "{text}");
    assert!(text.contains("\n# command: quintet train pentago-twist:book --games 60 --seed 7\n"), "{text}");
}

/// Every game of every kind can have one.
#[test]
fn books_of_all_games() {
    for (spec, says) in [
        ("pylos", "pylos"),
        ("pathwayz(rows=4,cols=4)", "pathwayz(rows=4"),
        ("twixt(size=6)", "twixt(size=6"),
        ("pentago", "pentago"),
    ] {
        let changes = [("spec", spec), ("players", "[\"random\"]"), ("games", "20"), ("random", "[0]")];
        let text = text(after(&quick(&changes), 3, 9, 2, false).product());
        let spec = GameSpec::parse(spec).unwrap();
        assert!(text.contains(&format!("\n# game: {says}")), "{text}");
        assert!(with_game!(spec, |game| Book::parse(&spec, &game, &text).unwrap().len()) > 0, "{text}");
    }
}

/// What is gathered, written down slowly: positions by their least text, moves by where they lead.
#[test]
fn symmetric_positions_and_equal_moves_are_gathered_together() {
    let state = after(&quick(&[("games", "120"), ("plies", "3"), ("random", "[0, 1, 2, 3]")]), 5, 9, 1, false).save();
    let tally = state["tally"].as_object().unwrap();
    let game = Pentago::twist();
    let images = |text: &str| -> BTreeSet<String> {
        let pos = game.read_position(text).unwrap();
        [false, true]
            .map(|turned| {
                let rows: String = text.split(' ').next().unwrap().into();
                let board = if turned { rows.chars().rev().collect() } else { rows };
                format!("{board} {}", text.split(' ').nth(1).unwrap())
            })
            .into_iter()
            .inspect(|image| assert_eq!(game.symmetries(&pos).len(), 2, "{image}"))
            .collect()
    };
    for (position, moves) in tally {
        assert_eq!(Some(position), images(position).first());
        let spec = GameSpec::parse("pentago-twist").unwrap();
        let leads = |mv: &str| {
            let mut line = spec.line_at(position).unwrap();
            line.try_play(mv).unwrap();
            images(&line.position()).first().unwrap().clone()
        };
        let ends: BTreeSet<String> = moves.as_object().unwrap().keys().map(|mv| leads(mv)).collect();
        assert_eq!(ends.len(), moves.as_object().unwrap().len(), "two moves of {position} lead to one place");
        let first =
            |end: &String| spec.line_at(position).unwrap().legal_moves().into_iter().find(|mv| leads(mv) == *end);
        let firsts: BTreeSet<String> = ends.iter().filter_map(first).collect();
        assert!(moves.as_object().unwrap().keys().all(|mv| firsts.contains(mv)), "{position}");
    }
    // 18 boards of a marble, 36 cells in pairs; every game was gathered once at every ply.
    let start = tally.iter().find(|(position, _)| !position.contains(['x']) || position.ends_with(". x")).unwrap();
    let count = |moves: &Value| -> u64 {
        moves
            .as_object()
            .unwrap()
            .values()
            .flat_map(|counts| counts.as_array().unwrap())
            .filter_map(Value::as_u64)
            .sum()
    };
    assert!(start.1.as_object().unwrap().len() <= 18);
    let mut by_ply: BTreeMap<usize, u64> = BTreeMap::new();
    for (position, moves) in tally {
        let board = position.split(' ').next().unwrap();
        *by_ply.entry(board.matches(['x', 'o']).count()).or_default() += count(moves);
    }
    assert_eq!(by_ply, BTreeMap::from([(0, 120), (1, 120), (2, 120)]));
}

#[test]
fn recipes_that_make_no_sense_are_refused() {
    for (key, value, says) in [
        ("players", "[]", "at least one"),
        ("players", "[\"greedy(\"]", "expected a word"),
        ("epsilon", "2.0", "between 0 and 1"),
        ("block", "0", "above 0"),
        ("spec", "chess", "chess"),
        ("depth", "3", "unknown field `depth`, expected one of `games`, `players`"),
    ] {
        let error = quick(&[]).with(key, value).err().unwrap_or_else(|| panic!("{key}={value}")).to_string();
        assert!(error.contains(says), "{key}={value}: {error}");
    }
}
