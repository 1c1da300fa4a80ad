//! Measurements other than matches, on a few samples each.

use std::thread;

use quintet_agent::Catalogue;
use quintet_arena::stats::Verdict;
use quintet_papers::measures::{BY_THE_CLOCK, Effort, MEASURES, measure};

#[test]
fn every_measurement_measures_and_repeats() {
    for id in MEASURES {
        let effort = Effort { samples: 4, seed: 2 };
        let mut heard = 0;
        let (rows, mut again) = thread::scope(|scope| {
            let again = scope.spawn(|| measure(id, Catalogue::embedded(), effort, &mut || {}).unwrap());
            let rows = measure(id, Catalogue::embedded(), effort, &mut || heard += 1).unwrap();
            (rows, again.join().expect("a measurement does not panic"))
        });
        assert!(!rows.is_empty() && (heard >= 3 || *id == "pathwayz/sample-size"), "{id}: {heard}");
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
