//! The features of `pylos-20` against a slow twin that reads the position's text and takes moves from the rules.

use std::collections::{BTreeMap, BTreeSet};

use quintet_eval::{Spec, WeightStore, evaluation, evaluation_with};
use quintet_game::pylos::{Position, Pylos};
use quintet_game::{AnyGame, Game, GameSpec, Notation, Player, Rng, SeedableRng};

/// The four levels as characters, rows of level 1 first.
fn levels(text: &str) -> Vec<Vec<char>> {
    text.split(' ').next().unwrap().split('/').map(|level| level.chars().collect()).collect()
}

/// The value of a feature on a board, for the side with this letter.
fn count(game: &Pylos, pos: &Position, name: &str, player: Player) -> usize {
    let levels = levels(&game.write_position(pos));
    let letter = ['L', 'D'][player.index()];
    let at = |level: usize, x: usize, y: usize| levels[level][(4 - level) * y + x];
    let cells = (0..3).flat_map(|level| {
        let size = 4 - level;
        (0..size * size).map(move |i| (level, i % size, i / size))
    });
    let cells: Vec<(usize, usize, usize)> = cells.collect();
    let own: Vec<_> = cells.iter().copied().filter(|&(level, x, y)| at(level, x, y) == letter).collect();
    let on = |level: usize, corner: bool, inside: bool| {
        let rim = |c: usize| c == 0 || c == 3 - level;
        let fits = |x, y| if corner { rim(x) && rim(y) } else { (rim(x) || rim(y)) != inside && !(rim(x) && rim(y)) };
        own.iter().filter(|&&(l, x, y)| l == level && fits(x, y)).count()
    };
    let four =
        |level: usize, x: usize, y: usize| [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| at(level, x + i, y + j));
    match name {
        "Corner1" => on(0, true, false),
        "Edge1" => on(0, false, false),
        "Inner1" => on(0, false, true),
        "Corner2" => on(1, true, false),
        "Edge2" => on(1, false, false),
        "Middle2" => on(1, false, true),
        "Level3" => own.iter().filter(|(level, ..)| *level == 2).count(),
        "Free" => {
            let carries = |&(level, x, y): &(usize, usize, usize)| {
                let size = 3 - level;
                let above = (0..size * size).map(|i| (i % size, i / size));
                above
                    .into_iter()
                    .any(|(i, j)| (i == x || i + 1 == x) && (j == y || j + 1 == y) && at(level + 1, i, j) != '.')
            };
            own.iter().filter(|cell| !carries(cell)).count()
        }
        "Squares" => {
            let corners = cells.iter().filter(|&&(level, x, y)| x + 1 < 4 - level && y + 1 < 4 - level);
            corners.filter(|&&(level, x, y)| four(level, x, y) == [letter; 4]).count()
        }
        _ => panic!("{name}"),
    }
}

/// Cells to which some move brings a ball of the player from the reserve with a take-back; `None` where the rules cannot tell:
/// the player is not to move and could not be, the game is over, or the reserve is empty.
fn earning(game: &Pylos, pos: &Position, player: Player) -> Option<usize> {
    let text = game.write_position(pos);
    let board = text.split(' ').next().unwrap();
    let turned = game.read_position(&format!("{board} {}", ['l', 'd'][player.index()])).ok()?;
    if game.outcome(&turned).is_some() || turned.reserve(player) == 0 {
        return None;
    }
    let mut moves = Vec::new();
    game.moves(&turned, &mut moves);
    let texts = moves.into_iter().map(|mv| game.write_move(mv));
    let earning = texts.filter(|text| !text.contains('^') && text.contains('-'));
    Some(earning.map(|text| text.split('-').next().unwrap().to_owned()).collect::<BTreeSet<_>>().len())
}

#[test]
fn features_are_what_they_are_called() {
    let mut rng = Rng::seed_from_u64(1);
    let mut seen = BTreeMap::new();
    let mut asked = 0;
    for spec in ["pylos", "pylos(rules=expert-diag)"] {
        let AnyGame::Pylos(game) = GameSpec::parse(spec).unwrap().rules() else { panic!("{spec} is not Pylos") };
        let eval = evaluation(&game, &Spec::parse("pylos-20").unwrap()).unwrap();
        let difference = evaluation(&game, &Spec::parse("difference").unwrap()).unwrap();
        for _ in 0..20 {
            let mut pos = game.start();
            while game.outcome(&pos).is_none() {
                let text = game.write_position(&pos);
                for view in Player::BOTH {
                    for term in eval.terms(&game, &pos, view) {
                        let (player, name) = match term.name.strip_prefix("my") {
                            Some(name) => (view, name),
                            None => (view.other(), term.name.strip_prefix("your").unwrap()),
                        };
                        let wanted = match name {
                            "Earning" => earning(&game, &pos, player),
                            name => Some(count(&game, &pos, name, player)),
                        };
                        asked += usize::from(wanted.is_some());
                        let Some(wanted) = wanted else { continue };
                        assert_eq!(term.value, wanted as f64, "{spec} {} {text}", term.name);
                        *seen.entry(name.to_owned()).or_insert(0) += wanted;
                    }
                    // The hand-set weights.
                    assert_eq!(eval.value(&game, &pos, view), difference.value(&game, &pos, view), "{text}");
                }
                let mv = game.random_move(&pos, &mut rng);
                game.play(&mut pos, mv);
            }
        }
    }
    assert!(seen.len() == 10 && seen.values().all(|count| *count > 50), "{seen:?}");
    assert!(asked > 10_000, "{asked}");
}

#[test]
fn weights_are_read_and_models_agree() {
    let game = Pylos::default();
    let spec = Spec::parse("pylos-20").unwrap();
    let mut model = WeightStore::embedded().model(&game, &spec).unwrap();
    for (number, weight) in model.weights_mut().iter_mut().enumerate() {
        *weight = (number as f64 + 1.0).sqrt();
    }
    let learned = evaluation_with(&game, &spec, model.to_weights()).unwrap();
    let mut rng = Rng::seed_from_u64(2);
    let mut pos = game.start();
    while game.outcome(&pos).is_none() {
        let mv = game.random_move(&pos, &mut rng);
        game.play(&mut pos, mv);
        for view in Player::BOTH {
            let (ours, value) = (model.value(&game, &pos, view), learned.value(&game, &pos, view));
            assert!((ours - value).abs() <= 1e-9 * value.abs().max(1.0), "{ours}, not {value}");
        }
    }
    let error =
        |text: &str| WeightStore::embedded().model(&game, &Spec::parse(text).unwrap()).err().unwrap().to_string();
    assert!(error("difference").contains("no weights that could be learned"));
    assert!(error("pylos-20(weights=pylos:svm)").contains("pylos-svr"), "weights of another evaluation");
}
