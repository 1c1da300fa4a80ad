//! Puzzles in the terminal, and games for other programs.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may have closed the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Following the hints solves a puzzle; a wrong move is refused and can be retried.
#[test]
fn a_puzzle_is_solved_move_by_move() {
    let puzzle = ["puzzle", "--id", "pentago-twist-1"];
    let mut typed = String::from("?\nnowhere\n");
    let mut talk = said(&puzzle, &typed);
    assert!(talk.contains("\"nowhere\""), "{talk}");
    // They follow the prompt.
    let listed = talk.lines().find_map(|line| line.split_once("to move> ").filter(|(_, rest)| rest.contains(' ')));
    let legal: Vec<&str> = listed.map(|(_, rest)| rest.split(' ').collect()).unwrap_or_default();
    let legal: Vec<String> = legal.into_iter().map(str::to_owned).collect();
    assert!(legal.len() > 5, "{talk}");
    typed.push_str("hint\n");
    for _ in 0..8 {
        talk = said(&puzzle, &typed);
        if talk.contains("Solved.") {
            break;
        }
        let hint =
            talk.rsplit("> ").find_map(|part| Some(part.lines().next()?.split_once(": ")?.0.to_owned())).unwrap();
        typed.push_str(&format!("{hint}\nhint\n"));
    }
    assert!(talk.contains("Solved.") && talk.contains("1 of 1 solved"), "{talk}");
    // The puzzle has one right first move; any other is wrong.
    let right = talk.split("Right: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let wrong = legal.iter().find(|mv| *mv != right).unwrap();
    let talk = said(&puzzle, &format!("{wrong}\nquit\n"));
    assert!(talk.contains(&format!("No: {wrong}")) && talk.contains("0 of 1 solved"), "{talk}");
}

#[test]
fn puzzles_are_listed_and_made() {
    let list = said(&["puzzle", "pylos", "--list"], "");
    assert!(
        list.lines().count() > 1 && list.lines().all(|line| line.starts_with("pylos-") || line.ends_with("puzzles"))
    );
    let make = ["puzzle", "pathwayz(rows=3,cols=4)", "--make", "2", "--seed", "3", "--agent", "mcts(visits=20)"];
    let made = said(&make, "");
    assert_eq!(made, said(&make, ""));
    let made: Vec<Value> = made.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(made.len() == 2 && made[0]["from"] != made[1]["from"], "{made:?}");
    for bad in
        [&["puzzle", "--id", "nobody-1"][..], &["puzzle", "pylos", "--kind", "win-in-1"], &["puzzle", "--make", "2"]]
    {
        assert_eq!(run(bad, "").status.code(), Some(2), "{bad:?}");
    }
}

/// Without its table a puzzle of Pylos cannot be proven again, and names the table; it can still be solved.
#[test]
fn a_puzzle_with_an_answer_needs_no_table() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-tables");
    std::fs::create_dir_all(&data).unwrap();
    let data = data.to_str().unwrap();
    let checked = said(&["--data", data, "puzzle", "pylos", "--check"], "");
    assert!(checked.trim_end().ends_with("0 wrong") && checked.contains("pylos-1            true"), "{checked}");
    let unproven = checked.lines().find(|line| line.contains("not checked: it needs the table of pylos")).unwrap();
    assert!(unproven.contains("quintet solve 'pylos"), "{unproven}");
    let puzzle = ["--data", data, "puzzle", "--id", unproven.split(' ').next().unwrap()];
    let talk = said(&puzzle, "hint\n?\nquit\n");
    let mut told = talk.lines().filter_map(|line| line.split_once("to move> "));
    let right = told.next().and_then(|(_, hint)| hint.split_once(": ")).unwrap().0;
    let wrong = told.next().unwrap().1.split(' ').find(|mv| *mv != right).unwrap();
    let talk = said(&puzzle, &format!("{wrong}\n{right}\n"));
    assert!(talk.contains(&format!("No: {wrong}")) && talk.contains(&format!("Right: {right}")), "{talk}");
    assert!(talk.contains("Solved.") && talk.contains("1 of 1 solved"), "{talk}");
}

#[test]
fn games_travel_to_other_programs_and_back() {
    let record = "twixt; 1.b4 2.swap 3.f7; first; resigned; anna, otto\n";
    for (to, begins) in [("t1", "# File created by quintet"), ("tsgf", "(;FF[4]"), ("sgf", "(;FF[4]GM[21]")] {
        let written = said(&["convert", "-", "--to", to], record);
        assert!(written.starts_with(begins), "{written}");
        assert_eq!(said(&["convert", "-"], &written), record, "{to}");
    }
    let two = format!("{record}{record}");
    assert_eq!(said(&["convert", "-", "--to", "sgf"], &two).lines().count(), 2);
    let refused = run(&["convert", "-", "--to", "t1"], &two);
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("one game"));
    let left_out = run(&["convert", "-", "--to", "sgf"], "pylos; 1.1b2; *\n");
    assert!(left_out.stdout.is_empty() && String::from_utf8_lossy(&left_out.stderr).contains("a format of TwixT"));
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export-data");
    let _ = std::fs::remove_dir_all(&data);
    std::fs::create_dir_all(&data).unwrap();
    let (file, data) = (data.join("game.txt"), data.to_str().unwrap().to_owned());
    std::fs::write(&file, record).unwrap();
    said(&["--data", &data, "import", file.to_str().unwrap()], "");
    let written = said(&["--data", &data, "records", "export", "--form", "t1"], "");
    assert_eq!(said(&["convert", "-"], &written), record);
}
