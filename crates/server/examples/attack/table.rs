//! What came of the attacks, as a table and as JSON.

use serde_json::{Value, json};

use crate::visitor::Seen;

/// How many reasons of losses are kept for each attack.
const REASONS: usize = 8;

/// What came of one attack.
#[derive(Default)]
pub struct Outcome {
    tried: u64,
    held: u64,
    /// Why something was lost, and how often.
    reasons: Vec<(String, u64)>,
    /// Figures besides, as sentences.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Counts one thing that was tried, and whether the server held.
    pub fn count(&mut self, held: bool, why: impl FnOnce() -> String) {
        self.tried += 1;
        self.held += u64::from(held);
        if held {
            return;
        }
        let why = why();
        if let Some((_, times)) = self.reasons.iter_mut().find(|(known, _)| *known == why) {
            *times += 1;
        } else if self.reasons.len() < REASONS {
            self.reasons.push((why, 1));
        }
    }

    /// Counts something that must be so.
    pub fn must(&mut self, result: crate::Result<()>) {
        let why = result.as_ref().err().map(ToString::to_string).unwrap_or_default();
        self.count(result.is_ok(), || why);
    }
}

/// A row of the table.
pub struct Row {
    /// The attack.
    pub name: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// What the visitor saw, where there was one.
    pub seen: Option<Seen>,
    /// Seconds that it took.
    pub seconds: f64,
}

impl Row {
    /// How much was lost.
    pub fn lost(&self) -> u64 {
        self.outcome.tried - self.outcome.held
    }

    /// The head of the table.
    pub fn head() -> String {
        "| attack | tried | held | lost | p50 ms | p99 ms | max ms | MiB | s |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |".into()
    }

    /// The row as Markdown, as docs/security.md has it.
    pub fn line(&self) -> String {
        let figure = |number: Option<f64>| {
            number.filter(|number| number.is_finite()).map_or("–".into(), |number| format!("{number:.0}"))
        };
        let latency = |share: f64| figure(self.seen.as_ref().map(|seen| seen.latency(share)));
        let memory = figure(self.seen.as_ref().map(Seen::memory));
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {memory} | {:.0} |",
            self.name,
            self.outcome.tried,
            self.outcome.held,
            self.lost(),
            latency(0.5),
            latency(0.99),
            latency(1.0),
            self.seconds
        )
    }

    /// What was lost and why, and the other figures.
    pub fn remarks(&self) -> Vec<String> {
        let lost = self.outcome.reasons.iter().map(|(reason, times)| format!("  LOST {times} times: {reason}"));
        lost.chain(self.outcome.notes.iter().map(|note| format!("  {note}"))).collect()
    }

    /// The row as JSON.
    pub fn json(&self) -> Value {
        let seen = self.seen.as_ref();
        let latency = |share: f64| seen.map(|seen| seen.latency(share));
        json!({
            "attack": self.name, "tried": self.outcome.tried, "held": self.outcome.held, "lost": self.lost(),
            "p50_ms": latency(0.5), "p99_ms": latency(0.99), "max_ms": latency(1.0), "requests": seen.map(|seen| seen.looks.len()),
            "memory_mib": seen.map(Seen::memory), "seconds": self.seconds, "reasons": self.outcome.reasons, "notes": self.outcome.notes,
        })
    }
}
