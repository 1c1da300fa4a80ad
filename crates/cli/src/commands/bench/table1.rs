//! Table 1 of the TwixT paper: whole games of five searches at five depths.

use std::io::Write;

use anyhow::Result;
use comfy_table::{Table, presets};
use cpu_time::ThreadTime;
use quintet_agent::seat;
use quintet_game::{GameSpec, Limit, Stop};
use serde_json::{Value, json};

use super::{right_aligned, show, thousands};
use crate::screen;

const GAME: &str = "twixt(size=8,rules=paper)";
const SEARCHES: [&str; 5] = ["minimax", "id-minimax", "alphabeta", "id-alphabeta", "best-first"];
const DEPTHS: u32 = 5;

/// What the paper prints, in milliseconds per game; nothing above 200 s.
const PAPER: [[Option<u32>; DEPTHS as usize]; 5] = [
    [Some(263), Some(765), Some(14478), None, None],
    [Some(275), Some(700), Some(11440), None, None],
    [Some(279), Some(457), Some(4334), Some(30433), None],
    [Some(271), Some(434), Some(1618), Some(21488), None],
    [Some(268), Some(410), Some(1604), Some(12250), Some(173_398)],
];

/// A game of more nodes than this is cut when everything is measured in one go.
pub const QUICK_CUT: u64 = 30_000_000;

/// The games of one search at one depth.
pub struct Cell {
    search: &'static str,
    depth: u32,
    games: u64,
    nodes: u64,
    seconds: f64,
    /// A game was cut.
    cut: bool,
}

/// Plays both sides with the same agent; a game of more than `cut` nodes is given up, and its cell with it.
pub fn measure(games: u64, cut: u64) -> Result<Vec<Cell>> {
    let bar = screen::progress(u64::from(DEPTHS) * SEARCHES.len() as u64 * games, "TwixT, Table 1");
    let mut cells = Vec::new();
    for search in SEARCHES {
        for depth in 1..=DEPTHS {
            let mut cell = Cell { search, depth, games: 0, nodes: 0, seconds: 0.0, cut: false };
            while cell.games < games && !cell.cut {
                play(&mut cell, cut)?;
                bar.inc(1);
            }
            bar.inc(games - cell.games);
            cells.push(cell);
        }
    }
    bar.finish_and_clear();
    Ok(cells)
}

fn play(cell: &mut Cell, cut: u64) -> Result<()> {
    let spec = GameSpec::parse(GAME)?;
    let agent = format!("twixt:{}(depth={})", cell.search, cell.depth);
    let seed = cell.games;
    let mut seats = [seat(&spec, &agent, 2 * seed)?, seat(&spec, &agent, 2 * seed + 1)?];
    let mut line = spec.line();
    let mut left = cut;
    let start = ThreadTime::now();
    while line.end().is_none() {
        let mover = line.to_move().index();
        let choice = seats[mover].think(&*line, &Limit::nodes(left), &Stop::never(), &mut |_| {})?;
        cell.nodes += choice.nodes;
        left = left.saturating_sub(choice.nodes);
        if left == 0 {
            cell.cut = true;
            break;
        }
        line.try_play(&choice.mv)?;
    }
    cell.seconds += start.elapsed().as_secs_f64();
    cell.games += 1;
    Ok(())
}

/// The cells as JSON.
pub fn to_json(cells: &[Cell]) -> Value {
    let all: Vec<Value> = cells
        .iter()
        .map(|cell| {
            json!({
                "search": cell.search, "depth": cell.depth, "games": cell.games, "nodes": cell.nodes,
                "seconds": cell.seconds, "cut": cell.cut, "paper_ms": PAPER[row(cell.search)][cell.depth as usize - 1],
            })
        })
        .collect();
    json!(all)
}

fn row(search: &str) -> usize {
    SEARCHES.iter().position(|name| *name == search).unwrap_or(0)
}

/// The cells as the paper prints them.
pub fn print(out: &mut dyn Write, cells: &[Cell], games: u64, cut: u64) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let depths = (1..=DEPTHS).map(|depth| format!("depth {depth}"));
    table.set_header(std::iter::once(String::new()).chain(depths));
    for search in SEARCHES {
        let of_search = || cells.iter().filter(move |cell| cell.search == search);
        let mean = |sum: f64, cell: &Cell| sum / cell.games.max(1) as f64;
        let line = |name: String, write: &dyn Fn(&Cell) -> String| -> Vec<String> {
            std::iter::once(name).chain(of_search().map(write)).collect()
        };
        table.add_row(line(format!("{search}: paper, ms"), &|cell| {
            PAPER[row(search)][cell.depth as usize - 1].map_or(">200,000".into(), |ms| thousands(ms.into()))
        }));
        let mark = |cell: &Cell| if cell.cut { ">" } else { "" };
        table.add_row(line("here, ms".into(), &|cell| format!("{}{:.2}", mark(cell), mean(cell.seconds * 1e3, cell))));
        table.add_row(line("nodes per game".into(), &|cell| {
            format!("{}{}", mark(cell), thousands(mean(cell.nodes as f64, cell) as u64))
        }));
        table.add_row(line("nodes/s".into(), &|cell| thousands((cell.nodes as f64 / cell.seconds.max(1e-9)) as u64)));
    }
    right_aligned(&mut table);
    let what = format!("{GAME}, both sides the same agent, means over {games} game(s) per cell, one thread");
    writeln!(out, "{table}\n\n{what}; a game of more than {} nodes is cut (>).", thousands(cut))?;
    Ok(())
}

/// Only Table 1.
pub fn run(out: &mut dyn Write, games: u64, cut: u64, json: bool) -> Result<()> {
    show(out, &measure(games, cut)?, json, |cells| to_json(cells), |out, cells| print(out, cells, games, cut))
}
