//! The cost of searches: nodes by depth, and the depth they reach.

use quintet_agent::Catalogue;
use quintet_arena::{Length, Openings, Plan, Results, run};
use quintet_game::bits::mix;
use quintet_game::{AnyLine, GameSpec, Limit, Stop};
use quintet_search::Choice;

use super::{BY_THE_CLOCK, Effort, Follower, Measured, row};

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

/// An agent's choice in a game.
pub(super) fn think(agents: &Catalogue, agent: &str, table: &dyn AnyLine, stop: &Stop) -> Option<Choice<String>> {
    let mut seat = agents.seat(&table.spec(), agent, 1).ok()?;
    seat.think(table, &Limit::default(), stop, &mut |_| {}).ok()
}

/// The nodes of an agent in each position.
pub(super) fn nodes(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> Vec<f64> {
    let choices = positions.iter().filter_map(|table| think(agents, agent, &**table, stop));
    choices.map(|choice| choice.nodes as f64).collect()
}

/// The mean nodes of an agent over positions.
pub(super) fn mean_nodes(agents: &Catalogue, agent: &str, positions: &[Box<dyn AnyLine>], stop: &Stop) -> f64 {
    nodes(agents, agent, positions, stop).iter().sum::<f64>() / positions.len().max(1) as f64
}

/// Pentago: three plies were too many in 2012.
pub fn pentago_minimax(agents: &Catalogue, follower: &mut Follower) -> Vec<Measured> {
    const GAME: &str = "pentago(rules=turn-first)";
    let Ok(spec) = GameSpec::parse(GAME) else { return Vec::new() };
    let mut rows = Vec::new();
    for (plies, paper, printed) in
        [(1, "-", None), (2, "-", None), (3, "250^3 = 15.6 million, too slow", Some(15_625_000.0))]
    {
        let boards = spec.line().perft(plies, &mut |_, _| {});
        let near = printed.map(|printed: f64| (boards as f64 / printed).max(printed / boards as f64) < 2.0);
        let why =
            if near.is_some() { "within a factor of two of the paper's estimate" } else { "no number is printed" };
        rows.push(row(format!("{plies} plies"), paper, format!("{boards} move sequences"), 1, near, why));
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

/// Pathwayz: how wide and how long games are.
pub fn pathwayz_complexity(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let Some(results) = self_play(agents, "pathwayz", "pathwayz:beam", effort, follower) else { return Vec::new() };
    let games = results.games.len() as u64;
    let plies: usize = results.games.iter().map(|played| played.plies).sum();
    let plies = plies as f64 / games.max(1) as f64;
    // Two moves for every empty square: 192 at first, two fewer every ply.
    let breadth = 193.0 - plies;
    let near = |ours: f64, paper: f64| Some((ours / paper - 1.0).abs() <= 0.2);
    let why = "within 20 %; self-play of the beam with the hand-made evaluation, until the trained one is there";
    vec![
        row("plies per game", "60", format!("{plies:.1}"), games, near(plies, 60.0), why),
        row("mean number of moves", "135", format!("{breadth:.1}"), games, near(breadth, 135.0), why),
    ]
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

/// Pentago-Twist: what ordering and the removal of equal boards bring.
pub fn twist_depths(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let stop = follower.stop;
    const GAME: &str = "pentago-twist";
    let positions = positions(GAME, 8, effort);
    let samples = positions.len() as u64;
    let mut rows = Vec::new();
    for depth in 2..=4 {
        // Without any order four plies take minutes per position.
        let plain =
            (depth < 4).then(|| mean_nodes(agents, &format!("alphabeta(eval=e3,depth={depth})"), &positions, stop));
        let ours = mean_nodes(agents, &format!("pvs(eval=e3,exact=yes,depth={depth})"), &positions, stop);
        if follower.sample() {
            return Vec::new();
        }
        let nodes = plain.map_or("not tried".into(), |plain| format!("{plain:.0}"));
        let text = format!("natural order {nodes}, ordered and without equal boards {ours:.0} nodes");
        let holds = plain.map(|plain| ours < plain);
        rows.push(row(
            format!("depth {depth}"),
            "ordering and duplicates would help",
            text,
            samples,
            holds,
            "whether it takes fewer nodes",
        ));
    }
    let slowest = positions.iter().filter_map(|table| think(agents, "pvs(eval=e3,exact=yes,depth=4)", &**table, stop));
    let slowest = slowest.map(|choice| choice.elapsed.as_secs_f64()).fold(0.0, f64::max);
    if follower.sample() {
        return Vec::new();
    }
    rows.push(row(
        "depth 4 under two seconds",
        "depth 4 is key",
        format!("slowest {slowest:.2} s"),
        samples,
        Some(slowest < 2.0),
        BY_THE_CLOCK,
    ));
    rows
}
