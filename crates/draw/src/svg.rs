//! A tiny SVG writer: elements, attributes, escaping. It knows nothing of games.

/// System fonts only: a picture must look the same offline.
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/// A document being written. Elements still open are closed by [`Svg::finish`].
pub(crate) struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A document of `width` x `height` user units, named for people who do not see it.
    pub(crate) fn new(width: f64, height: f64, title: &str, desc: &str) -> Svg {
        let mut svg = Svg { out: String::new(), open: Vec::new() };
        svg.tag("svg")
            .set("xmlns", "http://www.w3.org/2000/svg")
            .set("viewBox", &format!("0 0 {} {}", num(width), num(height)))
            .num("width", width)
            .num("height", height)
            .set("role", "img")
            .set("font-family", FONT)
            .open();
        svg.tag("title").text(title);
        svg.tag("desc").text(desc);
        svg
    }

    /// Starts an element; its fate is decided by [`Tag::end`], [`Tag::open`] or [`Tag::text`].
    pub(crate) fn tag(&mut self, name: &'static str) -> Tag<'_> {
        self.out.push('<');
        self.out.push_str(name);
        Tag { svg: self, name }
    }

    /// Opens a group of a CSS class.
    pub(crate) fn group(&mut self, class: &str) {
        self.tag("g").set("class", class).open();
    }

    /// Closes the innermost open element.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push_str(">\n");
        }
    }

    /// The whole document.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    pub(crate) fn circle(&mut self, (x, y): Point, r: f64) -> Tag<'_> {
        self.tag("circle").num("cx", x).num("cy", y).num("r", r)
    }

    pub(crate) fn ellipse(&mut self, (x, y): Point, rx: f64, ry: f64) -> Tag<'_> {
        self.tag("ellipse").num("cx", x).num("cy", y).num("rx", rx).num("ry", ry)
    }

    pub(crate) fn line(&mut self, a: Point, b: Point) -> Tag<'_> {
        self.tag("line").num("x1", a.0).num("y1", a.1).num("x2", b.0).num("y2", b.1)
    }

    pub(crate) fn path(&mut self, d: &str) -> Tag<'_> {
        self.tag("path").set("d", d)
    }

    /// A rectangle with rounded corners.
    pub(crate) fn rect(&mut self, r: Rect, radius: f64) -> Tag<'_> {
        let tag = self.tag("rect").num("x", r.x).num("y", r.y).num("width", r.w).num("height", r.h);
        if radius > 0.0 { tag.num("rx", radius) } else { tag }
    }

    /// Text whose middle height is at `y`; add `text-anchor` for sideways placing. The shift by a third of the size
    /// stands in for `dominant-baseline`, which several renderers do not know.
    pub(crate) fn label(&mut self, (x, y): Point, size: f64, fill: &str) -> Tag<'_> {
        self.tag("text").num("x", x).num("y", y + 0.35 * size).num("font-size", size).set("fill", fill)
    }
}

/// A point of the picture, `(x, y)`.
pub(crate) type Point = (f64, f64);

/// An upright rectangle.
#[derive(Clone, Copy)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

impl Rect {
    pub(crate) const fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// The same rectangle, `by` larger on every side.
    pub(crate) fn grow(self, by: f64) -> Rect {
        Rect::new(self.x - by, self.y - by, self.w + 2.0 * by, self.h + 2.0 * by)
    }
}

/// A start tag to which attributes are still being added.
#[must_use]
pub(crate) struct Tag<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Tag<'_> {
    /// An attribute; the value is escaped.
    pub(crate) fn set(self, key: &str, value: &str) -> Self {
        let out = &mut self.svg.out;
        out.push(' ');
        out.push_str(key);
        out.push_str("=\"");
        escape(value, out);
        out.push('"');
        self
    }

    /// A numeric attribute.
    pub(crate) fn num(self, key: &str, value: f64) -> Self {
        self.set(key, &num(value))
    }

    /// `fill`, the commonest attribute.
    pub(crate) fn fill(self, colour: &str) -> Self {
        self.set("fill", colour)
    }

    /// `stroke` and `stroke-width`.
    pub(crate) fn stroke(self, colour: &str, width: f64) -> Self {
        self.set("stroke", colour).num("stroke-width", width)
    }

    /// An element without content.
    pub(crate) fn end(self) {
        self.svg.out.push_str("/>\n");
    }

    /// An element whose content follows, up to [`Svg::close`].
    pub(crate) fn open(self) {
        self.svg.out.push_str(">\n");
        self.svg.open.push(self.name);
    }

    /// An element that holds only text.
    pub(crate) fn text(self, text: &str) {
        self.svg.out.push('>');
        escape(text, &mut self.svg.out);
        self.svg.out.push_str("</");
        self.svg.out.push_str(self.name);
        self.svg.out.push_str(">\n");
    }
}

/// A number with at most two decimals and no trailing zeros.
pub(crate) fn num(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes for element content and double-quoted attributes. What XML 1.0 forbids even when escaped becomes U+FFFD.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            '\0'..='\x1f' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(num(3.0), "3");
        assert_eq!(num(3.25), "3.25");
        assert_eq!(num(3.1), "3.1");
        assert_eq!(num(100.0), "100");
        assert_eq!(num(-0.001), "0");
        assert_eq!(num(-2.5), "-2.5");
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut svg = Svg::new(1.0, 1.0, "a<b & \"c\"", "\u{1}\u{7f}\u{9b}]]>");
        svg.tag("g").set("class", "\"><script>").open();
        let out = svg.finish();
        assert!(out.contains("<title>a&lt;b &amp; &quot;c&quot;</title>"), "{out}");
        assert!(out.contains("<desc>\u{fffd}\u{fffd}\u{fffd}]]&gt;</desc>"), "{out}");
        assert!(!out.contains("<script>"), "{out}");
        assert!(out.ends_with("</g>\n</svg>\n"), "{out}");
    }
}
