//! `quintet stats`: what counts of games mean.

use std::io::Write;

use anyhow::{Context, Result};
use quintet_arena::stats::{Decision, Pairs, Sprt, Summary, Wdl, two_decimals};
use quintet_game::text::quote;
use serde_json::{Value, json};

use crate::args::SequentialTest;

/// More than anybody will play, and exact as a float.
const MOST: u64 = 1_000_000_000_000;

/// Prints the statistics of single games or of pairs.
pub fn run(
    out: &mut dyn Write,
    wdl: Option<Wdl>,
    pairs: Option<Pairs>,
    test: &SequentialTest,
    json: bool,
) -> Result<()> {
    let games = pairs.map_or(wdl, |pairs| Some(pairs.games())).context("--wdl or --pairs is needed")?;
    let summary = pairs.map_or_else(|| games.summary(), Pairs::summary).context("there are no games")?;
    let sprt = test
        .sprt
        .map(|[elo0, elo1]| Sprt::new(elo0, elo1, test.alpha, test.beta, test.model.model()))
        .transpose()
        .context("--sprt")?;
    if json {
        let mut answer = describe(games, pairs, &summary);
        if let (Some(sprt), Some(claims)) = (sprt, test.sprt) {
            answer["sprt"] = describe_test(&sprt, claims, test, &summary);
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
        return Ok(());
    }
    if let Some(pairs) = pairs {
        writeln!(out, "pairs {}", pairs.n())?;
    }
    writeln!(out, "games {}\nW-D-L {games}", games.n())?;
    writeln!(out, "score {:.2} % {}", 100.0 * summary.score(), summary.interval())?;
    writeln!(out, "Elo {}\nnElo {}", summary.elo(), summary.normalized_elo())?;
    writeln!(out, "LOS {:.2} %", 100.0 * summary.los())?;
    if !summary.has_spread() {
        writeln!(out, "Every result is the same, so the errors rest on the number of games alone.")?;
    }
    if let (Some(sprt), Some([elo0, elo1])) = (sprt, test.sprt) {
        let (lower, upper) = sprt.bounds();
        let [llr, lower, upper, elo0, elo1] = [sprt.llr(&summary), lower, upper, elo0, elo1].map(two_decimals);
        writeln!(out, "LLR {llr} ({lower}, {upper}) [{elo0}, {elo1}]")?;
        let model = test.model.name();
        match sprt.decide(&summary) {
            Decision::AcceptH0 => writeln!(out, "H0 is accepted: {elo0} {model} Elo rather than {elo1}")?,
            Decision::AcceptH1 => writeln!(out, "H1 is accepted: {elo1} {model} Elo rather than {elo0}")?,
            Decision::GoOn => writeln!(out, "go on: neither claim in {model} Elo can be accepted yet")?,
        }
    }
    Ok(())
}

fn describe(games: Wdl, pairs: Option<Pairs>, summary: &Summary) -> Value {
    let (interval, elo, nelo) = (summary.interval(), summary.elo(), summary.normalized_elo());
    let mut answer = json!({
        "games": games.n(),
        "wins": games.wins,
        "draws": games.draws,
        "losses": games.losses,
        "score": summary.score(),
        "score_low": interval.low,
        "score_high": interval.high,
        "elo": elo.value,
        "elo_error": elo.error,
        "nelo": nelo.value,
        "nelo_error": nelo.error,
        "los": summary.los(),
    });
    if let Some(Pairs { ll, ld, wl, dd, wd, ww }) = pairs {
        answer["pairs"] = json!({"LL": ll, "LD": ld, "WL": wl, "DD": dd, "WD": wd, "WW": ww});
    }
    answer
}

fn describe_test(sprt: &Sprt, [elo0, elo1]: [f64; 2], test: &SequentialTest, summary: &Summary) -> Value {
    let (lower, upper) = sprt.bounds();
    json!({
        "model": test.model.name(),
        "elo0": elo0,
        "elo1": elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": sprt.llr(summary),
        "lower": lower,
        "upper": upper,
        "verdict": sprt.decide(summary).to_string(),
    })
}

/// Reads `W,D,L`.
pub fn read_wdl(text: &str) -> Result<Wdl, String> {
    counts(text).map(|[wins, draws, losses]| Wdl { wins, draws, losses })
}

/// Reads `LL,LD,WL,DD,WD,WW`.
pub fn read_pairs(text: &str) -> Result<Pairs, String> {
    counts(text).map(|[ll, ld, wl, dd, wd, ww]| Pairs { ll, ld, wl, dd, wd, ww })
}

/// Reads `ELO0,ELO1`.
pub fn read_claims(text: &str) -> Result<[f64; 2], String> {
    numbers(text, |part| match part.parse() {
        Ok(elo) if f64::abs(elo) <= 10_000.0 => Ok(elo),
        _ => Err(format!("'{}' is not an Elo", quote(part, 80))),
    })
}

fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let counts = numbers(text, |part| match part.parse::<u64>() {
        Ok(count) if count <= MOST => Ok(count),
        _ => Err(format!("'{}' is not a count of games (a whole number from 0 to {MOST})", quote(part, 80))),
    })?;
    if counts == [0; N] { Err("there are no games".into()) } else { Ok(counts) }
}

fn numbers<T, const N: usize>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<[T; N], String> {
    let numbers = text.split(',').map(|part| read(part.trim())).collect::<Result<Vec<T>, String>>()?;
    numbers.try_into().map_err(|numbers: Vec<T>| format!("{N} numbers are needed, not {}", numbers.len()))
}
