//! `quintet report`: the curves of a training run.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use quintet_learn::{Run, charts, html, markdown, replace};

/// Draws what a run has measured, into its folder.
pub fn run(out: &mut dyn Write, path: &Path) -> Result<()> {
    let (config, metrics) = (Run::config_of(path)?, Run::metrics_of(path)?);
    let Some(last) = metrics.last() else {
        bail!("{} has measured nothing yet; go on with: quintet train --resume {0}", path.display())
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
