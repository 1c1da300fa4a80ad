//! Counts as parts of a whole: won, drawn, lost.

use plotters::prelude::*;

use crate::bars::whisker;
use crate::page::{BODY, FAINT, GREY, INK, Key, QUIET, SMALL, Stand, TOP, colour, page, text, widest};

/// Rows of bars of the same length, cut into parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Stacks {
    /// What is shown.
    pub title: String,
    /// A note for the reader.
    pub note: String,
    /// The names of the parts, from the left. The middle one of three is grey.
    pub parts: Vec<String>,
    /// The rows, from above.
    pub rows: Vec<StackRow>,
}

/// Bars of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct StackRow {
    /// Its name.
    pub label: String,
    /// Its bars, from above.
    pub stacks: Vec<Stack>,
}

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// Its owner, written beside the counts.
    pub name: String,
    /// The count of each part.
    pub counts: Vec<u64>,
    /// The range of the first part's share, where known.
    pub range: Option<[f64; 2]>,
}

const WIDTH: i32 = 460;
const THICK: i32 = 12;
const STEP: i32 = 15;

impl Stacks {
    fn colour(&self, part: usize) -> RGBColor {
        match (self.parts.len(), part) {
            (3, 1) => GREY,
            (3, 2) => colour(1),
            _ => colour(part),
        }
    }

    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let names = self.parts.iter().enumerate();
        let keys: Vec<Key> = names.map(|(part, name)| Key { name, colour: self.colour(part), dashed: false }).collect();
        let left = 24 + widest(self.rows.iter().map(|row| row.label.as_str()), BODY);
        let about = |stack: &Stack| {
            let counts: Vec<String> = stack.counts.iter().map(ToString::to_string).collect();
            format!("{} {}", stack.name, counts.join("-"))
        };
        let stacks = || self.rows.iter().flat_map(|row| &row.stacks);
        let texts: Vec<String> = stacks().map(about).collect();
        let right = widest(texts.iter().map(String::as_str), SMALL) + 20;
        let heights: Vec<i32> = self.rows.iter().map(|row| STEP * row.stacks.len().max(1) as i32 + 8).collect();
        let bottom = TOP + 6 + heights.iter().sum::<i32>();
        let x = |share: f64| left + (share * f64::from(WIDTH)).round() as i32;
        page([&self.title, &self.note], &keys, (left + WIDTH + right, bottom + 30), |area| {
            for percent in [0, 25, 50, 75, 100] {
                let x = x(f64::from(percent) / 100.0);
                area.draw(&PathElement::new(vec![(x, TOP), (x, bottom)], INK.mix(FAINT)))?;
                text(area, (x, bottom + 14), &format!("{percent} %"), SMALL, QUIET, Stand::Middle)?;
            }
            let mut top = TOP + 4;
            for (row, height) in self.rows.iter().zip(heights) {
                text(area, (left - 8, top + (height - 8) / 2), &row.label, BODY, 1.0, Stand::End)?;
                for (number, stack) in row.stacks.iter().enumerate() {
                    let y = top + STEP * number as i32;
                    let all = stack.counts.iter().sum::<u64>().max(1) as f64;
                    let mut before = 0;
                    for (part, count) in stack.counts.iter().enumerate() {
                        let [start, end] = [before, before + count].map(|sum| x(sum as f64 / all));
                        before += count;
                        if start < end {
                            area.draw(&Rectangle::new([(start, y), (end, y + THICK)], self.colour(part).filled()))?;
                        }
                    }
                    if let Some(range) = stack.range.filter(|range| range.iter().all(|end| end.is_finite())) {
                        whisker(area, range.map(x), y + THICK / 2)?;
                    }
                    text(area, (left + WIDTH + 10, y + THICK / 2), &about(stack), SMALL, QUIET, Stand::Start)?;
                }
                top += height;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parts_take_no_place_and_all_parts_the_whole() {
        let stack = |counts: [u64; 3]| Stack { name: "ours".into(), counts: counts.into(), range: None };
        let row = |counts| StackRow { label: "a v b".into(), stacks: vec![stack(counts)] };
        let parts = ["won", "drawn", "lost"].map(String::from).into();
        let rows = vec![row([0, 100, 0]), row([1, 0, 3]), row([0, 0, 0])];
        let svg = Stacks { title: "Table".into(), note: String::new(), parts, rows }.svg();
        let widths: Vec<i32> = svg
            .lines()
            .filter(|line| line.contains("<rect") && line.contains(r#"height="12""#))
            .map(|line| line.split_once(" width=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap())
            .collect();
        assert_eq!(widths, [WIDTH, WIDTH / 4, WIDTH * 3 / 4]);
        assert!(svg.contains("ours 1-0-3"));
    }
}
