//! `quintet train`: recipes turned into weights.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use quintet_agent::Catalogue;
use quintet_arena::{Length, Plan};
use quintet_eval::Argument;
use quintet_game::GameSpec;
use quintet_learn::{LearnError, Recipe, Recipes, Run, RunError, TrainContext, Trial, replace};
use serde_json::json;

use crate::interrupt::{self, Stopped};
use crate::{args, data, results, screen, version};

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
    #[arg(long)]
    pub games: Option<u64>,
    /// Decides all chances
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
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
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists recipes, or follows one.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &TrainArgs) -> Result<()> {
    let recipes = Recipes::with_data(&crate::data::of(data))?;
    if args.list {
        return list(out, &recipes, args.json);
    }
    let (recipe, mut run) = begin(&recipes, agents, data, args)?;
    let threads = args::threads(args.threads);
    let stop = interrupt::stop_on_interrupt()?;
    follow(&mut run, &TrainContext { agents, threads, stop: &stop })?;
    let file = finish(agents, &recipe, &run, args, threads, &stop)?;
    let installed = if args.install { Some(install(data, &recipe, &file)?) } else { None };
    say(out, &recipe, &run, &file, installed.as_deref(), args.json)
}

/// Training was stopped and can go on.
fn stopped(folder: &Path) -> Stopped {
    let folder = folder.display();
    Stopped(format!("stopped; what was learned is kept. Go on with: quintet train --resume {folder}"))
}

fn list(out: &mut dyn Write, recipes: &Recipes, as_json: bool) -> Result<()> {
    if as_json {
        let recipe = |recipe: &Recipe| {
            json!({
                "name": recipe.token(), "game": recipe.game, "kind": recipe.kind, "about": recipe.about, "section": recipe.section,
                "with": recipe.with, "source": recipe.source,
            })
        };
        writeln!(out, "{}", serde_json::to_string_pretty(&recipes.iter().map(recipe).collect::<Vec<_>>())?)?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["recipe", "pipeline", "games", "what it learns"]);
    for recipe in recipes.iter() {
        let games = recipe.with.get("games").map_or("-".into(), ToString::to_string);
        table.add_row([recipe.token(), recipe.kind.clone(), games, recipe.about.clone()]);
    }
    writeln!(out, "{table}\n\nquintet train NAME follows one; docs/training.md says how to write your own.")?;
    Ok(())
}

/// The recipe as it was asked for, and its run.
fn begin(recipes: &Recipes, agents: &Catalogue, data: Option<&Path>, args: &TrainArgs) -> Result<(Recipe, Run)> {
    if let Some(run) = &args.resume {
        return resume(recipes, data, run);
    }
    let name = args.name.as_deref().expect("clap demands a name");
    let mut recipe = find(recipes, name)?.clone();
    let mut command = format!("quintet train {name}");
    if let Some(games) = args.games {
        recipe = recipe.with("games", &games.to_string())?;
        command += &format!(" --games {games}");
    }
    for pair in &args.set {
        let (key, value) = pair.split_once('=').with_context(|| format!("--set {pair}: it must be KEY=VALUE"))?;
        recipe = recipe.with(key, value).with_context(|| format!("--set {pair}"))?;
        command += &format!(" --set {key}={value}");
    }
    let folder = folder_of(&recipe, args, data)?;
    if let Some(which) = &args.from_store {
        let games = from_store(agents, data, &recipe, which, &folder)?;
        recipe = recipe.with("from", &toml::Value::String(games.display().to_string()).to_string())?;
        command += &format!(" --from-store={which}");
    }
    command += &format!(" --seed {}", args.seed);
    let commit = version::commit().unwrap_or_default();
    let run = Run::open(&folder, &recipe, args.seed, &command, &commit)?;
    Ok((recipe, run))
}

fn find<'a>(recipes: &'a Recipes, name: &str) -> Result<&'a Recipe> {
    recipes.find(name).with_context(|| {
        let known: Vec<String> = recipes.iter().map(Recipe::token).collect();
        format!("there is no recipe \"{name}\"; there are {}", known.join(", "))
    })
}

/// The run that a folder holds.
fn resume(recipes: &Recipes, data: Option<&Path>, asked: &Path) -> Result<(Recipe, Run)> {
    let path = data::run_folder(data, asked);
    let config = Run::config_of(&path)?;
    let mut recipe = find(recipes, &config.recipe)?.clone();
    (recipe.kind, recipe.with) = (config.kind.clone(), config.with.clone());
    let run = Run::open(&path, &recipe, config.seed, &config.command, &config.commit)?;
    Ok((recipe, run))
}

/// Where a run works when nobody says: in a folder named after what was asked for.
fn folder_of(recipe: &Recipe, args: &TrainArgs, data: Option<&Path>) -> Result<PathBuf> {
    if let Some(out) = &args.out {
        return Ok(out.clone());
    }
    let Some(data) = data else { bail!("there is no place for data here; name one with --out DIR or --data DIR") };
    let mut name = format!("train-{}-{}-{}", recipe.game, recipe.name, args.seed);
    let mut changes: Vec<String> = args.set.clone();
    changes.extend(args.games.map(|games| format!("games={games}")));
    changes.extend(args.from_store.as_ref().map(|which| format!("from={which}")));
    for change in changes {
        name.push('-');
        name.extend(change.chars().map(|c| if c.is_ascii_alphanumeric() || ".=".contains(c) { c } else { '_' }));
    }
    Ok(data.join("runs").join(name))
}

/// Writes the games of the store that are asked for into the folder of the run, where they stay: a run that goes on sees the same ones.
fn from_store(agents: &Catalogue, data: Option<&Path>, recipe: &Recipe, which: &str, folder: &Path) -> Result<PathBuf> {
    let file = folder.join("games.txt");
    if file.exists() {
        return Ok(file);
    }
    let run = match which {
        "all" | "people" => None,
        number => Some(number.parse().with_context(|| {
            format!("--from-store={number}: it must be all, people, or the number of a run from `quintet records list`")
        })?),
    };
    let is_person =
        |game: &str, player: &str| GameSpec::parse(game).map_or(true, |spec| agents.resolved(&spec, player).is_err());
    let mut text = String::new();
    let mut count = 0;
    for kept in data::store(data)?.games(run, Some(recipe.game))? {
        if which != "people" || kept.players.iter().any(|player| is_person(&kept.game, player)) {
            text.push_str(&kept.record);
            text.push('\n');
            count += 1;
        }
    }
    if count == 0 {
        bail!("the store has no such games of {}; `quintet records list` says what there is", recipe.game);
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    replace(&file, &text)?;
    eprintln!("quintet: {count} games of the store are in {}", file.display());
    Ok(file)
}

/// Step by step to the end, with a bar.
fn follow(run: &mut Run, context: &TrainContext) -> Result<()> {
    let progress = run.progress();
    let name = run.config().recipe.clone();
    let mut bar = screen::Forming::new(progress.total, progress.done, &name);
    while !run.progress().finished() {
        match run.step(context) {
            Ok(()) => {}
            Err(RunError::Learning(LearnError::Stopped)) => {
                bar.finish();
                return Err(stopped(run.path()).into());
            }
            Err(error) => {
                bar.finish();
                return Err(error.into());
            }
        }
        let progress = run.progress();
        bar.so_far(
            progress.done,
            &format!("{}{}{}", progress.unit, if progress.says.is_empty() { "" } else { ", " }, progress.says),
        );
    }
    bar.finish();
    Ok(())
}

/// Writes what was learned into the folder, measures it, and writes it again with its strength.
fn finish(
    agents: &Catalogue,
    recipe: &Recipe,
    run: &Run,
    args: &TrainArgs,
    threads: usize,
    stop: &AtomicBool,
) -> Result<PathBuf> {
    let (ending, text) = run.text("not measured".into());
    let file = run.path().join(format!("{}.{ending}", recipe.name));
    if args.no_test {
        if !file.exists() {
            replace(&file, &text)?;
        }
        return Ok(file);
    }
    replace(&file, &text)?;
    let mut strength = Vec::new();
    for trial in &recipe.test {
        strength.push(try_out(agents, recipe, trial, &file, args.seed, threads, stop)?);
    }
    replace(&file, &run.text(if strength.is_empty() { "not measured".into() } else { strength.join("; ") }).1)?;
    Ok(file)
}

/// Plays a trial; what came of it in words.
fn try_out(
    agents: &Catalogue,
    recipe: &Recipe,
    trial: &Trial,
    file: &Path,
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
) -> Result<String> {
    let weights = Argument::Text(file.display().to_string()).to_string();
    let agent = trial.agent.replace('$', &weights);
    let against = trial.against.replace('$', &weights);
    let spec = trial.spec.as_deref().unwrap_or(recipe.game);
    let mut plan = Plan::duel(spec, [&agent, &against], Length::Games(trial.games))?;
    (plan.opening_plies, plan.seed) = (trial.openings, seed);
    let mut bar = screen::Forming::new(plan.games(), 0, &format!("against {}", trial.against));
    let result = quintet_arena::run(&plan, agents, Vec::new(), threads, stop, &mut |_| {
        bar.one_more("games");
        Ok(())
    });
    bar.finish();
    let results = result?;
    if !results.is_complete() {
        return Err(stopped(file.parent().unwrap_or(file)).into());
    }
    let wdl = results.wdl(0, 1);
    Ok(format!("{} of {} games against {}", results::percent(wdl), trial.games, trial.against))
}

/// Puts a file where the program looks for it before what comes with it.
fn install(data: Option<&Path>, recipe: &Recipe, file: &Path) -> Result<PathBuf> {
    let Some(data) = data else { bail!("there is no place for data here; name one with --data DIR") };
    let folder = data.join("weights").join(recipe.game);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let to = folder.join(file.file_name().context("the file has no name")?);
    replace(&to, &std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?)?;
    Ok(to)
}

fn say(
    out: &mut dyn Write,
    recipe: &Recipe,
    run: &Run,
    file: &Path,
    installed: Option<&Path>,
    as_json: bool,
) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let weights = quintet_eval::Weights::parse(&text).ok();
    let strength = weights.as_ref().map(|weights| weights.made.strength.clone());
    let checksum = weights.as_ref().map(quintet_eval::Weights::checksum);
    if as_json {
        let answer = json!({
            "recipe": recipe.token(), "run": run.path(), "file": file, "installed": installed, "strength": strength, "checksum": checksum,
        });
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    writeln!(out, "{} is in {}", recipe.token(), file.display())?;
    if let (Some(strength), Some(checksum)) = (strength, checksum) {
        writeln!(out, "checksum: {checksum}\nstrength: {strength}")?;
    }
    writeln!(out, "curves: quintet report {}", run.path().display())?;
    match installed {
        Some(path) => writeln!(out, "installed: {} stands before what comes with the program", path.display())?,
        None => writeln!(out, "to use it as {}: the same command with --install", recipe.token())?,
    }
    Ok(())
}
