//! What exact values say about the players of the Pentago papers: moves that lose value, buckets that mix values, patterns
//! that win.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, judge_claim, wilson};
use quintet_eval::pentago::{Buckets, Hash};
use quintet_game::bits::mix;
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{AnyLine, Game, GameSpec, Limit, Line, Notation, Player, Proof, Rng, SeedableRng};
use quintet_solve::pentago::{Solution, prove, solve};

use super::mates::candidate;
use super::trained::RULES;
use super::{Effort, Follower, Measured, judged, larger};

/// A position of `marbles` marbles, by random moves that do not leave the other side a win in one: in most positions of
/// purely random games the side to move wins at once.
fn contested(game: &Pentago, marbles: u32, seed: u64) -> Position {
    let mut rng = Rng::seed_from_u64(seed);
    'again: loop {
        let mut pos = game.start();
        while game.pieces(&pos) < marbles {
            let careful = (0..200).find_map(|_| {
                let mut next = pos;
                game.play(&mut next, game.random_move(&pos, &mut rng));
                let goes_on = game.outcome(&next).is_none() && !game.threatens(&next, game.to_move(&next));
                goes_on.then_some(next)
            });
            let Some(next) = careful else { continue 'again };
            pos = next;
        }
        return pos;
    }
}

/// The exact values of a contested position with one of these numbers of marbles.
fn solved(game: &Pentago, marbles: &[u32], seed: u64) -> Option<(Position, Solution)> {
    let pos = contested(game, marbles[seed as usize % marbles.len()], seed);
    Some((pos, solve(game, &pos, 1, &|| false)?))
}

/// The paper's players, as in the experiment.
const PLAYERS: [&str; 5] =
    ["pentago:greedy", "pentago:evolved", "pentago:minimax(depth=2)", "pentago:mdp", "pentago:mdp2"];

/// How often each player of the Pentago paper gives value away where a move can.
pub fn value_lost(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Ok(spec) = GameSpec::parse(RULES[0]) else { return Vec::new() };
    losses(agents, &spec, Pentago::turn_first(), &[22, 23, 24, 25, 26, 27, 28], &PLAYERS, effort, follower)
}

/// How often each player gives value away on contested boards with one of these numbers of marbles, where a move can.
pub(super) fn losses(
    agents: &Catalogue,
    spec: &GameSpec,
    game: Pentago,
    marbles: &[u32],
    players: &[&str],
    effort: Effort,
    follower: &mut Follower,
) -> Vec<Measured> {
    let game = Arc::new(game);
    let keeps = |solution: &Solution| solution.moves.iter().filter(|(_, value)| *value == solution.value).count();
    let mut boards = Vec::new();
    for attempt in 0..effort.samples * 100 {
        let Some((pos, solution)) = solved(&game, marbles, mix(effort.seed ^ mix(attempt))) else { break };
        if keeps(&solution) < solution.moves.len() {
            boards.push((pos, solution));
            if follower.sample() {
                return Vec::new();
            }
        }
        if boards.len() as u64 >= effort.samples {
            break;
        }
    }
    let samples = boards.len() as u64;
    let chance = boards.iter().map(|(_, solution)| 1.0 - keeps(solution) as f64 / solution.moves.len() as f64);
    let chance = 100.0 * chance.sum::<f64>() / samples.max(1) as f64;
    let range = marbles.first().zip(marbles.last()).map_or(String::new(), |(few, many)| format!("{few} to {many}"));
    let reason =
        format!("contested boards of {range} marbles where a move can lose value; a random one does in {chance:.0} %");
    let mut rows = Vec::new();
    let stop = follower.stop;
    for agent in players {
        let loses = |(pos, solution): &(Position, Solution)| {
            let mut seat = agents.seat(spec, agent, 1).ok()?;
            let table = <dyn AnyLine>::new(*spec, Line::from_position(game.clone(), *pos));
            let choice = seat.think(&*table, &Limit::default(), stop, &mut |_| {}).ok()?;
            let (_, value) = solution.moves.iter().find(|(mv, _)| game.write_move(*mv) == choice.mv)?;
            Some(*value < solution.value)
        };
        let lost = boards.iter().filter_map(loses).filter(|lost| *lost).count() as u64;
        let ours = format!("{lost} of {samples}");
        let row = judged(format!("{agent}: moves that lose value"), "-", ours, samples, Verdict::OursOnly, &reason);
        rows.push(Measured { interval: wilson(lost, samples), ..row });
    }
    rows
}

/// Boards per sample, so that buckets hold several.
const BOARDS: u64 = 20;

/// Values inside the same bucket: their mean variance, and the number of values behind it.
fn variance_inside(values: &[(usize, f64)]) -> (f64, f64) {
    let mut buckets: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (bucket, value) in values {
        buckets.entry(*bucket).or_default().push(*value);
    }
    let (mut squares, mut free) = (0.0, 0.0);
    for values in buckets.values() {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        squares += values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        free += values.len() as f64 - 1.0;
    }
    (squares / f64::max(free, 1.0), free)
}

/// Whether boards of one bucket have one value, for both hashes of the paper, with 1500 buckets.
pub fn spread(effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let game = Pentago::turn_first();
    let count = effort.samples * BOARDS;
    // Boards after the second player's move: a model knows those of one player.
    let stop = follower.stop;
    let boards = (0..count).take_while(|_| !stop.stopped()).filter_map(|number| {
        let (pos, solution) = solved(&game, &[24, 26, 28], mix(effort.seed ^ mix(number)))?;
        if number.is_multiple_of(BOARDS) {
            let _ = follower.sample();
        }
        let value = match solution.value {
            Proof::Win => 1.0,
            Proof::Draw => 0.0,
            Proof::Loss => -1.0,
        };
        Some((pos, value))
    });
    let boards: Vec<(Position, f64)> = boards.collect();
    let inside = |hash: Hash| {
        let buckets = Buckets::new(hash, 1500, true).ok()?;
        let values: Vec<_> = boards.iter().map(|(pos, value)| (buckets.of(&game, pos), *value)).collect();
        Some(variance_inside(&values))
    };
    let Some(((one, free_one), (two, free_two))) = inside(Hash::Places).zip(inside(Hash::Streaks)) else {
        return Vec::new();
    };
    let (all, _) = variance_inside(&boards.iter().map(|(_, value)| (0, *value)).collect::<Vec<_>>());
    // The error of a variance with this many degrees of freedom, for normal values.
    let error = (2.0 * one.powi(2) / f64::max(free_one, 1.0) + 2.0 * two.powi(2) / f64::max(free_two, 1.0)).sqrt();
    let apart = Interval { low: one - two - 1.96 * error, high: one - two + 1.96 * error };
    let [one, two, all] = [one, two, all].map(f64::sqrt);
    let ours = format!("hash 1 {one:.3}, hash 2 {two:.3}, all boards {all:.3}");
    let reason = format!(
        "standard deviation of exact values (1, 0, -1); the variance inside hash 1 less that inside hash 2 is {:+.3} to {:+.3}; holds if the whole interval lies above 0",
        apart.low, apart.high
    );
    let paper = "the first hash mixes boards, the second groups like ones";
    vec![judged("spread of values inside buckets", paper, ours, boards.len() as u64, larger(apart), &reason)]
}

/// The six cells of each row and column as one side sees them: its own, the other's, or empty.
fn lines(pos: &Position, own: Player) -> impl Iterator<Item = [Option<bool>; 6]> + '_ {
    (0..12).map(move |line| {
        std::array::from_fn(|at| {
            let (x, y) = if line < 6 { (at, line) } else { (line - 6, at) };
            pos.at(x, y).map(|player| player == own)
        })
    })
}

/// Whether a side has one of the report's favourable patterns: `-XXXX-`, `XX-XX?` and `?XX-XX`, where `?` is empty or X.
fn has_pattern(pos: &Position, own: Player) -> bool {
    lines(pos, own).any(|line| {
        let is = |pattern: &str| {
            pattern.bytes().zip(line).all(|(wanted, cell)| match wanted {
                b'X' => cell == Some(true),
                b'-' => cell.is_none(),
                _ => cell != Some(false),
            })
        };
        is("-XXXX-") || is("XX-XX?") || is("?XX-XX")
    })
}

/// The lengths of a side's runs of two and more in rows and columns, the longest first.
fn runs(pos: &Position, own: Player) -> Vec<usize> {
    let mut runs = Vec::new();
    for line in lines(pos, own) {
        let parts = line.split(|cell| *cell != Some(true)).map(<[_]>::len);
        runs.extend(parts.filter(|length| *length >= 2));
    }
    runs.sort_unstable_by(|a, b| b.cmp(a));
    runs
}

/// Moves of the owner within which a win must come.
const TURNS: u32 = 3;
/// The most patterns in the proof of one board.
const NODES: u64 = 4000;
/// The most memory of a proof, in bytes.
const MEMORY: u64 = 8 << 20;

/// Whether the owner wins within three of its turns.
fn wins_soon(pos: &Position, own: Player) -> bool {
    let game = Pentago::twist();
    let limit = Limit { depth: Some(2 * TURNS - 1), ..Limit::nodes(NODES) };
    let wanted = if game.to_move(pos) == own { Proof::Win } else { Proof::Loss };
    prove(&game, pos, &limit, MEMORY, &|| false).value() == Some(wanted)
}

/// What the owner must have on a board.
type Shows = fn(&Position, Player) -> bool;

/// Whether patterns win, and whether two runs of two are worse than one of three.
pub fn patterns(effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let kinds: [(&str, Shows); 3] = [
        ("a pattern", has_pattern),
        ("two runs of two", |pos, own| runs(pos, own) == [2, 2]),
        ("one run of three", |pos, own| runs(pos, own) == [3]),
    ];
    let game = Pentago::twist();
    let mut rows = Vec::new();
    for (name, shows) in kinds {
        for (turn, waiting) in [("to move", false), ("the other side to move", true)] {
            let owner = |pos: &Position| if waiting { game.to_move(pos).other() } else { game.to_move(pos) };
            let (mut won, mut samples) = (0, 0);
            // A bound on the work, not on the result.
            for attempt in 0..effort.samples * 2000 {
                let seed = mix(effort.seed ^ mix(attempt));
                let Some(pos) = candidate(&game, seed, 8 + (seed >> 40) as u32 % 9) else { continue };
                if shows(&pos, owner(&pos)) {
                    samples += 1;
                    won += u64::from(wins_soon(&pos, owner(&pos)));
                    if follower.sample() {
                        return Vec::new();
                    }
                }
                if samples >= effort.samples {
                    break;
                }
            }
            let interval = wilson(won, samples);
            let pattern = name == "a pattern";
            let verdict = if pattern { judge_claim(Ordering::Greater, 0.5, interval).0 } else { Verdict::OursOnly };
            let paper =
                if pattern { "often wins within two or three turns" } else { "two pairs can be more dangerous" };
            let reason = if pattern {
                "won within three own turns by proof; holds if the interval lies above one half"
            } else {
                "won within three own turns by proof"
            };
            let what = format!("{name}, {turn}");
            rows.push(Measured {
                interval,
                ..judged(what, paper, format!("{won} of {samples}"), samples, verdict, reason)
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Position {
        Pentago::twist().read_position(text).unwrap()
    }

    #[test]
    fn patterns_and_runs_are_those_of_the_report() {
        let open = read(".xxxx./o.o.../.o..../....../....../.....o x");
        assert!(has_pattern(&open, Player::First) && !has_pattern(&open, Player::Second));
        assert!(!has_pattern(&read("oxxxx./o.o.../.o..../....../....../...... x"), Player::First));
        assert!(has_pattern(&read("xx.xx./o.o.../.o..../....../....../.....o x"), Player::First));
        assert!(!has_pattern(&read("xx.xxo/o.o.../.o..../....../....../...... x"), Player::First));
        // In a column.
        assert!(has_pattern(&read("..o.../x.o.../x..o../....o./x...../x..... x"), Player::First));
        assert_eq!(runs(&open, Player::First), [4]);
        assert_eq!(runs(&read("xx..oo/....o./....../x...../x...../...... o"), Player::Second), [2, 2]);
    }

    #[test]
    fn a_spread_is_that_inside_buckets() {
        assert_eq!(variance_inside(&[(1, 1.0), (1, 1.0), (2, -1.0), (2, -1.0), (3, 5.0)]), (0.0, 2.0));
        assert_eq!(variance_inside(&[(1, 1.0), (1, -1.0), (2, 0.0), (2, 0.0)]), (1.0, 2.0));
    }

    #[test]
    fn four_in_the_middle_of_a_row_win_soon_by_proof() {
        let open = read(".xxxx./o.o.../.o..../....../....../.....o x");
        assert!(wins_soon(&open, Player::First) && !wins_soon(&open, Player::Second));
    }
}
