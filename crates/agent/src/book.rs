//! An opening book in front of another agent.

use std::sync::Arc;

use quintet_eval::Book;
use quintet_game::{Limit, Line, Playable};
use quintet_search::{Choice, Search, Watch};

/// The kind's name in specs.
pub(crate) const KIND: &str = "book";

/// Plays the book's move where it has one and asks another search elsewhere. A book has no values: its moves get 0.
pub(crate) struct ByBook<G: Playable> {
    book: Arc<Book<G>>,
    other: Box<dyn Search<G>>,
}

impl<G: Playable> ByBook<G> {
    pub fn new(book: Arc<Book<G>>, other: Box<dyn Search<G>>) -> ByBook<G> {
        ByBook { book, other }
    }
}

impl<G: Playable> Search<G> for ByBook<G> {
    fn think(&mut self, line: &Line<G>, limit: &Limit, watch: &mut dyn Watch<G>) -> Choice<G::Move> {
        match self.book.find(line.game(), line.position()) {
            Some(mv) => Choice::plain(mv, 0.0),
            None => self.other.think(line, limit, watch),
        }
    }

    quintet_search::forward_to!(other);
}
