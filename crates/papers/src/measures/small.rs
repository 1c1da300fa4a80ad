//! TwixT on small boards: the result of perfect play, and how often the paper's searches give a result away.

use std::cmp::Ordering;

use quintet_agent::{Catalogue, Prover as _, SmallBoardProver};
use quintet_arena::stats::{Verdict, judge_claim, wilson};
use quintet_game::bits::mix;
use quintet_game::{AnyLine, GameSpec, Limit, Proof, Rng, SeedableRng as _, Stop};

use super::{Effort, Follower, Measured, judged, row};

/// Nodes for the solver per position; positions it does not solve are left out.
const NODES: u64 = 100_000;

/// Boards of the paper, the depth, its claim, and the largest share of moves that may give a result away.
const CLAIMS: [(u32, u32, &str, f64); 4] =
    [(6, 4, "optimal", 0.0), (7, 6, "optimal", 0.0), (7, 4, "nearly perfect", 0.1), (8, 4, "nearly perfect", 0.1)];

fn spec(size: u32) -> Option<GameSpec> {
    GameSpec::parse(&format!("twixt(size={size},rules=paper)")).ok()
}

/// How a game in progress must end for its side to move, as 1, 0 or -1, if the solver can tell.
fn value(table: &dyn AnyLine, stop: &Stop) -> Option<i32> {
    let exact = match table.end() {
        Some(_) => quintet_agent::exact(&[], table, &Limit::default(), stop),
        None => SmallBoardProver::new(NODES).prove(table, &Limit::default(), stop),
    };
    Some(match exact.ok()?.value.proof {
        Proof::Win => 1,
        Proof::Draw => 0,
        Proof::Loss => -1,
    })
}

/// Moves that could give a result away, those that did, and those before or after which the solver could not tell.
#[derive(Default)]
struct Count {
    moves: u64,
    lost: u64,
    unknown: u64,
}

/// An agent plays both sides: games of even number from the start, the others after two random plies.
fn follow(
    agents: &Catalogue,
    spec: GameSpec,
    agent: &str,
    number: u64,
    seed: u64,
    count: &mut Count,
    stop: &Stop,
) -> Option<()> {
    let mut table = spec.line();
    let mut rng = Rng::seed_from_u64(mix(seed ^ mix(number)));
    for _ in 0..2 * (number % 2) {
        let mv = table.random_move(&mut rng)?;
        table.try_play(&mv).ok()?;
    }
    let mut seat = agents.seat(&spec, agent, mix(seed ^ number)).ok()?;
    let mut before = value(&*table, stop);
    while table.end().is_none() {
        let mv = seat.think(&*table, &Limit::default(), stop, &mut |_| {}).ok()?.mv;
        table.try_play(&mv).ok()?;
        let after = value(&*table, stop);
        match (before, after) {
            // A lost side has nothing to give away.
            (Some(-1), _) => {}
            (Some(before), Some(after)) => {
                count.moves += 1;
                count.lost += u64::from(-after < before);
            }
            _ => count.unknown += 1,
        }
        before = after;
    }
    Some(())
}

/// Who wins each board, and what the searches give away on them.
pub fn small_boards(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for size in 3..=7 {
        let Some(table) = spec(size).map(|spec| spec.line()) else { continue };
        let ours = match SmallBoardProver::new(NODES).prove(&*table, &Limit::default(), follower.stop) {
            Err(why) => why.to_string(),
            Ok(exact) => match (exact.value.proof, exact.value.plies.unwrap_or(0)) {
                (Proof::Win, plies) => format!("the first player wins with {} pegs", plies.div_ceil(2)),
                (Proof::Draw, _) => "a draw".into(),
                (Proof::Loss, plies) => format!("the second player wins with {} pegs", plies / 2),
            },
        };
        let (paper, holds) =
            if size == 6 { ("the first player wins", Some(ours.contains("first"))) } else { ("-", None) };
        rows.push(row(format!("{size}x{size}, perfect play"), paper, ours, 1, holds, "exact, by the published map"));
        if follower.sample() {
            return Vec::new();
        }
    }
    for (size, depth, paper, most) in CLAIMS {
        let mut counts = [Count::default(), Count::default()];
        for number in 0..effort.samples {
            let agent = format!("twixt:best-first(depth={depth})");
            let count = &mut counts[number as usize % 2];
            let _ = spec(size).and_then(|spec| follow(agents, spec, &agent, number, effort.seed, count, follower.stop));
            if follower.sample() {
                return Vec::new();
            }
        }
        let [from_start, later] = counts;
        rows.push(given_away(format!("{size}x{size}, depth {depth}, from the start"), paper, &from_start, Some(most)));
        rows.push(given_away(format!("{size}x{size}, depth {depth}, after two random plies"), "-", &later, None));
    }
    rows
}

/// Moves that give a result away; `most` is the largest share with which the paper's word holds.
fn given_away(what: String, paper: &str, count: &Count, most: Option<f64>) -> Measured {
    let Count { moves, lost, unknown } = *count;
    let asked = most.map_or(String::new(), |most| format!("holds if at most {:.0} % do; ", 100.0 * most));
    let reason = format!("{asked}{unknown} moves left out, not solved in {NODES} positions");
    let ours = format!("{lost} of {moves} moves give a result away");
    let interval = wilson(lost, moves);
    let verdict = match most {
        None => Verdict::OursOnly,
        // One move is enough to refute "never".
        Some(0.0) => {
            if lost == 0 {
                Verdict::Agrees
            } else {
                Verdict::Differs
            }
        }
        Some(most) => judge_claim(Ordering::Less, most, interval).0,
    };
    Measured { interval, ..judged(what, paper, ours, moves, verdict, &reason) }
}
