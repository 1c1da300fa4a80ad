//! The learning of the Pentago paper: evolved weights, and values of buckets.

use std::cmp::Ordering;
use std::hint::black_box;
use std::time::Instant;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, difference, judge_claim, judge_score, ratio};
use quintet_eval::pentago::{Buckets, Hash, weights35};
use quintet_game::bits::mix;
use quintet_game::pentago::{Pentago, Position};
use quintet_game::{Game, Rng, SeedableRng};

use super::trained::{BASELINES, RULES, Rates, Side, TrainingBudget, Who, duel, train};
use super::{BY_THE_CLOCK, Effort, Follower, Measured, judged, larger};

/// One choice of parameters: its name, the recipe, and the changes to it.
#[derive(Clone)]
struct Kind {
    what: String,
    token: &'static str,
    with: Vec<(&'static str, String)>,
}

impl Kind {
    fn new(what: impl Into<String>, token: &'static str, with: &[(&'static str, &str)]) -> Kind {
        let with = with.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        Kind { what: what.into(), token, with }
    }

    /// The parameters with the training games of the budget.
    fn parameters(&self, budget: &TrainingBudget) -> Vec<(&'static str, String)> {
        let mut with = self.with.clone();
        let games = match with.iter().position(|(key, _)| *key == "games") {
            Some(at) => with.remove(at).1.parse().unwrap_or(GAMES),
            None => GAMES,
        };
        with.push(("games", budget.training(games)));
        with
    }

    fn rules(&self) -> &str {
        self.with.iter().find(|(key, _)| *key == "game").map_or(RULES[0], |(_, game)| game)
    }
}

/// The paper's training games.
const GAMES: u64 = 2000;

/// Trains each kind and plays it against the baselines. Returns the results against each, by kind.
fn against_baselines(
    agents: &Catalogue,
    kinds: &[Kind],
    budget: TrainingBudget,
    follower: &mut Follower,
) -> Vec<[Rates; BASELINES.len()]> {
    let tasks: Vec<(&Kind, u64)> =
        kinds.iter().flat_map(|kind| (0..budget.trainings).map(move |training| (kind, training))).collect();
    let stop = follower.stop;
    let play = |(kind, training): &(&Kind, u64)| {
        let seed = budget.seed(*training);
        let (weights, _) = train(agents, kind.token, &kind.parameters(&budget), seed, stop)?;
        let side = Side { who: Who::Learned(&weights), random: 0 };
        let results =
            BASELINES.map(|(_, baseline)| duel(agents, kind.rules(), [side, baseline], budget.games, mix(seed)));
        Some(results.map(Option::unwrap_or_default))
    };
    let results = budget.spread(&tasks, play, follower);
    let of_kind = |results: &[Option<[_; BASELINES.len()]>]| {
        std::array::from_fn(|at| Rates(results.iter().flatten().map(|both| both[at]).collect()))
    };
    results.chunks(budget.trainings as usize).map(of_kind).collect()
}

/// The row of a win rate.
fn rate_row(what: String, paper: &str, rates: &Rates, verdict: Verdict, reason: String) -> Measured {
    Measured { interval: rates.interval(), ..judged(what, paper, rates.say(), rates.total().n(), verdict, &reason) }
}

/// The best parameters of the paper, trained again and again; by the letter of its hash; and under the other rules.
pub fn best(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let kinds = [
        Kind::new("trained anew", "pentago:mdp", &[]),
        Kind::new("trained anew, hash without shift", "pentago:mdp", &[("shifted", "false")]),
        Kind::new("trained anew, standard rules", "pentago:mdp", &[("game", RULES[1])]),
        // A player that knows only endings: it takes a win in one move and makes no five for the other side.
        Kind::new("not trained at all", "pentago:mdp", &[("games", "0")]),
    ];
    let budget = TrainingBudget::new(effort);
    let results = against_baselines(agents, &kinds, budget, follower);
    let mut rows = Vec::new();
    for (number, (kind, results)) in kinds.iter().zip(&results).enumerate() {
        for ((opponent, _), (rates, printed)) in BASELINES.iter().zip(results.iter().zip([0.96, 0.30])) {
            let (verdict, reason) = match (number, rates.interval()) {
                (0, Some(interval)) => judge_score(printed, (rates.won(), interval)),
                (0, None) => (Verdict::TooFewGames, "no interval".into()),
                _ => {
                    let gap = 100.0 * (rates.won() - printed);
                    (Verdict::OursOnly, format!("{gap:+.1} points from the paper's, under other conditions"))
                }
            };
            let opponent = if *opponent == "greedy" { "greedy after three random moves" } else { opponent };
            let paper = format!("{:.0} %", 100.0 * printed);
            rows.push(rate_row(format!("{}: v {opponent}", kind.what), &paper, rates, verdict, reason));
        }
    }
    rows
}

/// The paper's point, and all that differ from it in one of the five parameters.
fn sweep_kinds() -> Vec<Kind> {
    const SWEEP: [(&str, &str, &[&str]); 5] = [
        ("buckets", "buckets", &["100", "500", "1000", "3000", "10000"]),
        ("games", "games", &["250", "500", "1000", "4000", "8000"]),
        ("discount", "gamma", &["0.5", "0.8", "0.95", "0.99"]),
        ("tolerance", "tau", &["0.1", "0.01"]),
        ("random moves", "epsilon", &["0.0", "0.1", "0.3", "0.5"]),
    ];
    let others = SWEEP.into_iter().flat_map(|(name, key, values)| {
        values.iter().map(move |value| Kind::new(format!("{name} {value}"), "pentago:mdp", &[(key, *value)]))
    });
    std::iter::once(Kind::new("the paper's point", "pentago:mdp", &[])).chain(others).collect()
}

/// The five parameters, one at a time.
pub fn sweep(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let kinds = sweep_kinds();
    let budget = TrainingBudget::new(effort);
    let results = against_baselines(agents, &kinds, budget, follower);
    let mut rows = Vec::new();
    let mut best = 0;
    for (at, (kind, [random, greedy])) in kinds.iter().zip(&results).enumerate() {
        let reason = format!("v random; v greedy after three random moves {}", greedy.say());
        rows.push(rate_row(kind.what.clone(), "-", random, Verdict::OursOnly, reason));
        if at > 0 && (best == 0 || random.won() > results[best][0].won()) {
            best = at;
        }
    }
    let [papers, other] = [0, best].map(|at| Some((results[at][0].won(), results[at][0].interval()?)));
    // Trainings differ by more than the games of one of them show.
    let (verdict, found) = match papers.zip(other).filter(|_| budget.trainings > 1) {
        None => (Verdict::TooFewGames, "one training of each is too few".into()),
        Some((papers, other)) => {
            let apart = difference(papers, other);
            (larger(apart), format!("the difference is {:+.0} to {:+.0} points", 100.0 * apart.low, 100.0 * apart.high))
        }
    };
    let ours = format!("best of the others v random: {}, {:.1} %", kinds[best].what, 100.0 * results[best][0].won());
    let reason = format!("the paper's point against the best of the others, whole interval: {found}");
    rows.push(judged("the paper's point is the best", "the best found", ours, effort.samples, verdict, &reason));
    rows
}

/// Boards of random games that go on.
fn boards(seed: u64, count: usize) -> Vec<Position> {
    let game = Pentago::turn_first();
    let mut rng = Rng::seed_from_u64(seed);
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut pos = game.start();
        while game.outcome(&pos).is_none() && boards.len() < count {
            boards.push(pos);
            let mv = game.random_move(&pos, &mut rng);
            game.play(&mut pos, mv);
        }
    }
    boards
}

/// Nanoseconds per board in each of some rounds, including the test for the end that every hash starts with.
fn nanoseconds(hash: Hash, boards: &[Position]) -> Vec<f64> {
    let game = Pentago::turn_first();
    let Ok(buckets) = Buckets::new(hash, 1500, true) else { return Vec::new() };
    let round = |_| {
        let start = Instant::now();
        let sum: usize = boards.iter().map(|pos| buckets.of(&game, pos)).sum();
        black_box(sum);
        start.elapsed().as_secs_f64() * 1e9 / boards.len() as f64
    };
    (0..20).map(round).collect()
}

/// The fastest round: whatever else the machine does makes it only longer.
fn fastest(rounds: &[f64]) -> f64 {
    rounds.iter().copied().fold(f64::INFINITY, f64::min)
}

/// How different a hash is: a row of times, and rows of win rates.
fn hash_rows(agents: &Catalogue, kinds: &[Kind], effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let results = against_baselines(agents, kinds, TrainingBudget::new(effort), follower);
    let mut rows = Vec::new();
    for (kind, results) in kinds.iter().zip(&results) {
        for ((opponent, _), rates) in BASELINES.iter().zip(results) {
            let reason = if *opponent == "greedy" { "after three random moves" } else { "games won" };
            rows.push(rate_row(format!("{}: v {opponent}", kind.what), "-", rates, Verdict::OursOnly, reason.into()));
        }
    }
    rows
}

/// Both hashes of the paper: what they cost and how they play.
pub fn hashes(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let kinds = [Kind::new("hash 1", "pentago:mdp", &[]), Kind::new("hash 2", "pentago:mdp2", &[])];
    let mut rows = hash_rows(agents, &kinds, effort, follower);
    let boards = boards(effort.seed, 20_000);
    let [one, two] = [Hash::Places, Hash::Streaks].map(|hash| nanoseconds(hash, &boards));
    let rounds: Vec<(f64, f64)> = two.iter().copied().zip(one.iter().copied()).collect();
    let (times, Interval { low, high }) =
        ratio(&rounds).unwrap_or((f64::NAN, Interval { low: 0.0, high: f64::INFINITY }));
    let verdict = larger(Interval { low: low - 1.0, high: high - 1.0 });
    let ours = format!(
        "hash 1 {:.1}, hash 2 {:.1} ns per board: {times:.1} times ({low:.1}-{high:.1})",
        fastest(&one),
        fastest(&two),
    );
    let paper = "the first hash is very fast, the second prohibitively slow";
    let reason = format!("{BY_THE_CLOCK}; holds if the whole interval of the ratio over rounds lies above 1");
    rows.push(judged("time per board", paper, ours, boards.len() as u64, verdict, &reason));
    rows
}

/// The hash that the authors wish for: buckets by a learned evaluation.
pub fn learned_hash(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let kinds = [Kind::new("hash 1", "pentago:mdp", &[]), Kind::new("hash by evaluation", "pentago:mdp3", &[])];
    let mut rows = hash_rows(agents, &kinds, effort, follower);
    let boards = boards(effort.seed, 20_000);
    let learned = Hash::numbered(3, Some(&weights35())).map_or(f64::NAN, |hash| fastest(&nanoseconds(hash, &boards)));
    let first = fastest(&nanoseconds(Hash::Places, &boards));
    let ours = format!("hash 1 {first:.1}, by evaluation {learned:.1} ns per board");
    rows.push(judged(
        "time per board",
        "smart and quick",
        ours,
        boards.len() as u64,
        Verdict::OursOnly,
        "by the clock",
    ));
    rows
}

/// The memory of both models by buckets and games, in our sparse form and as whole matrices.
pub fn memory(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let budget = TrainingBudget::new(effort);
    let cells: Vec<(u64, u64)> = [100, 1000, 1500, 10_000]
        .into_iter()
        .flat_map(|buckets| [1000, 2000, 5000].map(|games| (buckets, games)))
        .collect();
    let stop = follower.stop;
    let bytes = |(buckets, games): &(u64, u64)| {
        let with = [("buckets", buckets.to_string()), ("games", budget.training(*games))];
        let (weights, _) = train(agents, "pentago:mdp", &with, budget.seed(0), stop)?;
        weights.made.notes.get("bytes")?.parse::<f64>().ok()
    };
    let results = budget.spread(&cells, bytes, follower);
    let mib = |bytes: f64| bytes / f64::from(1 << 20);
    let of_cell = |((buckets, games), bytes): (&(u64, u64), &Option<f64>)| {
        let bytes = bytes.unwrap_or(f64::NAN);
        let dense = mib(2.0 * 8.0 * (*buckets as f64).powi(2));
        let ours = format!("{:.2} MiB; whole matrices {dense:.1} MiB", mib(bytes));
        let (paper, verdict, reason) = if (*buckets, *games) == (1000, 5000) {
            // Any iMac of that year had far more than a gigabyte. No game fills more than the whole matrices: a bound, not a sample.
            let verdict = if dense > 1024.0 { Verdict::CannotBeCompared } else { Verdict::Differs };
            (
                "all memory of an iMac",
                verdict,
                "whole matrices are the most that any games can fill; every computer of 2012 had a gigabyte",
            )
        } else {
            ("-", Verdict::OursOnly, "both seats")
        };
        judged(format!("{buckets} buckets, {games} games"), paper, ours, *games, verdict, reason)
    };
    cells.iter().zip(&results).map(of_cell).collect()
}

/// More games and more buckets against the paper's: trainings play each other one by one, each seat's first move at random.
pub fn more_compute(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let budget = TrainingBudget::new(effort);
    let kinds = [
        Kind::new("10 times the games", "pentago:mdp", &[("games", "20000")]),
        Kind::new("10 times the buckets", "pentago:mdp", &[("buckets", "15000")]),
        Kind::new("10 times both", "pentago:mdp", &[("games", "20000"), ("buckets", "15000")]),
    ];
    let plain = Kind::new("the paper's", "pentago:mdp", &[]);
    let tasks: Vec<(&Kind, u64)> =
        kinds.iter().flat_map(|kind| (0..budget.trainings).map(move |training| (kind, training))).collect();
    let stop = follower.stop;
    let meet = |(kind, training): &(&Kind, u64)| {
        let seed = budget.seed(*training);
        let learned =
            |kind: &Kind| train(agents, kind.token, &kind.parameters(&budget), seed, stop).map(|(weights, _)| weights);
        let (more, less) = (learned(kind)?, learned(&plain)?);
        let sides = [&more, &less].map(|weights| Side { who: Who::Learned(weights), random: 1 });
        duel(agents, RULES[0], sides, budget.games, mix(seed))
    };
    let results = budget.spread(&tasks, meet, follower);
    let of_kind = |(kind, results): (&Kind, &[Option<_>])| {
        let rates = Rates(results.iter().flatten().copied().collect());
        // One training of each is not enough, however many games they play.
        let (verdict, reason) = match budget.trainings {
            1 => (Verdict::TooFewGames, "one training of each is too few".into()),
            _ => judge_claim(Ordering::Greater, 0.5, rates.interval()),
        };
        rate_row(format!("{} v the paper's", kind.what), "plays much better", &rates, verdict, reason)
    };
    kinds.iter().zip(results.chunks(budget.trainings as usize)).map(of_kind).collect()
}

/// How far the evolving weights go: the root of the mean square over weights, in deviations.
pub fn weights(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let budget = TrainingBudget::new(effort);
    let trainings: Vec<u64> = (0..budget.trainings).collect();
    let stop = follower.stop;
    let evolve = |training: &u64| {
        let with = [("games", budget.training(2 * GAMES))];
        train(agents, "pentago:evolved", &with, budget.seed(*training), stop)
    };
    let runs: Vec<_> = budget.spread(&trainings, evolve, follower).into_iter().flatten().collect();
    let mean = |of: &dyn Fn(&(_, Vec<quintet_learn::Metric>)) -> f64| {
        runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64
    };
    let distance_at = |part: usize| {
        mean(&|(_, metrics)| {
            let at = (metrics.len() * part / 16).max(1) - 1;
            metrics.get(at).and_then(|metric| metric.values.get("distance/from the start")).copied().unwrap_or(f64::NAN)
        })
    };
    let taken = mean(&|(_, metrics)| {
        let shares = metrics.iter().filter_map(|metric| metric.values.get("taken/share"));
        shares.sum::<f64>() / metrics.len().max(1) as f64
    });
    let parts = [1, 2, 4, 8, 16];
    let mut rows: Vec<Measured> = parts
        .iter()
        .map(|part| {
            let games = 2 * GAMES * *part as u64 / 16;
            let ours = format!("{:.1} deviations", distance_at(*part));
            judged(
                format!("distance from the start after {games} games"),
                "hoped to converge",
                ours,
                budget.trainings,
                Verdict::OursOnly,
                "mean over trainings",
            )
        })
        .collect();
    let growth = (distance_at(16) / distance_at(4)).log2() / 2.0;
    let ours = format!("distance grows as games to the power {growth:.2}; {:.0} % of deviations taken", 100.0 * taken);
    rows.push(judged(
        "growth from 1000 to 4000 games",
        "hoped to converge",
        ours,
        budget.trainings,
        Verdict::OursOnly,
        "0 if it has converged, 0.5 for a random walk",
    ));
    rows
}
