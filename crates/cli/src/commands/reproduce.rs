//! `quintet reproduce`: the papers' tables and claims, played again.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets};
use quintet_agent::Catalogue;
use quintet_arena::stats::half_width;
use quintet_arena::{Played, Threads};
use quintet_game::Stop;
use quintet_lab::{Reproduction, run_folder};
use quintet_papers::experiments::{
    Experiment, Games, Job, Kind, Library, Meta, PaperNumber, Readiness, Report, ReportLine, Schedule, Size,
    paper_numbers, state,
};
use serde_json::{Value, json};

use crate::cluster::{self, ClusterArgs};
use crate::interrupt::{self, Stopped};
use crate::output::note;
use crate::{args, screen, version};

/// What to repeat, and how much of it.
#[derive(Args, Debug)]
pub struct ReproduceArgs {
    /// An experiment, as in pylos/agents; a game; or all
    #[arg(value_name = "ID|GAME|all", required_unless_present_any = ["list", "numbers"])]
    pub what: Option<String>,
    /// List all experiments, what they wait for, and how long they take
    #[arg(long)]
    pub list: bool,
    /// Print every number that is quoted from a paper, with its place there
    #[arg(long, conflicts_with = "list")]
    pub numbers: bool,
    /// Two minutes per experiment; smaller budgets give a direction, not a verdict
    #[arg(long, group = "size")]
    pub quick: bool,
    /// The paper's own numbers of games and budgets
    #[arg(long, group = "size")]
    pub paper: bool,
    /// More games than the paper has
    #[arg(long, group = "size")]
    pub full: bool,
    /// Decides all chances
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at once (default: all cores, but one for timed games, of which each is measured by the time of its own thread)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    /// The folder of the run, or of the runs (default: runs/ in the data directory)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A comparison differs.
#[derive(Debug, thiserror::Error)]
#[error("{0} of the comparisons differ from the paper; the report says why")]
pub struct Differs(usize);

/// Lists experiments, or repeats some.
pub fn run(out: &mut dyn Write, agents: &Catalogue, data: Option<&Path>, args: &ReproduceArgs) -> Result<()> {
    args.cluster.check(None)?;
    let library = Library::with_data(&crate::data::of(data))?;
    for file in library.sources() {
        note!("quintet: experiments are also read from {}", file.display());
    }
    let chosen = library.choose(args.what.as_deref().unwrap_or("all"))?;
    if args.list {
        return list(out, agents, &chosen, args.json);
    }
    if args.numbers {
        let ids: Vec<&str> = chosen.iter().map(|experiment| experiment.id.as_str()).collect();
        return numbers(out, &paper_numbers(&crate::data::of(data))?, &ids, args.json);
    }
    let many = chosen.len() > 1;
    let stop = interrupt::stop_on_interrupt()?;
    let (mut answers, mut differing) = (Vec::new(), 0);
    for experiment in chosen {
        let report = one(agents, data, args, experiment, many, &stop)?;
        differing += report.lines.iter().filter(|line| line.finding.differs()).count();
        if args.json {
            answers.push(report.json());
        } else {
            print(out, &report)?;
            out.flush()?;
        }
    }
    if args.json {
        let answer = if many { json!(answers) } else { answers.pop().unwrap_or_default() };
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    }
    out.flush()?;
    if differing > 0 { Err(Differs(differing).into()) } else { Ok(()) }
}

fn size(args: &ReproduceArgs) -> Size {
    match (args.paper, args.full) {
        (true, _) => Size::Paper,
        (_, true) => Size::Full,
        _ => Size::Quick,
    }
}

/// Runs one experiment to its end.
fn one(
    agents: &Catalogue,
    data: Option<&Path>,
    args: &ReproduceArgs,
    experiment: Experiment,
    many: bool,
    stop: &Stop,
) -> Result<Report> {
    let size = size(args);
    let schedule = Schedule::new(experiment, size, args.seed, agents).map_err(anyhow::Error::msg)?;
    let timed = schedule.experiment.kind == Kind::Times;
    let offered = args.threads.or(timed.then_some(1));
    let mut meta = Meta::new(&schedule, Reproduction::threads(&schedule, args::threads(offered)));
    meta.commit = version::commit();
    if let Some(out) = &args.out {
        meta.command += &format!(" --out {}", out.display());
    }
    meta.command += &args.cluster.again();
    if Reproduction::is_empty(&schedule) {
        return Ok(Report::new(&schedule, &Games::new(), &[], meta));
    }
    let id = schedule.experiment.id.clone();
    let path = folder_of(&id, size, args, data, many)?;
    let like = schedule.experiment.like.as_ref().map(|like| folder_of(like, size, args, data, true)).transpose()?;
    let mut reproduction = Reproduction::open(schedule, &path, like.as_deref())?;
    announce(reproduction.schedule(), size, meta.threads, reproduction.played());
    let mut bar = screen::Forming::new(reproduction.schedule().games(), reproduction.played(), &id);
    let mut heard = |job: &Job, so_far: &[Played]| {
        bar.one_more(&format!("{} ({}), {} of {}", job.what, job.mode, so_far.len(), job.games()));
    };
    let here = Threads { agents, count: meta.threads };
    let played = match args.cluster.url() {
        None => reproduction.play_by(here, &here, stop, &mut heard),
        Some(_) => reproduction.play_by(here, &*cluster::hands(&args.cluster, agents, None)?, stop, &mut heard),
    };
    bar.finish();
    let command = meta.command.clone();
    let stopped = || {
        let kept = format!("stopped; every finished game is kept in {}", path.display());
        Stopped(format!("{kept}. Go on with: {command}"))
    };
    let played = played.map_err(|error| match error {
        quintet_arena::RunError::Keep(why) => unwritten(&why, &command),
        other => other.into(),
    })?;
    if !played {
        return Err(stopped().into());
    }
    let mut bar = screen::Forming::new(reproduction.samples(), 0, &id);
    let report = reproduction.report(agents, meta, stop, &mut || bar.one_more("samples"));
    bar.finish();
    let report = report.map_err(|error| unwritten(&error, &command))?.ok_or_else(stopped)?;
    note!("quintet: games, tables and pictures are in {}", path.display());
    Ok(report)
}

/// A file of the run could not be written, as on a full disk; what was there before is kept.
fn unwritten(why: &dyn Display, command: &str) -> anyhow::Error {
    anyhow!("{why}. Every game before is kept; go on with: {command}")
}

/// The folder of a run: the one asked for, with one inside of it for each of many.
fn folder_of(id: &str, size: Size, args: &ReproduceArgs, data: Option<&Path>, many: bool) -> Result<PathBuf> {
    let name = Reproduction::folder_name(id, args.seed, size);
    match (&args.out, data) {
        (Some(out), _) if many => Ok(out.join(name)),
        (Some(out), _) => Ok(out.clone()),
        (None, Some(data)) => Ok(run_folder(data, &name)),
        (None, None) => bail!("there is no data directory; name one with --out DIR or --data DIR"),
    }
}

/// Says what is coming before it comes.
fn announce(schedule: &Schedule, size: Size, threads: usize, done: u64) {
    let mut text = format!("{}, {}: {} games", schedule.experiment.id, size.name(), schedule.games());
    if done > 0 {
        text += &format!(", {done} of them played before");
    }
    if let Some((games, width)) = schedule.fewest().and_then(|games| Some((games, half_width(games)?))) {
        text += &format!("; at least {games} games per row, intervals up to +-{:.0} points", 100.0 * width);
    }
    if let Some(minutes) = schedule.experiment.minutes(size) {
        let cores = if schedule.experiment.kind == Kind::Times { 1.0 } else { 2.0 };
        let share = cores / threads as f64;
        text += &format!("; expected: {} on {threads} thread(s)", duration(minutes * share));
    }
    note!("{text}");
}

fn duration(minutes: f64) -> String {
    match minutes {
        0.0 => "no time".into(),
        m if m < 1.5 => format!("about {:.0} s", 60.0 * m),
        m if m < 100.0 => format!("about {m:.0} min"),
        m => format!("about {:.0} h", m / 60.0),
    }
}

fn print(out: &mut dyn Write, report: &Report) -> Result<()> {
    let experiment = &report.experiment;
    writeln!(out, "{}: {}\npaper ({}): {}", experiment.id, experiment.title, experiment.section, experiment.claim)?;
    if let Some(note) = &experiment.note {
        writeln!(out, "{note}")?;
    }
    let mut table = table(presets::ASCII_MARKDOWN);
    table.set_header(ReportLine::COLUMNS);
    for line in &report.lines {
        table.add_row(line.cells());
    }
    writeln!(out, "\n{table}\n")?;
    writeln!(out, "{}", report.verdict())?;
    for contradiction in &experiment.contradictions {
        writeln!(out, "the paper contradicts itself: {contradiction}")?;
    }
    for chosen in &experiment.chosen {
        writeln!(out, "chosen by us: {chosen}")?;
    }
    for [name, value] in report.facts() {
        writeln!(out, "{name}: {value}")?;
    }
    writeln!(out)?;
    Ok(())
}

/// Default number of characters per line.
const WIDTH: u16 = 190;

/// A table that fits its place.
fn table(style: comfy_table::TableStyle) -> Table {
    let mut table = Table::new();
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none() {
        table.set_width(WIDTH);
    }
    table
}

fn list(out: &mut dyn Write, agents: &Catalogue, experiments: &[Experiment], json: bool) -> Result<()> {
    let states: Vec<(&Experiment, Readiness)> =
        experiments.iter().map(|experiment| (experiment, state(experiment, agents))).collect();
    if json {
        let all: Vec<Value> = states
            .iter()
            .map(|(experiment, state)| {
                let waits = match state {
                    Readiness::Ready => None,
                    Readiness::Partly(why) | Readiness::Waits(why) => Some(why),
                };
                json!({
                    "id": experiment.id, "title": experiment.title, "section": experiment.section, "claim": experiment.claim,
                    "kind": experiment.kind, "ready": !matches!(state, Readiness::Waits(_)), "waits_for": waits, "minutes": experiment.minutes,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let mut table = table(presets::NOTHING);
    table.set_header(["id", "title", "state", "quick", "paper", "full"]);
    for (experiment, state) in &states {
        let text = match state {
            Readiness::Ready => "ready".into(),
            Readiness::Partly(why) => format!("ready in part; the rest waits for {why}"),
            Readiness::Waits(why) => format!("waiting for {why}"),
        };
        let time = |size| match (state, experiment.minutes(size)) {
            (Readiness::Waits(_), _) | (_, None) => "-".into(),
            (_, Some(minutes)) => duration(minutes),
        };
        let head = [experiment.id.clone(), experiment.title.clone(), text];
        table.add_row(head.into_iter().chain([Size::Quick, Size::Paper, Size::Full].map(time)));
    }
    writeln!(out, "{table}\n\nExpected times are for two cores.")?;
    Ok(())
}

/// The numbers that the chosen experiments quote.
fn numbers(out: &mut dyn Write, numbers: &[PaperNumber], ids: &[&str], json: bool) -> Result<()> {
    let quoted = numbers.iter().filter(|number| number.used.iter().any(|id| ids.contains(&id.as_str())));
    if json {
        let of_number = |number: &PaperNumber| {
            json!({
                "paper": number.title, "game": number.game, "place": number.at, "words": number.words,
                "what": number.what, "value": number.value, "how": number.how, "used": number.used,
            })
        };
        let all: Vec<Value> = quoted.map(of_number).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    let mut table = table(presets::NOTHING);
    table.set_header(["paper", "place", "begins", "what", "number", "quoted by"]);
    for number in quoted {
        let value = match &number.how {
            Some(how) => format!("{} ({how})", number.value),
            None => number.value.clone(),
        };
        let used = number.used.join(", ");
        table.add_row([&number.game, &number.at, &number.words, &number.what, &value, &used]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}
