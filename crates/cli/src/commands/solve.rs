//! `quintet solve`: exact answers.

mod boards;
mod values;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use quintet_game::pylos::Pylos;
use quintet_game::{AnyGame, Game as _, GameSpec, Value};
use quintet_lab::Lock;
use quintet_solve::pylos::{Census, Index, Strategy, SweepState, Table, TableError};
use serde_json::json;

use crate::args::{self, History};
use crate::cluster::ClusterArgs;
use crate::interrupt::{self, Stopped};
use crate::output::note;
use crate::screen;

/// What to solve, and with which resources.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// A game that can be solved, as in pylos, 'pylos(rules=expert)', 'twixt(size=6)' or 'pathwayz(rows=3,cols=4)'; or one of whose positions can: pentago, pentago-twist
    #[arg(value_name = "SPEC")]
    pub game: String,
    /// Its rules, instead of rules= in the spec
    #[arg(long)]
    pub rules: Option<String>,
    /// How it ends, instead of end= in the spec
    #[arg(long)]
    pub end: Option<String>,
    /// Whether taking a ball back is forced or free, instead of takeback= in the spec
    #[arg(long, value_name = "HOW")]
    pub takeback: Option<String>,
    /// Threads (default: all cores)
    #[arg(long, value_parser = crate::args::thread_count)]
    pub threads: Option<usize>,
    /// Do not solve: read the whole table, compare its checksum, write the checksums of its blocks if they are missing, count it, compare a million positions with their children by the rules, and 20,000 with a search of 7 plies
    #[arg(long)]
    pub check: bool,
    /// When it is solved, also write the winner's strategy from the start, a small part of the table, to this file
    #[arg(long, value_name = "FILE")]
    pub strategy: Option<PathBuf>,
    #[command(flatten)]
    pub history: History,
    /// For a position: also print the plies to each win and loss
    #[arg(long)]
    pub distance: bool,
    /// Memory to use, in MiB: for a position (default 2048), or for all threads together on a board of twixt (default 512 each; on a cluster for each first peg)
    #[arg(long, value_name = "MIB", value_parser = crate::args::mebibytes)]
    pub memory: Option<u64>,
    /// For a position too early to be solved completely: seconds of a proof search (default 10). For a board of twixt: stop after this many seconds with what is known
    #[arg(long, value_parser = crate::args::seconds)]
    pub seconds: Option<f64>,
    /// For a board of twixt: only who wins and the quickest first pegs, not the value of every first peg; one thread
    #[arg(long)]
    pub start: bool,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How many positions Pylos has up to symmetry, whatever the rules.
const POSITIONS: u64 = 1_545_122_239;

/// Solves a game, a board or a position, whichever its solver can.
pub fn run(out: &mut dyn Write, data: Option<&Path>, args: &SolveArgs) -> Result<()> {
    let game = spec(args)?;
    fits(&game, args)?;
    let threads = args::threads(args.threads);
    if args.cluster.url().is_some() && (game.info().name != "twixt" || args.start) {
        note!("quintet: a cluster solves maps of first pegs of twixt; this is solved here");
    }
    match game.rules() {
        AnyGame::Pentago(rules) => values::run(out, game, &rules, threads, args),
        AnyGame::Pylos(rules) => whole(out, data, &game, &rules, threads, args),
        AnyGame::Pathwayz(rules) => boards::pathwayz(out, &game, &rules, args),
        AnyGame::Twixt8(rules) => boards::twixt(out, &game, &rules, threads, args),
        AnyGame::Twixt12(rules) => boards::twixt(out, &game, &rules, threads, args),
        AnyGame::Twixt24(rules) => boards::twixt(out, &game, &rules, threads, args),
        AnyGame::TwixtPencil(rules) => boards::twixt(out, &game, &rules, threads, args),
    }
}

/// Solves Pylos into a table, or checks the one that is there.
fn whole(
    out: &mut dyn Write,
    data: Option<&Path>,
    game: &GameSpec,
    rules: &Pylos,
    threads: usize,
    args: &SolveArgs,
) -> Result<()> {
    let folder = data.context("no place to store tables: name one with --data DIR")?.join("tables");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let began = Instant::now();
    let solved = Table::path(&folder, game).exists();
    if args.check {
        note!(
            "checking the whole table: its checksum, its count, a million positions by the rules, 20,000 by a search"
        );
    }
    // A table of an earlier version has no checksums yet.
    if args.check || matches!(Table::open(&folder, game), Err(TableError::Unchecked { .. })) {
        match Table::verify(&folder, game)? {
            Some(sums) => note!("{}: written, the checksums of the table's blocks", sums.display()),
            None => note!("the table's checksums are right"),
        }
    }
    if args.check {
        let table = Table::open(&folder, game)?.keeping_all();
        if let Some(position) = table.contradiction(1_000_000, 1)? {
            bail!("the table contradicts itself at {position:?}: solve it again");
        }
        if let Some(position) = table.disagreement(7, 20_000, 2)? {
            bail!("the table and a search of 7 plies disagree at {position:?}: solve it again");
        }
    }
    let known = || Table::open(&folder, game)?.census(threads);
    let census = if solved || args.check {
        known()?
    } else {
        let table = Table::path(&folder, game);
        let _lock = Lock::take(&table.with_extension("lock"), &format!("quintet solve '{game}'"))?;
        // Another process may have finished it before the lock was free.
        if table.exists() { known()? } else { solve(&folder, game, threads)? }
    };
    if census.all() != POSITIONS {
        bail!("the table counts {} positions, not {POSITIONS}: this is a bug", census.all());
    }
    let table = Table::open(&folder, game)?;
    let start = table.value(&rules.start())?;
    if let Some(file) = &args.strategy {
        write_strategy(game, &table.keeping_all(), file)?;
    }
    tell(out, game, &Table::path(&folder, game), start, &census, began.elapsed().as_secs_f64(), args.json)
}

/// Refuses options that do not apply to the game, before long work starts without them.
fn fits(game: &GameSpec, args: &SolveArgs) -> Result<()> {
    let positions = &["pentago", "pentago-twist"][..];
    let limited = &["pentago", "pentago-twist", "twixt"][..];
    let placed = args.history.position.is_some() || !args.history.moves.is_empty();
    let given = [
        ("--check", args.check, &["pylos"][..]),
        ("--strategy", args.strategy.is_some(), &["pylos"]),
        ("--position and --moves", placed, positions),
        ("--distance", args.distance, positions),
        ("--memory", args.memory.is_some(), limited),
        ("--seconds", args.seconds.is_some(), limited),
        ("--start", args.start, &["twixt"]),
    ];
    match given.into_iter().find(|(_, given, of)| *given && !of.contains(&game.info().name)) {
        Some((option, _, of)) => bail!("{option}: only for {}; leave it out for {game}", of.join(", ")),
        None => Ok(()),
    }
}

fn spec(args: &SolveArgs) -> Result<GameSpec> {
    let mut text = GameSpec::parse(&args.game)?.to_string();
    for (key, value) in [("rules", &args.rules), ("end", &args.end), ("takeback", &args.takeback)] {
        if let Some(value) = value {
            let spec = GameSpec::parse(&text)?;
            let kept = text.trim_start_matches(spec.info().name).trim_matches(['(', ')']);
            let kept = kept.split(',').filter(|option| !option.is_empty() && !option.starts_with(&format!("{key}=")));
            let options: Vec<String> = kept.map(str::to_owned).chain([format!("{key}={value}")]).collect();
            text = format!("{}({})", spec.info().name, options.join(","));
        }
    }
    let game = GameSpec::parse(&text)?;
    Ok(game)
}

fn solve(folder: &Path, game: &GameSpec, threads: usize) -> Result<Census> {
    let entries = u64::from(Index::new().entries());
    note!(
        "{game}: {:.2} GB of memory and of disk in {}; {} on two cores (here: {threads} thread(s)). Ctrl-C stops it, and the same command continues.",
        entries as f64 / 1e9,
        folder.display(),
        Table::takes(game),
    );
    let stop = interrupt::stop_on_interrupt()?;
    let mut bar = screen::Forming::new(entries, 0, &game.to_string());
    let census = Table::solve(folder, game, threads, &stop, |state| {
        let SweepState { sweep, looked, changed, settled, .. } = state;
        bar.so_far(
            state.done,
            &format!("sweep {sweep}, {looked} examined, {changed} changed, final below {settled} plies"),
        );
    });
    bar.finish();
    census.map_err(|error| match error {
        TableError::Stopped => Stopped(error.to_string()).into(),
        error => error.into(),
    })
}

/// Wins of at most this many plies are found by a search in a twentieth of a second.
const NEAR: u8 = 13;

fn write_strategy(game: &GameSpec, table: &Table, file: &Path) -> Result<()> {
    let bar = screen::Counting::new("positions of the strategy");
    let strategy = Strategy::extract(game, table, NEAR, |count| bar.so_far(count as u64));
    bar.finish();
    let strategy = strategy?.with_context(|| format!("{game}: neither player wins from the start"))?;
    let bytes = strategy.write(game);
    std::fs::write(file, &bytes).with_context(|| format!("cannot write {}", file.display()))?;
    note!("{}: {} positions, {} bytes", file.display(), strategy.positions(), bytes.len());
    Ok(())
}

fn tell(
    out: &mut dyn Write,
    game: &GameSpec,
    path: &Path,
    start: Value,
    census: &Census,
    seconds: f64,
    json: bool,
) -> Result<()> {
    let (wins, losses) = (census.wins.iter().sum::<u64>(), census.losses.iter().sum::<u64>());
    if json {
        let trimmed = |counts: &[u64]| counts[..=usize::from(census.farthest())].to_vec();
        let answer = json!({
            "game": game.to_string(), "start": start.proof.name(), "distance": start.plies, "positions": census.all(), "wins": wins,
            "draws": census.draws, "losses": losses, "farthest": census.farthest(), "seconds": seconds,
            "wins_by_distance": trimmed(&census.wins), "losses_by_distance": trimmed(&census.losses), "file": path,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&answer)?)?;
    } else {
        writeln!(out, "{game}: the first player {start}")?;
        writeln!(
            out,
            "{} positions up to symmetry: the side to move wins {wins}, draws {}, loses {losses}",
            census.all(),
            census.draws
        )?;
        writeln!(out, "longest distance {} plies; table {} ({seconds:.0} s)", census.farthest(), path.display())?;
    }
    Ok(())
}
