//! Bars from the left, one under the other: scores, weights.

use plotters::prelude::*;

use crate::page::{Area, BODY, Drawn, FAINT, INK, Key, QUIET, SMALL, Stand, TOP, colour, page, style, text, widest};

/// Rows of bars, the series of a row one under the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What is shown.
    pub title: String,
    /// A note for the reader.
    pub note: String,
    /// The names of a row's bars, from above. A single name gets no key.
    pub series: Vec<String>,
    /// The rows, from above.
    pub rows: Vec<Row>,
    /// The scale.
    pub scale: Scale,
}

/// A row of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub label: String,
    /// Details, in small letters below.
    pub detail: String,
    /// One bar per series; `None` where there is no value.
    pub bars: Vec<Option<Measure>>,
}

/// A number with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The number.
    pub value: f64,
    /// Its range, where known.
    pub range: Option<[f64; 2]>,
    /// The text beside the bar.
    pub text: String,
}

impl Measure {
    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.range.is_none_or(|range| range.iter().all(|end| end.is_finite()))
    }

    fn ends(&self) -> impl Iterator<Item = f64> + '_ {
        std::iter::once(self.value).chain(self.range.into_iter().flatten())
    }
}

/// The scale of the bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// 0 to 1, labelled 0 to 100 %.
    Percent,
    /// The range of the numbers, on both sides of zero.
    Numbers,
}

const WIDTH: i32 = 460;
const THICK: i32 = 11;
const STEP: i32 = 13;

/// Maps numbers to coordinates.
struct Ruler {
    left: i32,
    low: f64,
    high: f64,
}

impl Ruler {
    /// Numbers beyond the scale are drawn at its end.
    fn x(&self, value: f64) -> i32 {
        let value = value.clamp(self.low, self.high);
        self.left + ((value - self.low) / (self.high - self.low) * f64::from(WIDTH)).round() as i32
    }
}

/// At most seven round numbers from `low` to `high`.
pub(crate) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    // Whole multiples, so that no sum of rounded steps drifts from zero.
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|number| number as f64 * step).collect()
}

/// A round number without the noise of binary fractions.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

impl Bars {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let has_bars = |number: usize| self.rows.iter().any(|row| row.bars.get(number).is_some_and(Option::is_some));
        let names = self.series.iter().enumerate().filter(|(number, _)| has_bars(*number));
        let keys: Vec<Key> = names.map(|(number, name)| Key { name, colour: colour(number), dashed: false }).collect();
        let keys = if self.series.len() > 1 { &keys[..] } else { &[] };
        let measures = || self.rows.iter().flat_map(|row| row.bars.iter().flatten()).filter(|bar| bar.is_finite());
        let labels = widest(self.rows.iter().map(|row| row.label.as_str()), BODY);
        let details = widest(self.rows.iter().map(|row| row.detail.as_str()), SMALL);
        let texts = widest(measures().map(|bar| bar.text.as_str()), SMALL) + 12;
        let (low, high) = match self.scale {
            Scale::Percent => (0.0, 1.0),
            Scale::Numbers => measures()
                .flat_map(Measure::ends)
                .fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end))),
        };
        let high = if low < high { high } else { low + 1.0 };
        // Numbers of bars to the left stand left of them.
        let before = if low < 0.0 { texts } else { 0 };
        let ruler = Ruler { left: 24 + labels.max(details) + before, low, high };
        let row_height = STEP * self.series.len().max(2) as i32 + 8;
        let bottom = TOP + 6 + row_height * self.rows.len() as i32;
        page([&self.title, &self.note], keys, (ruler.left + WIDTH + texts + 12, bottom + 30), |area| {
            self.grid(area, &ruler, bottom)?;
            for (number, row) in self.rows.iter().enumerate() {
                self.row(area, &ruler, ruler.left - 8 - before, TOP + 4 + row_height * number as i32, row)?;
            }
            let zero = ruler.x(0.0);
            area.draw(&PathElement::new(vec![(zero, TOP), (zero, bottom)], INK.mix(0.6)))
        })
    }

    fn grid(&self, area: &Area, ruler: &Ruler, bottom: i32) -> Drawn {
        let marks = match self.scale {
            Scale::Percent => {
                [0, 25, 50, 75, 100].map(|percent| (f64::from(percent) / 100.0, format!("{percent} %"))).into()
            }
            Scale::Numbers => {
                ticks(ruler.low, ruler.high).into_iter().map(|tick| (tick, number(tick))).collect::<Vec<_>>()
            }
        };
        for (value, name) in marks {
            let x = ruler.x(value);
            area.draw(&PathElement::new(vec![(x, TOP), (x, bottom)], INK.mix(FAINT)))?;
            text(area, (x, bottom + 14), &name, SMALL, QUIET, Stand::Middle)?;
        }
        Ok(())
    }

    fn row(&self, area: &Area, ruler: &Ruler, label_end: i32, top: i32, row: &Row) -> Drawn {
        let bars = row.bars.iter().enumerate();
        let bars: Vec<(usize, &Measure)> =
            bars.filter_map(|(number, bar)| Some((number, bar.as_ref()?))).filter(|(_, bar)| bar.is_finite()).collect();
        let middle = top + STEP * self.series.len().max(2) as i32 / 2;
        let label_at = if row.detail.is_empty() { middle } else { middle - 6 };
        text(area, (label_end, label_at), &row.label, BODY, 1.0, Stand::End)?;
        if !row.detail.is_empty() {
            text(area, (label_end, middle + 8), &row.detail, SMALL, QUIET, Stand::End)?;
        }
        let first = middle - STEP * bars.len() as i32 / 2;
        for (place, (number, bar)) in bars.into_iter().enumerate() {
            let top = first + STEP * place as i32;
            let [start, end] = [ruler.x(0.0), ruler.x(bar.value)];
            let corners = [(start.min(end), top), (start.max(end), top + THICK)];
            area.draw(&Rectangle::new(corners, colour(number).filled()))?;
            if let Some([low, high]) = bar.range {
                whisker(area, [ruler.x(low), ruler.x(high)], top + THICK / 2)?;
            }
            let ends = || bar.ends().map(|end| ruler.x(end));
            let (x, stand) = match bar.value < 0.0 {
                true => (ends().min().unwrap_or(end) - 6, Stand::End),
                false => (ends().max().unwrap_or(end) + 6, Stand::Start),
            };
            area.draw(&Text::new(bar.text.clone(), (x, top + THICK / 2), style(SMALL, QUIET, stand)))?;
        }
        Ok(())
    }
}

/// A range as a line with ends.
pub(crate) fn whisker(area: &Area, [low, high]: [i32; 2], y: i32) -> Drawn {
    area.draw(&PathElement::new(vec![(low, y), (high, y)], INK.stroke_width(2)))?;
    for x in [low, high] {
        area.draw(&PathElement::new(vec![(x, y - 4), (x, y + 4)], INK.stroke_width(2)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-100.0, 160.0), [-100.0, -50.0, 0.0, 50.0, 100.0, 150.0]);
        for (low, high) in [(0.0, 1e-3), (-7.3, 1234.5), (3.0, 4.0), (0.0, 5000.0)] {
            let ticks = ticks(low, high);
            assert!((3..=7).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.iter().all(|tick| (low..=high).contains(tick)), "{ticks:?}");
        }
        assert_eq!([0.6000000000000001, -0.0, 150.0, 2.5].map(number), ["0.6", "0", "150", "2.5"]);
    }

    /// The x and width of every box of a colour.
    fn boxes(svg: &str, fill: &str) -> Vec<(i32, i32)> {
        let number = |line: &str, name: &str| -> i32 {
            let rest = line.split_once(&format!(" {name}=\"")).unwrap().1;
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let lines = svg.lines().filter(|line| line.contains("<rect") && line.contains(&format!("fill=\"{fill}\"")));
        lines.map(|line| (number(line, "x"), number(line, "width"))).collect()
    }

    #[test]
    fn bars_grow_from_zero_to_both_sides_by_their_values() {
        let row = |label: &str, value: f64| Row {
            label: label.into(),
            detail: String::new(),
            bars: vec![Some(Measure { value, range: None, text: number(value) })],
        };
        let rows = vec![row("ahead", 160.0), row("yours", -80.0), row("nothing", f64::NAN)];
        let (title, note) = ("Weights".into(), String::new());
        let svg = Bars { title, note, series: vec!["weight".into()], rows, scale: Scale::Numbers }.svg();
        let found = boxes(&svg, "#0072B2");
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].0 + found[1].1, found[0].0, "both start at zero");
        assert!((found[0].1 - 2 * found[1].1).abs() <= 1, "{found:?}");
        assert!(svg.contains("-80") && !svg.contains("NaN"));
    }
}
