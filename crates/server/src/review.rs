//! Games looked at again, move by move as they are judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quintet_agent::{Ply, Seat, review};
use quintet_game::Player;
use quintet_game::record::Record;
use quintet_search::{Limit, Proof};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use crate::answer::seat;
use crate::pool::Signals;
use crate::think::end_after;

/// Who looks at a game when nobody is named.
pub const REVIEWER: &str = "mcts(visits=20000)";

/// A review that was asked for.
pub struct Reviewed {
    /// The game.
    pub record: Record,
    /// Who looks at it.
    pub seat: Box<dyn Seat>,
    /// What they are called.
    pub agent: String,
    /// What they may spend on a move.
    pub limit: Limit,
    /// The longest thought about a move.
    pub longest: Duration,
    /// The longest review.
    pub in_all: Duration,
}

impl Reviewed {
    /// Tells of each move as it is judged, and of the accuracy at the end. It ends early when the signals or `say` say so.
    pub fn run(mut self, signals: &Signals, runtime: &Handle, say: &mut dyn FnMut(Value) -> bool) {
        end_after(signals, runtime, self.in_all);
        let limit = Limit { time: self.limit.time.map(|time| time.min(self.longest)), ..self.limit };
        let limit = Limit { stop: Some(Arc::clone(&signals.stop)), ..limit };
        let at = Arc::new(AtomicUsize::new(0));
        let stopped = || signals.stop.load(Ordering::Relaxed);
        let result = review(&mut *self.seat, &self.agent, &self.record, &limit, &mut |plies, _| {
            if stopped() || plies.last().is_some_and(|ply| !say(json!({ "ply": told(plies.len(), ply) }))) {
                return false;
            }
            cut_off(&at, plies.len(), signals, runtime, self.longest);
            true
        });
        let answer = match result {
            Ok(review) => json!({ "done": {
                "accuracy": Player::BOTH.map(|player| review.accuracy(player)), "plies": review.plies.len(), "stopped": stopped(),
            } }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        say(answer);
    }
}

/// Ends a review that is still at the same move after the longest thought.
fn cut_off(at: &Arc<AtomicUsize>, ply: usize, signals: &Signals, runtime: &Handle, longest: Duration) {
    at.store(ply, Ordering::Relaxed);
    let (at, stop) = (Arc::clone(at), Arc::clone(&signals.stop));
    runtime.spawn(async move {
        tokio::time::sleep(longest).await;
        if at.load(Ordering::Relaxed) == ply {
            stop.store(true, Ordering::Relaxed);
        }
    });
}

/// A move as it is told; moves are counted from 1.
fn told(number: usize, ply: &Ply) -> Value {
    json!({
        "number": number, "player": seat(ply.player), "move": ply.mv, "before": ply.before.score, "draw": ply.before.draw,
        "after": ply.after, "could": ply.could, "loss": ply.loss,
        "class": ply.class.name(), "best": ply.before.best, "line": ply.before.line, "proven": ply.before.proof.map(Proof::name),
    })
}
