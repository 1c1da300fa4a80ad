//! `quintet report`: the curves of a training run.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use quintet_learn::{Run, charts, html, markdown, replace};

use crate::data;

/// Which run is drawn.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The folder of the run, or its name in runs/ of the data directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
}

/// Draws the metrics of a run into its folder.
pub fn run(out: &mut dyn Write, data: Option<&Path>, args: &ReportArgs) -> Result<()> {
    let path = &data::run_folder(data, &args.run);
    let (config, metrics) = (Run::config_of(path)?, Run::metrics_of(path)?);
    let Some(last) = metrics.last() else {
        bail!("{} has no measurements yet; continue with: quintet train --resume {0}", path.display())
    };
    let charts = charts(&config.recipe, &metrics);
    for chart in &charts {
        replace(&path.join(&chart.file), &chart.svg)?;
    }
    replace(&path.join("report.md"), &markdown(&config, &metrics, &charts))?;
    replace(&path.join("report.html"), &html(&config, &metrics, &charts))?;
    writeln!(out, "{} (seed {}), until {}:", config.recipe, config.seed, last.at)?;
    for (name, value) in last.values.iter().filter(|(name, _)| !name.contains(['/', '~'])) {
        writeln!(out, "  {name}: {value:.4}")?;
    }
    writeln!(out, "{} pictures and report.html are in {}", charts.len(), path.display())?;
    Ok(())
}
