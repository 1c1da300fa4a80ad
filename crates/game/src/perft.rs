//! Perft: the number of move sequences of a given length, the classic test of a move generator.

use crate::{Game, Line};

/// Counts the legal sequences of exactly `depth` plies from the line's current position; a sequence that ends the game
/// early counts only at the depth where it ends. The line's history counts for repetition.
///
/// `progress` is told how many moves of the first ply are done, and how many there are.
///
/// ```
/// use std::sync::Arc;
/// use quintet_game::{Line, perft::perft, pylos::Pylos};
/// let line = Line::new(Arc::new(Pylos::default()));
/// assert_eq!(perft(&line, 3, |_, _| {}), 3_360);
/// ```
pub fn perft<G: Game>(line: &Line<G>, depth: u32, mut progress: impl FnMut(usize, usize)) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 || line.outcome().is_some() {
        return line.count_moves() as u64;
    }
    let mut walk = Walk { line, path: Vec::new(), buffers: vec![Vec::new(); depth as usize] };
    let mut roots = Vec::new();
    line.game().moves(line.position(), &mut roots);
    let mut total = 0;
    for (done, &mv) in roots.iter().enumerate() {
        progress(done, roots.len());
        let mut next = line.position().clone();
        line.game().play(&mut next, mv);
        total += walk.count(&next, depth - 1);
    }
    progress(roots.len(), roots.len());
    total
}

struct Walk<'a, G: Game> {
    line: &'a Line<G>,
    /// Positions between the line's end and here; only where positions can recur.
    path: Vec<G::Pos>,
    /// One move list per depth, so that nothing is allocated per node.
    buffers: Vec<Vec<G::Move>>,
}

impl<G: Game> Walk<'_, G> {
    fn count(&mut self, pos: &G::Pos, depth: u32) -> u64 {
        let game = self.line.game();
        if G::REPEATS && self.third(pos) {
            return 0;
        }
        if depth == 1 {
            return game.count_moves(pos) as u64;
        }
        let mut moves = std::mem::take(&mut self.buffers[depth as usize]);
        moves.clear();
        game.moves(pos, &mut moves);
        if G::REPEATS {
            self.path.push(pos.clone());
        }
        let mut total = 0;
        for &mv in &moves {
            let mut next = pos.clone();
            game.play(&mut next, mv);
            total += self.count(&next, depth - 1);
        }
        if G::REPEATS {
            self.path.pop();
        }
        self.buffers[depth as usize] = moves;
        total
    }

    /// Does `pos` occur for the third time? That takes at least four plies.
    fn third(&self, pos: &G::Pos) -> bool {
        if self.line.plies() + self.path.len() < 3 {
            return false;
        }
        let on_path = self.path.iter().filter(|earlier| *earlier == pos).count() as u32;
        let in_line = match self.line.plies() {
            0 => u32::from(self.line.position() == pos),
            _ => self.line.occurrences(pos),
        };
        on_path + in_line >= 2
    }
}
