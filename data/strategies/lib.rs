//! Winning strategies for Pylos, 12 MB: a crate of their own because a registry takes 10 MiB at most per crate, packed.
//! `quintet-data` embeds them under its feature `strategies`; `quintet-solve` makes, reads and explains them.
//!
//! ```
//! let (name, bytes) = quintet_strategies::FILES[0];
//! assert!(name.ends_with(".strategy") && bytes.starts_with(b"quintet strategy of pylos"));
//! ```

macro_rules! files {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!($name))),*]
    };
}

/// The files with their names, in order.
pub static FILES: &[(&str, &[u8])] = files![
    "pylos-children-spent.strategy",
    "pylos-children.strategy",
    "pylos-expert-free.strategy",
    "pylos-standard-free.strategy",
    "pylos-standard-spent.strategy",
    "pylos-standard.strategy",
];
