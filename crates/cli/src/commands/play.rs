//! `quintet play`: a game in the terminal.

use std::io::{BufRead, Write};

use anyhow::Result;
use clap::Args;
use quintet_agent::{Catalogue, Seat, ThinkError};
use quintet_game::bits::mix;
use quintet_game::record::Record;
use quintet_game::{AnyLine, GameSpec, Limit};

use super::hint::hint;
use crate::args::PositionArgs;
use crate::{jsonl, position, screen, thinking};

/// Who plays what.
#[derive(Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub place: PositionArgs,
    /// Who moves first: human, or an agent such as pathwayz:beam or 'alphabeta(eval=difference,depth=3)'
    #[arg(long, value_name = "AGENT", default_value = "human")]
    pub first: String,
    /// Who moves second
    #[arg(long, value_name = "AGENT", default_value = "human")]
    pub second: String,
    /// Seed of the agents (default: a new one every time, which is printed)
    #[arg(long)]
    pub seed: Option<u64>,
}

const HELP: &str = "Type a move, or one of
  ?            list legal moves        undo        take the last move back
  board        show the board          new         start again
  save FILE    save the game           load FILE   continue a saved game
  hint         suggest a move          help        this list
  quit         leave";

/// The result of an input line.
enum After {
    Show,
    Ask,
    Quit,
}

/// A game in the terminal.
struct Session<'a> {
    out: &'a mut dyn Write,
    agents: &'a Catalogue,
    line: Box<dyn AnyLine>,
    /// The players' names: `human`, or an agent's spec.
    names: [&'a str; 2],
    /// The agents; `None` for a person.
    seats: [Option<Box<dyn Seat>>; 2],
    seed: u64,
}

/// Plays until the input ends or a player quits.
pub fn run(input: &mut dyn BufRead, out: &mut dyn Write, agents: &Catalogue, args: &PlayArgs) -> Result<()> {
    let (place, names) = (&args.place, [args.first.as_str(), &args.second]);
    let line = position::line(place.spec, &place.history)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let seats = sit(agents, &place.spec, names, seed)?;
    let mut session = Session { out, agents, line, names, seats, seed };
    session.greet()?;
    loop {
        session.agents_turns()?;
        session.show()?;
        loop {
            session.prompt()?;
            let Some(text) = jsonl::read_text_line(input)? else {
                writeln!(session.out)?;
                return Ok(());
            };
            match session.obey(text.trim())? {
                After::Show => break,
                After::Ask => {}
                After::Quit => return Ok(()),
            }
        }
    }
}

/// The agents of a game; each seat has its own random stream.
fn sit(agents: &Catalogue, spec: &GameSpec, names: [&str; 2], seed: u64) -> Result<[Option<Box<dyn Seat>>; 2]> {
    let mut seats = [None, None];
    for ((seat, name), stream) in seats.iter_mut().zip(names).zip([0, 1]) {
        if name != "human" {
            *seat = Some(agents.seat(spec, name, mix(seed) ^ stream)?);
        }
    }
    Ok(seats)
}

/// A seed from the clock, printed so that the game can be repeated.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| u64::from(time.subsec_nanos()) ^ time.as_secs()) % 1_000_000
}

impl Session<'_> {
    fn greet(&mut self) -> Result<()> {
        let info = self.line.spec().info();
        let [first, second] = self.names;
        writeln!(self.out, "{}: {first} against {second}. {}", info.title, info.about)?;
        if self.seats.iter().any(Option::is_some) {
            writeln!(self.out, "Seed: {}", self.seed)?;
        }
        writeln!(self.out, "A move looks like {}; ? lists them, help lists the other commands.\n", info.example)?;
        Ok(())
    }

    fn is_agent(&self) -> bool {
        self.seats[self.line.to_move().index()].is_some()
    }

    /// Lets agents move until a person is to move or the game is over.
    fn agents_turns(&mut self) -> Result<()> {
        while self.line.end().is_none()
            && let Some(agent) = &mut self.seats[self.line.to_move().index()]
        {
            let mover = self.line.to_move();
            let (side, name) = (screen::side(self.line.as_ref(), mover), self.names[mover.index()]);
            let choice = match thinking::think_aloud(&mut **agent, self.line.as_ref(), &Limit::default()) {
                Err(error) if matches!(error.downcast_ref(), Some(ThinkError::Resigned)) => {
                    writeln!(self.out, "{side} ({name}) resigns: undo, new or quit, or play on for it.")?;
                    return Ok(());
                }
                thought => thought?.0,
            };
            self.play(&choice.mv)?;
            writeln!(self.out, "{side} ({name}) plays {}", choice.mv)?;
            self.out.flush()?;
        }
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<()> {
        let notice = self.line.notice(token);
        self.line.try_play(token)?;
        if let Some(notice) = notice {
            writeln!(self.out, "{notice}")?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<()> {
        write!(self.out, "{}", screen::board(self.line.as_ref()))?;
        if self.line.end().is_some() {
            writeln!(self.out, "The game is over: undo, new, save FILE or quit.")?;
        } else if self.line.occurrences() == 2 {
            writeln!(self.out, "This position has occurred twice; the third time is a draw.")?;
        }
        Ok(())
    }

    fn prompt(&mut self) -> Result<()> {
        match self.line.end() {
            Some(_) => write!(self.out, "> ")?,
            None => write!(
                self.out,
                "{}. {}> ",
                self.line.plies() + 1,
                screen::side(self.line.as_ref(), self.line.to_move())
            )?,
        }
        self.out.flush()?;
        Ok(())
    }

    fn obey(&mut self, text: &str) -> Result<After> {
        let (word, rest) = text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Ok(After::Ask),
            ("quit" | "exit" | "q", "") => Ok(After::Quit),
            ("help" | "h", "") => self.say(HELP),
            ("?", "") => {
                let moves = self.line.legal_moves();
                let text = wrap(&moves, 100);
                self.say(&format!("{} legal moves\n{text}", moves.len()))
            }
            ("board" | "b", "") => Ok(After::Show),
            ("hint", "") => match hint(self.agents, self.line.as_ref(), None, self.seed) {
                Ok(hint) => self.say(&hint),
                Err(error) => self.say(&error.to_string()),
            },
            ("undo" | "u", "") => self.undo(),
            ("new", "") => {
                self.line = self.line.spec().line();
                Ok(After::Show)
            }
            ("save", "") => self.say("save where? save FILE"),
            ("load", "") => self.say("load what? load FILE"),
            ("save", file) => self.save(file),
            ("load", file) => self.load(file),
            _ => match self.play(text) {
                Ok(()) => Ok(After::Show),
                Err(error) if error.is::<std::io::Error>() => Err(error),
                Err(error) => self.say(&error.to_string()),
            },
        }
    }

    fn say(&mut self, text: &str) -> Result<After> {
        writeln!(self.out, "{text}")?;
        Ok(After::Ask)
    }

    /// Against an agent one undo takes back both moves.
    fn undo(&mut self) -> Result<After> {
        let Some(mut last) = self.line.undo() else { return self.say("nothing to take back") };
        while self.is_agent() && self.seats.iter().any(Option::is_none) {
            match self.line.undo() {
                Some(mv) => last = format!("{mv} {last}"),
                None => break,
            }
        }
        writeln!(self.out, "taken back: {last}")?;
        Ok(After::Show)
    }

    fn save(&mut self, file: &str) -> Result<After> {
        let record = Record::of(self.line.as_ref(), self.names, Some(self.seed));
        match std::fs::write(file, format!("{record}\n")) {
            Ok(()) => self.say(&format!("saved {} moves to {file}", self.line.plies())),
            Err(error) => self.say(&format!("cannot save to {file}: {error}")),
        }
    }

    fn load(&mut self, file: &str) -> Result<After> {
        let text = match quintet_data::read_text(file.as_ref()) {
            Ok(text) => text,
            Err(error) => return self.say(&format!("cannot load {file}: {error}")),
        };
        match Record::read(&text).and_then(|record| record.replay()) {
            Err(fault) => self.say(&format!("{file}: {fault}")),
            Ok((line, fault)) => {
                // Agents are bound to a game: another game needs new ones.
                match sit(self.agents, &line.spec(), self.names, self.seed) {
                    Ok(seats) => self.seats = seats,
                    Err(error) => {
                        return self.say(&format!(
                            "{file}: {} cannot play {}: {error}",
                            self.names.join(" or "),
                            line.spec()
                        ));
                    }
                }
                self.line = line;
                if let Some(fault) = fault {
                    writeln!(self.out, "{file}: {fault} The moves before it are loaded.")?;
                }
                writeln!(self.out, "loaded {}: {} moves", self.line.spec(), self.line.plies())?;
                Ok(After::Show)
            }
        }
    }
}

/// Words in lines of at most `width` characters.
fn wrap(words: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text
}
