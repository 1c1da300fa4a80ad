//! Whatever is in the folder of a training run, it is resumed or refused. Parts of the input, parted by lines of `---`, are config.json, checkpoint.json and metrics.jsonl; the first
//! byte chooses the recipe.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use quintet_fuzz::scratch_folder;
use quintet_learn::{Recipe, Recipes, Run};

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| scratch_folder().join("run"));

/// One recipe of each kind, with few games.
static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    let mut chosen: Vec<Recipe> = Vec::new();
    for recipe in Recipes::embedded().iter() {
        if chosen.iter().all(|other| other.kind != recipe.kind) {
            chosen.push(recipe.clone());
        }
    }
    chosen
});

fuzz_target!(|data: &str| -> Corpus {
    let mut chars = data.chars();
    let Some(which) = chars.next() else { return Corpus::Reject };
    let recipe = &RECIPES[which as usize % RECIPES.len()];
    let _ = std::fs::remove_dir_all(&*FOLDER);
    std::fs::create_dir_all(&*FOLDER).expect("the temporary folder can be written");
    for (name, text) in ["config.json", "checkpoint.json", "metrics.jsonl"].iter().zip(chars.as_str().split("---\n")) {
        // An empty part is a file that is not there, so that a checkpoint is reached without its configuration.
        if !text.trim().is_empty() {
            std::fs::write(FOLDER.join(name), text).expect("the temporary folder can be written");
        }
    }
    let _ = Run::config_of(&FOLDER);
    let _ = Run::metrics_of(&FOLDER);
    match Run::open(&FOLDER, recipe, 1, "quintet train", "") {
        // What has been learned so far can always be written down.
        Ok(run) => assert!(!run.text(String::new()).1.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    Corpus::Keep
});
