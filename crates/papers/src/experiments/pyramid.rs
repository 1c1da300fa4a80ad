//! A number for each cell of Pylos' pyramid, as four squares in colours.

use quintet_chart::Squares;

use super::report::ReportLine;

/// A cell of level, column and row from 0, with its number.
type Spot = (usize, usize, usize, f64);

/// A picture for each group of lines named `GROUP on CELL` with a number: cool colours for high ones, as in the paper.
pub(super) fn of_lines(title: &str, lines: &[ReportLine]) -> Vec<(String, String)> {
    let mut groups: Vec<(&str, Vec<Spot>)> = Vec::new();
    for line in lines {
        let Some((group, cell)) = line.what.rsplit_once(" on ") else { continue };
        let (Some((level, x, y)), Ok(value)) = (place(cell), line.ours.parse()) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, spots)) => spots.push((level, x, y, value)),
            None => groups.push((group, vec![(level, x, y, value)])),
        }
    }
    let file = |group: &str| {
        let letters = group.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        format!("map-{}.svg", letters.collect::<String>())
    };
    groups.iter().map(|(group, spots)| (file(group), draw(&format!("{title}: {group}"), spots))).collect()
}

/// Level, column and row of a cell's name, `2b1`.
fn place(name: &str) -> Option<(usize, usize, usize)> {
    let [level, column, row] = name.as_bytes() else { return None };
    let (level, x, y) = (level.checked_sub(b'1')?, column.checked_sub(b'a')?, row.checked_sub(b'1')?);
    let size = 4u8.checked_sub(level)?;
    (x < size && y < size).then_some((level.into(), x.into(), y.into()))
}

fn draw(title: &str, spots: &[Spot]) -> String {
    // Side by side: four, three, two cells and one.
    let mut squares: Vec<Vec<Vec<Option<f64>>>> = (1..=4).rev().map(|size| vec![vec![None; size]; size]).collect();
    for (level, x, y, value) in spots {
        squares[*level][*y][*x] = Some(*value);
    }
    Squares { title: title.into(), note: "levels 1 to 4; blue is better".into(), squares }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_name() {
        assert_eq!(place("1a1"), Some((0, 0, 0)));
        assert_eq!(place("2c3"), Some((1, 2, 2)));
        assert_eq!(place("4a1"), Some((3, 0, 0)));
        for wrong in ["2d1", "5a1", "0a1", "a1", "1a11", "1A1", "4a2"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_group_is_a_picture() {
        let line = |what: &str, ours: &str| ReportLine { ours: ours.into(), ..ReportLine::new(what.into(), "") };
        let lines = [
            line("one own ball on 1a1", "1.5"),
            line("one own ball on 3b2", "-2"),
            line("one opponent's ball on 4a1", "0.25"),
            line("one own ball: inner against outer", "1.00 against 2.00"),
        ];
        let charts = of_lines("maps", &lines);
        let names: Vec<&str> = charts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["map-one-own-ball.svg", "map-one-opponent-s-ball.svg"]);
        assert!(charts[0].1.contains("-2.00") && charts[0].1.ends_with("</svg>") && !charts[1].1.contains("NaN"));
    }
}
