//! Agents that think while somebody waits.

use anyhow::Result;
use quintet_agent::{Progress, Seat, Thought};
use quintet_game::Table;
use quintet_search::Limit;

use crate::screen;

/// Lets an agent think with a live line on the terminal; its choice and its last report.
pub fn think_aloud(agent: &mut dyn Seat, table: &dyn Table, limit: &Limit) -> Result<(Thought, Option<Progress>)> {
    let line = screen::spinner();
    let mut last = None;
    let thought = agent.think(table.begun_from().as_deref(), &table.moves(), limit, &mut |progress| {
        line.set_message(summary(progress));
        last = Some(progress.clone());
    })?;
    line.finish_and_clear();
    Ok((thought, last))
}

fn summary(progress: &Progress) -> String {
    let rate = progress.nodes as f64 / progress.elapsed.as_secs_f64().max(1e-9);
    let line: Vec<&str> = progress.line.iter().take(8).map(String::as_str).collect();
    format!(
        "depth {} nodes {} ({rate:.0}/s) value {:.3} {}",
        progress.depth,
        progress.nodes,
        progress.value,
        line.join(" ")
    )
}

/// `1 ply`, `2 plies`.
pub fn counted(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}
