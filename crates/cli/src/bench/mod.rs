//! `quintet bench`: how fast everything is, with signatures that change only when something else does.

mod deadlines;
mod rules;
mod searches;
mod table1;

use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table};
use serde_json::json;

pub use deadlines::run as deadlines;
pub use rules::playouts;
pub use searches::{run as searches, simulations};
pub use table1::run as table1;

/// Everything, one after the other.
pub fn all(out: &mut dyn Write, json: bool) -> Result<()> {
    let (rules, signature) = rules::measure()?;
    if !json {
        rules::print(out, &rules, signature)?;
        out.flush()?;
    }
    let searched = searches::measure()?;
    if !json {
        writeln!(out)?;
        searches::print(out, &searched)?;
        out.flush()?;
    }
    let cells = table1::measure(1, table1::QUICK_CUT)?;
    if !json {
        writeln!(out)?;
        table1::print(out, &cells, 1, table1::QUICK_CUT)?;
        out.flush()?;
    }
    let overruns = deadlines::measure()?;
    if !json {
        writeln!(out)?;
        return deadlines::print(out, &overruns);
    }
    let mut all = rules::to_json(&rules, signature);
    all["searches"] = searches::to_json(&searched);
    all["table1"] = table1::to_json(&cells);
    all["deadlines"] = deadlines::to_json(&overruns);
    writeln!(out, "{}", serde_json::to_string_pretty(&json!(all))?)?;
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
