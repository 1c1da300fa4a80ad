//! `quintet stats`: statistics of game results.

use std::io::Write;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use quintet_arena::stats::{Decision, Model, Pairs, Sprt, Summary, Wdl, two_decimals};
use quintet_game::text::quote;
use serde_json::{Value, json};

use crate::args::{elo_bounds, numbers};

/// What games came to.
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// Games won, drawn and lost, in this order
    #[arg(long, value_name = "W,D,L", required_unless_present = "pairs", conflicts_with = "pairs", value_parser = read_wdl, allow_hyphen_values = true)]
    pub wdl: Option<Wdl>,
    /// Pairs of games: both lost, lost and drawn, won and lost, both drawn, won and drawn, both won
    #[arg(long, value_name = "LL,LD,WL,DD,WD,WW", value_parser = read_pairs, allow_hyphen_values = true)]
    pub pairs: Option<Pairs>,
    #[command(flatten)]
    pub test: SequentialTest,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A sequential test of two claims about a difference in Elo.
#[derive(Args, Debug)]
pub struct SequentialTest {
    /// Test two claims about the difference, as in 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    pub sprt: Option<[f64; 2]>,
    /// The kind of Elo of the claims
    #[arg(long, default_value = "logistic", requires = "sprt")]
    pub model: EloModel,
    /// The chance to accept H1 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub alpha: f64,
    /// The chance to accept H0 wrongly
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, requires = "sprt", allow_negative_numbers = true)]
    pub beta: f64,
}

/// The kind of Elo of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EloModel {
    /// Of the score
    Logistic,
    /// Of the score in standard deviations of a game
    Normalized,
}

impl EloModel {
    /// The model.
    pub fn model(self) -> Model {
        match self {
            EloModel::Logistic => Model::Logistic,
            EloModel::Normalized => Model::Normalized,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        }
    }
}

/// More than anyone will play, and exact as a float.
const MOST: u64 = 1_000_000_000_000;

/// Prints the statistics of single games or of pairs.
pub fn run(out: &mut dyn Write, args: &StatsArgs) -> Result<()> {
    let StatsArgs { wdl, pairs, test, json } = args;
    let (wdl, pairs) = (*wdl, *pairs);
    let games = pairs.map_or(wdl, |pairs| Some(pairs.games())).context("--wdl or --pairs is needed")?;
    let summary = pairs.map_or_else(|| games.summary(), Pairs::summary).context("there are no games")?;
    let sprt = test
        .sprt
        .map(|[elo0, elo1]| Sprt::new(elo0, elo1, test.alpha, test.beta, test.model.model()))
        .transpose()
        .context("--sprt")?;
    if *json {
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
    writeln!(out, "Elo {}", summary.elo())?;
    if let Some(nelo) = summary.normalized_elo() {
        writeln!(out, "nElo {nelo}")?;
    }
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
        "elo_error": elo.error(),
        "elo_low": elo.low,
        "elo_high": elo.high,
        "nelo": nelo.and_then(|nelo| nelo.value),
        "nelo_error": nelo.and_then(|nelo| nelo.error()),
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
fn read_wdl(text: &str) -> Result<Wdl, String> {
    counts(text).map(|[wins, draws, losses]| Wdl { wins, draws, losses })
}

/// Reads `LL,LD,WL,DD,WD,WW`.
fn read_pairs(text: &str) -> Result<Pairs, String> {
    counts(text).map(|[ll, ld, wl, dd, wd, ww]| Pairs { ll, ld, wl, dd, wd, ww })
}

fn counts<const N: usize>(text: &str) -> Result<[u64; N], String> {
    let counts = numbers(text, |part| match part.parse::<u64>() {
        Ok(count) if count <= MOST => Ok(count),
        _ => Err(format!("'{}' is not a count of games (a whole number from 0 to {MOST})", quote(part, 80))),
    })?;
    if counts == [0; N] { Err("there are no games".into()) } else { Ok(counts) }
}
