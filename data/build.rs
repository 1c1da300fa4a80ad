//! Embeds again when a file is added to a folder: the compiler itself notices changes of known files only.

fn main() {
    for folder in ["agents", "experiments", "levels", "openings", "puzzles", "ratings", "solved", "training", "weights"]
    {
        println!("cargo::rerun-if-changed={folder}");
    }
}
