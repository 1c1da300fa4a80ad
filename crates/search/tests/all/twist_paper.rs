//! The player of the Pentago-Twist paper when its search is cut short.

use std::sync::Arc;

use quintet_eval::{Evaluate, Spec, evaluation};
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{Game, Limit, Line, Notation, Outcome, Player, Rng, SeedableRng, can_win_now};
use quintet_search::{Quiet, Search, TwistPaper};

/// Positions of random games without a win in one for the side to move.
fn positions(count: usize) -> Vec<Position> {
    let game = Pentago::twist();
    let mut rng = Rng::seed_from_u64(3);
    let mut found = Vec::new();
    while found.len() < count {
        let mut pos = game.start();
        for _ in 0..6 + found.len() % 20 {
            if game.outcome(&pos).is_none() {
                let mv = game.random_move(&pos, &mut rng);
                game.play(&mut pos, mv);
            }
        }
        if game.outcome(&pos).is_none() && !can_win_now(&game, &pos) {
            found.push(pos);
        }
    }
    found
}

fn after(game: &Pentago, pos: &Position, mv: Move) -> Position {
    let mut next = *pos;
    game.play(&mut next, mv);
    next
}

/// The moves after which the opponent has not won and has no win in one.
fn safe_moves(game: &Pentago, pos: &Position) -> Vec<Move> {
    let loser = game.to_move(pos);
    let mut moves = Vec::new();
    game.moves(pos, &mut moves);
    moves.retain(|mv| {
        let next = after(game, pos, *mv);
        match game.outcome(&next) {
            Some(outcome) => outcome != Outcome::Win(loser.other()),
            None => !can_win_now(game, &next),
        }
    });
    moves
}

fn e3() -> Box<dyn Evaluate<Pentago>> {
    evaluation(&Pentago::twist(), &Spec::parse("e3").unwrap()).unwrap()
}

fn e3_of_program() -> Box<dyn Evaluate<Pentago>> {
    evaluation(&Pentago::twist(), &Spec::parse("e3(mode=as-programmed)").unwrap()).unwrap()
}

#[test]
fn cut_short_it_drops_losing_moves_and_chooses_another() {
    let game = Arc::new(Pentago::twist());
    let mut threatened = 0;
    for pos in positions(120) {
        let safe = safe_moves(&game, &pos);
        let line = Line::from_position(game.clone(), pos);
        threatened += u32::from(!safe.is_empty() && game.threatens(&pos, line.to_move().other()));
        for nodes in [0, 1, 300, 3000] {
            let choice = TwistPaper::printed(e3()).think(&line, &Limit::nodes(nodes), &mut Quiet);
            let context = format!("{nodes} nodes at {}: {}", game.write_position(&pos), game.write_move(choice.mv));
            assert!(safe.is_empty() || safe.contains(&choice.mv), "{context}");
        }
    }
    assert!(threatened >= 20, "{threatened}");
}

/// The first of the best moves by the evaluation alone.
fn best(moves: &[Move], game: &Pentago, pos: &Position, eval: &dyn Evaluate<Pentago>) -> Option<(Move, f64)> {
    let view: Player = game.to_move(pos);
    let mut best: Option<(Move, f64)> = None;
    for mv in moves {
        let next = after(game, pos, *mv);
        let value = match game.outcome(&next) {
            Some(Outcome::Draw) => 0.0,
            _ => eval.value(game, &next, view),
        };
        if best.is_none_or(|best| value > best.1) {
            best = Some((*mv, value));
        }
    }
    best
}

#[test]
fn without_time_the_moves_have_their_evaluations() {
    let game = Arc::new(Pentago::twist());
    let mut compared = [0, 0];
    for pos in positions(60) {
        let line = Line::from_position(game.clone(), pos);
        let safe = safe_moves(&game, &pos);
        if let Some(best) = best(&safe, &game, &pos, &*e3()) {
            let choice = TwistPaper::printed(e3()).think(&line, &Limit::nodes(0), &mut Quiet);
            assert_eq!((choice.mv, choice.value), best, "{}", game.write_position(&pos));
            compared[0] += 1;
        }
        // As programmed, a move is looked for among those that are worth most of all: one that is safe and worth most is found.
        let mut all = Vec::new();
        game.moves(&pos, &mut all);
        if let Some(best) = best(&all, &game, &pos, &*e3_of_program())
            && best.1 >= 0.0
            && safe.contains(&best.0)
        {
            let choice = TwistPaper::as_programmed(e3_of_program()).think(&line, &Limit::nodes(0), &mut Quiet);
            assert_eq!((choice.mv, choice.value), best, "{}", game.write_position(&pos));
            compared[1] += 1;
        }
    }
    assert!(compared[0] >= 30 && compared[1] >= 15, "{compared:?}");
}

#[test]
fn the_depth_is_the_one_that_was_finished() {
    let game = Arc::new(Pentago::twist());
    let pos = game.read_position("xxxx../o.oo../....../....../....../...... o").unwrap();
    let line = Line::from_position(game.clone(), pos);
    for programmed in [false, true] {
        let player = || if programmed { TwistPaper::as_programmed(e3_of_program()) } else { TwistPaper::printed(e3()) };
        let whole = player().think(&line, &Limit::default(), &mut Quiet);
        assert_eq!(whole.depth, 3);
        let just = player().think(&line, &Limit::nodes(whole.nodes), &mut Quiet);
        assert_eq!((just.mv, just.depth, just.nodes), (whole.mv, 3, whole.nodes));
        let cut = player().think(&line, &Limit::nodes(whole.nodes - 1), &mut Quiet);
        assert_eq!((cut.depth, cut.nodes), (1, whole.nodes - 1));
    }
}
