//! What the foreign formats of TwixT have in common: other conventions for sides, swaps and holes.
//!
//! Ours: the first player is red, joins top and bottom, and keeps that side; a swap puts a black peg at the image of the first.
//! Theirs may begin with the side that joins left and right, and a swap may let the players change sides. Both are the same game
//! as one of ours with the board mirrored in the main diagonal, which exchanges the two pairs of border lines and keeps links,
//! crossings and the order of play: what was red's is black's and the other way round.

use quintet_game::text::{cell_name, quote, read_cell};
use quintet_game::twixt::Swap;
use quintet_game::{EndReason, GameSpec, Outcome, Player};

use super::draft::{Claim, Draft, Step, players, refused};
use super::{Crossing, ImportFault, Imported, Options, SwapAs};

/// A TwixT game as its text describes it.
pub struct Foreign {
    /// The line on which it begins.
    pub line: usize,
    /// Holes per side, or what is wrong with the board.
    pub size: Result<u32, String>,
    /// The word for `rules=`.
    pub rules: &'static str,
    /// The text says that there is no swap.
    pub no_swap: bool,
    /// What a swap usually means here, and on whose authority.
    pub swap: SwapAs,
    pub source: &'static str,
    /// The side that joins left and right moves first.
    pub across_first: bool,
    /// A hole may be two letters: `pl` is `p12`.
    pub letters: bool,
    pub moves: Vec<Move>,
    /// The letter of the side that begins, if the format has letters.
    pub first: Option<char>,
    /// The first player's name first.
    pub names: [String; 2],
    pub claim: Claim,
    /// The letter of the side that won, and why, where the text gives a side and not a player.
    pub winner: Option<(char, EndReason)>,
    pub notes: Vec<String>,
    pub flaw: Option<ImportFault>,
}

/// A move as it is written.
pub struct Move {
    pub line: usize,
    pub text: String,
    /// The letter of the side that makes it, if the format says so.
    pub by: Option<char>,
}

impl Default for Foreign {
    fn default() -> Foreign {
        Foreign {
            line: 1,
            size: Ok(24),
            rules: "standard",
            no_swap: false,
            swap: SwapAs::Mirror,
            source: "",
            across_first: false,
            letters: false,
            moves: Vec::new(),
            first: None,
            names: Default::default(),
            claim: Claim::default(),
            winner: None,
            notes: Vec::new(),
            flaw: None,
        }
    }
}

/// Whether this token resigns.
pub fn resigns(token: &str) -> bool {
    ["resign", "resigns"].iter().any(|word| token.eq_ignore_ascii_case(word))
}

/// Whether this token swaps.
pub fn swaps(token: &str) -> bool {
    token.eq_ignore_ascii_case("swap")
}

/// Notes that something follows the resignation.
pub fn note_rest(count: usize, notes: &mut Vec<String>) {
    if count > 0 {
        notes.push(format!("{count} more after the resignation left out."));
    }
}

/// What is wrong with a board that is not square.
pub fn oblong(columns: &str, rows: &str) -> String {
    format!("a board of {} x {} holes is not square.", quote(columns.trim(), 10), quote(rows.trim(), 10))
}

/// What is wrong with a size that is not a number.
pub fn no_size(text: &str) -> String {
    format!("the size of the board, \"{}\", is not a number.", quote(text, 20))
}

/// The letter of the other side.
fn other(letter: char) -> char {
    if letter == 'B' { 'W' } else { 'B' }
}

impl Foreign {
    /// Translates the game into ours and plays it.
    pub fn read(mut self, options: &Options) -> Imported {
        let swapped = self.moves.get(1).is_some_and(|mv| swaps(&mv.text));
        let given_turn =
            options.game.filter(|spec| spec.choice("swap", &Swap::ALL) == Swap::Turn).map(|_| SwapAs::Turn);
        let swap = options.swap.or(given_turn).unwrap_or(self.swap);
        let spec = match self.spec(options, swapped, swap) {
            Ok(spec) => spec,
            Err(why) => return refused(self.line, why, self.notes),
        };
        let size = spec.number("size");
        let sides = swapped && swap == SwapAs::Sides;
        self.explain(options, swapped, swap);

        // Which letter each player has before and after a swap: some texts name the player by it, some the colour. The first move
        // after the swap is the first player's in any case and shows which.
        let before = self.first;
        let after = match self.moves.get(2) {
            Some(mv) if swapped => mv.by,
            None if sides => before.map(other),
            _ => before,
        };
        self.settle(size, after);

        let steps = (0..).zip(&self.moves).map(|(ply, mv)| {
            let first = if ply < 2 { before } else { after };
            let turn = if ply % 2 == 0 { first } else { first.map(other) };
            let past_swap = swapped && ply >= 2;
            let view = View {
                size,
                letters: self.letters,
                mirrored: self.across_first ^ (sides && past_swap),
                // A mirror and a quarter turn done in the other order are a half turn apart.
                half_turned: self.across_first && past_swap && swap == SwapAs::Turn,
            };
            let ours = match (mv.by, turn) {
                (Some(by), Some(turn)) if by != turn => {
                    Err(format!("it is {turn}'s turn, but this is a move of {by}."))
                }
                _ if mv.text.is_empty() => Err("a pass; TwixT has none.".into()),
                _ => Ok(view.ours(&mv.text)),
            };
            Step { line: mv.line, text: mv.text.clone(), ours }
        });
        let steps = steps.collect();
        let [first, second] = &self.names;
        Draft {
            line: self.line,
            spec,
            from: None,
            steps,
            claim: self.claim,
            players: players([first, second]),
            seed: None,
            notes: self.notes,
            flaw: self.flaw,
        }
        .play()
    }

    /// Our rules for the game: those of the options, else those that the text names, else the format's usual ones.
    fn spec(&self, options: &Options, swapped: bool, meaning: SwapAs) -> Result<GameSpec, String> {
        let (size, rules, swap) = match &options.game {
            Some(spec) => (spec.word("size"), spec.word("rules"), spec.word("swap")),
            None => {
                let swap = if self.no_swap { "off" } else { "mirror" };
                (self.size.clone()?.to_string(), self.rules.to_owned(), swap.to_owned())
            }
        };
        let rules = match options.crossing {
            Some(Crossing::Own) => "pp",
            Some(Crossing::Never) if rules == "pp" => "standard",
            _ => &rules,
        };
        // Without a swap in the text there is none, unless the options say what it would mean.
        let swap = match (swapped, options.swap.is_some()) {
            (false, false) => &swap,
            (true, true) => meaning.word(),
            _ if swap == "off" => &swap,
            _ => meaning.word(),
        };
        GameSpec::parse(&format!("twixt(size={size},rules={rules},swap={swap})")).map_err(|error| error.to_string())
    }

    /// Notes what was mirrored and how the swap was understood.
    fn explain(&mut self, options: &Options, swapped: bool, swap: SwapAs) {
        if self.across_first {
            self.notes.push("the side that joins left and right moves first: the board is mirrored, d2 as b4.".into());
        }
        if !swapped {
            return;
        }
        let source = if options.swap.is_some() { "" } else { self.source };
        let taken = match swap {
            SwapAs::Sides => "players change sides, so the moves after it are mirrored, d2 as b4",
            SwapAs::Mirror => "peg goes to its mirror image (swap=mirror)",
            SwapAs::Turn => "peg goes to its image after a quarter turn (swap=turn)",
        };
        self.notes.push(match source {
            "" => format!("swap: the {taken}."),
            source => {
                format!("swap: the {taken}, as in {source}. If it means something else, choose mirror, turn or sides.")
            }
        });
    }

    /// Removes the resignation and everything after it from the moves, and turns the winning side into a player.
    fn settle(&mut self, size: usize, first: Option<char>) {
        if let Some((letter, reason)) = &self.winner {
            let winner = if first.is_none_or(|first| first == *letter) { Player::First } else { Player::Second };
            self.claim = Claim { outcome: Some(Outcome::Win(winner)), reason: Some(reason.clone()) };
        }
        let Some(at) = (0..self.moves.len()).find(|&at| self.resigned(at, size)) else { return };
        let loser = match (self.moves[at].by, first) {
            (Some(by), Some(first)) if by == first => Player::First,
            (Some(_), Some(_)) => Player::Second,
            _ => Player::BOTH[at % 2],
        };
        let outcome = Outcome::Win(loser.other());
        if self.claim.outcome.is_some_and(|claimed| claimed != outcome) {
            self.notes.push(format!("the result contradicts the resignation of {loser}, which is kept."));
        }
        self.claim = Claim { outcome: Some(outcome), reason: Some(EndReason::Resigned) };
        note_rest(self.moves.len() - at - 1, &mut self.notes);
        self.moves.truncate(at);
    }

    /// Whether this move is a resignation. Some files write `tt` for it, which is a hole on boards of 20 and more: there it counts as the hole
    /// unless it is the last move and the text gives the game to the other side.
    fn resigned(&self, at: usize, size: usize) -> bool {
        let mv = &self.moves[at];
        let given_up = || self.winner.as_ref().is_some_and(|(winner, _)| mv.by.is_some_and(|by| by != *winner));
        let last = at + 1 == self.moves.len();
        resigns(&mv.text) || self.letters && last && mv.text.eq_ignore_ascii_case("tt") && (size < 20 || given_up())
    }
}

impl SwapAs {
    /// The word for `swap=`. When players change sides the board is mirrored, which keeps our first player red: a `mirror`.
    fn word(self) -> &'static str {
        if self == SwapAs::Turn { "turn" } else { "mirror" }
    }
}

/// How the text's board maps to ours.
struct View {
    size: usize,
    letters: bool,
    mirrored: bool,
    half_turned: bool,
}

impl View {
    /// Our name of a hole. Text that is not a hole of this board stays as it is, for the rules to refuse.
    fn ours(&self, text: &str) -> String {
        let token = text.to_ascii_lowercase();
        let pair = match *token.as_bytes() {
            [x @ b'a'..=b'z', y @ b'a'..=b'z'] if self.letters => Some((usize::from(x - b'a'), usize::from(y - b'a'))),
            _ => None,
        };
        let named = || read_cell(&token).filter(|(_, rest)| rest.is_empty()).map(|(cell, _)| cell);
        match pair.or_else(named) {
            Some((x, y)) if x < self.size && y < self.size => {
                let (x, y) = if self.mirrored { (y, x) } else { (x, y) };
                let turn = |c: usize| if self.half_turned { self.size - 1 - c } else { c };
                cell_name(turn(x), turn(y))
            }
            _ => pair.map_or_else(|| text.to_owned(), |(x, y)| cell_name(x, y)),
        }
    }
}
