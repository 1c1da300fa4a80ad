//! Games for other programs: records in, text out; the inverse of [`crate::import()`]. `docs/records.md` describes the formats.

use quintet_game::record::{Record, reason_text, result_text};
use quintet_game::text::{cell_name, read_cell};
use quintet_game::twixt::{Rules, Swap};
use quintet_game::{EndReason, GameSpec, Outcome, Player};
use serde_json::json;

use crate::import::Format;

/// Why a game cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// A format of TwixT for another game.
    #[error("{0} is a format of TwixT, not of {1}; write it as own, jsonl or plain.")]
    NotTwixt(Format, GameSpec),
    /// The format starts from the empty board.
    #[error("{0} starts from the empty board, and this game started from a position; write it as own or jsonl.")]
    Position(Format),
    /// The format cannot express the rules.
    #[error("{format} cannot express {option}; write it as own or jsonl.")]
    Rules {
        /// The format.
        format: Format,
        /// The option of the game.
        option: String,
    },
    /// The format cannot express the result.
    #[error(
        "t1 can express a game that is over on the board or resigned by the side to move, not \"{0}\"; write it as sgf or tsgf."
    )]
    Ending(String),
    /// A move that is not a hole.
    #[error("move {0} \"{1}\" is not a hole of the board.")]
    Move(usize, String),
}

/// Writes a game in a format. [`crate::import()`] reads the same game from it; the seed, and whether a swap that was never made was allowed, are kept by our own
/// formats only (`t1` says whether a swap is allowed).
///
/// ```
/// use quintet_game::record::Record;
/// use quintet_records::{Format, export};
/// let record = Record::read("twixt(rules=pp); 1.b4 2.swap 3.f7; first; resigned; anna, otto").unwrap();
/// assert_eq!(
///     export(&record, Format::Tsgf).unwrap(),
///     "(;FF[4]PB[anna]PW[otto]SZ[12]RU[PP]RE[B+R];b[bd];r[swap];b[fg])\n"
/// );
/// ```
///
/// # Errors
/// When the format cannot express the record.
pub fn export(record: &Record, format: Format) -> Result<String, ExportError> {
    match format {
        Format::Own => Ok(format!("{record}\n")),
        Format::Plain => Ok(format!("{}\n", record.moves.join(" "))),
        Format::Jsonl => {
            let object = json!({
                "game": record.spec, "position": record.from, "moves": record.moves, "result": result_text(record.result), "reason": reason_text(record.reason.as_ref()),
                "players": record.players,
            });
            Ok(format!("{object}\n"))
        }
        Format::T1 => t1(record),
        Format::Tsgf => tree(record, &GOLEM),
        Format::Sgf => tree(record, &STANDARD),
    }
}

/// Refuses rules that the format cannot express.
fn check(record: &Record, format: Format, rules: &[&str]) -> Result<(), ExportError> {
    let spec = &record.spec;
    if spec.info().name != "twixt" {
        return Err(ExportError::NotTwixt(format, *spec));
    }
    if record.from.is_some() {
        return Err(ExportError::Position(format));
    }
    let unsaid = |key: &str| Err(ExportError::Rules { format, option: format!("{key}={}", spec.word(key)) });
    if !rules.contains(&spec.word("rules").as_str()) {
        return unsaid("rules");
    }
    if spec.choice("swap", &Swap::ALL) == Swap::Turn && swapped(record) {
        return unsaid("swap");
    }
    Ok(())
}

fn swapped(record: &Record) -> bool {
    record.moves.get(1).is_some_and(|mv| mv == "swap")
}

/// The names of the players; an unknown one is empty.
fn names(record: &Record) -> [&str; 2] {
    let (first, second) = record.players.split_once(", ").unwrap_or((&record.players, ""));
    [first, second].map(|name| if name == "?" { "" } else { name })
}

/// Column and row of a hole.
fn hole(number: usize, mv: &str) -> Result<(usize, usize), ExportError> {
    let found = read_cell(mv).filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell);
    found.ok_or_else(|| ExportError::Move(number, mv.to_owned()))
}

/// What tells the two kinds of Smart Game Format apart.
struct Dialect {
    format: Format,
    head: &'static str,
    /// The letters of the sides in the head and before their moves, the first player's first.
    sides: [char; 2],
    before_moves: [char; 2],
    /// A hole as two letters, or as a letter and a number.
    letters: bool,
}

/// Little Golem's: the first player is black and joins top and bottom.
const GOLEM: Dialect =
    Dialect { format: Format::Tsgf, head: "FF[4]", sides: ['B', 'W'], before_moves: ['b', 'r'], letters: true };

/// The standard's: White begins and joins top and bottom.
const STANDARD: Dialect =
    Dialect { format: Format::Sgf, head: "FF[4]GM[21]", sides: ['W', 'B'], before_moves: ['W', 'B'], letters: false };

fn tree(record: &Record, dialect: &Dialect) -> Result<String, ExportError> {
    check(record, dialect.format, &["standard", "pp"])?;
    let [first, second] = names(record).map(escaped);
    let [one, two] = dialect.sides;
    let rules = if record.spec.choice("rules", &Rules::ALL) == Rules::Pencil { "PP" } else { "STD" };
    let size = record.spec.number("size");
    let mut text = format!("(;{}P{one}[{first}]P{two}[{second}]SZ[{size}]RU[{rules}]", dialect.head);
    text.extend(result(record, dialect.sides).map(|result| format!("RE[{result}]")));
    for (ply, mv) in record.moves.iter().enumerate() {
        let side = dialect.before_moves[ply % 2];
        let token = match mv.as_str() {
            "swap" => "swap".to_owned(),
            mv => match hole(ply + 1, mv)? {
                (column, row) if dialect.letters => [column, row].map(letter).iter().collect(),
                (column, row) => cell_name(column, row),
            },
        };
        text.push_str(&format!(";{side}[{token}]"));
    }
    Ok(text + ")\n")
}

fn letter(number: usize) -> char {
    char::from(b'a' + number as u8)
}

/// Brackets and backslashes mean something inside of a value.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| matches!(c, ']' | '\\').then_some('\\').into_iter().chain([c])).collect()
}

/// `B+R`, `0`; none while the game goes on.
fn result(record: &Record, sides: [char; 2]) -> Option<String> {
    let winner = match record.result? {
        Outcome::Win(player) => sides[player.index()],
        Outcome::Draw => return Some("0".into()),
    };
    let reason = match record.reason {
        Some(EndReason::Resigned) => "R",
        Some(EndReason::Time) => "T",
        Some(EndReason::Forfeited) => "F",
        _ => "",
    };
    Some(format!("{winner}+{reason}"))
}

/// T1j's: after a swap the players change sides, so that all moves after it are mirrored.
fn t1(record: &Record) -> Result<String, ExportError> {
    check(record, Format::T1, &["standard"])?;
    let mut moves = Vec::new();
    for (ply, mv) in record.moves.iter().enumerate() {
        moves.push(match mv.as_str() {
            "swap" => "swap".to_owned(),
            mv => {
                let (column, row) = hole(ply + 1, mv)?;
                let (column, row) = if ply >= 2 && swapped(record) { (row, column) } else { (column, row) };
                cell_name(column, row).to_ascii_uppercase()
            }
        });
    }
    let on_board = record.replay().is_ok_and(|(line, _)| line.end().is_some());
    let over = record.result.is_some();
    if let Some(outcome) = record.result.filter(|_| !on_board) {
        let waiting = Player::BOTH[(record.moves.len() + 1) % 2];
        if record.reason != Some(EndReason::Resigned) || outcome != Outcome::Win(waiting) {
            return Err(ExportError::Ending(format!("{outcome}, {}", reason_text(record.reason.as_ref()))));
        }
        moves.push("resign".into());
    }
    let [first, second] = names(record);
    let size = record.spec.number("size");
    let yes = |flag: bool| if flag { 'Y' } else { 'N' };
    let pie = yes(record.spec.choice("swap", &Swap::ALL) != Swap::Off);
    let head = format!(
        "# File created by quintet\n1# version of file-format\n{first}# Name of Player 1\n{second}# Name of Player 2\n{size}# y-size\n{size}# x-size\n\
         H# player 1 human or computer\nH# player 2 human or computer\n1# starting player\nV# Direction of letters\n{pie}# pierule?\n{}# game already over?\n",
        yes(over)
    );
    Ok(moves.iter().fold(head, |text, mv| text + mv + "\n"))
}
