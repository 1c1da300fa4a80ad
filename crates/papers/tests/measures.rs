//! Measurements other than matches, on a few samples each.

use std::thread;

use quintet_agent::Catalogue;
use quintet_arena::stats::Verdict;
use quintet_papers::measures::{BY_THE_CLOCK, Effort, MEASURES, measure};

#[test]
fn every_measurement_measures_and_repeats() {
    for id in MEASURES {
        let effort = Effort { samples: 2, seed: 2 };
        let mut heard = 0;
        let (rows, mut again) = thread::scope(|scope| {
            let again = scope.spawn(|| measure(id, Catalogue::embedded(), effort, &mut || {}).unwrap());
            let rows = measure(id, Catalogue::embedded(), effort, &mut || heard += 1).unwrap();
            (rows, again.join().expect("a measurement does not panic"))
        });
        assert!(!rows.is_empty() && (heard >= 2 || *id == "pathwayz/sample-size"), "{id}: {heard}");
        // Seconds are never the same twice.
        let timed = again.iter_mut().zip(&rows).filter(|(_, row)| row.reason.starts_with(BY_THE_CLOCK));
        timed.for_each(|(again, row)| (again.ours, again.verdict) = (row.ours.clone(), row.verdict));
        assert_eq!(again, rows, "{id}");
        for row in rows {
            assert!(!row.what.is_empty() && !row.ours.is_empty() && !row.reason.is_empty(), "{id}: {row:?}");
        }
    }
    assert_eq!(measure("pylos/nothing", Catalogue::embedded(), Effort { samples: 1, seed: 1 }, &mut || {}), None);
}

/// The paper's claim about its own mates, and depth 4 against the opponent's: facts, so that they hold on a few positions too, which are too few to
/// show them.
#[test]
fn mates_in_two_are_found_and_met() {
    let rows = |id| measure(id, Catalogue::embedded(), Effort { samples: 6, seed: 9 }, &mut || {}).unwrap();
    let own = rows("pentago-twist/own-mate2");
    assert_eq!((own[0].samples, own[0].verdict, own[0].ours.as_str()), (6, Verdict::NotShown, "0 of 6 missed"));
    let theirs = rows("pentago-twist/their-mate2");
    let depth4 = &theirs[2];
    assert_eq!((depth4.samples, depth4.verdict, depth4.ours.as_str()), (6, Verdict::NotShown, "0 of 6 missed"));
}

/// As many held-out boards as the paper has, beside more of them, each number with its interval.
#[test]
fn the_machine_is_measured_on_a_hundred_boards() {
    let rows = measure("pylos/svm", Catalogue::embedded(), Effort { samples: 10, seed: 3 }, &mut || {}).unwrap();
    for what in ["mean squared error", "share of the variance explained (R2)", "signs that are right"] {
        let of_hundred = rows.iter().find(|row| row.what == format!("{what}, 100 boards")).unwrap();
        let of_all = rows.iter().find(|row| row.what == format!("{what}, 3100 boards")).unwrap();
        assert_eq!((of_hundred.samples, of_all.samples), (100, 3100));
        assert!(of_all.interval.is_some() || of_all.ours.contains(" to "), "{of_all:?}");
    }
    assert!(rows.iter().any(|row| row.what.ends_with("3100 boards, box rules")));
}

/// All four kernels are trained, and the best is compared with the second best.
#[test]
fn kernels_are_compared_with_the_second_best() {
    let rows = measure("pylos/kernels", Catalogue::embedded(), Effort { samples: 2, seed: 3 }, &mut || {}).unwrap();
    let find = |what: &str| rows.iter().find(|row| row.what.starts_with(what)).unwrap_or_else(|| panic!("{what}"));
    for kernel in ["linear", "cubic", "gauss", "sigmoid"] {
        let row = find(kernel);
        assert!(row.ours.starts_with("100 boards: MSE ") && row.ours.contains("; 1000 boards: "), "{row:?}");
    }
    let second = find("R2 of gauss more than that of ");
    assert!(matches!(second.verdict, Verdict::SameDirection | Verdict::NotShown | Verdict::Differs), "{second:?}");
    assert_eq!(find("gauss v sigmoid").samples, 2);
}
