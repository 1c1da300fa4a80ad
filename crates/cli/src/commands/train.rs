//! `quintet train`: recipes turned into weights.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use quintet_agent::Catalogue;
use quintet_lab::{StoreGames, Trained, Training, TrainingError, TrainingRequest, run_folder};
use quintet_learn::{Recipe, Recipes, Run, TrainContext, TrainingRunError};
use serde_json::json;

use super::train_net;
use crate::interrupt::{self, Stopped};
use crate::output::note;
use crate::{args, data, screen, version};

/// What to learn, and how.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// A recipe, as in pathwayz:tdl52
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "resume"])]
    pub name: Option<String>,
    /// List all recipes
    #[arg(long)]
    pub list: bool,
    /// How many games, in place of the recipe's own number
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub games: Option<u64>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Train this many seeds one after another, from --seed on, and name the one whose last trial is the median
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100), conflicts_with_all = ["resume", "out", "no_test"])]
    pub seeds: Option<u64>,
    /// Another parameter of the recipe, as in eta=0.0005
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Learn from games in the store: all of this game, only those with a person in them (people), or those of one run (its number)
    #[arg(long, value_name = "all|people|RUN", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub from_store: Option<String>,
    /// Go on with a run that was stopped: its folder, or its name in runs/ of the data directory
    #[arg(long, value_name = "RUN", conflicts_with_all = ["name", "games", "set", "from_store", "out"])]
    pub resume: Option<PathBuf>,
    /// The folder of the run (default: in runs/ of the data directory)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Put what was learned in the place of what came with the program
    #[arg(long)]
    pub install: bool,
    /// Do not measure the strength of what was learned
    #[arg(long)]
    pub no_test: bool,
    /// Threads, for pipelines that can use them (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What the recipes of nets learn.
const NET: &str = "the game's net, by self-play in Python (needs PyTorch)";

/// Lists recipes, or follows one.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &TrainArgs) -> Result<()> {
    let recipes = Recipes::with_data(&crate::data::of(data))?;
    if args.list {
        return list(out, &recipes, &train_net::games(&crate::data::of(data))?, args.json);
    }
    if let Some(game) = args.name.as_deref().and_then(train_net::game_of) {
        return train_net::run(out, game, data, args);
    }
    let stop = interrupt::stop_on_interrupt()?;
    let context = TrainContext { agents, threads: args::threads(args.threads), stop: &stop };
    if let Some(seeds) = args.seeds {
        return train_seeds(out, &recipes, &context, data, args, seeds);
    }
    let mut training = match &args.resume {
        Some(run) => resume(&recipes, data, run)?,
        None => begin(&recipes, agents, data, args, args.seed)?,
    };
    learn(&mut training, &context)?;
    let (file, measured) = if args.no_test {
        (training.write()?, None)
    } else {
        let Trained { file, strength } = measure(&training, &context)?;
        (file, Some(strength))
    };
    let installed = if args.install { Some(install(data, training.recipe(), &file)?) } else { None };
    say(out, &training, &file, measured, installed.as_deref(), args.json)
}

/// Trains a recipe once for each seed and names the median one. Seeds that were trained before are not trained again.
fn train_seeds(
    out: &mut dyn Write,
    recipes: &Recipes,
    context: &TrainContext,
    data: Option<&Path>,
    args: &TrainArgs,
    seeds: u64,
) -> Result<()> {
    let mut all = Vec::new();
    for seed in args.seed..args.seed.saturating_add(seeds) {
        let mut training = begin(recipes, context.agents, data, args, seed)?;
        learn(&mut training, context)?;
        let trained = measure(&training, context)?;
        all.push((seed, training, trained));
    }
    let scores: Vec<Option<f64>> = all.iter().map(|(_, _, trained)| trained.score()).collect();
    let median = quintet_lab::median(&scores).context("the recipe has no trial, so no seed can be the median")?;
    let (seed, training, trained) = &all[median];
    let installed = if args.install { Some(install(data, training.recipe(), &trained.file)?) } else { None };
    if args.json {
        let run = |(seed, training, trained): &(u64, Training, Trained)| json!({"seed": seed, "run": training.folder(), "file": trained.file, "strength": trained.strength, "score": trained.score()});
        let runs: Vec<_> = all.iter().map(run).collect();
        let answer = json!({"recipe": training.recipe().token(), "runs": runs, "median": seed, "installed": installed});
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    for (seed, _, trained) in &all {
        writeln!(out, "seed {seed}: {}\n  {}", trained.strength, trained.file.display())?;
    }
    writeln!(out, "the median by the last trial is seed {seed}: {}", trained.file.display())?;
    installed.map_or(Ok(()), |path| say_installed(out, &path))
}

/// Says where a file is now by which its agents play.
pub(super) fn say_installed(out: &mut dyn Write, path: &Path) -> Result<()> {
    Ok(writeln!(out, "installed: {} is used instead of what comes with the program", path.display())?)
}

/// Training was stopped and can go on.
fn stopped(folder: &Path) -> Stopped {
    let folder = folder.display();
    Stopped(format!("stopped; what was learned is kept. Go on with: quintet train --resume {folder}"))
}

/// A file of the run could not be written, as on a full disk; what was there before is kept.
fn unwritten(error: TrainingError, folder: &Path) -> anyhow::Error {
    match error {
        TrainingError::Run(TrainingRunError::File { .. }) => {
            anyhow!("{error}. What was learned before is kept; go on with: quintet train --resume {}", folder.display())
        }
        other => other.into(),
    }
}

fn list(out: &mut dyn Write, recipes: &Recipes, nets: &[String], as_json: bool) -> Result<()> {
    if as_json {
        let recipe = |recipe: &Recipe| {
            json!({
                "name": recipe.token(), "game": recipe.game, "kind": recipe.kind, "about": recipe.about, "section": recipe.section,
                "with": recipe.with, "source": recipe.source,
            })
        };
        let net = |game: &String| json!({"name": format!("{game}:zero"), "game": game, "kind": "zero", "about": NET});
        let all: Vec<_> = recipes.iter().map(recipe).chain(nets.iter().map(net)).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["recipe", "pipeline", "games", "what it learns"]);
    for recipe in recipes.iter() {
        let games = recipe.with.get("games").map_or("-".into(), ToString::to_string);
        table.add_row([recipe.token(), recipe.kind.clone(), games, recipe.about.clone()]);
    }
    for game in nets {
        table.add_row([&format!("{game}:zero"), "zero", "-", NET]);
    }
    writeln!(out, "{table}\n\nquintet train NAME follows one; docs/training.md says how to write your own.")?;
    Ok(())
}

/// The run that is asked for, begun or continued.
fn begin(recipes: &Recipes, agents: &Catalogue, data: Option<&Path>, args: &TrainArgs, seed: u64) -> Result<Training> {
    let recipe = find(recipes, args.name.as_deref().expect("clap demands a name"))?.clone();
    let game = recipe.game;
    let mut request = TrainingRequest::new(recipe, seed).commit(version::commit().unwrap_or_default());
    if let Some(games) = args.games {
        request = request.games(games)?;
    }
    for pair in &args.set {
        let (key, value) = pair.split_once('=').with_context(|| format!("--set {pair}: it must be KEY=VALUE"))?;
        request = request.set(key, value).with_context(|| format!("--set {pair}"))?;
    }
    let from: Option<StoreGames> = match &args.from_store {
        Some(which) => Some(which.parse().with_context(|| format!("--from-store={which}"))?),
        None => None,
    };
    if let Some(games) = from {
        request = request.from_store(games);
    }
    let folder = folder_of(&request, args, data)?;
    if let Some(games) = from.filter(|_| !StoreGames::file(&folder).exists()) {
        let count = games.copy(&data::store_to_read(data)?, agents, game, &folder)?;
        note!("quintet: {count} games of the store are in {}", StoreGames::file(&folder).display());
    }
    Ok(Training::begin(request, &folder)?)
}

fn find<'a>(recipes: &'a Recipes, name: &str) -> Result<&'a Recipe> {
    recipes.find(name).with_context(|| {
        let known: Vec<String> = recipes.iter().map(Recipe::token).collect();
        format!("there is no recipe \"{name}\"; there are {}", known.join(", "))
    })
}

/// The run that a folder holds.
fn resume(recipes: &Recipes, data: Option<&Path>, asked: &Path) -> Result<Training> {
    let path = data::run_folder(data, asked);
    let recipe = find(recipes, &Run::config_of(&path)?.recipe)?.clone();
    Ok(Training::resume(recipe, &path)?)
}

/// Where a run works: as asked for, else in a folder named after what was asked for.
fn folder_of(request: &TrainingRequest, args: &TrainArgs, data: Option<&Path>) -> Result<PathBuf> {
    match (&args.out, data) {
        (Some(out), _) => Ok(out.clone()),
        (None, Some(data)) => Ok(run_folder(data, &request.folder_name())),
        (None, None) => bail!("there is no data directory; name one with --out DIR or --data DIR"),
    }
}

/// Step by step to the end, with a bar.
fn learn(training: &mut Training, context: &TrainContext) -> Result<()> {
    let progress = training.progress();
    let mut bar = screen::Forming::new(progress.total, progress.done, &training.recipe().token());
    let learned = training.learn(context, &mut |progress| {
        bar.so_far(
            progress.done,
            &format!("{}{}{}", progress.unit, if progress.says.is_empty() { "" } else { ", " }, progress.says),
        );
    });
    bar.finish();
    let learned = learned.map_err(|error| unwritten(error, training.folder()))?;
    if learned { Ok(()) } else { Err(stopped(training.folder()).into()) }
}

/// Measures what was learned, with a bar for each trial.
fn measure(training: &Training, context: &TrainContext) -> Result<Trained> {
    let mut bar: Option<screen::Forming> = None;
    let trained = training.measure(context, &mut |trial, done| match &mut bar {
        Some(bar) if done > 0 => bar.one_more("games"),
        bar => {
            bar.iter().for_each(screen::Forming::finish);
            *bar = Some(screen::Forming::new(trial.games, done, &format!("against {}", trial.against)));
        }
    });
    bar.iter().for_each(screen::Forming::finish);
    let trained = trained.map_err(|error| unwritten(error, training.folder()))?;
    Ok(trained.ok_or_else(|| stopped(training.folder()))?)
}

/// Puts a file where the program looks for it before what comes with it.
fn install(data: Option<&Path>, recipe: &Recipe, file: &Path) -> Result<PathBuf> {
    let Some(data) = data else { bail!("there is no data directory; name one with --data DIR") };
    let name = file.file_name().context("the file has no name")?.to_string_lossy();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(quintet_lab::install(data, recipe.game, &name, &text)?)
}

fn say(
    out: &mut dyn Write,
    training: &Training,
    file: &Path,
    measured: Option<String>,
    installed: Option<&Path>,
    as_json: bool,
) -> Result<()> {
    let (recipe, folder) = (training.recipe(), training.folder());
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let weights = quintet_eval::Weights::parse(&text).ok();
    let strength = weights.as_ref().map(|weights| weights.made.strength.clone()).or(measured);
    let checksum = weights.as_ref().map(quintet_eval::Weights::checksum);
    if as_json {
        let answer = json!({
            "recipe": recipe.token(), "run": folder, "file": file, "installed": installed, "strength": strength, "checksum": checksum,
        });
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    writeln!(out, "{} is in {}", recipe.token(), file.display())?;
    for (name, value) in [("checksum", checksum), ("strength", strength)] {
        if let Some(value) = value {
            writeln!(out, "{name}: {value}")?;
        }
    }
    writeln!(out, "curves: quintet report {}", folder.display())?;
    match installed {
        Some(path) => say_installed(out, path)?,
        None => writeln!(out, "to use it as {}: the same command with --install", recipe.token())?,
    }
    Ok(())
}
