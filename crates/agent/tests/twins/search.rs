//! Naive searches on a line of text moves: every move is played and taken back, nothing is pruned or remembered.

use quintet_game::{AnyLine, Outcome, Player};

use crate::common::after;

/// The value of a finished game.
#[derive(Clone, Copy)]
pub enum Ends {
    /// The evaluation alone.
    Value,
    /// The evaluation plus this much for a win, minus as much for a loss.
    OnTop(f64),
    /// A million minus the plies to it for a win, nothing for a draw.
    Quick,
}

/// An evaluation of position texts for a player, and the value of finished games.
pub struct Judge<'a> {
    pub eval: &'a dyn Fn(&str, Player) -> f64,
    pub ends: Ends,
}

impl Judge<'_> {
    /// The value of a finished game.
    fn end(&self, line: &dyn AnyLine, view: Player, ply: u32) -> Option<f64> {
        let (outcome, _) = line.end()?;
        let sign = match outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(player) if player == view => 1.0,
            Outcome::Win(_) => -1.0,
        };
        Some(match self.ends {
            Ends::Value => self.eval(line, view),
            Ends::OnTop(utility) => self.eval(line, view) + sign * utility,
            Ends::Quick => sign * (1e6 - f64::from(ply)),
        })
    }

    fn eval(&self, line: &dyn AnyLine, view: Player) -> f64 {
        (self.eval)(&line.position(), view)
    }

    /// The value of a position without search.
    pub fn value(&self, line: &dyn AnyLine, view: Player, ply: u32) -> f64 {
        self.end(line, view, ply).unwrap_or_else(|| self.eval(line, view))
    }

    /// All moves with the value of the position after them.
    pub fn scored(&self, line: &mut dyn AnyLine, view: Player) -> Vec<(String, f64)> {
        let moves = line.legal_moves();
        moves
            .into_iter()
            .map(|mv| {
                let value = after(line, &mv, |next| self.value(next, view, 1));
                (mv, value)
            })
            .collect()
    }

    /// The `width` most promising moves for `view`, the best first.
    pub fn top(&self, line: &mut dyn AnyLine, view: Player, width: usize) -> Vec<String> {
        let mut scored = self.scored(line, view);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.into_iter().take(width).map(|(mv, _)| mv).collect()
    }
}

/// Each of `moves` with the value that `search` finds after it.
pub fn each(
    line: &mut dyn AnyLine,
    moves: Vec<String>,
    mut search: impl FnMut(&mut dyn AnyLine) -> f64,
) -> Vec<(String, f64)> {
    moves
        .into_iter()
        .map(|mv| {
            let value = after(line, &mv, &mut search);
            (mv, value)
        })
        .collect()
}

fn largest(scored: &[(String, f64)]) -> f64 {
    scored.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max)
}

fn smallest(scored: &[(String, f64)]) -> f64 {
    scored.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min)
}

fn mean(scored: &[(String, f64)]) -> f64 {
    scored.iter().map(|(_, value)| value).sum::<f64>() / scored.len() as f64
}

/// Minimax by definition: the root's moves with their values for the side to move.
pub fn minimax(line: &mut dyn AnyLine, judge: &Judge, depth: u32) -> Vec<(String, f64)> {
    let view = line.to_move();
    let moves = line.legal_moves();
    let mut path = vec![line.position()];
    each(line, moves, |next| minimax_value(next, judge, view, depth - 1, 1, &mut path))
}

fn minimax_value(
    line: &mut dyn AnyLine,
    judge: &Judge,
    view: Player,
    depth: u32,
    ply: u32,
    path: &mut Vec<String>,
) -> f64 {
    if let Some(end) = judge.end(line, view, ply) {
        return end;
    }
    // Pylos can return to a position: the first recurrence in the search counts as a draw.
    let here = line.position();
    if line.occurrences() > 0 && path.contains(&here) {
        return 0.0;
    }
    if depth == 0 {
        return judge.eval(line, view);
    }
    path.push(here);
    let moves = line.legal_moves();
    let scored = each(line, moves, |next| minimax_value(next, judge, view, depth - 1, ply + 1, path));
    path.pop();
    if line.to_move() == view { largest(&scored) } else { smallest(&scored) }
}

/// Minimax depth by depth, until a win or a loss is known.
pub fn deepening(line: &mut dyn AnyLine, judge: &Judge, depth: u32) -> Vec<(String, f64)> {
    let mut scored = Vec::new();
    for depth in 1..=depth {
        scored = minimax(line, judge, depth);
        if largest(&scored).abs() > 9e5 {
            break;
        }
    }
    scored
}

/// How the value of an opponent's node follows from its children.
#[derive(Clone, Copy)]
pub enum Replies {
    Worst,
    Mean,
}

/// A beam after each of the root's `moves`: each player keeps the moves that look best to them, as many as `widths` says.
pub fn beam(
    line: &mut dyn AnyLine,
    judge: &Judge,
    moves: Vec<String>,
    widths: &[usize],
    replies: Replies,
) -> Vec<(String, f64)> {
    let view = line.to_move();
    each(line, moves, |next| beam_value(next, judge, view, widths, replies))
}

fn beam_value(line: &mut dyn AnyLine, judge: &Judge, view: Player, widths: &[usize], replies: Replies) -> f64 {
    let Some((&width, rest)) = widths.split_first().filter(|_| line.end().is_none()) else {
        return judge.value(line, view, 0);
    };
    let mover = line.to_move();
    let kept = judge.top(line, mover, width);
    let scored = each(line, kept, |next| beam_value(next, judge, view, rest, replies));
    match replies {
        _ if mover == view => largest(&scored),
        Replies::Worst => smallest(&scored),
        Replies::Mean => mean(&scored),
    }
}

/// The line search of the Pathwayz program after each of the root's `moves`: each player takes the line whose last board is best for
/// them.
pub fn line_search(line: &mut dyn AnyLine, judge: &Judge, moves: Vec<String>, widths: &[usize]) -> Vec<(String, f64)> {
    let mover = line.to_move();
    each(line, moves, |next| line_end(next, judge, widths)[mover.index()])
}

/// The last board of the line, by its values for both players.
fn line_end(line: &mut dyn AnyLine, judge: &Judge, widths: &[usize]) -> [f64; 2] {
    let Some((&width, rest)) = widths.split_first().filter(|_| line.end().is_none()) else {
        return Player::BOTH.map(|player| judge.value(line, player, 0));
    };
    let mover = line.to_move();
    let ends = judge.top(line, mover, width).into_iter().map(|mv| after(line, &mv, |next| line_end(next, judge, rest)));
    // The first of equal lines.
    ends.reduce(|best, end| if end[mover.index()] > best[mover.index()] { end } else { best }).unwrap()
}

/// Expectimax: all own moves, the mean over the `replies` most promising ones for the opponent, or for ourselves.
pub fn expectimax(
    line: &mut dyn AnyLine,
    judge: &Judge,
    depth: u32,
    replies: usize,
    for_root: bool,
) -> Vec<(String, f64)> {
    let view = line.to_move();
    let moves = line.legal_moves();
    each(line, moves, |next| expectimax_value(next, judge, view, depth - 1, replies, for_root))
}

fn expectimax_value(
    line: &mut dyn AnyLine,
    judge: &Judge,
    view: Player,
    depth: u32,
    replies: usize,
    for_root: bool,
) -> f64 {
    if depth == 0 || line.end().is_some() {
        return judge.value(line, view, 0);
    }
    let mover = line.to_move();
    let moves =
        if mover == view { line.legal_moves() } else { judge.top(line, if for_root { view } else { mover }, replies) };
    let scored = each(line, moves, |next| expectimax_value(next, judge, view, depth - 1, replies, for_root));
    if mover == view { largest(&scored) } else { mean(&scored) }
}
