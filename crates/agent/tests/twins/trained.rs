//! Pathwayz: the agents of "Life of PAI" that play by learned weights.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use quintet_eval::{Evaluate, Spec, WeightStore, evaluation};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::{AnyLine, Notation, Player};

use crate::common::{Tally, Twin, printed, programmed};
use crate::pathwayz::{all_stages, board, compare_beam, full_line};
use crate::search::{Ends, Judge, Replies, beam, line_search, minimax};

const PRINTED_52: &str = "pathwayz-52(mode=printed,weights=pathwayz:tdl52)";
pub const PROGRAMMED_53: &str = "pathwayz-53(mode=as-programmed,weights=pathwayz:tdl53)";
const PRINTED_440: &str = "pathwayz-440(mode=printed,weights=pathwayz:tdl440)";
const OURS_52: &str = "pathwayz-52(mode=printed,weights=pathwayz:td52)";
const OURS_440: &str = "pathwayz-440(mode=printed,weights=pathwayz:td440)";
const PROGRAMMED_440: &str = "pathwayz-440(mode=as-programmed,weights=pathwayz:tdl440-programmed)";

pub const TWINS: &[Twin] = &[
    printed("pathwayz:dumb", |tally| check_reflex(tally, &grids("pathwayz:dumb"), 1e6)),
    programmed("pathwayz:dumb", |tally| check_reflex(tally, &grids("pathwayz:dumb-programmed"), 1e10)),
    printed("pathwayz:tdl52", |tally| check_reflex(tally, &by(PRINTED_52), 1e6)),
    programmed("pathwayz:tdl52", |tally| check_reflex(tally, &by(PROGRAMMED_53), 1e10)),
    printed("pathwayz:tdl440", |tally| check_reflex(tally, &by(PRINTED_440), 1e6)),
    programmed("pathwayz:tdl440", |tally| check_reflex(tally, &by(PROGRAMMED_440), 1e10)),
    printed("pathwayz:beam52", |tally| check_beam(tally, PRINTED_52)),
    programmed("pathwayz:beam52", |tally| check_line(tally, PROGRAMMED_53)),
    printed("pathwayz:beam440", |tally| check_beam(tally, PRINTED_440)),
    programmed("pathwayz:beam440", |tally| check_line(tally, PROGRAMMED_440)),
    printed("pathwayz:td52", |tally| check_reflex(tally, &by(OURS_52), 1e6)),
    printed("pathwayz:td440", |tally| check_reflex(tally, &by(OURS_440), 1e6)),
    printed("pathwayz:beam-td440", |tally| check_beam(tally, OURS_440)),
];

type Known = HashMap<(&'static str, usize, usize), (Pathwayz, Box<dyn Evaluate<Pathwayz>>)>;

/// The library's evaluation, which has its own tests, on a board of any size.
pub fn by(eval: &'static str) -> impl Fn(&str, Player) -> f64 {
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    move |text, view| {
        let cells = board(text);
        let (rows, columns) = (cells.len(), cells[0].len());
        KNOWN.with_borrow_mut(|known| {
            let (game, eval) = known.entry((eval, rows, columns)).or_insert_with(|| {
                let game = Pathwayz::new(rows, columns);
                let built = evaluation(&game, &Spec::parse(eval).unwrap()).unwrap();
                (game, built)
            });
            eval.value(game, &game.read_position(text).unwrap(), view)
        })
    }
}

/// Every 3x3 grid counts one over the squares, every column one over the columns; black has the negative.
fn grids(weights: &str) -> impl Fn(&str, Player) -> f64 {
    let weights = grid_weights(weights);
    move |text, view| {
        let cells = board(text);
        let (rows, columns) = (cells.len() as i32, cells[0].len() as i32);
        let digit = |row: i32, column: i32| -> u32 {
            if row < 0 || column < 0 || row >= rows || column >= columns {
                return 5;
            }
            ".wbWB".find(cells[row as usize][column as usize]).unwrap() as u32
        };
        let weight = |code: u32| weights.get(&code).copied().unwrap_or(0.0);
        let mut sum = 0.0;
        for row in 0..rows {
            for column in 0..columns {
                let mut code = 0;
                for (r, c) in (row - 1..=row + 1).flat_map(|r| (column - 1..=column + 1).map(move |c| (r, c))) {
                    code = 6 * code + digit(r, c);
                }
                sum += weight(code) * (1.0 / f64::from(rows * columns));
            }
        }
        for column in 0..columns {
            let code = (0..rows).fold(0, |code, row| 5 * code + digit(row, column));
            sum += weight(6u32.pow(9) + code) * (1.0 / f64::from(columns));
        }
        if view == Player::First { sum } else { -sum }
    }
}

fn grid_weights(name: &str) -> BTreeMap<u32, f64> {
    let kept = WeightStore::embedded().weights(name).unwrap();
    let (mut code, unit) = (0, kept.number("unit").unwrap());
    let pairs = kept.list("gaps").unwrap().iter().zip(kept.list("counts").unwrap());
    let weight = |(gap, count): (&f64, &f64)| {
        code += *gap as u32;
        (code, count * unit)
    };
    pairs.map(weight).collect()
}

fn check_reflex(tally: &mut Tally, eval: &dyn Fn(&str, Player) -> f64, utility: f64) {
    let judge = Judge { eval, ends: Ends::OnTop(utility) };
    for spot in all_stages() {
        let mut line = spot.line();
        let view = line.to_move();
        let scored = judge.scored(&mut *line, view);
        tally.compare(spot, "", &scored);
    }
}

fn check_beam(tally: &mut Tally, eval: &'static str) {
    let judge = Judge { eval: &by(eval), ends: Ends::OnTop(1e6) };
    let under_threat = |line: &mut dyn AnyLine| minimax(line, &judge, 2);
    compare_beam(tally, &judge, 10, under_threat, |line, moves| beam(line, &judge, moves, &[5, 1], Replies::Worst));
}

fn check_line(tally: &mut Tally, eval: &'static str) {
    let judge = Judge { eval: &by(eval), ends: Ends::OnTop(1e10) };
    let under_threat = |line: &mut dyn AnyLine| full_line(line, &judge);
    compare_beam(tally, &judge, 10, under_threat, |line, moves| line_search(line, &judge, moves, &[5, 1]));
}
