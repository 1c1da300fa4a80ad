//! Input and places that mean no good: what strangers wrote, endless files, absurd numbers, full disks, media that cannot be written.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use quintet_game::text::is_unprintable;

fn data(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn quintet(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quintet"));
    command.args(arguments).env("QUINTET_DATA", data).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The exit code, standard output and standard error.
fn told(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn run(data: &Path, arguments: &[&str]) -> String {
    let (code, out, errors) = told(quintet(data, arguments).output().unwrap());
    assert_eq!(code, Some(0), "{arguments:?}: {errors}");
    out
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Nothing that a terminal would obey.
fn is_harmless(text: &str) -> bool {
    !text.contains(|c| is_unprintable(c) && c != '\n')
}

#[test]
fn what_strangers_wrote_is_escaped_on_terminals_and_in_spreadsheets() {
    let data = data("names");
    let evil = "\x1b]0;owned\x07=1+1\u{202e}";
    let mut store = quintet_arena::Store::open(&data.join("games.sqlite")).unwrap();
    let mut record = quintet_game::record::Record::read("pylos; 1.1b2; *; ; a, b; ").unwrap();
    record.players = format!("{evil}, =cmd|'/C calc'!A0");
    store.import(&[record], evil).unwrap();
    let cup = format!(
        "game = \"pylos\"\nplayers = [{{ name = {}, agent = \"random\" }}, \"random\", \"pylos:maximizing\"]\ngames = 2\n",
        serde_json::json!(evil)
    );
    let cup = write(&data, "cup.toml", &cup.replace('\u{202e}', "\\u202e"));
    let (code, out, errors) = told(quintet(&data, &["tournament", &cup]).output().unwrap());
    assert_eq!(code, Some(0), "{errors}");
    assert!(
        is_harmless(&out) && is_harmless(&errors) && out.contains("\\u001b]0;owned\\u0007=1+1\\u202e"),
        "{out}{errors}"
    );
    for arguments in [
        &["records", "list"][..],
        &["records", "list", "--game", "pylos"],
        &["records", "list", "--game", "pylos", "--json"],
        &["records", "show", "1"],
        &["records", "show", "1", "--json"],
    ] {
        let out = run(&data, arguments);
        assert!(is_harmless(&out), "{arguments:?}: {out:?}");
        assert!(out.contains("\\u001b]0;owned\\u0007"), "{arguments:?}: {out}");
    }
    let listed: serde_json::Value = serde_json::from_str(&run(&data, &["records", "show", "1", "--json"])).unwrap();
    assert_eq!(listed["first"], evil);
    let table = run(&data, &["records", "export", "--form", "csv"]);
    assert!(table.contains("\"'=cmd|'/C calc'!A0\""), "{table}");
    // An error repeats nothing that a terminal would obey either.
    let (_, _, errors) = told(quintet(&data, &["import", &format!("/nowhere/{evil}")]).output().unwrap());
    assert!(is_harmless(&errors) && errors.contains("owned"), "{errors}");
}

#[test]
#[cfg(unix)]
fn endless_input_is_refused_with_the_bound() {
    let data = data("endless");
    let zero = || File::open("/dev/zero").unwrap();
    let weights = "greedy(eval=pylos-svr(weights=\"/dev/zero\"))";
    for arguments in [
        &["import", "/dev/zero"][..],
        &["convert", "/dev/zero"],
        &["convert", "-"],
        &["review", "/dev/zero"],
        &["review", "-"],
        &["tournament", "/dev/zero"],
        &["replay", "--jsonl"],
        &["engine"],
        &["play", "pylos"],
        &["puzzle", "pylos"],
        &["hint", "pylos", "--agent", weights],
        &["train", "pathwayz:tdl52", "--set", "from=\"/dev/zero\"", "--no-test"],
    ] {
        let (code, _, errors) = told(quintet(&data, arguments).stdin(zero()).output().unwrap());
        assert_eq!(code, Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains("more than 256 MiB"), "{arguments:?}: {errors}");
    }
    std::fs::create_dir(data.join("agents")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", data.join("agents/pylos.toml")).unwrap();
    let (code, _, errors) = told(quintet(&data, &["agents"]).output().unwrap());
    assert!(code == Some(2) && errors.contains("agents/pylos.toml: it has more than 256 MiB"), "{errors}");
}

#[test]
fn absurd_numbers_are_refused_with_the_bound() {
    let data = data("numbers");
    let cup = |games: &str| format!("game = \"pylos\"\nplayers = [\"random\", \"random\"]\ngames = {games}\n");
    let cup = write(&data, "cup.toml", &cup("9223372036854775807"));
    for (arguments, bound) in [
        (&["solve", "twixt(size=6)", "--memory", "18446744073709551615"][..], "the memory of this machine"),
        (&["solve", "twixt(size=6)", "--memory", "1000000000"], "the memory of this machine"),
        (&["solve", "twixt(size=6)", "--memory", "0"], "from 1 to"),
        (&["solve", "twixt(size=6)", "--threads", "1000000"], "at most 1024"),
        (&["match", "pylos", "random", "random", "--threads", "18446744073709551616"], "at most 1024"),
        (&["match", "pylos", "random", "random", "--games", "99999999999"], "10000000"),
        (&["train", "pathwayz:td52", "--games", "18446744073709551615"], "1000000000"),
        (&["puzzle", "pylos", "--make", "18446744073709551615"], "1000000"),
        (&["bench", "table1", "--games", "18446744073709551615"], "1000000"),
        (&["tournament", &cup], "10000000"),
    ] {
        let (code, _, errors) = told(quintet(&data, arguments).output().unwrap());
        assert_eq!(code, Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(bound), "{arguments:?}: {errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_a_failure_with_a_message() {
    let data = data("output");
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
        &["--version"],
        &["help", "match"],
        &["match", "--help"],
        &["games"],
        &["games", "--json"],
        &["agents"],
        &["show", "pylos"],
        &["perft", "pylos", "2"],
        &["replay", "pylos", "1b2"],
        &["explain", "pylos"],
        &["hint", "pylos", "--agent", "random"],
        &["analyse", "pylos", "--agent", "random"],
        &["stats", "--wdl", "1,2,3"],
        &["records", "list"],
        &["records", "export", "--form", "csv"],
        &["train", "--list"],
        &["reproduce", "--list"],
        &["puzzle", "--list"],
        &["match", "pylos", "random", "random", "--games", "2"],
    ] {
        let (code, _, errors) = told(quintet(&data, arguments).stdout(full()).output().unwrap());
        assert_eq!(code, Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains("cannot write to standard output: No space left"), "{arguments:?}: {errors}");
    }
    // Where the message cannot be written either, the exit code is left.
    let (code, ..) = told(quintet(&data, &["games"]).stdout(full()).stderr(full()).output().unwrap());
    assert_eq!(code, Some(1));
    let (code, ..) = told(quintet(&data, &["show", "chess"]).stderr(full()).output().unwrap());
    assert_eq!(code, Some(2));
}

/// Runs a command whose files can have at most this many blocks of 512 bytes.
#[cfg(target_os = "linux")]
fn on_a_small_disk(data: &Path, blocks: u32, command: &str) -> (Option<i32>, String, String) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {} {command}", env!("CARGO_BIN_EXE_quintet"));
    let mut shell = Command::new("sh");
    told(shell.args(["-c", &script]).env("QUINTET_DATA", data).stdin(Stdio::null()).output().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_with_the_file_and_the_command() {
    let data = data("disk");
    for (blocks, command, file, go_on) in [
        (2000, "match pylos random random --games 1000000", "games.sqlite cannot be written", "`quintet resume 1`"),
        (8, "train pathwayz:td440 --games 100 --no-test", "/snapshots/", "quintet train --resume "),
        (8, "reproduce twixt/live", "report", "quintet reproduce twixt/live --quick"),
        (2000, "records export --form csv --file /dev/full", "cannot write /dev/full: No space left", ""),
        (1, "man --dir {data}/man", "cannot write man pages to ", ""),
    ] {
        let command = command.replace("{data}", data.to_str().unwrap());
        let (code, _, errors) = on_a_small_disk(&data, blocks, &command);
        assert_eq!(code, Some(2), "{command}: {errors}");
        assert!(errors.contains(file) && errors.contains(go_on), "{command}: {errors}");
    }
    // What was stored before is whole, and goes on when there is room.
    assert!(run(&data, &["records", "list"]).contains("1 runs"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_store_that_cannot_be_written_can_be_read() {
    let data = data("read-only");
    run(&data, &["match", "pylos", "random", "random", "--games", "2"]);
    let (code, out, errors) = on_a_small_disk(&data, 8, "records list");
    assert!(code == Some(0) && out.contains("1 runs"), "{errors}");
    // No file can be made where a folder has its name.
    for name in ["games.sqlite-wal", "games.sqlite-shm"] {
        let _ = std::fs::remove_file(data.join(name));
        std::fs::create_dir(data.join(name)).unwrap();
    }
    assert!(run(&data, &["records", "list"]).contains("1 runs"));
    assert!(run(&data, &["records", "list", "--run", "1"]).contains("2 games"));
    assert!(run(&data, &["records", "show", "1"]).contains("random"));
    assert_eq!(run(&data, &["records", "export"]).lines().count(), 2);
    let (code, _, errors) = told(quintet(&data, &["resume", "1"]).output().unwrap());
    assert!(code == Some(2) && errors.contains("games.sqlite cannot be opened"), "{errors}");
}

/// An engine that ignores everything, its closed input above all.
#[test]
#[cfg(target_os = "linux")]
fn outside_engines_end_with_a_match_that_is_killed() {
    let data = data("engine");
    let pid_file = data.join("engine.pid");
    let script = format!(
        "echo $$ > '{0}.new'; mv '{0}.new' '{0}'; while read -r line; do case \"$line\" in
            ugi) echo ugiok;; isready) echo readyok;; go*) exec sleep 1000;;
        esac; done",
        pid_file.display()
    );
    let script = write(&data, "engine.sh", &script);
    let engine = format!("ugi(cmd=\"sh '{script}'\",time=1000s)");
    let mut game = quintet(&data, &["match", "pylos", &engine, "random", "--games", "2"]).spawn().unwrap();
    let sleeps = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "sleep\n");
    let pid = loop {
        match std::fs::read_to_string(&pid_file) {
            Ok(pid) if sleeps(pid.trim()) => break pid.trim().to_owned(),
            _ => std::thread::sleep(Duration::from_millis(5)),
        }
        assert!(game.try_wait().unwrap().is_none(), "the match has ended");
    };
    game.kill().unwrap();
    game.wait().unwrap();
    // Killed with it, it is gone as soon as the system has cleaned up; it would sleep for a quarter of an hour.
    let gone = (0..2000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        !sleeps(&pid)
    });
    assert!(gone, "process {pid} is still there");
}

/// A closed pipe stays no failure.
#[test]
fn a_closed_pipe_is_no_failure() {
    let data = data("pipe");
    for arguments in [&["completions", "bash"][..], &["man"], &["--help"], &["agents"]] {
        let mut child = quintet(&data, arguments).spawn().unwrap();
        drop(child.stdout.take());
        let (code, _, errors) = told(child.wait_with_output().unwrap());
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
