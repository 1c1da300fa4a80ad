//! `quintet puzzle`: puzzles in the terminal, and new ones.

use std::io::{BufRead, Write};

use anyhow::{Result, bail};
use clap::Args;
use quintet_agent::{
    Catalogue, Complaint, Making, MakingProgress, Provers, Puzzle, PuzzleKind, exact, is_right, make_puzzles, provers,
    puzzles_with,
};
use quintet_data::Data;
use quintet_game::{AnyLine, GameSpec, Limit, Proof, Stop, Value};

use crate::output::note;
use crate::{interrupt, jsonl, screen};

/// Which puzzles.
#[derive(Args, Debug)]
pub struct PuzzleArgs {
    /// Of this game (default: of all)
    #[arg(value_name = "GAME")]
    pub game: Option<GameSpec>,
    /// Of this kind: only-win, only-draw, zugzwang, one-peg, or win-in-N with N moves, as in win-in-2
    #[arg(long)]
    pub kind: Option<PuzzleKind>,
    /// This one, as in pylos-3
    #[arg(long)]
    pub id: Option<String>,
    /// List them
    #[arg(long, conflicts_with = "make")]
    pub list: bool,
    /// Prove them again, with all provers and tables available
    #[arg(long, conflicts_with_all = ["make", "list"])]
    pub check: bool,
    /// Make this many new ones
    #[arg(long, value_name = "N", requires = "game", value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub make: Option<u64>,
    /// Seed of the games that new ones come from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The agent that plays those games
    #[arg(long, value_name = "AGENT", default_value = "mcts(visits=200,slips=0.1)")]
    pub agent: String,
    /// Play at most this many games (default: 100 per puzzle)
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: Option<u64>,
    /// Plies before the end of a game to look at; with a table, more plies lead to longer wins
    #[arg(long, value_name = "PLIES", default_value_t = 14)]
    pub back: usize,
}

/// Games per puzzle.
const GAMES_EACH: u64 = 100;

/// The result of an input line.
enum After {
    Again,
    Next,
    Quit,
}

/// Solves, lists or makes puzzles.
pub fn run(
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    data: &Data,
    agents: impl Fn() -> Result<Catalogue>,
    args: &PuzzleArgs,
) -> Result<()> {
    if let (Some(count), Some(spec)) = (args.make, args.game) {
        return make(out, &agents()?, args, spec, count as usize);
    }
    let wanted = |puzzle: &Puzzle| {
        args.game.is_none_or(|spec| GameSpec::parse(&puzzle.game).is_ok_and(|own| own.info() == spec.info()))
            && args.kind.is_none_or(|kind| kind == puzzle.kind)
            && args.id.as_ref().is_none_or(|id| *id == puzzle.id)
    };
    let chosen: Vec<Puzzle> = puzzles_with(data)?.into_iter().filter(wanted).collect();
    if chosen.is_empty() {
        bail!("there is no such puzzle; `quintet puzzle --list` lists them, and --make makes new ones");
    }
    if args.list {
        for puzzle in &chosen {
            writeln!(out, "{:<18} {:<9} {}", puzzle.id, puzzle.kind, puzzle.title)?;
        }
        writeln!(out, "{} puzzles", chosen.len())?;
        return Ok(());
    }
    if args.check {
        return check(out, &chosen, &agents()?.provers());
    }
    let (provers, mut solved) = (provers(), 0);
    for puzzle in &chosen {
        match solve(input, out, puzzle, &provers)? {
            Some(true) => solved += 1,
            Some(false) => {}
            None => break,
        }
    }
    writeln!(out, "{solved} of {} solved", chosen.len())?;
    Ok(())
}

/// Checks each puzzle and prints the result.
fn check(out: &mut dyn Write, chosen: &[Puzzle], provers: &Provers) -> Result<()> {
    let (mut unchecked, mut wrong) = (0, 0);
    for puzzle in chosen {
        let complaint = puzzle.complaint(provers);
        let says = complaint.as_ref().map_or("true".into(), Complaint::to_string);
        writeln!(out, "{:<18} {says}", puzzle.id)?;
        out.flush()?;
        match complaint {
            Some(Complaint::Unchecked(_)) => unchecked += 1,
            Some(Complaint::Wrong(_)) => wrong += 1,
            None => {}
        }
    }
    writeln!(out, "{} true, {unchecked} not checked, {wrong} wrong", chosen.len() - unchecked - wrong)?;
    if wrong > 0 {
        out.flush()?;
        bail!("{wrong} of {} puzzles are wrong", chosen.len());
    }
    Ok(())
}

/// Prints new puzzles as they are found.
fn make(out: &mut dyn Write, agents: &Catalogue, args: &PuzzleArgs, spec: GameSpec, count: usize) -> Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    let making = Making {
        spec,
        kind: args.kind,
        count,
        seed: args.seed,
        agent: &args.agent,
        games: args.games.unwrap_or(GAMES_EACH.saturating_mul(count as u64)),
        back: args.back,
        provers: agents.provers(),
        stop: stop.clone(),
    };
    let known = puzzles_with(agents.weight_store().data())?;
    let mut bar = screen::Forming::new(count as u64, 0, &spec.to_string());
    let (mut failed, mut found, mut looked_at) = (None, 0, 0);
    let made = make_puzzles(agents, &making, &known, &mut |heard| {
        match heard {
            MakingProgress::Games(games) => looked_at = games,
            MakingProgress::Found(puzzle) => {
                found += 1;
                failed = bar.suspend(|| print(out, puzzle)).err();
            }
        }
        bar.so_far(found, &format!("puzzles found in {looked_at} games"));
        failed.is_none() && !stop.stopped()
    });
    bar.finish();
    let made = made?.len();
    match failed {
        Some(error) => return Err(error),
        None if stop.stopped() => note!("stopped: {made} of {count} puzzles found in {looked_at} games"),
        None if made < count => note!(
            "{made} puzzles found in {looked_at} games, not {count}; try more --games, another --seed or --agent, or more plies --back"
        ),
        None => {}
    }
    Ok(())
}

/// One line.
fn print(out: &mut dyn Write, puzzle: &Puzzle) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(puzzle)?)?;
    Ok(out.flush()?)
}

/// Whether it was solved; none if the player quits.
fn solve(input: &mut dyn BufRead, out: &mut dyn Write, puzzle: &Puzzle, provers: &Provers) -> Result<Option<bool>> {
    let mut game = puzzle.line()?;
    writeln!(out, "{} ({}): {}\n", puzzle.id, puzzle.game, puzzle.title)?;
    writeln!(out, "{}", screen::board(&*game))?;
    loop {
        write!(out, "{} to move> ", screen::side(&*game, game.to_move()))?;
        out.flush()?;
        let Some(line) = jsonl::read_text_line(input)? else {
            writeln!(out)?;
            return Ok(None);
        };
        match obey(out, puzzle, &mut *game, line.trim(), provers)? {
            After::Quit => return Ok(None),
            After::Next => return Ok(Some(false)),
            After::Again => {}
        }
        let used_up = puzzle.is_one_move() && game.plies() > puzzle.moves.len();
        if game.end().is_some() || used_up {
            writeln!(out, "{}\nSolved.\n", screen::board(&*game))?;
            return Ok(Some(true));
        }
    }
}

/// Handles a line: a right move is played and answered.
fn obey(out: &mut dyn Write, puzzle: &Puzzle, game: &mut dyn AnyLine, line: &str, provers: &Provers) -> Result<After> {
    match line {
        "" => return Ok(After::Again),
        "quit" => return Ok(After::Quit),
        "next" => return Ok(After::Next),
        "?" => {
            writeln!(out, "{}", game.legal_moves().join(" "))?;
            return Ok(After::Again);
        }
        _ => {}
    }
    let known = puzzle.known(game, provers)?;
    if line == "hint" {
        let best = known.moves.first().map_or("", |(mv, _)| mv);
        writeln!(out, "{best}: {}", words(known.value))?;
        return Ok(After::Again);
    }
    let mv = match game.try_play(line) {
        Ok(mv) => mv,
        Err(error) => {
            writeln!(out, "{error}")?;
            return Ok(After::Again);
        }
    };
    if !is_right(&known, &mv) {
        game.undo();
        let value = known.moves.iter().find(|(own, _)| *own == mv).map(|(_, value)| *value);
        writeln!(out, "No: {mv} {}.", value.map_or("is not as good as the best".into(), words))?;
        return Ok(After::Again);
    }
    writeln!(out, "Right: {mv} {}.", words(known.value))?;
    if !puzzle.is_one_move() && game.end().is_none() {
        let reply = exact(provers, game, &Limit::default(), &Stop::never())?;
        if let Some((answer, _)) = reply.moves.first() {
            game.try_play(answer)?;
            writeln!(out, "The answer is {answer}.\n\n{}", screen::board(game))?;
        }
    }
    Ok(After::Again)
}

/// `wins in 2 moves`, `draws`, `loses in 3 moves`, in moves of the mover.
fn words(Value { proof, plies }: Value) -> String {
    let moves = plies.unwrap_or(0).div_ceil(2);
    let moves = format!("in {moves} {}", if moves == 1 { "move" } else { "moves" });
    match proof {
        Proof::Win => format!("wins {moves}"),
        Proof::Draw => "draws".into(),
        Proof::Loss => format!("loses {moves}"),
    }
}
