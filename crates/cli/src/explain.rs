//! `quintet explain`: an evaluation term by term.

use std::io::Write;

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use quintet_api::jsonl::{self, Object, Refusal, whole};
use quintet_eval::{Call, Explanation, Shelf, evaluations};
use quintet_game::GameSpec;

use crate::args::{History, View};
use crate::{position, screen};

/// Explains one position to a person.
pub fn one(
    out: &mut dyn Write,
    shelf: &Shelf,
    spec: GameSpec,
    eval: Option<&str>,
    view: Option<View>,
    history: &History,
    json: bool,
) -> Result<()> {
    let Some(eval) = eval else { return list(out, spec) };
    let table = position::table(spec, history)?;
    let explanation =
        quintet_eval::explain(&spec, &table.position(), &Call::parse(eval)?, view.map(View::player), shelf)?;
    if json {
        writeln!(out, "{{{}}}", body(&explanation))?;
        return Ok(());
    }
    writeln!(out, "{eval} for {}: {}", screen::side(table.as_ref(), explanation.view), round(explanation.value))?;
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
    Ok(())
}

fn list(out: &mut dyn Write, spec: GameSpec) -> Result<()> {
    writeln!(out, "Evaluations of {}:", spec.info().title)?;
    for info in evaluations(&spec) {
        writeln!(out, "  {:<14} {}", info.name, info.about)?;
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

/// Answers one line of `quintet explain --jsonl`, whatever it holds.
pub fn answer(shelf: &Shelf, line: &[u8]) -> String {
    jsonl::answer(line, |object| explain(shelf, object).map(|explanation| body(&explanation)))
}

fn explain(shelf: &Shelf, object: &Object) -> Result<Explanation, Refusal> {
    object.check_keys(&["id", "game", "position", "moves", "eval", "for"]).map_err(whole)?;
    let spec = object.spec().map_err(whole)?;
    let call =
        Call::parse(&object.needed("eval", "the evaluation, as in \"difference\"").map_err(whole)?).map_err(whole)?;
    let view = match object.text("for").map_err(whole)?.as_deref() {
        None => None,
        Some(name) => Some(name.parse().map_err(|_| whole("\"for\" is first or second."))?),
    };
    let table = jsonl::table(object, &spec, |_| {})?;
    quintet_eval::explain(&spec, &table.position(), &call, view, shelf).map_err(whole)
}

/// `"value":…,"terms":{…},"weights":{…}`, the terms in their own order.
fn body(explanation: &Explanation) -> String {
    let object = |number: &dyn Fn(&quintet_eval::Term) -> f64| -> String {
        let fields = explanation
            .terms
            .iter()
            .map(|term| format!("{}:{}", serde_json::json!(term.name), serde_json::json!(number(term))));
        fields.collect::<Vec<_>>().join(",")
    };
    format!(
        "\"value\":{},\"terms\":{{{}}},\"weights\":{{{}}}",
        serde_json::json!(explanation.value),
        object(&|term| term.value),
        object(&|term| term.weight)
    )
}
