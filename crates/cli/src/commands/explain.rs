//! `quintet explain`: an evaluation term by term.

use std::io::{self, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use quintet_api::jsonl::{self, Object, Refusal, whole};
use quintet_eval::{Explanation, Spec, WeightStore, evaluations};
use quintet_game::{GameSpec, Player};

use crate::args::History;
use crate::{position, screen};

/// Which position is evaluated, and how.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The game
    #[arg(value_name = "SPEC", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    pub spec: Option<GameSpec>,
    /// The evaluation, as in difference or 'e3(a=2)'
    #[arg(long, value_name = "NAME", conflicts_with = "jsonl")]
    pub eval: Option<String>,
    /// Whose view (default: the side to move)
    #[arg(long = "for", value_name = "PLAYER", conflicts_with = "jsonl")]
    pub view: Option<View>,
    #[command(flatten)]
    pub history: History,
    /// Print JSON
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Answer JSON lines from standard input
    #[arg(long)]
    pub jsonl: bool,
}

/// The view of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// The player who moves first
    First,
    /// The player who moves second
    Second,
}

impl View {
    /// The player.
    pub fn player(self) -> Player {
        match self {
            View::First => Player::First,
            View::Second => Player::Second,
        }
    }
}

/// Rows of a net's policy.
const BEST: usize = 8;

/// Explains one position, or those that standard input asks about.
pub fn run(out: &mut dyn Write, store: &WeightStore, args: &ExplainArgs) -> Result<()> {
    if args.jsonl {
        return crate::jsonl::serve(&mut io::stdin().lock(), out, |line| answer(store, line));
    }
    one(out, store, args.spec.expect("clap demands a spec without --jsonl"), args)
}

/// Explains one position to a person.
fn one(out: &mut dyn Write, store: &WeightStore, spec: GameSpec, args: &ExplainArgs) -> Result<()> {
    let Some(eval) = &args.eval else { return list(out, store, spec) };
    let (line, view) = (position::line(spec, &args.history)?, args.view.map(View::player));
    let explanation = quintet_eval::explain(&spec, &line.position(), &Spec::parse(eval)?, view, store)?;
    if args.json {
        writeln!(out, "{{{}}}", body(&explanation))?;
        return Ok(());
    }
    writeln!(out, "{eval} for {}: {}", screen::side(line.as_ref(), explanation.view), round(explanation.value))?;
    let mut rows = Table::new();
    rows.load_style(presets::NOTHING).set_header(["term", "value", "weight", "value x weight"]);
    for term in &explanation.terms {
        if term.value != 0.0 {
            rows.add_row([term.name.clone(), round(term.value), round(term.weight), round(term.value * term.weight)]);
        }
    }
    for column in 1..4 {
        if let Some(column) = rows.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(out, "{rows}")?;
    let zero = explanation.terms.iter().filter(|term| term.value == 0.0).count();
    if zero > 0 {
        writeln!(out, "({zero} terms are zero)")?;
    }
    if !explanation.policy.is_empty() {
        let mut rows = Table::new();
        rows.load_style(presets::NOTHING).set_header(["move", "share"]);
        for (mv, share) in explanation.policy.iter().take(BEST) {
            rows.add_row([mv.clone(), format!("{:.1} %", 100.0 * share)]);
        }
        if let Some(column) = rows.column_mut(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let side = screen::side(line.as_ref(), line.to_move());
        writeln!(out, "\npolicy for {side}, {} moves:\n{rows}", explanation.policy.len())?;
    }
    Ok(())
}

/// Nets, which are evaluations of the games that have one.
const NETS: [(&str, &str); 2] = [
    ("net", "a trained net: chances and policy, for the search puct"),
    ("tiny", "a tiny trained net, fast enough for alpha-beta"),
];

fn list(out: &mut dyn Write, store: &WeightStore, spec: GameSpec) -> Result<()> {
    writeln!(out, "Evaluations of {}:", spec.info().title)?;
    for info in evaluations(&spec) {
        writeln!(out, "  {:<14} {}", info.name, info.about)?;
    }
    for (name, about) in NETS {
        if store.checksums(&Spec::parse(name)?, spec.info().name).is_ok() {
            writeln!(out, "  {name:<14} {about}")?;
        }
    }
    writeln!(out, "\nquintet explain '{spec}' --eval NAME explains a position by one of them.")?;
    Ok(())
}

/// At most four decimals, no trailing zeros.
fn round(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Answers any line of `quintet explain --jsonl`.
fn answer(store: &WeightStore, line: &[u8]) -> String {
    jsonl::answer(line, |object| explain(store, object).map(|explanation| body(&explanation)))
}

fn explain(store: &WeightStore, object: &Object) -> Result<Explanation, Refusal> {
    object.check_keys(&["id", "game", "position", "moves", "eval", "for"]).map_err(whole)?;
    let spec = object.spec().map_err(whole)?;
    let eval =
        Spec::parse(&object.needed("eval", "the evaluation, as in \"difference\"").map_err(whole)?).map_err(whole)?;
    let view = match object.text("for").map_err(whole)?.as_deref() {
        None => None,
        Some(name) => Some(name.parse().map_err(|_| whole("\"for\" must be first or second."))?),
    };
    let line = jsonl::game(object, &spec, |_| {})?;
    quintet_eval::explain(&spec, &line.position(), &eval, view, store).map_err(whole)
}

/// `"value":…,"terms":{…},"weights":{…}`, the terms in their own order; for a net also `"policy":{…}`, the largest share first.
fn body(explanation: &Explanation) -> String {
    let object = |number: &dyn Fn(&quintet_eval::Term) -> f64| -> String {
        let fields = explanation
            .terms
            .iter()
            .map(|term| format!("{}:{}", serde_json::json!(term.name), serde_json::json!(number(term))));
        fields.collect::<Vec<_>>().join(",")
    };
    let policy: Vec<String> = explanation
        .policy
        .iter()
        .map(|(mv, share)| format!("{}:{}", serde_json::json!(mv), serde_json::json!(share)))
        .collect();
    let policy = if policy.is_empty() { String::new() } else { format!(",\"policy\":{{{}}}", policy.join(",")) };
    format!(
        "\"value\":{},\"terms\":{{{}}},\"weights\":{{{}}}{policy}",
        serde_json::json!(explanation.value),
        object(&|term| term.value),
        object(&|term| term.weight)
    )
}
