//! `quintet reproduce`, end to end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const TINY: &str = r#"
[[experiment]]
id = "pylos/tiny"
title = "A tiny experiment"
section = "nowhere"
claim = "Nothing much."
kind = "matches"
chart = "outcomes"
game = "pylos"
draw-rule = true
minutes = [0.1, 0.1, 0.1]
quick = { games = 2 }
paper = { games = 4 }
players = [{ name = "ordered", agent = "pylos:ordered", quick = "nodes=100", paper = "nodes=100" }]
contradictions = ["It says two things."]
rows = [
    { a = "random", b = "random", wdl = [4, 0, 4] },
    { a = "ordered", b = "random", percent = [100, 0], n = 20, flag = "odd" },
    { a = "pylos:later", b = "random", wdl = [1, 0, 0] },
    { what = "people", cannot = "people" },
    { a = "random", b = "ordered", above = 99 },
]
repeats = [{ name = "openings", openings = 2 }]

[[experiment]]
id = "pylos/times"
title = "Tiny times"
section = "nowhere"
claim = "Deeper is slower."
kind = "times"
game = "pylos"
all-ratios = true
minutes = [0.1, 0.1, 0.1]
quick = { games = 20, cut = 3000 }
series = [{ name = "search", agent = "alphabeta(eval=difference,depth={})", at = [1, 4], ms = [10, 20] }]
ratios = [{ slow = "search 1", fast = "search 1", in = "nodes", least = 1 }]
"#;

/// A data directory with experiments of its own.
fn data(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&data);
    fs::create_dir_all(data.join("experiments")).unwrap();
    fs::write(data.join("experiments/pylos.toml"), TINY).unwrap();
    // An agent that has not been trained yet.
    fs::create_dir_all(data.join("agents")).unwrap();
    let later = "[[agent]]\nname = \"later\"\nprinted = \"random\"\nneeds = \"quintet train pylos:later\"\n";
    fs::write(data.join("agents/pylos.toml"), later).unwrap();
    data
}

fn reproduce(data: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.env("QUINTET_DATA", data).arg("reproduce").args(args).output().unwrap()
}

/// The answer as JSON, and the exit code.
fn answer(data: &Path, args: &[&str]) -> (Value, i32) {
    let output = reproduce(data, &[args, &["--json"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code().unwrap())
}

#[test]
fn a_run_that_lost_half_of_its_games_comes_to_the_same_table() {
    let data = data("reproduce-resume");
    let (first, code) = answer(&data, &["pylos/tiny", "--paper", "--threads", "2"]);
    // Random play does not win 99 % of its games against a search: a comparison differs.
    assert_eq!(code, 1);
    let lines = first["lines"].as_array().unwrap();
    let verdicts: Vec<&str> = lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts[3..6], ["waiting", "cannot be compared", "differs"], "{verdicts:?}");
    assert!(first["verdicts"]["printed"]["differs"].as_u64().unwrap() > 0);
    assert_eq!(lines.iter().filter(|line| line["repeat"] == "openings").count(), 5);
    let folder = data.join("runs/pylos-tiny-1-paper");
    for name in ["config.json", "meta.json", "report.md", "report.html", "outcomes.svg", "scores.svg"] {
        assert!(folder.join(name).exists(), "{name}");
    }
    let games = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 4 * 6);
    // Half of the games, and half of a line.
    let kept: Vec<&str> = games.lines().step_by(2).collect();
    fs::write(folder.join("games.jsonl"), format!("{}\n{}", kept.join("\n"), &games[..40])).unwrap();
    let (second, _) = answer(&data, &["pylos/tiny", "--paper", "--threads", "1"]);
    assert_eq!(first["lines"], second["lines"]);
    // The same games, in any order.
    let record = |line: &str| serde_json::from_str::<Value>(line).unwrap()["record"].to_string();
    let sorted = |text: &str| -> Vec<String> {
        let mut records: Vec<String> = text.lines().map(record).collect();
        records.sort();
        records
    };
    assert_eq!(sorted(&games), sorted(&fs::read_to_string(folder.join("games.jsonl")).unwrap()));
}

#[test]
fn reports_for_people() {
    let data = data("reproduce-text");
    let out = data.join("elsewhere");
    let output = reproduce(&data, &["pylos/tiny", "--out", out.to_str().unwrap(), "--seed", "3"]);
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    for wanted in [
        "ordered v random",
        "scaled",
        "waits for weights of pylos:later",
        "contradicts itself",
        "--seed 3",
        "[paper: odd]",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(said.contains("intervals up to +-69 points") && said.contains("experiments are also read from"), "{said}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("prefers-color-scheme"));
    assert!(!page.contains("src=") && !page.contains("href="), "a page of its own");
    assert!(
        fs::read_to_string(out.join("report.md")).unwrap().contains("| ordered v random | 100.0 % of 20 | 84-100 % |")
    );
    // The folder belongs to that seed.
    let other = reproduce(&data, &["pylos/tiny", "--out", out.to_str().unwrap(), "--seed", "4"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8(other.stderr).unwrap().contains("holds another run"));
}

#[test]
fn times_are_cut_by_nodes() {
    let data = data("reproduce-times");
    let (report, code) = answer(&data, &["pylos/times"]);
    assert_eq!(code, 0, "{report}");
    let line =
        |what: &str| report["lines"].as_array().unwrap().iter().find(|line| line["what"] == what).cloned().unwrap();
    assert_eq!(line("search 4")["verdict"], "scaled");
    assert_eq!(line("search 4 / search 1")["verdict"], "scaled");
    // An interval that only reaches the claim does not show it.
    assert_eq!(line("search 1 / search 1, in nodes")["verdict"], "not shown");
    assert!(data.join("runs/pylos-times-1-quick/times.svg").exists());
}

#[test]
fn lists_and_wrong_words() {
    let data = data("reproduce-list");
    let output = reproduce(&data, &["--list"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for wanted in ["pylos/tiny", "pathwayz/bracket", "twixt/zero"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    let (all, code) = answer(&data, &["--list", "twixt"]);
    assert_eq!((all.as_array().unwrap().len(), code), (14, 0));
    for (args, wanted) in [
        (vec!["pylos/agent"], "pylos/agents"),
        (vec!["depth-times"], "twixt/depth-times"),
        (vec![], "required"),
        (vec!["pylos/tiny", "--quick", "--full"], "cannot be used with"),
        (vec!["pylos/tiny", "--full"], "no design called \"full\""),
    ] {
        let output = reproduce(&data, &args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
    // An experiment that cannot run yet is not a failure.
    let waiting = "[[experiment]]\nid = \"twixt/dream\"\ntitle = \"A dream\"\nsection = \"none\"\nclaim = \"It flies.\"\nneeds = \"wings\"\n";
    fs::write(data.join("experiments/twixt.toml"), waiting).unwrap();
    let (waits, code) = answer(&data, &["twixt/dream"]);
    assert_eq!((waits["lines"][0]["verdict"].as_str(), code), (Some("waiting"), 0));
    fs::write(data.join("experiments/twixt.toml"), "[[experiment]]\nid = 3").unwrap();
    let output = reproduce(&data, &["--list"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("twixt.toml"));
}
