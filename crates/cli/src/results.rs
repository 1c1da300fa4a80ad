//! The results of a run: for people, for programs, and as a line of progress.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use quintet_arena::stats::{Decision, elo_is_meaningful};
use quintet_arena::{Length, Results};
use quintet_game::clock::ClockKind;
use serde_json::json;

/// The resources that a run took.
pub struct Load {
    pub wall: Duration,
    pub cpu: Duration,
    /// None where workers of a cluster have played.
    pub threads: Option<usize>,
}

/// How it stands, in a few words.
pub fn standing(results: &Results) -> String {
    match results.plan.pairings().as_slice() {
        [[a, b]] => {
            let wdl = results.wdl(*a, *b);
            format!("W {} D {} L {}: {}", wdl.wins, wdl.draws, wdl.losses, wdl.percent())
        }
        _ => {
            let players = 0..results.plan.players.len();
            let score = |player: usize| results.total(player).summary().map_or(0.0, |summary| summary.score());
            let best = players.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(0);
            format!("ahead: {} {}", results.plan.players[best].name, results.total(best).percent())
        }
    }
}

/// The result for people.
pub fn print(out: &mut dyn Write, run: i64, results: &Results, load: &Load) -> Result<()> {
    let plan = &results.plan;
    writeln!(
        out,
        "{}, {} games, {}, {}, seed {}",
        plan.game,
        results.games.len(),
        openings(results),
        budget(results),
        plan.seed
    )?;
    match plan.pairings().as_slice() {
        [[a, b]] => duel(out, results, *a, *b)?,
        _ => many(out, results)?,
    }
    writeln!(out, "\nfirst seat {}", results.first_seat().percent())?;
    let repeats = results.redundancy();
    writeln!(out, "redundancy {:.1} % of {} positions", 100.0 * repeats.share(), repeats.total)?;
    let endings = results.endings();
    if !endings.is_empty() {
        let endings: Vec<String> = endings.into_iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(out, "endings besides the board: {}", endings.join(", "))?;
    }
    costs(out, results, load)?;
    writeln!(out, "run {run}: `quintet records export --run {run}` gives its games")?;
    Ok(())
}

fn openings(results: &Results) -> String {
    match (results.plan.opening_plies, results.plan.even) {
        (0, _) => "no random opening".into(),
        (plies, false) => format!("openings of {plies} random plies, colours swapped"),
        (plies, true) => format!("even openings of {plies} random plies, colours swapped"),
    }
}

fn budget(results: &Results) -> String {
    let budget = &results.plan.budget;
    let parts: Vec<String> = [
        budget.time.map(|time| match results.plan.clock {
            ClockKind::Wall => format!("{} ms", time.as_millis()),
            ClockKind::Cpu => format!("{} ms of processor time", time.as_millis()),
        }),
        budget.nodes.map(|nodes| format!("{nodes} nodes")),
        budget.depth.map(|depth| format!("depth {depth}")),
        budget.visits.map(|visits| format!("{visits} visits")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "each agent's own limits".into() } else { format!("{} per move", parts.join(", ")) }
}

/// Games that were lost by faults, player by player, with the last fault of each.
fn forfeits(out: &mut dyn Write, results: &Results) -> Result<()> {
    for (number, player) in results.plan.players.iter().enumerate() {
        let forfeits = results.forfeits();
        let own = forfeits.iter().filter(|((loser, _), _)| *loser == number);
        let parts: Vec<String> =
            own.clone().map(|((_, reason), count)| format!("{} {count}", reason.fault())).collect();
        let total: u64 = own.map(|(_, count)| count).sum();
        if total == 0 {
            continue;
        }
        let all = results.total(number).n();
        writeln!(out, "{} forfeited {total} of {all} games, which count as lost: {}", player.name, parts.join(", "))?;
        let mut last = results.games.iter().rev().filter(|played| played.forfeiters().any(|loser| loser == number));
        if let Some(fault) = last.find_map(|played| played.fault.as_deref()) {
            writeln!(out, "  the last: {fault}")?;
        }
    }
    Ok(())
}

fn duel(out: &mut dyn Write, results: &Results, a: usize, b: usize) -> Result<()> {
    let [one, two] = [a, b].map(|player| results.plan.players[player].name.as_str());
    let wdl = results.wdl(a, b);
    writeln!(out, "{one} v {two}: W {} D {} L {}", wdl.wins, wdl.draws, wdl.losses)?;
    let board = results.on_board(a, b);
    if board != wdl {
        writeln!(out, "on the board: W {} D {} L {}", board.wins, board.draws, board.losses)?;
        forfeits(out, results)?;
    }
    writeln!(out, "score {}", wdl.percent())?;
    let pairs = results.pairs(a, b);
    writeln!(
        out,
        "pairs LL {} LD {} WL {} DD {} WD {} WW {}",
        pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww
    )?;
    if results.is_all_forfeits() {
        writeln!(out, "No Elo: no game was decided on the board.")?;
        return Ok(());
    }
    if !elo_is_meaningful(results.redundancy()) {
        writeln!(
            out,
            "No Elo: the players repeat their games, so that the results mean little. Random openings help: --openings 2."
        )?;
        return Ok(());
    }
    // Pairs are the unit: the two games of one opening are not independent evidence.
    let Some(summary) = pairs.summary().or_else(|| wdl.summary()) else { return Ok(()) };
    writeln!(out, "Elo {}", summary.elo())?;
    if let Some(nelo) = summary.normalized_elo() {
        writeln!(out, "nElo {nelo}")?;
    }
    writeln!(out, "LOS {:.2} %", 100.0 * summary.los())?;
    if let (Length::Sprt { elo0, elo1, .. }, Ok(Some(test))) = (results.plan.length, results.plan.test()) {
        let (low, high) = test.bounds();
        let verdict = match test.decide(&summary) {
            Decision::AcceptH0 => format!("accepted: no better than {elo0} Elo"),
            Decision::AcceptH1 => format!("accepted: better by {elo1} Elo"),
            Decision::GoOn => "undecided".into(),
        };
        writeln!(out, "LLR {:.2} ({low:.2}, {high:.2}) [{elo0:.2}, {elo1:.2}] {verdict}", test.llr(&summary))?;
    }
    Ok(())
}

/// A cross table, the best player first, with ratings.
fn many(out: &mut dyn Write, results: &Results) -> Result<()> {
    forfeits(out, results)?;
    let players = &results.plan.players;
    let ratings = elo_is_meaningful(results.redundancy()).then(|| results.ratings());
    let mut order: Vec<usize> = (0..players.len()).collect();
    let score = |player: usize| results.total(player).summary().map_or(0.0, |summary| summary.score());
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let numbers = (1..=order.len()).map(|number| number.to_string());
    table.set_header(["".into(), "player".into(), "score".into(), "Elo".into()].into_iter().chain(numbers));
    for (place, player) in order.iter().enumerate() {
        let elo = match ratings.as_ref().map(|ratings| ratings.players[*player]) {
            Some(Some(rating)) if *player == results.plan.anchor => format!("{:.0} (anchor)", rating.elo),
            Some(Some(rating)) => format!("{:.0} +- {:.0}", rating.elo, rating.error),
            _ => "-".into(),
        };
        let against = |other: &usize| {
            let wdl = results.wdl(*player, *other);
            if wdl.n() == 0 { String::new() } else { format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses) }
        };
        let head = [(place + 1).to_string(), players[*player].name.clone(), results.total(*player).percent(), elo];
        table.add_row(head.into_iter().chain(order.iter().map(against)));
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{table}\n\nW-D-L of the row against the column; scores and Elo with 95 % intervals.")?;
    if ratings.is_none() {
        writeln!(out, "No Elo: the players repeat their games. Random openings help: openings = 2.")?;
    }
    Ok(())
}

fn costs(out: &mut dyn Write, results: &Results, load: &Load) -> Result<()> {
    let games = results.games.len().max(1) as f64;
    let plies: usize = results.games.iter().map(|played| played.plies).sum();
    let hands = match load.threads {
        Some(threads) => format!("{threads} threads"),
        None => format!("{} workers", workers(results).len()),
    };
    let seconds = load.wall.as_secs_f64();
    write!(out, "{:.1} plies per game, {seconds:.1} s in all on {hands}", plies as f64 / games)?;
    if let Some(threads) = load.threads.filter(|_| results.plan.budget.time.is_some()) {
        let overruns: u32 = results.games.iter().map(|played| played.cost.overruns).sum();
        let worst = results.games.iter().map(|played| played.cost.worst_overrun_ms).fold(0.0, f64::max);
        let share = load.cpu.as_secs_f64() / (seconds * threads as f64).max(1e-9);
        write!(out, "; {overruns} moves over time, by at most {worst:.1} ms; CPU {:.0} % of the clock", 100.0 * share)?;
        if share < 0.9 && results.plan.clock == ClockKind::Wall {
            write!(out, " (something else used the processor: times are unreliable)")?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// The workers that have played.
fn workers(results: &Results) -> BTreeSet<&str> {
    results.games.iter().filter_map(|played| played.worker.as_deref()).collect()
}

/// The result for programs.
pub fn json(out: &mut dyn Write, run: i64, results: &Results, load: &Load) -> Result<()> {
    let mut report = results.summary();
    report["run"] = json!(run);
    report["seconds"] = json!(load.wall.as_secs_f64());
    report["cpu_seconds"] = json!(load.cpu.as_secs_f64());
    report["threads"] = json!(load.threads);
    if load.threads.is_none() {
        report["workers"] = json!(workers(results));
    }
    writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    Ok(())
}
