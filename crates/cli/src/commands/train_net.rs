//! `quintet train GAME:zero`: a net, trained by the Python package.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use quintet_data::Data;
use serde::Deserialize;

use super::train::TrainArgs;
use crate::output::note;

/// The part of a recipe's name after the colon.
const NAME: &str = "zero";
const FILE: &str = "training/nets.toml";

/// One call of the training.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stage {
    game: String,
    variants: Vec<String>,
    options: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    stage: Vec<Stage>,
}

/// The game whose net a recipe's name asks for.
pub fn game_of(name: &str) -> Option<&str> {
    name.strip_suffix(NAME)?.strip_suffix(':')
}

/// The games that have a net to train, in the order of the file.
pub fn games(data: &Data) -> Result<Vec<String>> {
    let mut games: Vec<String> = stages(data)?.into_iter().map(|stage| stage.game).collect();
    games.dedup();
    Ok(games)
}

fn stages(data: &Data) -> Result<Vec<Stage>> {
    let file = data.find(FILE)?.context("training/nets.toml is missing")?;
    let read: File =
        toml::from_str(file.text()?).map_err(|error| file.wrong(error.to_string().trim_end().to_owned()))?;
    Ok(read.stage)
}

/// Trains the net of a game, stage by stage. A run that was stopped goes on.
pub fn run(out: &mut dyn Write, game: &str, data: Option<&Path>, args: &TrainArgs) -> Result<()> {
    let stages = stages(&crate::data::of(data))?;
    let mine: Vec<&Stage> = stages.iter().filter(|stage| stage.game == game).collect();
    ensure!(!mine.is_empty(), "there is no net to train for \"{game}\"; quintet train --list lists all recipes");
    ensure!(
        args.games.is_none() && args.seeds.is_none() && args.from_store.is_none() && !args.json,
        "the training of a net takes --seed, --set, --out, --threads and --install alone"
    );
    let folder = match (&args.out, data) {
        (Some(out), _) => out.clone(),
        (None, Some(data)) => quintet_lab::run_folder(data, &format!("{game}-{NAME}-seed{}", args.seed)),
        (None, None) => bail!("there is no data directory; name one with --out DIR or --data DIR"),
    };
    let python = python()?;
    for stage in mine {
        let mut command = Command::new(&python);
        command.args(["-m", "quintet.zero"]).args(&stage.variants).arg("--out").arg(&folder);
        command.args(&stage.options).args(["--seed", &args.seed.to_string()]);
        if let Some(threads) = args.threads {
            command.args(["--threads", &threads.to_string()]);
        }
        // Of options that are given twice, the last one counts.
        for pair in &args.set {
            let (key, value) = pair.split_once('=').with_context(|| format!("--set {pair}: it must be KEY=VALUE"))?;
            command.arg(format!("--{key}")).args(value.split(' '));
        }
        let status = command.status().with_context(|| format!("cannot run {}", python.display()))?;
        ensure!(status.success(), "the training has ended with {status}; the same command goes on with it");
    }
    let net = folder.join("net.safetensors");
    writeln!(out, "{game}:{NAME} is in {}", net.display())?;
    if args.install {
        let Some(data) = data else { bail!("there is no data directory; name one with --data DIR") };
        let place = data.join("weights").join(game);
        std::fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        let place = place.join("net.safetensors");
        std::fs::copy(&net, &place).with_context(|| format!("cannot write {}", place.display()))?;
        super::train::say_installed(out, &place)?;
    } else {
        writeln!(out, "to use it: the same command with --install, or puct(eval=net(weights=\"{}\"))", net.display())?;
    }
    Ok(())
}

/// A Python that can train: `$PYTHON`, or python3.
fn python() -> Result<PathBuf> {
    let python = std::env::var_os("PYTHON").map_or_else(|| "python3".into(), PathBuf::from);
    let tried = Command::new(&python).args(["-c", "import torch, quintet.zero.train"]).output();
    let wrong = match &tried {
        Err(error) => error.to_string(),
        Ok(tried) if tried.status.success() => {
            note!("quintet: training with {}", python.display());
            return Ok(python);
        }
        Ok(tried) => String::from_utf8_lossy(&tried.stderr).lines().last().unwrap_or("it failed").to_owned(),
    };
    bail!(
        "nets are trained in Python with PyTorch (1.13 or later) and the package quintet, which {} cannot import: {wrong}. Install both \
         (crates/python/README.md says how), or name another Python with PYTHON=…",
        python.display()
    )
}
