//! A file that is added to the page is embedded by the next build; the derive macro alone sees changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=../../web");
}
