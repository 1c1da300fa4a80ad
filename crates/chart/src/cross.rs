//! A coloured table of shares: how often each player wins against each other one.

use plotters::prelude::*;

use crate::page::{BODY, QUIET, SMALL, Stand, colour, page, text, widest};

/// A table of shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Cross {
    /// What is shown.
    pub title: String,
    /// A note for the reader.
    pub note: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// The cells, row by row; `None` where a cell is empty.
    pub cells: Vec<Vec<Option<Cell>>>,
}

/// A share with its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// From 0 to 1: decides the colour, pale at one half.
    pub share: f64,
    /// Written large.
    pub text: String,
    /// Written small below it.
    pub small: String,
}

const HEIGHT: i32 = 52;
/// Where the heads of the columns stand, below the page's heading.
const HEADS: i32 = 68;
/// Strong enough to be seen, pale enough for text on it in light and dark.
const STRONGEST: f64 = 0.55;

impl Cross {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let left = 24 + widest(self.rows.iter().map(String::as_str), BODY);
        let cells = || self.cells.iter().flatten().flatten();
        let texts = cells().flat_map(|cell| [cell.text.as_str(), cell.small.as_str()]);
        let wide = widest(self.columns.iter().map(String::as_str).chain(texts), BODY).max(56) + 10;
        let top = HEADS + 12;
        let size = (left + wide * self.columns.len() as i32 + 16, top + HEIGHT * self.rows.len() as i32 + 14);
        page([&self.title, &self.note], &[], size, |area| {
            for (number, name) in self.columns.iter().enumerate() {
                text(area, (left + wide * number as i32 + wide / 2, HEADS), name, BODY, 1.0, Stand::Middle)?;
            }
            for (number, name) in self.rows.iter().enumerate() {
                text(area, (left - 8, top + HEIGHT * number as i32 + HEIGHT / 2), name, BODY, 1.0, Stand::End)?;
            }
            for (row, cells) in self.cells.iter().enumerate() {
                for (column, cell) in cells.iter().enumerate() {
                    let Some(cell) = cell.as_ref().filter(|cell| cell.share.is_finite()) else { continue };
                    let (x, y) = (left + wide * column as i32, top + HEIGHT * row as i32);
                    let from_half = (cell.share.clamp(0.0, 1.0) - 0.5) * 2.0;
                    let fill = colour(usize::from(from_half < 0.0)).mix(from_half.abs() * (STRONGEST - 0.05) + 0.05);
                    area.draw(&Rectangle::new([(x, y), (x + wide - 2, y + HEIGHT - 2)], fill.filled()))?;
                    let middle = x + wide / 2 - 1;
                    text(area, (middle, y + 18), &cell.text, BODY, 1.0, Stand::Middle)?;
                    text(area, (middle, y + 36), &cell.small, SMALL, QUIET, Stand::Middle)?;
                }
            }
            Ok(())
        })
    }
}
