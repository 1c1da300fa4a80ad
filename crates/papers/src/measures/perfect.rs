//! Pylos against exact values: games without saving, and moves that lose value.

use quintet_agent::{Catalogue, Exact, exact};
use quintet_arena::stats::{Verdict, wilson};
use quintet_game::bits::mix;
use quintet_game::pylos::Pylos;
use quintet_game::{AnyLine, Game, GameSpec, Limit, Outcome, Player, Proof, Rng, SeedableRng, Stop};

use super::{Effort, Follower, Measured, PYLOS, judged, row};

/// Without moves that save balls the second player wins: by counting where balls are only placed, by the solved game where they may
/// be raised.
pub fn parity(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Ok(spec) = GameSpec::parse("pylos(rules=children)") else { return Vec::new() };
    let placed =
        (0..effort.samples).filter(|&sample| placing_only(&spec, mix(effort.seed ^ mix(sample)))).count() as u64;
    let paper = "the second player wins every game";
    let reason = "thirty balls, one per turn: the second player always places the last one";
    let ours = format!("{placed} of {} random games", effort.samples);
    let only_placed =
        row("balls are placed, never raised", paper, ours, effort.samples, Some(placed == effort.samples), reason);
    let rivals = ["random", "pylos:ordered(nodes=2000)", "pylos:td20(nodes=2000)"];
    let mut rows = vec![Measured { interval: wilson(placed, effort.samples), ..only_placed }];
    for rival in rivals {
        let (mut won, mut longest) = (0, 0);
        for sample in 0..effort.samples {
            let seed = mix(effort.seed ^ mix(sample ^ 1 << 32));
            if let Some(plies) = second_wins(agents, &spec, rival, seed, follower.stop) {
                (won, longest) = (won + 1, longest.max(plies));
            }
            if follower.sample() {
                return Vec::new();
            }
        }
        let ours = format!("{won} of {} games, the longest of {longest} plies", effort.samples);
        let reason = "pylos:perfect as second player; solved, it wins in at most 36 plies: quintet solve 'pylos(rules=children)'";
        let holds = won == effort.samples && longest <= 36;
        let what = format!("balls are raised, never taken back: against {rival}");
        rows.push(Measured {
            interval: wilson(won, effort.samples),
            ..row(what, paper, ours, effort.samples, Some(holds), reason)
        });
    }
    rows
}

/// Whether the second player wins a random game in which no ball is ever raised.
fn placing_only(spec: &GameSpec, seed: u64) -> bool {
    let game = Pylos::of(spec);
    let mut position = game.start();
    let mut moves = Vec::new();
    while game.outcome(&position).is_none() {
        moves.clear();
        game.moves(&position, &mut moves);
        let side = game.to_move(&position);
        let placed = moves.iter().map(|&mv| {
            let mut after = position;
            game.play(&mut after, mv);
            after
        });
        let placed: Vec<_> = placed.filter(|after| after.reserve(side) < position.reserve(side)).collect();
        position = placed[mix(seed ^ u64::from(position.reserve(side))) as usize % placed.len()];
    }
    game.outcome(&position) == Some(Outcome::Win(Player::Second))
}

/// The plies of a game that the perfect second player has won; `None` if it has not.
fn second_wins(agents: &Catalogue, spec: &GameSpec, rival: &str, seed: u64, stop: &Stop) -> Option<usize> {
    let mut seats = [agents.seat(spec, rival, seed).ok()?, agents.seat(spec, "pylos:perfect", seed).ok()?];
    let mut table = spec.line();
    let mut rng = Rng::seed_from_u64(seed);
    // A random opening, so that games differ.
    let opening = table.random_move(&mut rng)?;
    table.try_play(&opening).ok()?;
    while table.end().is_none() {
        let seat = &mut seats[table.to_move().index()];
        let choice = seat.think(&*table, &Limit::default(), stop, &mut |_| ()).ok()?;
        table.try_play(&choice.mv).ok()?;
    }
    (table.end()?.0 == Outcome::Win(Player::Second)).then(|| table.plies())
}

/// The rules whose tables are asked for, the paper's first.
const RULES: [&str; 5] =
    [PYLOS[0].1, "pylos(rules=expert-diag)", "pylos", "pylos(rules=expert)", "pylos(rules=children)"];

/// The agents of the paper and ours, at limits that repeat.
const AGENTS: [&str; 9] = [
    "pylos:random",
    "pylos:maximizing",
    "pylos:minimax",
    "pylos:ordered(nodes=50000)",
    "pylos:svm(nodes=5000)",
    "pylos:td20(nodes=20000)",
    "pylos:mcts(nodes=5000)",
    "puct(eval=net,c=0.7,visits=1000)",
    "pylos:perfect",
];

/// How often each agent loses value, and how many plies it gives away where it does not, under all rules that have a table.
pub fn losses(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut rows = Vec::new();
    for (number, rules) in RULES.into_iter().enumerate() {
        let Ok(spec) = GameSpec::parse(rules) else { continue };
        if !is_solved(agents, &spec) {
            let reason = format!("there is no table; make it with: quintet solve '{rules}'");
            rows.push(judged(format!("{rules}: all agents"), "-", "-".into(), 0, Verdict::CannotBeCompared, &reason));
            if follower.sample() {
                return Vec::new();
            }
            continue;
        }
        let (mut boards, provers) = (Vec::new(), agents.provers());
        for sample in 0.. {
            if boards.len() as u64 >= effort.samples || sample > effort.samples * 50 {
                break;
            }
            let seed = mix(effort.seed ^ mix(sample ^ (number as u64) << 40));
            let Some(table) = played(agents, &spec, seed) else { continue };
            let Ok(known) = exact(&provers, &*table, &Limit::default(), &Stop::never()) else { continue };
            // A board on which all moves are equally good tests nothing.
            if known.complete && known.moves.iter().any(|(_, value)| value.proof != known.value.proof) {
                boards.push((table, known));
                if follower.sample() {
                    return Vec::new();
                }
            }
        }
        rows.extend(AGENTS.into_iter().filter_map(|agent| tried(agents, &spec, agent, &boards, follower.stop)));
    }
    rows
}

/// Whether there is a table of every position of a game.
pub(super) fn is_solved(agents: &Catalogue, spec: &GameSpec) -> bool {
    exact(&agents.provers(), &*spec.line(), &Limit::default(), &Stop::never()).is_ok_and(|known| known.complete)
}

/// A position of a game in which the ordered agent makes three of four moves, and the fourth is random.
pub(super) fn played(agents: &Catalogue, spec: &GameSpec, seed: u64) -> Option<Box<dyn AnyLine>> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut seat = agents.seat(spec, "pylos:ordered(nodes=500)", seed).ok()?;
    let mut table = spec.line();
    let plies = 4 + (seed >> 8) as usize % 24;
    while table.plies() < plies && table.end().is_none() {
        let mv = if mix(seed ^ table.plies() as u64).is_multiple_of(4) {
            table.random_move(&mut rng)?
        } else {
            seat.think(&*table, &Limit::default(), &Stop::never(), &mut |_| ()).ok()?.mv
        };
        table.try_play(&mv).ok()?;
    }
    table.end().is_none().then_some(table)
}

/// One agent on all boards.
fn tried(
    agents: &Catalogue,
    spec: &GameSpec,
    agent: &str,
    boards: &[(Box<dyn AnyLine>, Exact)],
    stop: &Stop,
) -> Option<Measured> {
    let (mut lost, mut away, mut kept) = (0, 0, 0);
    for (number, (table, known)) in boards.iter().enumerate() {
        let mut seat = agents.seat(spec, agent, number as u64).ok()?;
        let choice = seat.think(&**table, &Limit::default(), stop, &mut |_| ()).ok()?;
        let (_, value) = known.moves.iter().find(|(mv, _)| *mv == choice.mv)?;
        if value.proof != known.value.proof {
            lost += 1;
        } else if let (Some(best), Some(plies)) = (known.value.plies, value.plies) {
            away += if known.value.proof == Proof::Win { plies - best } else { best - plies };
            kept += 1;
        }
    }
    let samples = boards.len() as u64;
    let ours =
        format!("{lost} of {samples} moves lose value; the others are {:.1} plies from the best", mean(away, kept));
    let reason = "boards on which some move keeps the value and some does not";
    let row = judged(format!("{spec}: {agent}"), "-", ours, samples, Verdict::OursOnly, reason);
    Some(Measured { interval: wilson(lost, samples), ..row })
}

fn mean(sum: u32, count: u32) -> f64 {
    f64::from(sum) / f64::from(count.max(1))
}
