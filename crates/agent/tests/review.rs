//! Reviews as they go on.

use quintet_agent::{Catalogue, Ply, review};
use quintet_game::record::Record;
use quintet_search::Limit;

fn record() -> Record {
    Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap()
}

#[test]
fn each_move_is_told_of_once_it_is_judged() {
    let mut told: Vec<Vec<Ply>> = Vec::new();
    let analyst = "mcts(visits=500)";
    let review = review(Catalogue::embedded(), &record(), analyst, &Limit::default(), 1, &mut |plies, all| {
        assert_eq!(all, 4);
        told.push(plies.to_vec());
        true
    });
    let review = review.unwrap();
    assert_eq!(told.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(told[4], review.plies);
}

#[test]
fn a_review_ends_without_the_move_at_which_it_was_stopped() {
    for end in 0..4 {
        let mut listen = |plies: &[Ply], _: usize| plies.len() < end;
        let review =
            review(Catalogue::embedded(), &record(), "mcts(visits=100)", &Limit::default(), 1, &mut listen).unwrap();
        assert_eq!(review.plies.len(), end.saturating_sub(1), "{end}");
    }
}
