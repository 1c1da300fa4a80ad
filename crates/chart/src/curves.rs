//! Curves through points: times by depth, chances to win by games.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::bars::{number, ticks};
use crate::page::{
    Area, Drawn, FAINT, INK, Key, QUIET, SMALL, Stand, TOP, colour, column_of_keys, page, text, widest, width,
};

/// Curves over the same scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What is shown.
    pub title: String,
    /// A note for the reader.
    pub note: String,
    /// The horizontal axis.
    pub x_name: String,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Places of note.
    pub marks: Vec<Mark>,
}

/// The vertical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Their name.
    pub name: String,
    /// Whether it is logarithmic. Points that are not above zero are then left out.
    pub log: bool,
    /// From and to; by default the range of the points.
    pub range: Option<[f64; 2]>,
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// The number of its colour: curves that belong together share one.
    pub colour: usize,
    /// Whether the line is broken, as for the results of others.
    pub dashed: bool,
    /// How ranges of points are drawn.
    pub spread: Spread,
    /// From the left.
    pub points: Vec<Point>,
}

/// How ranges are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// A dot and a line at every point: for few points.
    Whiskers,
    /// A pale band along the curve: for many points.
    Band,
}

/// A point with the interval of its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place.
    pub x: f64,
    /// Its height.
    pub y: f64,
    /// The height's range, where known.
    pub range: Option<[f64; 2]>,
}

/// A place where something happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// Its label, left out where there is no room for it.
    pub text: String,
}

const WIDTH: i32 = 560;
const HEIGHT: i32 = 340;
/// From this many places on, the horizontal axis has round numbers of its own.
const MANY: usize = 12;

/// The plot's coordinates: places, and heights or their logarithms.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Curves {
    fn shown(&self, point: &Point) -> bool {
        let fits = |y: f64| y.is_finite() && (!self.y.log || y > 0.0);
        point.x.is_finite() && fits(point.y)
    }

    /// A point's range, as far as it can be drawn.
    fn range(&self, point: &Point) -> Option<[f64; 2]> {
        point.range.filter(|range| range.iter().all(|end| end.is_finite() && (!self.y.log || *end > 0.0)))
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.curves.iter().flat_map(|curve| &curve.points).filter(|point| self.shown(point))
    }

    /// From and to on the axis below.
    fn places(&self) -> Option<([f64; 2], Vec<f64>)> {
        let mut xs: Vec<f64> = self.points().map(|point| point.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        let (first, last) = (*xs.first()?, *xs.last()?);
        // Dots with ranges need room on both sides; a curve through many points may begin at the edge.
        let room = match self.curves.iter().any(|curve| curve.spread == Spread::Whiskers) {
            true => 0.06 * (last - first),
            false => 0.0,
        };
        let ends = if first < last { [first - room, last + room] } else { [first - 0.5, last + 0.5] };
        let names = if xs.len() < MANY { xs } else { ticks(first, last) };
        Some((ends, names))
    }

    /// Where a height stands on the scale.
    fn height(&self, y: f64) -> f64 {
        if self.y.log { y.log10() } else { y }
    }

    /// From and to on the scale of heights.
    fn heights(&self) -> [f64; 2] {
        if let Some(range) = self.y.range {
            return range.map(|y| self.height(y));
        }
        let all =
            self.points().flat_map(|point| std::iter::once(point.y).chain(self.range(point).into_iter().flatten()));
        let (low, high) = all
            .map(|y| self.height(y))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        match self.y.log {
            true => [low.floor(), high.ceil().max(low.floor() + 1.0)],
            false if low < high => [low - 0.05 * (high - low), high + 0.05 * (high - low)],
            false => [low - 0.5, high + 0.5],
        }
    }

    /// Marks of the scale of heights: where they stand, and what they say.
    fn steps(&self, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        if self.y.log {
            return (low.ceil() as i32..=high.floor() as i32).map(|power| (f64::from(power), ten_to(power))).collect();
        }
        ticks(low, high).into_iter().map(|tick| (tick, number(tick))).collect()
    }

    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let drawn: Vec<&Curve> =
            self.curves.iter().filter(|curve| curve.points.iter().any(|point| self.shown(point))).collect();
        let keys: Vec<Key> = drawn
            .iter()
            .map(|curve| Key { name: &curve.name, colour: colour(curve.colour), dashed: curve.dashed })
            .collect();
        let keys = if keys.len() > 1 { &keys[..] } else { &[] };
        let places = self.places();
        let (heights, steps) = match &places {
            Some(_) => (self.heights(), self.steps(self.heights())),
            None => ([0.0, 1.0], Vec::new()),
        };
        let left = 20 + widest(steps.iter().map(|(_, name)| name.as_str()), SMALL);
        let right = if keys.is_empty() { 24 } else { 72 + widest(keys.iter().map(|key| key.name), SMALL) };
        let bottom = TOP + HEIGHT.max(18 * keys.len() as i32 - 30);
        let notes = [self.y.name.as_str(), self.note.as_str()].map(|text| (!text.is_empty()).then_some(text));
        let note = notes.into_iter().flatten().collect::<Vec<_>>().join("; ");
        page([&self.title, &note], &[], (left + WIDTH + right, bottom + 46), |area| {
            let Some((ends, places)) = places else { return Ok(()) };
            let plot = area.clone().shrink((left, TOP), (WIDTH, bottom - TOP));
            let mut chart = ChartBuilder::on(&plot).build_cartesian_2d(ends[0]..ends[1], heights[0]..heights[1])?;
            for (at, name) in steps {
                let y = chart.backend_coord(&(ends[0], at)).1;
                area.draw(&PathElement::new(vec![(left, y), (left + WIDTH, y)], INK.mix(FAINT)))?;
                text(area, (left - 6, y), &name, SMALL, QUIET, Stand::End)?;
            }
            for place in places {
                let x = chart.backend_coord(&(place, heights[0])).0;
                area.draw(&PathElement::new(vec![(x, bottom), (x, bottom + 4)], INK.mix(0.6)))?;
                text(area, (x, bottom + 14), &number(place), SMALL, QUIET, Stand::Middle)?;
            }
            text(area, (left + WIDTH / 2, bottom + 33), &self.x_name, SMALL, 1.0, Stand::Middle)?;
            self.marks(area, &mut chart, ends, heights)?;
            for curve in &drawn {
                self.curve(&mut chart, curve, (ends[1] - ends[0]) / f64::from(WIDTH))?;
            }
            column_of_keys(area, left + WIDTH + 24, keys)
        })
    }

    /// Vertical lines, with labels above them where there is room.
    fn marks(&self, area: &Area, chart: &mut Chart, ends: [f64; 2], [low, high]: [f64; 2]) -> Drawn {
        let mut marks: Vec<&Mark> = self.marks.iter().filter(|mark| (ends[0]..=ends[1]).contains(&mark.x)).collect();
        marks.sort_by(|one, other| one.x.total_cmp(&other.x));
        for (number, mark) in marks.iter().enumerate() {
            let line = [(mark.x, low), (mark.x, high)];
            chart.draw_series(DashedLineSeries::new(line, 4, 4, INK.mix(0.6).stroke_width(1)))?;
            let (x, top) = chart.backend_coord(&(mark.x, high));
            let next = marks.get(number + 1).map_or(ends[1], |next| next.x);
            if x + 4 + width(&mark.text, SMALL) <= chart.backend_coord(&(next, high)).0 {
                text(area, (x + 4, top + 8), &mark.text, SMALL, QUIET, Stand::Start)?;
            }
        }
        Ok(())
    }

    /// How far a curve is shifted, in pixels, so that intervals at the same place do not hide each other.
    fn aside(&self, curve: &Curve) -> f64 {
        let colours = self.curves.iter().map(|curve| curve.colour).max().unwrap_or(0) as f64;
        if curve.spread == Spread::Whiskers { 5.0 * (curve.colour as f64 - colours / 2.0) } else { 0.0 }
    }

    fn curve(&self, chart: &mut Chart, curve: &Curve, pixel: f64) -> Drawn {
        let aside = self.aside(curve) * pixel;
        let points = curve.points.iter().filter(|point| self.shown(point));
        let points: Vec<Point> = points.map(|point| Point { x: point.x + aside, ..*point }).collect();
        let range = |point: &Point| Some((point.x, self.range(point)?.map(|y| self.height(y))));
        let ranges: Vec<(f64, [f64; 2])> = points.iter().filter_map(range).collect();
        let paint = colour(curve.colour);
        if curve.spread == Spread::Band && ranges.len() > 1 {
            let upper = ranges.iter().map(|(x, [_, high])| (*x, *high));
            let lower = ranges.iter().rev().map(|(x, [low, _])| (*x, *low));
            chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), paint.mix(0.2))])?;
        }
        let line: Vec<(f64, f64)> = points.iter().map(|point| (point.x, self.height(point.y))).collect();
        if curve.dashed {
            chart.draw_series(DashedLineSeries::new(line.iter().copied(), 6, 4, paint.stroke_width(2)))?;
        } else {
            chart.draw_series(LineSeries::new(line.iter().copied(), paint.stroke_width(2)))?;
        }
        if curve.spread == Spread::Whiskers {
            let whisker = |(x, [low, high]): (f64, [f64; 2])| PathElement::new(vec![(x, low), (x, high)], paint);
            chart.draw_series(ranges.into_iter().map(whisker))?;
            chart.draw_series(line.into_iter().map(|at| Circle::new(at, 3, paint.filled())))?;
        }
        Ok(())
    }
}

/// A power of ten, written out if it is short.
fn ten_to(power: i32) -> String {
    if (-3..=6).contains(&power) { number(10f64.powi(power)) } else { format!("1e{power}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(log: bool, points: &[(f64, f64)]) -> Curves {
        let points = points.iter().map(|(x, y)| Point { x: *x, y: *y, range: None }).collect();
        let curve = Curve { name: "a".into(), colour: 0, dashed: false, spread: Spread::Whiskers, points };
        let y = Axis { name: "ms".into(), log, range: None };
        let (title, note, x_name) = ("t".into(), String::new(), "depth".into());
        Curves { title, note, x_name, y, curves: vec![curve], marks: Vec::new() }
    }

    fn dots(svg: &str) -> Vec<(i32, i32)> {
        let number = |line: &str, name: &str| -> i32 {
            line.split_once(&format!(" {name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
        };
        svg.lines()
            .filter(|line| line.contains("<circle"))
            .map(|line| (number(line, "cx"), number(line, "cy")))
            .collect()
    }

    #[test]
    fn equal_factors_are_equal_steps_on_a_logarithmic_scale() {
        let found = dots(&curves(true, &[(1.0, 1.0), (2.0, 100.0), (3.0, 1e4), (4.0, 0.0), (5.0, f64::NAN)]).svg());
        assert_eq!(found.len(), 3, "zero and NaN are left out");
        assert!((found[0].1 - found[1].1 - (found[1].1 - found[2].1)).abs() <= 1, "{found:?}");
        assert!((found[1].0 - found[0].0 - (found[2].0 - found[1].0)).abs() <= 1, "{found:?}");
    }

    #[test]
    fn points_lie_inside_the_plot() {
        for points in [&[(5.0, 3.0)][..], &[(0.0, -2.0), (1000.0, 7.0)]] {
            for (x, y) in dots(&curves(false, points).svg()) {
                assert!(x > 20 && y > TOP && y < TOP + HEIGHT, "{x} {y}");
            }
        }
        let empty = curves(true, &[]).svg();
        assert!(empty.contains("<title>t</title>") && dots(&empty).is_empty());
    }

    #[test]
    fn marks_do_not_write_over_one_another() {
        let mut curves = curves(false, &[(0.0, 0.0), (1000.0, 1.0)]);
        let mark = |x: f64| Mark { x, text: format!("opponent {x}") };
        curves.marks = [100.0, 110.0, 500.0, 999.0, 2000.0].map(mark).into();
        let svg = curves.svg();
        let told = [100.0, 110.0, 500.0, 999.0, 2000.0].map(|x| svg.contains(&format!("opponent {x}\n")));
        assert_eq!(told, [false, true, true, false, false]);
    }
}
