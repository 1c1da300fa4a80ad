//! Naive searches on a table: every move is played and taken back, nothing is pruned or remembered.

use quintet_game::{AnyLine, Outcome, Player};

use crate::common::after;

/// What an ended game is worth.
#[derive(Clone, Copy)]
pub enum Ends {
    /// The evaluation alone.
    Value,
    /// The evaluation and this much for a win, as much less for a loss.
    OnTop(f64),
    /// A million less the plies to it for a win, nothing for a draw.
    Quick,
}

/// An evaluation of position texts for a player, and the worth of ended games.
pub struct Judge<'a> {
    pub eval: &'a dyn Fn(&str, Player) -> f64,
    pub ends: Ends,
}

impl Judge<'_> {
    /// The worth of an ended game.
    fn end(&self, table: &dyn AnyLine, view: Player, ply: u32) -> Option<f64> {
        let (outcome, _) = table.end()?;
        let sign = match outcome {
            Outcome::Draw => 0.0,
            Outcome::Win(player) if player == view => 1.0,
            Outcome::Win(_) => -1.0,
        };
        Some(match self.ends {
            Ends::Value => self.eval(table, view),
            Ends::OnTop(utility) => self.eval(table, view) + sign * utility,
            Ends::Quick => sign * (1e6 - f64::from(ply)),
        })
    }

    fn eval(&self, table: &dyn AnyLine, view: Player) -> f64 {
        (self.eval)(&table.position(), view)
    }

    /// The worth of a position as it stands.
    pub fn value(&self, table: &dyn AnyLine, view: Player, ply: u32) -> f64 {
        self.end(table, view, ply).unwrap_or_else(|| self.eval(table, view))
    }

    /// All moves with the worth of what they lead to.
    pub fn scored(&self, table: &mut dyn AnyLine, view: Player) -> Vec<(String, f64)> {
        let moves = table.legal_moves();
        moves
            .into_iter()
            .map(|mv| {
                let value = after(table, &mv, |next| self.value(next, view, 1));
                (mv, value)
            })
            .collect()
    }

    /// The `width` most promising moves for `view`, the best first.
    pub fn top(&self, table: &mut dyn AnyLine, view: Player, width: usize) -> Vec<String> {
        let mut scored = self.scored(table, view);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.into_iter().take(width).map(|(mv, _)| mv).collect()
    }
}

/// Each of `moves` with what `search` finds behind it.
pub fn each(
    table: &mut dyn AnyLine,
    moves: Vec<String>,
    mut search: impl FnMut(&mut dyn AnyLine) -> f64,
) -> Vec<(String, f64)> {
    moves
        .into_iter()
        .map(|mv| {
            let value = after(table, &mv, &mut search);
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
pub fn minimax(table: &mut dyn AnyLine, judge: &Judge, depth: u32) -> Vec<(String, f64)> {
    let view = table.to_move();
    let moves = table.legal_moves();
    let mut path = vec![table.position()];
    each(table, moves, |next| minimax_value(next, judge, view, depth - 1, 1, &mut path))
}

fn minimax_value(
    table: &mut dyn AnyLine,
    judge: &Judge,
    view: Player,
    depth: u32,
    ply: u32,
    path: &mut Vec<String>,
) -> f64 {
    if let Some(end) = judge.end(table, view, ply) {
        return end;
    }
    // Pylos can come back to a position: once on the way is enough to call it a draw.
    let here = table.position();
    if table.occurrences() > 0 && path.contains(&here) {
        return 0.0;
    }
    if depth == 0 {
        return judge.eval(table, view);
    }
    path.push(here);
    let moves = table.legal_moves();
    let scored = each(table, moves, |next| minimax_value(next, judge, view, depth - 1, ply + 1, path));
    path.pop();
    if table.to_move() == view { largest(&scored) } else { smallest(&scored) }
}

/// Minimax depth by depth, until a win or a loss is known.
pub fn deepening(table: &mut dyn AnyLine, judge: &Judge, depth: u32) -> Vec<(String, f64)> {
    let mut scored = Vec::new();
    for depth in 1..=depth {
        scored = minimax(table, judge, depth);
        if largest(&scored).abs() > 9e5 {
            break;
        }
    }
    scored
}

/// What a node of the opponent's is worth.
#[derive(Clone, Copy)]
pub enum Replies {
    Worst,
    Mean,
}

/// A beam behind each of the root's `moves`: each player keeps the moves that look best to himself, as many as `widths` says.
pub fn beam(
    table: &mut dyn AnyLine,
    judge: &Judge,
    moves: Vec<String>,
    widths: &[usize],
    replies: Replies,
) -> Vec<(String, f64)> {
    let view = table.to_move();
    each(table, moves, |next| beam_value(next, judge, view, widths, replies))
}

fn beam_value(table: &mut dyn AnyLine, judge: &Judge, view: Player, widths: &[usize], replies: Replies) -> f64 {
    let Some((&width, rest)) = widths.split_first().filter(|_| table.end().is_none()) else {
        return judge.value(table, view, 0);
    };
    let mover = table.to_move();
    let kept = judge.top(table, mover, width);
    let scored = each(table, kept, |next| beam_value(next, judge, view, rest, replies));
    match replies {
        _ if mover == view => largest(&scored),
        Replies::Worst => smallest(&scored),
        Replies::Mean => mean(&scored),
    }
}

/// The line search of the Pathwayz program behind each of the root's `moves`: each player takes the line whose last board he likes best.
pub fn line(table: &mut dyn AnyLine, judge: &Judge, moves: Vec<String>, widths: &[usize]) -> Vec<(String, f64)> {
    let mover = table.to_move();
    each(table, moves, |next| line_end(next, judge, widths)[mover.index()])
}

/// The last board of the line, by its values for both players.
fn line_end(table: &mut dyn AnyLine, judge: &Judge, widths: &[usize]) -> [f64; 2] {
    let Some((&width, rest)) = widths.split_first().filter(|_| table.end().is_none()) else {
        return Player::BOTH.map(|player| judge.value(table, player, 0));
    };
    let mover = table.to_move();
    let ends =
        judge.top(table, mover, width).into_iter().map(|mv| after(table, &mv, |next| line_end(next, judge, rest)));
    // The first of equal lines.
    ends.reduce(|best, end| if end[mover.index()] > best[mover.index()] { end } else { best }).unwrap()
}

/// Expectimax: all own moves, the mean over the `replies` most promising ones for the opponent, or for ourselves.
pub fn expectimax(
    table: &mut dyn AnyLine,
    judge: &Judge,
    depth: u32,
    replies: usize,
    for_root: bool,
) -> Vec<(String, f64)> {
    let view = table.to_move();
    let moves = table.legal_moves();
    each(table, moves, |next| expectimax_value(next, judge, view, depth - 1, replies, for_root))
}

fn expectimax_value(
    table: &mut dyn AnyLine,
    judge: &Judge,
    view: Player,
    depth: u32,
    replies: usize,
    for_root: bool,
) -> f64 {
    if depth == 0 || table.end().is_some() {
        return judge.value(table, view, 0);
    }
    let mover = table.to_move();
    let moves = if mover == view {
        table.legal_moves()
    } else {
        judge.top(table, if for_root { view } else { mover }, replies)
    };
    let scored = each(table, moves, |next| expectimax_value(next, judge, view, depth - 1, replies, for_root));
    if mover == view { largest(&scored) } else { mean(&scored) }
}
