//! One game as its text describes it, before the rules check it.

use quintet_game::record::Record;
use quintet_game::text::quote;
use quintet_game::{AnyLine, EndReason, GameSpec, Outcome, Player};

use super::{ImportFault, Imported, MOST_MOVES};

/// The longest foreign name or remark that is kept.
const LONGEST_REMARK: usize = 120;

/// One game as its text describes it, translated move by move into our notation.
pub struct Draft {
    /// The line on which it begins.
    pub line: usize,
    pub spec: GameSpec,
    pub from: Option<String>,
    pub steps: Vec<Step>,
    pub claim: Claim,
    pub players: String,
    pub seed: Option<u64>,
    pub notes: Vec<String>,
    /// What is wrong with the text after the last move.
    pub flaw: Option<ImportFault>,
}

/// A move.
pub struct Step {
    pub line: usize,
    /// As the text has it.
    pub text: String,
    /// In our notation, or why it has none.
    pub ours: Result<String, String>,
}

impl Step {
    /// A move that needs no translation.
    pub fn plain(line: usize, text: String) -> Step {
        Step { line, ours: Ok(text.clone()), text }
    }
}

/// The result that the text gives.
#[derive(Default)]
pub struct Claim {
    pub outcome: Option<Outcome>,
    pub reason: Option<EndReason>,
}

impl Claim {
    /// Reads our own words for a result; others are left out with a note.
    pub fn read(result: &str, reason: &str, notes: &mut Vec<String>) -> Claim {
        let outcome = match result {
            "first" | "1-0" => Some(Outcome::Win(Player::First)),
            "second" | "0-1" => Some(Outcome::Win(Player::Second)),
            "draw" | "1/2-1/2" => Some(Outcome::Draw),
            _ => None,
        };
        if outcome.is_none() && !matches!(result, "" | "*") {
            notes.push(format!("result \"{}\" is not first, second, draw or *; left out.", quote(result, 40)));
        }
        Claim { outcome, reason: EndReason::given(&remark(reason)) }
    }
}

/// Foreign text on one line, bounded, safe to print, and without the `;` that ends a field of a record.
pub fn remark(text: &str) -> String {
    // Only the first few hundred bytes can matter: the rest of a long text is not read.
    let words: Vec<&str> = text.split_whitespace().take(LONGEST_REMARK).collect();
    quote(&words.join(" ").replace(';', ","), LONGEST_REMARK)
}

/// The players' field of a record; an unknown name is `?`, and without any name there is no field.
pub fn players(names: [&str; 2]) -> String {
    let names = names.map(|name| remark(&name.replace(',', " ")));
    if names.iter().all(String::is_empty) {
        return String::new();
    }
    names.map(|name| if name.is_empty() { "?".into() } else { name }).join(", ")
}

/// A game of which nothing can be read.
pub fn refused(line: usize, why: impl ToString, notes: Vec<String>) -> Imported {
    Imported { line, record: None, notes, fault: Some(ImportFault { line, at: None, why: why.to_string() }) }
}

impl Draft {
    /// Plays the game as far as it is legal.
    pub fn play(self) -> Imported {
        let mut game = match &self.from {
            None => self.spec.line(),
            Some(position) => match self.spec.line_at(position) {
                Ok(game) => game,
                Err(error) => return refused(self.line, error, self.notes),
            },
        };
        let fault = play_steps(&mut *game, &self.steps).or(self.flaw);
        let mut record = Record::of(&*game, ["", ""], self.seed);
        record.players = self.players;
        let mut notes = self.notes;
        settle(&mut record, &*game, self.claim, fault.is_some(), &mut notes);
        Imported { line: self.line, record: Some(record), notes, fault }
    }
}

fn play_steps(game: &mut dyn AnyLine, steps: &[Step]) -> Option<ImportFault> {
    for (number, step) in (1..).zip(steps) {
        let played = match &step.ours {
            _ if number > MOST_MOVES => Err(format!("a game has at most {MOST_MOVES} moves.")),
            Err(why) => Err(why.clone()),
            Ok(ours) => game.try_play(ours).map(drop).map_err(|error| error.why.to_string()),
        };
        let Err(why) = played else { continue };
        // The sentence uses our names of holes: add which one it is where the file names it differently.
        let why = match &step.ours {
            Ok(ours) if !ours.eq_ignore_ascii_case(&step.text) => format!("({ours} here) {why}"),
            _ => why,
        };
        return Some(ImportFault { line: step.line, at: Some((number, quote(&step.text, 40))), why });
    }
    None
}

/// The board decides how a game ended; if it is not over there, the text does, unless the game was cut short.
fn settle(record: &mut Record, game: &dyn AnyLine, claim: Claim, cut: bool, notes: &mut Vec<String>) {
    match (game.end(), claim.outcome) {
        (Some((outcome, reason)), Some(claimed)) if outcome != claimed => notes.push(format!(
            "the text gives the result as {}; on the board it is {} ({reason}), which is kept.",
            claimed.name(),
            outcome.name()
        )),
        (Some(_), _) => {}
        (None, Some(claimed)) if cut => {
            notes.push(format!(
                "the result, {}, is left out, because the game is kept only up to the error.",
                claimed.name()
            ));
        }
        (None, claimed) => {
            record.result = claimed;
            record.reason = if cut { None } else { claim.reason };
        }
    }
}
