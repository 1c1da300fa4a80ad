//! Nets of random numbers in a folder of one's own, as the commands show them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use quintet_eval::net::random_file;
use quintet_game::{GameSpec, with_game};
use serde_json::Value;

const GAMES: [&str; 6] = ["pathwayz", "pylos", "twixt(size=8)", "twixt(size=24)", "pentago-twist", "pentago"];

/// A data directory with a net of every game; the nets of TwixT serve all sizes.
fn nets(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for text in GAMES {
        let spec = GameSpec::parse(text).unwrap();
        let name = spec.info().name;
        let bytes = with_game!(spec, |game| random_file(&game, name, 1, 16, 3)).unwrap();
        let file = folder.join(format!("weights/{name}/net.safetensors"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    folder
}

/// Exit code, standard output and standard error.
fn quintet(data: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quintet"))
        .args(arguments)
        .env("QUINTET_DATA", data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn run(data: &Path, arguments: &[&str], input: &str) -> String {
    let (code, text, error) = quintet(data, arguments, input);
    assert_eq!(code, Some(0), "{arguments:?}: {error}");
    text
}

#[test]
fn explain_shows_the_chances_and_the_policy_of_a_net() {
    let data = nets("nets-explain");
    for game in GAMES {
        let text = run(&data, &["explain", game, "--eval", "net"], "");
        for word in ["win", "draw", "loss", "policy for ", " %"] {
            assert!(text.contains(word), "{game}: {word}\n{text}");
        }
        assert_eq!(text.lines().filter(|line| line.trim_end().ends_with(" %")).count(), 8, "{text}");
        let json: Value = serde_json::from_str(&run(&data, &["explain", game, "--eval", "net", "--json"], "")).unwrap();
        let [win, draw, loss] = ["win", "draw", "loss"].map(|name| json["terms"][name].as_f64().unwrap());
        assert!(
            (win + draw + loss - 1.0).abs() < 1e-5 && (win + draw / 2.0 - json["value"].as_f64().unwrap()).abs() < 1e-9
        );
        let policy = json["policy"].as_object().unwrap();
        assert!((policy.values().map(|share| share.as_f64().unwrap()).sum::<f64>() - 1.0).abs() < 1e-4, "{game}");
        let other = run(&data, &["explain", game, "--eval", "net", "--json", "--for", "second"], "");
        let other: Value = serde_json::from_str(&other).unwrap();
        assert_eq!((other["terms"]["win"].as_f64(), &other["policy"]), (Some(loss), &json["policy"]), "{game}");
    }
    // Of a finished game there is nothing to guess.
    let over =
        ["explain", "pentago", "--eval", "net", "--json", "--position", "xxxxx./oooo../....../....../....../...... o"];
    let json: Value = serde_json::from_str(&run(&data, &over, "")).unwrap();
    assert_eq!((json["value"].as_f64(), json.get("policy")), (Some(0.0), None), "{json}");
}

#[test]
fn analyse_shows_the_policy_as_priors() {
    let data = nets("nets-analyse");
    for game in GAMES {
        let agent = ["analyse", game, "--agent", "puct(eval=net)", "--visits", "60"];
        let text = run(&data, &agent, "");
        let header = text.lines().find(|line| line.contains("visits")).unwrap_or_else(|| panic!("{text}"));
        assert!(header.split_whitespace().eq(["move", "value", "visits", "prior"]), "{text}");
        let explained: Value =
            serde_json::from_str(&run(&data, &["explain", game, "--eval", "net", "--json"], "")).unwrap();
        let asked = format!(r#"{{"id":1,"game":"{game}","agent":"puct(eval=net)","limit":{{"visits":60}}}}"#);
        let json = run(&data, &[&agent[..], &["--json"]].concat(), "");
        for answer in [run(&data, &["analyse", "--jsonl"], &asked), json] {
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let roots = answer["roots"].as_array().unwrap();
            assert_eq!((roots.len(), &roots[0]["move"]), (8, &answer["move"]), "{answer}");
            let after = |mv: &str| {
                let mut line = GameSpec::parse(game).unwrap().line();
                line.try_play(mv).unwrap();
                line.position()
            };
            for root in roots {
                // Moves that lead to equal positions, such as turns of empty quadrants, count as one.
                let reached = after(root["move"].as_str().unwrap());
                let policy = explained["policy"].as_object().unwrap().iter();
                let same = policy.filter(|(mv, _)| after(mv) == reached);
                let share: f64 = same.map(|(_, share)| share.as_f64().unwrap()).sum();
                assert!((share - root["prior"].as_f64().unwrap()).abs() < 1e-6, "{game} {root}");
            }
        }
    }
    // Searches without priors answer as ever.
    let text = run(&data, &["analyse", "pylos", "--agent", "mcts", "--visits", "60", "--json"], "");
    assert!(!text.contains("roots") && !text.contains("prior"), "{text}");
}

#[test]
fn a_net_that_is_missing_or_of_another_game_is_named() {
    let data = nets("nets-missing");
    let other = format!("net(weights=\"{}\")", data.join("weights/pentago/net.safetensors").display());
    let agent = format!("puct(eval={other})");
    for (arguments, why) in [
        (["explain", "pylos", "--eval", "net(weights=pylos:none)"], "net \"pylos:none\" was not found"),
        (["analyse", "pylos", "--agent", "puct(eval=net(weights=pylos:none))"], "net \"pylos:none\" was not found"),
        (["analyse", "pentago", "--agent", "pvs(eval=net)"], "net gives chances and priors to the search puct alone"),
        (["explain", "pylos", "--eval", &other], "the net is for \"pentago\""),
        (["analyse", "pylos", "--agent", &agent], "the net is for \"pentago\""),
    ] {
        let (code, _, error) = quintet(&data, &arguments, "");
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(why), "{arguments:?}: {error}");
    }
}

#[test]
fn bench_names_the_instructions() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let json: Value = serde_json::from_str(&run(&data, &["bench", "nets", "--json"], "")).unwrap();
    assert_eq!(json["instructions"], quintet_eval::net::Instructions::best().name());
    assert_eq!(json["rows"].as_array().unwrap().len(), 6);
    assert!(json["rows"].as_array().unwrap().iter().all(|row| row["evaluations_per_second"].as_f64().unwrap() > 0.0));
}
