//! Mates in two of Pentago-Twist: whether they are found and defended.

use std::cmp::Ordering;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Verdict, judge_claim, wilson};
use quintet_game::bits::mix;
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{AnyLine, Game, GameSpec, Limit, Line, Outcome, Rng, SeedableRng, Stop, can_win_now};

use super::{Effort, Follower, Measured};

/// The positions after each move, equal ones once.
fn replies(game: &Pentago, pos: &Position) -> Vec<Position> {
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    let mut next: Vec<Position> = moves
        .into_iter()
        .map(|mv| {
            let mut next = *pos;
            game.play(&mut next, mv);
            next
        })
        .collect();
    next.sort_unstable_by_key(|pos| game.key(pos));
    next.dedup();
    next
}

/// Whether every reply leaves a win in one, as after the first move of a mate in two.
fn is_mating(game: &Pentago, pos: &Position) -> bool {
    let waiting = game.to_move(pos).other();
    let lost = |reply: &Position| match game.outcome(reply) {
        Some(outcome) => outcome == Outcome::Win(waiting),
        None => can_win_now(game, reply),
    };
    game.outcome(pos).is_none() && replies(game, pos).iter().all(lost)
}

/// Whether the side to move can force a win in two of its moves.
fn has_mate_in_two(game: &Pentago, pos: &Position) -> bool {
    let waiting = game.to_move(pos).other();
    replies(game, pos).iter().any(|next| {
        // Cheap first: a side that is not about to win cannot mate.
        game.outcome(next).is_none() && game.threatens(next, waiting.other()) && is_mating(game, next)
    })
}

/// Positions of half-sensible games: random moves, and now and then the best of a few by the longest runs. Uniformly random ones hardly ever hold a mate.
pub(super) fn candidate(game: &Pentago, seed: u64, plies: u32) -> Option<Position> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut pos = game.start();
    for ply in 0..plies {
        let own = game.to_move(&pos);
        let tries = if mix(seed ^ u64::from(ply)).is_multiple_of(3) { 1 } else { 12 };
        let best = (0..tries)
            .map(|_| {
                let mut next = pos;
                game.play(&mut next, game.random_move(&pos, &mut rng));
                next
            })
            .max_by_key(|next| runs(next, own) - runs(next, own.other()))?;
        if game.outcome(&best).is_some() {
            return None;
        }
        pos = best;
    }
    Some(pos)
}

/// A rough count of what a side has in rows and columns.
fn runs(pos: &Position, player: quintet_game::Player) -> i32 {
    let mut sum = 0;
    for a in 0..6 {
        for line in [0, 1] {
            let own = |b: usize| pos.at(if line == 0 { b } else { a }, if line == 0 { a } else { b }) == Some(player);
            let longest = (0..6).fold((0, 0), |(run, best), b| {
                let run = if own(b) { run + 1 } else { 0 };
                (run, best.max(run))
            });
            sum += longest.1 * longest.1;
        }
    }
    sum
}

/// Looks for positions of these marbles until there are enough of them.
fn positions(
    effort: Effort,
    plies: &[u32],
    fits: impl Fn(&Pentago, &Position) -> bool,
    follower: &mut Follower,
) -> Vec<Position> {
    let game = Pentago::twist();
    let mut found = Vec::new();
    // A bound on the work, not on the result: a thousand attempts per position are far more than were ever needed.
    for attempt in 0..effort.samples * 1000 {
        let seed = mix(effort.seed ^ mix(attempt));
        let plies = plies[(seed >> 32) as usize % plies.len()];
        if let Some(pos) = candidate(&game, seed, plies)
            && fits(&game, &pos)
        {
            found.push(pos);
            if follower.sample() {
                return Vec::new();
            }
        }
        if found.len() as u64 >= effort.samples {
            break;
        }
    }
    found
}

/// The position after an agent's move.
fn answer(agents: &Catalogue, agent: &str, pos: &Position, stop: &Stop) -> Option<Position> {
    let spec = GameSpec::parse("pentago-twist").ok()?;
    let mut seat = agents.seat(&spec, agent, 1).ok()?;
    let mut table = <dyn AnyLine>::new(spec, Line::from_position(Arc::new(Pentago::twist()), *pos));
    let choice = seat.think(&*table, &Limit::default(), stop, &mut |_| {}).ok()?;
    table.try_play(&choice.mv).ok()?;
    Some(*table.typed::<Pentago>()?.position())
}

/// Nodes that stand in for the clock: far more than two or three plies take.
const NODES: &str = "nodes=50000000";

/// Shares below this are "never", if none was seen **(ours)**.
const NEVER: f64 = 0.05;

/// The verdict on "never": one case refutes it; without any, the interval must lie below a small share.
fn never(cases: u64, samples: u64) -> (Verdict, String) {
    match cases {
        0 => judge_claim(Ordering::Less, NEVER, wilson(0, samples)),
        _ => (Verdict::Differs, "never means none".into()),
    }
}

fn row(what: String, paper: &str, missed: u64, samples: u64, (verdict, reason): (Verdict, String)) -> Measured {
    let ours = format!("{missed} of {samples} missed");
    let (paper, interval) = (paper.into(), wilson(missed, samples));
    Measured { what, paper, ours, interval, samples, verdict, reason, boards: Vec::new() }
}

/// A mate in two for the side to move: whether the first move of one is played.
pub fn own(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let fits = |game: &Pentago, pos: &Position| !can_win_now(game, pos) && has_mate_in_two(game, pos);
    let game = Pentago::twist();
    let found = positions(effort, &[8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20], fits, follower);
    let samples = found.len() as u64;
    let mut rows = Vec::new();
    for mode in ["printed", "as-programmed"] {
        let agent = format!("pentago-twist:paper(mode={mode},{NODES})");
        let keeps =
            |pos: &&Position| answer(agents, &agent, pos, follower.stop).is_some_and(|next| is_mating(&game, &next));
        let missed = samples - found.iter().filter(keeps).count() as u64;
        let verdict = match mode {
            "printed" => never(missed, samples),
            _ => (Verdict::OursOnly, "the claim is the text's".into()),
        };
        rows.push(row(format!("depth 3, {mode}"), "never misses", missed, samples, verdict));
    }
    let why = "before round 3 a side has too few marbles for a five in two moves, and from round 17 on fewer than three plies are left";
    rows.push(row("rounds searched two plies deep".into(), "-", 0, 0, (Verdict::OursOnly, why.into())));
    rows
}

/// A mate in two that the opponent threatens: whether a move that stops it is played.
pub fn theirs(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let game = Pentago::twist();
    let loses = |next: &Position| match game.outcome(next) {
        Some(outcome) => outcome == Outcome::Win(game.to_move(next)),
        None => can_win_now(&game, next) || has_mate_in_two(&game, next),
    };
    // Quiet now, but most moves allow a mate in two, and some do not.
    let fits = |game: &Pentago, pos: &Position| {
        if can_win_now(game, pos) || game.threatens(pos, game.to_move(pos).other()) {
            return false;
        }
        let next = replies(game, pos);
        let lost = next.iter().filter(|next| loses(next)).count();
        2 * lost >= next.len() && lost < next.len()
    };
    let found = positions(effort, &[8, 10, 12, 14, 9, 11, 13], fits, follower);
    let samples = found.len() as u64;
    let missed = |agent: &str| {
        found.iter().filter(|pos| answer(agents, agent, pos, follower.stop).is_none_or(|next| loses(&next))).count()
            as u64
    };
    let mut rows = Vec::new();
    for mode in ["printed", "as-programmed"] {
        let count = missed(&format!("pentago-twist:paper(mode={mode},{NODES})"));
        let (verdict, reason) = judge_claim(Ordering::Greater, 0.5, wilson(count, samples));
        let verdict = if mode == "printed" { verdict } else { Verdict::OursOnly };
        let reason = format!("asked for: more than half; {reason}");
        rows.push(row(format!("depth 3, {mode}"), "almost always missed", count, samples, (verdict, reason)));
    }
    let count = missed("pvs(eval=e3,exact=yes,depth=4,ties=first)");
    rows.push(row("depth 4".into(), "depth 4 sees it", count, samples, never(count, samples)));
    rows
}

/// The same board, the same move.
pub fn deterministic(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let found = positions(effort, &[4, 8, 12, 16, 20], |_, _| true, follower);
    let samples = found.len() as u64;
    let rows = ["printed", "as-programmed"].map(|mode| {
        let agent = format!("pentago-twist:paper(mode={mode},nodes=200000)");
        let same =
            |pos: &&Position| answer(agents, &agent, pos, follower.stop) == answer(agents, &agent, pos, follower.stop);
        let other = samples - found.iter().filter(same).count() as u64;
        let (verdict, reason) = never(other, samples);
        let reason = format!("with a clock of nodes; {reason}");
        let mut row = row(mode.into(), "always the same move", other, samples, (verdict, reason));
        row.ours = format!("{other} of {samples} differ");
        row
    });
    rows.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_is_refuted_by_one_case_and_shown_by_many() {
        let verdict = |(cases, samples)| never(cases, samples).0;
        assert_eq!(
            [(0, 100), (0, 40), (1, 400), (0, 0)].map(verdict),
            [Verdict::SameDirection, Verdict::NotShown, Verdict::Differs, Verdict::TooFewGames,]
        );
    }
}
