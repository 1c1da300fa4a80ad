//! Players of Pathwayz that are trained on the spot: from records, and with fewer features.

use std::cmp::Ordering;
use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Verdict, Wdl, judge_claim};
use quintet_eval::pathwayz::{FeatureSet, Mode, SetSize, Staged};
use quintet_eval::{Evaluate, Features, Linear, Weights};
use quintet_game::bits::mix;
use quintet_game::pathwayz::Pathwayz;
use quintet_game::record::Record;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Player, Rng, SeedableRng};
use quintet_learn::{Product, Recipes, TrainContext};
use quintet_search::{Ends, Greedy, Quiet, Search};

use super::{Effort, Follower, Measured, judged};

/// Random plies before trained players meet, so that their games do not repeat.
const OPENING: usize = 4;

/// What could not be measured, and why.
pub(super) fn failed(why: impl std::fmt::Display) -> Vec<Measured> {
    vec![judged("the measurement", "-", "none".into(), 0, Verdict::CannotBeCompared, &why.to_string())]
}

pub(super) fn percent(wdl: Wdl) -> String {
    match wdl.summary() {
        Some(summary) => format!("{:.1} % {}", 100.0 * summary.score(), summary.interval()),
        None => "no games".into(),
    }
}

/// Learns a recipe with some parameters changed: the last round of one that has several.
fn learn(
    agents: &Catalogue,
    recipe: &str,
    set: impl IntoIterator<Item = (&'static str, toml::Value)>,
    seed: u64,
    follower: &mut Follower,
) -> Result<Weights, String> {
    let mut recipe = Recipes::embedded().find(recipe).cloned().ok_or("there is no such recipe.")?;
    if let Some(toml::Value::Table(then)) = recipe.with.remove("then") {
        recipe.with.extend(then);
    }
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
fn reflex(set: SetSize, weights: &Weights, seed: u64) -> Result<Reflex, String> {
    reflex_in(Mode::Printed, set, weights, seed)
}

pub(super) fn reflex_in(mode: Mode, set: SetSize, weights: &Weights, seed: u64) -> Result<Reflex, String> {
    let features = FeatureSet::new(set, mode);
    let weights = weights.in_order(features.names())?;
    let eval: Box<dyn Evaluate<Pathwayz>> = match set {
        SetSize::FourForty => Box::new(Staged::new(features, &weights)),
        _ => Box::new(Linear::new(features, weights)),
    };
    Ok(Box::new(Greedy::new(eval, Ends::on_top(1e6), Some(seed))))
}

pub(super) type Reflex = Box<dyn Search<Pathwayz>>;

/// Games of two players from random openings, each with both colours, as long as `go_on` says so after each.
pub(super) fn duel(
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
        let players =
            |seed| Ok([reflex(SetSize::FiftyTwo, &learned, seed)?, reflex(SetSize::FiftyTwo, other, mix(seed))?]);
        duel(effort.samples.min(400), mix(effort.seed), players, |_| !follower.stop.stopped())
    };
    let wdl = against(&start)?;
    let (verdict, why) = judge_claim(Ordering::Greater, 0.5, wdl.summary().map(|summary| summary.interval()));
    let hand = FeatureSet::new(SetSize::FiftyTwo, Mode::Printed);
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
        let players =
            |seed| Ok([reflex(SetSize::FourForty, &learned, seed)?, reflex(SetSize::FourForty, &all, mix(seed))?]);
        let wdl =
            duel(effort.samples.clamp(40, 400), mix(effort.seed ^ size as u64), players, |_| !follower.stop.stopped())?;
        let reason = format!("kept by |weight| x spread, trained for {} more games", effort.samples);
        rows.push(scored(&format!("{size} features v all 440"), "wished for", wdl, Verdict::OursOnly, &reason));
    }
    Ok(rows)
}

/// The names of the features, sorted by their effect on the value: |weight| times standard deviation over positions of play.
fn by_importance(weights: &Weights, seed: u64) -> Result<Vec<String>, String> {
    let features = FeatureSet::new(SetSize::FourForty, Mode::Printed);
    let count = features.names().len();
    let (mut sums, mut squares, mut n) = (vec![0.0; count], vec![0.0; count], 0.0);
    let players =
        |seed| Ok([reflex(SetSize::FourForty, weights, seed)?, reflex(SetSize::FourForty, weights, mix(seed))?]);
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
