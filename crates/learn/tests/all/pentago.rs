//! The Pentago paper's pipelines: the same seed gives the same weights, interrupted or not.

use quintet_agent::Catalogue;
use quintet_eval::Weights;
use quintet_game::Stop;
use quintet_learn::{LearnError, Pipeline, Product, Recipe, Recipes, TrainContext};

fn recipe(token: &str, with: &[(&str, &str)]) -> Recipe {
    let recipe = Recipes::embedded().find(token).unwrap_or_else(|| panic!("{token}")).clone();
    with.iter().fold(recipe, |recipe, (key, value)| recipe.with(key, value).unwrap())
}

/// Trains to the end. Returns the weights and all metrics. `between` may replace the pipeline
/// after each step.
fn train(
    recipe: &Recipe,
    seed: u64,
    between: impl Fn(Box<dyn Pipeline>) -> Box<dyn Pipeline>,
) -> (Weights, Vec<String>) {
    let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &Stop::never() };
    let mut pipeline = recipe.start(seed, None).unwrap();
    let mut metrics = Vec::new();
    while !pipeline.progress().finished() {
        let step = pipeline.step(&context).unwrap();
        metrics.extend(step.metrics.iter().map(|metric| serde_json::to_string(metric).unwrap()));
        pipeline = between(pipeline);
    }
    let Product::Weights(weights) = pipeline.product() else { panic!("no weights") };
    (weights, metrics)
}

/// Small trainings of every kind.
fn recipes() -> Vec<Recipe> {
    let few = ("games", "170");
    vec![
        recipe("pentago:evolved", &[few]),
        recipe("pentago:mdp", &[few, ("buckets", "120")]),
        recipe("pentago:mdp", &[few, ("buckets", "120"), ("shifted", "false"), ("game", "pentago")]),
        recipe("pentago:mdp2", &[few, ("buckets", "300")]),
        recipe("pentago:mdp3", &[few, ("buckets", "300")]),
    ]
}

#[test]
fn the_same_seed_gives_the_same_weights() {
    for recipe in recipes() {
        let once = train(&recipe, 4, |pipeline| pipeline);
        assert_eq!(once, train(&recipe, 4, |pipeline| pipeline), "{}", recipe.name);
        assert_ne!(once.0, train(&recipe, 5, |pipeline| pipeline).0, "{}", recipe.name);
        assert_eq!(once.0.made.games, 170);
        assert_eq!(Weights::parse(&once.0.to_text()).unwrap(), once.0);
    }
}

/// After each step the pipeline is thrown away, and another goes on from the text that was kept.
#[test]
fn interruptions_change_nothing() {
    for recipe in recipes() {
        let whole = train(&recipe, 6, |pipeline| pipeline);
        let broken = train(&recipe, 6, |pipeline| {
            let text = pipeline.save().to_string();
            recipe.start(6, Some(serde_json::from_str(&text).unwrap())).unwrap()
        });
        assert_eq!(whole, broken, "{}", recipe.name);
    }
}

/// A stopped step changes nothing.
#[test]
fn a_stopped_step_is_dropped() {
    for recipe in recipes() {
        let stop = Stop::new();
        stop.stop();
        let context = TrainContext { agents: Catalogue::embedded(), threads: 1, stop: &stop };
        let mut pipeline = recipe.start(1, None).unwrap();
        let before = pipeline.save();
        assert!(matches!(pipeline.step(&context), Err(LearnError::Stopped)), "{}", recipe.name);
        assert_eq!(pipeline.save(), before, "{}", recipe.name);
    }
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    for (token, key, value, says) in [
        ("pentago:mdp", "hash", "4", "4 is not a hash"),
        ("pentago:mdp", "hash", "3", "hash 3 needs weights"),
        ("pentago:mdp", "features", "pentago:evolved", "uses no features"),
        ("pentago:mdp", "buckets", "2", "2 is not a possible number of buckets"),
        ("pentago:mdp", "gamma", "1.0", "gamma = 1"),
        ("pentago:mdp", "tau", "0.0", "tau = 0"),
        ("pentago:mdp", "epsilon", "1.5", "epsilon = 1.5"),
        ("pentago:mdp", "game", "pylos", "not for pylos"),
        ("pentago:mdp", "colour", "3", "colour"),
        ("pentago:evolved", "relative", "-1.0", "must not be negative"),
        ("pentago:evolved", "absolute", "0.0", "absolute must be above 0"),
        ("pentago:evolved", "game", "chess", "chess"),
    ] {
        let recipe = Recipes::embedded().find(token).unwrap().clone();
        let error = recipe.with(key, value).err().unwrap_or_else(|| panic!("{key}={value}")).to_string();
        assert!(error.contains(says), "{key}={value}: {error}");
    }
}
