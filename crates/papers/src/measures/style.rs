//! Pathwayz: how the final agent plays. Early flips, blocked flips, and own pieces that are flipped to stop a win.

use std::sync::Arc;

use quintet_agent::Catalogue;
use quintet_arena::stats::{difference, wilson};
use quintet_game::pathwayz::squares::grown;
use quintet_game::pathwayz::{Pathwayz, Position};
use quintet_game::record::Record;
use quintet_game::{AnyLine, Game, GameSpec, Line, Player};

use super::costs::games_of;
use super::{Effort, Follower, Measured, Shown, larger, row};

/// The paper's final agent, and its opponent.
const FINAL: &str = "pathwayz:beam440";
const OPPONENT: &str = "pathwayz:adv-baseline";

/// Moves of a player that count as early.
const EARLY: usize = 6;

/// A move of a game.
struct Turn {
    /// 0 for the agent, 1 for its opponent.
    who: usize,
    mover: Player,
    /// How many moves the mover had made before.
    number: usize,
    before: Position,
    after: Position,
    text: String,
}

impl Turn {
    fn permanent(&self) -> bool {
        self.after.permanent() != self.before.permanent()
    }

    /// The square of the new piece.
    fn square(&self) -> u128 {
        let all = |pos: &Position| pos.pieces(Player::First) | pos.pieces(Player::Second);
        all(&self.after) & !all(&self.before)
    }

    /// Pieces of `player` that the move has turned.
    fn turned(&self, player: Player) -> u32 {
        (self.before.pieces(player) & self.after.pieces(player.other())).count_ones()
    }

    /// A permanent among the first moves that turns a piece of the opponent.
    fn early_flip(&self) -> bool {
        self.number < EARLY && self.permanent() && self.turned(self.mover.other()) > 0
    }

    /// A regular piece on a square where a permanent of the opponent would have turned at least two pieces more of the mover's than of its own.
    fn blocked_flip(&self) -> bool {
        let near = grown(self.square()) & !self.before.permanent();
        let regular = |player| (near & self.before.pieces(player)).count_ones();
        !self.permanent() && regular(self.mover) >= 2 + regular(self.mover.other())
    }

    /// The opponent could win with one move, the mover turns a piece of its own, and the opponent cannot any more.
    fn own_flip_stops_win(&self, game: &Pathwayz) -> bool {
        let other = self.mover.other();
        self.permanent()
            && self.turned(self.mover) > 0
            && game.outcome(&self.after).is_none()
            && game.threatens(&self.before, other)
            && !game.threatens(&self.after, other)
    }
}

/// The name of a motif, the paper's claim about it, and the turns that show it.
type Motif<'a> = (&'static str, &'static str, &'a dyn Fn(&Turn) -> bool);

/// The turns of a record, the agent's and its opponent's; `first` is who began.
fn turns(game: &Arc<Pathwayz>, moves: &[String], first: usize) -> Vec<Turn> {
    let mut line = Line::new(game.clone());
    let mut turns = Vec::new();
    for (ply, text) in moves.iter().enumerate() {
        let (mover, before) = (line.to_move(), *line.position());
        if line.try_play(text).is_err() {
            break;
        }
        let (who, after) = ((first + ply) % 2, *line.position());
        turns.push(Turn { who, mover, number: ply / 2, before, after, text: text.clone() });
    }
    turns
}

/// Shares of early permanents, and the three motifs with a board of each.
pub fn pathwayz(agents: &Catalogue, effort: Effort, follower: &mut Follower) -> Vec<Measured> {
    let spec = GameSpec::parse("pathwayz").expect("a game of ours");
    let Some(results) = games_of(agents, "pathwayz", [FINAL, OPPONENT], 0, effort, follower) else { return Vec::new() };
    let game = Arc::new(Pathwayz::new(8, 12));
    let of_game = |played: &quintet_arena::Played| {
        Some(turns(&game, &Record::read(&played.record).ok()?.moves, usize::from(played.seats[0] == 1)))
    };
    let all: Vec<Turn> = results.games.iter().filter_map(of_game).flatten().collect();
    let games = results.games.len() as u64;
    let mut rows = early(&all);
    let motifs: [Motif; 3] = [
        ("early flip", "flips early", &Turn::early_flip),
        ("blocked flip", "blocks a flip by placing", &Turn::blocked_flip),
        ("own flip", "flips its own pieces to stop a win", &|turn| turn.own_flip_stops_win(&game)),
    ];
    for (name, paper, fits) in motifs {
        let found: Vec<&Turn> = all.iter().filter(|turn| turn.who == 0 && fits(turn)).collect();
        let ours = format!("{} times in {games} games of {FINAL}", found.len());
        let show = |turn: &&Turn| {
            let mut line = <dyn AnyLine>::new(spec, Line::from_position(game.clone(), turn.before));
            line.try_play(&turn.text).expect("it was played from there");
            Shown { name: name.into(), svg: quintet_draw::svg(&*line) }
        };
        let boards = found.first().map(show).into_iter().collect();
        let holds = Some(!found.is_empty());
        rows.push(Measured { boards, ..row(name, paper, ours, games, holds, "found or not found") });
    }
    rows
}

/// Permanents among the first moves of both players.
fn early(all: &[Turn]) -> Vec<Measured> {
    let count = |who: usize| {
        let early = || all.iter().filter(move |turn| turn.who == who && turn.number < EARLY);
        (early().filter(|turn| turn.permanent()).count() as u64, early().count() as u64)
    };
    let (own, other) = (count(0), count(1));
    let share = |(permanents, moves): (u64, u64)| permanents as f64 / moves.max(1) as f64;
    let shown = |name: &str, paper: &str, counts: (u64, u64), reason: &str| {
        let ours = format!("{} of {} ({:.0} %)", counts.0, counts.1, 100.0 * share(counts));
        let what = format!("permanents among the first {EARLY} moves of {name}");
        Measured { interval: wilson(counts.0, counts.1), ..row(what, paper, ours, counts.1, None, reason) }
    };
    let reason = "whether its share is shown to be larger than its opponent's";
    let mut first = shown(FINAL, "4 of 6 in one game", own, reason);
    let second = shown(OPPONENT, "-", other, "for comparison");
    if let (Some(ours), Some(others)) = (first.interval, second.interval) {
        first.verdict = larger(difference((share(own), ours), (share(other), others)));
    }
    vec![first, second]
}

#[cfg(test)]
mod tests {
    use quintet_game::{Notation, SeedableRng};

    use super::*;

    /// The motifs of the last move from a position.
    fn motifs(position: &str, mv: &str) -> [bool; 3] {
        let game = Arc::new(Pathwayz::new(3, 4));
        let before = game.read_position(position).unwrap_or_else(|fault| panic!("{position}: {fault:?}"));
        let mut line = Line::from_position(game.clone(), before);
        let mover = line.to_move();
        line.try_play(mv).unwrap();
        let turn = Turn { who: 0, mover, number: 2, before, after: *line.position(), text: mv.into() };
        [turn.early_flip(), turn.blocked_flip(), turn.own_flip_stops_win(&game)]
    }

    #[test]
    fn motifs_by_hand() {
        // A permanent at b2 turns the black pieces beside it, and none of white's.
        assert_eq!(motifs("bb../..../w..w w", "b2p"), [true, false, false]);
        assert_eq!(motifs("bb../..../w..w w", "d1"), [false, false, false]);
        // A black permanent at b2 would have turned two white pieces.
        assert_eq!(motifs("ww../...b/...b w", "b2"), [false, true, false]);
        // With a black piece beside it, it would have turned one more than of its own.
        assert_eq!(motifs("ww../..../..bb w", "b2"), [false, false, false]);
        assert_eq!(motifs("w.../..../...b w", "b2"), [false, false, false]);
    }

    /// In random games on a small board: wherever own pieces are said to stop a win, a piece of the mover's has changed its colour in the text, and the
    /// opponent has no winning move.
    #[test]
    fn own_flips_stop_wins() {
        let game = Arc::new(Pathwayz::new(3, 4));
        let mut rng = quintet_game::Rng::seed_from_u64(5);
        let mut found = 0;
        for _ in 0..2000 {
            let mut line = Line::new(game.clone());
            while line.outcome().is_none() {
                let mv = game.random_move(line.position(), &mut rng);
                let (mover, before) = (line.to_move(), *line.position());
                line.play(mv);
                let (after, text) = (*line.position(), game.write_move(mv));
                let turn = Turn { who: 0, mover, number: 9, before, after, text };
                if turn.own_flip_stops_win(&game) {
                    found += 1;
                    let [old, new] = [&before, &after].map(|pos| game.write_position(pos));
                    let [mine, theirs] = [['w', 'b'], ['b', 'w']][mover.index()];
                    assert!(old.chars().zip(new.chars()).any(|pair| pair == (mine, theirs)), "{old} {new}");
                    assert!(!quintet_game::can_win_now(&*game, &after), "{new}");
                }
            }
        }
        assert!(found > 20, "{found}");
    }
}
