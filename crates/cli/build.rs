//! Puts the commit into the binary, so that a report can name it wherever the program runs.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|lines| !lines.is_empty());
    println!("cargo:rustc-env=QUINTET_COMMIT={commit}{}", if changed { "+changes" } else { "" });
    // Once more when the commit changes, or what the program is made of: then it is compiled anew in any case.
    let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) else { return };
    println!("cargo:rerun-if-changed={head}");
    let crates = std::fs::read_dir("..").into_iter().flatten().flatten().map(|entry| entry.path());
    let apart = ["python", "wasm"];
    for folder in crates.filter(|path| !apart.iter().any(|name| path.ends_with(name))) {
        for part in ["src", "Cargo.toml"] {
            println!("cargo:rerun-if-changed={}", folder.join(part).display());
        }
    }
    for part in ["../../Cargo.lock", "../../data", "../../web"] {
        if Path::new(part).exists() {
            println!("cargo:rerun-if-changed={part}");
        }
    }
}
