//! Reviews.

use quintet_agent::{Adviser, Catalogue, Class, Ply, Review, review, seat};
use quintet_game::record::Record;
use quintet_game::{GameSpec, Limit, Player, Proof, Stop};

fn record() -> Record {
    Record::read("pathwayz(rows=4,cols=2); 1.a1 2.a3 3.a2 4.b3; *").unwrap()
}

fn look(record: &Record, analyst: &str, progress: &mut dyn FnMut(&[Ply], usize) -> bool) -> Review {
    let mut alone = Adviser::new(Vec::new(), seat(&record.spec, analyst, 1).unwrap());
    review(&mut alone, analyst, record, &Limit::default(), &Stop::never(), progress).unwrap()
}

#[test]
fn each_move_is_told_of_once_it_is_judged() {
    let mut told: Vec<Vec<Ply>> = Vec::new();
    let analyst = "mcts(visits=500)";
    let review = look(&record(), analyst, &mut |plies, all| {
        assert_eq!(all, 4);
        told.push(plies.to_vec());
        true
    });
    assert_eq!(told.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert_eq!(told[4], review.plies);
}

#[test]
fn a_review_ends_without_the_move_at_which_it_was_stopped() {
    for end in 0..4 {
        let mut listen = |plies: &[Ply], _: usize| plies.len() < end;
        let review = look(&record(), "mcts(visits=100)", &mut listen);
        assert_eq!(review.plies.len(), end.saturating_sub(1), "{end}");
    }
}

/// The analyst finds almost no fault with its own moves, although each search rates its choice better than the next one does; with random moves it does
/// find faults.
#[test]
fn the_analysts_own_moves_lose_about_nothing() {
    let analyst = "mcts(visits=400)";
    for game in ["pentago", "pylos"] {
        let spec = GameSpec::parse(game).unwrap();
        let mut losses = Vec::new();
        for player in [analyst, "random"] {
            let (mut line, mut player) = (spec.line(), seat(&spec, player, 1).unwrap());
            while line.end().is_none() && line.plies() < 12 {
                let choice = player.think(&*line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap();
                line.try_play(&choice.mv).unwrap();
            }
            let review = look(&Record::of(&*line, ["", ""], None), analyst, &mut |_, _| true);
            assert!(review.plies.iter().all(|ply| (0.0..=1.0).contains(&ply.loss)));
            losses.push(review.plies.iter().map(|ply| ply.loss).sum::<f64>() / review.plies.len() as f64);
            for ply in review.plies.iter().filter(|ply| ply.before.best.as_ref() == Some(&ply.mv)) {
                assert!(ply.loss == 0.0 || ply.class != Class::Fine, "{game}: {ply:?}");
            }
        }
        assert!(losses[0] < 0.02 && losses[0] < losses[1], "{game}: {losses:?}");
    }
}

/// A search overrates its own choice: comparing its value before a move with the one after it would find blunders everywhere in a game between equals.
#[test]
fn equals_find_little_to_blame_in_each_other() {
    // Two tree searches of 5000 visits after two random moves; without its end, which is proven.
    let game = "pentago; 1.e3q1l 2.b6q2l 3.e5q1l 4.a2q2r 5.e1q2l 6.e2q3r 7.b2q4l 8.b3q4l 9.f1q3l 10.c1q3l 11.e4q2r 12.c4q2r; *";
    let record = Record::read(game).unwrap();
    let analyst = "mcts(visits=2000)";
    let review = look(&record, analyst, &mut |_, _| true);
    let plies: Vec<&Ply> = review.plies.iter().filter(|ply| ply.before.proof.is_none()).collect();
    let own = |ply: &Ply| ply.before.best.as_deref() == Some(&*ply.mv);
    assert!(plies.iter().all(|ply| !own(ply) || ply.loss == 0.0));
    let others: Vec<&&Ply> = plies.iter().filter(|ply| !own(ply)).collect();
    let mean = |loss: &dyn Fn(&Ply) -> f64| others.iter().map(|ply| loss(ply)).sum::<f64>() / others.len() as f64;
    let (naive, ours) = (mean(&|ply| (ply.before.score - ply.after).max(0.0)), mean(&|ply| ply.loss));
    assert!(others.len() >= 6 && ours < 0.1 && naive > 0.3, "{ours} of {naive} in {} moves", others.len());
}

/// A proven result needs no comparison: leaving four in a row is a blunder, even if the analyst would have done so too.
#[test]
fn a_move_that_loses_by_force_is_a_blunder() {
    let game = "pentago; 1.a1q4r 2.a6q4r 3.b1q4r 4.b5q4r 5.c1q4r 6.c6q4r 7.d1q4r 8.a5q4r 9.e1; *";
    let record = Record::read(game).unwrap();
    let analyst = "mcts(visits=20000)";
    let review = look(&record, analyst, &mut |_, _| true);
    let [.., lost, won] = &review.plies[..] else { panic!("nine moves") };
    assert_eq!((lost.class, lost.after), (Class::Blunder, 0.0), "{lost:?}");
    assert_eq!((won.class, won.loss), (Class::Fine, 0.0), "{won:?}");
}

/// A review by the provers and the champion, each with few nodes.
fn trusted(record: &str, nodes: u64) -> Review {
    let record = Record::read(record).unwrap();
    let mut adviser = Catalogue::embedded().adviser(&record.spec, None, 1).unwrap();
    let limit = Limit::nodes(nodes);
    review(&mut adviser, "the champion", &record, &limit, &Stop::never(), &mut |_, _| true).unwrap()
}

/// Two moves that lose by force, which a tree search of random games took for small inaccuracies; and the side that lost in ten plies had 96 %.
#[test]
fn what_is_proven_counts_before_any_estimate() {
    let moves = "1.b2q1l 2.e2q4r 3.c3q2l 4.e5q1r 5.b3q1l 6.e4q2l 7.c4q4r 8.e3q4l 9.f1q2r 10.e6q2l";
    let review = trusted(&format!("pentago; {moves}; *"), 60);
    let lost = &review.plies[6];
    assert_eq!((lost.class, lost.after), (Class::Blunder, 0.0), "{lost:?}");
    for ply in &review.plies[7..] {
        let proof = if ply.player == Player::Second { Proof::Win } else { Proof::Loss };
        assert_eq!((ply.before.proof, ply.loss, ply.class), (Some(proof), 0.0, Class::Fine), "{ply:?}");
    }
    let [light, dark] = Player::BOTH.map(|player| review.accuracy(player).unwrap());
    assert!(light < 75.0 && dark > light + 10.0, "{light} {dark}");
}

/// The prover needs more than the limit for the position before a move into a lost one: that it is won follows from the move.
#[test]
fn proofs_are_backed_up() {
    // Light turns four in a row into an open one, which dark cannot stop.
    let game = "pentago; 1.a1q4r 2.a6q4r 3.b1q4r 4.b5q4r 5.c1q4r 6.c6q4r 7.d1q4r 8.a5q4r 9.e1; *";
    let review = trusted(game, 1);
    let [.., lost, won] = &review.plies[..] else { panic!("nine moves") };
    assert_eq!((lost.after, won.before.proof), (0.0, Some(Proof::Win)), "{lost:?} {won:?}");
}

/// One decisive mistake among good moves is not lost in the mean.
#[test]
fn accuracy_falls_with_a_decisive_mistake() {
    let review = look(&record(), "mcts(visits=500)", &mut |_, _| true);
    let ply = |loss: f64| Ply { loss, player: Player::First, ..review.plies[0].clone() };
    let of = |losses: &[f64]| {
        let plies: Vec<Ply> = losses.iter().map(|loss| ply(*loss)).collect();
        quintet_agent::accuracy(&plies, Player::First)
    };
    assert_eq!((of(&[]), of(&[0.0, 0.0])), (None, Some(100.0)));
    let [one, spread] = [of(&[0.0, 0.0, 0.0, 0.0, 0.5]), of(&[0.1; 5])].map(Option::unwrap);
    assert!((40.0..75.0).contains(&one) && one < spread, "{one} {spread}");
    assert!(of(&[1.0]).unwrap() < 10.0);
}
