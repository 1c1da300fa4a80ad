//! What the champions do besides searching: they vary openings on request, and resist when lost.

use std::collections::HashSet;

use quintet_agent::seat;
use quintet_game::{AnyLine, GAMES, GameSpec, Limit, Outcome, Proof, Stop};
use quintet_search::Choice;

fn spec(text: &str) -> GameSpec {
    GameSpec::parse(text).unwrap()
}

fn think(agent: &str, line: &dyn AnyLine, limit: &Limit, seed: u64) -> Choice<String> {
    seat(&line.spec(), agent, seed).unwrap().think(line, limit, &Stop::never(), &mut |_| {}).unwrap()
}

#[test]
fn every_champion_plays_the_same_on_every_machine_where_visits_are_counted() {
    for info in GAMES {
        let line = spec(info.name).line();
        let choose = |agent: &str| {
            let choice = think(agent, &*line, &Limit::visits(40), 1);
            (choice.mv, choice.nodes, choice.chances)
        };
        let champion = format!("{}:champion", info.name);
        assert_eq!(choose(&champion), choose("exact(agent=puct(eval=net,c=0.7))"), "{champion}");
        let error = seat(&line.spec(), "puct(threads=many)", 1).err().unwrap().to_string();
        assert!(error.starts_with("threads=many"), "{error}");
    }
}

#[test]
fn openings_vary_on_request() {
    let game = spec("pentago");
    let line = game.line();
    let firsts = |agent: &str| -> Vec<String> {
        (1..=12).map(|seed| think(agent, &*line, &Limit::visits(60), seed).mv).collect()
    };
    let different = |agent: &str| firsts(agent).into_iter().collect::<HashSet<_>>().len();
    let varied = "pentago:champion(variety=1)";
    assert!(different(varied) > 4 && different(varied) > different("pentago:champion"));
    assert_eq!(firsts(varied), firsts(varied));
    assert_eq!(firsts("pentago:champion(variety=1,variety-plies=0)"), firsts("pentago:champion"));
    let error = seat(&game, "pentago:champion(variety=-1)", 1).err().unwrap().to_string();
    assert!(error.starts_with("variety=-1"), "{error}");
}

/// Lost positions in which most moves let the other side win at once, and one to three of eight do not.
#[test]
fn a_lost_game_of_pentago_is_made_long() {
    for (game, position) in [
        ("pentago", "xoxxxo/oxox.o/xoooxo/xx.ox./o.ooox/xo.x.x x"),
        ("pentago-twist", "ooxxox/.xx.xo/oxxoox/o.xxox/xoo.ox/xoo.o. x"),
        ("pentago-twist", "xoxxx./..oooo/.oxxxx/oo.x.o/xxoooo/ooxxxx x"),
        ("pentago-twist", "o..oxo/xxooxo/..xxox/ooooxx/ooxxo./xoxx.x x"),
    ] {
        let mut line = spec(game).line_at(position).unwrap();
        let choice = think("exact(agent=random)", &*line, &Limit::nodes(100_000_000), 1);
        assert_eq!(choice.proof(), Some(Proof::Loss), "{game} {position}");
        line.try_play(&choice.mv).unwrap();
        let wins_at_once = line.legal_moves().iter().any(|mv| {
            let mut after = line.clone();
            after.try_play(mv).unwrap();
            after.end().is_some_and(|(outcome, _)| outcome == Outcome::Win(line.to_move()))
        });
        assert!(!wins_at_once, "{game} {position}: {}", choice.mv);
    }
}
