//! Rebuilds when a report is added: the compiler itself only notices changes of known files.

fn main() {
    println!("cargo::rerun-if-changed=reports");
}
