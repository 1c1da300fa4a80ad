//! Pylos: the agents of Fort, Gan and Zhao.

use std::sync::OnceLock;

use quintet_game::Player;

use crate::balls::Balls;
use crate::chance::{agrees_when_clear, keeps_values, mostly_takes_wins, random};
use crate::common::{Spot, Tally, Twin, best, printed, random_spots, spec, spots_where, wins_in_one};
use crate::search::{Ends, Judge, deepening, minimax};

pub const TWINS: &[Twin] = &[
    printed("pylos:random", check_random),
    printed("pylos:maximizing", check_maximizing),
    printed("pylos:minimax", check_minimax),
    printed("pylos:ordered", check_ordered),
    printed("pylos:svm", check_svm),
    printed("pylos:td20", check_td20),
    printed("pylos:mcts", check_mcts),
    printed("pylos:perfect", |tally| check_perfect(tally, "")),
    printed("pylos:champion", |tally| check_perfect(tally, "nodes=500")),
];

/// The opponent's balls on the board minus the own.
fn difference(text: &str, view: Player) -> f64 {
    let board = text.split(' ').next().unwrap();
    let balls = |letter: char| board.chars().filter(|&ball| ball == letter).count() as f64;
    let [light, dark] = [balls('L'), balls('D')];
    match view {
        Player::First => dark - light,
        Player::Second => light - dark,
    }
}

const JUDGE: Judge = Judge { eval: &difference, ends: Ends::Quick };

/// Positions of every stage under several rules, the last ones with wins and losses near.
fn all_stages() -> Vec<Spot> {
    let mut spots = random_spots("pylos", 1, [0, 3, 6, 9, 12, 15, 18, 22]);
    spots.extend(random_spots("pylos(rules=expert-diag)", 2, [5, 8, 11, 14, 17, 20, 26, 40]));
    spots.extend(random_spots("pylos(rules=expert-diag,takeback=free)", 3, [7, 10, 13]));
    spots.extend(random_spots("pylos(rules=children)", 4, [20, 24, 25, 26, 27, 28]));
    spots.extend(random_spots("pylos(rules=children,end=spent)", 5, [22, 25, 26]));
    // Both sides complete a square and take the same ball back: positions recur, in the game and in the search.
    let [round, again] = ["1a1 1d4 1b1 1c4 1a2 1d3", "1b2-1b2 1c3-1c3"];
    let mut line = spec("pylos").line();
    for mv in format!("{round} {again} {again}").split(' ').take(9) {
        line.try_play(mv).unwrap();
        if line.plies() >= 6 {
            spots.push(Spot(line.clone()));
        }
    }
    spots
}

fn check_random(tally: &mut Tally) {
    random(tally, &spots_where("pylos", 6, &[14, 17, 20, 24], 20, |spot| spot.line().count_moves() <= 16));
}

/// This agent takes the first of equal moves by default.
fn check_maximizing(tally: &mut Tally) {
    for spot in all_stages() {
        let scored = minimax(&mut *spot.line(), &JUDGE, 1);
        tally.compare(&spot, "", &scored);
        let (moves, _) = best(&scored);
        let (own, any) = (tally.ask(&spot, "", 5).mv, tally.ask(&spot, "ties=random", 5).mv);
        let agrees = own == moves[0] && moves.contains(&any.as_str());
        tally.count(&spot, agrees, || format!("{own} is not the first, or {any} not one of {moves:?}"));
    }
}

fn check_minimax(tally: &mut Tally) {
    for spot in all_stages() {
        tally.compare(&spot, "", &minimax(&mut *spot.line(), &JUDGE, 2));
    }
}

fn check_ordered(tally: &mut Tally) {
    for spot in all_stages() {
        tally.compare_value(&spot, "depth=3", &deepening(&mut *spot.line(), &JUDGE, 3));
    }
}

/// What the machine has learned: the scale, the bias, and boards of sixty numbers with their coefficients.
struct Machine {
    gamma: f64,
    bias: f64,
    vectors: Vec<([f64; 60], f64)>,
}

/// The file of weights, read without the program's own reader.
fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let file: toml::Table = include_str!("../../../../data/weights/pylos/svm-refined.toml").parse().unwrap();
        let number = |name: &str| file["values"][name].as_float().unwrap();
        let list = |name: &str| {
            let numbers = file["values"][name].as_array().unwrap().iter();
            numbers.map(|number| number.as_float().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(number("kernel"), 2.0, "the twin knows the Gaussian kernel alone");
        let (mine, yours, coefficients) = (list("mine"), list("yours"), list("coefficients"));
        let vectors = mine.iter().zip(yours).zip(coefficients).map(|((mine, yours), coefficient)| {
            let bit = |at: usize| [*mine, yours][at / 30] as u64 >> (at % 30) & 1;
            (std::array::from_fn(|at| bit(at) as f64), coefficient)
        });
        Machine { gamma: number("gamma"), bias: number("bias"), vectors: vectors.collect() }
    })
}

/// The sum of coefficient times exp(-gamma |x - s|^2), plus the bias; x are 30 numbers for one's own balls and 30 for the
/// opponent's.
fn learned(text: &str, view: Player) -> f64 {
    let board: Vec<char> = text.split(' ').next().unwrap().chars().filter(|cell| *cell != '/').collect();
    let balls = |letter: char| board.iter().map(move |ball| if *ball == letter { 1.0 } else { 0.0 });
    let (own, other) = match view {
        Player::First => ('L', 'D'),
        Player::Second => ('D', 'L'),
    };
    let x: Vec<f64> = balls(own).chain(balls(other)).collect();
    let machine = machine();
    let kernel = |s: &[f64; 60]| (-machine.gamma * x.iter().zip(s).map(|(x, s)| (x - s) * (x - s)).sum::<f64>()).exp();
    machine.vectors.iter().map(|(s, coefficient)| coefficient * kernel(s)).sum::<f64>() + machine.bias
}

fn check_svm(tally: &mut Tally) {
    let judge = Judge { eval: &learned, ends: Ends::Quick };
    for spot in all_stages() {
        tally.compare_value(&spot, "depth=2", &deepening(&mut *spot.line(), &judge, 2));
    }
}

/// The learned weights by name, read without the program's own reader.
fn weights20() -> &'static [(String, f64)] {
    static WEIGHTS: OnceLock<Vec<(String, f64)>> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let file: toml::Table = include_str!("../../../../data/weights/pylos/td20.toml").parse().unwrap();
        let values = file["values"].as_table().unwrap().iter();
        values.map(|(name, weight)| (name.clone(), weight.as_float().unwrap())).collect()
    })
}

fn check_td20(tally: &mut Tally) {
    for spot in all_stages() {
        let rules = spot.0.spec().to_string();
        let eval = |text: &str, view: Player| -> f64 {
            let balls = Balls::new(text, &rules);
            let worth = |(name, weight): &(String, f64)| match name.strip_prefix("my") {
                Some(name) => balls.count(name, view) as f64 * weight,
                None => balls.count(name.strip_prefix("your").unwrap(), view.other()) as f64 * weight,
            };
            weights20().iter().map(worth).sum()
        };
        let judge = Judge { eval: &eval, ends: Ends::Quick };
        tally.compare_value(&spot, "depth=2", &deepening(&mut *spot.line(), &judge, 2));
    }
}

fn check_mcts(tally: &mut Tally) {
    let winning = spots_where("pylos", 7, &[20, 24, 28, 32], 20, |spot| !wins_in_one(&mut *spot.line()).is_empty());
    mostly_takes_wins(tally, &winning, "visits=1000");
    let late = random_spots("pylos(rules=children)", 8, [24, 25, 26, 27].repeat(5));
    keeps_values(tally, &late, "visits=20000");
    agrees_when_clear(tally, random_spots("pylos", 9, [10, 12, 14, 16, 18, 20].repeat(40)), 3000, 20);
}

/// Without a table it knows near wins, and so keeps the value of every late position.
fn check_perfect(tally: &mut Tally, limit: &str) {
    let late = random_spots("pylos(rules=children)", 10, [23, 24, 25, 26, 27].repeat(6));
    keeps_values(tally, &late, limit);
}
