//! A file that is added to the folder of weights is embedded by the next build; the derive macro alone sees changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=../../weights");
}
