//! Which program this is.

/// The commit that the program was built from, if known.
pub fn commit() -> Option<String> {
    let commit = env!("QUINTET_COMMIT");
    (!commit.is_empty()).then(|| commit.to_owned())
}
