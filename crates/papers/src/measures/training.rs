//! Pathwayz: what training makes of the weights, by its step, its reward, its reading and its seed; and which players it fits too closely.

use std::cmp::Ordering;

use quintet_agent::Catalogue;
use quintet_arena::stats::{Interval, Verdict, Wdl, difference};
use quintet_arena::{Length, Plan, run};
use quintet_eval::Weights;
use quintet_eval::pathwayz::{Mode, SetSize};
use quintet_game::bits::mix;
use quintet_game::{GameSpec, Stop};

use super::learning::{duel, failed, percent, reflex_in};
use super::trained::{TrainingBudget, train};
use super::{Effort, Follower, Measured, judged, larger};

/// The seeds of every training that is done five times.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// Student's t for five trainings: 95 % of the mean's errors are within this many standard errors.
const T: f64 = 2.776;

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

/// A mean over trainings, with its interval.
fn over_trainings(numbers: &[f64]) -> (f64, Interval) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = T * (variance / n).sqrt();
    (mean, Interval { low: mean - half, high: mean + half })
}

/// Fig. 6: signs and order of the largest weights. The figure shows a 53rd feature, so 53 are trained as printed, with the stage against the beam.
pub fn top_weights(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let stop = follower.stop;
    let with = [
        ("features", "pathwayz-53(mode=printed)".to_owned()),
        ("games", effort.samples.to_string()),
        ("last-games", effort.samples.div_ceil(10).to_string()),
    ];
    let work = |seed: &u64| train(agents, "pathwayz:tdl52", &with, *seed, stop).map(|(weights, _)| weights);
    let trained = TrainingBudget::new(effort).spread(&SEEDS, work, follower);
    let trained: Vec<Weights> = match trained.into_iter().collect() {
        Some(trained) => trained,
        None => return failed("a training did not end: its weights have diverged"),
    };
    let mut rows = Vec::new();
    let (mut printed, mut learned) = (Vec::new(), Vec::new());
    for (name, paper) in FIGURE_6 {
        let ours: Vec<f64> = trained.iter().map(|weights| weights.number(name).unwrap_or(0.0)).collect();
        let (mean, interval) = over_trainings(&ours);
        printed.push(paper.abs());
        learned.push(mean.abs());
        // Turned so that the paper's side is above 0.
        let towards = if paper > 0.0 { interval } else { Interval { low: -interval.high, high: -interval.low } };
        let side = larger(towards);
        let text = format!("{mean:.1} ({:.1} to {:.1})", interval.low, interval.high);
        let reason = "weights of different trainings have no common scale: only the side of 0 of the mean of five trainings is compared";
        rows.push(judged(name, &format!("{paper:.0}"), text, 5, side, reason));
    }
    rows.push(equal_signs(&rows));
    let rho = spearman(&printed, &learned);
    // Fisher's interval of a rank correlation.
    let half = 1.96 * 1.06 / (printed.len() as f64 - 3.0).sqrt();
    let interval = Interval { low: (rho.atanh() - half).tanh(), high: (rho.atanh() + half).tanh() };
    let order = format!("{rho:.2} ({:.2} to {:.2})", interval.low, interval.high);
    let reason = "a whole interval above 0 is required";
    rows.push(judged("rank correlation of the sizes", "the figure's order", order, 15, larger(interval), reason));
    rows
}

/// How many weights have to have the paper's sign.
const SAME_SIGNS: usize = 13;

/// Whether enough signs are the paper's. A weight whose interval reaches 0 has neither sign: it cannot show agreement, nor can it refute it.
fn equal_signs(rows: &[Measured]) -> Measured {
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let (same, opposite, all) = (count(Verdict::SameDirection), count(Verdict::Differs), rows.len());
    let verdict = if same >= SAME_SIGNS {
        Verdict::SameDirection
    } else if all - opposite >= SAME_SIGNS {
        Verdict::NotShown
    } else {
        Verdict::Differs
    };
    let ours = format!("{same} of {all}, {opposite} opposite, {} not shown", all - same - opposite);
    let reason = format!("{SAME_SIGNS} are required");
    judged("equal signs", &format!("{all} of {all}"), ours, all as u64, verdict, &reason)
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

/// One way of training: the recipe of its reading, and what is changed in it.
struct Setting {
    name: String,
    recipe: &'static str,
    features: (Mode, SetSize),
    with: Vec<(&'static str, String)>,
}

impl Setting {
    fn new(name: &str, recipe: &'static str, features: (Mode, SetSize), with: &[(&'static str, &str)]) -> Setting {
        let with: Vec<(&str, String)> = with.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        let changes: Vec<String> = with.iter().map(|(key, value)| format!("{key} {value}")).collect();
        Setting { name: format!("{name}: {}", changes.join(", ")), recipe, features, with }
    }
}

/// All readings with the steps and rewards to try.
fn settings() -> Vec<Setting> {
    let printed = (Mode::Printed, SetSize::FiftyTwo);
    let mut all = Vec::new();
    for eta in ["0.01", "0.005", "0.001", "0.0005", "0.0001"] {
        let features = (Mode::AsProgrammed, SetSize::FiftyThree);
        all.push(Setting::new("as programmed", "pathwayz:tdl53", features, &[("eta", eta)]));
    }
    for eta in ["0.02", "0.01", "0.005", "0.002", "0.001", "0.0005"] {
        all.push(Setting::new("as printed", "pathwayz:tdl52", printed, &[("eta", eta)]));
    }
    for utility in ["20", "500"] {
        all.push(Setting::new("as printed", "pathwayz:tdl52", printed, &[("utility", utility)]));
    }
    for eta in ["0.02", "0.01", "0.005", "0.002", "0.001", "0.0005"] {
        let with = [("eta", eta), ("boards", "before")];
        all.push(Setting::new("as printed, on boards to move", "pathwayz:tdl52", printed, &with));
    }
    for lambda in ["0.5", "0.7", "0.9"] {
        for eta in ["0.005", "0.002", "0.001"] {
            all.push(Setting::new("ours", "pathwayz:td52", printed, &[("eta", eta), ("lambda", lambda)]));
        }
    }
    all
}

/// Games of each trained player against the advanced baseline.
const TRIAL: u64 = 200;

/// The readings of the update, by step and reward: five trainings each, without the stage against the beam, and their games against the advanced baseline.
pub fn sweep(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let settings = settings();
    let games = effort.samples.min(TRIAL);
    let tasks: Vec<(&Setting, u64)> =
        settings.iter().flat_map(|setting| SEEDS.iter().map(move |seed| (setting, *seed))).collect();
    let stop = follower.stop;
    let work = |(setting, seed): &(&Setting, u64)| trained_score(agents, setting, *seed, effort, games, stop);
    let scores = TrainingBudget::new(effort).spread(&tasks, work, follower);
    let row = |(setting, scores): (&Setting, &[Option<Wdl>])| {
        let share = |wdl: &Wdl| 100.0 * wdl.wins as f64 / wdl.n().max(1) as f64;
        let each: Vec<String> = scores
            .iter()
            .map(|wdl| wdl.as_ref().map_or("diverged".into(), |wdl| format!("{:.1}", share(wdl))))
            .collect();
        // A player whose weights have no value loses.
        let mean = scores.iter().flatten().map(share).sum::<f64>() / scores.len().max(1) as f64;
        let ours = format!("{mean:.1} % ({})", each.join(", "));
        let reason =
            format!("mean, and each of {} trainings: share of {games} games won against adv-baseline", scores.len());
        judged(&*setting.name, "-", ours, games * scores.len() as u64, Verdict::OursOnly, &reason)
    };
    settings.iter().zip(scores.chunks(SEEDS.len())).map(row).collect()
}

/// Trains in one way and plays against the advanced baseline; none if the weights have diverged.
fn trained_score(
    agents: &Catalogue,
    setting: &Setting,
    seed: u64,
    effort: Effort,
    games: u64,
    stop: &Stop,
) -> Option<Wdl> {
    let mut with = setting.with.clone();
    with.extend([("games", effort.samples.to_string()), ("last-games", "0".into())]);
    let (weights, _) = train(agents, setting.recipe, &with, seed, stop)?;
    let spec = GameSpec::parse("pathwayz").ok()?;
    let (mode, set) = setting.features;
    let players = |seed| {
        let baseline = agents.search(&spec, "pathwayz:adv-baseline", mix(seed)).map_err(|error| error.to_string())?;
        Ok([reflex_in(mode, set, &weights, seed)?, baseline.0])
    };
    // The same openings for all trainings.
    duel(games, mix(effort.seed), players, |_| !stop.stopped()).ok()
}

/// Opponents of the training: the pipeline's, and that of its last stage.
const MET: [&str; 2] = ["pathwayz:adv-baseline", "pathwayz:beam"];

/// Players that the training never met. Tree search is left out: it takes minutes per game.
const STRANGERS: [&str; 4] =
    ["pathwayz:baseline", "pathwayz:minimax", "pathwayz:expectimax", "pathwayz:beam-expectimax"];

/// The players whose training is asked about.
const STUDENTS: [&str; 3] = ["pathwayz:tdl52", "pathwayz:tdl440", "pathwayz:dumb"];

/// A score with its interval.
type Score = (f64, Interval);

/// Overfitting is a good score against the opponents of the training beside a bad one against others.
pub fn overfit(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    match scores(agents, effort, follower) {
        Ok(scores) => judged_fits(&scores),
        Err(why) => failed(why),
    }
}

/// The games of every student against those it met and those it did not.
fn scores(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Result<[[Wdl; 2]; 3], String> {
    let mut all = [[Wdl::default(); 2]; 3];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (student, sums) in STUDENTS.iter().zip(&mut all) {
        for (sum, others) in sums.iter_mut().zip([&MET[..], &STRANGERS]) {
            for other in others {
                let plan = Plan::duel("pathwayz", [student, other], Length::Games(effort.samples))
                    .map_err(|error| error.to_string())?;
                let plan = Plan { seed: effort.seed, ..plan };
                let results = run(&plan, agents, Vec::new(), threads, follower.stop, &mut |_| Ok(()))
                    .map_err(|error| error.to_string())?;
                let wdl = results.wdl(0, 1);
                sum.wins += wdl.wins;
                sum.draws += wdl.draws;
                sum.losses += wdl.losses;
                if follower.sample() {
                    return Ok(all);
                }
            }
        }
    }
    Ok(all)
}

fn judged_fits(all: &[[Wdl; 2]; 3]) -> Vec<Measured> {
    let score = |wdl: Wdl| wdl.summary().map(|summary| (summary.score(), summary.interval()));
    let mut rows = Vec::new();
    for (student, [met, strangers]) in STUDENTS.iter().zip(all) {
        let ours = format!("trained against {}, others {}", percent(*met), percent(*strangers));
        let reason = format!("scores against {} and against {}", MET.join(", "), STRANGERS.join(", "));
        rows.push(judged(*student, "-", ours, met.n() + strangers.n(), Verdict::OursOnly, &reason));
    }
    let [[few_met, few_others], [many_met, many_others], [dumb_met, dumb_others]] = all.map(|sums| sums.map(score));
    let games = |students: &[[Wdl; 2]]| students.iter().flatten().map(|wdl| wdl.n()).sum::<u64>();
    let claim = "overfits";
    let (verdict, why) = match (few_met, few_others, many_met, many_others) {
        (Some(few_met), Some(few_others), Some(many_met), Some(many_others)) => {
            compared([few_met, few_others], [many_met, many_others])
        }
        _ => (Verdict::TooFewGames, "no games".into()),
    };
    let gap = |[a, b]: [Option<Score>; 2]| a.zip(b).map_or("-".into(), |(a, b)| points(difference(a, b)));
    let ours = format!(
        "tdl440 minus tdl52: trained against {}, others {}",
        gap([many_met, few_met]),
        gap([many_others, few_others])
    );
    rows.push(judged("440 features beside 52", claim, ours, games(&all[..2]), verdict, &why));
    let (verdict, why) = match dumb_met.zip(dumb_others) {
        Some((met, others)) => apart(met, others),
        None => (Verdict::TooFewGames, "no games".into()),
    };
    let ours = format!("trained against minus others: {}", gap([dumb_met, dumb_others]));
    rows.push(judged("the 3x3 grids", claim, ours, games(&all[2..]), verdict, &why));
    rows
}

/// An interval in points.
fn points(interval: Interval) -> String {
    format!("{:+.1} to {:+.1} points", 100.0 * interval.low, 100.0 * interval.high)
}

/// More features overfit if they are shown to be better against the opponents of the training and worse against others; a training that does not beat its own
/// opponents has failed.
fn compared(few: [Score; 2], many: [Score; 2]) -> (Verdict, String) {
    if many[0].1.beside(0.5) != Ordering::Greater {
        return (Verdict::NotShown, "the training of the 440 failed: they are not shown to beat its opponents".into());
    }
    let [met, others] = [difference(many[0], few[0]), difference(many[1], few[1])].map(|gap| gap.beside(0.0));
    let verdict = match (met, others) {
        (Ordering::Greater, Ordering::Less) => Verdict::SameDirection,
        (_, Ordering::Greater) => Verdict::Differs,
        _ => Verdict::NotShown,
    };
    let asked =
        "they must be shown to be better than the 52 against the opponents of the training and worse against others";
    (verdict, asked.into())
}

/// One player overfits if it beats the opponents of its training and is shown to be worse against others.
fn apart(met: Score, others: Score) -> (Verdict, String) {
    if met.1.beside(0.5) != Ordering::Greater {
        return (Verdict::NotShown, "the training failed: it is not shown to beat its opponents".into());
    }
    let asked = "it must be shown to be worse against others than against the opponents of the training";
    (larger(difference(met, others)), asked.into())
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

    #[test]
    fn signs_that_are_not_shown_do_not_count_as_opposite() {
        let rows = |same: usize, not_shown: usize, opposite: usize| -> Vec<Measured> {
            let of = |verdict, count| vec![judged("weight", "1", String::new(), 5, verdict, ""); count];
            let parts = [(Verdict::SameDirection, same), (Verdict::NotShown, not_shown), (Verdict::Differs, opposite)];
            parts.into_iter().flat_map(|(verdict, count)| of(verdict, count)).collect()
        };
        let verdict = |same, not_shown, opposite| equal_signs(&rows(same, not_shown, opposite)).verdict;
        assert_eq!([verdict(13, 0, 2), verdict(15, 0, 0)], [Verdict::SameDirection; 2]);
        assert_eq!([verdict(12, 3, 0), verdict(6, 7, 2)], [Verdict::NotShown; 2]);
        assert_eq!([verdict(12, 0, 3), verdict(6, 5, 4)], [Verdict::Differs; 2]);
        assert_eq!(equal_signs(&rows(6, 5, 4)).ours, "6 of 15, 4 opposite, 5 not shown");
    }

    #[test]
    fn means_of_trainings_have_students_interval() {
        let (mean, interval) = over_trainings(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        // A standard deviation of the square root of 2.5, and five trainings.
        assert!((mean - 3.0).abs() < 1e-12 && (interval.high - 3.0 - 2.776 * 0.5_f64.sqrt()).abs() < 1e-12);
    }

    fn score(value: f64) -> Score {
        (value, Interval { low: value - 0.05, high: value + 0.05 })
    }

    /// Overfitting is claimed only where the two scores part; a training that failed is called that.
    #[test]
    fn scores_must_part() {
        let of = |few: [f64; 2], many: [f64; 2]| compared(few.map(score), many.map(score));
        assert_eq!(of([0.6, 0.6], [0.8, 0.4]).0, Verdict::SameDirection);
        // Better everywhere, worse everywhere, no better in training.
        assert_eq!(of([0.6, 0.6], [0.8, 0.8]).0, Verdict::Differs);
        assert_eq!(of([0.8, 0.8], [0.6, 0.6]).0, Verdict::NotShown);
        assert_eq!(of([0.6, 0.6], [0.6, 0.4]).0, Verdict::NotShown);
        let (verdict, why) = of([0.6, 0.6], [0.4, 0.2]);
        assert!(verdict == Verdict::NotShown && why.contains("failed"), "{why}");
        let alone = |met: f64, others: f64| apart(score(met), score(others));
        assert_eq!(alone(0.8, 0.5).0, Verdict::SameDirection);
        assert_eq!(alone(0.8, 0.78).0, Verdict::NotShown);
        assert_eq!(alone(0.8, 0.9).0, Verdict::Differs);
        assert!(alone(0.3, 0.1).1.contains("failed"));
    }
}
