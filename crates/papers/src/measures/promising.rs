//! TwixT, under Figure 5: whether pruning leaves the search among promising moves.

use std::collections::BTreeSet;

use quintet_agent::{Catalogue, Step, Trace};
use quintet_arena::stats::{Interval, Verdict, middle, resample};
use quintet_eval::twixt::{Holes, cheapest};
use quintet_game::bits::mix;
use quintet_game::twixt::{Position, Twixt};
use quintet_game::{AnyLine, Game as _, GameSpec, Limit, Notation as _, Player, Rng, SeedableRng as _, Stop};

use super::{Effort, Follower, Measured, judged, larger, spread};

/// Boards of 8x8, by the rules of the paper.
const GAME: &str = "twixt(size=8,rules=paper)";
type Rules = Twixt<16, 1>;

/// Plies that every search looks ahead.
const DEPTH: u32 = 3;

/// The searches that prune; all are compared with minimax.
const PRUNING: [&str; 3] = ["alphabeta", "id-alphabeta", "best-first"];

/// Positions are this many plies deep, the first two random, and the others of a search to depth 2.
const PLIES: std::ops::Range<u64> = 2..10;

/// Shares of the positions that a search visits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shares {
    /// After a first move that is a best one by minimax to the same depth.
    best: f64,
    /// After a move, at any ply, into a hole on either side's cheapest chains.
    chains: f64,
}

/// A position from a game of the paper's searches; none if the game ended before.
fn position(agents: &Catalogue, number: u64, seed: u64, stop: &Stop) -> Option<Box<dyn AnyLine>> {
    let spec = GameSpec::parse(GAME).ok()?;
    let mut table = spec.line();
    let seed = mix(seed ^ mix(number));
    let mut rng = Rng::seed_from_u64(seed);
    let mut seat = agents.seat(&spec, "twixt:best-first", seed).ok()?;
    for ply in 0..PLIES.start + number % (PLIES.end - PLIES.start) {
        let mv = match ply {
            0 | 1 => table.random_move(&mut rng)?,
            _ => seat.think(&*table, &Limit::depth(2), stop, &mut |_| {}).ok()?.mv,
        };
        table.try_play(&mv).ok()?;
    }
    table.end().is_none().then_some(table)
}

/// The first moves that are best by a search that looks at all of them; none when all are equally good.
fn best_moves(trace: &Trace) -> Option<BTreeSet<&str>> {
    let (mut ply, mut values) = (0, Vec::new());
    for step in &trace.steps {
        match step {
            Step::Enter { mv, .. } => {
                if ply == 0 {
                    values.push((mv.as_str(), f64::NAN));
                }
                ply += 1;
            }
            Step::Leave { value } => {
                ply -= 1;
                if let Some(last) = values.last_mut().filter(|_| ply == 0) {
                    last.1 = *value;
                }
            }
            Step::Cut | Step::Depth { .. } => {}
        }
    }
    let most = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
    let best: BTreeSet<&str> = values.iter().filter(|(_, value)| *value == most).map(|(mv, _)| *mv).collect();
    (best.len() < values.len()).then_some(best)
}

/// The holes on both sides' cheapest chains.
fn chains(game: &Rules, pos: &Position<16, 1>) -> [Holes; 2] {
    Player::BOTH.map(|player| cheapest(game, pos, player))
}

/// What a search visits.
fn shares(table: &dyn AnyLine, trace: &Trace, best: &BTreeSet<&str>) -> Option<Shares> {
    let line = table.typed::<Rules>()?;
    let game = line.game();
    // The positions on the way to the one that is visited, each with its chains.
    let mut way = vec![(line.position().clone(), chains(game, line.position()))];
    let (mut all, mut below_best, mut on_chains, mut promising) = (0_u64, 0_u64, 0_u64, false);
    for step in &trace.steps {
        match step {
            Step::Enter { mv, .. } => {
                let (pos, holes) = way.last()?;
                if way.len() == 1 {
                    promising = best.contains(mv.as_str());
                }
                let played = game.read_move(mv).ok()?;
                let on = played.hole().is_some_and(|(x, y)| holes.iter().any(|holes| holes.contains(x, y)));
                (all, below_best, on_chains) = (all + 1, below_best + u64::from(promising), on_chains + u64::from(on));
                let mut pos = pos.clone();
                game.play(&mut pos, played);
                // Nothing is entered below the last ply.
                let holes = if way.len() < DEPTH as usize { chains(game, &pos) } else { *holes };
                way.push((pos, holes));
            }
            Step::Leave { .. } => drop(way.pop()),
            Step::Cut | Step::Depth { .. } => {}
        }
    }
    let share = |part: u64| part as f64 / all.max(1) as f64;
    Some(Shares { best: share(below_best), chains: share(on_chains) })
}

/// The shares of minimax and of the searches that prune, in one position.
fn compared(agents: &Catalogue, number: u64, seed: u64, stop: &Stop) -> Option<Vec<Shares>> {
    let table = position(agents, number, seed, stop)?;
    let spec = GameSpec::parse(GAME).ok()?;
    let traced = |search: &str| -> Option<Trace> {
        let mut seat = agents.seat(&spec, &format!("twixt:{search}"), mix(seed ^ number)).ok()?;
        let trace = seat.trace(&*table, &Limit::depth(DEPTH), stop, usize::MAX).ok()?;
        (!stop.stopped()).then_some(trace)
    };
    let minimax = traced("minimax")?;
    let best = best_moves(&minimax)?;
    let mut all = vec![shares(&*table, &minimax, &best)?];
    for search in PRUNING {
        all.push(shares(&*table, &traced(search)?, &best)?);
    }
    Some(all)
}

/// Where the searches spend their positions.
pub fn promising(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let numbers: Vec<u64> = (0..effort.samples).collect();
    let stop = follower.stop;
    let work = |number: &u64| if stop.stopped() { None } else { compared(agents, *number, effort.seed, stop) };
    let all: Vec<Vec<Shares>> = spread(&numbers, work, &mut || {
        // The work looks at the flag itself.
        let _ = follower.sample();
    })
    .into_iter()
    .flatten()
    .collect();
    let best: fn(&Shares) -> f64 = |shares| shares.best;
    let chains: fn(&Shares) -> f64 = |shares| shares.chains;
    let mut rows = Vec::new();
    for (kind, of) in [("after a best first move", best), ("by a move on a cheapest chain", chains)] {
        rows.push(own(format!("minimax, {kind}"), mean(all.iter().map(|shares| of(&shares[0]))), all.len()));
        for (place, search) in PRUNING.iter().enumerate() {
            let pairs: Vec<[f64; 2]> = all.iter().map(|shares| [of(&shares[place + 1]), of(&shares[0])]).collect();
            rows.push(paired(format!("{search}, {kind}"), &pairs));
        }
    }
    rows
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    sum / f64::from(n.max(1))
}

/// Minimax alone: what the others are compared with.
fn own(what: String, share: f64, positions: usize) -> Measured {
    let ours = format!("{:.1} % of its positions", 100.0 * share);
    judged(what, "-", ours, positions as u64, Verdict::OursOnly, "what the next rows are compared with")
}

/// A search that prunes, with minimax in the same positions: by the interval of the difference.
fn paired(what: String, pairs: &[[f64; 2]]) -> Measured {
    let share = mean(pairs.iter().map(|pair| pair[0]));
    let apart: Vec<[f64; 1]> = pairs.iter().map(|[own, plain]| [own - plain]).collect();
    let difference = middle(resample(&apart, 1).into_iter().map(|[apart]| apart).collect());
    let (verdict, reason) = match difference {
        None => (Verdict::TooFewGames, "no position".into()),
        Some(Interval { low, high }) => (
            larger(Interval { low, high }),
            format!("{:+.1} to {:+.1} points against minimax in the same positions", 100.0 * low, 100.0 * high),
        ),
    };
    let ours = format!("{:.1} % of its positions", 100.0 * share);
    let interval = middle(resample(pairs, 1).into_iter().map(|[own, _]| own).collect());
    Measured { interval, ..judged(what, "more than minimax", ours, pairs.len() as u64, verdict, &reason) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(search: &str) -> (Box<dyn AnyLine>, Trace) {
        let spec = GameSpec::parse(GAME).unwrap();
        let mut table = spec.line();
        for mv in ["d4", "e5", "e2"] {
            table.try_play(mv).unwrap();
        }
        let mut seat = Catalogue::embedded().seat(&spec, search, 1).unwrap();
        let trace = seat.trace(&*table, &Limit::depth(2), &Stop::never(), usize::MAX).unwrap();
        (table, trace)
    }

    /// Minimax looks at every reply to every move, so its shares are those of the moves.
    #[test]
    fn minimax_visits_everything() {
        let (table, trace) = trace("twixt:minimax");
        let best = best_moves(&trace).unwrap();
        assert!(best.contains(trace.choice.mv.as_str()) && best.len() < table.count_moves());
        let shares = shares(&*table, &trace, &best).unwrap();
        let even = best.len() as f64 / table.count_moves() as f64;
        assert!((shares.best - even).abs() < 0.01, "{shares:?} {even}");
        assert!(shares.chains > 0.0 && shares.chains < 1.0);
    }

    #[test]
    fn a_search_of_one_move_visits_it_alone() {
        let (table, mut trace) = trace("twixt:minimax");
        let mv = trace.choice.mv.clone();
        trace.steps = vec![Step::Enter { mv: mv.clone(), window: [0.0; 2] }, Step::Leave { value: 0.0 }];
        // All first moves are equally good where there is one.
        assert_eq!(best_moves(&trace), None);
        assert_eq!(shares(&*table, &trace, &BTreeSet::from([mv.as_str()])).unwrap().best, 1.0);
        assert_eq!(shares(&*table, &trace, &BTreeSet::new()).unwrap().best, 0.0);
    }

    #[test]
    fn verdicts_by_the_interval_of_the_difference() {
        let verdict = |pairs: &[[f64; 2]]| paired(String::new(), pairs).verdict;
        let more: Vec<[f64; 2]> = (0..50).map(|i| [0.3 + f64::from(i % 5) / 50.0, 0.2]).collect();
        assert_eq!(verdict(&more), Verdict::SameDirection);
        assert_eq!(verdict(&more.iter().map(|[a, b]| [*b, *a]).collect::<Vec<_>>()), Verdict::Differs);
        let open: Vec<[f64; 2]> = (0..50).map(|i| [if i % 2 == 0 { 0.1 } else { 0.3 }, 0.2]).collect();
        assert_eq!(verdict(&open), Verdict::NotShown);
        assert_eq!(verdict(&[]), Verdict::TooFewGames);
    }
}
