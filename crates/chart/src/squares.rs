//! Numbers in squares side by side: the value of each place of a board.

use plotters::prelude::*;

use crate::page::{BODY, Stand, TOP, colour, page, text};

/// Squares of numbers, blue for high ones and orange for low ones.
///
/// ```
/// use quintet_chart::Squares;
/// let squares = Squares { title: "Worth".into(), note: String::new(), squares: vec![vec![vec![Some(1.0), None], vec![Some(-2.0), Some(0.5)]]] };
/// assert!(squares.svg().contains("-2.00"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Squares {
    /// What is shown.
    pub title: String,
    /// A note for the reader.
    pub note: String,
    /// The squares from the left, each row by row.
    pub squares: Vec<Vec<Vec<Option<f64>>>>,
}

/// Side of a cell, and the gap between squares.
const CELL: i32 = 46;
const GAP: i32 = 24;

impl Squares {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let numbers = || self.squares.iter().flatten().flatten().flatten().copied().filter(|number| number.is_finite());
        let low = numbers().fold(f64::INFINITY, f64::min);
        let high = numbers().fold(f64::NEG_INFINITY, f64::max);
        let wide = |square: &Vec<Vec<Option<f64>>>| CELL * square.iter().map(Vec::len).max().unwrap_or(0) as i32 + GAP;
        let tall = self.squares.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let size = (self.squares.iter().map(wide).sum::<i32>() + GAP, TOP + CELL * tall + 16);
        page([&self.title, &self.note], &[], size, |area| {
            let mut left = 12;
            for square in &self.squares {
                for (row, cells) in square.iter().enumerate() {
                    for (column, number) in cells.iter().enumerate() {
                        let Some(number) = number.filter(|number| number.is_finite()) else { continue };
                        let (x, y) = (left + CELL * column as i32, TOP + CELL * row as i32);
                        let share = if high > low { (number - low) / (high - low) } else { 0.5 };
                        let from_half = (share - 0.5) * 2.0;
                        let fill = colour(usize::from(from_half < 0.0)).mix(0.05 + 0.5 * from_half.abs());
                        area.draw(&Rectangle::new([(x, y), (x + CELL - 2, y + CELL - 2)], fill.filled()))?;
                        let middle = (x + CELL / 2 - 1, y + CELL / 2 - 1);
                        text(area, middle, &format!("{number:.2}"), BODY, 1.0, Stand::Middle)?;
                    }
                }
                left += wide(square);
            }
            Ok(())
        })
    }
}
