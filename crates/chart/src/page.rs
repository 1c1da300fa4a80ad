//! What all charts share: colours, sizes of text, a heading, and what lets the drawing follow the page's colours.

use plotters::coord::Shift;
use plotters::element::PathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Text and lines. It stands for the colour of the page's text, which [`finish`] puts in its place.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
const INK_TEXT: &str = "\"#222222\"";

/// Told apart by most eyes, also without colour vision (Okabe and Ito; their yellow is darkened, for white paper).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xb8, 0x86, 0x0b),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// For draws, between two other colours.
pub(crate) const GREY: RGBColor = RGBColor(0x88, 0x88, 0x88);

pub(crate) fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// The page's own colours, independent of what is behind it.
const STYLE: &str = "<style>.chart{color:#222;background:#fff}@media(prefers-color-scheme:dark){.chart{color:#ddd;background:#16181d}}</style>";

pub(crate) const BODY: f64 = 12.0;
pub(crate) const SMALL: f64 = 11.0;
const TITLE: f64 = 15.0;
const MARGIN: i32 = 12;

/// Where the drawing starts below the heading.
pub(crate) const TOP: i32 = 58;

/// An upper bound of a text's width, estimated because no font is at hand.
pub(crate) fn width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * 0.6).ceil() as i32
}

/// The widest of some texts.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: f64) -> i32 {
    texts.into_iter().map(|text| width(text, size)).max().unwrap_or(0)
}

/// How a text is aligned to its point.
#[derive(Clone, Copy)]
pub(crate) enum Stand {
    Start,
    Middle,
    End,
}

/// A text style that is vertically centred on its point.
pub(crate) fn style(size: f64, strength: f64, stand: Stand) -> TextStyle<'static> {
    let h_pos = match stand {
        Stand::Start => HPos::Left,
        Stand::Middle => HPos::Center,
        Stand::End => HPos::Right,
    };
    // The backend divides sizes by 1.24, so that fonts of files and of browsers look alike.
    let font = FontDesc::new(FontFamily::SansSerif, size * 1.24, FontStyle::Normal);
    TextStyle { font, color: INK.mix(strength).to_backend_color(), pos: Pos::new(h_pos, VPos::Center) }
}

/// Opacity of explanatory text.
pub(crate) const QUIET: f64 = 0.75;
/// Opacity of grid lines.
pub(crate) const FAINT: f64 = 0.2;

pub(crate) fn text(area: &Area, at: (i32, i32), text: &str, size: f64, strength: f64, stand: Stand) -> Drawn {
    area.draw(&Text::new(text.to_owned(), at, style(size, strength, stand)))
}

/// What a colour of a chart means.
pub(crate) struct Key<'a> {
    pub name: &'a str,
    pub colour: RGBColor,
    pub dashed: bool,
}

/// Keys in a column, as lines.
pub(crate) fn column_of_keys(area: &Area, left: i32, keys: &[Key]) -> Drawn {
    for (number, key) in keys.iter().enumerate() {
        let y = TOP + 10 + 18 * number as i32;
        let dashes: &[(i32, i32)] = if key.dashed { &[(0, 8), (12, 20), (24, 28)] } else { &[(0, 28)] };
        for (from, to) in dashes {
            let line = PathElement::new(vec![(left + from, y), (left + to, y)], key.colour.stroke_width(2));
            area.draw(&line)?;
        }
        text(area, (left + 36, y), key.name, SMALL, 1.0, Stand::Start)?;
    }
    Ok(())
}

/// Keys in a row beside the note, as boxes.
pub(crate) fn row_of_keys(area: &Area, keys: &[Key]) -> Drawn {
    let mut x = MARGIN;
    for key in keys {
        area.draw(&Rectangle::new([(x, 35), (x + 10, 45)], key.colour.filled()))?;
        text(area, (x + 15, 40), key.name, SMALL, 1.0, Stand::Start)?;
        x += key_width(key.name);
    }
    Ok(())
}

fn key_width(name: &str) -> i32 {
    15 + width(name, SMALL) + 14
}

/// Draws a page with its heading: the title, below it keys in a row and the note.
pub(crate) fn page(
    [title, note]: [&str; 2],
    keys: &[Key],
    size: (i32, i32),
    draw: impl FnOnce(&Area) -> Drawn,
) -> String {
    let note_at = MARGIN + keys.iter().map(|key| key_width(key.name)).sum::<i32>();
    // Titles are heavier and a little wider than other text.
    let widths = [size.0, width(title, TITLE * 1.05) + 2 * MARGIN, note_at + width(note, SMALL) + MARGIN];
    let full = widths.into_iter().max().unwrap_or(size.0);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (full as u32, size.1 as u32)).into_drawing_area();
        let heading = || {
            let font = FontDesc::new(FontFamily::SansSerif, TITLE * 1.24, FontStyle::Bold);
            let style = TextStyle::from(font).color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(title.to_owned(), (MARGIN, 18), style))?;
            row_of_keys(&area, keys)?;
            text(&area, (note_at, 40), note, SMALL, QUIET, Stand::Start)
        };
        let drawn = heading().and_then(|()| draw(&area)).and_then(|()| area.present());
        drawn.expect("drawing into a string cannot fail");
    }
    finish(&svg, title)
}

/// Gives the drawing its title for screen readers, and the page's colours.
fn finish(svg: &str, title: &str) -> String {
    let (root, body) = svg.split_once('>').unwrap_or((svg, ""));
    let body = body.replace(INK_TEXT, "\"currentColor\"");
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(r#"{root} role="img" class="chart"><title>{title}</title>{STYLE}{}"#, body.trim_end())
}
