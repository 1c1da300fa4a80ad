//! Pathwayz: the cost of a ply as the board fills, and when the first threats come.

use std::cmp::Ordering;
use std::sync::Arc;

use cpu_time::ThreadTime;
use quintet_agent::Catalogue;
use quintet_arena::Results;
use quintet_arena::stats::{judge_bound, wilson};
use quintet_game::pathwayz::{Pathwayz, Position};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Game, GameSpec, Line, Player, Stop};

use super::bootstrap::{bootstrap, ends};
use super::costs::{after, self_play, think};
use super::{BY_THE_CLOCK, Effort, Follower, Measured, judged, row};

/// The agent whose games are measured.
const BEAM: &str = "pathwayz:beam";

/// Pieces on the boards from which searches are counted.
const PIECES: [usize; 4] = [0, 16, 32, 48];

/// Boards for each number of pieces: three plies from an empty one are seven million positions at full width.
const BOARDS: usize = 3;

/// Random plies at the start of every game.
const OPENING: usize = 2;

/// The moves of every game.
pub(super) fn games_in(results: &Results) -> Vec<Vec<String>> {
    results.games.iter().filter_map(|played| Some(Record::read(&played.record).ok()?.moves)).collect()
}

/// The positions of a game from the start on, while it is not over.
pub(super) fn positions(game: &Arc<Pathwayz>, moves: &[String]) -> Vec<Position> {
    let mut line = Line::new(game.clone());
    let mut all = Vec::new();
    for mv in moves {
        all.push(*line.position());
        if line.try_play(mv).is_err() {
            break;
        }
    }
    all
}

/// Nodes and time by depth and pieces, and how often the beam's threat switch applies.
pub fn minimax_cost(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Some(results) = self_play(agents, "pathwayz", BEAM, effort, follower) else { return Vec::new() };
    let games = games_in(&results);
    let mut rows = Vec::new();
    for pieces in PIECES {
        rows.extend(cost(agents, &games, pieces, follower.stop));
        if follower.sample() {
            return Vec::new();
        }
    }
    let game = Arc::new(Pathwayz::new(8, 12));
    let lines: Vec<Vec<Position>> = games.iter().map(|moves| positions(&game, moves)).collect();
    rows.push(first_threats(&game, &lines));
    rows.push(full_turns(&game, &lines));
    rows
}

/// The cost of one, two and three plies by the number of pieces.
fn cost(agents: &Catalogue, games: &[Vec<String>], pieces: usize, stop: &Stop) -> Vec<Measured> {
    let spec = GameSpec::parse("pathwayz").expect("a game of ours");
    let mut boards: Vec<&[String]> =
        games.iter().filter(|moves| moves.len() > pieces).map(|moves| &moves[..pieces]).take(BOARDS).collect();
    // There is one empty board.
    boards.dedup();
    let boards: Vec<Box<dyn AnyLine>> = boards.into_iter().filter_map(|moves| after(&spec, moves)).collect();
    let samples = boards.len() as u64;
    let mean = |sum: f64| sum / samples.max(1) as f64;
    let (mut full, mut pruned, mut seconds) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    for table in boards {
        // Sequences of one, two and three moves.
        let counts = [1, 2, 3].map(|plies| table.perft(plies, &mut |_, _| {}));
        for depth in 0..3 {
            full[depth] += counts[..=depth].iter().sum::<u64>() as f64;
            let agent = format!("alphabeta(eval=pathwayz-9,ends=on-top,ties=first,depth={})", depth + 1);
            // The thread's own time: what else runs on the machine does not count.
            let start = ThreadTime::now();
            if let Some(choice) = think(agents, &agent, &*table, stop) {
                pruned[depth] += choice.nodes as f64;
                seconds[depth] += start.elapsed().as_secs_f64();
            }
        }
    }
    let list = |sums: [f64; 3]| sums.map(|sum| format!("{:.0}", mean(sum))).join(", ");
    let nodes = format!("full width {}; alpha-beta {}", list(full), list(pruned));
    let ratio = |deep: usize| seconds[deep] / seconds[deep - 1].max(1e-9);
    let times =
        format!("two plies take {:.0} times as long as one, three {:.0} times as long as two", ratio(1), ratio(2));
    let slow = "two plies are \"incredibly slow\"";
    vec![
        row(format!("{pieces} pieces: nodes at depths 1, 2, 3"), slow, nodes, samples, None, "no number is printed"),
        row(format!("{pieces} pieces: time of alpha-beta"), slow, times, samples, None, BY_THE_CLOCK),
    ]
}

/// Pieces on the board when a player could first win with one move.
fn first_threats(game: &Pathwayz, lines: &[Vec<Position>]) -> Measured {
    let threatened = |pos: &&Position| Player::BOTH.iter().any(|player| game.threatens(pos, *player));
    let first = |line: &Vec<Position>| line.iter().find(threatened).map(|pos| game.pieces(pos));
    let pieces: Vec<u32> = lines.iter().filter_map(first).collect();
    let (Some(least), Some(most)) = (pieces.iter().min(), pieces.iter().max()) else {
        return row("pieces at the first threat", "-", "no threat in any game".into(), 0, None, "no games");
    };
    let all: Vec<usize> = (0..pieces.len()).collect();
    let interval = bootstrap(std::slice::from_ref(&all), |drawn| median(&pieces, drawn));
    let half = f64::from(game.cells()) / 2.0;
    let (verdict, why) = judge_bound(Ordering::Greater, half, interval);
    judged(
        "pieces on the board when a player is first one move from winning",
        "only on filled boards",
        format!(
            "median {:.0} {}, from {least} to {most} of {}",
            median(&pieces, &all),
            ends(interval, 0),
            game.cells()
        ),
        pieces.len() as u64,
        verdict,
        &format!("{why}; asked for: more than half of the squares filled in the median game (our reading of filled)"),
    )
}

/// The median of some of the numbers.
fn median(numbers: &[u32], chosen: &[usize]) -> f64 {
    let mut chosen: Vec<u32> = chosen.iter().map(|at| numbers[*at]).collect();
    chosen.sort_unstable();
    chosen.get(chosen.len() / 2).copied().map_or(f64::NAN, f64::from)
}

/// How often the beam looks at all moves and replies, because its opponent could win with one move.
fn full_turns(game: &Pathwayz, lines: &[Vec<Position>]) -> Measured {
    let turns = || lines.iter().flat_map(|line| line.iter().skip(OPENING));
    let full = turns().filter(|pos| game.threatens(pos, game.to_move(pos).other())).count() as u64;
    let all = turns().count() as u64;
    let ours = format!("{full} of {all} turns");
    let reason = "no number is printed; turns of one game are correlated, so the interval is too narrow";
    Measured {
        interval: wilson(full, all),
        ..row("turns on which the beam looks two full plies ahead", "-", ours, all, None, reason)
    }
}
