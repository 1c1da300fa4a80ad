//! What every pipeline promises: the same seed gives the same weights, whatever the threads and however often it was interrupted.

use quintet_agent::Catalogue;
use quintet_game::Stop;
use quintet_learn::{LearnError, Product, Recipe, Recipes, TrainContext};

/// A recipe of each kind, made small.
const SMALL: &[(&str, &[(&str, &str)])] =
    &[("pylos:svm", &[("games", "20"), ("rounds", "2"), ("nodes", "300"), ("training", "60"), ("validation", "9")])];

fn small(token: &str, changes: &[(&str, &str)]) -> Recipe {
    let recipe = Recipes::embedded().find(token).unwrap().clone();
    changes.iter().fold(recipe, |recipe, (key, value)| recipe.with(key, value).unwrap())
}

/// The result of learning. With `interrupted` the state is saved and read after every step, and every other step is first stopped.
fn learned(recipe: &Recipe, seed: u64, threads: usize, interrupted: bool) -> (Product, Vec<String>) {
    let (go, halt) = (Stop::never(), Stop::new());
    halt.stop();
    let context = TrainContext { agents: Catalogue::embedded(), threads, stop: &go };
    let mut pipeline = recipe.start(seed, None).unwrap();
    let mut metrics = Vec::new();
    let mut steps = 0;
    while !pipeline.progress().finished() {
        if interrupted && steps % 2 == 1 {
            let before = pipeline.save();
            let stopped = pipeline.step(&TrainContext { stop: &halt, ..context });
            assert!(matches!(stopped, Err(LearnError::Stopped)), "{}", recipe.token());
            assert_eq!(pipeline.save(), before, "{}: a stopped step changes nothing", recipe.token());
        }
        let step = pipeline.step(&context).unwrap();
        metrics.extend(step.metrics.iter().map(|metric| serde_json::to_string(metric).unwrap()));
        if interrupted {
            let text = pipeline.save().to_string();
            pipeline = recipe.start(seed, Some(serde_json::from_str(&text).unwrap())).unwrap();
        }
        steps += 1;
        assert!(steps < 10_000, "{} does not end", recipe.token());
    }
    assert!(steps > 1, "{}: too small a trial", recipe.token());
    (pipeline.product(), metrics)
}

#[test]
fn the_same_seed_gives_the_same_weights_however_interrupted() {
    for (token, changes) in SMALL {
        let recipe = small(token, changes);
        let once = learned(&recipe, 5, 1, false);
        assert!(learned(&recipe, 5, 3, true) == once, "{token}");
        assert!(learned(&recipe, 6, 2, false).0 != once.0, "{token}: the seed decides nothing");
    }
}

#[test]
fn nonsense_is_refused() {
    let recipe = Recipes::embedded().find("pylos:svm").unwrap();
    for (key, value, says) in [
        ("games", "0", "above 0"),
        ("kernel", "quartic", "linear, cubic, gauss, sigmoid"),
        ("game", "pentago", "is not Pylos"),
        ("gamma", "-1.0", "above 0"),
        ("speed", "3", "speed"),
    ] {
        let error = recipe.clone().with(key, value).unwrap_err().to_string();
        assert!(error.contains(says), "{key}={value}: {error}");
    }
    assert!(recipe.start(1, Some(serde_json::json!({"rounds": "x"}))).is_err());
}
