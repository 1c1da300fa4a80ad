//! Numbers as pictures: [`Bars`], [`Stacks`], [`Curves`], [`Squares`] and [`Cross`] tables, plain data in and the text of an SVG out.
//!
//! The crate knows nothing of games. Every picture has a title for screen readers, text as text, colours that most eyes tell apart, and a background of its
//! own in light and in dark. Margins follow from the labels, so that none is cut off; numbers that are not finite are left out.
//!
//! ```
//! use quintet_chart::{Bars, Measure, Row, Scale};
//!
//! let ours = Measure { value: 0.75, range: Some([0.7, 0.8]), text: "75 %".into() };
//! let row = Row { label: "minimax v random".into(), detail: String::new(), bars: vec![Some(ours), None] };
//! let bars = Bars { title: "Scores".into(), note: "95 % intervals".into(), series: vec!["ours".into(), "paper".into()], rows: vec![row], scale: Scale::Percent };
//! let svg = bars.svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>Scores</title>") && svg.contains("minimax v random"));
//! ```

mod bars;
mod cross;
mod curves;
mod page;
mod squares;
mod stacks;

pub use bars::{Bars, Measure, Row, Scale};
pub use cross::{Cell, Cross};
pub use curves::{Axis, Curve, Curves, Mark, Point, Spread};
pub use squares::Squares;
pub use stacks::{Stack, StackRow, Stacks};
