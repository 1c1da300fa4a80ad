//! The first Ctrl-C ends long work.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// A measurement of hours: it ends at once, and leaves no report of what was not measured.
#[test]
#[cfg(target_os = "linux")]
fn the_first_interrupt_ends_a_measurement() {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupted-measurement");
    let _ = std::fs::remove_dir_all(&data);
    for id in ["pentago/mdp-sweep", "pathwayz/random-sampling"] {
        // A test that runs in the background may have inherited that interrupts are ignored, and with nohup hangups, which are caught along with them.
        let mut child = Command::new("env")
            .args(["--default-signal=INT,HUP,TERM", env!("CARGO_BIN_EXE_quintet"), "reproduce", id, "--full"])
            .env("QUINTET_DATA", &data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        // What is coming is said when Ctrl-C is heard already.
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        assert!(line.starts_with(id), "{line}");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let mut text = String::new();
        errors.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{text}");
        assert!(text.contains("stopped; ") && text.contains(&format!("quintet reproduce {id} --full")), "{text}");
    }
    let reports = quintet_lab::run_folders(&data).into_iter().filter(|(_, folder)| folder.join("report.json").exists());
    assert_eq!(reports.count(), 0);
}
