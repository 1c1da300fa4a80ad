//! What comes out of the crate, seen from outside.

mod any;
mod other;
mod svg;
mod text;
mod xml;

use quintet_game::{AnyLine, GameSpec};

/// A game played from its start.
fn played(spec: &str, moves: &str) -> Box<dyn AnyLine> {
    play(GameSpec::parse(spec).unwrap().line(), moves)
}

/// A game played from a position.
fn played_from(spec: &str, position: &str, moves: &str) -> Box<dyn AnyLine> {
    let line = GameSpec::parse(spec).unwrap().line_at(position);
    play(line.unwrap_or_else(|e| panic!("{spec} {position}: {e}")), moves)
}

fn play(mut line: Box<dyn AnyLine>, moves: &str) -> Box<dyn AnyLine> {
    for token in moves.split_ascii_whitespace() {
        line.try_play(token).unwrap_or_else(|e| panic!("{line:?}: {e}"));
    }
    line
}
