//! Small boards, solved by the command.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn solve(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quintet")).arg("solve").args(args).output().unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = solve(args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_board_of_twixt_is_a_map_and_a_sentence() {
    let text = printed(&["twixt(size=3,rules=paper,swap=mirror)", "--threads", "1"]);
    let (map, said) = text.split_once("twixt").unwrap();
    assert_eq!(map, "  +3  +3  +3\n   .  -4   .\n  +3  +3  +3\n");
    assert!(said.contains("the first player wins in 3 with 2 pegs"), "{said}");
    assert!(said.contains("with it the first player loses in 4; no first peg is fair"), "{said}");
    let json: Value =
        serde_json::from_str(&printed(&["twixt(size=3,rules=paper)", "--threads", "1", "--json"])).unwrap();
    assert_eq!(json["start"], json!({ "outcome": "win", "distance": 3 }));
    assert_eq!(json["first_pegs"]["b2"], json!({ "outcome": "loss", "distance": 4 }));
}

/// Only the start, and what is known when the time is up.
#[test]
fn a_board_of_twixt_need_not_be_solved_as_a_whole() {
    let text = printed(&["twixt(size=6,rules=paper)", "--start", "--memory", "64"]);
    assert!(text.contains("the first player wins in 7\nbest first moves: c2 d2 c5 d5 "), "{text}");
    let text = printed(&["twixt(size=11)", "--threads", "1", "--memory", "64", "--seconds", "0.01"]);
    assert!(text.contains("   ?   ?") && text.contains("not all first pegs are known"), "{text}");
}

#[test]
fn a_board_of_pathwayz_is_a_sentence() {
    let text = printed(&["pathwayz(rows=3,cols=3)"]);
    assert!(text.contains("the first player wins in 5\nbest first moves: a2 c2 "), "{text}");
    let json: Value = serde_json::from_str(&printed(&["pathwayz(rows=2,cols=3)", "--json"])).unwrap();
    assert_eq!(json["start"], json!({ "outcome": "win", "distance": 5 }));
}

/// Ten empty cells and eight spins: the rest of the game is solved, by the rules of each of the two games.
#[test]
fn a_position_of_pentago_is_a_list_of_moves() {
    let position = "xxooxx/ooxxoo/xxooxx/ooxxoo/x...../o..... x";
    for game in ["pentago", "pentago-twist"] {
        let json: Value = serde_json::from_str(&printed(&[game, "--position", position, "--json"])).unwrap();
        let listed = json["moves"].as_array().unwrap();
        assert_eq!((json["game"].as_str(), listed.len()), (Some(game), 10 * 8));
        assert_eq!(listed[0]["value"], json["value"], "the best move comes first");
    }
}

#[test]
fn what_cannot_be_solved_is_said() {
    for (game, why) in [("twixt", "up to 11 holes"), ("pathwayz", "thirty squares")] {
        let output = solve(&[game]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{game}: {said}");
    }
    for refused in [
        &["twixt(size=3)", "--check"][..],
        &["twixt(size=3)", "--strategy", "x"],
        &["pathwayz(rows=2,cols=2)", "--seconds", "3"],
        &["pentago", "--start"],
        &["pylos", "--start"],
        &["pylos", "--memory", "100"],
        &["pylos", "--moves", "1a1"],
    ] {
        let output = solve(refused);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(refused[1]), "{refused:?}: {said}");
    }
}

/// A disk without room, as a limit on the size of files: a sentence that names the file and what to do, not a signal.
#[cfg(unix)]
#[test]
fn a_table_that_does_not_fit_on_the_disk_is_an_error_at_once() {
    let data = std::env::temp_dir().join(format!("quintet-full-{}", std::process::id()));
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 20000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_quintet")]);
    let output = shell.args(["solve", "pylos(rules=children)", "--data"]).arg(&data).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let part = data.join("tables/pylos-rules-children.part");
    assert!(said.contains(&format!("cannot write {}: ", part.display())), "{said}");
    assert!(said.contains("2.26 GB") && said.contains("--data"), "{said}");
    assert!(said.contains("continue with: quintet solve 'pylos(rules=children)'"), "{said}");
    std::fs::remove_dir_all(&data).unwrap();
}
