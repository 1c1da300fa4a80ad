//! What is written has one owner at a time: a second process is told who has it, and harms nothing.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use quintet_lab::{Holder, Lock};

fn quintet(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.args(arguments).env("QUINTET_DATA", data).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn data(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A command at work, killed in the end.
struct AtWork(Child);

impl AtWork {
    /// Starts a command, and waits until it holds a lock.
    fn on(data: &Path, arguments: &[&str], lock: &Path) -> AtWork {
        let mut child = quintet(data, arguments).spawn().unwrap();
        loop {
            let text = std::fs::read_to_string(lock).unwrap_or_default();
            let holder: Option<Holder> = serde_json::from_str(&text).ok();
            if holder.is_some_and(|holder| holder.pid == child.id()) {
                return AtWork(child);
            }
            if let Some(status) = child.try_wait().unwrap() {
                let output = child.wait_with_output().unwrap();
                panic!("{arguments:?}: {status}: {}", String::from_utf8_lossy(&output.stderr));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What somebody else is told.
    fn refuses(&self, data: &Path, arguments: &[&str], what: &str) {
        refused(&quintet(data, arguments).output().unwrap(), what, self.0.id());
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn refused(output: &Output, what: &str, pid: u32) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    for part in [format!(" is in use by {what} (process {pid}, since 2"), " UTC".into(), "stop it".into()] {
        assert!(error.contains(&part), "{error}");
    }
    assert!(output.stdout.is_empty());
}

fn lists(data: &Path, arguments: &[&str]) -> String {
    let output = quintet(data, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_training_run_has_one_owner() {
    let data = data("locked-training");
    let name = "train-pathwayz-td52-1-games=1000000";
    let folder = data.join("runs").join(name);
    let train = ["train", "pathwayz:td52", "--games", "1000000", "--no-test"];
    let first = AtWork::on(&data, &train, &folder.join("lock"));
    let what = "training of pathwayz:td52";
    // A step or two, so that there is something to read.
    while !folder.join("checkpoint.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    first.refuses(&data, &train, what);
    first.refuses(&data, &["train", "--resume", name], what);
    assert!(lists(&data, &["report", name]).contains("pictures and report.html"));
    // It leaves other runs alone.
    let other = ["train", "pathwayz:td52", "--games", "1000000", "--no-test", "--seed", "2"];
    drop(AtWork::on(&data, &other, &data.join("runs/train-pathwayz-td52-2-games=1000000/lock")));
    drop(first);
    // Killed, it holds nothing any more.
    drop(AtWork::on(&data, &["train", "--resume", name], &folder.join("lock")));
}

#[test]
fn a_match_has_one_owner_and_the_store_is_shared() {
    let data = data("locked-match");
    let play = ["match", "pylos", "mcts(visits=2000)", "random", "--games", "1000000", "--threads", "1"];
    let lock = data.join("locks/run-1");
    let first = AtWork::on(&data, &play, &lock);
    first.refuses(&data, &["resume", "1"], "run 1");
    let second = AtWork::on(&data, &play, &data.join("locks/run-2"));
    assert!(lists(&data, &["records", "list"]).contains("2 runs"));
    drop((first, second));
    drop(AtWork::on(&data, &["resume", "1"], &lock));
    // A run that is over can be looked at by anybody.
    let short = lists(&data, &["match", "pylos", "random", "random", "--games", "2", "--json"]);
    let run = serde_json::from_str::<serde_json::Value>(&short).unwrap()["run"].to_string();
    let _lock = Lock::take(&data.join(format!("locks/run-{run}")), "somebody").unwrap();
    assert!(lists(&data, &["resume", &run]).contains("2 games"));
}

#[test]
fn an_experiment_and_a_table_have_one_owner() {
    let data = data("locked-others");
    for (lock, arguments) in [
        ("runs/twixt-live-1-quick/lock", &["reproduce", "twixt/live"][..]),
        ("tables/pylos-rules-children.lock", &["solve", "pylos(rules=children)"]),
    ] {
        let lock = Lock::take(&data.join(lock), "a test").unwrap();
        let before: Vec<_> = std::fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        refused(&quintet(&data, arguments).output().unwrap(), "a test", std::process::id());
        let after: Vec<_> = std::fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(before, after);
        drop(lock);
    }
    lists(&data, &["reproduce", "twixt/live", "--json"]);
}
