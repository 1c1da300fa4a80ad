//! The commands as newcomers, scripts and closed pipes use them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::jsonl::GOOD;

pub fn quintet(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.args(args).env_remove("NO_COLOR").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut child = quintet(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    // A command that reads no input may close the pipe before we have written it all.
    let _ = writer.join().unwrap();
    output
}

/// Runs a command that must succeed. Returns its standard output.
fn run(args: &[&str]) -> String {
    let output = run_with(args, b"");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that must fail with exit code 2. Returns its error message.
fn fail(args: &[&str]) -> String {
    let output = run_with(args, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    error
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn perft_prints_depth_and_count() {
    assert_eq!(run(&["perft", "pylos", "4"]), "1 16\n2 240\n3 3360\n4 43680\n");
    assert_eq!(run(&["perft", "twixt(size=6,swap=turn)", "2", "--moves", "c3", "swap"]), "1 23\n2 514\n");
    let json: Value = serde_json::from_str(run(&["perft", "pylos", "2", "--json"]).lines().last().unwrap()).unwrap();
    assert_eq!(json["count"], 240);
    // The history counts: one more null turn, and the position occurs for the third time.
    let moves = "1a1 1c1 1b1 1d1 1a2 1c2 1b2-1b2 1d2-1d2 1b2-1b2 1d2-1d2";
    assert_eq!(run(&["perft", "pylos", "2", "--moves", moves]), "1 0\n2 0\n");
    assert!(fail(&["perft", "pylos", "0"]).contains("0"));
    assert!(fail(&["perft", "pylos", "2", "--moves", "9z9"]).contains("move 1 \"9z9\""));
}

#[test]
fn replay_for_people() {
    let text = run(&["replay", "pathwayz", "e5", "f6p"]);
    assert!(text.contains("1. white  e5") && text.contains("2. black  f6p"), "{text}");
    // Black's f6p is a white permanent next to white's e5, which turns black.
    assert!(text.contains("position: ............/............/............/............/....b......./.....W....../............/............ w"), "{text}");
    let error = fail(&["replay", "pathwayz", "e5", "e5"]);
    assert_eq!(error, "quintet: move 2 \"e5\": e5 is taken (w).\n");
    assert!(fail(&["replay"]).contains("SPEC"));
    let json: Value = serde_json::from_str(&run(&["replay", "pathwayz", "e5", "--json"])).unwrap();
    assert_eq!(json["legal_counts"].to_string(), "[192,190]");
}

#[test]
fn show_draws_text_json_and_svg() {
    let text = run(&["show", "pentago", "--moves", "c4q2r", "a1q1l"]);
    assert!(text.contains(" 3 [o]. .   . . ."), "{text}");
    assert!(!text.contains('\x1b'), "no colour outside a terminal");
    let file = temporary("board.svg");
    run(&["show", "twixt(size=8)", "--moves", "d4", "e6", "f5", "--svg", file.to_str().unwrap()]);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("class=\"link\""));
    let json: Value = serde_json::from_str(&run(&["show", "pylos", "--json"])).unwrap();
    assert_eq!(json["legal_moves"].as_array().unwrap().len(), 16);
    let stuck = run(&["show", "pylos", "--position", "DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l"]);
    assert!(stuck.contains("dark wins (stuck)") && !stuck.contains("to move"), "{stuck}");
    assert!(fail(&["show", "pylos", "--svg", "/nonexistent/board.svg"]).contains("cannot write"));
    assert!(fail(&["show", "pathwayz(rows=9)"]).contains("Pathwayz has 2 to 8 rows"));
    assert!(fail(&["show", "pentago", "--position", "x"]).contains("position: found 1 parts, need 2"));
}

#[test]
fn explain_for_people_and_programs() {
    assert!(run(&["explain", "pylos"]).contains("difference"));
    let text = run(&["explain", "pylos", "--eval", "height", "--moves", "1b2", "1c2", "1b3", "--for", "second"]);
    assert!(text.starts_with("height for dark: -1\n") && text.contains("yourHeight"), "{text}");
    let json: Value =
        serde_json::from_str(&run(&["explain", "pylos", "--eval", "height", "--moves", "1b2", "--json"])).unwrap();
    assert_eq!(json["terms"]["yourHeight"], 1.0);
    assert_eq!(json["weights"]["yourHeight"], -1.0);
    assert!(fail(&["explain", "pylos", "--eval", "heights"]).contains("choose one of difference, height, position"));
    assert!(fail(&["explain", "pylos", "--eval", "height("]).contains("character 8"));
    let lines = [
        r#"{"id":1,"game":"pylos","position":"LD............../........./..../. l","eval":"position","for":"second"}"#,
        r#"{"id":2,"game":"pylos","eval":"position","moves":["1b2"]}"#,
        r#"{"id":[3],"game":"pylos","eval":"nonsense"}"#,
        r#"{"id":4,"game":"pylos"}"#,
        r#"{"id":5,"game":"pylos","eval":"position","for":"light"}"#,
        r#"{"id":6,"game":"pylos","eval":"position","moves":["1b2","1b2"]}"#,
        "garbage",
    ];
    let output = run_with(&["explain", "--jsonl"], lines.join("\n").as_bytes());
    assert!(output.status.success());
    let answers: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        answers[0].to_string(),
        r#"{"id":1,"terms":{"myPosition":2.0,"yourPosition":1.0},"value":1.0,"weights":{"myPosition":1.0,"yourPosition":-1.0}}"#
    );
    assert_eq!(answers[1]["value"], -3.0);
    for (answer, id) in answers[2..6].iter().zip(["[3]", "4", "5", "6"]) {
        assert!(answer["error"].is_string() && answer["id"] == serde_json::from_str::<Value>(id).unwrap(), "{answer}");
    }
    assert_eq!((answers[5]["ply"].as_u64(), answers[6]["id"].is_null()), (Some(1), true));
}

#[test]
fn analyse_for_people_and_programs() {
    let won = "xxxx../oooo../....../....../....../...... x";
    let text = run(&["analyse", "pentago", "--position", won, "--nodes", "2000"]);
    assert!(text.starts_with("pentago:champion for light: e1\nproven: light wins in 1 ply\n"), "{text}");
    let text = run(&["analyse", "pylos", "--agent", "alphabeta(eval=position,ties=first)", "--depth", "1"]);
    assert!(text.contains("for light: 1b2\nvalue 3.000, depth 1, 16 nodes"), "{text}");
    let json: Value = serde_json::from_str(&run(&["analyse", "pylos", "--visits", "50", "--json"])).unwrap();
    assert_eq!((json["nodes"].as_u64(), json["proven"].is_null()), (Some(50), true));
    assert_eq!(run(&["hint", "pentago", "--position", won, "--agent", "mcts(nodes=2000)"]), "e1: it wins\n");
    let steps =
        run(&["analyse", "twixt(size=5,rules=paper)", "--agent", "twixt:alphabeta", "--depth", "2", "--trace", "3"]);
    let lines: Vec<&str> = steps.lines().collect();
    assert!(lines.len() == 5 && lines[1].starts_with("  ") && lines[2].starts_with("  = "), "{steps}");
    assert!(lines[3].ends_with("more steps") && lines[4].contains("cut-offs"), "{steps}");
    assert!(fail(&["analyse", "pylos", "--agent", "mcts", "--visits", "9", "--trace", "3"]).contains("move by move"));
    assert!(
        fail(&["analyse", "pylos", "--agent", "alphazero"]).contains("is not an agent; choose one of random, greedy")
    );
    assert!(fail(&["analyse", "pylos", "--time", "5"]).contains("a time such as 2s or 50ms"));
    assert!(
        fail(&["analyse", "pylos", "--position", "DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l"]).contains("the game is over")
    );
    let lines = [
        format!(r#"{{"id":"a","game":"pentago","position":"{won}","agent":"mcts","limit":{{"nodes":2000}}}}"#),
        r#"{"id":1,"game":"pylos","agent":"greedy(eval=height)","limit":{"nodes":0}}"#.into(),
        r#"{"id":2,"game":"pylos","agent":"mcts","limit":{"nodes":-1}}"#.into(),
        r#"{"id":3,"game":"pylos","agent":"mcts","limit":{"nodes":"many"}}"#.into(),
        r#"{"id":4,"game":"pylos","agent":"mcts","limit":{"seconds":1}}"#.into(),
        r#"{"id":5,"game":"pylos","agent":"mcts","limit":7}"#.into(),
        r#"{"id":6,"game":"pylos","agent":"nobody"}"#.into(),
        r#"{"id":7,"game":"pylos","agent":7}"#.into(),
        r#"{"id":8,"game":"pylos","agent":"random","moves":["1a1","1a1"]}"#.into(),
        r#"{"id":9,"game":"pylos","agent":"random","position":"DDDDDDLLLLLLLLLL/LLLLDDDLD/.DDD/. l"}"#.into(),
        String::new(),
        r#"{"id":11,"game":"pylos","agent":"random"}"#.into(),
    ];
    let output = run_with(&["analyse", "--jsonl"], lines.join("\n").as_bytes());
    assert!(output.status.success());
    let answers: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["move"], &answers[0]["proven"]), (&Value::from("e1"), &Value::from("win")));
    assert_eq!((answers[0]["win"].as_f64(), answers[0]["pv"][0].as_str()), (Some(1.0), Some("e1")));
    assert!(answers[1]["move"].is_string() && answers[1]["win"].is_null());
    // One scale, whatever the search counts in; its own number stands beside it.
    assert_eq!((answers[0]["value"].as_f64(), answers[11]["value"].as_f64()), (Some(1.0), None));
    assert!((0.0..=1.0).contains(&answers[1]["value"].as_f64().unwrap()) && answers[1]["score"].is_number());
    for answer in &answers[2..11] {
        assert!(answer["error"].is_string(), "{answer}");
    }
    assert_eq!(answers[8]["ply"], 1);
    assert!(answers[11]["move"].is_string());
}

#[test]
fn a_game_in_the_terminal() {
    let file = temporary("game.txt");
    let input = format!(
        "help\n?\ne5\ne5\nz\n\nundo\nundo\ne5\nf6p\nsave {0}\nsave\nsave /nonexistent/x\nnew\nload {0}\nload /nonexistent/x\nboard\nquit\nignored\n",
        file.display()
    );
    let output = run_with(&["play", "pathwayz"], input.as_bytes());
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for says in [
        "192 legal moves",
        "move 2 \"e5\": e5 is taken (w).",
        "move 2 \"z\": expected a cell",
        "taken back: e5",
        "nothing to take back",
        "saved 2 moves",
        "save where?",
        "cannot save to /nonexistent/x",
        "loaded pathwayz: 2 moves",
        "cannot load /nonexistent/x",
    ] {
        assert!(text.contains(says), "{says}\n{text}");
    }
    assert!(!text.contains("ignored"));
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("pathwayz; 1.e5 2.f6p; *; ; human, human; seed "));
    std::fs::write(&file, "pylos; 1.1a1 2.1a1 3.1b1").unwrap();
    let output = run_with(&["play", "pylos"], format!("load {}\n", file.display()).as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("move 2 \"1a1\": 1a1 is taken (light). The moves before it are loaded."), "{text}");
}

#[test]
fn random_players_play_to_the_end_and_the_seed_repeats_it() {
    for game in ["pathwayz", "pylos", "twixt(size=6)", "pentago-twist", "pentago"] {
        let args = ["play", game, "--first", "random", "--second", "random", "--seed", "5"];
        let text = String::from_utf8(run_with(&args, b"quit\n").stdout).unwrap();
        assert!(text.contains("The game is over"), "{text}");
        assert_eq!(text, String::from_utf8(run_with(&args, b"quit\n").stdout).unwrap());
    }
    assert!(fail(&["play", "pylos", "--second", "nobody"]).contains("is not an agent"));
    let text = String::from_utf8(run_with(&["play", "pylos", "--second", "mcts(visits=20)"], b"1a1\n").stdout).unwrap();
    assert!(text.contains("dark (mcts(visits=20)) plays 1"), "{text}");
    // Against an agent one undo takes back both moves.
    let text =
        String::from_utf8(run_with(&["play", "pylos", "--second", "random", "--seed", "5"], b"1a1\nundo\n").stdout)
            .unwrap();
    assert!(text.contains("taken back: 1a1 1"), "{text}");
}

#[test]
fn agents_for_people_and_programs() {
    let all: Vec<Value> = serde_json::from_str(&run(&["agents", "--json"])).unwrap();
    for agent in &all {
        for key in ["agent", "game", "paper", "section", "search"] {
            assert!(agent[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {agent}");
        }
        assert!(agent["modes"].as_array().is_some_and(|modes| !modes.is_empty()), "{agent}");
        assert!(agent["eval"].is_null() || agent["eval"].is_string(), "{agent}");
        assert_eq!(agent["ready"].as_bool(), Some(agent["needs"].is_null()), "{agent}");
    }
    let strength = |name: &str| all.iter().find(|agent| agent["agent"] == name).unwrap()["strength"].clone();
    assert!(strength("pathwayz:tdl52").as_str().unwrap().contains("of 400 games against pathwayz:adv-baseline"));
    assert!(strength("pathwayz:beam").is_null());
    let of_game = |game: &str| all.iter().filter(|agent| agent["game"] == game).count();
    assert_eq!(["pathwayz", "pylos", "twixt", "pentago-twist", "pentago"].map(of_game), [20, 9, 9, 9, 8]);
    let text = run(&["agents", "twixt(size=8)"]);
    assert!(
        text.contains("twixt:best-first") && !text.contains("pylos:ordered") && text.contains("alphabeta"),
        "{text}"
    );
    assert!(fail(&["agents", "chess"]).contains("chess"));
    // Every other command accepts the name.
    assert!(run(&["analyse", "pathwayz", "--agent", "pathwayz:adv-baseline"]).contains("depth 1, 192 nodes"));
    assert!(text.contains("level:8"), "{text}");
    let nobody = "greedy(eval=pathwayz-52(weights=pathwayz:nobody))";
    assert!(fail(&["hint", "pathwayz", "--agent", nobody]).contains("quintet train pathwayz:nobody"));
}

#[test]
fn agents_of_ones_own_are_found_and_named() {
    let folder = temporary("data");
    std::fs::create_dir_all(folder.join("agents")).unwrap();
    let file = folder.join("agents").join("pylos.toml");
    std::fs::write(&file, "[[agent]]\nname = \"mine\"\nprinted = \"greedy(eval=height,ties=first)\"\n").unwrap();
    let data = folder.to_str().unwrap();
    let output = run_with(&["analyse", "pylos", "--agent", "pylos:mine", "--data", data], b"");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("pylos:mine for light: 1a1"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("agents are also read from"));
    std::fs::write(&file, "[[agent]]\nnom = \"mine\"\n").unwrap();
    assert!(fail(&["agents", "--data", data]).contains("pylos.toml"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bench_rows_are_json() {
    let line = run(&["bench", "playouts", "twixt(size=12,swap=turn)", "--seconds", "0.05", "--seed", "3", "--json"]);
    let row: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(row["game"], "twixt(size=12,swap=turn)");
    let outcomes = ["first", "second", "draw"].map(|name| row["outcomes"][name].as_u64().unwrap());
    assert_eq!(outcomes.iter().sum::<u64>(), row["playouts"].as_u64().unwrap());
    assert!(row["seconds"].as_f64().unwrap() >= 0.05 && row["plies"].as_u64().unwrap() > 0);
    assert!(fail(&["bench", "playouts", "pylos", "--seconds", "-1"]).contains("above 0"));
    assert!(fail(&["bench", "playouts", "chess"]).contains("is not a game"));
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    for args in [
        vec![],
        vec!["games"],
        vec!["games", "--json"],
        vec!["--help"],
        vec!["show", "twixt(size=24)"],
        vec!["perft", "pylos", "5"],
        vec!["replay", "pylos", "1a1"],
        vec!["replay", "--jsonl"],
        vec!["explain", "--jsonl"],
        vec!["explain", "pylos"],
        vec!["analyse", "pylos", "--visits", "10"],
        vec!["play", "pylos", "--first", "random", "--second", "random"],
        vec!["bench", "playouts", "pylos", "--seconds", "0.01"],
        vec!["completions", "bash"],
        vec!["man"],
    ] {
        let mut child = quintet(&args).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(format!("{GOOD}\n").repeat(100).as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn help_has_an_example_for_every_command() {
    let top = run(&["--help"]);
    for command in
        ["games", "show", "perft", "replay", "analyse", "hint", "explain", "play", "bench", "completions", "man"]
    {
        assert!(top.contains(command), "{command}");
        let help = run(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("quintet {command}")), "{help}");
    }
    let games: Value = serde_json::from_str(&run(&["games", "--json"])).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 5);
    assert!(run(&["completions", "zsh"]).contains("#compdef quintet"));
    assert!(run(&["man"]).contains(".TH quintet"));
}

/// The value of every move of a position, and the distances to the end.
#[test]
fn positions_of_pentago_are_solved_move_by_move() {
    let place = "xxxx../oooo.x/xoxoxo/oxoxox/xoxoxo/oo..xx o";
    let json: Value =
        serde_json::from_str(&run(&["solve", "pentago", "--position", place, "--distance", "--json"])).unwrap();
    assert_eq!(json["value"], "win");
    let moves = json["moves"].as_array().unwrap();
    assert!(moves.contains(&serde_json::json!({ "move": "e2", "value": "win", "plies": 1 })), "{json}");
    assert!(moves.iter().all(|mv| (mv["value"] == "draw") == mv["plies"].is_null()), "{json}");
    let text = run(&["solve", "pentago", "--position", place]);
    assert!(text.starts_with("dark wins") && text.contains("e2"), "{text}");
    let early =
        run(&["solve", "pentago", "--position", "xxxx../ooo.../....../....../....../o..... x", "--memory", "1"]);
    assert!(early.contains("proof search"), "{early}");
    let over = "xxxxx./oooo.x/xoxoxo/oxoxox/xoxoxo/oo...x o";
    assert!(fail(&["solve", "pentago", "--position", over]).contains("over"));
    assert!(fail(&["solve", "pylos", "--moves", "1a1"]).contains("--moves"));
}
