//! What the repository promises about itself.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The folders of the crates, those that are never published too.
fn crates() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["data", "data/strategies", "web"].map(|folder| root().join(folder));
    folders.chain(others).filter(|folder| folder.join("Cargo.toml").exists()).collect()
}

#[test]
fn every_published_crate_has_the_licences() {
    let mut published = 0;
    for folder in crates() {
        if fs::read_to_string(folder.join("Cargo.toml")).unwrap().contains("publish = false") {
            continue;
        }
        published += 1;
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = fs::read(root().join(name)).unwrap();
            assert!(
                fs::read(folder.join(name)).is_ok_and(|own| own == text),
                "{} lacks a link to {name}",
                folder.display()
            );
        }
    }
    assert!(published > 15, "{published}");
}
