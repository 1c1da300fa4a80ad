//! `quintet stats` as a person and a script use it.

use std::process::{Command, Output};

use serde_json::Value;

fn stats(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quintet")).arg("stats").args(args).output().unwrap()
}

/// Runs a command that must succeed. Returns its lines.
fn lines(args: &[&str]) -> Vec<String> {
    let output = stats(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Runs a command that must fail with exit code 2. Returns its error message.
fn fail(args: &[&str]) -> String {
    let output = stats(args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(output.stdout.is_empty());
    error
}

#[test]
fn single_games() {
    assert_eq!(
        lines(&["--wdl", "76,123,89"]),
        [
            "games 288",
            "W-D-L 76-123-89",
            "score 47.74 % [43.38, 52.11]",
            "Elo -15.69 +- 30.46",
            "nElo -20.76 +- 40.13",
            "LOS 15.53 %"
        ]
    );
    let other = lines(&["--wdl", "136, 111, 96"]);
    assert!(other.contains(&"Elo 40.70 +- 30.43".into()) && other.contains(&"LOS 99.60 %".into()), "{other:?}");
}

#[test]
fn pairs() {
    assert_eq!(
        lines(&["--pairs", "34,54,31,32,64,75"]),
        [
            "pairs 290",
            "games 580",
            "W-D-L 245-182-153",
            "score 57.93 % [54.06, 61.80]",
            "Elo 55.58 +- 27.65",
            "nElo 57.94 +- 28.28",
            "LOS 100.00 %"
        ]
    );
}

#[test]
fn sequential_tests() {
    let normalized = lines(&["--wdl", "36433,68692,36027", "--sprt", "0,2", "--model", "normalized"]);
    assert_eq!(
        normalized[6..],
        ["LLR 0.92 (-2.94, 2.94) [0.00, 2.00]", "go on: neither claim in normalized Elo can be accepted yet"]
    );
    let logistic = lines(&["--wdl", "21404,40708,21184", "--sprt", "0.5,2.5"]);
    assert_eq!(
        logistic[6..],
        ["LLR -1.57 (-2.94, 2.94) [0.50, 2.50]", "go on: neither claim in logistic Elo can be accepted yet"]
    );
    let level = lines(&["--wdl", "36433,68692,36027", "--sprt", "-0,2"]);
    assert_eq!(level[6], "LLR 0.00 (-2.94, 2.94) [0.00, 2.00]");
    let stronger = lines(&["--wdl", "600,500,400", "--sprt", "-5,15", "--alpha", "0.01", "--beta", "0.1"]);
    assert!(stronger[6].ends_with("(-2.29, 4.50) [-5.00, 15.00]"), "{}", stronger[6]);
    assert_eq!(stronger[7], "H1 is accepted: 15.00 logistic Elo rather than -5.00");
    let weaker = lines(&["--pairs", "90,10,10,10,10,20", "--sprt", "0,10"]);
    assert_eq!(weaker[8], "H0 is accepted: 0.00 logistic Elo rather than 10.00");
}

#[test]
fn one_sided_results_print_bounds_and_never_infinities() {
    let won = lines(&["--wdl", "20,0,0", "--sprt", "0,5"]);
    assert_eq!(won[2..5], ["score 100.00 % [83.89, 100.00]", "Elo at least 286.61", "LOS 100.00 %"]);
    assert_eq!(lines(&["--wdl", "0,0,3"])[3..5], ["Elo at most 42.96", "LOS 12.50 %"]);
    assert_eq!(lines(&["--wdl", "0,9,0"])[5], "LOS 50.00 %");
    for one in 0..6 {
        let mut counts = ["0"; 6];
        counts[one] = "7";
        let lines = lines(&["--pairs", &counts.join(","), "--sprt", "0,5", "--model", "normalized"]);
        assert!(lines.iter().all(|line| !line.contains("NaN") && !line.contains("-0.00 ")), "{lines:?}");
        assert!(lines.iter().all(|line| !line.contains("inf")), "{lines:?}");
    }
}

#[test]
fn json() {
    let json = |args: &[&str]| -> Value { serde_json::from_str(&lines(args).concat()).unwrap() };
    let plain = json(&["--wdl", "136,111,96", "--json"]);
    assert_eq!(plain["games"], 343);
    assert!((plain["elo"].as_f64().unwrap() - 40.7025).abs() < 1e-4);
    assert!((plain["los"].as_f64().unwrap() - 0.9960).abs() < 1e-4);
    assert!(plain.get("sprt").is_none() && plain.get("pairs").is_none());
    let tested = json(&["--pairs", "34,54,31,32,64,75", "--sprt", "0,10", "--json"]);
    assert_eq!(tested["pairs"]["WD"], 64);
    assert_eq!(tested["sprt"]["verdict"], "go on");
    assert_eq!(tested["sprt"]["model"], "logistic");
    assert!((tested["sprt"]["llr"].as_f64().unwrap() - 2.6603).abs() < 1e-4);
    let won = json(&["--wdl", "5,0,0", "--json"]);
    assert!(won["elo"].is_null() && won["elo_high"].is_null());
    assert!((won["elo_low"].as_f64().unwrap() - 45.6).abs() < 1.0, "{won}");
}

#[test]
fn bad_input_is_explained() {
    for (args, word) in [
        (&["--wdl", "1,2"][..], "3 numbers are needed, not 2"),
        (&["--wdl", "1,2,3,4"], "3 numbers are needed, not 4"),
        (&["--wdl", "-1,2,3"], "'-1' is not a count"),
        (&["--wdl", "1,x,3"], "'x' is not a count"),
        (&["--wdl", "1,,3"], "'' is not a count"),
        (&["--wdl", "1.5,2,3"], "'1.5' is not a count"),
        (&["--wdl", "99999999999999999999,2,3"], "is not a count"),
        (&["--wdl", "0,0,0"], "there are no games"),
        (&["--pairs", "1,2,3"], "6 numbers are needed, not 3"),
        (&["--pairs", "0,0,0,0,0,0"], "there are no games"),
        (&["--wdl", "1,2,3", "--pairs", "1,2,3,4,5,6"], "cannot be used with"),
        (&[], "--wdl"),
        (&["--wdl", "1,2,3", "--sprt", "5,0"], "the first Elo must be below the second"),
        (&["--wdl", "1,2,3", "--sprt", "0,nan"], "'nan' is not an Elo"),
        (&["--wdl", "1,2,3", "--sprt", "0"], "2 numbers are needed, not 1"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--alpha", "0"], "a chance of error must be above 0"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--beta", "-1"], "a chance of error must be above 0"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--model", "linear"], "logistic, normalized"),
        (&["--wdl", "1,2,3", "--alpha", "0.1"], "--sprt"),
    ] {
        let error = fail(args);
        assert!(error.contains(word), "{args:?}: {error}");
    }
}
