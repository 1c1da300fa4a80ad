//! TwixT files of T1j (`.T1`), which twixtbot-ui writes too: comments, eleven lines of `value # meaning`, one move per line.

use quintet_game::text::{cell_name, read_cell};

use super::draft::refused;
use super::twixt::{Foreign, Move, no_size, oblong};
use super::{Games, ImportError, MOST_MOVES, Options, SwapAs};

/// The values of the head, in their order.
const HEAD: [&str; 11] = [
    "version",
    "first name",
    "second name",
    "rows",
    "columns",
    "human or computer",
    "human or computer",
    "starting player",
    "direction of letters",
    "pie rule",
    "game over",
];

/// Whether this is the first line of the head, as in `1 # version of file-format`.
pub fn is_version(line: &str) -> bool {
    let value = line.split_once('#').map_or("", |(value, _)| value.trim());
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit())
}

/// One file, one game.
pub fn file(text: &str, options: &Options, games: &mut Games) -> Result<(), ImportError> {
    let mut lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim())).peekable();
    let mut by_twixtbot = false;
    while let Some((_, line)) = lines.next_if(|(_, line)| line.is_empty() || line.starts_with('#')) {
        by_twixtbot |= line.to_ascii_lowercase().contains("twixtbot");
    }
    let Some(&(begin, _)) = lines.peek() else { return Err(ImportError::Empty) };
    // A head line may begin with `#` (a player without a name), so that from here on every line counts.
    let head: Vec<&str> = lines.by_ref().take(HEAD.len()).map(|(_, line)| value(line)).collect();
    let Ok(head) = <[&str; HEAD.len()]>::try_from(head) else {
        let why = format!("the head has fewer than {} lines: {}.", HEAD.len(), HEAD.join(", "));
        return games.push(refused(begin, why, Vec::new()));
    };
    let [_, one, two, rows, columns, _, _, starter, direction, pie, over] = head;

    let (swap, source) = match by_twixtbot {
        true => (SwapAs::Mirror, "twixtbot-ui, which wrote the file"),
        false => (SwapAs::Sides, "T1j"),
    };
    // The first player of the file joins top and bottom; the second may begin.
    let across_first = starter == "2";
    let names = if across_first { [two, one] } else { [one, two] };
    let rotated = direction.eq_ignore_ascii_case("H");
    let mut game = Foreign {
        line: begin,
        size: size(rows, columns),
        no_swap: pie.eq_ignore_ascii_case("N"),
        swap,
        source,
        across_first,
        names: names.map(str::to_owned),
        ..Foreign::default()
    };
    for (number, line) in lines {
        for token in line.split('#').next().unwrap_or_default().split_whitespace() {
            if game.moves.len() <= MOST_MOVES {
                let text = if rotated { exchanged(token) } else { token.to_owned() };
                game.moves.push(Move { line: number, text, by: None });
            }
        }
    }
    if rotated {
        game.notes.push("the letters name the rows in this file: they were exchanged with the numbers.".into());
    }
    let mut game = game.read(options);
    let open = game.record.as_ref().is_some_and(|record| record.result.is_none());
    if over.eq_ignore_ascii_case("Y") && open && game.fault.is_none() {
        game.notes.push("the file says that the game is over; on the board it is not.".into());
    }
    games.push(game)
}

/// The part before the `#`.
fn value(line: &str) -> &str {
    line.rsplit_once('#').map_or(line, |(value, _)| value).trim()
}

fn size(rows: &str, columns: &str) -> Result<u32, String> {
    if rows != columns {
        return Err(oblong(columns, rows));
    }
    rows.parse().map_err(|_| no_size(rows))
}

/// `c12`, the third row and twelfth column, is `l3`. Other text stays as it is, for the rules to refuse.
fn exchanged(token: &str) -> String {
    match read_cell(&token.to_ascii_lowercase()) {
        Some(((row, column), "")) if column < 26 => cell_name(column, row),
        _ => token.to_owned(),
    }
}
