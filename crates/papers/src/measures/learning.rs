//! The results of learning: weights, and players that are trained on the spot.

use std::cmp::Ordering;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, Wdl, difference, judge_claim};
use quintet_arena::{Length, Plan, run};
use quintet_eval::pathwayz::{FeatureSet, Mode, Set, Staged};
use quintet_eval::{Evaluate, Features, Linear, Weights};
use quintet_game::bits::mix;
use quintet_game::pathwayz::Pathwayz;
use quintet_game::record::Record;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Player, Rng, SeedableRng};
use quintet_learn::{Product, Recipes, TrainContext};
use quintet_search::{Ends, Greedy, Quiet, Search};

use super::{Effort, Follower, Measured, judged, larger};

/// The fifteen largest weights after training as the paper draws them, read off its logarithmic axis.
const FIGURE_6: [(&str, f64); 15] = [
    ("ahead", 160.0),
    ("onlyTurnAway", 115.0),
    ("futureAhead", 113.0),
    ("myOneTurnAway", 112.0),
    ("yourOneTurnAway", -100.0),
    ("diffLongestPath", 85.0),
    ("myLongestPathSquared", 83.0),
    ("myLongestPath", 62.0),
    ("yourLongestPathSquared", -58.0),
    ("myLongestFuturePathSquared", 52.0),
    ("diffLongestFuturePath", 48.0),
    ("myLongestFuturePath", 45.0),
    ("blockedYou", 40.0),
    ("yourLongestPath", -31.0),
    ("myLongestPermPath", 30.0),
];

/// Random plies before trained players meet, so that their games do not repeat.
const OPENING: usize = 4;

/// What could not be measured, and why.
fn failed(why: impl std::fmt::Display) -> Vec<Measured> {
    vec![judged("the measurement", "-", "none".into(), 0, Verdict::CannotBeCompared, &why.to_string())]
}

fn of(holds: bool) -> Verdict {
    if holds { Verdict::Agrees } else { Verdict::Differs }
}

/// Fig. 6: signs and order of the largest weights. The figure shows a 53rd feature, so it is compared with the weights of the 53.
pub fn top_weights(agents: &Catalogue, follower: &mut Follower) -> Vec<Measured> {
    let weights = match agents.weight_store().weights("pathwayz:tdl53") {
        Ok(weights) => weights,
        Err(error) => return failed(error),
    };
    let mut rows = Vec::new();
    let (mut printed, mut learned) = (Vec::new(), Vec::new());
    for (name, paper) in FIGURE_6 {
        let ours = weights.number(name).unwrap_or(0.0);
        printed.push(paper.abs());
        learned.push(ours.abs());
        let same = ours * paper > 0.0;
        rows.push(judged(
            name,
            &format!("{paper:.0}"),
            format!("{ours:.1}"),
            1,
            of(same),
            "whether the sign is the same",
        ));
        if follower.sample() {
            return Vec::new();
        }
    }
    let same = rows.iter().filter(|row| row.verdict == Verdict::Agrees).count();
    let signs = format!("{same} of 15");
    rows.push(judged("equal signs", "15 of 15", signs, 15, of(same >= 13), "13 are required"));
    let rho = spearman(&printed, &learned);
    // Fisher's interval of a rank correlation.
    let half = 1.96 * 1.06 / (printed.len() as f64 - 3.0).sqrt();
    let interval = Interval { low: (rho.atanh() - half).tanh(), high: (rho.atanh() + half).tanh() };
    let order = format!("{rho:.2} ({:.2} to {:.2})", interval.low, interval.high);
    let reason = "a whole interval above 0 is required";
    rows.push(judged("rank correlation of the sizes", "the figure's order", order, 15, larger(interval), reason));
    rows
}

/// The rank of each number among all, the smallest 0; equal numbers share the mean of their ranks.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |x: f64| {
        let below = numbers.iter().filter(|other| **other < x).count();
        let equal = numbers.iter().filter(|other| **other == x).count();
        below as f64 + (equal as f64 - 1.0) / 2.0
    };
    numbers.iter().map(|x| rank(*x)).collect()
}

/// Spearman's rank correlation; 0 where one side is all equal.
fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let centred = |numbers: &[f64]| {
        let ranks = ranks(numbers);
        let mean = ranks.iter().sum::<f64>() / ranks.len() as f64;
        ranks.into_iter().map(|rank| rank - mean).collect::<Vec<f64>>()
    };
    let (a, b) = (centred(a), centred(b));
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    if scale == 0.0 { 0.0 } else { product(&a, &b) / scale }
}

/// The other players of the bracket, except tree search, which takes minutes per game.
const OTHERS: [&str; 6] = [
    "pathwayz:baseline",
    "pathwayz:adv-baseline",
    "pathwayz:minimax",
    "pathwayz:beam",
    "pathwayz:beam52",
    "pathwayz:beam440",
];

/// Whether 52 does better than 440 against the others.
pub fn overfit(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let mut sums = [Wdl::default(); 2];
    let mut rows = Vec::new();
    for other in OTHERS {
        let mut both = Vec::new();
        for (sum, agent) in sums.iter_mut().zip(["pathwayz:tdl52", "pathwayz:tdl440"]) {
            let played = Plan::duel("pathwayz", [agent, other], Length::Games(effort.samples))
                .map_err(|error| error.to_string())
                .and_then(|plan| {
                    let plan = Plan { seed: effort.seed, ..plan };
                    run(&plan, agents, Vec::new(), 1, follower.stop, &mut |_| Ok(())).map_err(|error| error.to_string())
                });
            let wdl = match played {
                Ok(results) => results.wdl(0, 1),
                Err(error) => return failed(error),
            };
            sum.wins += wdl.wins;
            sum.draws += wdl.draws;
            sum.losses += wdl.losses;
            both.push(percent(wdl));
            if follower.sample() {
                return Vec::new();
            }
        }
        let ours = format!("tdl52 {}, tdl440 {}", both[0], both[1]);
        rows.push(judged(format!("against {other}"), "-", ours, 2 * effort.samples, Verdict::OursOnly, "scores"));
    }
    let [few, many] = sums.map(|sum| sum.summary().map(|summary| (summary.score(), summary.interval())));
    let verdict = few.zip(many).map_or(Verdict::TooFewGames, |(few, many)| larger(difference(few, many)));
    let ours = format!("tdl52 {}, tdl440 {}", percent(sums[0]), percent(sums[1]));
    let reason = "whether the interval of the difference of the two mean scores lies above 0; tree search, the seventh, is left out for its time";
    rows.push(judged("against all others", "52 does better", ours, sums[0].n() + sums[1].n(), verdict, reason));
    rows
}

fn percent(wdl: Wdl) -> String {
    match wdl.summary() {
        Some(summary) => format!("{:.1} % {}", 100.0 * summary.score(), summary.interval()),
        None => "no games".into(),
    }
}

/// Learns a recipe with some parameters changed.
fn learn(
    agents: &Catalogue,
    recipe: &str,
    set: impl IntoIterator<Item = (&'static str, toml::Value)>,
    seed: u64,
    follower: &mut Follower,
) -> Result<Weights, String> {
    let mut recipe = Recipes::embedded().find(recipe).cloned().ok_or("there is no such recipe.")?;
    recipe.with.extend(set.into_iter().map(|(key, value)| (key.to_owned(), value)));
    let context = TrainContext { agents, threads: 1, stop: follower.stop };
    let mut pipeline = recipe.start(seed, None).map_err(|error| error.to_string())?;
    while !pipeline.progress().finished() {
        // A step looks at the flag itself.
        pipeline.step(&context).map_err(|error| error.to_string())?;
        let _ = follower.sample();
    }
    match pipeline.product() {
        Product::Weights(weights) => Ok(weights),
        Product::File { .. } => Err("it does not learn weights.".into()),
    }
}

/// The reflex player over some weights of a feature set.
fn reflex(set: Set, weights: &Weights, seed: u64) -> Result<Box<dyn Search<Pathwayz>>, String> {
    let features = FeatureSet::new(set, Mode::Printed);
    let weights = weights.in_order(features.names())?;
    let eval: Box<dyn Evaluate<Pathwayz>> = match set {
        Set::FourForty => Box::new(Staged::new(features, &weights)),
        _ => Box::new(Linear::new(features, weights)),
    };
    Ok(Box::new(Greedy::new(eval, Ends::on_top(1e6), Some(seed))))
}

type Reflex = Box<dyn Search<Pathwayz>>;

/// Games of two players from random openings, each with both colours, as long as `go_on` says so after each.
fn duel(
    games: u64,
    seed: u64,
    players: impl Fn(u64) -> Result<[Reflex; 2], String>,
    mut go_on: impl FnMut(&Line<Pathwayz>) -> bool,
) -> Result<Wdl, String> {
    let game = Arc::new(Pathwayz::new(8, 12));
    let mut wdl = Wdl::default();
    for number in 0..games {
        let mut line = Line::new(game.clone());
        let mut rng = Rng::seed_from_u64(mix(seed ^ mix(number / 2)));
        (0..OPENING).for_each(|_| line.play(game.random_move(line.position(), &mut rng)));
        let mut players = players(mix(mix(seed ^ mix(number)) ^ 1))?;
        let seat = Player::BOTH[(number % 2) as usize];
        let outcome = loop {
            if let Some(outcome) = line.outcome() {
                break outcome;
            }
            let player = usize::from(line.to_move() != seat);
            line.play(players[player].think(&line, &Limit::default(), &mut Quiet).mv);
        };
        match outcome {
            Outcome::Draw => wdl.draws += 1,
            Outcome::Win(winner) if winner == seat => wdl.wins += 1,
            Outcome::Win(_) => wdl.losses += 1,
        }
        if !go_on(&line) {
            break;
        }
    }
    Ok(wdl)
}

fn scored(what: &str, paper: &str, wdl: Wdl, verdict: Verdict, reason: &str) -> Measured {
    let interval = wdl.summary().map(|summary| summary.interval());
    Measured { interval, ..judged(what, paper, percent(wdl), wdl.n(), verdict, reason) }
}

/// Learning from games of others: those of the beam stand in for people's. The student starts with zero weights.
pub fn train_people(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    from_records(agents, effort, follower).unwrap_or_else(failed)
}

fn from_records(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Result<Vec<Measured>, String> {
    let spec = GameSpec::parse("pathwayz").map_err(|error| error.to_string())?;
    let mut records = Vec::new();
    let teacher = |seed| -> Result<Reflex, String> {
        let built = agents.search(&spec, "pathwayz:beam", seed);
        Ok(built.map_err(|error| error.to_string())?.0)
    };
    duel(
        effort.samples,
        effort.seed,
        |seed| Ok([teacher(seed)?, teacher(mix(seed))?]),
        |line| {
            records.extend(record(&spec, line).map(toml::Value::String));
            !follower.sample()
        },
    )?;
    let (games, count) = (4 * records.len() as i64, records.len());
    let set = [("start", "zero".into()), ("from", toml::Value::Array(records)), ("games", games.into())];
    let learned = learn(agents, "pathwayz:tdl52", set, effort.seed, follower)?;
    let start =
        Weights { values: learned.values.keys().map(|name| (name.clone(), vec![0.0])).collect(), ..learned.clone() };
    let against = |other: &Weights| {
        let players = |seed| Ok([reflex(Set::FiftyTwo, &learned, seed)?, reflex(Set::FiftyTwo, other, mix(seed))?]);
        duel(effort.samples.min(400), mix(effort.seed), players, |_| !follower.stop.stopped())
    };
    let wdl = against(&start)?;
    let (verdict, why) = judge_claim(Ordering::Greater, 0.5, wdl.summary().map(|summary| summary.interval()));
    let hand = FeatureSet::new(Set::FiftyTwo, Mode::Printed);
    let hand = Weights::linear("pathwayz-52", hand.names().iter().map(String::as_str).zip(hand.starting_weights()));
    let reason = format!("four times through {count} games of the beam, both sides; {why}");
    Ok(vec![
        scored("trained from records v its start, all weights 0", "wished for", wdl, verdict, &reason),
        scored("trained from records v weights set by hand", "-", against(&hand)?, Verdict::OursOnly, "no claim"),
    ])
}

/// A game as a record.
fn record(spec: &GameSpec, line: &Line<Pathwayz>) -> Option<String> {
    use quintet_game::Notation;
    let mut table = spec.line();
    line.moves().try_for_each(|mv| table.try_play(&line.game().write_move(mv)).map(|_| ())).ok()?;
    Some(Record::of(&*table, ["pathwayz:beam", "pathwayz:beam"], None).to_string())
}

/// The sizes between 52 and 440 to try.
const SIZES: [usize; 4] = [52, 110, 220, 330];

/// Feature selection: those whose weight times spread is largest are kept, trained again, and matched against all 440.
pub fn feature_count(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    chosen_features(agents, effort, follower).unwrap_or_else(failed)
}

fn chosen_features(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Result<Vec<Measured>, String> {
    let all = agents.weight_store().weights("pathwayz:tdl440").map_err(|error| error.to_string())?;
    let ranked = by_importance(&all, effort.seed)?;
    let mut rows = Vec::new();
    for size in SIZES {
        let only = ranked[..size].iter().map(|name| toml::Value::String(name.clone())).collect();
        let set = [
            ("only", toml::Value::Array(only)),
            ("start", "pathwayz:tdl440".into()),
            ("games", (effort.samples as i64).into()),
            ("last-games", 0.into()),
        ];
        let learned = learn(agents, "pathwayz:tdl440", set, effort.seed, follower)?;
        let players = |seed| Ok([reflex(Set::FourForty, &learned, seed)?, reflex(Set::FourForty, &all, mix(seed))?]);
        let wdl =
            duel(effort.samples.clamp(40, 400), mix(effort.seed ^ size as u64), players, |_| !follower.stop.stopped())?;
        let reason = format!("kept by |weight| x spread, trained for {} more games", effort.samples);
        rows.push(scored(&format!("{size} features v all 440"), "wished for", wdl, Verdict::OursOnly, &reason));
    }
    Ok(rows)
}

/// The names of the features, sorted by their effect on the value: |weight| times standard deviation over positions of play.
fn by_importance(weights: &Weights, seed: u64) -> Result<Vec<String>, String> {
    let features = FeatureSet::new(Set::FourForty, Mode::Printed);
    let count = features.names().len();
    let (mut sums, mut squares, mut n) = (vec![0.0; count], vec![0.0; count], 0.0);
    let players = |seed| Ok([reflex(Set::FourForty, weights, seed)?, reflex(Set::FourForty, weights, mix(seed))?]);
    duel(20, seed, players, |line| {
        let game = line.game();
        let mut pos = game.start();
        for mv in line.moves() {
            let view = game.to_move(&pos);
            game.play(&mut pos, mv);
            let mut values = vec![0.0; count];
            features.extract(game, &pos, view, &mut values);
            n += 1.0;
            for (i, value) in values.into_iter().enumerate() {
                sums[i] += value;
                squares[i] += value * value;
            }
        }
        true
    })?;
    let order = weights.in_order(features.names())?;
    let spread = |i: usize| (squares[i] / n - (sums[i] / n) * (sums[i] / n)).max(0.0).sqrt();
    let mut ranked: Vec<(f64, &String)> =
        features.names().iter().enumerate().map(|(i, name)| (order[i].abs() * spread(i), name)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(ranked.into_iter().map(|(_, name)| name.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlations_by_hand() {
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 15.0]), 0.5);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0);
        assert_eq!(spearman(&[1.0, 2.0], &[4.0, 4.0]), 0.0);
        assert_eq!(ranks(&[5.0, 7.0, 5.0]), [0.5, 2.0, 0.5]);
    }
}
