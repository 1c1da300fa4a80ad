//! What holds of every pipeline.

use quintet_agent::Catalogue;
use quintet_game::Stop;
use quintet_learn::{Pipeline, Product, Recipe, TrainContext};

/// Runs a pipeline for `steps` steps; with `restored`, from its state as JSON text before each of them.
pub fn after(recipe: &Recipe, seed: u64, steps: usize, threads: usize, restored: bool) -> Box<dyn Pipeline> {
    let context = TrainContext { agents: Catalogue::embedded(), threads, stop: &Stop::never() };
    let mut pipeline = recipe.start(seed, None).unwrap();
    for _ in 0..steps {
        if pipeline.progress().finished() {
            break;
        }
        if restored {
            let kept = serde_json::to_string(&pipeline.save()).unwrap();
            pipeline = recipe.start(seed, Some(serde_json::from_str(&kept).unwrap())).unwrap();
        }
        pipeline.step(&context).unwrap();
    }
    pipeline
}

/// The same seed gives the same result, also when the pipeline is saved and restored before every step, and on any number of threads;
/// another seed gives another. Returns the result.
pub fn repeats(recipe: &Recipe, seed: u64, steps: usize) -> Product {
    let calm = after(recipe, seed, steps, 1, false);
    for (threads, restored) in [(1, false), (3, false), (1, true), (2, true)] {
        let other = after(recipe, seed, steps, threads, restored);
        assert_eq!(other.save(), calm.save(), "{} on {threads} threads, restored: {restored}", recipe.token());
        assert_eq!(other.product(), calm.product());
        assert_eq!(other.progress(), calm.progress());
    }
    assert_ne!(after(recipe, seed + 1, steps, 1, false).save(), calm.save(), "{}: the seed decides", recipe.token());
    calm.product()
}
