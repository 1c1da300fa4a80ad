//! Pentago-Twist: equal boards, the order of moves, and the runs of different styles.

use std::collections::HashSet;

use quintet_agent::Catalogue;
use quintet_arena::stats::wilson;
use quintet_game::pentago::{Pentago, Position};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Game, GameSpec, Line, Player, Stop};

use super::costs::{fewer, games_of, mean, nodes_of, positions, think};
use super::{Effort, Follower, Measured, row};
use crate::experiments::fit;

const GAME: &str = "pentago-twist";

/// Depths that are searched, and the plies before the positions they are searched from.
const DEPTHS: [u32; 3] = [1, 2, 3];
const PLIES: u32 = 8;

/// The nodes of an alpha-beta at each depth, on each of the positions.
fn nodes(agents: &Catalogue, options: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> [Vec<f64>; 3] {
    DEPTHS.map(|depth| {
        let agent = format!("alphabeta(eval=e3,ties=first,depth={depth}{options})");
        nodes_of(agents, &agent, positions, stop)
    })
}

/// Their means.
fn means(nodes: &[Vec<f64>; 3]) -> [f64; 3] {
    nodes.each_ref().map(|nodes| mean(nodes))
}

/// The mean nodes of a full-width search at each depth.
fn full_width(positions: &[Box<dyn AnyLine>]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for table in positions {
        let mut all = 0;
        for (sum, depth) in sums.iter_mut().zip(DEPTHS) {
            all += table.perft(depth, &mut |_, _| {});
            *sum += all as f64;
        }
    }
    sums.map(|sum| sum / positions.len().max(1) as f64)
}

fn list(nodes: [f64; 3]) -> String {
    nodes.map(|nodes| format!("{nodes:.0}")).join(", ")
}

/// Moves, and the boards they lead to.
fn first_ply() -> [usize; 2] {
    let game = Pentago::twist();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let after = |mv| {
        let mut next = game.start();
        game.play(&mut next, mv);
        next
    };
    [moves.len(), moves.iter().map(|mv| after(*mv)).collect::<HashSet<Position>>().len()]
}

/// The savings from leaving out equal boards.
pub fn dedup(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let [moves, boards] = first_ply();
    let ours = format!("{moves} moves, {boards} boards");
    let mut rows = vec![row("first ply", "-", ours, 1, None, "counted; no number is printed")];
    if follower.sample() {
        return Vec::new();
    }
    let start = GameSpec::parse(GAME).expect("a game of ours").line();
    for (what, positions) in [("the start", vec![start]), ("8 random plies", positions(GAME, PLIES, effort))] {
        let plain = nodes(agents, "", &positions, follower.stop);
        if follower.sample() {
            return Vec::new();
        }
        let once = nodes(agents, ",duplicates=drop", &positions, follower.stop);
        if follower.sample() {
            return Vec::new();
        }
        let ours = format!("with {}; without {}", list(means(&plain)), list(means(&once)));
        let what = format!("nodes at depths 1, 2, 3 from {what}, with and without equal boards");
        let paper = "leaving them out makes fewer branches";
        rows.push(if positions.len() == 1 {
            row(what, paper, ours, 1, None, "one position: counted, not judged")
        } else {
            fewer(what, paper, format!("{ours}; at depth 3"), [&once[2], &plain[2]])
        });
    }
    rows
}

/// The k of b^(k d): how fast nodes grow with depth, as a share of the growth of a full-width search.
fn exponent(nodes: [f64; 3], full: [f64; 3]) -> Option<f64> {
    let slope = |nodes: [f64; 3]| {
        let points: Vec<(f64, f64)> = DEPTHS.iter().zip(nodes).map(|(d, n)| (f64::from(*d), n.ln())).collect();
        Some(fit(&points)?.0)
    };
    Some(slope(nodes)? / slope(full)?)
}

/// Nodes per move in the experiment's matches.
const BUDGET: u64 = 3_000_000;

/// Whether a search ends depth 3 within the nodes of the matches.
fn ends(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Measured {
    let depths = positions.iter().filter_map(|table| think(agents, agent, &**table, stop)).map(|choice| choice.depth);
    let (count, samples) = (depths.filter(|depth| *depth >= 3).count() as u64, positions.len() as u64);
    let what = format!("{}: depth 3 ends within {BUDGET} nodes", agent.split([',', '(']).next().unwrap_or(agent));
    let ours = format!("{count} of {samples}");
    Measured {
        interval: wilson(count, samples),
        ..row(what, "-", ours, samples, None, "the budget of the matches is ours")
    }
}

/// Nodes in the order of the rules, in random order, and ordered by the evaluation.
pub fn ordering(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let positions = positions(GAME, PLIES, effort);
    let samples = positions.len() as u64;
    let full = full_width(&positions);
    if follower.sample() {
        return Vec::new();
    }
    let reason =
        "theory of deep searches, and three depths of ours; k is the growth with depth as a share of full width's";
    let mut rows = vec![row("full width", "-", format!("{} nodes", list(full)), samples, None, "counted")];
    let mut depth3 = Vec::new();
    for (order, paper) in [("natural", "-"), ("random", "b^(3m/4)"), ("best", "b^(m/2)")] {
        let nodes = nodes(agents, &format!(",order={order}"), &positions, follower.stop);
        if follower.sample() {
            return Vec::new();
        }
        let mut at = means(&nodes);
        // One ply looks at every move in any order; ordering only counts them twice.
        at[0] = full[0];
        let k = exponent(at, full).map_or("unknown".into(), |k| format!("{k:.2}"));
        let ours = format!("{} nodes, k = {k}", list(at));
        rows.push(row(format!("{order} order, depths 1, 2, 3"), paper, ours, samples, None, reason));
        let [.., deepest] = nodes;
        depth3.push((order, deepest));
    }
    let (_, natural) = depth3.remove(0);
    for (order, nodes) in &depth3 {
        let text = format!("natural {:.0}, {order} {:.0} nodes", mean(&natural), mean(nodes));
        let paper = if *order == "random" { "a better efficiency" } else { "fewer nodes at best" };
        rows.push(fewer(format!("{order} order at depth 3"), paper, text, [nodes, &natural]));
    }
    for agent in [format!("id-alphabeta(eval=e3,nodes={BUDGET})"), format!("pentago-twist:paper(nodes={BUDGET})")] {
        rows.push(ends(agents, &agent, &positions, follower.stop));
        if follower.sample() {
            return Vec::new();
        }
    }
    rows
}

/// One side's runs of two marbles and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Runs {
    all: u64,
    /// No five cells in a line hold the whole run and no enemy.
    blocked: u64,
}

/// Rows, columns, and diagonals of five cells and more, as cells.
pub(super) fn lines() -> Vec<Vec<(i32, i32)>> {
    let on = |(x, y): (i32, i32)| (0..6).contains(&x) && (0..6).contains(&y);
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for start in (0..36).map(|i| (i % 6, i / 6)).filter(|(x, y)| !on((x - dx, y - dy))) {
            let line: Vec<_> = (0..6).map(|k| (start.0 + k * dx, start.1 + k * dy)).filter(|cell| on(*cell)).collect();
            lines.push(line);
        }
    }
    lines.retain(|line| line.len() >= 5);
    lines
}

fn runs(pos: &Position, player: Player, lines: &[Vec<(i32, i32)>]) -> Runs {
    let mut runs = Runs::default();
    for line in lines {
        let cells: Vec<Option<Player>> = line.iter().map(|(x, y)| pos.at(*x as usize, *y as usize)).collect();
        let mut at = 0;
        while at < cells.len() {
            let length = cells[at..].iter().take_while(|cell| **cell == Some(player)).count();
            if length >= 2 {
                let holds = |start: usize| start <= at && at + length <= start + 5;
                let open = |start: usize| !cells[start..start + 5].contains(&Some(player.other()));
                let free = length > 5 || (0..=cells.len() - 5).any(|start| holds(start) && open(start));
                runs.all += 1;
                runs.blocked += u64::from(!free);
            }
            at += length.max(1);
        }
    }
    runs
}

/// Random plies before the players take over.
const OPENING: u32 = 2;

/// A style's own runs, and its opponent's runs that it has blocked, after each of its moves in games against the even weights.
pub fn style(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let agent = |weights: &str| format!("alphabeta(eval=e3({weights}),depth=3)");
    let even = agent("a=1,b=1");
    let lines = lines();
    let mut rows = Vec::new();
    for (name, weights) in [("even", "a=1,b=1"), ("aggressive", "a=2,b=1"), ("defensive", "a=1,b=2")] {
        let Some(results) = games_of(agents, GAME, [&agent(weights), &even], OPENING, effort, follower) else {
            continue;
        };
        let (mut own, mut other, mut positions) = (Runs::default(), Runs::default(), 0);
        for played in &results.games {
            let Ok(record) = Record::read(&played.record) else { continue };
            let seat = Player::BOTH[usize::from(played.seats[1] == 0)];
            let mut line = Line::new(std::sync::Arc::new(Pentago::twist()));
            for (ply, mv) in record.moves.iter().enumerate() {
                let mover = line.to_move();
                if line.try_play(mv).is_err() {
                    break;
                }
                if mover == seat && ply >= OPENING as usize {
                    let [mine, theirs] = [seat, seat.other()].map(|player| runs(line.position(), player, &lines));
                    (own.all, own.blocked) = (own.all + mine.all, own.blocked + mine.blocked);
                    (other.all, other.blocked) = (other.all + theirs.all, other.blocked + theirs.blocked);
                    positions += 1;
                }
            }
        }
        let mean = |count: u64| count as f64 / f64::from(positions.max(1));
        let share = 100.0 * other.blocked as f64 / other.all.max(1) as f64;
        let ours = format!(
            "{:.2} own runs per position, {:.2} of them blocked; {:.2} of the opponent's, {share:.0} % of them blocked",
            mean(own.all),
            mean(own.blocked),
            mean(other.all),
        );
        let reason = "no number is printed; after each own move; positions of one game are correlated";
        rows.push(row(format!("{name}: runs against even"), "-", ours, results.games.len() as u64, None, reason));
    }
    rows
}

#[cfg(test)]
mod tests {
    use quintet_game::Notation;

    use super::*;

    #[test]
    fn runs_by_hand() {
        let lines = lines();
        assert_eq!(lines.len(), 18);
        let of = |text: &str, player| runs(&Pentago::twist().read_position(text).unwrap(), player, &lines);
        // xx at a1 can grow to the right until o stands in e1.
        let board = |row: &str| format!("{row}/....../....../....../....../...... x");
        assert_eq!(of(&board("xx..oo"), Player::First), Runs { all: 1, blocked: 1 });
        assert_eq!(of(&board("xx..oo"), Player::Second), Runs { all: 1, blocked: 1 });
        assert_eq!(of("xx.o../....../....../....../....../...... o", Player::Second), Runs::default());
        let text = "oxx.../o...../....../....../....../...... x";
        assert_eq!(of(text, Player::First), Runs { all: 1, blocked: 0 });
        assert_eq!(of(text, Player::Second), Runs { all: 1, blocked: 0 });
    }

    #[test]
    fn exponents() {
        let k = exponent([10.0, 100.0, 1000.0], [100.0, 1e4, 1e6]).unwrap();
        assert!((k - 0.5).abs() < 1e-9, "{k}");
        assert_eq!(first_ply(), [288, 36]);
    }
}
