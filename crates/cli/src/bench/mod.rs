//! `quintet bench`: how fast everything is, with signatures that change only when something else does.

mod deadlines;
mod rules;
mod searches;
mod table1;
mod threads;

use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table};
use serde_json::Value;

pub use deadlines::run as deadlines;
pub use rules::playouts;
pub use searches::{run as searches, simulations};
pub use table1::run as table1;
pub use threads::run as threads;

/// Everything, one after the other.
pub fn all(out: &mut dyn Write, json: bool) -> Result<()> {
    if json {
        let (rules, signature) = rules::measure()?;
        let mut all = rules::to_json(&rules, signature);
        all["searches"] = searches::to_json(&searches::measure()?);
        all["table1"] = table1::to_json(&table1::measure(1, table1::QUICK_CUT)?);
        all["threads"] = threads::to_json(&threads::measure()?);
        all["deadlines"] = deadlines::to_json(&deadlines::measure()?);
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let (rules, signature) = rules::measure()?;
    rules::print(out, &rules, signature)?;
    // What is measured is shown at once: the next part takes a while.
    next(out)?;
    searches::run(out, false)?;
    next(out)?;
    table1::run(out, 1, table1::QUICK_CUT, false)?;
    next(out)?;
    threads::run(out, false)?;
    next(out)?;
    deadlines::run(out, false)
}

fn next(out: &mut dyn Write) -> Result<()> {
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// What was measured, for programs or for people.
fn show<T>(
    out: &mut dyn Write,
    measured: &T,
    json: bool,
    to_json: impl Fn(&T) -> Value,
    print: impl Fn(&mut dyn Write, &T) -> Result<()>,
) -> Result<()> {
    if !json {
        return print(out, measured);
    }
    writeln!(out, "{}", serde_json::to_string_pretty(&to_json(measured))?)?;
    Ok(())
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// `1234567` as `1,234,567`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

/// Numbers stand to the right: all columns but the first.
fn right_aligned(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
