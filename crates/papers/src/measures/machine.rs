//! Pylos' support vector machine: how well it predicts unseen positions, and which kernel is best.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use quintet_agent::{Catalogue, exact};
use quintet_arena::stats::{Interval, Verdict, Wdl, judge_claim};
use quintet_eval::pylos::{Kernel, Scorer, Svr};
use quintet_game::bits::mix;
use quintet_game::pylos::Pylos;
use quintet_game::{Game, GameSpec, Limit, Line, Outcome, Proof, Rng, SeedableRng, Stop};
use quintet_learn::svr::{Data, Errors, Fit, Quality, Sample, data, fit, quality};
use quintet_learn::{Recipe, Recipes, TrainContext};
use quintet_search::{Ends, Minimax, Quiet, Search};

use super::bootstrap::{bootstrap, ends};
use super::perfect::{is_solved, played};
use super::{Effort, Follower, Measured, PYLOS, judged, larger, row};

/// The paper's rules.
const GAME: &str = PYLOS[0].1;

/// The agent, and the recipe of its first round.
const NAME: &str = "pylos:svm";

/// Separates the seeds of these measurements from those of the training.
const FRESH: u64 = 0x6672_6573_6820_6f6e;

/// The machine of agent 5, whichever weights its entry names.
pub(super) fn machine(agents: &Catalogue) -> Option<Svr> {
    let entry = agents.entries().find(|entry| entry.token() == NAME)?;
    let (weights, _) = agents.weight_store().checksums(&entry.specs.first()?.spec, "pylos").ok()?.pop()?;
    Svr::read(&*agents.weight_store().weights(&weights).ok()?).ok()
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
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

/// As many boards as the paper validates with.
const HELD_OUT: usize = 100;

/// The shipped machine on records of fresh games: as many boards as the paper has, all of them, and those of the box's rules.
pub fn svm(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    // One game in ten is held out, so there are at least ten.
    let games = effort.samples.max(10).to_string();
    let Some(machine) = machine(agents) else { return Vec::new() };
    let mut rows = Vec::new();
    for (rules, game) in PYLOS {
        let changes: [(&str, &str); 3] = [("games", &games), ("game", game), ("validation", "100")];
        let Some(data) = fresh(agents, effort, &changes, follower) else { return Vec::new() };
        // The machine has seen none of them, so all are for validation.
        let all = [data.validation.as_slice(), &data.training].concat();
        for samples in [&all[..all.len().min(HELD_OUT)], &all] {
            rows.extend(errors(&machine, samples, rules));
        }
    }
    rows.push(exact_signs(agents, &machine, effort));
    rows
}

/// The scores of boards, each worked out once.
fn scores(machine: &Svr, samples: &[Sample]) -> impl Fn(u64) -> f64 + use<> {
    let known: HashMap<u64, f64> = samples.iter().map(|sample| (sample.board, machine.predict(sample.board))).collect();
    move |board| known[&board]
}

/// A statistic of boards with its interval: the boards are drawn again.
fn drawn_again(samples: &[Sample], statistic: impl Fn(&[Sample]) -> f64) -> (f64, Option<Interval>) {
    let again = |drawn: &[usize]| statistic(&drawn.iter().map(|&n| samples[n]).collect::<Vec<Sample>>());
    (statistic(samples), bootstrap(&[(0..samples.len()).collect()], again))
}

/// The errors of a machine on boards that it has not seen, beside those of simpler predictors, which are fitted in hindsight: that favours them.
fn errors(machine: &Svr, samples: &[Sample], rules: &str) -> Vec<Measured> {
    let score = scores(machine, samples);
    let of = |samples: &[Sample]| quality(&score, samples, samples);
    let interval = |value: &dyn Fn(&Quality) -> f64| drawn_again(samples, |samples| value(&of(samples))).1;
    let Quality { machine: ours, constant, difference } = of(samples);
    let (count, boards) = (samples.len() as u64, format!("{} boards{rules}", samples.len()));
    let within = ends(interval(&|quality| quality.machine.mse), 1);
    let error = format!("{:.1} {within}; constant {:.1}; difference {:.1}", ours.mse, constant.mse, difference.mse);
    let within = ends(interval(&|quality| quality.machine.r2), 3);
    let share = format!("{:.3} {within}; difference {:.3}", ours.r2, difference.r2);
    let more = ends(interval(&|quality| quality.machine.r2 - quality.difference.r2), 3);
    let more = format!("{:+.3} {more}", ours.r2 - difference.r2);
    let signs = [ours, constant, difference].map(|errors| 100.0 * errors.signs);
    let signs = format!("{:.1} %; constant {:.1} %; difference {:.1} %", signs[0], signs[1], signs[2]);
    let beside = "the constant and the straight line over the difference of balls are the best in hindsight; for intervals boards are drawn again";
    let ours_only = |what: &str, ours: String, reason| row(format!("{what}, {boards}"), "-", ours, count, None, reason);
    vec![
        ours_only("mean squared error", error, beside),
        ours_only("share of the variance explained (R2)", share, "the paper prints no error"),
        ours_only("R2 more than that of the difference of balls", more, beside),
        Measured {
            interval: interval(&|quality| quality.machine.signs),
            ..ours_only("signs that are right", signs, "targets of 0 are left out")
        },
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
    let quality = quality(|board| machine.predict(board), &samples, &samples);
    let [ours, constant, difference] =
        [quality.machine, quality.constant, quality.difference].map(|errors| 100.0 * errors.signs);
    let ours = format!("{ours:.1} %; constant {constant:.1} %; difference {difference:.1} %");
    let reason = "who wins, from the view of the side to move, which the machine does not know; draws are left out";
    row(what, "-", ours, samples.len() as u64, None, reason)
}

/// Nodes per move in the matches of kernels.
const NODES: u64 = 2000;

/// Boards of held-out games beside the paper's hundred.
const MANY: &str = "1000";

/// Machines with several kernels, trained on the same records.
pub fn kernels(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    // One game in ten is held out, so there are at least ten.
    let games = effort.samples.max(10).to_string();
    let changes: [(&str, &str); 2] = [("games", &games), ("validation", MANY)];
    let Some(data) = fresh(agents, effort, &changes, follower) else { return Vec::new() };
    let held_out = data.validation.as_slice();
    let trained = Kernel::ALL.map(|kernel| {
        let with = Fit { kernel, gamma: 1.0 / 60.0, c: 1.0, epsilon: 0.2, tolerance: 1e-3 };
        let machine = fit(&with, &data.training);
        let _ = follower.sample();
        (kernel, machine)
    });
    let sizes = [&held_out[..held_out.len().min(HELD_OUT)], held_out];
    let mut rows: Vec<Measured> = trained.iter().map(|(kernel, machine)| of_kernel(*kernel, machine, sizes)).collect();
    let is_gauss = |(kernel, _): &&(Kernel, Svr)| *kernel == Kernel::Gauss;
    let Some((_, gauss)) = trained.iter().find(is_gauss) else { return rows };
    let others: Vec<&(Kernel, Svr)> = trained.iter().filter(|one| !is_gauss(one)).collect();
    rows.extend(sizes.iter().filter_map(|samples| second_best(gauss, &others, samples)));
    for (kernel, other) in others {
        let wdl = duel([gauss, other], effort, follower);
        rows.push(of_games(format!("gauss v {}, {NODES} nodes per move", kernel.name()), BEST, wdl));
    }
    rows
}

/// What the paper says about the Gaussian kernel.
const BEST: &str = "worked best";

/// The share of the variance that scores explain.
fn r2(score: impl Fn(u64) -> f64, samples: &[Sample]) -> f64 {
    Errors::of(samples, score).r2
}

/// How well a machine predicts held-out boards.
fn of_kernel(kernel: Kernel, machine: &Svr, sizes: [&[Sample]; 2]) -> Measured {
    let of_size = |samples: &[Sample]| {
        let score = scores(machine, samples);
        let Errors { mse, .. } = Errors::of(samples, &score);
        let (r2, within) = drawn_again(samples, |samples| r2(&score, samples));
        format!("{} boards: MSE {mse:.1}, R2 {r2:.3} {}", samples.len(), ends(within, 3))
    };
    let vectors = machine.vectors().len();
    let ours = format!("{}; {}; {vectors} support vectors", of_size(sizes[0]), of_size(sizes[1]));
    let reason = "errors on records of held-out games; for intervals boards are drawn again";
    row(kernel.name(), "-", ours, sizes[1].len() as u64, None, reason)
}

/// The Gaussian kernel against the best of the others, on the same boards.
fn second_best(gauss: &Svr, others: &[&(Kernel, Svr)], samples: &[Sample]) -> Option<Measured> {
    let of_others = others.iter().map(|(kernel, machine)| (kernel, scores(machine, samples)));
    let better = |(_, a): &(_, _), (_, b): &(_, _)| r2(a, samples).total_cmp(&r2(b, samples));
    let (kernel, second) = of_others.max_by(better)?;
    let gauss = scores(gauss, samples);
    let (more, within) = drawn_again(samples, |samples| r2(&gauss, samples) - r2(&second, samples));
    let verdict = within.map_or(Verdict::TooFewGames, larger);
    let what =
        format!("R2 of gauss more than that of {}, the best of the others, {} boards", kernel.name(), samples.len());
    let reason = "the best must be better than the second best: the whole 95 % interval of the difference above 0";
    Some(judged(what, BEST, format!("{more:+.3} {}", ends(within, 3)), samples.len() as u64, verdict, reason))
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
    let play = |number: u64| {
        let seat_of_first = (number % 2) as usize;
        let opening = mix(effort.seed ^ mix(number / 2));
        let seats = [0, 1].map(|seat| machines[seat ^ seat_of_first]);
        game_of(&rules, seats, opening, number).winner().map(|winner| winner.index() == seat_of_first)
    };
    let threads = threads() as u64;
    for begin in (0..effort.samples).step_by(threads as usize) {
        let numbers = begin..effort.samples.min(begin + threads);
        let played: Vec<Option<bool>> = thread::scope(|scope| {
            let games: Vec<_> = numbers.map(|number| scope.spawn(move || play(number))).collect();
            games.into_iter().filter_map(|game| game.join().ok()).collect()
        });
        for won in played {
            match won {
                None => wdl.draws += 1,
                Some(true) => wdl.wins += 1,
                Some(false) => wdl.losses += 1,
            }
            if follower.sample() {
                return wdl;
            }
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
