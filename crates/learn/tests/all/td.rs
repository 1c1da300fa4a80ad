//! Temporal difference learning against its definition.

use std::collections::BTreeMap;

use quintet_agent::Catalogue;
use quintet_eval::{Spec, WeightStore, Weights, evaluation};
use quintet_game::pathwayz::Pathwayz;
use quintet_game::record::Record;
use quintet_game::{Game, GameSpec, Notation, Outcome, Player, Rng, SeedableRng, Stop};
use quintet_learn::{Metric, Pipeline, Product, Recipe, Recipes, TrainContext};

static STOP: Stop = Stop::never();

fn recipe(name: &str, set: &[(&str, &str)]) -> Recipe {
    let recipe = Recipes::embedded().find(name).unwrap().clone();
    set.iter().fold(recipe, |recipe, (key, value)| recipe.with(key, value).unwrap())
}

fn weights(pipeline: &dyn Pipeline) -> Weights {
    match pipeline.product() {
        Product::Weights(weights) => weights,
        Product::File { .. } => panic!("weights are learned"),
    }
}

/// Runs a recipe to its end; `restore` saves and reads its state after every step.
fn run(recipe: &Recipe, seed: u64, restore: bool) -> (Weights, Vec<Metric>) {
    let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &STOP };
    let mut pipeline = recipe.start(seed, None).unwrap();
    let mut metrics = Vec::new();
    while !pipeline.progress().finished() {
        metrics.extend(pipeline.step(&context).unwrap().metrics);
        if restore {
            let text = pipeline.save().to_string();
            pipeline = recipe.start(seed, Some(serde_json::from_str(&text).unwrap())).unwrap();
        }
    }
    (weights(&*pipeline), metrics)
}

/// Small and quick versions of every kind of run.
fn small_runs() -> Vec<Recipe> {
    let small = [("games", "30"), ("block", "10"), ("spec", "pathwayz(rows=4,cols=6)"), ("last-games", "20")];
    let with = |name: &str, more: &[(&str, &str)]| recipe(name, &[&small[..], more].concat());
    vec![
        with("pathwayz:tdl52", &[("last-block", "10")]),
        with("pathwayz:tdl53", &[("last-games", "0")]),
        with("pathwayz:tdl440", &[("last-games", "10"), ("last-block", "10"), ("start", "zero"), ("lambda", "0.5")]),
        with("pathwayz:td52", &[("last-games", "0")]),
        with("pathwayz:dumb", &[("eta", "1.0")]),
        recipe("pylos:td20", &[("games", "10"), ("block", "5")]),
        recipe("twixt:td4", &[("games", "20"), ("block", "10"), ("spec", "twixt(size=6,rules=paper)")]),
        recipe("pentago-twist:td10", &[("games", "20"), ("block", "10")]),
    ]
}

#[test]
fn the_same_seed_gives_the_same_weights_however_often_it_is_broken_off() {
    for recipe in small_runs() {
        let (once, metrics) = run(&recipe, 5, false);
        assert_eq!(run(&recipe, 5, true), (once.clone(), metrics), "{}", recipe.token());
        assert_ne!(run(&recipe, 6, false).0, once, "{}", recipe.token());
    }
}

/// Some games on a small board as records, with random moves; those of `keep`.
fn records(spec: &str, count: usize, keep: impl Fn(&Record) -> bool) -> Vec<Record> {
    let mut rng = Rng::seed_from_u64(3);
    let spec = GameSpec::parse(spec).unwrap();
    let mut play = || {
        let mut line = spec.line();
        while line.end().is_none() {
            let mv = line.random_move(&mut rng).unwrap();
            line.try_play(&mv).unwrap();
        }
        Record::of(&*line, ["a", "b"], None)
    };
    let found: Vec<Record> = (0..20_000).map(|_| play()).filter(keep).take(count).collect();
    assert_eq!(found.len(), count);
    found
}

/// A file that is removed in the end.
struct GameFile(std::path::PathBuf);

impl GameFile {
    fn new(name: &str, records: &[Record]) -> GameFile {
        let path = std::env::temp_dir().join(format!("quintet-td-{}-{name}", std::process::id()));
        std::fs::write(&path, records.iter().map(|record| format!("{record}\n")).collect::<String>()).unwrap();
        GameFile(path)
    }
}

impl Drop for GameFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The boards after its own moves, and nothing but the utility for an ended one.
    Printed,
    /// The same on the boards on which it is to move.
    ToMove,
    Programmed,
}

/// The update as the text has it, with names for weights and nothing shared with the pipeline but features and rules.
fn by_definition(game: &Pathwayz, eval: &str, records: &[Record], eta: f64, lambda: f64, way: Way) -> Weights {
    let programmed = way == Way::Programmed;
    let features = evaluation(game, &Spec::parse(eval).unwrap()).unwrap();
    let of = |pos: &_, view| -> BTreeMap<String, f64> {
        features.terms(game, pos, view).into_iter().map(|term| (term.name, term.value)).collect()
    };
    let mut weights: BTreeMap<String, f64> = of(&game.start(), Player::First).into_keys().map(|k| (k, 0.0)).collect();
    let value = |weights: &BTreeMap<String, f64>, f: &BTreeMap<String, f64>| -> f64 {
        f.iter().map(|(name, value)| weights[name] * value).sum()
    };
    for record in records {
        let mut positions = vec![game.start()];
        for mv in &record.moves {
            let mut next = *positions.last().unwrap();
            game.play(&mut next, game.read_move(mv).unwrap());
            positions.push(next);
        }
        let end = positions.len() - 1;
        let full = record.moves.len() == game.rows() * game.columns();
        for view in Player::BOTH {
            // White moves at even plies, so that its moves lead to boards of odd ones.
            let mut turns: Vec<usize> = match way {
                Way::Printed => (1..end).filter(|ply| Player::BOTH[(ply + 1) % 2] == view).collect(),
                _ => (0..end).filter(|ply| Player::BOTH[ply % 2] == view).collect(),
            };
            turns.push(end);
            let seen: Vec<_> = turns.iter().map(|ply| of(&positions[*ply], view)).collect();
            for next in 1..turns.len() {
                let utility = match game.outcome(&positions[turns[next]]) {
                    Some(Outcome::Win(_)) if programmed && full => 0.0,
                    Some(Outcome::Win(winner)) => {
                        let once = if winner == view { 100.0 } else { -100.0 };
                        if programmed { 2.0 * once } else { once }
                    }
                    _ => 0.0,
                };
                let ended = !programmed && next == turns.len() - 1;
                let value_now = if ended { 0.0 } else { value(&weights, &seen[next]) };
                let error = value_now + utility - value(&weights, &seen[next - 1]);
                for (age, earlier) in seen[..next].iter().rev().enumerate() {
                    for (name, f) in earlier {
                        *weights.get_mut(name).unwrap() += eta * error * lambda.powi(age as i32) * f;
                    }
                }
            }
        }
    }
    Weights::linear(&features_kind(eval), weights.iter().map(|(name, weight)| (name.as_str(), *weight)))
}

fn features_kind(eval: &str) -> String {
    Spec::parse(eval).unwrap().kind
}

#[test]
fn weights_move_as_defined() {
    let game = Pathwayz::new(3, 4);
    let spec = "pathwayz(rows=3,cols=4)";
    let mut games = records(spec, 4, |_| true);
    // A path that the last square of the board completes: as programmed a draw.
    games.extend(records(spec, 2, |record| record.moves.len() == 12 && record.result != Some(Outcome::Draw)));
    games.extend(records(spec, 1, |record| record.result == Some(Outcome::Draw)));
    let file = GameFile::new("defined", &games);
    let path = format!("{:?}", file.0.to_str().unwrap());
    for (name, eval, lambda, way) in [
        ("pathwayz:tdl52", "pathwayz-52(mode=printed)", 0.0, Way::Printed),
        ("pathwayz:tdl52", "pathwayz-52(mode=printed)", 0.0, Way::ToMove),
        ("pathwayz:tdl52", "pathwayz-52(mode=printed)", 0.7, Way::ToMove),
        ("pathwayz:tdl53", "pathwayz-53", 0.0, Way::Programmed),
        ("pathwayz:tdl440-programmed", "pathwayz-440", 0.3, Way::Programmed),
        ("pathwayz:td52", "pathwayz-52(mode=printed)", 0.7, Way::Printed),
    ] {
        let boards = if way == Way::Printed { "after" } else { "before" };
        let count = games.len().to_string();
        let lambda_text = lambda.to_string();
        let set = [
            ("games", count.as_str()),
            ("spec", spec),
            ("start", "zero"),
            ("eta", "0.05"),
            ("from", &path),
            ("lambda", &lambda_text),
            ("boards", boards),
        ];
        // Those of the mode need not be named.
        let set = if way == Way::ToMove { &set[..] } else { &set[..6] };
        let (learned, _) = run(&recipe(name, set), 1, true);
        let wanted = by_definition(&game, eval, &games, 0.05, lambda, way);
        assert!(wanted.values.values().any(|weight| weight[0].abs() > 1.0), "nothing was learned");
        for (name, weight) in &wanted.values {
            let got = learned.number(name).unwrap();
            assert!((got - weight[0]).abs() <= 1e-9 * weight[0].abs().max(1.0), "{eval} {name}: {got}, not {weight:?}");
        }
    }
}

/// The values that a student learns by are those of the evaluation that reads its weights.
#[test]
fn models_value_as_evaluations_do() {
    let game = Pathwayz::new(4, 6);
    for record in records("pathwayz(rows=4,cols=6)", 3, |_| true) {
        let mut pos = game.start();
        for mv in &record.moves {
            game.play(&mut pos, game.read_move(mv).unwrap());
            for eval in ["pathwayz-9", "pathwayz-52(mode=printed)", "pathwayz-53", "pathwayz-440"] {
                let call = Spec::parse(eval).unwrap();
                let model = WeightStore::embedded().model(&game, &call).unwrap();
                for view in Player::BOTH {
                    let value = evaluation(&game, &call).unwrap().value(&game, &pos, view);
                    let ours = model.value(&game, &pos, view);
                    assert!((ours - value).abs() <= 1e-9 * value.abs().max(1.0), "{eval}: {ours}, not {value}");
                }
            }
        }
    }
}

/// The features that are not chosen weigh nothing, before and after.
#[test]
fn only_chosen_features_are_learned() {
    let set = [
        ("games", "20"),
        ("last-games", "0"),
        ("spec", "pathwayz(rows=4,cols=6)"),
        ("only", "[\"myPerm\", \"myTotal\"]"),
    ];
    let (learned, _) = run(&recipe("pathwayz:tdl52", &set), 1, false);
    let counting: Vec<&String> =
        learned.values.iter().filter(|(_, weight)| weight[0] != 0.0).map(|(name, _)| name).collect();
    assert_eq!(counting, ["myPerm", "myTotal"]);
}

/// The next opponent follows from the win rate of the block before.
#[test]
fn opponents_follow_the_win_rate() {
    let set = [("games", "400"), ("block", "10"), ("last-games", "0"), ("spec", "pathwayz(rows=4,cols=6)")];
    let (_, metrics) = run(&recipe("pathwayz:tdl53", &set), 2, false);
    let mut opponent = "pathwayz:adv-baseline(mode=as-programmed)".to_owned();
    let mut seen = [0; 2];
    assert_eq!(metrics.len(), 40);
    for metric in &metrics[..39] {
        let rate = metric.values["win rate"];
        // The ends of the band are the rates from which the one that was seen is 1.96 standard deviations away, in ten games.
        for end in ["win rate~low", "win rate~high"].map(|name| metric.values[name]) {
            let away = 1.959_964 * (end.max(0.0) * (1.0 - end) / 10.0).abs().sqrt();
            assert!(((rate - end).abs() - away).abs() < 1e-6, "{rate}: {end}");
        }
        let fall = match (rate * 10.0).round() as u32 {
            0..=2 => "pathwayz:random",
            3 => "pathwayz:baseline(mode=as-programmed)",
            4 => "pathwayz:adv-baseline(mode=as-programmed)",
            5 => opponent.as_str(),
            _ => "self",
        };
        let event = match fall {
            _ if rate >= 0.6 => Some(format!("the opponent takes the weights of game {}", metric.at)),
            same if same == opponent => None,
            other => Some(format!("the opponent is {other}")),
        };
        seen[usize::from(event.as_deref().is_some_and(|event| event.contains("takes")))] +=
            usize::from(event.is_some());
        assert_eq!(metric.event, event, "{rate} at {}", metric.at);
        opponent = fall.to_owned();
    }
    assert!(seen.iter().all(|count| *count > 0), "both happen: {seen:?}");
}

/// A win is worth the reward, whatever the last board would be worth: from weights of 0 the first game moves them by eta times reward times the features of the
/// last board after an own move, and by nothing else.
#[test]
fn an_ended_game_is_worth_its_reward_alone() {
    let game = Pathwayz::new(3, 4);
    let spec = "pathwayz(rows=3,cols=4)";
    let won =
        records(spec, 1, |record| record.result == Some(Outcome::Win(Player::First)) && record.moves.len() % 2 == 1);
    let file = GameFile::new("reward", &won);
    let path = format!("{:?}", file.0.to_str().unwrap());
    let set = [("games", "1"), ("spec", spec), ("start", "zero"), ("eta", "0.1"), ("utility", "10"), ("from", &path)];
    let (learned, _) = run(&recipe("pathwayz:tdl52", &set), 1, false);
    let features = evaluation(&game, &Spec::parse("pathwayz-52(mode=printed)").unwrap()).unwrap();
    // White made the last move: its board before the end is two plies back, black's one ply back. White's win is black's loss; black's values are
    // learned after white's, and begin with what white's have become.
    let plies = won[0].moves.len();
    let mut pos = game.start();
    let mut boards = vec![pos];
    for mv in &won[0].moves {
        game.play(&mut pos, game.read_move(mv).unwrap());
        boards.push(pos);
    }
    let white: BTreeMap<String, f64> = features
        .terms(&game, &boards[plies - 2], Player::First)
        .into_iter()
        .map(|term| (term.name, 0.1 * 10.0 * term.value))
        .collect();
    let black = features.terms(&game, &boards[plies - 1], Player::Second);
    let earlier: Vec<_> =
        (2..plies).step_by(2).map(|ply| features.terms(&game, &boards[ply], Player::Second)).collect();
    let value = |weights: &BTreeMap<String, f64>, terms: &[quintet_eval::Term]| -> f64 {
        terms.iter().map(|term| weights[&term.name] * term.value).sum()
    };
    let mut weights = white;
    for pair in earlier.windows(2) {
        let error = value(&weights, &pair[1]) - value(&weights, &pair[0]);
        pair[0].iter().for_each(|term| *weights.get_mut(&term.name).unwrap() += 0.1 * error * term.value);
    }
    let error = -10.0 - value(&weights, &black);
    black.iter().for_each(|term| *weights.get_mut(&term.name).unwrap() += 0.1 * error * term.value);
    for (name, weight) in &weights {
        let got = learned.number(name).unwrap();
        assert!((got - weight).abs() < 1e-9, "{name}: {got}, not {weight}");
    }
}

/// The paper's four stages are one recipe: the first two are those of the recipe of 52 features, and the 440 begin with them under their plain names.
#[test]
fn more_features_begin_with_the_weights_of_fewer() {
    let small = [
        ("games", "20"),
        ("block", "10"),
        ("last-games", "10"),
        ("last-block", "10"),
        ("spec", "pathwayz(rows=4,cols=6)"),
    ];
    let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &STOP };
    let whole = recipe("pathwayz:tdl440", &small);
    let mut pipeline = whole.start(4, None).unwrap();
    assert_eq!(pipeline.progress().total, 60);
    let (mut stages, mut at) = (Vec::new(), Vec::new());
    while !pipeline.progress().finished() {
        let before = pipeline.stages();
        at.extend(pipeline.step(&context).unwrap().metrics.iter().map(|metric| metric.at));
        if pipeline.stages() > before {
            stages.push(weights(&*pipeline));
        }
    }
    assert_eq!(at, [10, 20, 20, 30, 40, 50, 50, 60]);
    let kinds: Vec<&str> = stages.iter().map(|stage| stage.kind.as_str()).collect();
    assert_eq!(kinds, ["pathwayz-52", "pathwayz-52", "pathwayz-440", "pathwayz-440"]);
    assert_eq!(stages.iter().map(|stage| stage.made.games).collect::<Vec<_>>(), [20, 30, 50, 60]);
    let (first, _) = run(&recipe("pathwayz:tdl52", &small), 4, false);
    assert_eq!(first.values, stages[1].values);
    // With a step of almost nothing what the 440 begin with is seen: the plain names of the 52, all else 0.
    let still =
        whole.with("then", "{ features = \"pathwayz-440(mode=printed)\", eta = 1e-300, last-eta = 1e-300 }").unwrap();
    let (begun, _) = run(&still, 4, false);
    let mut taken = 0;
    for (name, weight) in &begun.values {
        let wanted = first.number(name).unwrap_or(0.0);
        assert!((weight[0] - wanted).abs() < 1e-200, "{name}: {weight:?}, not {wanted}");
        taken += usize::from(wanted != 0.0);
    }
    assert!(taken > 30, "{taken}");
}

/// The last stage is played against its own opponent and ends after two good blocks.
#[test]
fn the_last_stage_ends_early() {
    let set = [
        ("games", "10"),
        ("block", "10"),
        ("last", "random"),
        ("last-games", "100"),
        ("last-block", "10"),
        ("spec", "pathwayz(rows=4,cols=6)"),
    ];
    let (learned, metrics) = run(&recipe("pathwayz:tdl52", &set), 1, false);
    assert_eq!(learned.made.games, 30);
    assert_eq!(metrics[1].event.as_deref(), Some("last stage: the opponent is random"));
    assert!(metrics[2..].iter().all(|metric| metric.values["win rate"] >= 0.6));
}

#[test]
fn errors_say_what_to_do() {
    let bad = |key: &str, value: &str| {
        let recipe = Recipes::embedded().find("pathwayz:tdl52").unwrap().clone();
        recipe.with(key, value).err().unwrap().to_string()
    };
    for (key, value, says) in [
        ("eta", "0", "above 0"),
        ("lambda", "2", "from 0 to 1"),
        ("features", "longest-path", "no weights that could be learned"),
        ("features", "pathwayz-54", "choose one of"),
        ("spec", "pylos", "not for pylos"),
        ("only", "[\"sideways\"]", "\"sideways\" is not a feature"),
        ("etta", "1", "unknown field `etta`"),
        ("mode", "guessed", "as-programmed"),
        ("then", "5", "a table"),
        ("then", "{ eta = 0 }", "above 0"),
        ("then", "{ features = \"pathwayz-54\" }", "choose one of"),
    ] {
        assert!(bad(key, value).contains(says), "{key}={value}: {}", bad(key, value));
    }
    let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &STOP };
    let fails = |set: &[(&str, &str)]| {
        let mut pipeline = recipe("pathwayz:tdl52", set).start(1, None).unwrap();
        loop {
            if let Err(error) = pipeline.step(&context) {
                return error.to_string();
            }
        }
    };
    assert!(fails(&[("from", "\"/nowhere/games.txt\"")]).contains("cannot be read"));
    assert!(fails(&[("start", "pathwayz:nobody")]).contains("were not found"));
    let other = GameFile::new("other", &records("pathwayz(rows=3,cols=4)", 1, |_| true));
    assert!(fails(&[("from", &format!("{:?}", other.0.to_str().unwrap()))]).contains("game 1: it is a game of"));
    let wild = [("eta", "1e200"), ("spec", "pathwayz(rows=4,cols=6)")];
    assert!(fails(&wild).contains("smaller eta"));
}
