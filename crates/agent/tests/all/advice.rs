//! Advice: a proof first, and nothing beside it that contradicts it.

use quintet_agent::{Catalogue, Seat as _, exact};
use quintet_game::{AnyLine, GAMES, GameSpec, Limit, Proof, Stop, Value};
use quintet_search::{Choice, Report};

fn line(game: &str, moves: &str) -> Box<dyn AnyLine> {
    let mut line = GameSpec::parse(game).unwrap().line();
    moves.split_whitespace().for_each(|mv| drop(line.try_play(mv).unwrap()));
    line
}

fn advice(line: &dyn AnyLine, agent: Option<&str>, nodes: u64) -> (Choice<String>, Report<String>) {
    let (mut adviser, mut last) = (Catalogue::embedded().adviser(&line.spec(), agent, 1).unwrap(), Report::default());
    let mut hear = |report: &Report<String>| last = report.clone();
    let choice = adviser.think(line, &Limit::nodes(nodes), &Stop::never(), &mut hear).unwrap();
    (choice, last)
}

/// A won position of which the provers know the one shortest win, while a tree search of random games prefers another move.
#[test]
fn best_moves_and_lines_agree_with_the_proof() {
    let line = line("pentago", "b2q2r e5q1l b5q3l c3q4r e2q2l d4q1r c4q3r a1q2r");
    let known = exact(&Catalogue::embedded().provers(), &*line, &Limit::nodes(60_000), &Stop::never()).unwrap();
    assert_eq!(known.value, Value::win_in(3));
    for agent in [None, Some("mcts")] {
        let (choice, report) = advice(&*line, agent, 400);
        assert_eq!((choice.mv.as_str(), choice.known), ("d3q3l", Some(Value::win_in(3))), "{agent:?}");
        assert_eq!((choice.line.len(), &choice.line), (3, &report.line), "{agent:?}");
        let mut after = line.clone();
        choice.line.iter().for_each(|mv| drop(after.try_play(mv).unwrap()));
        assert!(after.end().is_some(), "the line ends with the win: {:?}", choice.line);
        let first = &report.roots[0];
        assert_eq!((&first.mv, first.value, first.known), (&choice.mv, 1.0, Some(Value::win_in(3))), "{agent:?}");
        assert!(report.roots[1..].iter().all(|root| root.known.is_none_or(|value| value != Value::win_in(3))));
    }
}

/// All moves lose in a lost position: the one that lasts longest is named, and no move is called promising.
#[test]
fn a_lost_position_is_held_as_long_as_possible() {
    let line = line("pentago", "b2q1l e2q4r c3q2l e5q1r b3q1l e4q2l c4q4r e3q4l");
    let (choice, report) = advice(&*line, None, 400);
    assert_eq!(choice.known, Some(Value::loss_in(2)));
    assert!(report.roots.iter().all(|root| root.value == 0.0 && root.known.is_some_and(|of| of.proof == Proof::Loss)));
}

/// The champion is asked where nothing is proven, with its priors and shares of wins, and never random games where there is a net.
#[test]
fn the_champion_is_asked_elsewhere() {
    for info in GAMES {
        let spec = GameSpec::parse(info.name).unwrap();
        assert_eq!(Catalogue::embedded().strongest(&spec), format!("{}:champion", info.name));
    }
    let (choice, report) = advice(&*line("pentago", "b2q2r"), None, 40);
    assert!(choice.known.is_none() && choice.chances.is_some());
    assert!(report.roots.iter().all(|root| root.prior.is_some()));
    for variant in ["pathwayz(rows=4,cols=2)", "twixt(size=8)", "pylos(rules=expert)"] {
        let spec = GameSpec::parse(variant).unwrap();
        assert!(Catalogue::embedded().adviser(&spec, None, 1).is_ok(), "{variant}");
        assert_ne!(Catalogue::embedded().strongest(&spec), "mcts", "{variant}");
    }
}
