//! What a run came to: for people, for programs, and in a line while it goes on.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use quintet_arena::stats::{CrossTable, Decision, Ratings, Wdl, elo_is_meaningful};
use quintet_arena::{Length, Results};
use serde_json::{Value, json};

/// What a run took of the machine.
pub struct Load {
    pub wall: Duration,
    pub cpu: Duration,
    pub threads: usize,
}

/// `61.5 % (53.3-69.7)`.
pub fn percent(wdl: Wdl) -> String {
    match wdl.summary() {
        None => "no games".into(),
        Some(summary) => {
            let interval = summary.interval();
            format!("{:.1} % ({:.1}-{:.1})", 100.0 * summary.score(), 100.0 * interval.low, 100.0 * interval.high)
        }
    }
}

/// How it stands, in a few words.
pub fn standing(results: &Results) -> String {
    match results.plan.pairings().as_slice() {
        [[a, b]] => {
            let wdl = results.wdl(*a, *b);
            format!("W {} D {} L {}: {}", wdl.wins, wdl.draws, wdl.losses, percent(wdl))
        }
        _ => {
            let players = 0..results.plan.players.len();
            let score = |player: usize| results.total(player).summary().map_or(0.0, |summary| summary.score());
            let best = players.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(0);
            format!("ahead: {} {}", results.plan.players[best].name, percent(results.total(best)))
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
    writeln!(out, "\nfirst seat {}", percent(results.first_seat()))?;
    let repeats = results.redundancy();
    writeln!(out, "redundancy {:.1} % of {} positions", 100.0 * repeats.share(), repeats.total)?;
    for ((player, reason), count) in results.forfeits() {
        writeln!(out, "{} lost {count} by {reason}", plan.players[player].name)?;
    }
    costs(out, results, load)?;
    writeln!(out, "run {run}: `quintet records export --run {run}` gives its games")?;
    Ok(())
}

fn openings(results: &Results) -> String {
    match results.plan.opening_plies {
        0 => "no random opening".into(),
        plies => format!("openings of {plies} random plies, colours swapped"),
    }
}

fn budget(results: &Results) -> String {
    let budget = &results.plan.budget;
    let parts: Vec<String> = [
        budget.time_ms.map(|ms| format!("{ms} ms")),
        budget.nodes.map(|nodes| format!("{nodes} nodes")),
        budget.depth.map(|depth| format!("depth {depth}")),
        budget.visits.map(|visits| format!("{visits} visits")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "each agent's own limits".into() } else { format!("{} a move", parts.join(", ")) }
}

fn duel(out: &mut dyn Write, results: &Results, a: usize, b: usize) -> Result<()> {
    let [one, two] = [a, b].map(|player| results.plan.players[player].name.as_str());
    let wdl = results.wdl(a, b);
    writeln!(out, "{one} v {two}: W {} D {} L {}", wdl.wins, wdl.draws, wdl.losses)?;
    writeln!(out, "score {}", percent(wdl))?;
    let pairs = results.pairs(a, b);
    writeln!(
        out,
        "pairs LL {} LD {} WL {} DD {} WD {} WW {}",
        pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww
    )?;
    if !elo_is_meaningful(results.redundancy()) {
        writeln!(
            out,
            "No Elo: the players repeat their games, so that these say little. Random openings help: --openings 2."
        )?;
        return Ok(());
    }
    // Pairs are the unit: the two games of one opening are no independent evidence.
    let Some(summary) = pairs.summary().or_else(|| wdl.summary()) else { return Ok(()) };
    writeln!(out, "Elo {}", summary.elo())?;
    writeln!(out, "nElo {}", summary.normalized_elo())?;
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

fn ratings(results: &Results) -> Ratings {
    let mut games = CrossTable::new(results.plan.players.len());
    for [a, b] in results.plan.pairings() {
        games.record(a, b, results.wdl(a, b));
    }
    games.rate(results.plan.anchor, 0.0)
}

/// A cross table, the best player first, with ratings.
fn many(out: &mut dyn Write, results: &Results) -> Result<()> {
    let players = &results.plan.players;
    let ratings = elo_is_meaningful(results.redundancy()).then(|| ratings(results));
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
        let head = [(place + 1).to_string(), players[*player].name.clone(), percent(results.total(*player)), elo];
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
    write!(
        out,
        "{:.1} plies a game, {:.1} s in all on {} threads",
        plies as f64 / games,
        load.wall.as_secs_f64(),
        load.threads
    )?;
    if results.plan.budget.time_ms.is_some() {
        let overruns: u32 = results.games.iter().map(|played| played.cost.overruns).sum();
        let worst = results.games.iter().map(|played| played.cost.worst_overrun_ms).fold(0.0, f64::max);
        let share = load.cpu.as_secs_f64() / (load.wall.as_secs_f64() * load.threads as f64).max(1e-9);
        write!(out, "; {overruns} moves over time, at most by {worst:.1} ms; CPU {:.0} % of the clock", 100.0 * share)?;
        if share < 0.9 {
            write!(out, " (something else took the processor: times are not to be trusted)")?;
        }
    }
    writeln!(out)?;
    Ok(())
}

fn wdl_json(wdl: Wdl) -> Value {
    let summary = wdl.summary();
    json!({
        "wins": wdl.wins, "draws": wdl.draws, "losses": wdl.losses,
        "score": summary.map(|summary| summary.score()),
        "interval": summary.map(|summary| [summary.interval().low, summary.interval().high]),
    })
}

/// The result for programs.
pub fn json(out: &mut dyn Write, run: i64, results: &Results, load: &Load) -> Result<()> {
    let plan = &results.plan;
    let meaningful = elo_is_meaningful(results.redundancy());
    let pairings: Vec<Value> = plan
        .pairings()
        .into_iter()
        .map(|[a, b]| {
            let pairs = results.pairs(a, b);
            let summary = pairs.summary().or_else(|| results.wdl(a, b).summary()).filter(|_| meaningful);
            let finite = |value: f64| value.is_finite().then_some(value);
            let sprt = plan.test().ok().flatten().zip(summary).map(|(test, summary)| {
                json!({"llr": finite(test.llr(&summary)), "bounds": test.bounds(), "decision": test.decide(&summary).to_string()})
            });
            json!({
                "players": [plan.players[a].name, plan.players[b].name],
                "wdl": wdl_json(results.wdl(a, b)),
                "pairs": {"ll": pairs.ll, "ld": pairs.ld, "wl": pairs.wl, "dd": pairs.dd, "wd": pairs.wd, "ww": pairs.ww},
                "elo": summary.and_then(|summary| finite(summary.elo().value)),
                "elo_error": summary.and_then(|summary| finite(summary.elo().error)),
                "nelo": summary.and_then(|summary| finite(summary.normalized_elo().value)),
                "nelo_error": summary.and_then(|summary| finite(summary.normalized_elo().error)),
                "los": summary.map(|summary| summary.los()),
                "sprt": sprt,
            })
        })
        .collect();
    let ratings = meaningful.then(|| ratings(results));
    let players: Vec<Value> = plan
        .players
        .iter()
        .enumerate()
        .map(|(number, player)| {
            let rating = ratings.as_ref().and_then(|ratings| ratings.players[number]);
            json!({
                "name": player.name, "agent": player.agent, "total": wdl_json(results.total(number)),
                "rating": rating.map(|rating| rating.elo), "rating_error": rating.map(|rating| rating.error),
            })
        })
        .collect();
    let forfeits: Vec<Value> = results
        .forfeits()
        .into_iter()
        .map(|((player, reason), count)| json!({"player": plan.players[player].name, "reason": reason, "count": count}))
        .collect();
    let overruns: u32 = results.games.iter().map(|played| played.cost.overruns).sum();
    let report = json!({
        "run": run, "plan": plan, "games": results.games.len(), "players": players, "pairings": pairings,
        "first_seat": wdl_json(results.first_seat()), "redundancy": results.redundancy().share(), "forfeits": forfeits,
        "overruns": overruns, "seconds": load.wall.as_secs_f64(), "cpu_seconds": load.cpu.as_secs_f64(), "threads": load.threads,
    });
    writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    Ok(())
}
