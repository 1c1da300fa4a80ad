//! Searches with live progress.

use anyhow::Result;
use quintet_agent::{Catalogue, Seat};
use quintet_game::{AnyLine, GameSpec, Limit, Stop};
use quintet_search::{Choice, Report};

use crate::screen;

/// Who is asked for advice, with the agent's name: the named agent alone, or else provers and the game's strongest agent.
pub fn adviser(agents: &Catalogue, spec: &GameSpec, agent: Option<&str>, seed: u64) -> Result<(String, Box<dyn Seat>)> {
    Ok(match agent {
        Some(agent) => (agent.to_owned(), agents.seat(spec, agent, seed)?),
        None => (agents.strongest(spec), Box::new(agents.adviser(spec, None, seed)?)),
    })
}

/// Lets an agent think with a progress line on the terminal. Returns its choice and its last report.
pub fn think_aloud(
    agent: &mut dyn Seat,
    line: &dyn AnyLine,
    limit: &Limit,
) -> Result<(Choice<String>, Option<Report<String>>)> {
    let spinner = screen::spinner();
    let mut last = None;
    let choice = agent.think(line, limit, &Stop::never(), &mut |report| {
        spinner.set_message(summary(report));
        last = Some(report.clone());
    })?;
    spinner.finish_and_clear();
    Ok((choice, last))
}

fn summary(report: &Report<String>) -> String {
    let rate = report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9);
    let line: Vec<&str> = report.line.iter().take(8).map(String::as_str).collect();
    format!(
        "depth {} nodes {} ({rate:.0}/s) value {:.3} {}",
        report.depth,
        report.nodes,
        report.value.unwrap_or(0.0),
        line.join(" ")
    )
}

/// `1 ply`, `2 plies`.
pub fn counted(plies: u32) -> String {
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}
