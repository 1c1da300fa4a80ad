//! Claims of the papers about their agents that can be checked without a tournament.

use std::collections::BTreeSet;

use quintet_agent::seat;
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{AnyLine, Game, GameSpec, Limit, Notation, Outcome, Rng, SeedableRng, Stop, can_win_now};

/// The move that an agent chooses in a game.
fn choose(agent: &str, line: &dyn AnyLine, seed: u64) -> String {
    let mut seat = seat(&line.spec(), agent, seed).unwrap();
    seat.think(line, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap().mv
}

// ---- Pentago-Twist ----

/// A game of this many plies that nobody has won: random moves, or the middle plan against them for early threats.
fn twist_game(plies: usize, plan: bool, rng: &mut Rng) -> Option<Box<dyn AnyLine>> {
    let mut line = GameSpec::parse("pentago-twist").unwrap().line();
    for ply in 0..plies {
        let mv = if plan && ply % 2 == plies % 2 {
            choose("pentago-twist:middle-plan", &*line, 1)
        } else {
            line.random_move(rng).unwrap()
        };
        line.try_play(&mv).unwrap();
        if line.end().is_some() {
            return None;
        }
    }
    Some(line)
}

/// Does the move force a win with the next one, whatever the reply?
fn forces_mate(game: &Pentago, pos: &Position, mv: Move) -> bool {
    let mut next = *pos;
    game.play(&mut next, mv);
    let mut replies = Vec::new();
    game.moves(&next, &mut replies);
    let me = game.to_move(pos);
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let mut answer = next;
            game.play(&mut answer, reply);
            match game.outcome(&answer) {
                Some(outcome) => outcome == Outcome::Win(me),
                None => can_win_now(game, &answer),
            }
        })
}

/// The paper: at depth 3 the player never misses its own mate in two.
#[test]
fn pentago_twist_own_mate_in_two_is_never_missed() {
    let game = Pentago::twist();
    let mut rng = Rng::seed_from_u64(1);
    let mut found = 0;
    // Rounds 3 to 16 are searched three plies deep.
    for plies in (6..=33).cycle().take(3000) {
        let Some(line) = twist_game(plies, plies < 16, &mut rng) else { continue };
        let pos = *line.typed::<Pentago>().unwrap().position();
        let mut moves = Vec::new();
        game.moves(&pos, &mut moves);
        if can_win_now(&game, &pos) || !moves.iter().any(|&mv| forces_mate(&game, &pos, mv)) {
            continue;
        }
        let mv = choose("pentago-twist:paper(nodes=1000000000)", &*line, 1);
        assert!(forces_mate(&game, &pos, game.read_move(&mv).unwrap()), "{mv} misses the mate at {}", line.position());
        found += 1;
        if found == 40 {
            break;
        }
    }
    assert!(found >= 30, "only {found} positions with a mate in two");
}

/// The paper: the same board, the same move.
#[test]
fn pentago_twist_paper_is_deterministic() {
    let mut rng = Rng::seed_from_u64(2);
    let lines: Vec<_> = (0..30).filter_map(|plies| twist_game(plies, false, &mut rng)).collect();
    assert!(lines.len() >= 20);
    for mode in ["printed", "as-programmed"] {
        for line in &lines {
            let agent = format!("pentago-twist:paper(mode={mode},nodes=20000)");
            let [one, two] = [1, 2].map(|seed| choose(&agent, &**line, seed));
            assert_eq!(one, two, "{mode} at {}", line.position());
        }
    }
}

// ---- Pathwayz ----

/// Does the opponent win next, whatever the side to move does?
fn is_lost(line: &mut dyn AnyLine) -> bool {
    let loser = line.to_move();
    let lost = |line: &dyn AnyLine| line.end().is_some_and(|(outcome, _)| outcome == Outcome::Win(loser.other()));
    line.legal_moves().into_iter().all(|mv| {
        line.try_play(&mv).unwrap();
        let over = line.end().is_some();
        let all = if over {
            lost(line)
        } else {
            line.legal_moves().into_iter().any(|reply| {
                line.try_play(&reply).unwrap();
                let all = lost(line);
                line.undo();
                all
            })
        };
        line.undo();
        all
    })
}

/// The paper's program has a finite utility, so a lost side still plays its best move; with one that drowns the evaluation, it plays at random.
#[test]
fn pathwayz_a_lost_side_plays_its_best_move_by_a_finite_utility() {
    let spec = GameSpec::parse("pathwayz(rows=4,cols=5)").unwrap();
    let mut rng = Rng::seed_from_u64(3);
    let mut found = 0;
    for plies in [6, 7, 8].into_iter().cycle().take(3000) {
        let mut line = spec.line();
        while line.plies() < plies && line.end().is_none() {
            let mv = line.random_move(&mut rng).unwrap();
            line.try_play(&mv).unwrap();
        }
        if line.end().is_some() || !is_lost(&mut *line) {
            continue;
        }
        let text = line.position();
        let choices = |agent: &str| -> BTreeSet<String> { (0..12).map(|seed| choose(agent, &*line, seed)).collect() };
        let (finite, infinite) = (choices("pathwayz:minimax2"), choices("pathwayz:minimax2(utility=1e300)"));
        assert!(finite.len() < infinite.len() && infinite.len() > 4, "{text}: {finite:?} {infinite:?}");
        found += 1;
        if found == 10 {
            return;
        }
    }
    panic!("only {found} lost positions");
}
