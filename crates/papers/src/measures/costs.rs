//! The cost of searches: nodes by depth, and the depth they reach.

use std::cmp::Ordering;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, judge_claim, judge_number, ratio};
use quintet_arena::{Length, Openings, Plan, Results, run};
use quintet_game::bits::mix;
use quintet_game::clock::ClockKind;
use quintet_game::{AnyLine, GameSpec, Limit, Stop};
use quintet_search::Choice;

use super::bootstrap::{bootstrap, ends};
use super::{BY_THE_CLOCK, Effort, Follower, Measured, judged, row};

/// A game after these moves.
pub(super) fn after(spec: &GameSpec, moves: &[String]) -> Option<Box<dyn AnyLine>> {
    let mut table = spec.line();
    moves.iter().try_for_each(|mv| table.try_play(mv).map(|_| ())).ok()?;
    Some(table)
}

/// Games of `plies` random plies, distinct up to symmetry.
pub(super) fn positions(game: &str, plies: u32, effort: Effort) -> Vec<Box<dyn AnyLine>> {
    let Ok(spec) = GameSpec::parse(game) else { return Vec::new() };
    let openings = Openings::new(spec, plies, effort.seed);
    (0..effort.samples).filter_map(|number| after(&spec, &openings.get(number))).collect()
}

/// An agent's choice in a game, timed by the clock of its own thread.
pub(super) fn think(agents: &Catalogue, agent: &str, table: &dyn AnyLine, stop: &Stop) -> Option<Choice<String>> {
    let mut seat = agents.seat(&table.spec(), agent, 1).ok()?;
    let limit = Limit { clock: ClockKind::Cpu, ..Limit::default() };
    seat.think(table, &limit, stop, &mut |_| {}).ok()
}

/// The nodes of an agent on each of the positions.
pub(super) fn nodes_of(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Vec<f64> {
    let choices = positions.iter().map(|table| think(agents, agent, &**table, stop));
    choices.map(|choice| choice.map_or(0.0, |choice| choice.nodes as f64)).collect()
}

/// Their mean.
pub(super) fn mean(nodes: &[f64]) -> f64 {
    nodes.iter().sum::<f64>() / nodes.len().max(1) as f64
}

/// The mean nodes of an agent over positions.
pub(super) fn mean_nodes(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> f64 {
    mean(&nodes_of(agents, agent, positions, stop))
}

/// How a row says what a claim of fewer nodes is judged by.
pub(super) const FEWER: &str = "holds if the whole interval of the ratio of nodes lies below 100 %";

/// A row that claims fewer nodes on the same positions, judged by the interval of the ratio.
pub(super) fn fewer(what: String, paper: &str, text: String, [less, more]: [&[f64]; 2]) -> Measured {
    let pairs: Vec<(f64, f64)> = less.iter().copied().zip(more.iter().copied()).collect();
    let samples = pairs.len() as u64;
    match ratio(&pairs) {
        None => judged(what, paper, text, samples, Verdict::TooFewGames, "too few positions for an interval"),
        Some((share, interval)) => {
            let (verdict, _) = judge_claim(Ordering::Less, 1.0, Some(interval));
            let ours = format!("{text}: {:.0} %", 100.0 * share);
            Measured { interval: Some(interval), ..judged(what, paper, ours, samples, verdict, FEWER) }
        }
    }
}

/// Pentago: three plies were too many in 2012.
pub fn pentago_minimax(agents: &Catalogue, follower: &mut Follower) -> Vec<Measured> {
    const GAME: &str = "pentago(rules=turn-first)";
    let Ok(spec) = GameSpec::parse(GAME) else { return Vec::new() };
    let mut rows = Vec::new();
    for (plies, paper, printed) in
        [(1, "more than 250", Some(250)), (2, "-", None), (3, "more than 250^3 = 15.6 million", Some(250 * 250 * 250))]
    {
        let boards = spec.line().perft(plies, &mut |_, _| {});
        let verdict = match printed {
            None => Verdict::OursOnly,
            Some(printed) if boards > printed => Verdict::SameDirection,
            Some(_) => Verdict::Differs,
        };
        let ours = format!("{boards} move sequences");
        rows.push(judged(
            format!("{plies} plies"),
            paper,
            ours,
            1,
            verdict,
            "all are counted, so there is no interval",
        ));
        // The cost of the same choice today, without moves that are known to be no better.
        let choice = think(agents, &format!("alphabeta(eval=pentago-35,depth={plies})"), &*spec.line(), follower.stop);
        let ours = choice.map_or("-".into(), |choice| {
            format!("{} boards in {:.1} ms", choice.nodes, 1e3 * choice.elapsed.as_secs_f64())
        });
        let paper = if plies == 3 { "too slow for training" } else { "-" };
        rows.push(row(format!("{plies} plies by alpha-beta"), paper, ours, 1, None, "by the clock"));
        if follower.sample() {
            return Vec::new();
        }
    }
    rows
}

/// Pathwayz: how wide and how long games of the final agent are, and how many games that makes.
pub fn pathwayz_complexity(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Some(results) = self_play(agents, "pathwayz", "pathwayz:beam440", effort, follower) else { return Vec::new() };
    let games = results.games.len() as u64;
    let lengths: Vec<f64> = results.games.iter().map(|played| played.plies as f64).collect();
    let all: Vec<usize> = (0..lengths.len()).collect();
    let plies = mean(&lengths);
    let ends_of_plies = bootstrap(&[all], |drawn| mean(&drawn.iter().map(|game| lengths[*game]).collect::<Vec<f64>>()));
    // Two moves for every empty square: 192 at first, two fewer every ply.
    let moves = |plies: f64| 193.0 - plies;
    let breadth = moves(plies);
    let ends_of_breadth = ends_of_plies.map(|Interval { low, high }| Interval { low: moves(high), high: moves(low) });
    let near = |what: &str, paper: f64, ours: f64, interval: Option<Interval>| {
        let (verdict, why) = judge_number(paper, interval);
        let reason = format!("{why}; self-play of the final agent");
        judged(what, &paper.to_string(), format!("{ours:.1} {}", ends(interval, 1)), games, verdict, &reason)
    };
    let power = |breadth: f64, depth: f64| depth * breadth.log10();
    let printed = power(135.0, 60.0);
    let sequences: f64 = (0..60).map(|ply| (192.0 - 2.0 * f64::from(ply)).log10()).sum();
    vec![
        near("plies per game", 60.0, plies, ends_of_plies),
        near("mean number of moves", 135.0, breadth, ends_of_breadth),
        judged(
            "breadth to the power of depth, from the paper's own two",
            "6.60e127",
            format!("135^60 = {}", scientific(printed)),
            1,
            if (printed - 6.60_f64.log10() - 127.0).abs() < 0.001 { Verdict::Agrees } else { Verdict::Differs },
            "the size follows from breadth and depth; its last digit is cut off, not rounded",
        ),
        row(
            "breadth to the power of depth, from ours",
            "6.60e127",
            scientific(power(breadth, plies)),
            games,
            None,
            "a power of two means: a few plies more or less are powers of ten",
        ),
        row(
            "sequences of 60 moves, counted",
            "6.60e127",
            format!("192 x 190 x ... x 74 = {}", scientific(sequences)),
            1,
            None,
            "every move fills a square, so the number of moves falls by two each ply; games that end earlier are not left out",
        ),
    ]
}

/// A power of ten as a number: 127.82 is 6.61e127.
fn scientific(log: f64) -> String {
    format!("{:.2}e{:.0}", 10_f64.powf(log.fract()), log.trunc())
}

/// Games of an agent with itself.
pub(super) fn self_play(
    agents: &Catalogue,
    game: &str,
    agent: &str,
    effort: Effort,
    follower: &mut Follower,
) -> Option<Results> {
    games_of(agents, game, [agent, agent], 2, effort, follower)
}

/// Games of two agents, colours alternating, after `opening` random plies.
pub(super) fn games_of(
    agents: &Catalogue,
    game: &str,
    pair: [&str; 2],
    opening: u32,
    effort: Effort,
    follower: &mut Follower,
) -> Option<Results> {
    let mut plan = Plan::duel(game, pair, Length::Games(effort.samples)).ok()?;
    plan.opening_plies = opening;
    plan.seed = mix(effort.seed);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let stop = follower.stop;
    run(&plan, agents, Vec::new(), threads, stop, &mut |_| {
        // The run looks at the flag itself.
        let _ = follower.sample();
        Ok(())
    })
    .ok()
}

/// Pentago-Twist: what ordering and the removal of equal boards bring, and how long three and four plies take.
pub fn twist_depths(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    const GAME: &str = "pentago-twist";
    const PLAIN: &str = "alphabeta(eval=e3,depth=3)";
    const OURS: &str = "pvs(eval=e3,exact=yes,depth=4)";
    let stop = follower.stop;
    let positions = positions(GAME, 8, effort);
    let samples = positions.len() as u64;
    let mut rows = Vec::new();
    for depth in 2..=3 {
        let [plain, ours] =
            [format!("alphabeta(eval=e3,depth={depth})"), format!("pvs(eval=e3,exact=yes,depth={depth})")]
                .map(|agent| nodes_of(agents, &agent, &positions, stop));
        if follower.sample() {
            return Vec::new();
        }
        let text =
            format!("natural order {:.0}, ordered and without equal boards {:.0} nodes", mean(&plain), mean(&ours));
        rows.push(fewer(format!("depth {depth}"), "ordering and duplicates would help", text, [&ours, &plain]));
    }
    // Without any order four plies take minutes per position.
    let text = format!("ordered and without equal boards {:.0} nodes", mean_nodes(agents, OURS, &positions, stop));
    rows.push(row("depth 4", "-", text, samples, None, "no number is printed; the natural order is not tried"));
    let slowest = |agent: &str| {
        let choices = positions.iter().filter_map(|table| think(agents, agent, &**table, stop));
        choices.map(|choice| choice.elapsed.as_secs_f64()).fold(0.0, f64::max)
    };
    for (what, paper, agent) in [
        ("depth 3 in the natural order", "fits two seconds", PLAIN),
        ("depth 4, ordered and without equal boards", "is key", OURS),
    ] {
        let ours = format!("slowest {:.2} s", slowest(agent));
        if follower.sample() {
            return Vec::new();
        }
        let reason = format!("{BY_THE_CLOCK}, and times of other machines are not compared");
        rows.push(row(what, paper, ours, samples, None, &reason));
    }
    rows
}
