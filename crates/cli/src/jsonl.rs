//! JSON lines in, JSON lines out: the loop of every `--jsonl` command.

use std::io::{self, BufRead, Write};

use anyhow::Result;
use quintet_api::jsonl::{LONGEST_LINE, refusal};

/// Answers every line of `input`, in order, each flushed, to the end of input.
pub fn serve(input: &mut dyn BufRead, out: &mut dyn Write, answer: impl Fn(&[u8]) -> String) -> Result<()> {
    let mut line = Vec::new();
    loop {
        let answer = match read_line(input, &mut line)? {
            Read::End => return Ok(()),
            Read::Whole => answer(&line),
            Read::TooLong => refusal("null", "the line is longer than 4 MiB (4194304 bytes); it was skipped.", None),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
}

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    Whole,
    TooLong,
    End,
}

/// The next line of a person's input; none at its end.
pub fn read_text_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    match read_line(input, &mut line)? {
        Read::End => Ok(None),
        Read::Whole => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        // Nothing that was asked for is so long.
        Read::TooLong => Ok(Some(String::new())),
    }
}

/// Reads up to a newline into `line`; a line that is too long is skipped without buffering it. One without an end is an error.
pub fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Read> {
    line.clear();
    let mut length = 0usize;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let at_end = chunk.is_empty();
        length = length.saturating_add(part.len());
        if length as u64 > quintet_data::MOST_BYTES {
            return Err(quintet_data::too_long());
        }
        if length <= LONGEST_LINE {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() || at_end {
            return Ok(match length {
                0 if at_end => Read::End,
                length if length > LONGEST_LINE => Read::TooLong,
                _ => Read::Whole,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(input: &[u8], buffer: usize) -> Vec<(Read, usize)> {
        let mut input = io::BufReader::with_capacity(buffer, input);
        let mut line = Vec::new();
        let mut all = Vec::new();
        loop {
            let read = read_line(&mut input, &mut line).unwrap();
            if read == Read::End {
                return all;
            }
            all.push((read, line.len()));
        }
    }

    #[test]
    fn lines_are_cut_where_they_should_be() {
        for buffer in [1, 3, 8192] {
            assert_eq!(read_all(b"", buffer), []);
            assert_eq!(read_all(b"\n", buffer), [(Read::Whole, 0)]);
            assert_eq!(read_all(b"ab\n\nc", buffer), [(Read::Whole, 2), (Read::Whole, 0), (Read::Whole, 1)]);
        }
    }

    #[test]
    fn long_lines_are_skipped_and_not_kept() {
        let mut input = vec![b'x'; LONGEST_LINE];
        input.push(b'\n');
        input.extend(vec![b'y'; LONGEST_LINE + 1]);
        input.extend(b"\nz\n");
        let read = read_all(&input, 8192);
        assert_eq!(read[0], (Read::Whole, LONGEST_LINE));
        assert_eq!(read[1].0, Read::TooLong);
        assert!(read[1].1 <= LONGEST_LINE);
        assert_eq!(read[2], (Read::Whole, 1));
    }
}
