//! Whole games and perft counts from independent programs, in the folder `shared/oracle` beside the project.
//! They are ignored by default, because they fail without it; `scripts/test` runs them if the folder is there.

use std::path::Path;

use quintet_api::replay::answer;
use quintet_game::{AnyLine, GameSpec};
use serde_json::{Value, json};

/// The lines of a file of the oracle.
fn oracle(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty(), "{} is empty", path.display());
    lines
}

fn games(file: &str) {
    for line in oracle(file) {
        let request = json!({"id": line["id"], "game": line["game"], "moves": line["moves"]});
        let got: Value = serde_json::from_str(&answer(request.to_string().as_bytes())).unwrap();
        for field in ["id", "legal_counts", "outcome"] {
            assert_eq!(got[field], line[field], "{} {field}: {got}", line["id"]);
        }
        match line.get("position") {
            Some(position) => assert_eq!(got["position"], *position, "{}", line["id"]),
            None => assert_eq!(got["position"].as_str().unwrap(), twixt_position(&line, &got), "{}", line["id"]),
        }
        flips(&line);
    }
}

/// The position text that the oracle's pegs and links amount to.
fn twixt_position(line: &Value, got: &Value) -> String {
    let spec = GameSpec::parse(line["game"].as_str().unwrap()).unwrap();
    let size = spec.number("size");
    let mut rows = vec![vec!['.'; size]; size];
    if spec.word("rules") != "paper" {
        for corner in [(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)] {
            rows[corner.0][corner.1] = '#';
        }
    }
    for side in ["r", "b"] {
        for peg in line["pegs"][side].as_array().unwrap() {
            let ((x, y), _) = quintet_game::text::read_cell(peg.as_str().unwrap()).unwrap();
            rows[y][x] = side.chars().next().unwrap();
        }
    }
    let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    let links: Vec<String> =
        line["links"].as_array().unwrap().iter().map(|l| l.as_str().unwrap().replace('-', "")).collect();
    let links = if links.is_empty() { "-".into() } else { links.join(",") };
    let side = got["position"].as_str().unwrap().chars().next_back().unwrap();
    format!("{} {links} {side}", rows.join("/"))
}

/// Pathwayz: the squares that each move turns.
fn flips(line: &Value) {
    let Some(flips) = line.get("flips") else { return };
    let spec = GameSpec::parse(line["game"].as_str().unwrap()).unwrap();
    let mut game = spec.line();
    for (mv, wanted) in line["moves"].as_array().unwrap().iter().zip(flips.as_array().unwrap()) {
        let before = cells(game.as_ref());
        game.try_play(mv.as_str().unwrap()).unwrap();
        let mut turned: Vec<String> = before
            .iter()
            .zip(cells(game.as_ref()))
            .filter(|((_, old), (_, new))| *old != '.' && old != new)
            .map(|((cell, _), _)| cell.clone())
            .collect();
        turned.sort();
        assert_eq!(json!(turned), *wanted, "{} {mv}", line["id"]);
    }
}

fn cells(game: &dyn AnyLine) -> Vec<(String, char)> {
    let position = game.position();
    let board = position.split(' ').next().unwrap();
    let rows = board.split('/').enumerate();
    rows.flat_map(|(y, row)| {
        row.chars().enumerate().map(move |(x, c)| (quintet_game::text::cell_name(x, y), c)).collect::<Vec<_>>()
    })
    .collect()
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn pentago_games() {
    games("pentago.jsonl");
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn pentago_twist_games() {
    games("pentago-twist.jsonl");
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn pathwayz_games() {
    games("pathwayz.jsonl");
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn pylos_games() {
    games("pylos.jsonl");
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn twixt_games() {
    games("twixt.jsonl");
}

#[test]
#[ignore = "needs ../shared/oracle"]
fn perft_counts() {
    for line in oracle("perft.jsonl") {
        let mut game = GameSpec::parse(line["game"].as_str().unwrap()).unwrap().line();
        for mv in line["moves"].as_array().unwrap() {
            game.try_play(mv.as_str().unwrap()).unwrap();
        }
        for (depth, count) in (1..).zip(line["perft"].as_array().unwrap()) {
            assert_eq!(game.perft(depth, &mut |_, _| {}), count.as_u64().unwrap(), "{} depth {depth}", line["id"]);
        }
    }
}

/// The legal moves of solved Pentago positions, as their source lists them.
#[test]
#[ignore = "needs ../shared/oracle"]
fn pentago_move_lists() {
    for file in ["pentago_values.jsonl", "pentago_opening_values.jsonl"] {
        for line in oracle(file) {
            // Some lines give the position's value alone.
            let Some(moves) = line["moves"].as_object() else { continue };
            let game = GameSpec::parse("pentago").unwrap().line_at(line["position"].as_str().unwrap()).unwrap();
            let mut ours = game.legal_moves();
            ours.sort();
            let mut theirs: Vec<String> = moves.keys().cloned().collect();
            theirs.sort();
            assert_eq!(ours, theirs, "{}", line["position"]);
        }
    }
}
