//! Pylos' support vector machine: how well it predicts unseen positions, which kernel is best, and which agents it beats.

use std::cmp::Ordering;
use std::sync::Arc;

use quintet_agent::{Catalogue, exact};
use quintet_arena::stats::{Wdl, judge_claim};
use quintet_arena::{Length, Plan, run};
use quintet_eval::pylos::{Kernel, Scorer, Svr};
use quintet_game::bits::mix;
use quintet_game::pylos::Pylos;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Player, Proof, Rng, SeedableRng, Stop};
use quintet_learn::svr::{Data, Fit, Sample, data, fit, quality};
use quintet_learn::{Recipe, Recipes, TrainContext};
use quintet_search::{Ends, Minimax, Quiet, Search};

use super::perfect::{is_solved, played};
use super::{Effort, Follower, Measured, judged, row};

const GAME: &str = "pylos(rules=expert-diag)";

/// The recipe, and the name of its weights.
const NAME: &str = "pylos:svm";

/// Separates the seeds of these measurements from those of the training.
const FRESH: u64 = 0x6672_6573_6820_6f6e;

/// The machine in the catalogue's weight store.
pub(super) fn machine(agents: &Catalogue) -> Option<Svr> {
    Svr::read(&*agents.weight_store().weights(NAME).ok()?).ok()
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The recipe with some of its parameters changed.
fn recipe(changes: &[(&str, &str)]) -> Option<Recipe> {
    let recipe = Recipes::embedded().find(NAME)?.clone();
    changes.iter().try_fold(recipe, |recipe, (key, value)| recipe.with(key, value).ok())
}

/// Records of games that no training has seen.
fn fresh(agents: &Catalogue, effort: Effort, changes: &[(&str, &str)], follower: &mut Follower) -> Option<Data> {
    let context = TrainContext { agents, threads: threads(), stop: follower.stop };
    // The games look at the flag themselves.
    let mut heard = || {
        let _ = follower.sample();
    };
    data(&recipe(changes)?, mix(effort.seed ^ FRESH), &context, &mut heard).ok()
}

/// The shipped machine on records of fresh games.
pub fn svm(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let games = effort.samples.to_string();
    let (Some(machine), Some(data)) = (machine(agents), fresh(agents, effort, &[("games", &games)], follower)) else {
        return Vec::new();
    };
    // The machine has seen none of them, so all are for validation; the simpler predictors are fitted in hindsight, which favours them.
    let all = [data.training.as_slice(), &data.validation].concat();
    let (samples, quality) = (all.len() as u64, quality(&machine, &all, &all));
    let [ours, constant, difference] = [quality.machine, quality.constant, quality.difference];
    let error = format!("{:.1}; constant {:.1}; difference {:.1}", ours.mse, constant.mse, difference.mse);
    let share = format!("{:.3}; difference {:.3}", ours.r2, difference.r2);
    let signs = [ours, constant, difference].map(|errors| 100.0 * errors.signs);
    let signs = format!("{:.1} %; constant {:.1} %; difference {:.1} %", signs[0], signs[1], signs[2]);
    let beside = "the constant and the straight line over the difference of balls are the best in hindsight";
    vec![
        row("mean squared error below a constant's", "-", error.clone(), samples, None, beside),
        row("mean squared error below the difference's", "-", error, samples, None, beside),
        row("share of the variance explained (R2)", "-", share, samples, None, "the paper prints no error"),
        row("signs that are right", "-", signs, samples, None, "targets of 0 are left out"),
        exact_signs(agents, &machine, effort),
    ]
}

/// Exact values to ask for per game of records.
const TRUTHS: u64 = 10;

/// Whether the machine knows who wins, on positions of other games whose exact values a table has.
fn exact_signs(agents: &Catalogue, machine: &Svr, effort: Effort) -> Measured {
    let what = "signs of exact values";
    let Some(spec) = GameSpec::parse(GAME).ok().filter(|spec| is_solved(agents, spec)) else {
        let reason = format!("there is no table; make it with: quintet solve '{GAME}'");
        return row(what, "-", "not measured".into(), 0, None, &reason);
    };
    let provers = agents.provers();
    let known = |number| {
        let table = played(agents, &spec, mix(effort.seed ^ FRESH ^ mix(number)))?;
        let target = match exact(&provers, &*table, &Limit::default(), &Stop::never()).ok()?.value.proof {
            Proof::Win => 1.0,
            Proof::Draw => 0.0,
            Proof::Loss => -1.0,
        };
        let line = table.typed::<Pylos>()?;
        Some(Sample { rank: number, board: Svr::board(line.position(), line.to_move()), target })
    };
    let samples: Vec<Sample> =
        (0..TRUTHS * effort.samples).filter_map(known).filter(|known| known.target != 0.0).collect();
    let quality = quality(machine, &samples, &samples);
    let [ours, constant, difference] =
        [quality.machine, quality.constant, quality.difference].map(|errors| 100.0 * errors.signs);
    let ours = format!("{ours:.1} %; constant {constant:.1} %; difference {difference:.1} %");
    let reason = "who wins, from the view of the side to move, which the machine does not know; draws are left out";
    row(what, "-", ours, samples.len() as u64, None, reason)
}

/// Nodes per move in the matches of kernels.
const NODES: u64 = 2000;

/// Machines with several kernels, trained on the same records.
pub fn kernels(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    // One game in ten is held out, so there are at least ten.
    let games = effort.samples.max(10).to_string();
    let changes: [(&str, &str); 2] = [("games", &games), ("validation", "1000")];
    let Some(data) = fresh(agents, effort, &changes, follower) else { return Vec::new() };
    let samples = data.validation.len() as u64;
    let trained = Kernel::ALL.map(|kernel| {
        let with = Fit { kernel, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-3 };
        let machine = fit(&with, &data.training);
        let _ = follower.sample();
        let errors = quality(&machine, &data.training, &data.validation).machine;
        (kernel, machine, errors)
    });
    let mut rows: Vec<Measured> = trained
        .iter()
        .map(|(kernel, machine, errors)| {
            let vectors = machine.vectors().len();
            let ours = format!("MSE {:.1}, R2 {:.3}, {vectors} support vectors", errors.mse, errors.r2);
            row(kernel.name(), "-", ours, samples, None, "errors on records of held-out games; the games decide")
        })
        .collect();
    let [linear, cubic, gauss] = &trained;
    for (kernel, other, _) in [linear, cubic] {
        let wdl = duel([&gauss.1, other], effort, follower);
        let paper = "worked best";
        rows.push(of_games(format!("gauss v {}, {NODES} nodes per move", kernel.name()), paper, wdl));
    }
    rows.push(row("sigmoid", "-", "not trained".into(), 0, None, "linfa has no such kernel"));
    rows
}

/// A match of which the paper expects a win.
fn of_games(what: String, paper: &str, wdl: Wdl) -> Measured {
    let Some(summary) = wdl.summary() else { return row(what, paper, "no games".into(), 0, None, "no games") };
    let Wdl { wins, draws, losses } = wdl;
    let ours = format!("{:.1} % ({wins}-{draws}-{losses})", 100.0 * summary.score());
    let interval = summary.interval();
    let (verdict, reason) = judge_claim(Ordering::Greater, 0.5, Some(interval));
    Measured { interval: Some(interval), ..judged(what, paper, ours, wdl.n(), verdict, &reason) }
}

/// Games of two machines in the same search, in pairs with colours exchanged, each pair from two random plies.
fn duel(machines: [&Svr; 2], effort: Effort, follower: &mut Follower) -> Wdl {
    let mut wdl = Wdl::default();
    let Ok(spec) = GameSpec::parse(GAME) else { return wdl };
    let rules = Arc::new(Pylos::of(&spec));
    for number in 0..effort.samples {
        let seat_of_first = (number % 2) as usize;
        let opening = mix(effort.seed ^ mix(number / 2));
        let seats = [0, 1].map(|seat| machines[seat ^ seat_of_first]);
        match game_of(&rules, seats, opening, number).winner().map(Player::index) {
            None => wdl.draws += 1,
            Some(winner) if winner == seat_of_first => wdl.wins += 1,
            Some(_) => wdl.losses += 1,
        }
        if follower.sample() {
            break;
        }
    }
    wdl
}

/// One game between machines; a long one is a draw.
fn game_of(rules: &Arc<Pylos>, seats: [&Svr; 2], opening: u64, number: u64) -> Outcome {
    let mut rng = Rng::seed_from_u64(opening);
    let mut line = Line::new(rules.clone());
    for _ in 0..2 {
        line.play(rules.random_move(line.position(), &mut rng));
    }
    let mut searches = [0, 1].map(|seat| {
        let search: Minimax<Pylos> = Minimax::new(Box::new(Scorer::new(seats[seat].clone())), Ends::default(), 1);
        search
            .with_seed(mix(opening ^ mix(number) ^ seat as u64))
            .with_pruning()
            .with_deepening(true)
            .with_memory(64 << 20)
    });
    while line.outcome().is_none() && line.plies() < quintet_arena::MAX_PLIES as usize {
        let choice = searches[line.to_move().index()].think(&line, &Limit::nodes(NODES), &mut Quiet);
        line.play(choice.mv);
    }
    line.outcome().unwrap_or(Outcome::Draw)
}

/// The machine against the agents without one.
pub fn beats(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let stop = follower.stop;
    let against = |opponent: &str| {
        let mut plan = Plan::duel(GAME, ["pylos:svm(nodes=5000)", opponent], Length::Games(effort.samples)).ok()?;
        (plan.opening_plies, plan.seed) = (2, mix(effort.seed));
        let results = run(&plan, agents, Vec::new(), threads(), stop, &mut |_| {
            let _ = follower.sample();
            Ok(())
        });
        Some(results.ok()?.wdl(0, 1))
    };
    ["pylos:random", "pylos:maximizing", "pylos:minimax"]
        .into_iter()
        .map(against)
        .zip(["random", "maximizing", "minimax"])
        .filter_map(|(wdl, name)| {
            Some(of_games(format!("svm, 5000 nodes per move, v {name}"), "better than any", wdl?))
        })
        .collect()
}
