//! One word for a position, whoever is asked: the evaluation bar, an analysis, a review, and the hints of the command line.

use std::process::Command;

use quintet_api::{Analyse, Api, ExactAnswer, Place, ReviewEvent};
use quintet_game::{Limit, Proof, Stop};
use quintet_search::Report;
use serde_json::{Value, json};

/// Won in three plies by d3q3l alone, while random games prefer a4.
const WON: &str = "b2q2r e5q1l b5q3l c3q4r e2q2l d4q1r c4q3r a1q2r";

/// The seventh move loses: it is answered by a proven win.
const THROWN_AWAY: &str = "b2q1l e2q4r c3q2l e5q1r b3q1l e4q2l c4q4r e3q4l f1q2r e6q2l";

fn run(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_quintet")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn place(moves: &[&str]) -> Place {
    Place { game: "pentago".into(), position: None, moves: moves.iter().map(|mv| (*mv).to_owned()).collect() }
}

fn asked(moves: &[&str]) -> Analyse {
    serde_json::from_value(json!({ "game": "pentago", "moves": moves, "limit": { "nodes": 400 } })).unwrap()
}

/// Proof, distance, and the moves that are as good as the best.
fn bar(api: &Api, moves: &[&str]) -> (Proof, Option<u32>, Vec<String>) {
    let answer = api.exact(&place(moves), &Limit::default(), &Stop::never()).unwrap();
    let ExactAnswer::Known { outcome, distance, .. } = answer else { panic!("it is proven: {answer:?}") };
    let listed = json!(answer)["moves"].as_array().unwrap().clone();
    let best = listed.iter().filter(|mv| mv["outcome"] == json!(outcome) && mv["distance"] == json!(distance));
    (outcome, distance, best.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect())
}

/// What an analysis ends with, and its last report.
fn analysis(api: &Api, moves: &[&str]) -> (Value, Report<String>) {
    let mut last = Report::default();
    let choice = api.analysis(&asked(moves)).unwrap().think(&Stop::never(), &mut |report| last = report.clone());
    (json!(choice.unwrap()), last)
}

fn reviewed(api: &Api, moves: &[&str]) -> Vec<Value> {
    let mut review = api.review(&asked(moves)).unwrap().review().unwrap();
    let mut plies = Vec::new();
    loop {
        match review.step(&Stop::never()).unwrap() {
            ReviewEvent::Ply(ply) => plies.push(ply),
            ReviewEvent::Proof => {}
            ReviewEvent::Done(_) => return plies,
        }
    }
}

#[test]
fn a_proven_win_is_one_everywhere() {
    let (api, moves): (Api, Vec<&str>) = (Api::embedded(), WON.split(' ').collect());
    let (proof, distance, best) = bar(&api, &moves);
    assert_eq!((proof, distance, best.as_slice()), (Proof::Win, Some(3), &["d3q3l".to_owned()][..]));
    let (done, report) = analysis(&api, &moves);
    assert_eq!((&done["move"], &done["proven"], &done["distance"]), (&json!("d3q3l"), &json!("win"), &json!(3)));
    assert_eq!((report.line[0].as_str(), report.roots[0].mv.as_str()), ("d3q3l", "d3q3l"));
    let list = [&["hint", "pentago", "--moves"], &moves[..]].concat();
    assert_eq!(run(&list), "d3q3l: it wins, 3 plies\n");
    let list = [&["analyse", "pentago", "--json", "--nodes", "400", "--moves"], &moves[..]].concat();
    let said: Value = serde_json::from_str(&run(&list)).unwrap();
    assert_eq!(
        (&said["move"], &said["proven"], &said["distance"]),
        (&done["move"], &done["proven"], &done["distance"])
    );
    // The right move is fine, and any other gives a win away, whatever an estimate says.
    let played = [&moves[..], &["d3q3l"]].concat();
    let last = reviewed(&api, &played).pop().unwrap();
    assert_eq!((&last["proven"], &last["class"], &last["best"]), (&json!("win"), &json!("fine"), &json!("d3q3l")));
}

#[test]
fn a_move_that_loses_is_a_blunder_everywhere() {
    let (api, moves): (Api, Vec<&str>) = (Api::embedded(), THROWN_AWAY.split(' ').collect());
    let plies = reviewed(&api, &moves);
    assert_eq!((&plies[6]["move"], &plies[6]["class"]), (&json!("c4q4r"), &json!("blunder")), "{}", plies[6]);
    // What stands after it is won for the other side, and all say so.
    let after = &moves[..7];
    let (proof, distance, best) = bar(&api, after);
    let (done, report) = analysis(&api, after);
    assert_eq!((proof, &done["proven"], &plies[7]["proven"]), (Proof::Win, &json!("win"), &json!("win")));
    assert_eq!(done["distance"], json!(distance));
    let chosen = done["move"].as_str().unwrap();
    assert!(best.iter().any(|mv| mv == chosen) && report.roots[0].mv == chosen, "{chosen} {best:?}");
    let hint = run(&[&["hint", "pentago", "--moves"], after].concat());
    let (named, says) = hint.split_once(": ").unwrap();
    assert!(best.iter().any(|mv| mv == named) && says.starts_with("it wins"), "{hint}");
}
