//! Splits a command line into words, without a shell.

/// The words of a command: blanks separate them, single and double quotes keep blanks, a backslash keeps the next character (but
/// stands for itself within single quotes). Nothing is expanded. The error says what is missing.
pub fn split(command: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    // `Some("")` is an empty word in quotes, `None` means no word.
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().push(chars.next().ok_or("something after its last backslash")?);
            }
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a closing quote") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_cut_at_blanks_outside_of_quotes() {
        for (command, words) in [
            ("", &[][..]),
            ("  ", &[]),
            ("./engine --flag", &["./engine", "--flag"]),
            (" a\t b ", &["a", "b"]),
            ("sh -c 'echo \"x  y\"'", &["sh", "-c", "echo \"x  y\""]),
            ("a\\ b \"c\\\"d\" 'e\\f'", &["a b", "c\"d", "e\\f"]),
            ("'' \"\"", &["", ""]),
            ("x'y z'w", &["xy zw"]),
            ("$HOME *", &["$HOME", "*"]),
        ] {
            assert_eq!(split(command).unwrap(), words, "{command}");
        }
        assert!(split("'a").is_err() && split("\"a'").is_err() && split("a\\").is_err());
    }
}
