//! What the papers claim about their agents, where no tournament is needed to see it.

use std::collections::BTreeSet;

use quintet_agent::seat;
use quintet_game::pentago::{Move, Pentago, Position};
use quintet_game::{AnyLine, Game, GameSpec, Limit, Notation, Outcome, Rng, SeedableRng, Stop, can_win_now};

/// The move that an agent chooses in a game.
fn choose(agent: &str, table: &dyn AnyLine, seed: u64) -> String {
    let mut seat = seat(&table.spec(), agent, seed).unwrap();
    seat.think(table, &Limit::default(), &Stop::never(), &mut |_| {}).unwrap().mv
}

// ---- Pentago-Twist ----

/// A game of so many plies in which nobody has won: random moves, or the middle plan against them for early threats.
fn twist_game(plies: usize, plan: bool, rng: &mut Rng) -> Option<Box<dyn AnyLine>> {
    let mut table = GameSpec::parse("pentago-twist").unwrap().line();
    for ply in 0..plies {
        let mv = if plan && ply % 2 == plies % 2 {
            choose("pentago-twist:middle-plan", &*table, 1)
        } else {
            table.random_move(rng).unwrap()
        };
        table.try_play(&mv).unwrap();
        if table.end().is_some() {
            return None;
        }
    }
    Some(table)
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
        let Some(table) = twist_game(plies, plies < 16, &mut rng) else { continue };
        let pos = *table.typed::<Pentago>().unwrap().position();
        let mut moves = Vec::new();
        game.moves(&pos, &mut moves);
        if can_win_now(&game, &pos) || !moves.iter().any(|&mv| forces_mate(&game, &pos, mv)) {
            continue;
        }
        let mv = choose("pentago-twist:paper(nodes=1000000000)", &*table, 1);
        assert!(forces_mate(&game, &pos, game.read_move(&mv).unwrap()), "{mv} misses the mate at {}", table.position());
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
    let tables: Vec<_> = (0..30).filter_map(|plies| twist_game(plies, false, &mut rng)).collect();
    assert!(tables.len() >= 20);
    for mode in ["printed", "as-programmed"] {
        for table in &tables {
            let agent = format!("pentago-twist:paper(mode={mode},nodes=20000)");
            let [one, two] = [1, 2].map(|seed| choose(&agent, &**table, seed));
            assert_eq!(one, two, "{mode} at {}", table.position());
        }
    }
}

// ---- Pathwayz ----

/// Does the opponent win next, whatever the side to move does?
fn is_lost(table: &mut dyn AnyLine) -> bool {
    let loser = table.to_move();
    let lost = |table: &dyn AnyLine| table.end().is_some_and(|(outcome, _)| outcome == Outcome::Win(loser.other()));
    table.legal_moves().into_iter().all(|mv| {
        table.try_play(&mv).unwrap();
        let over = table.end().is_some();
        let all = if over {
            lost(table)
        } else {
            table.legal_moves().into_iter().any(|reply| {
                table.try_play(&reply).unwrap();
                let all = lost(table);
                table.undo();
                all
            })
        };
        table.undo();
        all
    })
}

/// The paper's program has a finite utility, so that a lost side still plays its best move; with one that drowns the evaluation it plays at random.
#[test]
fn pathwayz_a_lost_side_plays_its_best_move_by_a_finite_utility() {
    let spec = GameSpec::parse("pathwayz(rows=4,cols=5)").unwrap();
    let mut rng = Rng::seed_from_u64(3);
    let mut found = 0;
    for plies in [6, 7, 8].into_iter().cycle().take(3000) {
        let mut table = spec.line();
        while table.plies() < plies && table.end().is_none() {
            let mv = table.random_move(&mut rng).unwrap();
            table.try_play(&mv).unwrap();
        }
        if table.end().is_some() || !is_lost(&mut *table) {
            continue;
        }
        let text = table.position();
        let choices = |agent: &str| -> BTreeSet<String> { (0..12).map(|seed| choose(agent, &*table, seed)).collect() };
        let (finite, infinite) = (choices("pathwayz:minimax2"), choices("pathwayz:minimax2(utility=1e300)"));
        assert!(finite.len() < infinite.len() && infinite.len() > 4, "{text}: {finite:?} {infinite:?}");
        found += 1;
        if found == 10 {
            return;
        }
    }
    panic!("only {found} lost positions");
}
