//! Puts the commit into the binary, so that a report can name it wherever the program runs.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|lines| !lines.is_empty());
    println!("cargo:rustc-env=QUINTET_COMMIT={commit}{}", if changed { "+changes" } else { "" });
    // Rebuild when the commit changes.
    if let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={head}");
    }
}
