//! `quintet train` and `quintet report`: the same weights again, also after kills.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn quintet(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.args(arguments).arg("--data").arg(data);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    quintet(data, arguments).output().unwrap()
}

fn ok(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("quintet-train-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The weights without the history that names their command.
fn values(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    text[text.find("[values]").unwrap()..].to_owned()
}

#[test]
fn the_same_seed_gives_the_same_weights_also_after_being_killed() {
    let data = folder("kill");
    let [calm, rough] = ["calm", "rough"].map(|name| data.join(name));
    for (recipe, games, file) in [("pathwayz:td52", "200", "td52.toml"), ("pentago:evolved", "60", "evolved.toml")] {
        let arguments = |out: &Path| {
            let text: Vec<String> =
                ["train", recipe, "--games", games, "--no-test", "--threads", "1", "--out"].map(String::from).into();
            text.into_iter().chain([out.display().to_string()]).collect::<Vec<_>>()
        };
        let calm_line = arguments(&calm);
        let calm_line: Vec<&str> = calm_line.iter().map(String::as_str).collect();
        ok(&data, &calm_line);
        let rough_line = arguments(&rough);
        let rough_line: Vec<&str> = rough_line.iter().map(String::as_str).collect();
        // Killed again and again, later each time, until it finishes.
        for attempt in 1..200u64 {
            let mut child = quintet(&data, &rough_line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(40 * attempt));
            if child.try_wait().unwrap().is_some_and(|status| status.success()) {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(values(&calm.join(file)), values(&rough.join(file)), "{recipe}");
        let metrics = |run: &Path| std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
        assert_eq!(metrics(&calm), metrics(&rough), "{recipe}");
        for run in [&calm, &rough] {
            std::fs::remove_dir_all(run).unwrap();
        }
    }
    std::fs::remove_dir_all(&data).unwrap();
}

#[test]
fn a_run_is_followed_reported_resumed_and_installed() {
    let data = folder("whole");
    let said = ok(&data, &["train", "pathwayz:td52", "--games", "100", "--no-test", "--install"]);
    assert!(said.contains("installed: "), "{said}");
    assert!(data.join("weights/pathwayz/td52.toml").exists());
    let run = "train-pathwayz-td52-1-games=100";
    let said = ok(&data, &["report", run]);
    assert!(said.contains("win rate"), "{said}");
    for file in ["report.html", "report.md", "win-rate.svg", "largest-weights.svg"] {
        assert!(data.join("runs").join(run).join(file).exists(), "{file}");
    }
    ok(&data, &["train", "--resume", run, "--no-test"]);
    let listed = ok(&data, &["train", "--list", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&listed).unwrap().as_array().unwrap().len() >= 8);
    for (arguments, says) in [
        (&["train", "pathwayz:nothing"][..], "there is no recipe"),
        (&["train", "pathwayz:td52", "--set", "colour=red"], "colour"),
        (&["train", "pathwayz:td52", "--set", "eta"], "KEY=VALUE"),
        (&["train", "--resume", "nowhere"], "not a training run"),
        (&["report", "nowhere"], "not a training run"),
        (&["train", "pathwayz:td52", "--from-store"], "no such games"),
    ] {
        let output = run_fails(&data, arguments);
        assert!(output.contains(says), "{arguments:?}: {output}");
    }
    // A weight changed by hand is detected.
    let file = data.join("weights/pathwayz/td52.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("\"ahead\" = ", "\"ahead\" = 0.5 # ", 1)).unwrap();
    let error = run_fails(
        &data,
        &["hint", "pathwayz", "--agent", "greedy(eval=pathwayz-52(mode=printed,weights=pathwayz:td52))"],
    );
    assert!(error.contains("damaged") && error.contains("td52.toml"), "{error}");
    std::fs::remove_dir_all(&data).unwrap();
}

fn run_fails(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Several seeds: each has its own run, and the median is named and put in place.
#[test]
fn several_seeds_have_a_median() {
    let data = folder("seeds");
    std::fs::create_dir_all(data.join("training")).unwrap();
    let recipe = r#"
        [[recipe]]
        name = "short"
        about = "a short training"
        kind = "td"
        [recipe.with]
        features = "pathwayz-9"
        eta = 0.001
        games = 10
        block = 10
        [[recipe.test]]
        agent = "greedy(eval=pathwayz-9(weights=$),ends=on-top)"
        against = "pathwayz:baseline"
        games = 4
    "#;
    std::fs::write(data.join("training/pathwayz.toml"), recipe).unwrap();
    let line = ["train", "pathwayz:short", "--seeds", "3", "--seed", "7", "--json", "--install"];
    let said: serde_json::Value = serde_json::from_str(&ok(&data, &line)).unwrap();
    let runs = said["runs"].as_array().unwrap();
    assert_eq!(runs.iter().map(|run| run["seed"].as_u64().unwrap()).collect::<Vec<_>>(), [7, 8, 9]);
    let mut scores: Vec<f64> = runs.iter().map(|run| run["score"].as_f64().unwrap()).collect();
    let median = runs.iter().find(|run| run["seed"] == said["median"]).unwrap();
    scores.sort_by(f64::total_cmp);
    assert_eq!(median["score"].as_f64(), Some(scores[1]));
    let [kept, installed] = [median["file"].as_str().unwrap().into(), data.join("weights/pathwayz/short.toml")];
    assert_eq!(values(&kept), values(&installed));
    // Again it finds what it did before.
    let text = ok(&data, &["train", "pathwayz:short", "--seeds", "3", "--seed", "7"]);
    assert!(text.contains(&format!("the median by the last trial is seed {}", said["median"])), "{text}");
    std::fs::remove_dir_all(&data).unwrap();
}
